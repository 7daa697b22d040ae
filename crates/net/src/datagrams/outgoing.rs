//! What goes.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use quinn_udp::{Transmit, UdpSocketState};

use super::socket::Socket;
use super::{Counts, Way};
use crate::limits;

/// Puts datagrams together to runs: one after the other to the same receiver, all of one length but the last, which may be shorter. A run goes out in one call when the next
/// datagram does not belong to it, so what follows each other should be alike: all datagrams of a tick to one receiver, padded to one length. It goes out while it is
/// still in the nearest cache.
#[derive(Debug)]
pub struct Outgoing {
    socket: Arc<Socket>,
    state: UdpSocketState,
    /// Since when the library sends each datagram in a call of its own, though the kernel has GSO.
    halted_at: Option<Instant>,
    has_offload: bool,
    /// Datagrams of one call, where the kernel takes so many.
    run_max: usize,
    buffer: Vec<u8>,
    run: Option<Run>,
    counts: Counts,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    way: Way,
    /// Of each datagram but the last.
    length: usize,
    /// Of all of them.
    bytes: usize,
    /// The last one was shorter.
    closed: bool,
}

impl Outgoing {
    pub(super) fn new(socket: Arc<Socket>) -> io::Result<Outgoing> {
        let state = socket.fresh_state()?;
        let has_offload = state.max_gso_segments() > 1;
        let buffer = vec![0; limits::RUN_BYTES_MAX];
        Ok(Outgoing {
            socket,
            state,
            halted_at: None,
            has_offload,
            run_max: limits::RUN_DATAGRAMS_MAX,
            buffer,
            run: None,
            counts: Counts::default(),
        })
    }

    pub(super) fn set_batch(&mut self, run_max: usize) {
        self.run_max = run_max.clamp(1, limits::RUN_DATAGRAMS_MAX);
    }

    /// Datagrams that one call takes; 1 where there is no GSO, or where it failed of late.
    pub fn segments_max(&self) -> usize {
        self.state.max_gso_segments().clamp(1, self.run_max)
    }

    /// Adds one datagram: `write` gets room for [`limits::DATAGRAM_BYTES_MAX`] bytes and says how many of them it used; 0 is none. Hot path: no allocation.
    pub fn add(&mut self, way: Way, write: impl FnOnce(&mut [u8]) -> usize) {
        // The system would refuse it, and the library would take that for a lack of GSO: who forges such a sender must not slow down all others.
        if way.remote.port() == 0 {
            self.counts.unsent_refused += 1;
            return;
        }
        if self.run.is_some_and(|run| !self.takes_more(run, way)) {
            self.flush();
        }
        let begin = self.run.map_or(0, |run| run.bytes);
        let room = &mut self.buffer[begin..begin + limits::DATAGRAM_BYTES_MAX];
        let length = write(room).min(limits::DATAGRAM_BYTES_MAX);
        match self.run {
            _ if length == 0 => {}
            Some(run) if length <= run.length => {
                self.run = Some(Run { bytes: run.bytes + length, closed: length < run.length, ..run });
            }
            // Longer than those before: it begins a run of its own.
            Some(_) => {
                self.flush();
                self.buffer.copy_within(begin..begin + length, 0);
                self.run = Some(Run { way, length, bytes: length, closed: false });
            }
            None => self.run = Some(Run { way, length, bytes: length, closed: false }),
        }
    }

    /// Sends what was put together. Call it when nothing more follows.
    pub fn flush(&mut self) {
        let Some(run) = self.run.take() else { return };
        self.revive();
        let datagrams = run.bytes.div_ceil(run.length);
        if datagrams == 1 || datagrams > self.segments_max() {
            self.send_singly(run);
            return;
        }
        match self.send(run, 0..run.bytes) {
            // No GSO on the way that this takes; the library has noticed, and from now on says so.
            Err(error) if !is_full(&error) && self.segments_max() == 1 => self.send_singly(run),
            sent => self.count(&sent, datagrams, run.bytes),
        }
    }

    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    fn takes_more(&self, run: Run, way: Way) -> bool {
        run.way == way
            && !run.closed
            && run.bytes + limits::DATAGRAM_BYTES_MAX <= self.buffer.len()
            && run.bytes / run.length < self.segments_max()
    }

    /// The library takes each `EINVAL` for a lack of GSO, also one that comes of an address of ours that is gone, and never asks again. We do, after a while.
    fn revive(&mut self) {
        if !self.has_offload || self.state.max_gso_segments() > 1 {
            return;
        }
        let halted_at = *self.halted_at.get_or_insert_with(Instant::now);
        if halted_at.elapsed() >= limits::OFFLOAD_RETRY
            && let Ok(state) = self.socket.fresh_state()
        {
            (self.state, self.halted_at) = (state, None);
        }
    }

    fn send_singly(&mut self, run: Run) {
        let mut begin = 0;
        while begin < run.bytes {
            let end = run.bytes.min(begin + run.length);
            let sent = self.send(run, begin..end);
            self.count(&sent, 1, end - begin);
            begin = end;
        }
    }

    /// A full buffer is waited for, but not long: what is late is of no use, and all others wait too.
    fn send(&mut self, run: Run, range: Range<usize>) -> io::Result<()> {
        let transmit = Transmit {
            destination: run.way.remote,
            ecn: None,
            segment_size: (range.len() > run.length).then_some(run.length),
            contents: &self.buffer[range],
            src_ip: run.way.local,
        };
        self.counts.send_calls += 1;
        match self.socket.send(&self.state, &transmit) {
            Err(error) if is_full(&error) && self.socket.wait_writable(limits::SEND_WAIT).unwrap_or(false) => {
                self.counts.send_calls += 1;
                self.socket.send(&self.state, &transmit)
            }
            sent => sent,
        }
    }

    fn count(&mut self, sent: &io::Result<()>, datagrams: usize, bytes: usize) {
        match sent {
            Ok(()) => {
                self.counts.sent += datagrams as u64;
                self.counts.sent_bytes += bytes as u64;
            }
            Err(error) if is_full(error) => self.counts.unsent_full += datagrams as u64,
            Err(_) => self.counts.unsent_refused += datagrams as u64,
        }
    }
}

/// The socket's buffer has no room, or a queue behind it (`ENOBUFS`, which has no kind of its own).
fn is_full(error: &io::Error) -> bool {
    const ENOBUFS: i32 = rustix::io::Errno::NOBUFS.raw_os_error();
    error.kind() == io::ErrorKind::WouldBlock || error.raw_os_error() == Some(ENOBUFS)
}
