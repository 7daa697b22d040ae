//! The media flows of a scene: who sends them, and their last units, which wait for a moment to be sent to receivers.
//! Source: `spec/wire.md` section 8.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use stoa_wire::motion::{FlowDeclaration, FlowId, FlowMedia, MediaUnit, serial};

use super::session::MotionSessionId;
use crate::bucket::TokenBucket;
use crate::limits;
use crate::time::Time;

/// Identifies a flow of the scene by its slot, and by the number of earlier flows in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FlowKey {
    slot: u32,
    generation: u32,
}

/// The flows of one scene.
#[derive(Debug, Default)]
pub(super) struct SceneFlows {
    flows: Vec<Option<SceneFlow>>,
    by_id: BTreeMap<FlowId, FlowKey>,
    generations: Vec<u32>,
    /// Number of units so far, and how often a person began to speak.
    unit_count: u64,
    speech_count: u64,
}

/// A flow.
#[derive(Debug)]
pub(super) struct SceneFlow {
    pub(super) id: FlowId,
    pub(super) media: FlowMedia,
    /// The sender's idTag.
    pub(super) owner: String,
    /// The sender's session; `None` between two sessions.
    pub(super) session: Option<MotionSessionId>,
    /// When the last speech arrived; `None` before the first.
    pub(super) spoke_at: Option<Time>,
    /// When the last unit arrived, or the session ended.
    used_at: Time,
    numbers: UnitNumberWindow,
    rate: TokenBucket,
    /// The last units. A unit's position is its number of arrival modulo the length.
    units: [KeptUnit; UNITS_KEPT],
    /// Number of units kept so far.
    kept: u64,
}

/// The sender of a flow.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowOwner<'a> {
    pub(super) session: MotionSessionId,
    pub(super) id_tag: &'a str,
}

/// Units of each flow that are kept: those of a third of a second.
const UNITS_KEPT: usize = 16;

#[derive(Clone, Debug, Default)]
struct KeptUnit {
    /// The entry of a `units` part.
    entry: Vec<u8>,
    arrived: Time,
}

/// The numbers of a flow's received units: the newest, and which of the 63 before it have arrived.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnitNumberWindow {
    newest: u32,
    /// Bit n: number `newest - n` has arrived. 0 before the first unit.
    arrived: u64,
}

/// Reason why a unit is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnitDrop {
    /// Of a flow that the session has not declared, or that was not admitted.
    Undeclared,
    /// It has arrived before, or is far behind the newest.
    Repeated,
    /// Beyond the flow's rate.
    Flooding,
}

/// Reason why a flow is not admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlowRefusal {
    /// Another client's, or this client's with another medium.
    Taken,
    /// The client has too many, or the scene.
    TooMany,
}

impl SceneFlows {
    /// Admits a flow of a session, or notes that a known flow continues there.
    pub(super) fn admit(
        &mut self,
        declared: &FlowDeclaration<'_>,
        owner: FlowOwner<'_>,
        now: Time,
    ) -> Result<(), FlowRefusal> {
        if let Some(flow) = self.by_id.get(&declared.id).copied().and_then(|key| self.get_mut(key)) {
            if flow.owner != owner.id_tag || flow.media != declared.media {
                return Err(FlowRefusal::Taken);
            }
            flow.session = Some(owner.session);
            return Ok(());
        }
        self.forget(now);
        let own = self.iter().filter(|(_, flow)| flow.session == Some(owner.session)).count();
        if own >= limits::FLOWS_MAX || self.by_id.len() >= limits::SCENE_FLOWS_MAX {
            return Err(FlowRefusal::TooMany);
        }
        let slot = self.flows.iter().position(Option::is_none).unwrap_or_else(|| {
            self.flows.push(None);
            self.generations.push(0);
            self.flows.len() - 1
        });
        self.generations[slot] += 1;
        let key = FlowKey { slot: slot as u32, generation: self.generations[slot] };
        self.by_id.insert(declared.id, key);
        self.flows[slot] = Some(SceneFlow {
            id: declared.id,
            media: declared.media,
            owner: owner.id_tag.to_string(),
            session: Some(owner.session),
            spoke_at: None,
            used_at: now,
            numbers: UnitNumberWindow::default(),
            rate: TokenBucket::new(limits::FLOW_UNITS_PER_S, limits::FLOW_UNITS_BURST, now),
            units: Default::default(),
            kept: 0,
        });
        Ok(())
    }

