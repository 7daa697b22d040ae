//! Receives UDP datagrams in batches (`recvmmsg`, GRO) into buffers that are allocated once.

use std::io::{self, IoSliceMut};
use std::sync::Arc;
use std::time::Instant;

use quinn_udp::{BATCH_SIZE, RecvMeta};

use super::socket::SharedUdpSocket;
use super::{DatagramAddresses, SocketCounts};
use crate::limits;

/// The largest IP packet fits, so nothing is truncated. The remainder keeps the starts of slots off the same cache
/// lines.
const SLOT_BYTES: usize = 65_536 + 1_280;
const _: () = assert!(limits::BATCH_MESSAGES_MAX.is_multiple_of(BATCH_SIZE));

/// Receives datagrams. Its buffers are allocated once; of their 16 MiB the system backs only the pages that were
/// written to.
#[derive(Debug)]
pub struct DatagramReceiver {
    socket: Arc<SharedUdpSocket>,
    slots: Vec<u8>,
    /// One per slot.
    arrived: Vec<RecvMeta>,
    /// Messages per call.
    messages_max: usize,
    counts: SocketCounts,
}

impl DatagramReceiver {
    pub(super) fn new(socket: Arc<SharedUdpSocket>) -> DatagramReceiver {
        let slots = vec![0; limits::BATCH_MESSAGES_MAX * SLOT_BYTES];
        let arrived = vec![RecvMeta::default(); limits::BATCH_MESSAGES_MAX];
        DatagramReceiver {
            socket,
            slots,
            arrived,
            messages_max: limits::BATCH_MESSAGES_MAX,
            counts: SocketCounts::default(),
        }
    }

    pub(super) fn set_batch(&mut self, messages_max: usize) {
        self.messages_max = messages_max.clamp(1, limits::BATCH_MESSAGES_MAX);
    }

    /// Waits for datagrams until `until` and takes all that are queued, up to [`limits::BATCH_MESSAGES_MAX`]
    /// messages or the limit of [`super::DatagramSocket::with_batch`]. Hot path: no allocation.
    ///
    /// # Errors
    /// The socket failed.
    pub fn receive(&mut self, until: Instant) -> io::Result<ReceivedDatagramIterator<'_>> {
        let mut filled = self.take()?;
        if filled == 0 && self.socket.wait_readable(until)? {
            filled = self.take()?;
        }
        let arrived = &self.arrived[..filled];
        for meta in arrived {
            self.counts.received += meta.len.div_ceil(meta.stride.max(1)).max(1) as u64;
            self.counts.received_bytes += meta.len as u64;
        }
        Ok(ReceivedDatagramIterator { slots: &mut self.slots[..filled * SLOT_BYTES], arrived, begun: None })
    }

    pub(super) fn counts(&self) -> SocketCounts {
        self.counts
    }

    fn take(&mut self) -> io::Result<usize> {
        let mut filled = 0;
        let mut slots = self.slots.chunks_exact_mut(SLOT_BYTES);
        for arrived in self.arrived[..self.messages_max].chunks_mut(BATCH_SIZE) {
            let mut run: [IoSliceMut<'_>; BATCH_SIZE] =
                std::array::from_fn(|_| IoSliceMut::new(slots.next().expect("there is a slot for each message")));
            self.counts.receive_calls += 1;
            let count = match self.socket.receive(&mut run[..arrived.len()], arrived) {
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => 0,
                Err(error) => return Err(error),
            };
            filled += count;
            if count < arrived.len() {
                break;
            }
        }
        Ok(filled)
    }
}

/// Iterates over the received datagrams: the peer's address, and the bytes, which may be overwritten.
#[derive(Debug)]
pub struct ReceivedDatagramIterator<'a> {
    slots: &'a mut [u8],
    arrived: &'a [RecvMeta],
    /// The rest of the message that is being split.
    begun: Option<ReceivedRun<'a>>,
}

#[derive(Debug)]
struct ReceivedRun<'a> {
    peer: DatagramAddresses,
    stride: usize,
    rest: &'a mut [u8],
}

impl<'a> ReceivedDatagramIterator<'a> {
    fn next_message(&mut self) -> Option<ReceivedRun<'a>> {
        let (meta, arrived) = self.arrived.split_first()?;
        let (slot, slots) = std::mem::take(&mut self.slots).split_at_mut_checked(SLOT_BYTES)?;
        (self.arrived, self.slots) = (arrived, slots);
        let peer = DatagramAddresses { remote: meta.addr, local: meta.dst_ip };
        Some(ReceivedRun { peer, stride: meta.stride.max(1), rest: slot.get_mut(..meta.len)? })
    }
}

impl<'a> Iterator for ReceivedDatagramIterator<'a> {
    type Item = (DatagramAddresses, &'a mut [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let mut message = match self.begun.take() {
            Some(message) => message,
            None => self.next_message()?,
        };
        let length = message.stride.min(message.rest.len());
        let (datagram, rest) = std::mem::take(&mut message.rest).split_at_mut(length);
        let peer = message.peer;
        if !rest.is_empty() {
            message.rest = rest;
            self.begun = Some(message);
        }
        Some((peer, datagram))
    }
}
