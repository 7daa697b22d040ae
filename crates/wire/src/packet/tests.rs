//! Round trips, refusals with their codes, shared buffers, and random bytes.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use bytes::Bytes;
use proptest::prelude::*;

use super::*;
use crate::limits;

fn decode(version: MqttVersion, bytes: &[u8]) -> Result<Option<Packet>, DecodeError> {
    let mut decoder = Decoder::for_client(version);
    decoder.feed(bytes);
    decoder.next_packet()
}

fn bytes_of(packet: &Packet, version: MqttVersion) -> Vec<u8> {
    encode(packet, version).parts().concat()
}

fn text() -> impl Strategy<Value = String> {
    "[a-z0-9/_ é]{1,20}"
}

fn topic() -> impl Strategy<Value = Topic> {
    text().prop_map(|text| Topic::parse(&text).unwrap())
}

fn payload() -> impl Strategy<Value = Bytes> {
    prop::collection::vec(any::<u8>(), 0..300).prop_map(Bytes::from)
}

fn qos() -> impl Strategy<Value = Qos> {
    prop_oneof![Just(Qos::AtMostOnce), Just(Qos::AtLeastOnce), Just(Qos::ExactlyOnce)]
}

fn version() -> impl Strategy<Value = MqttVersion> {
    prop_oneof![Just(MqttVersion::V311), Just(MqttVersion::V5)]
}

prop_compose! {
    fn properties()(
        payload_is_utf8 in any::<Option<bool>>(),
        message_expiry_s in any::<Option<u32>>(),
        content_type in prop::option::of(text()),
        response_topic in prop::option::of(text()),
        correlation in prop::option::of(payload()),
        user_properties in prop::collection::vec((text(), text()), 0..4),
        topic_alias in prop::option::of(1_u16..),
    ) -> PublishProperties {
        let subscription_ids = Vec::new();
        PublishProperties {
            payload_is_utf8, message_expiry_s, content_type, response_topic, correlation, user_properties, topic_alias,
            subscription_ids,
        }
    }
}

prop_compose! {
    fn publish()(
        topic in topic(), payload in payload(), qos in qos(), retain in any::<bool>(), id in 1_u16..,
        properties in properties(),
    ) -> Publish {
        let packet_id = (qos != Qos::AtMostOnce).then_some(id);
        Publish { topic, payload, qos, retain, dup: false, packet_id, properties }
    }
}

prop_compose! {
    fn connect()(
        version in version(), client_id in text(), clean_start in any::<bool>(), keep_alive_s in any::<u16>(),
        will in prop::option::of((topic(), payload(), qos(), any::<bool>())),
        username in prop::option::of(text()), password in payload(), session_expiry_s in any::<Option<u32>>(),
        topic_alias_max in any::<Option<u16>>(), response_information in any::<bool>(),
    ) -> Connect {
        let will = will.map(|(topic, payload, qos, retain)| Will {
            topic, payload, qos, retain, delay_s: 0, properties: PublishProperties::default(),
        });
        Connect {
            clean_start, keep_alive_s, will,
            password: username.is_some().then_some(password.into()),
            username,
            session_expiry_s: session_expiry_s.filter(|_| version == MqttVersion::V5),
            topic_alias_max: topic_alias_max.filter(|_| version == MqttVersion::V5),
            response_information: response_information && version == MqttVersion::V5,
            ..Connect::new(version, client_id)
        }
    }
}

fn ack() -> impl Strategy<Value = PublishAck> {
    (1_u16..).prop_map(PublishAck::success)
}

fn filters() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[a-z+]{1,8}(/#)?", 1..5)
}

