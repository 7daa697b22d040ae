//! Sends UDP datagrams in batches: runs to one receiver (GSO), and single datagrams to many receivers (`sendmmsg`).

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use quinn_udp::{Transmit, UdpSocketState};

use super::singles::SingleDatagramQueue;
use super::socket::SharedUdpSocket;
use super::{DatagramAddresses, SocketCounts};
use crate::limits;

/// Collects datagrams into runs: consecutive ones to the same receiver, all of one length except the last, which
/// may be shorter. A run is sent in one call as soon as the next datagram doesn't belong to it, so similar
/// datagrams should follow each other: all of a tick to one receiver, padded to one length. Runs of a single
/// datagram are queued and sent together. All are sent while still in the CPU's nearest caches.
#[derive(Debug)]
pub struct DatagramSender {
    socket: Arc<SharedUdpSocket>,
    state: UdpSocketState,
    /// When the library disabled GSO, though the kernel has it.
    halted_at: Option<Instant>,
    has_offload: bool,
    /// Datagrams per call, where the kernel allows.
    call_max: usize,
    /// First the queued single datagrams, then the run.
    buffer: Vec<u8>,
    singles: SingleDatagramQueue,
    run: Option<SendRun>,
    counts: SocketCounts,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct SendRun {
    pub(super) peer: DatagramAddresses,
    /// Position of the run's first byte in the buffer.
    begin: usize,
    /// Bytes of each datagram except the last.
    length: usize,
    /// Bytes of all datagrams.
    bytes: usize,
    /// The last datagram was shorter, so none may follow.
    closed: bool,
}

impl SendRun {
    fn single(peer: DatagramAddresses, begin: usize, length: usize) -> SendRun {
        SendRun { peer, begin, length, bytes: length, closed: false }
    }

    fn datagrams(&self) -> usize {
        self.bytes.div_ceil(self.length)
    }

    pub(super) fn end(&self) -> usize {
        self.begin + self.bytes
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.begin..self.end()
    }
}

impl DatagramSender {
    pub(super) fn new(socket: Arc<SharedUdpSocket>) -> io::Result<DatagramSender> {
        let state = socket.fresh_state()?;
        let has_offload = state.max_gso_segments() > 1;
        Ok(DatagramSender {
            socket,
            state,
            halted_at: None,
            has_offload,
            call_max: limits::RUN_DATAGRAMS_MAX,
            buffer: vec![0; limits::RUN_BYTES_MAX],
            singles: SingleDatagramQueue::new(),
            run: None,
            counts: SocketCounts::default(),
        })
    }

    pub(super) fn set_batch(&mut self, call_max: usize) {
        self.call_max = call_max.clamp(1, limits::RUN_DATAGRAMS_MAX);
    }

    /// Datagrams to one receiver per call; 1 without GSO, or after it failed recently.
    pub fn segments_max(&self) -> usize {
        self.state.max_gso_segments().clamp(1, self.call_max)
    }

    /// Adds one datagram: `write` gets [`limits::DATAGRAM_BYTES_MAX`] bytes and returns how many it used; 0 adds
    /// none. Hot path: no allocation.
    pub fn add(&mut self, peer: DatagramAddresses, write: impl FnOnce(&mut [u8]) -> usize) {
        // The system refuses port 0, and the library takes that for a lack of GSO. A forged source port must not
        // slow down all receivers.
        if peer.remote.port() == 0 {
            self.counts.unsent_refused += 1;
            return;
        }
        if self.run.is_some_and(|run| !self.takes_more(run, peer)) {
            self.end_run();
        }
        if self.run.is_none() && !self.has_room(self.singles.end()) {
            self.send_singles();
        }
        let begin = self.run.map_or(self.singles.end(), |run| run.end());
        let room = &mut self.buffer[begin..begin + limits::DATAGRAM_BYTES_MAX];
        let length = write(room).min(limits::DATAGRAM_BYTES_MAX);
        match self.run {
            _ if length == 0 => {}
            Some(run) if length <= run.length => {
                self.run = Some(SendRun { bytes: run.bytes + length, closed: length < run.length, ..run });
            }
            // A longer datagram begins a new run.
            _ => {
                self.end_run();
                self.run = Some(SendRun::single(peer, begin, length));
            }
        }
    }

    /// Sends all collected datagrams. Call it when nothing more follows.
    pub fn flush(&mut self) {
        self.end_run();
        self.send_singles();
    }

