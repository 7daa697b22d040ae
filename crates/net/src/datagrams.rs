//! Batched UDP for a blocking thread. Received datagrams are taken in batches. Sent ones are collected and passed
//! to the kernel in one call: consecutive datagrams to one receiver as a run, single datagrams to many receivers
//! together. The calls are those of the crates quinn-udp and nix; nothing here is unsafe.
//!
//! Costs:
//! * Receiving: one `recvmmsg` for 32 messages, each of up to 64 datagrams of one sender where the kernel has GRO,
//!   and a `poll` only if nothing is queued.
//! * Sending: one `sendmsg` for each run of up to 64 datagrams of one length to one receiver (GSO), and one
//!   `sendmmsg` for up to 64 single datagrams. Without GSO in kernel or network card, all datagrams are single.
//!
//! Batches save system calls. The kernel's cost per datagram stays the same.

mod counts;
mod incoming;
mod outgoing;
mod singles;
mod socket;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

pub(crate) use self::counts::ReceiveDropReader;
pub use self::counts::SocketCounts;
pub use self::incoming::{DatagramReceiver, ReceivedDatagramIterator};
pub use self::outgoing::DatagramSender;
use self::socket::SharedUdpSocket;
pub(crate) use self::socket::open;

/// Both ends of a datagram. An answer leaves from the address that the request was sent to: a host may have
/// several, and a client accepts no answer from another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DatagramAddresses {
    /// The peer's address.
    pub remote: SocketAddr,
    /// Our address; `None` if the system doesn't report it. The system then chooses one.
    pub local: Option<IpAddr>,
}

/// One UDP socket. The two directions are separate fields, so that a received datagram can be answered while it is
/// borrowed.
#[derive(Debug)]
pub struct DatagramSocket {
    /// Receives datagrams.
    pub incoming: DatagramReceiver,
    /// Sends datagrams.
    pub outgoing: DatagramSender,
    socket: Arc<SharedUdpSocket>,
}

impl DatagramSocket {
    /// Binds `address`; `[::]` falls back to IPv4 on a machine without IPv6.
    ///
    /// # Errors
    /// `address` can't be bound.
    pub fn bind(address: SocketAddr) -> io::Result<DatagramSocket> {
        let socket = Arc::new(SharedUdpSocket::bind(address)?);
        let (incoming, outgoing) =
            (DatagramReceiver::new(Arc::clone(&socket)), DatagramSender::new(Arc::clone(&socket))?);
        Ok(DatagramSocket { incoming, outgoing, socket })
    }

    /// Sets the batch size: messages per [`DatagramReceiver::receive`], at most [`crate::limits::BATCH_MESSAGES_MAX`],
    /// and datagrams per sending call, at most [`crate::limits::RUN_DATAGRAMS_MAX`]. With 1, a call sends one datagram
    /// or receives one message. Lets a measurement tell the gain of batches.
    #[must_use]
    pub fn with_batch(mut self, datagrams_max: usize) -> DatagramSocket {
        self.incoming.set_batch(datagrams_max);
        self.outgoing.set_batch(datagrams_max);
        self
    }

    /// The bound address.
    ///
    /// # Errors
    /// The system doesn't report it.
    pub fn local_address(&self) -> io::Result<SocketAddr> {
        self.socket.local_address()
    }

    /// Counters so far. Reads files below `/proc` for the overflows of the receive buffer: call it once a second, not
    /// per datagram.
    pub fn counts(&self) -> SocketCounts {
        let overflowed = counts::overflowed(&self.socket);
        SocketCounts { overflowed, ..self.incoming.counts().plus(self.outgoing.counts()) }
    }
}

#[cfg(test)]
mod tests;
