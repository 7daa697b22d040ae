//! One round of a realm: the frames that a series of inputs causes, collected until all the inputs are handled. A
//! group's frames are kept once and become one buffer. Each connection gets its frames exactly in the order of sending.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use stoa_wire::packet::EncodedPacket;

use crate::batch::{BatchTail, ReceiverGroupBatch};
use crate::connection_id::ConnectionId;
use crate::limits;
use crate::mqtt::audience::ReceiverGroup;
use crate::outbox::{Outbox, OutboxOverflow, lasting};
use crate::packet_class::PacketClass;

/// The outbox of one connection, in whatever form the caller keeps it.
pub trait PacketSink {
    /// Queues a frame. Errors: [`OutboxOverflow`]; the frame is then not queued.
    fn push(&mut self, frame: EncodedPacket, class: PacketClass) -> Result<(), OutboxOverflow>;
    /// Queues a run of frames. Errors: [`OutboxOverflow`]; none is then queued.
    fn push_run(&mut self, run: BatchTail) -> Result<(), OutboxOverflow>;
}

impl PacketSink for Outbox {
    fn push(&mut self, frame: EncodedPacket, class: PacketClass) -> Result<(), OutboxOverflow> {
        Outbox::push(self, frame, class)
    }

    fn push_run(&mut self, run: BatchTail) -> Result<(), OutboxOverflow> {
        Outbox::push_run(self, run)
    }
}

/// The outboxes of all connections, and frames of open batches.
#[derive(Debug)]
pub struct OutboxBatcher<S> {
    slots: Vec<Option<ConnectionBatchState<S>>>,
    free: Vec<usize>,
    by_connection: BTreeMap<ConnectionId, usize>,
    /// Slots of group members, so that no message looks them up. Groups without another owner are dropped.
    groups: Vec<GroupMemberSlots>,
    open: Vec<GroupFrameBatch>,
    touched: Vec<usize>,
    overflowed: Vec<ConnectionId>,
}

#[derive(Clone, Debug)]
struct GroupMemberSlots {
    group: Arc<ReceiverGroup>,
    /// In the members' order.
    slots: Arc<[usize]>,
}

#[derive(Debug)]
struct ConnectionBatchState<S> {
    connection: ConnectionId,
    sink: S,
    touched: bool,
    /// The open batch that the connection waits for, and the number of the batch's frames already in its outbox.
    position: Option<OpenBatchCursor>,
}

#[derive(Clone, Copy, Debug)]
struct OpenBatchCursor {
    open: usize,
    taken: usize,
}

/// Frames of one group in this round.
#[derive(Debug)]
struct GroupFrameBatch {
    group_slots: GroupMemberSlots,
    frames: Vec<(EncodedPacket, PacketClass)>,
    bytes: usize,
    /// Members that already wait for another batch. These members get each frame singly.
    singles: Vec<ConnectionId>,
}

/// Marks a member that had disconnected when its group was looked up.
const NO_SLOT: usize = usize::MAX;

impl<S> Default for OutboxBatcher<S> {
    fn default() -> OutboxBatcher<S> {
        OutboxBatcher {
            slots: Vec::new(),
            free: Vec::new(),
            by_connection: BTreeMap::new(),
            groups: Vec::new(),
            open: Vec::new(),
            touched: Vec::new(),
            overflowed: Vec::new(),
        }
    }
}