    pub(super) fn counts(&self) -> SocketCounts {
        self.counts
    }

    fn takes_more(&self, run: SendRun, peer: DatagramAddresses) -> bool {
        run.peer == peer && !run.closed && self.has_room(run.end()) && run.datagrams() < self.segments_max()
    }

    fn has_room(&self, begin: usize) -> bool {
        begin + limits::DATAGRAM_BYTES_MAX <= self.buffer.len()
    }

    /// Queues a run of one datagram. A longer run is sent, after the queued ones: datagrams to one receiver keep
    /// their order.
    fn end_run(&mut self) {
        let Some(run) = self.run.take() else { return };
        if run.datagrams() == 1 {
            self.keep(run);
            return;
        }
        self.send_singles();
        if run.datagrams() > self.segments_max() {
            self.send_singly(run);
            return;
        }
        match self.send(run) {
            // The path lacks GSO; the library has noticed and reports it from now on.
            Err(error) if !is_full(&error) && self.segments_max() == 1 => self.send_singly(run),
            sent => self.count(&sent, run),
        }
    }

    fn keep(&mut self, run: SendRun) {
        if !self.singles.takes(run.peer) {
            self.send_singles();
        }
        self.singles.push(run);
        if self.singles.runs().len() >= self.call_max.min(limits::SINGLES_MAX) {
            self.send_singles();
        }
    }

    fn send_singly(&mut self, run: SendRun) {
        for begin in run.range().step_by(run.length) {
            self.keep(SendRun::single(run.peer, begin, run.length.min(run.end() - begin)));
        }
        self.send_singles();
    }

    /// Sends the queued runs. The system reports how many it sent, and an error only for the first run. A failed run is
    /// skipped, and the rest is sent.
    fn send_singles(&mut self) {
        self.revive();
        let mut first = 0;
        while let Some(&run) = self.singles.runs().get(first) {
            let sent = if self.singles.runs().len() == 1 {
                self.send(run).map(|()| 1)
            } else {
                self.call(|outgoing| outgoing.singles.send(first, &outgoing.buffer, &outgoing.socket))
            };
            let done = *sent.as_ref().unwrap_or(&1);
            let sent = sent.map(drop);
            (first..first + done).for_each(|at| self.count(&sent, self.singles.runs()[at]));
            first += done;
        }
        self.singles.clear();
    }

    /// Enables GSO again after [`limits::OFFLOAD_RETRY`]. The library disables it for good on each `EINVAL`, also on
    /// one caused by a local address that is gone.
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

    fn send(&mut self, run: SendRun) -> io::Result<()> {
        self.call(|outgoing| {
            let transmit = Transmit {
                destination: run.peer.remote,
                ecn: None,
                segment_size: (run.bytes > run.length).then_some(run.length),
                contents: &outgoing.buffer[run.range()],
                src_ip: run.peer.local,
            };
            outgoing.socket.send(&outgoing.state, &transmit)
        })
    }

    /// Calls `send`. If the send buffer is full, waits briefly for space and calls it once more. It waits no longer,
    /// because late datagrams are useless and all receivers wait.
    fn call<T>(&mut self, send: impl Fn(&DatagramSender) -> io::Result<T>) -> io::Result<T> {
        self.counts.send_calls += 1;
        match send(self) {
            Err(error) if is_full(&error) && self.socket.wait_writable(limits::SEND_WAIT).unwrap_or(false) => {
                self.counts.send_calls += 1;
                send(self)
            }
            sent => sent,
        }
    }

    fn count(&mut self, sent: &io::Result<()>, run: SendRun) {
        let datagrams = run.datagrams() as u64;
        match sent {
            Ok(()) => {
                self.counts.sent += datagrams;
                self.counts.sent_bytes += run.bytes as u64;
            }
            Err(error) if is_full(error) => self.counts.unsent_full += datagrams,
            Err(_) => self.counts.unsent_refused += datagrams,
        }
    }
}

/// Whether the socket's buffer is full, or a queue behind it (`ENOBUFS`, which has no `ErrorKind`).
fn is_full(error: &io::Error) -> bool {
    const ENOBUFS: i32 = rustix::io::Errno::NOBUFS.raw_os_error();
    error.kind() == io::ErrorKind::WouldBlock || error.raw_os_error() == Some(ENOBUFS)
}
