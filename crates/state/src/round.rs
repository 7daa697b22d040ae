//! One round of a realm: what one batch of inputs sends, gathered until all of them are handled. What goes to a group is kept once and becomes one
//! buffer; each connection gets its frames in exactly the order in which the realm sent them.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use stoa_wire::packet::EncodedPacket;

use crate::batch::{Batch, BatchTail};
use crate::connection_id::ConnectionId;
use crate::limits;
use crate::mqtt::audience::ReceiverGroup;
use crate::outbox::{Outbox, OutboxOverflow, PacketClass, lasting};

/// Where one connection's frames go: its outbox, however the caller keeps it.
pub trait PacketSink {
    /// Puts a frame in. Errors: [`OutboxOverflow`]; it is then not in.
    fn push(&mut self, frame: EncodedPacket, class: PacketClass) -> Result<(), OutboxOverflow>;
    /// Puts several in at once. Errors: [`OutboxOverflow`].
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

/// All connections' shelves, and what has not been put there yet.
#[derive(Debug)]
pub struct SendRound<S> {
    desks: Vec<Option<ConnectionSlot<S>>>,
    free: Vec<usize>,
    seats: BTreeMap<ConnectionId, usize>,
    /// Where the members of groups sit, so that they are not looked up for each message. Groups that nobody else knows any more are forgotten.
    seated: Vec<GroupSlots>,
    open: Vec<OpenBatch>,
    touched: Vec<usize>,
    overflowed: Vec<ConnectionId>,
}

#[derive(Clone, Debug)]
struct GroupSlots {
    group: Arc<ReceiverGroup>,
    /// In the order of its members.
    seats: Arc<[usize]>,
}

#[derive(Debug)]
struct ConnectionSlot<S> {
    connection: ConnectionId,
    shelf: S,
    touched: bool,
    /// The open batch that waits for it, and how much of it was put on its shelf ahead of the others.
    stand: Option<BatchPosition>,
}

#[derive(Clone, Copy, Debug)]
struct BatchPosition {
    open: usize,
    taken: usize,
}

/// What one group gets of this round.
#[derive(Debug)]
struct OpenBatch {
    seated: GroupSlots,
    frames: Vec<(EncodedPacket, PacketClass)>,
    bytes: usize,
    /// Members for whom another open batch waits: they get each frame by itself.
    singles: Vec<ConnectionId>,
}

/// Nobody's: of a member that had gone when its group was seated.
const NO_SEAT: usize = usize::MAX;

impl<S> Default for SendRound<S> {
    fn default() -> SendRound<S> {
        SendRound {
            desks: Vec::new(),
            free: Vec::new(),
            seats: BTreeMap::new(),
            seated: Vec::new(),
            open: Vec::new(),
            touched: Vec::new(),
            overflowed: Vec::new(),
        }
    }
}

impl<S: PacketSink> SendRound<S> {
    /// A connection is there; its number was never another's.
    pub fn insert(&mut self, connection: ConnectionId, shelf: S) {
        let seat = self.free.pop().unwrap_or_else(|| {
            self.desks.push(None);
            self.desks.len() - 1
        });
        self.desks[seat] = Some(ConnectionSlot { connection, shelf, touched: false, stand: None });
        self.seats.insert(connection, seat);
    }

    /// It is gone; what comes for it is dropped.
    pub fn remove(&mut self, connection: ConnectionId) -> Option<S> {
        let seat = self.seats.remove(&connection)?;
        self.free.push(seat);
        self.desks[seat].take().map(|desk| desk.shelf)
    }

    /// Its shelf, with everything on it that was sent so far: what is done to it now is done after that.
    pub fn shelf(&mut self, connection: ConnectionId) -> Option<&mut S> {
        let seat = *self.seats.get(&connection)?;
        self.catch_up(seat);
        self.desks[seat].as_mut().map(|desk| &mut desk.shelf)
    }

    /// All shelves.
    pub fn shelves(&mut self) -> impl Iterator<Item = (ConnectionId, &mut S)> {
        self.desks.iter_mut().flatten().map(|desk| (desk.connection, &mut desk.shelf))
    }

    /// A frame for one connection.
    pub fn send(&mut self, connection: ConnectionId, frame: EncodedPacket, class: PacketClass) {
        let Some(&seat) = self.seats.get(&connection) else { return };
        self.catch_up(seat);
        let Some(desk) = &mut self.desks[seat] else { return };
        touch(desk, seat, &mut self.touched);
        if desk.shelf.push(frame, class).is_err() {
            self.overflowed.push(connection);
        }
    }

