//! What waits to be written to one connection. Bounded; a state frame that still waits gives way to its newer version, so that a receiver that
//! falls behind comes back to the present and not to the past. A receiver that reads promptly gets everything.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

use stoa_wire::packet::Frame;

use crate::limits;

/// How an outbox may treat a frame when its connection falls behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Protocol answers: never replaced, and with some room of their own.
    Control,
    /// Events, chat: queued up to a limit.
    Event,
    /// Replaces an older frame of the same key that still waits.
    State(ConflationKey),
}

/// Two state messages with the same key: the newer one makes the older one pointless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConflationKey(pub u64);

/// More waits than the limits allow: the connection must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more than {} frames or {} bytes wait for one connection", limits::OUTBOX_FRAMES_MAX, limits::OUTBOX_BYTES_MAX)]
pub struct Overflowed;

#[derive(Debug)]
struct Slot {
    frame: Frame,
    key: Option<ConflationKey>,
}

/// Where the frames of one key stand.
#[derive(Debug)]
struct Standing {
    newest: u64,
    moves: u32,
    /// An older frame that was moved often enough and now keeps its place: else a key that changes faster than the queue drains would never
    /// be heard of.
    pinned: Option<u64>,
}

/// The queue of one connection. Frames leave in the order of their newest version, so revisions ascend.
#[derive(Debug, Default)]
pub struct Outbox {
    /// `None` where a frame was replaced.
    slots: VecDeque<Option<Slot>>,
    /// The number of the slot at the front; numbers only grow.
    front: u64,
    standings: BTreeMap<ConflationKey, Standing>,
    frames: usize,
    bytes: usize,
}

impl Outbox {
    /// An empty one.
    pub fn new() -> Outbox {
        Outbox::default()
    }

    /// Takes a frame. Errors: [`Overflowed`]; the frame is then not queued.
    pub fn push(&mut self, frame: Frame, class: Class) -> Result<(), Overflowed> {
        let key = match class {
            // Below the mark nobody has fallen behind, and the bookkeeping is spared.
            Class::State(key) if self.frames >= limits::CONFLATION_FRAMES_MIN => Some(key),
            _ => None,
        };
        if let Some(key) = key {
            self.make_way(key);
        }
        // The word that a client is put out for being slow must still find room.
        let (spare_frames, spare_bytes) = match class {
            Class::Control => (limits::OUTBOX_CONTROL_FRAMES, limits::OUTBOX_CONTROL_BYTES),
            Class::Event | Class::State(_) => (0, 0),
        };
        let full = self.frames >= limits::OUTBOX_FRAMES_MAX + spare_frames
            || self.bytes + frame.len() > limits::OUTBOX_BYTES_MAX + spare_bytes;
        if full && self.frames > 0 {
            return Err(Overflowed);
        }
        self.frames += 1;
        self.bytes += frame.len();
        self.slots.push_back(Some(Slot { frame, key }));
        if self.slots.len() > 2 * self.frames + limits::CONFLATION_FRAMES_MIN {
            self.close_gaps();
        }
        Ok(())
    }

    /// Removes the waiting frame of `key`, unless it has earned its place, and notes where its successor will stand.
    fn make_way(&mut self, key: ConflationKey) {
        let next = self.front + self.slots.len() as u64;
        let Some(standing) = self.standings.get_mut(&key) else {
            self.standings.insert(key, Standing { newest: next, moves: 0, pinned: None });
            return;
        };
        let older = core::mem::replace(&mut standing.newest, next);
        if standing.moves >= limits::CONFLATION_MOVES_MAX && standing.pinned.is_none() {
            standing.pinned = Some(older);
            standing.moves = 0;
            return;
        }
        standing.moves += 1;
        let index = usize::try_from(older - self.front).expect("a queue is shorter than memory");
        if let Some(slot) = self.slots.get_mut(index).and_then(Option::take) {
            self.frames -= 1;
            self.bytes -= slot.frame.len();
        }
    }

    /// Renumbers what waits, so that replaced frames take no room.
    fn close_gaps(&mut self) {
        let slots = core::mem::take(&mut self.slots);
        self.standings.clear();
        self.front = 0;
        for slot in slots.into_iter().flatten() {
            let number = self.slots.len() as u64;
            if let Some(key) = slot.key {
                let fresh = || Standing { newest: number, moves: 0, pinned: None };
                let standing = self.standings.entry(key).or_insert_with(fresh);
                if standing.newest != number {
                    standing.pinned = Some(core::mem::replace(&mut standing.newest, number));
                }
            }
            self.slots.push_back(Some(slot));
        }
    }

