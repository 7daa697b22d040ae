//! The bounded send queue of one connection. A queued state frame is replaced by its newer version, so that a slow
//! receiver catches up with the present. A fast receiver gets all frames.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

use stoa_wire::packet::EncodedPacket;

use crate::batch::{BatchTail, OutboxChunk};
use crate::limits;
use crate::packet_class::{ConflationKey, PacketClass};

/// The queue is full: the connection must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "more than {} frames or {} bytes are queued for one connection",
    limits::OUTBOX_FRAMES_MAX,
    limits::OUTBOX_BYTES_MAX
)]
pub struct OutboxOverflow;

#[derive(Debug)]
enum OutboxEntry {
    /// A run of frames from a batch.
    Run(BatchTail),
    /// A single frame, and how often its key moved back to the position of a newer version.
    Frame(EncodedPacket, PacketClass, ConflationMoveCount),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConflationMoveCount {
    /// The frame arrived after the last conflation.
    Fresh,
    Times(u32),
    /// The key moved often enough, so this frame keeps its position. Otherwise a key that changes faster than the queue
    /// drains would never be sent.
    Pinned,
}

impl OutboxEntry {
    fn len(&self) -> usize {
        match self {
            OutboxEntry::Frame(frame, ..) => frame.len(),
            OutboxEntry::Run(run) => run.len(),
        }
    }
}

/// A queued frame while its queue is conflated.
#[derive(Debug)]
struct ConflationCandidate {
    key: Option<ConflationKey>,
    moves: ConflationMoveCount,
    kept: bool,
}

impl ConflationCandidate {
    fn new(class: PacketClass, moves: ConflationMoveCount) -> ConflationCandidate {
        let key = if let PacketClass::State(key) = class { Some(key) } else { None };
        ConflationCandidate { key, moves, kept: true }
    }
}

/// The state of one key while a queue is conflated.
#[derive(Debug, Default)]
struct KeyConflation {
    /// Position of the newest version so far.
    newest: Option<usize>,
    /// How often the key has moved back.
    moved: u32,
    /// Whether one version is pinned.
    pinned: bool,
}

/// Keeps the newest version of each key in its position, and at most one pinned version. A move counts only if the
/// queue drains: otherwise no other frame is sent before a key that moves back.
fn mark_superseded(scanned: &mut [ConflationCandidate], drains: bool) {
    let mut by_key: BTreeMap<ConflationKey, KeyConflation> = BTreeMap::new();
    for index in 0..scanned.len() {
        let Some(key) = scanned[index].key else { continue };
        let conflation = by_key.entry(key).or_default();
        if scanned[index].moves == ConflationMoveCount::Pinned {
            conflation.pinned = true;
            continue;
        }
        let Some(older) = conflation.newest.replace(index) else { continue };
        match scanned[older].moves {
            ConflationMoveCount::Times(times) if times >= limits::CONFLATION_MOVES_MAX && !conflation.pinned => {
                conflation.pinned = true;
                scanned[older].moves = ConflationMoveCount::Pinned;
                continue;
            }
            ConflationMoveCount::Times(times) => conflation.moved = conflation.moved.max(times + u32::from(drains)),
            ConflationMoveCount::Fresh | ConflationMoveCount::Pinned => {}
        }
        scanned[older].kept = false;
    }
    for conflation in by_key.values() {
        if let Some(newest) = conflation.newest.map(|index| &mut scanned[index])
            && newest.moves == ConflationMoveCount::Fresh
        {
            newest.moves = ConflationMoveCount::Times(conflation.moved);
        }
    }
}

/// Marks the frames of a batch that no later one supersedes.
pub(crate) fn lasting(frames: &[(EncodedPacket, PacketClass)]) -> Vec<bool> {
    let mut scanned: Vec<ConflationCandidate> =
        frames.iter().map(|(_, class)| ConflationCandidate::new(*class, ConflationMoveCount::Fresh)).collect();
    mark_superseded(&mut scanned, true);
    scanned.into_iter().map(|scanned_packet| scanned_packet.kept).collect()
}

/// Size of a queue.
#[derive(Clone, Copy, Debug, Default)]
struct QueueSize {
    frames: usize,
    bytes: usize,
}

/// The send queue of one connection. Frames leave in the order of their newest version, so revisions ascend. While
/// the receiver keeps up, batches are only queued and taken. Beyond a limit the queue is conflated, and again when the
/// frames that remained have doubled.
#[derive(Debug, Default)]
pub struct Outbox {
    slots: VecDeque<OutboxEntry>,
    frames: usize,
    bytes: usize,
    /// Frames that remained after the last conflation, or fewer if fewer are queued since. The next conflation pays
    /// only when twice as many are queued.
    kept: usize,
    /// Whether the last taken frames are still being written.
    writing: bool,
    /// Batches queued since the last frames were taken.
    rounds: usize,
    /// Whether frames were taken since the last conflation.
    drains: bool,
    /// Frames that may wait before a conflation, in place of the limits.
    patience: Option<usize>,
}

impl Outbox {
    /// Creates an empty queue.
    pub fn new() -> Outbox {
        Outbox::default()
    }

    /// Creates a queue that conflates beyond `frames` frames, for receivers with little traffic.
    pub fn with_patience(frames: usize) -> Outbox {
        Outbox { patience: Some(frames), ..Outbox::default() }
    }

