//! The UDP socket shared by both directions: binding, waiting, and quinn-udp's calls.

use std::io::{self, IoSliceMut};
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::os::fd::{AsRawFd, RawFd};
use std::time::{Duration, Instant};

use quinn_udp::{RecvMeta, Transmit, UdpSocketState};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use socket2::{Domain, Protocol, Type};

use crate::address_family::is_family_missing;
use crate::limits;

#[derive(Debug)]
pub(super) struct SharedUdpSocket {
    socket: UdpSocket,
    state: UdpSocketState,
}

impl SharedUdpSocket {
    pub(super) fn bind(address: SocketAddr) -> io::Result<SharedUdpSocket> {
        let socket = match open(address) {
            Err(error) if is_family_missing(&error) && address.ip().is_unspecified() && address.is_ipv6() => {
                open((Ipv4Addr::UNSPECIFIED, address.port()).into())?
            }
            opened => opened?,
        };
        // Makes the socket non-blocking and enables GRO, path MTU discovery and reporting of the local address.
        let state = UdpSocketState::new((&socket).into())?;
        Ok(SharedUdpSocket { socket, state })
    }

    pub(super) fn local_address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// The library's send state, as of a new socket.
    pub(super) fn fresh_state(&self) -> io::Result<UdpSocketState> {
        UdpSocketState::new((&self.socket).into())
    }

    pub(super) fn receive(&self, slots: &mut [IoSliceMut<'_>], arrived: &mut [RecvMeta]) -> io::Result<usize> {
        self.state.recv((&self.socket).into(), slots, arrived)
    }

    pub(super) fn send(&self, state: &UdpSocketState, transmit: &Transmit<'_>) -> io::Result<()> {
        state.try_send((&self.socket).into(), transmit)
    }

    /// Waits for a datagram; false if none arrived before `until`.
    pub(super) fn wait_readable(&self, until: Instant) -> io::Result<bool> {
        self.wait(PollFlags::IN, until)
    }

    /// Waits for space in the send buffer; false if the buffer stayed full for `wait`.
    pub(super) fn wait_writable(&self, wait: Duration) -> io::Result<bool> {
        self.wait(PollFlags::OUT, Instant::now() + wait)
    }

    fn wait(&self, flags: PollFlags, until: Instant) -> io::Result<bool> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            let left = Timespec::try_from(left).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 });
            let mut fds = [PollFd::new(&self.socket, flags)];
            match poll(&mut fds, Some(&left)) {
                Ok(0) => return Ok(false),
                Ok(_) => return Ok(true),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl AsRawFd for SharedUdpSocket {
    fn as_raw_fd(&self) -> RawFd {
        self.socket.as_raw_fd()
    }
}

/// A socket with large buffers; `[::]` serves both address families.
pub(crate) fn open(address: SocketAddr) -> io::Result<UdpSocket> {
    let socket = socket2::Socket::new(Domain::for_address(address), Type::DGRAM, Some(Protocol::UDP))?;
    if address.is_ipv6() {
        socket.set_only_v6(!address.ip().is_unspecified())?;
    }
    // The system silently caps the sizes.
    let _ = socket.set_recv_buffer_size(limits::RECEIVE_BUFFER_BYTES);
    let _ = socket.set_send_buffer_size(limits::SEND_BUFFER_BYTES);
    socket.bind(&address.into())?;
    Ok(socket.into())
}
