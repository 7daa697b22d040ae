//! Makes the names, topics and camera messages of simulated people. A message carries its sender and time.

use std::fmt::Write;

use crate::limits;

/// The default scene of simulated people.
pub(crate) const SCENE: &str = "public/lobby";
/// The mark near a payload's end: the sender (4 hexadecimal digits) and the time in microseconds (12). Two bytes
/// follow it.
const MARK_BYTES: usize = 16;

/// A person's names, in the form of ARENA's account service.
#[derive(Clone, Debug)]
pub(crate) struct PersonIdentifiers {
    pub(crate) account: String,
    pub(crate) id_tag: String,
    pub(crate) user_client: String,
}

impl PersonIdentifiers {
    pub(crate) fn of(index: usize) -> PersonIdentifiers {
        PersonIdentifiers::called(format!("p{index:04}"), index)
    }

    /// The names of an account's or guest's client with this number.
    pub(crate) fn called(account: String, index: usize) -> PersonIdentifiers {
        let id_tag = format!("{account}_{:010}", index + 1);
        PersonIdentifiers { user_client: format!("{id_tag}_lab"), id_tag, account }
    }

    pub(crate) fn camera_topic(&self) -> String {
        self.camera_topic_in(SCENE)
    }

    /// The topic of the person's camera in a scene.
    pub(crate) fn camera_topic_in(&self, scene: &str) -> String {
        format!("realm/s/{scene}/u/{}/{}", self.user_client, self.id_tag)
    }

    /// The filters that ARENA's clients subscribe to.
    pub(crate) fn filters(&self) -> Vec<String> {
        self.filters_in(SCENE)
    }

    /// The filters that ARENA's clients subscribe to in a scene.
    pub(crate) fn filters_in(&self, scene: &str) -> Vec<String> {
        vec![format!("realm/s/{scene}/+/+/+"), format!("realm/s/{scene}/+/+/+/{}/#", self.id_tag)]
    }
}

/// Writes a camera update of [`limits::PAYLOAD_BYTES`], as ARENA's browser client sends it.
pub(crate) fn camera(name: &PersonIdentifiers, sender: usize, sent_us: u64, payload: &mut String) {
    payload.clear();
    let turn = (sent_us / 1_000 % 6_283) as f64 / 1_000.0;
    let _ = write!(
        payload,
        "{{\"object_id\":\"{}\",\"action\":\"update\",\"type\":\"object\",\"data\":{{\"object_type\":\"camera\",\
         \"position\":{{\"x\":{:.3},\"y\":1.600,\"z\":{:.3}}},\"rotation\":{{\"x\":0,\"y\":{:.3},\"z\":0,\"w\":{:.3}}},\
         \"arena-user\":{{\"displayName\":\"{}\",\"color\":\"#",
        name.id_tag,
        3.0 * turn.sin(),
        3.0 * turn.cos(),
        (turn / 2.0).sin(),
        (turn / 2.0).cos(),
        name.account,
    );
    let tail = "\"}},\"mark\":\"".len() + MARK_BYTES + 2;
    while payload.len() + tail < limits::PAYLOAD_BYTES {
        payload.push('0');
    }
    let _ = write!(payload, "\"}}}},\"mark\":\"{sender:04x}{sent_us:012x}\"}}");
}

/// Writes an opaque message of `bytes` that carries only sender and time: at least `MARK_BYTES + 2`.
pub(crate) fn opaque((sender, sent_us): (usize, u64), bytes: usize, payload: &mut String) {
    payload.clear();
    let filler = bytes.saturating_sub(MARK_BYTES + 2);
    payload.extend(std::iter::repeat_n('x', filler));
    let _ = write!(payload, "{sender:04x}{sent_us:012x}..");
}

/// The sender and time of a packet; `None` if it has no mark.
#[inline]
pub(crate) fn read_mark(packet: &[u8]) -> Option<(usize, u64)> {
    let end = packet.len().checked_sub(2)?;
    let mark = packet.get(end.checked_sub(MARK_BYTES)?..end)?;
    let number = mark.iter().try_fold(0_u64, |number, byte| {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            _ => return None,
        };
        Some(number << 4 | u64::from(digit))
    })?;
    Some(((number >> 48) as usize, number & 0xffff_ffff_ffff))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_camera_message_is_json_of_fixed_size_with_sender_and_time() {
        let name = PersonIdentifiers::of(481);
        let mut payload = String::new();
        camera(&name, 481, 12_345_678, &mut payload);
        assert_eq!(payload.len(), limits::PAYLOAD_BYTES);
        let json: serde_json::Value = serde_json::from_str(&payload).expect("JSON");
        assert_eq!(json["object_id"], name.id_tag.as_str());
        assert_eq!(read_mark(payload.as_bytes()), Some((481, 12_345_678)));
        opaque((7, 99), 550, &mut payload);
        assert_eq!((payload.len(), read_mark(payload.as_bytes())), (550, Some((7, 99))));
        assert_eq!(read_mark(b"{\"object_id\":\"x\",\"action\":\"leave\"}"), None, "negative control");
    }
}
