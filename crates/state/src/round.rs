//! One round of a realm: what one batch of inputs sends, gathered until all of them are handled. What goes to a group is kept once and becomes one
//! buffer; each connection gets its frames in exactly the order in which the realm sent them.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use stoa_wire::packet::Frame;

use crate::batch::{Batch, Run};
use crate::connection_id::ConnectionId;
use crate::limits;
use crate::mqtt::audience::Group;
use crate::outbox::{Class, Outbox, Overflowed, lasting};

/// Where one connection's frames go: its outbox, however the caller keeps it.
pub trait Shelf {
    /// Puts a frame in. Errors: [`Overflowed`]; it is then not in.
    fn push(&mut self, frame: Frame, class: Class) -> Result<(), Overflowed>;
    /// Puts several in at once. Errors: [`Overflowed`].
    fn push_run(&mut self, run: Run) -> Result<(), Overflowed>;
}

impl Shelf for Outbox {
    fn push(&mut self, frame: Frame, class: Class) -> Result<(), Overflowed> {
        Outbox::push(self, frame, class)
    }

    fn push_run(&mut self, run: Run) -> Result<(), Overflowed> {
        Outbox::push_run(self, run)
    }
}

/// All connections' shelves, and what has not been put there yet.
#[derive(Debug)]
pub struct Round<S> {
    desks: BTreeMap<ConnectionId, Desk<S>>,
    open: Vec<Open>,
    touched: Vec<ConnectionId>,
    overflowed: Vec<ConnectionId>,
}

#[derive(Debug)]
struct Desk<S> {
    shelf: S,
    touched: bool,
    /// The open batch that waits for it, and how much of it was put on its shelf ahead of the others.
    stand: Option<Stand>,
}

#[derive(Clone, Copy, Debug)]
struct Stand {
    open: usize,
    taken: usize,
}

/// What one group gets of this round.
#[derive(Debug)]
struct Open {
    group: Arc<Group>,
    frames: Vec<(Frame, Class)>,
    bytes: usize,
    /// Members for whom another open batch waits: they get each frame by itself.
    singles: Vec<ConnectionId>,
}

impl<S> Default for Round<S> {
    fn default() -> Round<S> {
        Round { desks: BTreeMap::new(), open: Vec::new(), touched: Vec::new(), overflowed: Vec::new() }
    }
}

impl<S: Shelf> Round<S> {
    /// A connection is there.
    pub fn insert(&mut self, connection: ConnectionId, shelf: S) {
        self.desks.insert(connection, Desk { shelf, touched: false, stand: None });
    }

    /// It is gone; what comes for it is dropped.
    pub fn remove(&mut self, connection: ConnectionId) -> Option<S> {
        self.desks.remove(&connection).map(|desk| desk.shelf)
    }

    /// Its shelf, with everything on it that was sent so far: what is done to it now is done after that.
    pub fn shelf(&mut self, connection: ConnectionId) -> Option<&mut S> {
        self.catch_up(connection);
        self.desks.get_mut(&connection).map(|desk| &mut desk.shelf)
    }

    /// All shelves.
    pub fn shelves(&mut self) -> impl Iterator<Item = (ConnectionId, &mut S)> {
        self.desks.iter_mut().map(|(connection, desk)| (*connection, &mut desk.shelf))
    }

    /// A frame for one connection.
    pub fn send(&mut self, connection: ConnectionId, frame: Frame, class: Class) {
        self.catch_up(connection);
        let Some(desk) = self.desks.get_mut(&connection) else { return };
        touch(desk, connection, &mut self.touched);
        if desk.shelf.push(frame, class).is_err() {
            self.overflowed.push(connection);
        }
    }

    /// A frame for every member of a group. Hot path: one push, whatever the group's size.
    pub fn share(&mut self, group: &Arc<Group>, frame: Frame, class: Class) {
        let index = match self.open.iter().rposition(|open| open.group.serial == group.serial) {
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
    fn open(&mut self, group: &Arc<Group>) -> usize {
        let waiting = |desks: &BTreeMap<ConnectionId, Desk<S>>| {
            group.members.iter().filter(|it| desks.get(&it.connection).is_some_and(|desk| desk.stand.is_some())).count()
        };
        if !self.open.is_empty() && waiting(&self.desks) > group.members.len() / limits::SINGLES_SHARE {
            self.close();
        }
        let index = self.open.len();
        let mut singles = Vec::new();
        for member in &group.members {
            let Some(desk) = self.desks.get_mut(&member.connection) else { continue };
            if desk.stand.is_some() {
                singles.push(member.connection);
            } else {
                desk.stand = Some(Stand { open: index, taken: 0 });
            }
        }
        self.open.push(Open { group: Arc::clone(group), frames: Vec::new(), bytes: 0, singles });
        index
    }

    /// Puts on one shelf what waits for it, ahead of the others.
    fn catch_up(&mut self, connection: ConnectionId) {
        if self.open.is_empty() {
            return;
        }
        let Some(desk) = self.desks.get_mut(&connection) else { return };
        let Some(stand) = &mut desk.stand else { return };
        let frames = &self.open[stand.open].frames;
        let ahead = &frames[stand.taken..];
        stand.taken = frames.len();
        if ahead.is_empty() {
            return;
        }
        touch(desk, connection, &mut self.touched);
        for (frame, class) in ahead {
            if desk.shelf.push(frame.clone(), *class).is_err() {
                self.overflowed.push(connection);
                return;
            }
        }
    }

    /// Closes all open batches: each becomes one buffer, put on every member's shelf.
    fn close(&mut self) {
        for (index, Open { group, frames, .. }) in core::mem::take(&mut self.open).into_iter().enumerate() {
            let (frames, place) = thinned(frames);
            let count = frames.len();
            let batch = Batch::seal(frames);
            for member in &group.members {
                let Some(desk) = self.desks.get_mut(&member.connection) else { continue };
                let Some(stand) = desk.stand.filter(|stand| stand.open == index) else { continue };
                desk.stand = None;
                let from = place.as_ref().map_or(stand.taken, |place| place[stand.taken]);
                if from == count {
                    continue;
                }
                touch(desk, member.connection, &mut self.touched);
                if desk.shelf.push_run(Run::new(Arc::clone(&batch), from)).is_err() {
                    self.overflowed.push(member.connection);
                }
            }
        }
    }

    /// Ends the round: everything is on its shelf. `wake` is called once for each shelf that something was put on.
    pub fn end(&mut self, mut wake: impl FnMut(ConnectionId, &mut S)) {
        self.close();
        for connection in self.touched.drain(..) {
            if let Some(desk) = self.desks.get_mut(&connection) {
                desk.touched = false;
                wake(connection, &mut desk.shelf);
            }
        }
    }

    /// Connections whose shelf overflowed since this was last asked; the realm must be told.
    pub fn poll_overflowed(&mut self) -> Option<ConnectionId> {
        self.overflowed.pop()
    }
}

/// A batch so long that its realm has fallen behind by a good part of a second loses the state that it has newer versions of: once for all members,
/// and not in each outbox. Then also where each of its places is now.
fn thinned(frames: Vec<(Frame, Class)>) -> (Vec<(Frame, Class)>, Option<Vec<usize>>) {
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

fn touch<S>(desk: &mut Desk<S>, connection: ConnectionId, touched: &mut Vec<ConnectionId>) {
    if !desk.touched {
        desk.touched = true;
        touched.push(connection);
    }
}

#[cfg(test)]
mod tests;
