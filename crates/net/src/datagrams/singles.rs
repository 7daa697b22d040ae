//! Sends single datagrams to different receivers in one call: `sendmmsg`.

use std::cell::RefCell;
use std::io::{self, IoSlice};
use std::net::IpAddr;
use std::os::fd::AsRawFd;
use std::thread::LocalKey;

use nix::cmsg_space;
use nix::errno::Errno;
use nix::libc::{in_addr, in_pktinfo, in6_addr, in6_pktinfo};
use nix::sys::socket::{ControlMessage, MsgFlags, MultiHeaders, SockaddrStorage, sendmmsg};

use super::DatagramAddresses;
use super::outgoing::SendRun;
use super::socket::SharedUdpSocket;
use crate::limits;

type MessageHeaders = RefCell<MultiHeaders<SockaddrStorage>>;

// Buffers in which the library builds a call: without a local address, with an IPv4 and with an IPv6 one. They hold
// pointers between calls, so they can't move between threads with a socket.
thread_local! {
    static HEADERS: MessageHeaders = headers(None);
    static HEADERS_V4: MessageHeaders = headers(Some(cmsg_space!(in_pktinfo)));
    static HEADERS_V6: MessageHeaders = headers(Some(cmsg_space!(in6_pktinfo)));
}

fn headers(control: Option<Vec<u8>>) -> MessageHeaders {
    RefCell::new(MultiHeaders::preallocate(limits::SINGLES_MAX, control))
}

/// Queued runs of one datagram each. All leave from one local address, because all messages of a call share it.
#[derive(Debug)]
pub(super) struct SingleDatagramQueue {
    runs: Vec<SendRun>,
    /// The receiver of each run.
    addresses: Vec<Option<SockaddrStorage>>,
}

impl SingleDatagramQueue {
    pub(super) fn new() -> SingleDatagramQueue {
        SingleDatagramQueue {
            runs: Vec::with_capacity(limits::SINGLES_MAX),
            addresses: Vec::with_capacity(limits::SINGLES_MAX),
        }
    }

    pub(super) fn runs(&self) -> &[SendRun] {
        &self.runs
    }

    /// End of the queued datagrams' bytes in the buffer.
    pub(super) fn end(&self) -> usize {
        self.runs.last().map_or(0, SendRun::end)
    }

    pub(super) fn takes(&self, peer: DatagramAddresses) -> bool {
        self.runs.first().is_none_or(|run| run.peer.local == peer.local)
    }

    pub(super) fn push(&mut self, run: SendRun) {
        self.addresses.push(Some(run.peer.remote.into()));
        self.runs.push(run);
    }

    pub(super) fn clear(&mut self) {
        self.runs.clear();
        self.addresses.clear();
    }

    /// Sends the runs from `first` on and returns how many were sent: at least one. An error concerns the first.
    /// Hot path: no allocation.
    pub(super) fn send(&self, first: usize, buffer: &[u8], socket: &SharedUdpSocket) -> io::Result<usize> {
        let (runs, addresses) = (&self.runs[first..], &self.addresses[first..]);
        let slice = |at| runs.get(at).map_or(&[][..], |run: &SendRun| &buffer[run.range()]);
        let slices: [_; limits::SINGLES_MAX] = std::array::from_fn(|at| [IoSlice::new(slice(at))]);
        let send = |headers: &'static LocalKey<MessageHeaders>, control: &[ControlMessage<'_>]| {
            headers.with_borrow_mut(|headers| {
                loop {
                    match sendmmsg(socket.as_raw_fd(), headers, &slices, addresses, control, MsgFlags::empty()) {
                        Err(Errno::EINTR) => {}
                        sent => return Ok(sent?.count()),
                    }
                }
            })
        };
        match runs.first().and_then(|run| run.peer.local) {
            None => send(&HEADERS, &[]),
            Some(IpAddr::V4(local)) => {
                let address = in_addr { s_addr: u32::from_ne_bytes(local.octets()) };
                let from = in_pktinfo { ipi_ifindex: 0, ipi_spec_dst: address, ipi_addr: in_addr { s_addr: 0 } };
                send(&HEADERS_V4, &[ControlMessage::Ipv4PacketInfo(&from)])
            }
            Some(IpAddr::V6(local)) => {
                let from = in6_pktinfo { ipi6_addr: in6_addr { s6_addr: local.octets() }, ipi6_ifindex: 0 };
                send(&HEADERS_V6, &[ControlMessage::Ipv6PacketInfo(&from)])
            }
        }
    }
}

#[cfg(test)]
mod tests;
