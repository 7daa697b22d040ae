//! A netcode 1.02 client as a state machine: handshake, keep-alive, and frames in both directions. It has no replay
//! protection, which the lab's paths don't need.

use anyhow::{Context, Result};
use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use stoa_wire::netcode::packet::HEAD_BYTES_MAX;
use stoa_wire::netcode::{
    self, CHALLENGE_TOKEN_BYTES, ConnectToken, ConnectionRequest, KEY_BYTES, PacketContent, SealedHeader,
    SealedPacketKind, TAG_BYTES, UnopenedNetcodePacket,
};

/// One client.
pub(crate) struct NetcodeClient {
    protocol_id: u64,
    stage: HandshakeStage,
    ours: LessSafeKey,
    theirs: LessSafeKey,
    /// Sequence of the next packet.
    sequence: u64,
}

/// State of the connection.
enum HandshakeStage {
    /// Sending the connection request.
    Asking(Box<[u8; netcode::REQUEST_BYTES]>),
    /// Returning the challenge.
    Answering {
        sequence: u64,
        sealed: Box<[u8; CHALLENGE_TOKEN_BYTES]>,
    },
    In,
    Ended,
}

/// The content of a datagram.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum OpenedDatagram<'a> {
    Nothing,
    Frame(&'a [u8]),
}

impl NetcodeClient {
    /// A client for a connect token of 2,048 bytes.
    pub(crate) fn new(token: &[u8]) -> Result<NetcodeClient> {
        let token = ConnectToken::read(token).context("a connect token")?;
        let ConnectToken { protocol_id, expires_at, nonce, sealed, keys, .. } = token;
        let request = ConnectionRequest { protocol_id, expires_at, nonce, sealed }.to_bytes();
        let (ours, theirs) = (key(keys.client_to_server)?, key(keys.server_to_client)?);
        Ok(NetcodeClient { protocol_id, stage: HandshakeStage::Asking(Box::new(request)), ours, theirs, sequence: 0 })
    }

    pub(crate) fn is_in(&self) -> bool {
        matches!(self.stage, HandshakeStage::In)
    }

    /// Writes the packet for the current state: a handshake step or a keep-alive. Returns its length; 0 once the
    /// connection has ended. The caller decides when to send.
    pub(crate) fn say(&mut self, out: &mut [u8]) -> usize {
        let (kind, content) = match &self.stage {
            HandshakeStage::Asking(request) => {
                out[..request.len()].copy_from_slice(&request[..]);
                return request.len();
            }
            HandshakeStage::Answering { sequence, sealed } => {
                (SealedPacketKind::Response, [&sequence.to_le_bytes()[..], &sealed[..]].concat())
            }
            HandshakeStage::In => (SealedPacketKind::KeepAlive, vec![0; 8]),
            HandshakeStage::Ended => return 0,
        };
        self.write(kind, &content, out)
    }

    /// Seals a frame; returns the packet's length.
    pub(crate) fn seal(&mut self, frame: &[u8], out: &mut [u8]) -> usize {
        self.write(SealedPacketKind::Payload, frame, out)
    }

    /// Opens a datagram in place, and advances the handshake.
    pub(crate) fn hear<'a>(&mut self, datagram: &'a mut [u8]) -> OpenedDatagram<'a> {
        let Ok(UnopenedNetcodePacket::Sealed(packet)) = UnopenedNetcodePacket::read(datagram) else {
            return OpenedDatagram::Nothing;
        };
        let head = packet.head;
        let Some(sealed) = datagram.get_mut(head.length()..) else { return OpenedDatagram::Nothing };
        let associated = Aad::from(head.associated(self.protocol_id));
        let Ok(plain) = self.theirs.open_in_place(nonce(head.sequence()), associated, sealed) else {
            return OpenedDatagram::Nothing;
        };
        match (PacketContent::read(head.kind(), plain), &self.stage) {
            (Ok(PacketContent::Payload(frame)), HandshakeStage::In) => return OpenedDatagram::Frame(frame),
            (Ok(PacketContent::Challenge(told)), HandshakeStage::Asking(_)) => {
                self.stage = HandshakeStage::Answering { sequence: told.sequence, sealed: Box::new(*told.sealed) };
            }
            (Ok(PacketContent::KeepAlive { .. }), HandshakeStage::Answering { .. }) => self.stage = HandshakeStage::In,
            (Ok(PacketContent::Disconnect | PacketContent::Denied), _) => self.stage = HandshakeStage::Ended,
            _ => {}
        }
        OpenedDatagram::Nothing
    }

    fn write(&mut self, kind: SealedPacketKind, content: &[u8], out: &mut [u8]) -> usize {
        let head = SealedHeader::new(kind, self.sequence);
        let mut head_bytes = [0; HEAD_BYTES_MAX];
        let begin = head.write(&mut head_bytes);
        let end = begin + content.len();
        out[..begin].copy_from_slice(&head_bytes[..begin]);
        out[begin..end].copy_from_slice(content);
        let associated = Aad::from(head.associated(self.protocol_id));
        let tag = self
            .ours
            .seal_in_place_separate_tag(nonce(self.sequence), associated, &mut out[begin..end])
            .expect("a packet is far below what one nonce may seal");
        out[end..end + TAG_BYTES].copy_from_slice(tag.as_ref());
        self.sequence += 1;
        end + TAG_BYTES
    }
}

fn key(bytes: &[u8; KEY_BYTES]) -> Result<LessSafeKey> {
    let key = UnboundKey::new(&CHACHA20_POLY1305, bytes).ok().context("a key of 32 bytes")?;
    Ok(LessSafeKey::new(key))
}

fn nonce(sequence: u64) -> Nonce {
    Nonce::assume_unique_for_key(netcode::nonce(sequence))
}
