//! A minimal netcode client for tests. It can send every packet of a client, also at a wrong time.

use std::net::SocketAddr;

use stoa_wire::netcode::{
    CHALLENGE_TOKEN_BYTES, ChallengePacketContent, ConnectToken, ConnectionRequest, PacketContent, SealedHeader,
    SealedPacketKind, UnopenedNetcodePacket,
};

use super::{Door, OwnedEvent, PROTOCOL};
use crate::netcode::NetcodeSessionId;
use crate::netcode::keys::SealingKey;
use crate::netcode::sealing::PacketSealer;

pub(super) struct Client {
    pub(super) request: Vec<u8>,
    pub(super) from: SocketAddr,
    pub(super) sequence: u64,
    ours: SealingKey,
    theirs: SealingKey,
}

/// A packet of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "one at a time, in tests")]
pub(super) enum Heard {
    Challenge { sequence: u64, sealed: [u8; CHALLENGE_TOKEN_BYTES] },
    KeepAlive { clients_max: u32 },
    Payload(Vec<u8>),
    Disconnect,
}

impl Client {
    pub(super) fn new(token: &[u8], from: SocketAddr) -> Client {
        let token = ConnectToken::read(token).unwrap();
        let ConnectToken { protocol_id, expires_at, nonce, sealed, keys, .. } = token;
        let request = ConnectionRequest { protocol_id, expires_at, nonce, sealed }.to_bytes().to_vec();
        let (ours, theirs) = (SealingKey::new(keys.client_to_server), SealingKey::new(keys.server_to_client));
        Client { request, from, sequence: 0, ours, theirs }
    }

    /// Runs the whole handshake.
    pub(super) fn enter(&mut self, door: &mut Door) -> NetcodeSessionId {
        let OwnedEvent::Answer(challenge) = door.handle(&self.request, self.from) else { panic!("no challenge") };
        let response = self.respond(&challenge);
        let OwnedEvent::Entered { session, answer, .. } = door.handle(&response, self.from) else { panic!("not in") };
        assert_eq!(self.hear(&answer), Some(Heard::KeepAlive { clients_max: u32::MAX }));
        session
    }

    /// Answers a challenge.
    pub(super) fn respond(&mut self, challenge: &[u8]) -> Vec<u8> {
        let Some(Heard::Challenge { sequence, sealed }) = self.hear(challenge) else { panic!("no challenge") };
        self.say(&PacketContent::Response(ChallengePacketContent { sequence, sealed: &sealed }))
    }

    pub(super) fn frame(&mut self, payload: &[u8]) -> Vec<u8> {
        self.say(&PacketContent::Payload(payload))
    }

    pub(super) fn say(&mut self, content: &PacketContent<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        content.write(&mut bytes);
        self.say_as(content.kind(), &bytes)
    }

    /// Seals any content, valid for the kind or not.
    pub(super) fn say_as(&mut self, kind: SealedPacketKind, content: &[u8]) -> Vec<u8> {
        let mut out = vec![0; 9 + content.len() + 16];
        let sealer = PacketSealer { key: &self.ours, protocol_id: PROTOCOL };
        let length = sealer.write(SealedHeader::new(kind, self.sequence), &[content], &mut out);
        self.sequence += 1;
        out.truncate(length);
        out
    }

    /// `None` if it can't be opened.
    pub(super) fn hear(&self, datagram: &[u8]) -> Option<Heard> {
        let Ok(UnopenedNetcodePacket::Sealed(packet)) = UnopenedNetcodePacket::read(datagram) else {
            panic!("no packet of a server")
        };
        let mut sealed = packet.sealed.to_vec();
        let plain = self.theirs.open(packet.head.sequence(), &packet.head.associated(PROTOCOL), &mut sealed)?;
        Some(match PacketContent::read(packet.head.kind(), plain).unwrap() {
            PacketContent::Challenge(ChallengePacketContent { sequence, sealed }) => {
                Heard::Challenge { sequence, sealed: *sealed }
            }
            PacketContent::KeepAlive { clients_max, .. } => Heard::KeepAlive { clients_max },
            PacketContent::Payload(payload) => Heard::Payload(payload.to_vec()),
            PacketContent::Disconnect => Heard::Disconnect,
            other => panic!("a server says {other:?}"),
        })
    }
}