fn packet() -> impl Strategy<Value = Packet> {
    let subscribe = (1_u16.., filters(), qos()).prop_map(|(packet_id, filters, qos)| {
        let subscription = |filter| SubscriptionRequest {
            filter,
            qos,
            no_local: false,
            retain_as_published: false,
            retain_handling: RetainHandling::Send,
        };
        let subscriptions = filters.into_iter().map(subscription).collect();
        Packet::Subscribe(Subscribe { packet_id, subscriptions, subscription_id: None })
    });
    let codes = prop::collection::vec(prop_oneof![Just(0_u8), Just(1), Just(2), Just(0x80)].prop_map(ReasonCode), 1..5);
    prop_oneof![
        ack().prop_map(Packet::PubAck),
        ack().prop_map(Packet::PubRec),
        ack().prop_map(Packet::PubRel),
        ack().prop_map(Packet::PubComp),
        subscribe,
        (1_u16.., codes).prop_map(|(packet_id, codes)| Packet::SubAck(SubscribeAck { packet_id, codes })),
        (1_u16.., filters()).prop_map(|(packet_id, filters)| Packet::Unsubscribe(Unsubscribe { packet_id, filters })),
        Just(Packet::PingReq),
        Just(Packet::PingResp),
        Just(Packet::Disconnect(Disconnect::default())),
        any::<bool>()
            .prop_map(|present| { Packet::ConnAck(ConnAck { session_present: present, ..ConnAck::default() }) }),
    ]
}

proptest! {
    #[test]
    fn every_packet_survives_the_round_trip(packet in packet(), version in version()) {
        prop_assert_eq!(decode(version, &bytes_of(&packet, version)), Ok(Some(packet)));
    }

    #[test]
    fn a_connect_survives_the_round_trip_and_sets_the_decoders_version(connect in connect()) {
        let mut decoder = Decoder::new(limits::PACKET_BYTES_MAX);
        let version = connect.version;
        decoder.feed(&bytes_of(&Packet::Connect(connect.clone()), version));
        prop_assert_eq!(decoder.next_packet(), Ok(Some(Packet::Connect(connect))));
        prop_assert_eq!(decoder.version(), Some(version));
    }

    #[test]
    fn a_publish_survives_the_round_trip(publish in publish(), version in version()) {
        let wanted = match version {
            MqttVersion::V311 => Publish { properties: PublishProperties::default(), ..publish.clone() },
            MqttVersion::V5 => publish.clone(),
        };
        prop_assert_eq!(decode(version, &bytes_of(&Packet::Publish(publish), version)), Ok(Some(Packet::Publish(wanted))));
    }

    #[test]
    fn a_publish_encoded_once_equals_an_encoding_per_receiver(
        publish in publish(), version in version(), dup in any::<bool>(),
    ) {
        let forward = EncodedPublish::new(&publish, version);
        let delivery = DeliveryOptions {
            qos: publish.qos,
            packet_id: publish.packet_id.unwrap_or(0),
            retain: publish.retain,
            dup: dup && publish.qos != Qos::AtMostOnce,
        };
        let frame = forward.to(delivery);
        let alone = Packet::Publish(Publish { dup: delivery.dup, ..publish });
        prop_assert_eq!(frame.parts().concat(), bytes_of(&alone, version));
        prop_assert_eq!(frame.len(), frame.parts().concat().len());
    }

    #[test]
    fn packets_are_decoded_from_a_stream_in_pieces_of_any_size(
        packets in prop::collection::vec(packet(), 1..6), version in version(), step in 1_usize..40,
    ) {
        let bytes: Vec<u8> = packets.iter().flat_map(|packet| bytes_of(packet, version)).collect();
        let mut decoder = Decoder::for_client(version);
        let mut decoded = Vec::new();
        for piece in bytes.chunks(step) {
            decoder.feed(piece);
            while let Some(packet) = decoder.next_packet().unwrap() {
                decoded.push(packet);
            }
        }
        prop_assert_eq!(decoded, packets);
    }

    #[test]
    fn no_bytes_make_the_decoder_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), first in any::<u8>(), version in version()) {
        let mut framed = vec![first, u8::try_from(bytes.len() & 0x7f).unwrap()];
        framed.extend(&bytes);
        let _: Result<_, _> = decode(version, &framed);
        let mut server = Decoder::new(limits::PACKET_BYTES_MAX);
        server.feed(&framed);
        let _: Result<_, _> = server.next_packet();
    }

    #[test]
    fn a_damaged_connect_does_not_make_the_decoder_panic(connect in connect(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = bytes_of(&Packet::Connect(connect.clone()), connect.version);
        let index = at.index(bytes.len());
        bytes[index] = byte;
        let mut decoder = Decoder::new(limits::PACKET_BYTES_MAX);
        decoder.feed(&bytes);
        let _: Result<_, _> = decoder.next_packet();
    }
}

