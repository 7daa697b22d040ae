//! Bytes written by hand from the standard. Cases that other languages may read too are in
//! `spec/vectors/netcode.json`.

use alloc::vec;
use alloc::vec::Vec;
use core::net::SocketAddr;

use super::*;

const KEYS: PacketKeys<'static> = PacketKeys { client_to_server: &[0xc5; 32], server_to_client: &[0x5c; 32] };
const USER_DATA: &[u8; 256] = &[0xdd; 256];

fn address(text: &str) -> SocketAddr {
    text.parse().expect("an address")
}

fn private(servers: Vec<SocketAddr>) -> PrivateToken<'static> {
    PrivateToken { client_id: 0x0102_0304_0506_0708, timeout_s: -1, servers, keys: KEYS, user_data: USER_DATA }
}

/// The layout of a private token with these servers.
fn private_bytes(count: u32, servers: &[u8]) -> Vec<u8> {
    let head = [8, 7, 6, 5, 4, 3, 2, 1, 0xff, 0xff, 0xff, 0xff];
    let mut bytes = [&head[..], &count.to_le_bytes(), servers, &[0xc5; 32], &[0x5c; 32], USER_DATA].concat();
    bytes.resize(1_008, 0);
    bytes
}

fn read_private(bytes: &[u8]) -> Result<PrivateToken<'_>, TokenError> {
    PrivateToken::read(bytes.try_into().expect("as long as one is"))
}

#[test]
fn a_sequence_is_written_without_high_zeros_in_at_least_one_byte() {
    let written = |sequence: u64| {
        let mut bytes = [0xee; packet::HEAD_BYTES_MAX];
        let length = SealedHeader::new(SealedPacketKind::Payload, sequence).write(&mut bytes);
        bytes[..length].to_vec()
    };
    assert_eq!(written(0), [0x15, 0]);
    assert_eq!(written(0xff), [0x15, 0xff]);
    assert_eq!(written(0x100), [0x25, 0, 1]);
    assert_eq!(written(1_000), [0x25, 0xe8, 0x03], "the standard's own example");
    assert_eq!(written(0x11_2233), [0x35, 0x33, 0x22, 0x11]);
    assert_eq!(written(0x1122_3344_5566), [0x65, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11]);
    assert_eq!(written(u64::MAX), [0x85, 255, 255, 255, 255, 255, 255, 255, 255]);
    assert_eq!(written(EARLY_SEQUENCE_FIRST), [0x85, 0, 0, 0, 0, 0, 0, 0, 0x80]);
}

#[test]
fn a_nonce_is_four_zeros_and_the_sequence() {
    assert_eq!(nonce(0x0102_0304_0506_0708), [0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1]);
}

#[test]
fn associated_data_begins_with_the_version_and_the_protocol_id() {
    let packet = SealedHeader::new(SealedPacketKind::KeepAlive, 300).associated(0x0102);
    assert_eq!(packet, *b"NETCODE 1.02\0\x02\x01\0\0\0\0\0\0\x24");
    assert_eq!(token_associated(0x0102, 0x0304), *b"NETCODE 1.02\0\x02\x01\0\0\0\0\0\0\x04\x03\0\0\0\0\0\0");
}

#[test]
fn a_connection_request_has_the_layout_of_the_standard() {
    let request =
        ConnectionRequest { protocol_id: 0x0102, expires_at: 0x0304, nonce: &[0x0a; 24], sealed: &[0xbb; 1_024] };
    let mut wanted = b"\0NETCODE 1.02\0\x02\x01\0\0\0\0\0\0\x04\x03\0\0\0\0\0\0".to_vec();
    wanted.extend_from_slice(&[0x0a; 24]);
    wanted.extend_from_slice(&[0xbb; 1_024]);
    assert_eq!(wanted.len(), 1_078);
    assert_eq!(request.to_bytes().to_vec(), wanted);
    assert_eq!(UnopenedNetcodePacket::read(&wanted), Ok(UnopenedNetcodePacket::Request(request)));
    assert_eq!(UnopenedNetcodePacket::read(&wanted[..1_077]), Err(PacketError::RequestLength(1_077)));
    wanted.push(0);
    assert_eq!(UnopenedNetcodePacket::read(&wanted), Err(PacketError::RequestLength(1_079)));
    wanted.pop();
    wanted[12] = b'1';
    assert_eq!(UnopenedNetcodePacket::read(&wanted), Err(PacketError::Version));
}