    /// A frame for every member of a group. Hot path: one push, whatever the group's size.
    pub fn share(&mut self, group: &Arc<ReceiverGroup>, frame: EncodedPacket, class: PacketClass) {
        let index = match self.open.iter().rposition(|open| Arc::ptr_eq(&open.seated.group, group)) {
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

    /// Begins a batch for a group. Where most of it still waits for another (somebody came or went), that one is closed first.
    fn open(&mut self, group: &Arc<ReceiverGroup>) -> usize {
        let seated = self.seat(group);
        if !self.open.is_empty() {
            let waits = |&&seat: &&usize| desk(&mut self.desks, seat, None).is_some_and(|desk| desk.stand.is_some());
            if seated.seats.iter().filter(waits).count() > group.members.len() / limits::SINGLES_SHARE {
                self.close();
            }
        }
        let index = self.open.len();
        let mut singles = Vec::new();
        for (member, &seat) in group.members.iter().zip(&*seated.seats) {
            let Some(desk) = desk(&mut self.desks, seat, Some(member.connection)) else { continue };
            if desk.stand.is_some() {
                singles.push(member.connection);
            } else {
                desk.stand = Some(BatchPosition { open: index, taken: 0 });
            }
        }
        self.open.push(OpenBatch { seated, frames: Vec::new(), bytes: 0, singles });
        index
    }

    fn seat(&mut self, group: &Arc<ReceiverGroup>) -> GroupSlots {
        if let Some(seated) = self.seated.iter().find(|seated| Arc::ptr_eq(&seated.group, group)) {
            return seated.clone();
        }
        // Only this list and the group that just came know those that are no more.
        self.seated.retain(|seated| Arc::strong_count(&seated.group) > 1);
        let seat = |connection| self.seats.get(connection).copied().unwrap_or(NO_SEAT);
        let seats = group.members.iter().map(|member| seat(&member.connection)).collect();
        let seated = GroupSlots { group: Arc::clone(group), seats };
        self.seated.push(seated.clone());
        seated
    }

    /// Puts on one shelf what waits for it, ahead of the others.
    fn catch_up(&mut self, seat: usize) {
        let Some(desk) = self.desks.get_mut(seat).and_then(Option::as_mut) else { return };
        let Some(stand) = &mut desk.stand else { return };
        let frames = &self.open[stand.open].frames;
        let ahead = &frames[stand.taken..];
        stand.taken = frames.len();
        if ahead.is_empty() {
            return;
        }
        touch(desk, seat, &mut self.touched);
        for (frame, class) in ahead {
            if desk.shelf.push(frame.clone(), *class).is_err() {
                self.overflowed.push(desk.connection);
                return;
            }
        }
    }

    /// Closes all open batches: each becomes one buffer, put on every member's shelf.
    fn close(&mut self) {
        for (index, OpenBatch { seated, frames, .. }) in core::mem::take(&mut self.open).into_iter().enumerate() {
            let (frames, place) = thinned(frames);
            let count = frames.len();
            let batch = Batch::seal(frames);
            for (member, &seat) in seated.group.members.iter().zip(&*seated.seats) {
                let Some(desk) = desk(&mut self.desks, seat, Some(member.connection)) else { continue };
                let Some(stand) = desk.stand.filter(|stand| stand.open == index) else { continue };
                desk.stand = None;
                let from = place.as_ref().map_or(stand.taken, |place| place[stand.taken]);
                if from == count {
                    continue;
                }
                touch(desk, seat, &mut self.touched);
                if desk.shelf.push_run(BatchTail::new(Arc::clone(&batch), from)).is_err() {
                    self.overflowed.push(member.connection);
                }
            }
        }
    }

    /// Ends the round: everything is on its shelf. `wake` is called once for each shelf that something was put on.
    pub fn end(&mut self, mut wake: impl FnMut(ConnectionId, &mut S)) {
        self.close();
        for seat in self.touched.drain(..) {
            // Whoever has the seat now and was not touched itself is not woken.
            if let Some(desk) = self.desks[seat].as_mut().filter(|desk| desk.touched) {
                desk.touched = false;
                wake(desk.connection, &mut desk.shelf);
            }
        }
    }

    /// Connections whose shelf overflowed since this was last asked; the realm must be told.
    pub fn poll_overflowed(&mut self) -> Option<ConnectionId> {
        self.overflowed.pop()
    }
}

/// The desk at a seat, if it is the member's: another connection may have it by now.
fn desk<S>(
    desks: &mut [Option<ConnectionSlot<S>>],
    seat: usize,
    member: Option<ConnectionId>,
) -> Option<&mut ConnectionSlot<S>> {
    let desk = desks.get_mut(seat)?.as_mut()?;
    member.is_none_or(|member| desk.connection == member).then_some(desk)
}

/// A batch so long that its realm has fallen behind by a good part of a second loses the state that it has newer versions of: once for all members,
/// and not in each outbox. Then also where each of its places is now.
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

fn touch<S>(desk: &mut ConnectionSlot<S>, seat: usize, touched: &mut Vec<usize>) {
    if !desk.touched {
        desk.touched = true;
        touched.push(seat);
    }
}

#[cfg(test)]
mod tests;
