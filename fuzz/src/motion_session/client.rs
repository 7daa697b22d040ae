//! A client of netcode and of a scene's motion, honest unless the walk says otherwise.

use std::net::SocketAddr;

use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use stoa_net::netcode::NetcodeSessionId;
use stoa_state::motion::MotionTime;
use stoa_state::motion::replica::MotionReplica;
use stoa_state::time::Time;
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{
    FlowDeclaration, FlowId, FlowMedia, FrameAck, FrameEntriesWriter, FrameHeader, FramePartKind, MediaUnit,
    MotionObjectKind, ObjectDeclaration, OwnPose, PackedPose, Rotation, UnitLevel,
};
use stoa_wire::netcode::packet::HEAD_BYTES_MAX;
use stoa_wire::netcode::{
    CHALLENGE_TOKEN_BYTES, ChallengePacketContent, ConnectToken, ConnectionRequest, PacketContent, SealedHeader,
    SealedPacketKind, UnopenedNetcodePacket, nonce,
};

use super::PROTOCOL;

/// A client with a ticket.
pub(super) struct FuzzClient {
    /// The connection request, ready to send.
    pub(super) request: Vec<u8>,
    /// Address at which it receives.
    pub(super) home: SocketAddr,
    /// Its session, once admitted.
    pub(super) session: Option<NetcodeSessionId>,
    pub(super) replica: MotionReplica,
    ours: LessSafeKey,
    theirs: LessSafeKey,
    packets: u64,
    frames: u32,
}

impl FuzzClient {
    pub(super) fn new(token: &[u8], home: SocketAddr) -> FuzzClient {
        let token = ConnectToken::read(token).expect("the realm issues tokens");
        let ConnectToken { protocol_id, expires_at, nonce, sealed, keys, .. } = token;
        let request = ConnectionRequest { protocol_id, expires_at, nonce, sealed }.to_bytes().to_vec();
        let [ours, theirs] = [keys.client_to_server, keys.server_to_client]
            .map(|bytes| LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, bytes).expect("32 bytes are a key")));
        FuzzClient {
            request,
            home,
            session: None,
            replica: MotionReplica::default(),
            ours,
            theirs,
            packets: 0,
            frames: 0,
        }
    }

    /// Answers the server's challenge.
    pub(super) fn respond(&mut self, challenge: &[u8]) -> Vec<u8> {
        let (_, plain) = self.open(challenge).expect("it is for this client");
        let sealed: &[u8; CHALLENGE_TOKEN_BYTES] = plain.last_chunk().expect("a challenge is as long");
        let sequence = u64::from_le_bytes(*plain.first_chunk().expect("a challenge is longer"));
        let mut content = Vec::new();
        PacketContent::Response(ChallengePacketContent { sequence, sealed }).write(&mut content);
        self.seal(SealedPacketKind::Response, &content)
    }

    /// Seals its next packet.
    pub(super) fn seal(&mut self, kind: SealedPacketKind, content: &[u8]) -> Vec<u8> {
        let head = SealedHeader::new(kind, self.packets);
        self.packets += 1;
        let mut head_bytes = [0; HEAD_BYTES_MAX];
        let length = head.write(&mut head_bytes);
        let mut sealed = content.to_vec();
        let (nonce, associated) = (Nonce::assume_unique_for_key(nonce(head.sequence())), head.associated(PROTOCOL));
        self.ours.seal_in_place_append_tag(nonce, Aad::from(associated), &mut sealed).expect("it is short");
        [&head_bytes[..length], &sealed].concat()
    }

    /// Opens a sealed packet of the server; `None` unless it was sealed with this client's key.
    pub(super) fn open(&self, datagram: &[u8]) -> Option<(SealedPacketKind, Vec<u8>)> {
        let Ok(UnopenedNetcodePacket::Sealed(packet)) = UnopenedNetcodePacket::read(datagram) else {
            panic!("a server says no such packet")
        };
        let (nonce, associated) =
            (Nonce::assume_unique_for_key(nonce(packet.head.sequence())), packet.head.associated(PROTOCOL));
        let mut sealed = packet.sealed.to_vec();
        let plain = self.theirs.open_in_place(nonce, Aad::from(associated), &mut sealed).ok()?;
        Some((packet.head.kind(), plain.to_vec()))
    }

    /// Header of its next frame.
    pub(super) fn head(&mut self, now: Time) -> [u8; HEAD_BYTES] {
        self.frames += 1;
        FrameHeader { sequence: self.frames, time_ms: MotionTime::at(now).0 }.to_bytes()
    }

    /// Its next frame, at `x` in steps of 500 units. With `guess` above 0 the frame acknowledges a sequence that is so much
    /// larger than the newest one received.
    pub(super) fn frame(&mut self, x: u8, guess: u32, now: Time) -> Vec<u8> {
        let mut parts = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
        let mut ack = self.replica.ack(now);
        if guess > 0 {
            let honest = ack.unwrap_or(FrameAck { newest: 0, received: 0, time_ms: 0, held_ms: 0, changes: 0 });
            ack = Some(FrameAck { newest: honest.newest.wrapping_add(guess), ..honest });
        }
        if let Some(ack) = ack {
            parts.put(FramePartKind::Ack, &ack.to_bytes());
        }
        let pose = PackedPose { position: [i32::from(x) * 500, 0, 0], rotation: Rotation::default() };
        for (index, kind, name) in [
            (0, MotionObjectKind::Head, ""),
            (1, MotionObjectKind::LeftHand, ""),
            (2, MotionObjectKind::Tracked, "lamp"),
        ] {
            let mut declared = Vec::new();
            ObjectDeclaration { index, kind, name }.write(&mut declared);
            parts.put(FramePartKind::Declare, &declared);
            parts.put(FramePartKind::Own, &OwnPose { index, age_ms: 0, pose }.to_bytes());
        }
        for id in self.replica.take_baseline_requests(now) {
            parts.put(FramePartKind::Ask, &id.to_le_bytes());
        }
        parts.put(FramePartKind::Hears, &[x % 20]);
        // Clients that stand at the same place claim the same flow.
        let flow = FlowId { epoch: u32::from(x % 4), flow: 0 };
        let (mut declared, mut unit) = (Vec::new(), Vec::new());
        FlowDeclaration { id: flow, media: FlowMedia::OpusVoice, name: "" }.write(&mut declared);
        let number = u32::from(x).wrapping_add(guess);
        MediaUnit { flow, number, captured_ms: number, level: UnitLevel(x), layer: 0, payload: &[x] }.write(&mut unit);
        parts.put(FramePartKind::Flow, &declared);
        parts.put(FramePartKind::Units, &unit);
        [&self.head(now)[..], parts.bytes()].concat()
    }
}
