//! Stores the sessions in a table, written by the connection server and read by the flow server. In one process it is
//! memory shared by two threads. Between two processes it is a file of `/dev/shm`, shared memory without a disk
//! (section III-D). The file is read and written by calls, not mapped: a mapping that another process writes to needs
//! `unsafe`. The cost of the calls is measured separately.
//!
//! The one writer of a file makes the table's generation odd, writes, and makes the generation even (a sequence lock).
//! In memory a mutex guards the slots, and the generation is always even. A read is consistent if the generation was
//! even, and equal before and after.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use std::sync::{Mutex, PoisonError};

/// Length of the generation.
const HEAD_BYTES: u64 = 8;
/// Length of a session's entry: scene, address, port, and a presence flag.
const SLOT_BYTES: usize = 4 + 4 + 2 + 2;

/// A client that may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FlowParticipant {
    pub(super) scene: u32,
    /// Source of the client's flows, and destination of the flows that it receives.
    pub(super) address: SocketAddrV4,
}

/// A handle for writer and readers.
#[derive(Clone, Debug)]
pub(super) enum SharedSessionTable {
    Memory(Arc<InMemorySessionTable>),
    File(Arc<File>),
}

/// A table within one process.
#[derive(Debug, Default)]
pub(super) struct InMemorySessionTable {
    generation: AtomicU64,
    slots: Mutex<Vec<u8>>,
}

impl SharedSessionTable {
    /// A table within this process.
    pub(super) fn in_memory() -> SharedSessionTable {
        SharedSessionTable::Memory(Arc::default())
    }

    /// A file that another process may have open too; created if missing.
    pub(super) fn in_file(path: &Path) -> io::Result<SharedSessionTable> {
        Ok(SharedSessionTable::File(Arc::new(
            OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?,
        )))
    }

    /// Adds or removes a session. Only one writer may call it.
    pub(super) fn put(&self, session: u32, entry: Option<FlowParticipant>) -> io::Result<()> {
        let mut slot = [0; SLOT_BYTES];
        if let Some(FlowParticipant { scene, address }) = entry {
            slot[..4].copy_from_slice(&scene.to_le_bytes());
            slot[4..8].copy_from_slice(&address.ip().octets());
            slot[8..10].copy_from_slice(&address.port().to_le_bytes());
            slot[10] = 1;
        }
        let begin = session as usize * SLOT_BYTES;
        match self {
            SharedSessionTable::Memory(memory) => {
                let mut slots = memory.slots.lock().unwrap_or_else(PoisonError::into_inner);
                let length = slots.len().max(begin + SLOT_BYTES);
                slots.resize(length, 0);
                slots[begin..begin + SLOT_BYTES].copy_from_slice(&slot);
                memory.generation.fetch_add(2, Ordering::Release);
                Ok(())
            }
            SharedSessionTable::File(file) => self.write(file, (begin, &slot), || {}),
        }
    }

    /// Writes a slot. `meanwhile` runs after that, before the generation becomes even.
    fn write(&self, file: &File, (begin, slot): (usize, &[u8]), meanwhile: impl FnOnce()) -> io::Result<()> {
        let generation = self.generation()?;
        file.write_all_at(&(generation + 1).to_le_bytes(), 0)?;
        file.write_all_at(slot, HEAD_BYTES + begin as u64)?;
        meanwhile();
        file.write_all_at(&(generation + 2).to_le_bytes(), 0)
    }

    /// The generation, odd during a write to a file.
    fn generation(&self) -> io::Result<u64> {
        match self {
            SharedSessionTable::Memory(memory) => Ok(memory.generation.load(Ordering::Acquire)),
            SharedSessionTable::File(file) => {
                let mut bytes = [0; HEAD_BYTES as usize];
                // The file is empty before the first write.
                let _ = file.read_at(&mut bytes, 0)?;
                Ok(u64::from_le_bytes(bytes))
            }
        }
    }