    /// Moves frames to `into`: all, or as many as fit `bytes_max`, but at least one.
    pub fn take(&mut self, bytes_max: usize, into: &mut Vec<Frame>) {
        let mut taken = 0;
        while let Some(slot) = self.slots.front() {
            let size = slot.as_ref().map_or(0, |slot| slot.frame.len());
            if taken > 0 && taken + size > bytes_max {
                return;
            }
            taken += size;
            let number = self.front;
            self.front += 1;
            let Some(slot) = self.slots.pop_front().flatten() else {
                continue;
            };
            self.frames -= 1;
            self.bytes -= size;
            if let Some(key) = slot.key {
                self.forget(key, number);
            }
            into.push(slot.frame);
        }
    }

    fn forget(&mut self, key: ConflationKey, number: u64) {
        let Some(standing) = self.standings.get_mut(&key) else {
            return;
        };
        if standing.newest == number {
            self.standings.remove(&key);
        } else if standing.pinned == Some(number) {
            standing.pinned = None;
        }
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.frames == 0
    }

    /// Bytes that wait.
    pub fn queued_bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use bytes::Bytes;

    use super::*;

    fn frame(text: &'static str) -> Frame {
        Frame::whole(Bytes::from_static(text.as_bytes()))
    }

    fn drain(outbox: &mut Outbox) -> Vec<Frame> {
        let mut frames = Vec::new();
        outbox.take(usize::MAX, &mut frames);
        frames
    }

    fn fallen_behind() -> Outbox {
        let mut outbox = Outbox::new();
        for _ in 0..limits::CONFLATION_FRAMES_MIN {
            outbox.push(frame("event"), Class::Event).unwrap();
        }
        outbox
    }

    #[test]
    fn a_prompt_reader_gets_every_pose() {
        let mut outbox = Outbox::new();
        for text in ["a1", "a2", "a3"] {
            outbox.push(frame(text), Class::State(ConflationKey(1))).unwrap();
        }
        assert_eq!(drain(&mut outbox), vec![frame("a1"), frame("a2"), frame("a3")]);
    }

    #[test]
    fn a_slow_reader_gets_the_newest_pose_and_every_event() {
        let mut outbox = fallen_behind();
        outbox.push(frame("a1"), Class::State(ConflationKey(1))).unwrap();
        outbox.push(frame("b1"), Class::State(ConflationKey(2))).unwrap();
        outbox.push(frame("chat"), Class::Event).unwrap();
        outbox.push(frame("a2"), Class::State(ConflationKey(1))).unwrap();
        let bytes = outbox.queued_bytes();
        let frames = drain(&mut outbox);
        assert_eq!(frames[limits::CONFLATION_FRAMES_MIN..], [frame("b1"), frame("chat"), frame("a2")]);
        assert_eq!(bytes, frames.iter().map(Frame::len).sum::<usize>());
        assert!(outbox.is_empty() && outbox.queued_bytes() == 0);
    }

    #[test]
    fn a_stalled_reader_costs_bounded_memory() {
        let mut outbox = fallen_behind();
        for round in 0..100_000 {
            outbox.push(frame("pose"), Class::State(ConflationKey(round % 10))).unwrap();
        }
        assert!(outbox.slots.len() <= 3 * limits::CONFLATION_FRAMES_MIN + 60, "{} slots", outbox.slots.len());
        assert!(outbox.standings.len() == 10);
    }

    #[test]
    fn a_key_that_changes_faster_than_the_queue_drains_is_still_heard_of() {
        let mut outbox = fallen_behind();
        let mut heard = 0;
        for _ in 0..1_000 {
            outbox.push(frame("fast"), Class::State(ConflationKey(1))).unwrap();
            outbox.push(frame("event"), Class::Event).unwrap();
            let mut frames = Vec::new();
            outbox.take(1, &mut frames);
            heard += frames.iter().filter(|taken| **taken == frame("fast")).count();
        }
        assert!(heard > 0);
    }

    #[test]
    fn events_beyond_the_limit_overflow() {
        let mut outbox = Outbox::new();
        let pushed = (0..=limits::OUTBOX_FRAMES_MAX).map(|_| outbox.push(frame("event"), Class::Event));
        assert_eq!(pushed.filter(Result::is_err).count(), 1);
        assert_eq!(outbox.push(frame("DISCONNECT"), Class::Control), Ok(()), "it is told why it ends");
        let answers = (0..=limits::OUTBOX_CONTROL_FRAMES).map(|_| outbox.push(frame("PINGRESP"), Class::Control));
        assert!(answers.filter(Result::is_err).count() > 0, "answers are bounded too");
    }
}
