//! Connects people to a plain relay. A person sends each frame unsealed, with the person's number before it, and the
//! relay forwards the datagram unchanged to everyone.

use std::net::SocketAddr;
use std::time::Instant;

use anyhow::Result;
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::{FramePartKind, MotionFrame, OwnPose, PackedPose};

use super::connections::{CrowdConnections, GeneratorDatagramCounts};
use super::decoder::PersonObjectId;
use super::sockets::SharedSockets;

/// The sender's number, before a frame.
const NUMBER_BYTES: usize = 4;

/// Connections to a relay.
pub(crate) struct RelayConnections {
    sockets: SharedSockets,
    heard: Vec<bool>,
    counts: GeneratorDatagramCounts,
}

impl RelayConnections {
    pub(crate) fn new(people: usize, relay: SocketAddr) -> Result<RelayConnections> {
        let counts = GeneratorDatagramCounts::default();
        Ok(RelayConnections { sockets: SharedSockets::new(people, relay)?, heard: vec![false; people], counts })
    }
}

impl CrowdConnections for RelayConnections {
    const IS_RELAYED: bool = true;

    fn say(&mut self, person: usize, frame: &[u8]) {
        let mut datagram = [0; NUMBER_BYTES + FRAME_BYTES_MAX];
        let length = NUMBER_BYTES + frame.len();
        datagram[..NUMBER_BYTES].copy_from_slice(&(person as u32).to_le_bytes());
        datagram[NUMBER_BYTES..length].copy_from_slice(frame);
        if self.sockets.send(person, &datagram[..length]).is_err() {
            self.counts.unsent += 1;
        }
    }

    fn receive(&mut self, until: Instant, hear: &mut dyn FnMut(usize, &[u8])) -> Result<usize> {
        let RelayConnections { sockets, heard, counts } = self;
        sockets.receive(until, |person, datagram| {
            counts.opened += 1;
            counts.bytes += datagram.len() as u64;
            if let Some(heard) = heard.get_mut(person) {
                *heard = true;
                hear(person, datagram);
            }
        })
    }

    fn is_in(&self, person: usize) -> bool {
        self.heard[person]
    }

    fn counts(&self) -> GeneratorDatagramCounts {
        GeneratorDatagramCounts { overflowed: self.sockets.overflowed(), ..self.counts }
    }
}

/// Passes each pose of a relayed datagram to `see`.
pub(super) fn decode(datagram: &[u8], mut see: impl FnMut(PersonObjectId, &PackedPose)) -> Option<()> {
    let (number, frame) = datagram.split_first_chunk::<NUMBER_BYTES>()?;
    let person = u32::from_le_bytes(*number) as usize;
    for (kind, content) in MotionFrame::read(frame).ok()?.parts() {
        if kind == FramePartKind::Own as u8 {
            OwnPose::read_all(content)
                .for_each(|own| see(PersonObjectId { person, index: usize::from(own.index) }, &own.pose));
        }
    }
    Some(())
}
