//! Admits clients: opens the token of a request, challenges its address and checks the answer. Source: netcode,
//! *Processing Connection Requests* and *Processing Connection Response Packets*.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use stoa_state::bucket::TokenBucket;
use stoa_state::time::{Time, UnixSeconds};
use stoa_wire::netcode::{
    CHALLENGE_TOKEN_BYTES, CHALLENGE_TOKEN_PLAIN_BYTES, ChallengeToken, ConnectionRequest, EARLY_SEQUENCE_FIRST,
    PacketContent, PrivateToken, SealedHeader, SealedPacketKind, USER_DATA_BYTES,
};

use super::TokenTag;
use super::drops::DropReason;
use super::issuer::TokenIssuer;
use super::keys::SealingKey;
use super::machine::{NetcodeConfig, ReceivedSealedPacket};
use super::sealing::PacketSealer;
use super::source_rates::{SourceRateLimiter, opening_rate};
use crate::limits;

/// Received tokens and open challenges. The maps use the standard library's random seed: clients choose the keys, and
/// nothing depends on their order.
pub(super) struct TokenAdmissionController {
    protocol_id: u64,
    issuer: TokenIssuer,
    challenge_key: SealingKey,
    /// Sequence number of the next challenge.
    challenge_sequence: u64,
    /// Challenged addresses: at most one per token, so bounded by the number of issued tokens.
    pending: HashMap<SocketAddr, ChallengedClient>,
    /// Received tokens, until they expire.
    used: HashMap<TokenTag, ConnectTokenUse>,
    openings: TokenBucket,
    /// Rates of client networks without a session.
    pub(super) sources: SourceRateLimiter,
}

/// Content of a token whose client has not yet answered the challenge.
pub(super) struct ChallengedClient {
    pub(super) tag: TokenTag,
    pub(super) client_id: u64,
    pub(super) user_data: Box<[u8; USER_DATA_BYTES]>,
    pub(super) receive_key: SealingKey,
    pub(super) send_key: SealingKey,
    pub(super) silence_max: Option<Duration>,
    ends_at: Time,
    /// Bounds the packets from the client's address that are answered or opened.
    pub(super) rate: TokenBucket,
}

#[derive(Clone, Copy, Debug)]
struct ConnectTokenUse {
    from: SocketAddr,
    expires_at: UnixSeconds,
    /// The token has admitted a client, and never admits another one.
    entered: bool,
}

/// Readings of both clocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockReadings {
    pub(super) time: Time,
    pub(super) unix: UnixSeconds,
}

impl TokenAdmissionController {
    pub(super) fn new(config: &NetcodeConfig) -> TokenAdmissionController {
        TokenAdmissionController {
            protocol_id: config.protocol_id,
            issuer: TokenIssuer::new(config.protocol_id, config.token_key),
            challenge_key: SealingKey::new(&config.challenge_key),
            challenge_sequence: 0,
            pending: HashMap::new(),
            used: HashMap::new(),
            openings: TokenBucket::new(limits::TOKENS_OPENED_PER_S, limits::TOKENS_OPENED_PER_S, Time::ZERO),
            sources: SourceRateLimiter::new(),
        }
    }

    /// Checks a request and returns the client id. The caller answers with a challenge. The cheapest checks run first;
    /// the standard's order drops the same requests, apart from the rate limits.
    pub(super) fn request(
        &mut self,
        request: &ConnectionRequest<'_>,
        from: SocketAddr,
        now: ClockReadings,
    ) -> Result<u64, DropReason> {
        if request.protocol_id != self.protocol_id {
            return Err(DropReason::OtherProtocol);
        }
        if request.expires_at <= now.unix.0 {
            return Err(DropReason::Expired);
        }
        let tag: TokenTag = *request.sealed.last_chunk().expect("a sealed token is longer than its tag");
        if self.used.get(&tag).is_some_and(|used| used.entered || used.from != from) {
            return Err(DropReason::UsedToken);
        }
        if let Some(pending) = self.pending.get_mut(&from).filter(|pending| pending.tag == tag) {
            // A repeated request: the challenge was lost or is in flight.
            return if pending.rate.take(now.time) { Ok(pending.client_id) } else { Err(DropReason::TooMany) };
        }
        if !self.sources.take(from.ip(), now.time) || !self.openings.take(now.time) {
            return Err(DropReason::TooMany);
        }
        let pending = self.open(request, now)?;
        let client_id = pending.client_id;
        self.used.insert(tag, ConnectTokenUse { from, expires_at: UnixSeconds(request.expires_at), entered: false });
        self.pending.insert(from, pending);
        Ok(client_id)
    }

