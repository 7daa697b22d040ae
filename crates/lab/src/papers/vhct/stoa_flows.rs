//! Carries the paper's flows by Stoa: each of a client's three flows is a flow of its motion session, and each packet
//! is a unit in a sealed frame of its own. The generator, its packets and their times are those of the references.
//!
//! A frame has a header of 9 B, an acknowledgement of 23 B, 4 B for the number of flows that the client takes, the
//! flow's declaration of 10 B, and 20 B around the unit's payload. The seal has 19 B more. A packet of 30 B is a
//! datagram of 115 B.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::load::{self, ClientLoad, FlowOptions, LoadStepOutcome};
use super::packet::FlowHeader;
use super::server::FlowServer;
use crate::crowd::CrowdSettings;
use crate::crowd::connections::{CrowdConnections, GeneratorDatagramCounts, NetcodeConnections, overflowed_at};
use crate::crowd::flows::FlowCrowd;
use crate::crowd::tickets::TicketSource;
use crate::machine::process_time;
use crate::servers::Testbed;
use crate::servers::motion::{MotionOptions, MotionServerKind, MotionServerUnderTest};

/// Flows that a client takes at once: all those of its partner.
const HEARS: u8 = 16;

/// One run with a fresh server, which sends as it chooses itself: it forwards every unit.
pub(super) fn measure(testbed: &Testbed, flows: &FlowOptions, load: &ClientLoad) -> Result<LoadStepOutcome> {
    let server = MotionServerUnderTest::start(MotionServerKind::Stoa, testbed, &MotionOptions::default())?;
    let cast = CrowdSettings { people: load.clients, together: load.together, ..CrowdSettings::default() };
    let mut tickets = TicketSource::of(&server, &cast)?;
    let connections = NetcodeConnections::new(load.clients, server.address())?;
    let mut crowd = FlowCrowd::new(connections, (0..load.clients).map(|_| HEARS));
    crowd.enter(&mut tickets).with_context(|| format!("{} clients", load.clients))?;
    load::generate(StoaFlowClients(crowd), flows, load, &server)
}

/// Clients whose packets travel as units.
struct StoaFlowClients<L>(FlowCrowd<L>);

impl<L: CrowdConnections> CrowdConnections for StoaFlowClients<L> {
    fn say(&mut self, person: usize, packet: &[u8]) {
        let head = FlowHeader::read(packet).expect("the generator sends packets of flows");
        self.0.say(person, head.flow, packet);
    }

    fn receive(&mut self, until: Instant, hear: &mut dyn FnMut(usize, &[u8])) -> Result<usize> {
        self.0.receive(until, &mut |person, packet: &[u8], _| hear(person, packet))
    }

    /// All have entered before the load begins.
    fn is_in(&self, _person: usize) -> bool {
        true
    }

    fn counts(&self) -> GeneratorDatagramCounts {
        self.0.counts()
    }
}

impl FlowServer for MotionServerUnderTest<'_> {
    fn time(&self) -> Duration {
        process_time(self.pid())
    }

    fn overflowed(&self) -> u64 {
        overflowed_at(self.ports())
    }
}
