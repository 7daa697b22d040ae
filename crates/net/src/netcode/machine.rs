//! The netcode server as a state machine: judges each received datagram, seals payloads, and ends sessions. Admission,
//! address changes and timed actions are in `admission.rs`, `migration.rs` and `timing.rs`.

use std::collections::HashMap;
use std::fmt;
use std::net::SocketAddr;
use std::ops::Range;

use stoa_state::time::{Time, UnixSeconds};
use stoa_wire::netcode::packet::HEAD_BYTES_MAX;
use stoa_wire::netcode::{
    ConnectionRequest, PACKET_PAYLOAD_BYTES_MAX, PacketContent, REQUEST_BYTES, SealedHeader, SealedPacketKind,
    TAG_BYTES, USER_DATA_BYTES, UnopenedNetcodePacket,
};

use super::SECRET_BYTES;
use super::admission::{ChallengedClient, ClockReadings, TokenAdmissionController};
use super::drops::{DropCounts, DropReason};
use super::migration::MigratedSessionFinder;
use super::replay::{ReplayVerdict, ReplayWindow};
use super::sealing::{self, PacketSealParameters};
use super::sessions::{NetcodeSession, NetcodeSessionId, NetcodeSessions};
use super::source_rates::opening_rate;
use super::timing::SessionSweep;
use crate::datagrams::DatagramAddresses;
use crate::limits;

/// Bytes of the longest packet.
const PACKET_BYTES_MAX: usize = HEAD_BYTES_MAX + PACKET_PAYLOAD_BYTES_MAX + TAG_BYTES;
const _: () = assert!(REQUEST_BYTES <= PACKET_BYTES_MAX);
/// Content of a keep-alive, client index and maximum number of clients: this server uses no index and has no cap.
pub(super) const KEEP_ALIVE: [u8; 8] = [0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff];

/// Configuration of a [`NetcodeServer`].
#[derive(Clone)]
pub struct NetcodeConfig {
    /// Identifies the protocol of the payloads; requests with another id are dropped.
    pub protocol_id: u64,
    /// Key that opens tokens, equal to the key of the [`super::TokenIssuer`]. No other server has this key, so the
    /// addresses in a token are not checked.
    pub token_key: [u8; SECRET_BYTES],
    /// Random bytes for challenges, fresh per start.
    pub challenge_key: [u8; SECRET_BYTES],
    /// Wall clock at [`Time::ZERO`].
    pub started_at: UnixSeconds,
}

/// The server's side of all sessions.
pub struct NetcodeServer {
    pub(super) protocol_id: u64,
    started_at: UnixSeconds,
    /// The latest time passed in.
    pub(super) now: Time,
    pub(super) admission: TokenAdmissionController,
    pub(super) sessions: NetcodeSessions,
    /// Uses the standard library's random seed: clients choose the addresses, and nothing depends on the order.
    pub(super) by_address: HashMap<SocketAddr, NetcodeSessionId>,
    by_client: HashMap<u64, NetcodeSessionId>,
    pub(super) moving: MigratedSessionFinder,
    pub(super) sweep: SessionSweep,
    pub(super) answer: Box<[u8; limits::DATAGRAM_BYTES_MAX]>,
    /// User data from the token of the client admitted last.
    user_data: Box<[u8; USER_DATA_BYTES]>,
    drops: DropCounts,
}

/// Result of a received datagram, for the caller.
#[derive(Debug, PartialEq, Eq)]
pub enum NetcodeDatagramOutcome<'a> {
    /// Nothing to do.
    Nothing,
    /// Send these bytes to the datagram's sender.
    Answer(&'a [u8]),
    /// A client was admitted. The caller checks the ticket, and calls [`NetcodeServer::end`] if it is invalid.
    Entered {
        /// The client's new session.
        session: NetcodeSessionId,
        /// The token's user data; 256 bytes, padded with zeros.
        ticket: &'a [u8],
        /// Send these bytes to the datagram's sender.
        answer: &'a [u8],
    },
    /// A session sent a frame.
    Frame {
        /// The sender's session.
        session: NetcodeSessionId,
        /// The frame, opened.
        bytes: &'a [u8],
        /// The sender's address has changed. The new address is sent no more bytes than it sent, until the caller
        /// calls [`NetcodeServer::prove`] because the client acknowledged a frame sent there.
        moved: bool,
    },
    /// The client ended its session.
    Left {
        /// The session that ended.
        session: NetcodeSessionId,
    },
}

