//! Encodes and splits the messages between the reference servers and their clients: entry, and the paper's location
//! updates and acknowledgements. A message has a header of 16 B, an update also a pose. TCP carries the messages in
//! sequence, a UDP datagram one or several.

/// Length of the header.
const HEAD_BYTES: usize = 16;
/// A marker's pose: three coordinates and the four of a quaternion, of four bytes each. Here all are zero.
const POSE_BYTES: usize = 28;
/// The longest message.
const MESSAGE_BYTES_MAX: usize = HEAD_BYTES + POSE_BYTES;
/// Maximum payload of a UDP datagram.
const DATAGRAM_BYTES_MAX: usize = stoa_net::limits::DATAGRAM_BYTES_MAX;

/// The type of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum MessageKind {
    /// A client enters; `source` is its number.
    Hello = 1,
    /// The client's group is complete.
    Welcome = 2,
    /// A new location of `source`.
    Update = 3,
    /// `from` acknowledges an update of `source`.
    Ack = 4,
    /// All members have acknowledged; from an active server.
    AllAcks = 5,
}

/// One message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GroupMessage {
    pub(crate) kind: MessageKind,
    /// The sender of the update; the entering client of `Hello` and `Welcome`.
    pub(crate) source: u32,
    /// The number of the update.
    pub(crate) turn: u32,
    /// The acknowledging client.
    pub(crate) from: u32,
}

impl GroupMessage {
    pub(crate) fn update(source: usize, turn: u32) -> GroupMessage {
        GroupMessage { kind: MessageKind::Update, source: source as u32, turn, from: 0 }
    }

    /// A client's acknowledgement of an update.
    pub(crate) fn ack(self, from: usize) -> GroupMessage {
        GroupMessage { kind: MessageKind::Ack, from: from as u32, ..self }
    }

    pub(crate) fn about(kind: MessageKind, client: usize) -> GroupMessage {
        GroupMessage { kind, source: client as u32, turn: 0, from: 0 }
    }

    fn length(kind: MessageKind) -> usize {
        if kind == MessageKind::Update { MESSAGE_BYTES_MAX } else { HEAD_BYTES }
    }

    /// Appends the message's bytes.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let mut bytes = [0; MESSAGE_BYTES_MAX];
        bytes[0] = self.kind as u8;
        bytes[4..8].copy_from_slice(&self.source.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.turn.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.from.to_le_bytes());
        out.extend_from_slice(&bytes[..GroupMessage::length(self.kind)]);
    }

    /// Reads a message and moves `bytes` past it; `None` if the message is incomplete or unknown.
    pub(crate) fn take(bytes: &mut &[u8]) -> Option<GroupMessage> {
        let head: &[u8; HEAD_BYTES] = bytes.first_chunk()?;
        let kind = match head[0] {
            1 => MessageKind::Hello,
            2 => MessageKind::Welcome,
            3 => MessageKind::Update,
            4 => MessageKind::Ack,
            5 => MessageKind::AllAcks,
            _ => return None,
        };
        let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let message = GroupMessage { kind, source: number(4), turn: number(8), from: number(12) };
        *bytes = bytes.get(GroupMessage::length(kind)..)?;
        Some(message)
    }
}

/// Splits a stream into messages; keeps an incomplete end.
#[derive(Debug, Default)]
pub(crate) struct MessageSplitter {
    rest: Vec<u8>,
}

impl MessageSplitter {
    /// Appends read bytes; passes each complete message to `tell`.
    pub(crate) fn feed(&mut self, read: &[u8], mut tell: impl FnMut(GroupMessage)) {
        let joined;
        let mut bytes = if self.rest.is_empty() {
            read
        } else {
            self.rest.extend_from_slice(read);
            joined = std::mem::take(&mut self.rest);
            &joined
        };
        while let Some(message) = GroupMessage::take(&mut bytes) {
            tell(message);
        }
        self.rest.extend_from_slice(bytes);
    }
}

/// Splits consecutive messages into datagrams of whole messages.
pub(crate) fn datagrams(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (whole, mut rest) = (bytes, bytes);
        while whole.len() - rest.len() + MESSAGE_BYTES_MAX <= DATAGRAM_BYTES_MAX {
            if GroupMessage::take(&mut rest).is_none() {
                break;
            }
        }
        let length = whole.len() - rest.len();
        bytes = rest;
        (length > 0).then(|| &whole[..length])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(count: usize) -> (Vec<GroupMessage>, Vec<u8>) {
        let update = |turn| GroupMessage::update(7, turn);
        let of = |turn: u32| if turn.is_multiple_of(3) { update(turn).ack(9) } else { update(turn) };
        let messages: Vec<GroupMessage> = (0..count as u32).map(of).collect();
        let mut bytes = Vec::new();
        messages.iter().for_each(|message| message.write(&mut bytes));
        (messages, bytes)
    }

    #[test]
    fn messages_are_parsed_from_a_stream_split_at_any_size() {
        let (messages, bytes) = some(50);
        for step in [1, 15, 16, 17, 43, 44, 1_000, bytes.len()] {
            let (mut splitter, mut came) = (MessageSplitter::default(), Vec::new());
            bytes.chunks(step).for_each(|chunk| splitter.feed(chunk, |message| came.push(message)));
            assert_eq!(came, messages, "chunks of {step}");
        }
    }

    #[test]
    fn datagrams_contain_whole_messages_within_their_maximum_size() {
        let (messages, bytes) = some(200);
        let mut came = Vec::new();
        for mut datagram in datagrams(&bytes) {
            assert!(datagram.len() <= DATAGRAM_BYTES_MAX);
            came.extend(std::iter::from_fn(|| GroupMessage::take(&mut datagram)));
            assert!(datagram.is_empty(), "a cut message");
        }
        assert_eq!(came, messages);
        assert!(datagrams(&bytes).count() < 10 && datagrams(&[]).count() == 0);
    }
}
