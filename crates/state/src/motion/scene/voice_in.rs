//! Incoming voice: flows and units of clients, and how many voices a client hears.

use alloc::boxed::Box;

use stoa_wire::motion::{FlowDeclaration, MediaUnit, flows::hears};

use super::MotionScene;
use crate::limits;
use crate::motion::flows::{FlowOwner, UnitDrop};
use crate::motion::received_voices::ReceivedVoices;
use crate::motion::session::MotionSessionId;
use crate::time::Time;

impl MotionScene {
    pub(super) fn handle_flows(&mut self, id: MotionSessionId, content: &[u8], now: Time) {
        let Some(session) = self.sessions[id.slot()].as_deref() else { return };
        let mut has_flow = false;
        for declared in FlowDeclaration::read_all(content).take(limits::FLOWS_MAX) {
            let is_admitted = session.rights.may_speak
                && self.settings.has_voice
                && declared.name.is_empty()
                && self.flows.admit(&declared, FlowOwner { session: id, id_tag: &session.id_tag }, now).is_ok();
            self.counts.voice.flows_refused += u64::from(!is_admitted);
            has_flow |= is_admitted;
        }
        if has_flow && let Some(session) = self.session_mut(id) {
            session.path.measure_uplink(now);
        }
    }

    pub(super) fn handle_units(&mut self, id: MotionSessionId, content: &[u8], now: Time) {
        for unit in MediaUnit::read_all(content) {
            let kept = match self.settings.has_voice {
                true => self.flows.push(id, &unit, now),
                false => Err(UnitDrop::Undeclared),
            };
            let counts = &mut self.counts.voice;
            match kept {
                Ok(()) => counts.units_in += 1,
                Err(UnitDrop::Undeclared) => counts.undeclared += 1,
                Err(UnitDrop::Repeated) => counts.repeated += 1,
                Err(UnitDrop::Flooding) => counts.flooding += 1,
            }
        }
    }

    pub(super) fn handle_hears(&mut self, id: MotionSessionId, content: &[u8]) {
        let Some(most) = hears(content) else { return };
        let Some(session) = self.session_mut(id).filter(|session| session.rights.may_hear) else { return };
        match &mut session.voices {
            Some(voices) => voices.most = usize::from(most).min(limits::VOICES_MAX),
            None if most == 0 => {}
            None => session.voices = Some(Box::new(ReceivedVoices::up_to(usize::from(most)))),
        }
    }
}