#[test]
fn a_sealed_packet_is_read_as_prefix_sequence_and_content() {
    let sealed = [0x99; 16];
    let bytes = [&[0x24, 0xe8, 0x03][..], &sealed].concat();
    let Ok(UnopenedNetcodePacket::Sealed(packet)) = UnopenedNetcodePacket::read(&bytes) else { panic!("is sealed") };
    assert_eq!((packet.head.kind(), packet.head.sequence()), (SealedPacketKind::KeepAlive, 1_000));
    assert_eq!((packet.head.length(), packet.head.prefix(), packet.sealed), (3, 0x24, &sealed[..]));
    assert_eq!(packet.head, SealedHeader::new(SealedPacketKind::KeepAlive, 1_000));
}

#[test]
fn a_sequence_may_have_more_bytes_than_it_needs() {
    let bytes = [&[0x85, 7, 0, 0, 0, 0, 0, 0, 0][..], &[0x99; 16]].concat();
    let Ok(UnopenedNetcodePacket::Sealed(packet)) = UnopenedNetcodePacket::read(&bytes) else { panic!("is sealed") };
    assert_eq!((packet.head.sequence(), packet.head.length()), (7, 9));
    assert_eq!(packet.head.associated(0)[21], 0x85, "what was sent is what was associated");
    assert_eq!(SealedHeader::new(SealedPacketKind::Payload, 7).prefix(), 0x15, "negative control");
}

#[test]
fn malformed_packets_are_checked_in_the_order_of_the_standard() {
    let read = |prefix: u8, length: usize| {
        let mut bytes = vec![0x11; length];
        bytes.iter_mut().take(1).for_each(|first| *first = prefix);
        UnopenedNetcodePacket::read(&bytes).map(|_| ())
    };
    let too_short = |got, least| Err(PacketError::TooShort { got, least });
    assert_eq!(read(0x15, 0), too_short(0, 18));
    assert_eq!(read(0x1f, 17), too_short(17, 18), "before its kind is looked at");
    assert_eq!(read(0x07, 18), Err(PacketError::Kind(7)), "before its sequence is looked at");
    assert_eq!(read(0x10, 18), Err(PacketError::Kind(0)), "requests have a prefix of 0");
    assert_eq!(read(0x05, 18), Err(PacketError::SequenceBytes(0)));
    assert_eq!(read(0x95, 40), Err(PacketError::SequenceBytes(9)));
    assert_eq!(read(0x85, 24), too_short(24, 25));
    assert_eq!(read(0x85, 25), Ok(()), "negative control");
    assert_eq!(read(0x11, 18), Ok(()), "negative control");
}

#[test]
fn packet_contents_survive_a_round_trip() {
    let challenge = ChallengePacketContent { sequence: 0x0102, sealed: &[0xcc; 300] };
    let told = [&[2, 1, 0, 0, 0, 0, 0, 0][..], &[0xcc; 300]].concat();
    for (content, wanted) in [
        (PacketContent::Denied, vec![]),
        (PacketContent::Challenge(challenge), told.clone()),
        (PacketContent::Response(challenge), told),
        (PacketContent::KeepAlive { client_index: 3, clients_max: u32::MAX }, vec![3, 0, 0, 0, 255, 255, 255, 255]),
        (PacketContent::Payload(&[1]), vec![1]),
        (PacketContent::Payload(&[7; 1_200]), vec![7; 1_200]),
        (PacketContent::Disconnect, vec![]),
    ] {
        let mut bytes = Vec::new();
        content.write(&mut bytes);
        assert_eq!(bytes, wanted);
        assert_eq!(PacketContent::read(content.kind(), &bytes), Ok(content));
    }
}

#[test]
fn packet_contents_of_a_wrong_length_for_their_kind_are_refused() {
    for (kind, lengths) in [
        (SealedPacketKind::Denied, [0, 1, 308]),
        (SealedPacketKind::Challenge, [308, 307, 309]),
        (SealedPacketKind::Response, [308, 0, 300]),
        (SealedPacketKind::KeepAlive, [8, 7, 9]),
        (SealedPacketKind::Payload, [1, 0, 1_201]),
        (SealedPacketKind::Disconnect, [0, 1, 8]),
    ] {
        let [right, wrong @ ..] = lengths;
        let bytes = [0; 1_201];
        assert!(PacketContent::read(kind, &bytes[..right]).is_ok(), "negative control: {kind:?}");
        for got in wrong {
            assert_eq!(PacketContent::read(kind, &bytes[..got]), Err(PacketError::ContentLength { kind, got }));
        }
    }
}

#[test]
fn kinds_sent_by_clients_and_guarded_against_replay_follow_the_standard() {
    let all = (1..=6).filter_map(SealedPacketKind::of);
    let clients: Vec<u8> = all.clone().filter(|kind| kind.is_sent_by_clients()).map(|kind| kind as u8).collect();
    let guarded: Vec<u8> = all.filter(|kind| kind.is_guarded_against_replay()).map(|kind| kind as u8).collect();
    assert_eq!((clients, guarded), (vec![3, 4, 5, 6], vec![4, 5, 6]));
    assert_eq!((SealedPacketKind::of(0), SealedPacketKind::of(7)), (None, None));
}

