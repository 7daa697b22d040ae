//! Serves motion, voice and video by UDP. One socket serves all three flows, which differ by a byte, since three
//! sockets would be polled in sequence. *Sequential* uses one system call for each datagram, in and out. *In
//! vectors* uses Stoa's own datapath: it reads waiting messages up to the vector's length, each of one or, with GRO,
//! several datagrams. It sorts the datagrams by receiver and length, and sends runs of one length to one receiver, or
//! single datagrams to several, in one call.

use std::cmp::Reverse;
use std::net::{SocketAddr, UdpSocket};
use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::Result;
use nix::sys::socket::{setsockopt, sockopt};
use stoa_net::datagrams::{DatagramAddresses, DatagramSocket};
use stoa_net::limits::{RECEIVE_BUFFER_BYTES, SEND_BUFFER_BYTES};

use super::packet::{BYTES_MAX, FlowHeader};
use super::table::SessionTableReader;

/// Serves single datagrams until killed.
pub(super) fn serve_sequentially(socket: &UdpSocket, mut view: SessionTableReader) -> Result<()> {
    // Requests the buffer sizes that the datapath requests too.
    let _ = setsockopt(socket, sockopt::RcvBuf, &RECEIVE_BUFFER_BYTES);
    let _ = setsockopt(socket, sockopt::SndBuf, &SEND_BUFFER_BYTES);
    let mut datagram = [0; BYTES_MAX];
    loop {
        let (length, from) = socket.recv_from(&mut datagram)?;
        view.refresh()?;
        let Some(head) = FlowHeader::read(&datagram[..length]) else { continue };
        for (_, to) in view.receivers(head.session, from) {
            // A datagram that the system does not accept is lost, as on any path.
            let _ = socket.send_to(&datagram[..length], to);
        }
    }
}

/// Datagrams that were read together, in sending order.
#[derive(Debug, Default)]
struct ForwardingBatch {
    bytes: Vec<u8>,
    /// Receiver, length, address and content. Only the last datagram of a GSO run may be shorter, so long ones precede.
    order: Vec<(u32, Reverse<usize>, SocketAddr, Range<usize>)>,
}

/// Serves in vectors until killed.
pub(super) fn serve_in_vectors(mut datagrams: DatagramSocket, mut view: SessionTableReader) -> Result<()> {
    let mut vector = ForwardingBatch::default();
    loop {
        vector.turn(&mut datagrams, &mut view)?;
    }
}

impl ForwardingBatch {
    fn turn(&mut self, datagrams: &mut DatagramSocket, view: &mut SessionTableReader) -> Result<()> {
        self.bytes.clear();
        self.order.clear();
        let mut is_fresh = false;
        for (way, datagram) in datagrams.incoming.receive(Instant::now() + Duration::from_secs(1))? {
            if !is_fresh {
                view.refresh()?;
                is_fresh = true;
            }
            let Some(head) = FlowHeader::read(datagram) else { continue };
            let begin = self.bytes.len();
            self.bytes.extend_from_slice(&datagram[..datagram.len().min(BYTES_MAX)]);
            let said = begin..self.bytes.len();
            let receivers = view.receivers(head.session, way.remote);
            self.order.extend(receivers.map(|(id, to)| (id, Reverse(said.len()), to, said.clone())));
        }
        if self.order.len() > 1 {
            // The sort is stable: datagrams of one length keep their order.
            self.order.sort_by_key(|(id, length, ..)| (*id, *length));
        }
        for (_, _, to, said) in &self.order {
            let said = &self.bytes[said.clone()];
            datagrams.outgoing.add(DatagramAddresses { remote: *to, local: None }, |room| {
                room[..said.len()].copy_from_slice(said);
                said.len()
            });
        }
        datagrams.outgoing.flush();
        Ok(())
    }
}