    fn open(&self, request: &ConnectionRequest<'_>, now: ClockReadings) -> Result<ChallengedClient, DropReason> {
        let opened = self.issuer.open(request.sealed, request.nonce, UnixSeconds(request.expires_at));
        let plain = opened.ok_or(DropReason::ForgedToken)?;
        let token = PrivateToken::read(&plain).map_err(|_| DropReason::ForgedToken)?;
        let silence_max = u64::try_from(token.timeout_s).ok().map(Duration::from_secs);
        Ok(ChallengedClient {
            tag: *request.sealed.last_chunk().expect("a sealed token is longer than its tag"),
            client_id: token.client_id,
            user_data: Box::new(*token.user_data),
            receive_key: SealingKey::new(token.keys.client_to_server),
            send_key: SealingKey::new(token.keys.server_to_client),
            silence_max,
            ends_at: now.time + silence_max.unwrap_or(limits::PENDING_MAX).min(limits::PENDING_MAX),
            rate: opening_rate(now.time),
        })
    }

    /// Writes the challenge for an address that sent a request, and returns its length: a third of the request's.
    pub(super) fn challenge(&mut self, to: SocketAddr, out: &mut [u8]) -> usize {
        let Some(pending) = self.pending.get(&to) else { return 0 };
        let sequence = self.challenge_sequence;
        self.challenge_sequence += 1;
        let token = ChallengeToken { client_id: pending.client_id, user_data: &pending.user_data };
        let mut sealed = [0; CHALLENGE_TOKEN_BYTES];
        let (plain, tag) = sealed.split_at_mut(CHALLENGE_TOKEN_PLAIN_BYTES);
        plain.copy_from_slice(&token.to_bytes());
        tag.copy_from_slice(&self.challenge_key.seal(sequence, &address_bytes(to), plain));
        let head = SealedHeader::new(SealedPacketKind::Challenge, EARLY_SEQUENCE_FIRST | sequence);
        let sealer = PacketSealer { key: &pending.send_key, protocol_id: self.protocol_id };
        sealer.write(head, &[&sequence.to_le_bytes(), &sealed], out)
    }

    /// Whether the address has an open challenge.
    pub(super) fn has(&self, from: &SocketAddr) -> bool {
        self.pending.contains_key(from)
    }

    /// Checks an address's answer to its own challenge, and returns the client id.
    pub(super) fn response(&mut self, arrived: &mut ReceivedSealedPacket<'_>, now: Time) -> Result<u64, DropReason> {
        let (head, from) = (arrived.head, arrived.peer.remote);
        let pending = self.pending.get_mut(&from).ok_or(DropReason::Stranger)?;
        if !pending.rate.take(now) {
            return Err(DropReason::TooMany);
        }
        let associated = head.associated(self.protocol_id);
        let sealed = arrived.datagram.get_mut(head.length()..).ok_or(DropReason::Malformed)?;
        let plain = pending.receive_key.open(head.sequence(), &associated, sealed).ok_or(DropReason::Forged)?;
        let Ok(PacketContent::Response(challenge)) = PacketContent::read(head.kind(), plain) else {
            return Err(DropReason::Malformed);
        };
        let mut token = *challenge.sealed;
        let opened = self.challenge_key.open(challenge.sequence, &address_bytes(from), &mut token);
        let plain = opened.and_then(|plain| plain.first_chunk()).ok_or(DropReason::Forged)?;
        if ChallengeToken::read(plain).client_id != pending.client_id {
            return Err(DropReason::Forged);
        }
        Ok(pending.client_id)
    }

    /// Takes a client that answered its challenge. Its token admits no further client.
    pub(super) fn take(&mut self, from: &SocketAddr) -> Option<ChallengedClient> {
        let pending = self.pending.remove(from)?;
        if let Some(used) = self.used.get_mut(&pending.tag) {
            used.entered = true;
        }
        Some(pending)
    }

    /// Forgets unanswered challenges and expired tokens.
    pub(super) fn forget(&mut self, now: ClockReadings) {
        self.pending.retain(|_, pending| pending.ends_at > now.time);
        self.used.retain(|_, used| used.expires_at > now.unix);
    }
}

/// Associated data of a challenge: the address that it was sent to.
fn address_bytes(address: SocketAddr) -> [u8; 18] {
    let mut bytes = [0; 18];
    let ip = match address.ip() {
        IpAddr::V4(ip) => ip.to_ipv6_mapped(),
        IpAddr::V6(ip) => ip,
    };
    bytes[..16].copy_from_slice(&ip.octets());
    bytes[16..].copy_from_slice(&address.port().to_le_bytes());
    bytes
}