fn refusal_code(version: MqttVersion, bytes: &[u8]) -> u8 {
    decode(version, bytes).expect_err("must be refused").code.0
}

#[test]
fn malformed_packets_are_refused_with_their_reason_code() {
    for (name, version, bytes, code) in [
        ("packet type 0", MqttVersion::V5, &[0x00, 0][..], 0x81),
        ("reserved flags", MqttVersion::V311, &[0xc1, 0], 0x81),
        ("PUBREL without its flag", MqttVersion::V311, &[0x60, 2, 0, 1], 0x81),
        ("QoS 3", MqttVersion::V311, &[0x36, 5, 0, 1, b'a', 0, 1], 0x81),
        ("DUP at QoS 0", MqttVersion::V311, &[0x38, 3, 0, 1, b'a'], 0x81),
        ("packet id 0", MqttVersion::V311, &[0x32, 5, 0, 1, b'a', 0, 0], 0x81),
        ("empty topic", MqttVersion::V311, &[0x30, 2, 0, 0], 0x90),
        ("wildcard in a topic", MqttVersion::V311, &[0x30, 3, 0, 1, b'#'], 0x90),
        ("topic is not UTF-8", MqttVersion::V311, &[0x30, 3, 0, 1, 0xff], 0x81),
        ("topic longer than the packet", MqttVersion::V311, &[0x30, 3, 0, 9, b'a'], 0x81),
        ("SUBSCRIBE without filters", MqttVersion::V311, &[0x82, 2, 0, 1], 0x82),
        ("SUBSCRIBE with packet id 0", MqttVersion::V311, &[0x82, 6, 0, 0, 0, 1, b'a', 0], 0x81),
        ("bytes after a PINGREQ", MqttVersion::V311, &[0xc0, 1, 0], 0x81),
        ("AUTH in 3.1.1", MqttVersion::V311, &[0xf0, 0], 0x82),
        ("length of five bytes", MqttVersion::V311, &[0x30, 0x80, 0x80, 0x80, 0x80, 1], 0x81),
        ("larger than allowed", MqttVersion::V311, &[0x30, 0xff, 0xff, 0x7f], 0x95),
    ] {
        assert_eq!(refusal_code(version, bytes), code, "{name}");
    }
}

fn first_packet(bytes: &[u8]) -> Result<Option<Packet>, DecodeError> {
    let mut decoder = Decoder::new(limits::PACKET_BYTES_MAX);
    decoder.feed(bytes);
    decoder.next_packet()
}

#[test]
fn the_first_packet_must_be_a_connect_of_a_known_protocol() {
    assert_eq!(first_packet(&[0xc0, 0]).unwrap_err().code, ReasonCode(0x82));
    let mut connect = vec![0x10, 13, 0, 4];
    connect.extend(b"MQTT\x06\x02\x00\x3c\x00\x01a");
    assert_eq!(first_packet(&connect).unwrap_err().code, ReasonCode(0x84));
    connect[8] = 4;
    assert!(first_packet(&connect).is_ok(), "negative control: level 4 is known");
    connect[9] |= 1;
    assert_eq!(first_packet(&connect).unwrap_err().code, ReasonCode(0x81), "the reserved flag");
}

/// The first bytes of a CONNECT whose header announces `bytes` bytes in all; `name` is the protocol's name and level.
fn begun_connect(bytes: usize, name: &[u8]) -> Vec<u8> {
    let rest = bytes - 4;
    let length = [rest & 0x7f | 0x80, rest >> 7 & 0x7f | 0x80, rest >> 14];
    [&[0x10][..], &length.map(|byte| u8::try_from(byte).unwrap()), name].concat()
}

