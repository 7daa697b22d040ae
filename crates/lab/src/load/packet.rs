//! Hand-written MQTT 3.1.1 and MQTT 5: encodes the few packets that a generator sends, and splits the received stream
//! into packets.

use anyhow::{Result, bail};

/// Packet types: the first byte's upper half.
pub(crate) const CONNACK: u8 = 0x20;
pub(crate) const PUBLISH: u8 = 0x30;
pub(crate) const PUBACK: u8 = 0x40;
pub(crate) const SUBACK: u8 = 0x90;

fn with_head(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut packet = vec![kind];
    let mut rest = body.len();
    loop {
        let low = (rest % 128) as u8;
        rest /= 128;
        packet.push(if rest > 0 { low | 0x80 } else { low });
        if rest == 0 {
            break;
        }
    }
    packet.extend_from_slice(body);
    packet
}

fn put_text(body: &mut Vec<u8>, text: &str) {
    body.extend_from_slice(&u16::try_from(text.len()).unwrap_or(u16::MAX).to_be_bytes());
    body.extend_from_slice(text.as_bytes());
}

/// Encodes a CONNECT with a clean session and no keep-alive, so that a listener sends nothing.
pub(crate) fn connect(client_id: &str, login: Option<(&str, &str)>) -> Vec<u8> {
    let mut body = Vec::new();
    put_text(&mut body, "MQTT");
    body.extend_from_slice(&[4, if login.is_some() { 0xc2 } else { 0x02 }, 0, 0]);
    put_text(&mut body, client_id);
    if let Some((user, password)) = login {
        put_text(&mut body, user);
        put_text(&mut body, password);
    }
    with_head(0x10, &body)
}

pub(crate) fn subscribe(packet_id: u16, filters: &[String], qos: u8) -> Vec<u8> {
    let mut body = packet_id.to_be_bytes().to_vec();
    for filter in filters {
        put_text(&mut body, filter);
        body.push(qos);
    }
    with_head(0x82, &body)
}

/// Encodes a PUBLISH: QoS 1 with a packet id, else QoS 0.
pub(crate) fn publish(topic: &str, payload: &[u8], packet_id: Option<u16>) -> Vec<u8> {
    let mut body = Vec::new();
    put_text(&mut body, topic);
    if let Some(packet_id) = packet_id {
        body.extend_from_slice(&packet_id.to_be_bytes());
    }
    body.extend_from_slice(payload);
    with_head(if packet_id.is_some() { PUBLISH | 2 } else { PUBLISH }, &body)
}

/// Encodes a CONNECT of MQTT 5, whose acknowledgements have reasons. The server chooses the keep-alive.
pub(crate) fn connect_v5(client_id: &str, user: &str, password: &str) -> Vec<u8> {
    let mut body = Vec::new();
    put_text(&mut body, "MQTT");
    body.extend_from_slice(&[5, 0xc2, 0, 0, 0]);
    [client_id, user, password].into_iter().for_each(|text| put_text(&mut body, text));
    with_head(0x10, &body)
}

/// Encodes a SUBSCRIBE of MQTT 5 with QoS 0.
pub(crate) fn subscribe_v5(packet_id: u16, filters: &[String]) -> Vec<u8> {
    let mut body = packet_id.to_be_bytes().to_vec();
    body.push(0);
    for filter in filters {
        put_text(&mut body, filter);
        body.push(0);
    }
    with_head(0x82, &body)
}

/// Encodes a PUBLISH of MQTT 5: QoS 1 with a packet id, else QoS 0.
pub(crate) fn publish_v5(topic: &str, payload: &[u8], packet_id: Option<u16>) -> Vec<u8> {
    let mut body = Vec::new();
    put_text(&mut body, topic);
    if let Some(packet_id) = packet_id {
        body.extend_from_slice(&packet_id.to_be_bytes());
    }
    body.push(0);
    body.extend_from_slice(payload);
    with_head(if packet_id.is_some() { PUBLISH | 2 } else { PUBLISH }, &body)
}

/// The reason code of MQTT 5 in a CONNACK, in the PUBACK of this packet id, or at the end of a SUBACK; `None` for
/// other packets. Codes from 0x80 are refusals.
pub(crate) fn reason_v5(packet: &[u8], packet_id: u16) -> Option<u8> {
    match packet {
        [CONNACK, _, _, reason, ..] => Some(*reason),
        [PUBACK, _, high, low, rest @ ..] if u16::from_be_bytes([*high, *low]) == packet_id => {
            Some(rest.first().copied().unwrap_or(0))
        }
        [SUBACK, .., reason] => Some(*reason),
        _ => None,
    }
}

/// The payload of a complete PUBLISH; `None` for other packets.
#[inline]
pub(crate) fn payload(packet: &[u8]) -> Option<&[u8]> {
    let first = *packet.first()?;
    let (head, whole) = extent(packet).ok()??;
    let body = packet.get(head..whole).filter(|_| first & 0xf0 == PUBLISH)?;
    let (topic_bytes, rest) = body.split_first_chunk::<2>()?;
    // QoS 1 and 2 have a packet id.
    let id_bytes = if first & 0x06 == 0 { 0 } else { 2 };
    rest.get(usize::from(u16::from_be_bytes(*topic_bytes)) + id_bytes..)
}