impl<S: PacketSink> OutboxBatcher<S> {
    /// Adds a connection with a new id.
    pub fn insert(&mut self, connection: ConnectionId, sink: S) {
        let at = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() - 1
        });
        self.slots[at] = Some(ConnectionBatchState { connection, sink, touched: false, position: None });
        self.by_connection.insert(connection, at);
    }

    /// Removes a connection; later frames for it are dropped.
    pub fn remove(&mut self, connection: ConnectionId) -> Option<S> {
        let at = self.by_connection.remove(&connection)?;
        self.free.push(at);
        self.slots[at].take().map(|slot| slot.sink)
    }

    /// Returns a connection's outbox, with all frames sent so far.
    pub fn sink(&mut self, connection: ConnectionId) -> Option<&mut S> {
        let at = *self.by_connection.get(&connection)?;
        self.catch_up(at);
        self.slots[at].as_mut().map(|slot| &mut slot.sink)
    }

    /// All outboxes, without the frames of open batches.
    pub fn sinks(&mut self) -> impl Iterator<Item = (ConnectionId, &mut S)> {
        self.slots.iter_mut().flatten().map(|slot| (slot.connection, &mut slot.sink))
    }

    /// Sends a frame to one connection.
    pub fn send(&mut self, connection: ConnectionId, frame: EncodedPacket, class: PacketClass) {
        let Some(&at) = self.by_connection.get(&connection) else { return };
        self.catch_up(at);
        let Some(slot) = &mut self.slots[at] else { return };
        touch(slot, at, &mut self.touched);
        if slot.sink.push(frame, class).is_err() {
            self.overflowed.push(connection);
        }
    }

    /// Sends a frame to all members of a group. Hot path: one push at any group size, and one for each single member.
    pub fn share(&mut self, group: &Arc<ReceiverGroup>, frame: EncodedPacket, class: PacketClass) {
        let index = match self.open.iter().rposition(|open| Arc::ptr_eq(&open.group_slots.group, group)) {
            Some(index) => index,
            None => self.open(group),
        };
        for single in 0..self.open[index].singles.len() {
            let connection = self.open[index].singles[single];
            self.send(connection, frame.clone(), class);
        }
        let open = &mut self.open[index];
        open.bytes += frame.len();
        open.frames.push((frame, class));
        if open.bytes >= limits::BATCH_BYTES_MAX {
            self.close();
        }
    }

    /// Opens a batch for a group. If many members wait for another batch, because membership changed, all open batches
    /// are closed first.
    fn open(&mut self, group: &Arc<ReceiverGroup>) -> usize {
        let group_slots = self.slots_of(group);
        if !self.open.is_empty() {
            let waits = |&&at: &&usize| slot_at(&mut self.slots, at, None).is_some_and(|slot| slot.position.is_some());
            if group_slots.slots.iter().filter(waits).count() > group.members.len() / limits::SINGLES_SHARE {
                self.close();
            }
        }
        let index = self.open.len();
        let mut singles = Vec::new();
        for (member, &at) in group.members.iter().zip(&*group_slots.slots) {
            let Some(slot) = slot_at(&mut self.slots, at, Some(member.connection)) else { continue };
            if slot.position.is_some() {
                singles.push(member.connection);
            } else {
                slot.position = Some(OpenBatchCursor { open: index, taken: 0 });
            }
        }
        self.open.push(GroupFrameBatch { group_slots, frames: Vec::new(), bytes: 0, singles });
        index
    }

    fn slots_of(&mut self, group: &Arc<ReceiverGroup>) -> GroupMemberSlots {
        if let Some(group_slots) = self.groups.iter().find(|group_slots| Arc::ptr_eq(&group_slots.group, group)) {
            return group_slots.clone();
        }
        // A group that only this list owns is obsolete.
        self.groups.retain(|group_slots| Arc::strong_count(&group_slots.group) > 1);
        let at = |connection| self.by_connection.get(connection).copied().unwrap_or(NO_SLOT);
        let slots = group.members.iter().map(|member| at(&member.connection)).collect();
        let group_slots = GroupMemberSlots { group: Arc::clone(group), slots };
        self.groups.push(group_slots.clone());
        group_slots
    }

    /// Pushes the frames of the open batch that a connection waits for to its outbox, ahead of the other members.
    fn catch_up(&mut self, at: usize) {
        let Some(slot) = self.slots.get_mut(at).and_then(Option::as_mut) else { return };
        let Some(position) = &mut slot.position else { return };
        let frames = &self.open[position.open].frames;
        let ahead = &frames[position.taken..];
        position.taken = frames.len();
        if ahead.is_empty() {
            return;
        }
        touch(slot, at, &mut self.touched);
        for (frame, class) in ahead {
            if slot.sink.push(frame.clone(), *class).is_err() {
                self.overflowed.push(slot.connection);
                return;
            }
        }
    }

    /// Closes all open batches: each becomes one buffer, pushed to the outboxes of the members that wait for it.
    fn close(&mut self) {
        for (index, GroupFrameBatch { group_slots, frames, .. }) in
            core::mem::take(&mut self.open).into_iter().enumerate()
        {
            let (frames, place) = thinned(frames);
            let count = frames.len();
            let batch = ReceiverGroupBatch::seal(frames);
            for (member, &at) in group_slots.group.members.iter().zip(&*group_slots.slots) {
                let Some(slot) = slot_at(&mut self.slots, at, Some(member.connection)) else { continue };
                let Some(position) = slot.position.filter(|position| position.open == index) else { continue };
                slot.position = None;
                let from = place.as_ref().map_or(position.taken, |place| place[position.taken]);
                if from == count {
                    continue;
                }
                touch(slot, at, &mut self.touched);
                if slot.sink.push_run(BatchTail::new(Arc::clone(&batch), from)).is_err() {
                    self.overflowed.push(member.connection);
                }
            }
        }
    }

    /// Ends the round: pushes all frames, then calls `wake` once for each outbox with new ones.
    pub fn end(&mut self, mut wake: impl FnMut(ConnectionId, &mut S)) {
        self.close();
        for at in self.touched.drain(..) {
            // A connection that took over the slot without new frames is not woken.
            if let Some(slot) = self.slots[at].as_mut().filter(|slot| slot.touched) {
                slot.touched = false;
                wake(slot.connection, &mut slot.sink);
            }
        }
    }

    /// Returns a connection whose outbox overflowed. The realm must handle it.
    pub fn poll_overflowed(&mut self) -> Option<ConnectionId> {
        self.overflowed.pop()
    }
}

/// Returns the slot if it still belongs to the member, or to any connection if no member is given.
fn slot_at<S>(
    slots: &mut [Option<ConnectionBatchState<S>>],
    at: usize,
    member: Option<ConnectionId>,
) -> Option<&mut ConnectionBatchState<S>> {
    let slot = slots.get_mut(at)?.as_mut()?;
    member.is_none_or(|member| slot.connection == member).then_some(slot)
}

/// Drops superseded state from a batch of more than [`limits::CONFLATION_FRAMES_MIN`] frames, once for all members
/// rather than in each outbox. Also returns the new index of each frame.
fn thinned(frames: Vec<(EncodedPacket, PacketClass)>) -> (Vec<(EncodedPacket, PacketClass)>, Option<Vec<usize>>) {
    if frames.len() <= limits::CONFLATION_FRAMES_MIN {
        return (frames, None);
    }
    let lasting = lasting(&frames);
    let mut place = Vec::with_capacity(frames.len() + 1);
    let mut kept = Vec::new();
    for (frame, lasts) in frames.into_iter().zip(lasting) {
        place.push(kept.len());
        if lasts {
            kept.push(frame);
        }
    }
    place.push(kept.len());
    (kept, Some(place))
}

fn touch<S>(slot: &mut ConnectionBatchState<S>, at: usize, touched: &mut Vec<usize>) {
    if !slot.touched {
        slot.touched = true;
        touched.push(at);
    }
}

#[cfg(test)]
mod tests;
