//! Encodes and decodes the messages between clients and the references. By TCP each message has its length before it,
//! in two bytes; by UDP a packet of a flow is a datagram. Numbers are little-endian.

use std::net::{Ipv4Addr, SocketAddrV4};

/// Length of a flow packet's header: its kind, its session, and the low half of its due time, in microseconds since
/// the load began (the paper's "time stored in the packet").
pub(super) const HEAD_BYTES: usize = 1 + 4 + 4;
/// Maximum length of a flow packet. The UDP servers truncate longer ones.
pub(super) const BYTES_MAX: usize = 1_200;
/// The length prefix of messages by TCP.
pub(super) const LENGTH_BYTES: usize = 2;

/// The first kind of section III's flows; the rest follow it.
const FLOW: u8 = 16;
const LOGIN: u8 = 1;
const WELCOME: u8 = 2;
const ENTER: u8 = 3;
const ENTERED: u8 = 4;

/// A message of the connection management, or a packet of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReferenceServerMessage {
    /// A client logs in.
    Login,
    /// The answer to a login, with the client's session.
    Welcome { session: u32 },
    /// A client enters a scene, with the source address of its flows.
    Enter { scene: u32, address: SocketAddrV4 },
    /// The answer to an entry: the client may send.
    Entered,
    /// A packet of one of a client's flows.
    Flow(FlowHeader),
}

/// The header of a flow packet; zeros follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FlowHeader {
    /// The index of the flow.
    pub(super) flow: u8,
    pub(super) session: u32,
    pub(super) due_us: u32,
}

impl FlowHeader {
    pub(super) fn write(self, out: &mut [u8]) {
        out[0] = FLOW + self.flow;
        out[1..5].copy_from_slice(&self.session.to_le_bytes());
        out[5..HEAD_BYTES].copy_from_slice(&self.due_us.to_le_bytes());
    }

    pub(super) fn read(packet: &[u8]) -> Option<FlowHeader> {
        let flow = packet.first()?.checked_sub(FLOW)?;
        Some(FlowHeader { flow, session: number(packet, 1)?, due_us: number(packet, 5)? })
    }
}

impl ReferenceServerMessage {
    /// Decodes a message; `None` for an unknown or incomplete one.
    pub(super) fn read(bytes: &[u8]) -> Option<ReferenceServerMessage> {
        Some(match *bytes.first()? {
            LOGIN => ReferenceServerMessage::Login,
            WELCOME => ReferenceServerMessage::Welcome { session: number(bytes, 1)? },
            ENTER => {
                let ip = Ipv4Addr::from(number(bytes, 5)?);
                let port = u16::from_le_bytes(*bytes.get(9..)?.first_chunk()?);
                ReferenceServerMessage::Enter { scene: number(bytes, 1)?, address: SocketAddrV4::new(ip, port) }
            }
            ENTERED => ReferenceServerMessage::Entered,
            _ => ReferenceServerMessage::Flow(FlowHeader::read(bytes)?),
        })
    }

    /// The message with its length prefix.
    pub(super) fn frame(self) -> Vec<u8> {
        let mut body = Vec::new();
        match self {
            ReferenceServerMessage::Login => body.push(LOGIN),
            ReferenceServerMessage::Welcome { session } => {
                body.push(WELCOME);
                body.extend_from_slice(&session.to_le_bytes());
            }
            ReferenceServerMessage::Enter { scene, address } => {
                body.push(ENTER);
                body.extend_from_slice(&scene.to_le_bytes());
                body.extend_from_slice(&u32::from(*address.ip()).to_le_bytes());
                body.extend_from_slice(&address.port().to_le_bytes());
            }
            ReferenceServerMessage::Entered => body.push(ENTERED),
            ReferenceServerMessage::Flow(head) => {
                body.resize(HEAD_BYTES, 0);
                head.write(&mut body);
            }
        }
        let mut frame = (body.len() as u16).to_le_bytes().to_vec();
        frame.append(&mut body);
        frame
    }
}

/// Passes all complete messages at the start of `unread` to `take`, each with its length prefix, and removes them.
pub(super) fn take_messages(unread: &mut Vec<u8>, mut take: impl FnMut(&[u8])) {
    let mut begin = 0;
    while let Some(length) = unread.get(begin..).and_then(|rest| rest.first_chunk::<LENGTH_BYTES>()) {
        let end = begin + LENGTH_BYTES + usize::from(u16::from_le_bytes(*length));
        let Some(message) = unread.get(begin..end) else { break };
        take(message);
        begin = end;
    }
    unread.drain(..begin);
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_round_trip_through_a_stream_of_single_bytes() {
        let address = SocketAddrV4::new(Ipv4Addr::new(127, 1, 0, 9), 40_000);
        let flow = ReferenceServerMessage::Flow(FlowHeader { flow: 2, session: 70_000, due_us: 4_000_000_000 });
        let all = [
            ReferenceServerMessage::Login,
            ReferenceServerMessage::Welcome { session: 9 },
            ReferenceServerMessage::Enter { scene: 4, address },
            ReferenceServerMessage::Entered,
            flow,
        ];
        let (mut unread, mut read) = (Vec::new(), Vec::new());
        for byte in all.iter().flat_map(|message| message.frame()) {
            unread.push(byte);
            take_messages(&mut unread, |message| read.extend(ReferenceServerMessage::read(&message[LENGTH_BYTES..])));
        }
        assert_eq!(read, all);
        assert!(unread.is_empty());
        assert_eq!([&[][..], &[FLOW, 0, 0], &[ENTER, 1]].map(ReferenceServerMessage::read), [None, None, None]);
    }
}