    fn read(&self, slots: &mut Vec<u8>) -> io::Result<()> {
        match self {
            SharedSessionTable::Memory(memory) => {
                slots.clone_from(&memory.slots.lock().unwrap_or_else(PoisonError::into_inner))
            }
            SharedSessionTable::File(file) => {
                let length = file.metadata()?.len().saturating_sub(HEAD_BYTES);
                slots.resize(length as usize, 0);
                file.read_exact_at(slots, HEAD_BYTES)?;
            }
        }
        Ok(())
    }
}

/// A reader's copy of a table.
#[derive(Debug)]
pub(super) struct SessionTableReader {
    table: SharedSessionTable,
    generation: u64,
    slots: Vec<u8>,
    sessions: Vec<Option<FlowParticipant>>,
    /// Sessions by scene.
    scenes: HashMap<u32, Vec<u32>>,
}

impl SessionTableReader {
    pub(super) fn new(table: SharedSessionTable) -> SessionTableReader {
        SessionTableReader { table, generation: 0, slots: Vec::new(), sessions: Vec::new(), scenes: HashMap::new() }
    }

    /// Reads the table if it has changed. For a file the check is one system call.
    pub(super) fn refresh(&mut self) -> io::Result<()> {
        while !self.look(|| {})? {}
        Ok(())
    }

    /// One attempt to read a changed table; false if the table was being written. `meanwhile` runs between the reads.
    fn look(&mut self, meanwhile: impl FnOnce()) -> io::Result<bool> {
        let generation = self.table.generation()?;
        if generation == self.generation {
            return Ok(true);
        }
        self.table.read(&mut self.slots)?;
        meanwhile();
        let is_whole = generation.is_multiple_of(2) && self.table.generation()? == generation;
        if is_whole {
            self.generation = generation;
            self.index();
        }
        Ok(is_whole)
    }

    fn index(&mut self) {
        self.sessions = self.slots.chunks_exact(SLOT_BYTES).map(session).collect();
        self.scenes.clear();
        for (id, session) in (0..).zip(&self.sessions) {
            if let Some(session) = session {
                self.scenes.entry(session.scene).or_default().push(id);
            }
        }
    }

    /// The receivers of a packet from `speaker`: all other sessions in its scene. Empty if the session is unknown
    /// or its address differs from `from`.
    pub(super) fn receivers(&self, speaker: u32, from: SocketAddr) -> impl Iterator<Item = (u32, SocketAddr)> {
        let found = self.sessions.get(speaker as usize).copied().flatten();
        let scene = found.filter(|session| SocketAddr::V4(session.address) == from);
        let members = scene.and_then(|session| self.scenes.get(&session.scene)).map_or(&[][..], Vec::as_slice);
        let others = members.iter().copied().filter(move |id| *id != speaker);
        others.filter_map(|id| Some((id, SocketAddr::V4(self.sessions[id as usize]?.address))))
    }
}