    /// Queues a frame. Errors: [`OutboxOverflow`]; the frame is then not queued.
    pub fn push(&mut self, frame: EncodedPacket, class: PacketClass) -> Result<(), OutboxOverflow> {
        // The DISCONNECT of a slow client must still fit.
        let spare = match class {
            PacketClass::Control => {
                QueueSize { frames: limits::OUTBOX_CONTROL_FRAMES, bytes: limits::OUTBOX_CONTROL_BYTES }
            }
            PacketClass::Event | PacketClass::State(_) => QueueSize::default(),
        };
        self.make_room(QueueSize { frames: 1, bytes: frame.len() }, spare)?;
        self.frames += 1;
        self.bytes += frame.len();
        self.slots.push_back(OutboxEntry::Frame(frame, class, ConflationMoveCount::Fresh));
        Ok(())
    }

    /// Queues a run of frames. Errors: [`OutboxOverflow`]; none is then queued.
    pub fn push_run(&mut self, run: BatchTail) -> Result<(), OutboxOverflow> {
        let (frames, bytes) = (run.frames().len(), run.len());
        self.make_room(QueueSize { frames, bytes }, QueueSize::default())?;
        self.frames += frames;
        self.bytes += bytes;
        self.rounds += 1;
        self.slots.push_back(OutboxEntry::Run(run));
        Ok(())
    }

    /// Frames that may wait before a conflation.
    fn patience(&self) -> usize {
        let usual = match (self.writing, self.rounds) {
            (false, _) => limits::BACKLOG_FRAMES_MAX,
            (true, ..limits::STALLED_ROUNDS_MIN) => limits::CONFLATION_FRAMES_MIN,
            (true, _) => limits::STALLED_FRAMES_MIN,
        };
        self.patience.unwrap_or(usual).max(2 * self.kept)
    }

    fn make_room(&mut self, added: QueueSize, spare: QueueSize) -> Result<(), OutboxOverflow> {
        if self.frames + added.frames > self.patience() {
            self.conflate();
        }
        let fits = |outbox: &Outbox| {
            outbox.frames == 0
                || outbox.frames + added.frames <= limits::OUTBOX_FRAMES_MAX + spare.frames
                    && outbox.bytes + added.bytes <= limits::OUTBOX_BYTES_MAX + spare.bytes
        };
        if !fits(self) {
            self.conflate();
        }
        if fits(self) { Ok(()) } else { Err(OutboxOverflow) }
    }

    /// Conflates the queue: keeps the newest version of each key in its position, and at most one pinned version.
    fn conflate(&mut self) {
        let slots = core::mem::take(&mut self.slots);
        let mut scanned: Vec<ConflationCandidate> = Vec::with_capacity(self.frames);
        for slot in &slots {
            match slot {
                OutboxEntry::Run(run) => scanned.extend(
                    run.frames().iter().map(|(_, class)| ConflationCandidate::new(*class, ConflationMoveCount::Fresh)),
                ),
                OutboxEntry::Frame(_, class, moves) => scanned.push(ConflationCandidate::new(*class, *moves)),
            }
        }
        mark_superseded(&mut scanned, core::mem::take(&mut self.drains));
        let mut scanned = scanned.into_iter();
        let mut next = || scanned.next().expect("each frame was scanned");
        for slot in slots {
            match slot {
                OutboxEntry::Run(run) => {
                    // Only kept frames are copied out of their batch.
                    let kept = run
                        .frames()
                        .iter()
                        .map(|frame| (frame, next()))
                        .filter(|(_, scanned_packet)| scanned_packet.kept);
                    self.slots.extend(kept.map(|((frame, class), scanned_packet)| {
                        OutboxEntry::Frame(frame.clone(), *class, scanned_packet.moves)
                    }));
                }
                OutboxEntry::Frame(frame, class, _) => {
                    let scanned_packet = next();
                    if scanned_packet.kept {
                        self.slots.push_back(OutboxEntry::Frame(frame, class, scanned_packet.moves));
                    }
                }
            }
        }
        self.frames = self.slots.len();
        self.bytes = self.slots.iter().map(OutboxEntry::len).sum();
        self.kept = self.frames;
    }

    /// Moves frames to `into`: all, or those that fit `bytes_max`, but at least one chunk. A call also confirms
    /// that the earlier chunks were written.
    pub fn take(&mut self, bytes_max: usize, into: &mut Vec<OutboxChunk>) {
        let mut taken = 0;
        while let Some(slot) = self.slots.front() {
            let size = slot.len();
            if taken > 0 && taken + size > bytes_max {
                break;
            }
            taken += size;
            self.bytes -= size;
            let piece = match self.slots.pop_front().expect("was just looked at") {
                OutboxEntry::Run(run) => OutboxChunk::Run(run),
                OutboxEntry::Frame(frame, ..) => OutboxChunk::Frame(frame),
            };
            self.frames -= piece.count();
            into.push(piece);
        }
        self.writing = taken > 0;
        self.drains |= taken > 0;
        self.rounds = 0;
        self.kept = self.kept.min(self.frames);
    }

    /// Bytes of memory that queued frames keep allocated.
    #[cfg(test)]
    fn pinned_bytes(&self) -> usize {
        let slots = self.slots.len() * size_of::<OutboxEntry>();
        self.slots.iter().fold(slots, |sum, slot| match slot {
            OutboxEntry::Frame(frame, ..) => sum + frame.len(),
            OutboxEntry::Run(run) => sum + run.pinned_bytes(),
        })
    }

    /// Whether the queue is empty.
    pub fn is_empty(&self) -> bool {
        self.frames == 0
    }

    /// Bytes queued.
    pub fn queued_bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests;