/// Disconnect packet for a session that we end. It is not acknowledged.
#[derive(Debug, PartialEq, Eq)]
pub struct DisconnectNotice<'a> {
    /// The client's address.
    pub peer: DatagramAddresses,
    /// Packet to send.
    pub bytes: &'a [u8],
    /// How often to send the packet: once to an unproved address, which is sent no more bytes than it sent.
    pub times: usize,
}

/// A judged datagram: [`NetcodeDatagramOutcome`] without the borrowed bytes.
#[derive(Debug)]
pub(super) enum OwnedDatagramOutcome {
    Nothing,
    Answer { length: usize },
    Entered { session: NetcodeSessionId, length: usize },
    Frame { session: NetcodeSessionId, range: Range<usize>, moved: bool },
    Left { session: NetcodeSessionId },
}

/// A received packet that is not yet opened: its header, the whole datagram, and the sender's address.
#[derive(Debug)]
pub(super) struct ReceivedSealedPacket<'a> {
    pub(super) head: SealedHeader,
    pub(super) datagram: &'a mut [u8],
    pub(super) peer: DatagramAddresses,
}

impl fmt::Debug for NetcodeConfig {
    /// Omits the keys.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("NetcodeConfig")
    }
}

impl fmt::Debug for NetcodeServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("NetcodeServer").field("sessions", &self.len()).finish_non_exhaustive()
    }
}

impl NetcodeServer {
    /// Starts without sessions.
    pub fn new(config: &NetcodeConfig) -> NetcodeServer {
        NetcodeServer {
            protocol_id: config.protocol_id,
            started_at: config.started_at,
            now: Time::ZERO,
            admission: TokenAdmissionController::new(config),
            sessions: NetcodeSessions::default(),
            by_address: HashMap::new(),
            by_client: HashMap::new(),
            moving: MigratedSessionFinder::new(),
            sweep: SessionSweep::default(),
            answer: Box::new([0; limits::DATAGRAM_BYTES_MAX]),
            user_data: Box::new([0; USER_DATA_BYTES]),
            drops: DropCounts::default(),
        }
    }

