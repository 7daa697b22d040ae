//! UDP in batches, for a thread that blocks: what came is taken in runs, and what goes is put together and handed over in one call: to one receiver as a run, and to
//! many of whom each gets a single datagram. Source of the calls: the crates quinn-udp and nix; nothing here is unsafe.
//!
//! What it costs: taking, one `recvmmsg` for 32 messages, of which each holds up to 64 datagrams of one sender where the kernel has GRO, and one `poll` only where
//! nothing waits. Sending, one `sendmsg` for each run of up to 64 datagrams of one length to one receiver (GSO), and one `sendmmsg` for up to 64 single ones, which all
//! are where the kernel or the card has no GSO. It saves their entries into the kernel; what each costs there, it costs as before.

mod counts;
mod incoming;
mod outgoing;
mod singles;
mod socket;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

pub(crate) use self::counts::OverflowProbe;
pub use self::counts::SocketCounts;
pub use self::incoming::{DatagramReceiver, ReceivedBatch};
pub use self::outgoing::DatagramSender;
use self::socket::SharedSocket;
pub(crate) use self::socket::open;

/// Both ends of a datagram's way. Answers leave from the address that was asked: a host may have several, and who asked one takes no answer from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PeerAddress {
    /// Theirs.
    pub remote: SocketAddr,
    /// Ours; `None` where the system doesn't say, and then it chooses.
    pub local: Option<IpAddr>,
}

/// One UDP socket, both directions. They are two fields, so that what came can be answered while it is looked at.
#[derive(Debug)]
pub struct DatagramSocket {
    /// Receives datagrams.
    pub incoming: DatagramReceiver,
    /// Sends datagrams.
    pub outgoing: DatagramSender,
    socket: Arc<SharedSocket>,
}

impl DatagramSocket {
    /// Binds `address`, on IPv4 alone where `[::]` isn't there.
    ///
    /// # Errors
    /// The address can't be bound.
    pub fn bind(address: SocketAddr) -> io::Result<DatagramSocket> {
        let socket = Arc::new(SharedSocket::bind(address)?);
        let (incoming, outgoing) =
            (DatagramReceiver::new(Arc::clone(&socket)), DatagramSender::new(Arc::clone(&socket))?);
        Ok(DatagramSocket { incoming, outgoing, socket })
    }

    /// The same with another vector: at most so many messages are taken in one go, and at most so many datagrams sent in one call, to one receiver or to many. 1 is the way without vectors, one call for each; more than
    /// [`limits::BATCH_MESSAGES_MAX`] is as much as that. So a measurement can tell what vectors gain.
    #[must_use]
    pub fn with_batch(mut self, datagrams_max: usize) -> DatagramSocket {
        self.incoming.set_batch(datagrams_max);
        self.outgoing.set_batch(datagrams_max);
        self
    }

    /// The address that is bound.
    ///
    /// # Errors
    /// The system does not say.
    pub fn local_address(&self) -> io::Result<SocketAddr> {
        self.socket.local_address()
    }

    /// What was counted so far. Reads a file of the system's for what the socket's buffer had no room for: once a second, not for each datagram.
    pub fn counts(&self) -> SocketCounts {
        let overflowed = counts::overflowed(&self.socket);
        SocketCounts { overflowed, ..self.incoming.counts().and(self.outgoing.counts()) }
    }
}

#[cfg(test)]
mod tests;
