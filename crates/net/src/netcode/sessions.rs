//! Who is in, each at a place of its own.

use std::time::Duration;

use stoa_state::time::Time;

use super::keys::SealingKey;
use super::replay::ReplayWindow;
use crate::datagrams::PeerAddress;

/// Names one session; after its end the name means nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NetcodeSessionId {
    slot: u32,
    /// How many had this place before.
    generation: u32,
}

impl NetcodeSessionId {
    /// A small number that no other session of this time has: an index for whoever keeps something for each.
    pub fn slot(self) -> usize {
        self.slot as usize
    }
}

#[derive(Debug)]
pub(super) struct NetcodeSession {
    pub(super) client_id: u64,
    pub(super) peer: PeerAddress,
    /// What the client seals with.
    pub(super) theirs: SealingKey,
    /// What we seal with.
    pub(super) ours: SealingKey,
    /// The next one of ours.
    pub(super) sequence: u64,
    pub(super) replay: ReplayWindow,
    pub(super) heard_at: Time,
    pub(super) told_at: Time,
    /// `None`: it may be silent for ever.
    pub(super) silence_max: Option<Duration>,
    /// The client knows that it is in: it said something since.
    pub(super) confirmed: bool,
    /// Since it came from another address, which has proved nothing yet.
    pub(super) unproved: Option<AmplificationBudget>,
}

/// What went to and came from an address that has proved nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AmplificationBudget {
    pub(super) received_bytes: usize,
    pub(super) sent_bytes: usize,
}

/// Places and who is there. A session is found by its place, without a search.
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
        let taken = &mut self.slots[slot as usize];
        taken.session = Some(Box::new(session));
        NetcodeSessionId { slot, generation: taken.generation }
    }

    pub(super) fn remove(&mut self, id: NetcodeSessionId) -> Option<Box<NetcodeSession>> {
        let slot = self.slots.get_mut(id.slot as usize).filter(|slot| slot.generation == id.generation)?;
        let session = slot.session.take()?;
        // A place whose numbers are used up is not given again: names stay unique.
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

    /// The first one at that place or behind it, and the place behind.
    pub(super) fn next_from(&self, slot: usize) -> Option<(NetcodeSessionId, usize)> {
        let mut behind = self.slots.iter().enumerate().skip(slot);
        let (found, taken) = behind.find(|(_, taken)| taken.session.is_some())?;
        Some((NetcodeSessionId { slot: found as u32, generation: taken.generation }, found + 1))
    }
}