fn session(slot: &[u8]) -> Option<FlowParticipant> {
    let four = |at: usize| slot.get(at..)?.first_chunk::<4>().copied();
    let address = SocketAddrV4::new(Ipv4Addr::from(four(4)?), u16::from_le_bytes(*slot.get(8..)?.first_chunk()?));
    (slot.get(10) == Some(&1)).then_some(FlowParticipant { scene: u32::from_le_bytes(four(0)?), address })
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn entry(scene: u32, port: u16) -> FlowParticipant {
        FlowParticipant { scene, address: SocketAddrV4::new(Ipv4Addr::LOCALHOST, port) }
    }

    fn receivers(view: &SessionTableReader, speaker: u32, port: u16) -> Vec<u32> {
        view.receivers(speaker, (Ipv4Addr::LOCALHOST, port).into()).map(|(id, _)| id).collect()
    }

    #[test]
    fn a_reader_sees_added_and_removed_sessions_in_memory_and_in_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sessions");
        for table in [SharedSessionTable::in_memory(), SharedSessionTable::in_file(&path).expect("a file")] {
            let mut view = SessionTableReader::new(match &table {
                SharedSessionTable::Memory(_) => table.clone(),
                SharedSessionTable::File(_) => SharedSessionTable::in_file(&path).expect("the same file"),
            });
            view.refresh().expect("nothing yet");
            assert_eq!(receivers(&view, 0, 1), [0; 0]);
            for (id, scene) in [(0, 7), (1, 7), (2, 8), (3, 7)] {
                table.put(id, Some(entry(scene, 1 + id as u16))).expect("room");
            }
            assert_eq!(receivers(&view, 0, 1), [0; 0], "negative control: it has not looked");
            view.refresh().expect("a table");
            assert_eq!(receivers(&view, 0, 1), [1, 3]);
            assert_eq!(receivers(&view, 0, 2), [0; 0], "from another's address");
            assert_eq!((receivers(&view, 2, 3), receivers(&view, 9, 9)), (vec![], vec![]));
            table.put(1, None).expect("room");
            view.refresh().expect("a table");
            assert_eq!(receivers(&view, 3, 4), [0]);
        }
    }

    #[test]
    fn a_reader_keeps_its_last_table_during_a_write() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sessions");
        let table = SharedSessionTable::in_file(&path).expect("a file");
        table.put(0, Some(entry(7, 1))).expect("room");
        let mut view = SessionTableReader::new(SharedSessionTable::in_file(&path).expect("the same file"));
        view.refresh().expect("a table");
        let SharedSessionTable::File(file) = &table else { panic!("a file") };
        let mut is_taken = true;
        let half = (0, &9_u32.to_le_bytes()[..]);
        table.write(file, half, || is_taken = view.look(|| {}).expect("a table")).expect("room");
        assert!(!is_taken && view.sessions == [Some(entry(7, 1))], "what was whole is still known");
        assert!(view.look(|| {}).expect("a table") && view.sessions == [Some(entry(9, 1))]);
        table.put(0, Some(entry(9, 3))).expect("room");
        let put = || table.put(0, Some(entry(9, 4))).expect("room");
        assert!(!view.look(put).expect("a table"), "it was written to while it was read");
        assert_eq!(view.sessions, [Some(entry(9, 1))]);
        assert!(view.look(|| {}).expect("a table") && view.sessions == [Some(entry(9, 4))]);
    }

    /// The writer puts a round number into the first and the last session of a long table, so that a read takes
    /// longer than a write. A reader must see both of one round, or the first of the next.
    #[test]
    fn a_read_is_consistent_during_concurrent_writes() {
        const LAST: u32 = 4_000;
        let folder = tempfile::Builder::new().tempdir_in("/dev/shm").expect("a folder in memory");
        let path = folder.path().join("sessions");
        let table = SharedSessionTable::in_file(&path).expect("a file");
        let seen = Arc::new(AtomicU64::new(0));
        let mut view = SessionTableReader::new(SharedSessionTable::in_file(&path).expect("the same file"));
        let writing = thread::spawn({
            let seen = Arc::clone(&seen);
            move || {
                for round in 1..=800_u16 {
                    for id in [0, LAST] {
                        table.put(id, Some(entry(u32::from(round), round))).expect("room");
                    }
                    // A writer that never pauses would never be read.
                    let seen_before = seen.load(Ordering::Relaxed);
                    while round % 8 == 0 && seen.load(Ordering::Relaxed) == seen_before {
                        thread::yield_now();
                    }
                }
            }
        });
        let mut rounds = 0;
        while !writing.is_finished() {
            view.refresh().expect("a table");
            let read = |id: u32| view.sessions.get(id as usize).copied().flatten();
            for session in view.sessions.iter().flatten() {
                assert_eq!(session.scene, u32::from(session.address.port()), "half a session");
            }
            let [first, last] = [0, LAST].map(|id| read(id).map_or(0, |session| session.scene));
            assert!(first == last || first == last + 1, "{first} beside {last}");
            rounds += u64::from(first > 0);
            seen.fetch_add(1, Ordering::Relaxed);
        }
        writing.join().expect("it does not panic");
        assert!(rounds > 50, "negative control: {rounds} looks");
    }
}