    /// Keeps a unit of a session's flow.
    pub(super) fn push(&mut self, session: MotionSessionId, unit: &MediaUnit<'_>, now: Time) -> Result<(), UnitDrop> {
        let flow = self.by_id.get(&unit.flow).copied().and_then(|key| self.get_mut(key));
        let Some(flow) = flow.filter(|flow| flow.session == Some(session)) else { return Err(UnitDrop::Undeclared) };
        if flow.numbers.has(unit.number) {
            return Err(UnitDrop::Repeated);
        }
        if !flow.rate.take(now) {
            return Err(UnitDrop::Flooding);
        }
        flow.numbers.add(unit.number);
        let kept = &mut flow.units[flow.kept as usize % UNITS_KEPT];
        kept.entry.clear();
        unit.write(&mut kept.entry);
        kept.arrived = now;
        flow.kept += 1;
        flow.used_at = now;
        let is_beginning = flow.spoke_at.is_none_or(|spoke_at| now.since(spoke_at) >= limits::VOICE_SILENCE);
        if unit.level.is_speech() {
            flow.spoke_at = Some(now);
            self.speech_count += u64::from(is_beginning);
        }
        self.unit_count += 1;
        Ok(())
    }

    /// Notes the end of a session. Its flows continue if the person enters again within [`limits::FLOW_REST`].
    pub(super) fn leave(&mut self, session: MotionSessionId, now: Time) {
        for flow in self.flows.iter_mut().flatten().filter(|flow| flow.session == Some(session)) {
            (flow.session, flow.used_at) = (None, now);
        }
        self.forget(now);
    }

    /// Removes flows without a session that have rested.
    fn forget(&mut self, now: Time) {
        for flow in &mut self.flows {
            let is_over = |flow: &mut SceneFlow| flow.session.is_none() && now.since(flow.used_at) >= limits::FLOW_REST;
            if let Some(flow) = flow.take_if(is_over) {
                self.by_id.remove(&flow.id);
            }
        }
    }

    pub(super) fn get(&self, key: FlowKey) -> Option<&SceneFlow> {
        let is_it = self.generations.get(key.slot as usize) == Some(&key.generation);
        self.flows.get(key.slot as usize)?.as_ref().filter(|_| is_it)
    }

    fn get_mut(&mut self, key: FlowKey) -> Option<&mut SceneFlow> {
        let is_it = self.generations.get(key.slot as usize) == Some(&key.generation);
        self.flows.get_mut(key.slot as usize)?.as_mut().filter(|_| is_it)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (FlowKey, &SceneFlow)> {
        let keyed = (0..).zip(self.generations.iter().copied());
        let keys = keyed.map(|(slot, generation)| FlowKey { slot, generation });
        keys.zip(&self.flows).filter_map(|(key, flow)| Some((key, flow.as_ref()?)))
    }

    /// Number of units so far.
    pub(super) fn unit_count(&self) -> u64 {
        self.unit_count
    }

    /// How often a person began to speak.
    pub(super) fn speech_count(&self) -> u64 {
        self.speech_count
    }
}

impl SceneFlow {
    /// Number of units kept so far. Their positions are the numbers below it.
    pub(super) fn kept(&self) -> u64 {
        self.kept
    }

    /// The entries of the units from `position` on that are still of use, with their positions.
    pub(super) fn units_from(&self, position: u64, now: Time) -> impl Iterator<Item = (u64, &[u8])> {
        let first = position.max(self.kept.saturating_sub(UNITS_KEPT as u64));
        let units = (first..self.kept).map(|position| (position, &self.units[position as usize % UNITS_KEPT]));
        let is_useful = move |unit: &KeptUnit| now.since(unit.arrived) <= limits::VOICE_WAIT_MAX;
        units.filter(move |(_, unit)| is_useful(unit)).map(|(position, unit)| (position, unit.entry.as_slice()))
    }
}

impl UnitNumberWindow {
    /// Whether the number has arrived, or is too far behind to tell.
    pub fn has(&self, number: u32) -> bool {
        if self.arrived == 0 || serial::is_newer(number, self.newest) {
            return false;
        }
        let behind = self.newest.wrapping_sub(number);
        behind >= u64::BITS || self.arrived >> behind & 1 == 1
    }

    /// Notes that a number has arrived, for which [`UnitNumberWindow::has`] was false.
    pub fn add(&mut self, number: u32) {
        if self.arrived == 0 {
            (self.newest, self.arrived) = (number, 1);
        } else if serial::is_newer(number, self.newest) {
            let ahead = number.wrapping_sub(self.newest);
            self.arrived = self.arrived.checked_shl(ahead).unwrap_or(0) | 1;
            self.newest = number;
        } else {
            self.arrived |= 1 << self.newest.wrapping_sub(number);
        }
    }
}

#[cfg(test)]
mod tests;