#[test]
fn an_oversized_connect_is_refused_as_soon_as_its_version_is_known() {
    for (name, version) in [
        (&b"\x00\x04MQTT\x05"[..], MqttVersion::V5),
        (b"\x00\x04MQTT\x04", MqttVersion::V311),
        (b"\x00\x06MQIsdp\x03", MqttVersion::V311),
    ] {
        let large = begun_connect(limits::CONNECT_BYTES_MAX + 1, name);
        let error = first_packet(&large).unwrap_err();
        assert_eq!((error.code, error.version), (ReasonCode::PACKET_TOO_LARGE, Some(version)), "{name:?}");
        assert_eq!(first_packet(&large[..8]), Ok(None), "its version is not here yet");
        let largest = begun_connect(limits::CONNECT_BYTES_MAX, name);
        assert_eq!(first_packet(&largest), Ok(None), "negative control");
    }
    assert_eq!(first_packet(&[0x30, 0xff, 0xff, 0x0f]).unwrap_err().code, ReasonCode::PACKET_TOO_LARGE);
}

#[test]
fn the_protocol_name_mqisdp_is_accepted_as_mqtt_3_1_1() {
    let mut connect = vec![0x10, 15, 0, 6];
    connect.extend(b"MQIsdp\x03\x02\x00\x3c\x00\x01a");
    let Ok(Some(Packet::Connect(connect))) = first_packet(&connect) else { panic!("is a CONNECT") };
    assert_eq!((connect.version, connect.client_id.as_str()), (MqttVersion::V311, "a"));
}

#[test]
fn receivers_of_qos_0_share_one_buffer() {
    let publish = Publish {
        topic: Topic::parse("a/b").unwrap(),
        payload: Bytes::from_static(b"payload"),
        qos: Qos::AtMostOnce,
        retain: false,
        dup: false,
        packet_id: None,
        properties: PublishProperties::default(),
    };
    let forward = EncodedPublish::new(&publish, MqttVersion::V311);
    let pointers = [forward.shared(), forward.shared()].map(|frame| frame.parts()[0].as_ptr());
    assert_eq!(pointers[0], pointers[1]);
    let delivery = |packet_id| DeliveryOptions { qos: Qos::AtLeastOnce, packet_id, retain: false, dup: false };
    let tails = [forward.to(delivery(1)), forward.to(delivery(2))].map(|frame| frame.parts()[1].as_ptr());
    assert_eq!(tails[0], tails[1], "the payload is shared at QoS 1 too");
}

#[test]
fn receivers_with_properties_of_their_own_share_the_payload() {
    let properties = PublishProperties {
        payload_is_utf8: Some(true),
        message_expiry_s: Some(60),
        user_properties: vec![("k".into(), "v".into())],
        ..PublishProperties::default()
    };
    let plain = PublishProperties::default();
    for properties in [properties, plain] {
        let publish = Publish {
            topic: Topic::parse("a/b").unwrap(),
            payload: Bytes::from(vec![b'x'; 20_000]),
            qos: Qos::AtLeastOnce,
            retain: false,
            dup: false,
            packet_id: Some(7),
            properties,
        };
        let forward = EncodedPublish::new(&publish, MqttVersion::V5);
        let delivery = DeliveryOptions { qos: publish.qos, packet_id: 7, retain: false, dup: false };
        let own = |ids: &'static [u32]| {
            forward.to_subscriber(delivery, ReceiverProperties { subscription_ids: ids, waited_s: 20 })
        };
        let frames = [own(&[3, 300_000]), own(&[4])];
        assert_eq!(frames[0].parts()[1].as_ptr(), frames[1].parts()[1].as_ptr());
        assert!(frames[0].parts()[0].len() < 64, "only the header is its own");
        let expected = Publish {
            properties: PublishProperties {
                subscription_ids: vec![3, 300_000],
                message_expiry_s: publish.properties.message_expiry_s.map(|_| 40),
                ..publish.properties.clone()
            },
            ..publish.clone()
        };
        assert_eq!(decode(MqttVersion::V5, &frames[0].parts().concat()), Ok(Some(Packet::Publish(expected))));
        let old = EncodedPublish::new(&publish, MqttVersion::V311);
        let own = ReceiverProperties { subscription_ids: &[3], waited_s: 20 };
        assert_eq!(old.to_subscriber(delivery, own), old.to(delivery), "MQTT 3.1.1 has no properties");
    }
}

