//! Poses in portions: a receiver whose path limits its rate gets them in each subtick rather than once a tick, so that
//! they don't queue on the path.

use core::ops::Range;

use super::frames_out::SessionFrameSender;
use super::{MotionScene, OutgoingFrame};
use crate::limits;
use crate::motion::clock::MotionTime;
use crate::motion::objects::{GROUPS, SubtickServiceTurn};
use crate::motion::session::MotionSession;
use crate::time::Time;

impl MotionScene {
    /// Lists a receiver whose path limits its rate and whose poses wait.
    pub(super) fn list_limited(&mut self, session: &mut MotionSession) {
        let is_limited = session.path.is_limited() && !session.waiting.is_empty();
        if is_limited && !session.is_in_portions {
            session.is_in_portions = true;
            self.portions.push(session.id.slot() as u32);
        }
    }

    /// Sends a portion to each listed receiver, except those of the groups that are served now.
    pub(super) fn serve_portions(&mut self, groups: &Range<usize>, now: Time, out: &mut impl FnMut(OutgoingFrame<'_>)) {
        if self.portions.is_empty() {
            return;
        }
        let mut listed = core::mem::take(&mut self.portions);
        let mut left = limits::RATE_PORTIONS_MAX;
        for group in (0..GROUPS).filter(|group| !groups.contains(group)) {
            self.services += 1;
            let (number, served, time) = (self.services, self.served[group], MotionTime::at(now));
            let service = SubtickServiceTurn { number, group, served, time };
            for slot in listed.iter().map(|slot| *slot as usize).filter(|slot| slot % GROUPS == group) {
                let is_due = |session: &mut alloc::boxed::Box<MotionSession>| {
                    session.is_in_portions && session.path.is_limited() && session.path.has_portion(now)
                };
                let Some(mut session) = self.sessions[slot].take_if(|session| left > 0 && is_due(session)) else {
                    continue;
                };
                left -= 1;
                let (id, credit) = (session.id, session.path.credit(now));
                let mut writer = SessionFrameSender { session: id, service, now, credit, sent: 0, bytes: 0, out };
                self.serve_portion(&mut session, &mut writer);
                self.sessions[slot] = Some(session);
            }
        }
        let sessions = &mut self.sessions;
        listed.retain(|slot| {
            let Some(session) = sessions[*slot as usize].as_mut().filter(|session| session.is_in_portions) else {
                return false;
            };
            session.is_in_portions = session.path.is_limited() && !session.waiting.is_empty();
            session.is_in_portions
        });
        // Beyond the limit, receivers take turns.
        let turned = if left == 0 { limits::RATE_PORTIONS_MAX.min(listed.len()) } else { 0 };
        listed.rotate_left(turned);
        self.portions = listed;
    }

    fn serve_portion(
        &mut self,
        session: &mut MotionSession,
        writer: &mut SessionFrameSender<'_, impl FnMut(OutgoingFrame<'_>)>,
    ) {
        self.candidates.write_some(&mut self.objects, &writer.service, &session.waiting);
        let waiting = &mut self.scratch.waiting;
        waiting.clear();
        waiting.extend(session.waiting.iter().filter(|priority| self.candidates.get(priority.id).is_some()));
        let mut own = self.begin_frame(session, writer.now);
        self.write_waiting(session, &mut own, writer);
        self.scratch.own = Some(own);
        self.note_sent(session, writer, self.served_poses[writer.service.group]);
    }
}
