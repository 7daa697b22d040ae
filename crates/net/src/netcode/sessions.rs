//! The netcode sessions, each in a slot: keys, sequences, peer address and the budget of an unproved address.

use std::time::Duration;

use stoa_state::bucket::TokenBucket;
use stoa_state::time::Time;

use super::keys::SealingKey;
use super::replay::ReplayWindow;
use crate::datagrams::DatagramAddresses;

/// Identifies one session; invalid after its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NetcodeSessionId {
    slot: u32,
    /// Number of earlier sessions in this slot.
    generation: u32,
}

impl NetcodeSessionId {
    /// A small number, unique among present sessions: an index for data kept per session.
    pub fn slot(self) -> usize {
        self.slot as usize
    }
}

#[derive(Debug)]
pub(super) struct NetcodeSession {
    pub(super) client_id: u64,
    pub(super) peer: DatagramAddresses,
    /// The client seals with this key.
    pub(super) receive_key: SealingKey,
    /// The server seals with this key.
    pub(super) send_key: SealingKey,
    /// Sequence number of the next packet to the client.
    pub(super) sequence: u64,
    pub(super) replay: ReplayWindow,
    pub(super) received_at: Time,
    pub(super) sent_at: Time,
    /// Silence that ends the session; `None`: no silence ends it.
    pub(super) silence_max: Option<Duration>,
    /// The client has sent a packet since its admission, so the client knows that it is admitted.
    pub(super) confirmed: bool,
    /// Budget of the client's present address; `Some` while that address is unproved.
    pub(super) unproved: Option<UnvalidatedAddressTraffic>,
    /// Bounds the packets from the client's address that the server opens.
    pub(super) rate: TokenBucket,
}

/// Bytes received from and sent to an unproved address.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UnvalidatedAddressTraffic {
    pub(super) received_bytes: usize,
    pub(super) sent_bytes: usize,
}

/// Slots of sessions. An id leads to its slot without a search.
#[derive(Debug, Default)]
pub(super) struct NetcodeSessions {
    slots: Vec<SessionSlot>,
    free: Vec<u32>,
}

#[derive(Debug, Default)]
struct SessionSlot {
    generation: u32,
    session: Option<Box<NetcodeSession>>,
}

impl NetcodeSessions {
    pub(super) fn add(&mut self, session: NetcodeSession) -> NetcodeSessionId {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(SessionSlot::default());
            u32::try_from(self.slots.len() - 1).expect("memory ends long before")
        });
        let slot_entry = &mut self.slots[slot as usize];
        slot_entry.session = Some(Box::new(session));
        NetcodeSessionId { slot, generation: slot_entry.generation }
    }

    pub(super) fn remove(&mut self, id: NetcodeSessionId) -> Option<Box<NetcodeSession>> {
        let slot = self.slots.get_mut(id.slot as usize).filter(|slot| slot.generation == id.generation)?;
        let session = slot.session.take()?;
        // A slot with exhausted generations is not reused, so that ids stay unique.
        if let Some(generation) = slot.generation.checked_add(1) {
            slot.generation = generation;
            self.free.push(id.slot);
        }
        Some(session)
    }

    pub(super) fn get(&self, id: NetcodeSessionId) -> Option<&NetcodeSession> {
        let slot = self.slots.get(id.slot as usize).filter(|slot| slot.generation == id.generation)?;
        slot.session.as_deref()
    }

    pub(super) fn get_mut(&mut self, id: NetcodeSessionId) -> Option<&mut NetcodeSession> {
        let slot = self.slots.get_mut(id.slot as usize).filter(|slot| slot.generation == id.generation)?;
        slot.session.as_deref_mut()
    }

    /// The first session at or after `slot`, and the slot after it.
    pub(super) fn next_from(&self, slot: usize) -> Option<(NetcodeSessionId, usize)> {
        let mut later_slots = self.slots.iter().enumerate().skip(slot);
        let (found, slot_entry) = later_slots.find(|(_, slot_entry)| slot_entry.session.is_some())?;
        Some((NetcodeSessionId { slot: found as u32, generation: slot_entry.generation }, found + 1))
    }
}