#[test]
fn a_private_token_has_the_layout_of_the_standard() {
    let servers = vec![address("1.2.3.4:4660"), address("[102:304::708]:4660")];
    let lying = [&[1, 1, 2, 3, 4, 0x34, 0x12][..], &[2, 2, 1, 4, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 7, 0x34, 0x12]];
    let bytes = private_bytes(2, &lying.concat());
    let token = private(servers);
    assert_eq!(token.to_bytes().to_vec(), bytes);
    assert_eq!(read_private(&bytes), Ok(token));
}

#[test]
fn tokens_with_the_most_servers_survive_a_round_trip() {
    let servers = vec![address("[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535"); ADDRESSES_MAX];
    let token = private(servers.clone());
    assert_eq!(PrivateToken::read(&token.to_bytes()), Ok(token));
    let (nonce, sealed) = (&[1; 24], &[2; 1_024]);
    let (protocol_id, created_at, expires_at) = (u64::MAX, u64::MAX, u64::MAX);
    let token =
        ConnectToken { protocol_id, created_at, expires_at, nonce, sealed, timeout_s: i32::MIN, servers, keys: KEYS };
    assert_eq!(ConnectToken::read(&token.to_bytes()), Ok(token));
}

#[test]
fn private_tokens_with_an_invalid_server_list_are_refused() {
    let refused = |count: u32, servers: &[u8]| read_private(&private_bytes(count, servers)).map(|_| ());
    let server = [1, 127, 0, 0, 1, 0, 80];
    assert_eq!(refused(1, &server), Ok(()), "negative control");
    assert_eq!(refused(0, &server), Err(TokenError::from(ServerListError::Count(0))));
    assert_eq!(refused(33, &server.repeat(33)), Err(TokenError::from(ServerListError::Count(33))));
    assert_eq!(refused(u32::MAX, &server), Err(TokenError::from(ServerListError::Count(u32::MAX))));
    for kind in [0, 3, 255] {
        assert_eq!(refused(1, &[kind, 127, 0, 0, 1, 0, 80]), Err(TokenError::from(ServerListError::Kind(kind))));
    }
}

#[test]
fn a_connect_token_has_the_layout_of_the_standard() {
    let servers = vec![address("127.0.0.1:8443")];
    let (nonce, sealed) = (&[0x0a; 24], &[0xbb; 1_024]);
    let (protocol_id, created_at, expires_at) = (0x0102, 0x0304, 0x0305);
    let token = ConnectToken { protocol_id, created_at, expires_at, nonce, sealed, timeout_s: 5, servers, keys: KEYS };
    let mut wanted = b"NETCODE 1.02\0".to_vec();
    wanted.extend_from_slice(&[2, 1, 0, 0, 0, 0, 0, 0, 4, 3, 0, 0, 0, 0, 0, 0, 5, 3, 0, 0, 0, 0, 0, 0]);
    wanted.extend_from_slice(nonce);
    wanted.extend_from_slice(sealed);
    wanted.extend_from_slice(&[5, 0, 0, 0, 1, 0, 0, 0, 1, 127, 0, 0, 1, 0xfb, 0x20]);
    wanted.extend_from_slice(&[[0xc5; 32], [0x5c; 32]].concat());
    wanted.resize(2_048, 0);
    assert_eq!(token.to_bytes(), wanted);
    assert_eq!(ConnectToken::read(&wanted), Ok(token));
    assert_eq!(ConnectToken::read(&wanted[..2_047]), Err(TokenError::Length { got: 2_047, wanted: 2_048 }));
    let mut later = wanted.clone();
    later[21] = 6;
    assert_eq!(ConnectToken::read(&later), Err(TokenError::Times { created_at: 0x0306, expires_at: 0x0305 }));
    wanted[8] = b'2';
    assert_eq!(ConnectToken::read(&wanted), Err(TokenError::Version));
}

#[test]
fn a_challenge_token_has_the_layout_of_the_standard() {
    let token = ChallengeToken { client_id: 0x0102, user_data: USER_DATA };
    let wanted = [&[2, 1, 0, 0, 0, 0, 0, 0][..], USER_DATA, &[0; 20]].concat();
    assert_eq!(wanted.len(), 284);
    assert_eq!(token.to_bytes().to_vec(), wanted);
    assert_eq!(ChallengeToken::read(&token.to_bytes()), token);
}

#[test]
fn debug_output_of_a_token_omits_its_keys() {
    let told = std::format!("{:?}", private(vec![address("127.0.0.1:1")]));
    assert!(told.contains("keys: PacketKeys,") && !told.contains("197"), "{told}");
}