    /// Handles a datagram, which is opened in place. Hot path: a session's packets don't allocate, and neither do
    /// dropped packets other than requests.
    pub fn handle<'a>(
        &'a mut self,
        datagram: &'a mut [u8],
        peer: DatagramAddresses,
        now: Time,
    ) -> NetcodeDatagramOutcome<'a> {
        self.now = self.now.max(now);
        match self.judge(datagram, peer) {
            Err(dropped) => {
                self.drops.count(dropped);
                NetcodeDatagramOutcome::Nothing
            }
            Ok(OwnedDatagramOutcome::Nothing) => NetcodeDatagramOutcome::Nothing,
            Ok(OwnedDatagramOutcome::Answer { length }) => NetcodeDatagramOutcome::Answer(&self.answer[..length]),
            Ok(OwnedDatagramOutcome::Entered { session, length }) => {
                NetcodeDatagramOutcome::Entered { session, ticket: &self.user_data[..], answer: &self.answer[..length] }
            }
            Ok(OwnedDatagramOutcome::Frame { session, range, moved }) => {
                NetcodeDatagramOutcome::Frame { session, bytes: &datagram[range], moved }
            }
            Ok(OwnedDatagramOutcome::Left { session }) => NetcodeDatagramOutcome::Left { session },
        }
    }

    /// Seals a session's next payload, the concatenation of `parts` (1 to 1,200 bytes), to the beginning of `out`,
    /// and returns the length to send. 0 if the session has ended, or if its address is unproved and was sent too
    /// much. Hot path: one copy, no allocation, no search.
    pub fn seal(&mut self, session: NetcodeSessionId, parts: &[&[u8]], out: &mut [u8]) -> usize {
        let bytes = sealing::length(parts);
        assert!((1..=PACKET_PAYLOAD_BYTES_MAX).contains(&bytes), "a payload of {bytes} bytes");
        let packet = self.packet_of(SealedPacketKind::Payload);
        self.sessions.get_mut(session).map_or(0, |session| session.write(packet, parts, out))
    }

    /// Seals the keep-alive that precedes a tick's payloads as long as the client may not know that it is admitted, and
    /// returns its length; 0 if the client knows.
    pub fn seal_greeting(&mut self, session: NetcodeSessionId, out: &mut [u8]) -> usize {
        let packet = self.packet_of(SealedPacketKind::KeepAlive);
        let session = self.sessions.get_mut(session).filter(|session| !session.confirmed);
        session.map_or(0, |session| session.write(packet, &[&KEEP_ALIVE], out))
    }

    /// Ends a session and returns its disconnect packet. `None` if the session had ended before, or if its address is
    /// unproved and was sent too much for one more packet.
    pub fn end(&mut self, session: NetcodeSessionId) -> Option<DisconnectNotice<'_>> {
        let packet = self.packet_of(SealedPacketKind::Disconnect);
        let mut session = self.remove(session)?;
        let length = session.write(packet, &[], &mut self.answer[..]);
        // A single packet is covered by the address's byte budget.
        let times = if session.unproved.is_some() { 1 } else { limits::GOODBYES };
        (length > 0).then(|| DisconnectNotice { peer: session.peer, bytes: &self.answer[..length], times })
    }

    /// Marks a session's address as proved: the client acknowledged a frame sent there.
    pub fn prove(&mut self, session: NetcodeSessionId) {
        if let Some(session) = self.sessions.get_mut(session) {
            session.unproved = None;
        }
    }

    /// Address of a session; `None` after its end.
    pub fn peer(&self, session: NetcodeSessionId) -> Option<DatagramAddresses> {
        self.sessions.get(session).map(|session| session.peer)
    }

    /// Number of sessions.
    pub fn len(&self) -> usize {
        self.by_client.len()
    }

    /// Whether there is no session.
    pub fn is_empty(&self) -> bool {
        self.by_client.is_empty()
    }

    /// Datagrams dropped so far, by reason.
    pub fn drops(&self) -> &DropCounts {
        &self.drops
    }

    pub(super) fn clocks(&self) -> ClockReadings {
        let since_start_s = self.now.since(Time::ZERO).as_secs();
        ClockReadings { time: self.now, unix: UnixSeconds(self.started_at.0.saturating_add(since_start_s)) }
    }

    pub(super) fn remove(&mut self, session: NetcodeSessionId) -> Option<Box<NetcodeSession>> {
        let session = self.sessions.remove(session)?;
        self.by_address.remove(&session.peer.remote);
        self.by_client.remove(&session.client_id);
        Some(session)
    }

    fn packet_of(&self, kind: SealedPacketKind) -> PacketSealParameters {
        PacketSealParameters { kind, protocol_id: self.protocol_id, now: self.now }
    }

    fn judge(&mut self, datagram: &mut [u8], peer: DatagramAddresses) -> Result<OwnedDatagramOutcome, DropReason> {
        if datagram.len() > PACKET_BYTES_MAX {
            return Err(DropReason::Oversized);
        }
        let head = match UnopenedNetcodePacket::read(datagram) {
            Err(_) => return Err(DropReason::Malformed),
            Ok(UnopenedNetcodePacket::Request(request)) => return self.judge_request(&request, peer),
            Ok(UnopenedNetcodePacket::Sealed(packet)) => packet.head,
        };
        if !head.kind().is_sent_by_clients() {
            return Err(DropReason::Unexpected);
        }
        let arrived = ReceivedSealedPacket { head, datagram, peer };
        match self.by_address.get(&peer.remote) {
            Some(&session) => self.judge_session(session, arrived),
            None if self.admission.has(&peer.remote) => self.judge_response(arrived),
            None => self.judge_stranger(arrived),
        }
    }

    fn judge_request(
        &mut self,
        request: &ConnectionRequest<'_>,
        peer: DatagramAddresses,
    ) -> Result<OwnedDatagramOutcome, DropReason> {
        if self.by_address.contains_key(&peer.remote) {
            return Err(DropReason::AlreadyIn);
        }
        let clocks = self.clocks();
        let client_id = self.admission.request(request, peer.remote, clocks)?;
        if self.by_client.contains_key(&client_id) {
            return Err(DropReason::AlreadyIn);
        }
        let length = self.admission.challenge(peer.remote, &mut self.answer[..]);
        Ok(OwnedDatagramOutcome::Answer { length })
    }

    fn judge_response(&mut self, arrived: ReceivedSealedPacket<'_>) -> Result<OwnedDatagramOutcome, DropReason> {
        let (peer, mut arrived) = (arrived.peer, arrived);
        if arrived.head.kind() != SealedPacketKind::Response {
            return Err(DropReason::Unexpected);
        }
        let client_id = self.admission.response(&mut arrived, self.now)?;
        if self.by_client.contains_key(&client_id) {
            return Err(DropReason::AlreadyIn);
        }
        let pending = self.admission.take(&peer.remote).ok_or(DropReason::Stranger)?;
        *self.user_data = *pending.user_data;
        let session = self.sessions.add(session(pending, peer, self.now));
        self.by_address.insert(peer.remote, session);
        self.by_client.insert(client_id, session);
        let length = self.greet_first(session);
        Ok(OwnedDatagramOutcome::Entered { session, length })
    }

    fn greet_first(&mut self, session: NetcodeSessionId) -> usize {
        let packet = self.packet_of(SealedPacketKind::KeepAlive);
        let session = self.sessions.get_mut(session).expect("it was added just now");
        session.write(packet, &[&KEEP_ALIVE], &mut self.answer[..])
    }

    pub(super) fn judge_session(
        &mut self,
        id: NetcodeSessionId,
        arrived: ReceivedSealedPacket<'_>,
    ) -> Result<OwnedDatagramOutcome, DropReason> {
        let ReceivedSealedPacket { head, datagram, peer } = arrived;
        if !head.kind().is_guarded_against_replay() {
            // A repeated response.
            return Err(DropReason::Unexpected);
        }
        let session = self.sessions.get_mut(id).expect("an address belongs to an existing session");
        match session.replay.verdict(head.sequence()) {
            ReplayVerdict::Repeated => return Err(DropReason::Replayed),
            ReplayVerdict::Late => return Err(DropReason::Late),
            ReplayVerdict::Ahead | ReplayVerdict::Missing => {}
        }
        if !session.rate.take(self.now) {
            return Err(DropReason::TooMany);
        }
        let (associated, length) = (head.associated(self.protocol_id), datagram.len());
        let sealed = datagram.get_mut(head.length()..).ok_or(DropReason::Malformed)?;
        let plain = session.receive_key.open(head.sequence(), &associated, sealed).ok_or(DropReason::Forged)?;
        session.replay.mark(head.sequence());
        let content = PacketContent::read(head.kind(), plain).map_err(|_| DropReason::Malformed)?;
        session.received_at = self.now;
        session.confirmed = true;
        session.peer.local = peer.local;
        if let Some(unproved) = &mut session.unproved {
            unproved.received_bytes += length;
        }
        match content {
            PacketContent::Payload(payload) => {
                let range = head.length()..head.length() + payload.len();
                Ok(OwnedDatagramOutcome::Frame { session: id, range, moved: false })
            }
            PacketContent::Disconnect => {
                self.remove(id);
                Ok(OwnedDatagramOutcome::Left { session: id })
            }
            _ => Ok(OwnedDatagramOutcome::Nothing),
        }
    }
}

fn session(pending: ChallengedClient, peer: DatagramAddresses, now: Time) -> NetcodeSession {
    NetcodeSession {
        client_id: pending.client_id,
        peer,
        receive_key: pending.receive_key,
        send_key: pending.send_key,
        sequence: 0,
        replay: ReplayWindow::default(),
        received_at: now,
        sent_at: now,
        silence_max: pending.silence_max,
        confirmed: false,
        unproved: None,
        rate: opening_rate(now),
    }
}