/// Lengths of the first packet's header and of the whole packet; `None` if there are too few bytes to tell.
#[inline]
pub(crate) fn extent(bytes: &[u8]) -> Result<Option<(usize, usize)>> {
    let mut length = 0;
    for (index, byte) in bytes.iter().skip(1).take(4).enumerate() {
        length |= usize::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            let head = index + 2;
            return Ok(Some((head, head + length)));
        }
    }
    if bytes.len() > 4 { bail!("a packet's length has more than four bytes") } else { Ok(None) }
}

/// Splits a byte stream into packets. Complete packets are borrowed from the input; only an incomplete end is
/// copied.
#[derive(Debug, Default)]
pub(crate) struct PacketSplitter {
    rest: Vec<u8>,
}

impl PacketSplitter {
    pub(crate) fn feed(&mut self, mut bytes: &[u8], mut take: impl FnMut(&[u8])) -> Result<()> {
        while !self.rest.is_empty() {
            let wanted = match extent(&self.rest)? {
                Some((_, whole)) => whole - self.rest.len(),
                None => 1,
            };
            let Some((more, after)) = bytes.split_at_checked(wanted) else {
                self.rest.extend_from_slice(bytes);
                return Ok(());
            };
            self.rest.extend_from_slice(more);
            bytes = after;
            if extent(&self.rest)?.is_some_and(|(_, whole)| whole == self.rest.len()) {
                take(&self.rest);
                self.rest.clear();
            }
        }
        while let Some((_, whole)) = extent(bytes)? {
            let Some((packet, after)) = bytes.split_at_checked(whole) else { break };
            take(packet);
            bytes = after;
        }
        self.rest.extend_from_slice(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_parsed_from_a_stream_split_at_any_size() {
        let packets =
            [publish("a/b", &[7; 300], None), vec![PUBACK, 2, 0, 1], publish("c", b"", Some(9)), vec![0xd0, 0]];
        let stream = packets.concat();
        for cut in 1..=stream.len() {
            let (mut splitter, mut found) = (PacketSplitter::default(), Vec::new());
            for piece in stream.chunks(cut) {
                splitter.feed(piece, |packet| found.push(packet.to_vec())).expect("these are packets");
            }
            assert_eq!(found, packets, "in pieces of {cut}");
        }
    }

    #[test]
    fn the_payload_of_a_publish_packet_is_extracted_exactly() {
        for bytes in [0, 1, 120, 300, 20_000] {
            let said = vec![7; bytes];
            for packet in [publish("a/b", &said, None), publish("a/b", &said, Some(9))] {
                assert_eq!(payload(&packet), Some(&said[..]));
                assert_eq!(payload(&packet[..packet.len() - 1]), None, "it is cut");
            }
        }
        assert_eq!((payload(&[PUBACK, 2, 0, 1]), payload(&[])), (None, None));
        assert_eq!(payload(&[PUBLISH, 3, 0, 9, b'a']), None, "its topic is longer than it");
    }

    #[test]
    fn an_mqtt_5_reason_code_is_read_and_defaults_to_success() {
        assert_eq!(reason_v5(&[CONNACK, 3, 0, 0x87, 0], 0), Some(0x87));
        assert_eq!(reason_v5(&[PUBACK, 2, 0, 9], 9), Some(0));
        assert_eq!(reason_v5(&[PUBACK, 4, 0, 9, 0x97, 0], 9), Some(0x97));
        assert_eq!(reason_v5(&[PUBACK, 2, 0, 8], 9), None, "another message's");
        assert_eq!(reason_v5(&[SUBACK, 4, 0, 1, 0, 0x87], 1), Some(0x87));
        assert_eq!(reason_v5(&publish_v5("a", b"x", None), 1), None);
    }

    #[test]
    fn packets_of_mqtt_5_have_empty_properties() {
        let publish = publish_v5("a/b", b"xy", Some(9));
        assert_eq!(publish, [0x32, 10, 0, 3, b'a', b'/', b'b', 0, 9, 0, b'x', b'y']);
        assert_eq!(subscribe_v5(1, &["a".to_owned()]), [0x82, 7, 0, 1, 0, 0, 1, b'a', 0]);
        let connect = connect_v5("c", "u", "p");
        assert_eq!(connect.get(..13), Some(&[0x10, 20, 0, 4, b'M', b'Q', b'T', b'T', 5, 0xc2, 0, 0, 0][..]));
    }

    #[test]
    fn a_remaining_length_of_five_bytes_is_an_error() {
        assert!(PacketSplitter::default().feed(&[0x30, 0xff, 0xff, 0xff, 0xff, 1], |_| ()).is_err());
    }
}