#[test]
fn the_second_part_of_a_payload_given_in_two_is_not_copied() {
    let begun = Publish {
        topic: Topic::parse("a/b").unwrap(),
        payload: Bytes::from_static(b"begun "),
        qos: Qos::AtMostOnce,
        retain: false,
        dup: false,
        packet_id: None,
        properties: PublishProperties::default(),
    };
    for version in [MqttVersion::V311, MqttVersion::V5] {
        for bytes in [1, 120, 70_000] {
            let rest = Bytes::from(vec![b'x'; bytes]);
            let frame = encode_continued(&begun, rest.clone(), version);
            assert_eq!(frame.parts()[1].as_ptr(), rest.as_ptr(), "is not copied");
            let whole = Publish { payload: [&begun.payload[..], &rest[..]].concat().into(), ..begun.clone() };
            let decoded = decode(version, &frame.parts().concat());
            assert_eq!(decoded, Ok(Some(Packet::Publish(whole))), "{version:?} {bytes}");
            if version == MqttVersion::V5 {
                let aliased = AliasablePublish::parse(&frame).expect("is a message").by_alias(3, false);
                assert_eq!(aliased.parts()[1].as_ptr(), rest.as_ptr(), "with an alias neither");
                let Ok(Some(Packet::Publish(aliased))) = decode(version, &aliased.parts().concat()) else {
                    panic!("is a message")
                };
                assert_eq!(aliased.payload.len(), begun.payload.len() + bytes);
            }
        }
        let frame = encode_continued(&begun, Bytes::new(), version);
        assert_eq!(frame.parts().concat(), bytes_of(&Packet::Publish(begun.clone()), version));
    }
}

proptest! {
    /// Encoding panics beyond MQTT's limits, and the realm forwards decoded packets. So every decodable packet must
    /// be encodable.
    #[test]
    fn every_decoded_publish_can_be_encoded_again(changes in prop::collection::vec((0_usize..56, any::<u8>()), 0..6), qos in 0_u8..3) {
        let mut bytes = vec![0x30 | qos << 1, 0, 0, 3, b'a', b'/', b'b'];
        if qos > 0 {
            bytes.extend([0, 7]);
        }
        bytes.push(35);
        bytes.extend(b"\x01\x01\x02\0\0\0\x09\x03\0\x01t\x08\0\x01r\x09\0\x01c\x23\0\x03\x26\0\x01k\0\x01v\x26\0\x01k\0\0payload");
        bytes[1] = u8::try_from(bytes.len() - 2).unwrap();
        for (at, byte) in changes {
            if let Some(found) = bytes.get_mut(at) {
                *found = byte;
            }
        }
        let mut decoder = Decoder::for_client(MqttVersion::V5);
        decoder.feed(&bytes);
        if let Ok(Some(Packet::Publish(publish))) = decoder.next_packet()
            && !publish.topic.is_by_alias()
        {
            for version in [MqttVersion::V311, MqttVersion::V5] {
                prop_assert!(EncodedPublish::new(&publish, version).len_max() > 0);
            }
        }
    }
}

#[test]
fn secret_bytes_are_omitted_from_debug_output() {
    let secret = super::SecretBytes::from(Bytes::from_static(b"eyJhbGciOi"));
    assert_eq!(&*secret, b"eyJhbGciOi", "negative control: it is in there");
    assert_eq!(alloc::format!("{secret:?}"), "SecretBytes(..)");
}
