//! A client at the end of a simulated link: it acknowledges frames and reports their arrivals.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use stoa_state::motion::MotionTime;
use stoa_state::motion::replica::MotionReplica;
use stoa_state::time::Time;
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{
    FlowId, FrameArrivalsWriter, FrameEntriesWriter, FrameHeader, FramePartKind, MediaUnit, MotionFrame,
};

use super::link::DeliveredFrame;

/// The client.
#[derive(Default)]
pub(super) struct LinkReceiver {
    pub(super) replica: MotionReplica,
    sequence: u32,
    underway: VecDeque<DeliveredFrame>,
    /// Arrivals that were not reported, by sequence, and the first sequence that was neither.
    arrivals: BTreeMap<u32, u32>,
    next: u32,
    units: BTreeMap<u32, u64>,
    /// Delays of units since the last call of [`LinkReceiver::take_unit_delays`].
    delays_us: Vec<u64>,
}

/// Beginning of the client's clock.
const CLOCK_Q: u32 = u32::MAX - 40_000;

impl LinkReceiver {
    pub(super) fn push(&mut self, frame: DeliveredFrame) {
        self.underway.push_back(frame);
    }

    /// Receives the frames that have arrived. `spoken_us` is when a unit of this flow and number was spoken.
    pub(super) fn receive(&mut self, now_us: u64, spoken_us: impl Fn(FlowId, u32) -> u64) {
        while let Some(arrived) = self.underway.pop_front_if(|frame| frame.arrives_us <= now_us) {
            let Some(bytes) = arrived.frame else { continue };
            let Ok(frame) = MotionFrame::read(&bytes) else { continue };
            let at = Time::ZERO + Duration::from_micros(arrived.arrives_us);
            self.replica.handle_frame(&bytes, at).expect("is a frame");
            let arrived_q = CLOCK_Q.wrapping_add((arrived.arrives_us / 250) as u32);
            if frame.head.sequence >= self.next {
                self.arrivals.insert(frame.head.sequence, arrived_q);
            }
            for (kind, content) in frame.parts() {
                if FramePartKind::of(kind) == Some(FramePartKind::Units) {
                    for unit in MediaUnit::read_all(content) {
                        let key = unit.flow.epoch << 24 | unit.number;
                        if self.units.insert(key, arrived.arrives_us).is_none() {
                            self.delays_us.push(arrived.arrives_us.saturating_sub(spoken_us(unit.flow, unit.number)));
                        }
                    }
                }
            }
        }
    }

    /// Delays of all units that arrived since the last call, each once.
    pub(super) fn take_unit_delays(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.delays_us)
    }

    /// Makes the next frame: acknowledgement, arrivals, `hears`, and the entries of further parts.
    pub(super) fn say(&mut self, hears: u8, now_us: u64, parts: &[(FramePartKind, Vec<u8>)]) -> Vec<u8> {
        let now = Time::ZERO + Duration::from_micros(now_us);
        let mut writer = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
        if let Some(ack) = self.replica.ack(now) {
            writer.put(FramePartKind::Ack, &ack.to_bytes());
        }
        self.write_arrivals(&mut writer);
        writer.put(FramePartKind::Hears, &[hears]);
        for (kind, entry) in parts {
            writer.put(*kind, entry);
        }
        self.sequence += 1;
        let head = FrameHeader { sequence: self.sequence, time_ms: MotionTime::at(now).0 };
        [&head.to_bytes()[..], writer.bytes()].concat()
    }

    fn write_arrivals(&mut self, frame: &mut FrameEntriesWriter) {
        let mut part = FrameArrivalsWriter::default();
        while let Some((&first, &arrived_q)) = self.arrivals.first_key_value() {
            part.begin(first, arrived_q);
            self.arrivals.remove(&first);
            while let Some((&newest, _)) = self.arrivals.last_key_value()
                && newest >= part.next()
                && part.bytes().len() < 600
            {
                let arrived_q = self.arrivals.get(&part.next()).copied();
                if !part.push(arrived_q) {
                    break;
                }
                self.arrivals.remove(&(part.next() - 1));
            }
            self.next = part.next();
            frame.end_part();
            if !frame.put(FramePartKind::Arrivals, part.bytes()) {
                return;
            }
        }
    }
}
