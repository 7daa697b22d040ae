//! Starts and ends sessions on a thread of the motion plane.

use std::time::Instant;

use stoa_net::netcode::{DisconnectNotice, NetcodeSessionId};
use stoa_state::motion::{PartialPose, SessionTakeover};
use stoa_state::realm::{MotionGrant, MotionGrantId, MotionPlaneEvent, PoseFromMqtt};
use stoa_state::time::Time;
use stoa_wire::topic::SceneName;
use tokio::sync::watch;

use super::connection::MotionSessionAdmission;
use super::scene::{HostedScene, HostedSession, HostedSessionKey, HostedSessionTransport};
use super::thread::{EntryRequest, MotionThread, MotionThreadResources, ThreadCommand, send};
use super::tickets::{MotionTransportKind, TicketBytes};
use crate::limits;

impl MotionThread {
    /// Carries out the commands received since the last tick, until the time for them is used up. The rest waits
    /// for the next tick, so many connections of one client can't delay ticks.
    pub(super) fn obey(&mut self) {
        let until = self.now() + limits::MOTION_TICK_DELAY_MAX;
        while let Ok(command) = self.parts.commands.try_recv() {
            let now = self.now();
            self.carry_out(command, now);
            if now >= until {
                return;
            }
        }
    }

    fn carry_out(&mut self, command: ThreadCommand, now: Time) {
        match command {
            ThreadCommand::Frame { key, frame, at, _queued } => {
                let hosted = self.scenes.at(key);
                let takeover = hosted.and_then(|hosted| hosted.scene.handle_frame(key.motion_session, &frame, at));
                if let Some(takeover) = takeover {
                    self.take_over(key, takeover);
                }
            }
            ThreadCommand::Enter(request) => self.admit(request, now),
            ThreadCommand::Leave { key } => self.leave(key, now),
            ThreadCommand::End { grant, scene } => {
                // A pending session has the same grant as the one that it will replace, if its ticket is the same.
                while let Some(key) = self.find_grant(&scene, grant) {
                    self.end_session(key);
                }
            }
            ThreadCommand::SetPose { scene, pose, _queued } => {
                if let Some((_, hosted)) = self.scenes.find(&scene) {
                    let PoseFromMqtt { id_tag, part, position, rotation } = pose;
                    hosted.scene.show_bridged(&id_tag, part, PartialPose { position, rotation }, now);
                }
            }
            ThreadCommand::RemovePose { scene, id_tag, part } => {
                if let Some((_, hosted)) = self.scenes.find(&scene) {
                    hosted.scene.hide_bridged(&id_tag, part, now);
                }
            }
            ThreadCommand::Follow { scene, is_followed } => {
                if let Some((_, hosted)) = self.scenes.find(&scene) {
                    hosted.is_followed = is_followed;
                }
            }
            ThreadCommand::Change { scene, settings } => {
                if let Some((_, hosted)) = self.scenes.find(&scene) {
                    hosted.scene.change_settings(settings);
                }
            }
        }
    }

    fn find_grant(&mut self, scene: &SceneName, grant: MotionGrantId) -> Option<HostedSessionKey> {
        let (index, hosted) = self.scenes.find(scene)?;
        let motion_session = hosted.find_grant(grant)?;
        Some(HostedSessionKey { index, serial: hosted.serial, motion_session })
    }

    /// Starts a session over netcode, if the ticket is valid.
    pub(super) fn enter_by_netcode(&mut self, session: NetcodeSessionId, ticket: Option<TicketBytes>, now: Time) {
        let grant = ticket.and_then(|ticket| self.lock().take(ticket, MotionTransportKind::Netcode, Instant::now()));
        let Some(grant) = grant else {
            self.totals.bad_tickets += 1;
            self.dismiss(session);
            return;
        };
        let key = self.enter(grant, HostedSessionTransport::Netcode(session), now);
        if self.netcode_sessions.len() <= session.slot() {
            self.netcode_sessions.resize(session.slot() + 1, None);
        }
        self.netcode_sessions[session.slot()] = Some((session, key));
    }

    /// Ends the session of a netcode connection that has ended.
    pub(super) fn end_netcode_session(&mut self, session: NetcodeSessionId, now: Time) {
        let entry = self
            .netcode_sessions
            .get_mut(session.slot())
            .and_then(|entry| entry.take_if(|(entered, _)| *entered == session));
        if let Some((_, key)) = entry {
            self.leave(key, now);
        }
    }

    /// Starts a session over WebTransport or WebSocket. An invalid ticket gets no answer.
    fn admit(&mut self, request: EntryRequest, now: Time) {
        let EntryRequest { ticket, transport, sink, answer } = request;
        let grant = self.lock().take(ticket, transport, Instant::now());
        let Some(grant) = grant else {
            self.totals.bad_tickets += 1;
            return;
        };
        let (over, is_over) = watch::channel(());
        let key = self.enter(grant, HostedSessionTransport::Connection(sink, over), now);
        if answer.send(MotionSessionAdmission { key, over: is_over }).is_err() {
            // The connection has ended meanwhile.
            self.leave(key, now);
        }
    }

    fn enter(&mut self, grant: MotionGrant, transport: HostedSessionTransport, now: Time) -> HostedSessionKey {
        let (index, hosted) = self.scenes.find_or_make(&grant);
        let serial = hosted.serial;
        let before = hosted.find_pending(&grant.id_tag).and_then(|motion_session| hosted.leave(motion_session, now));
        let (scene, grant_id) = (grant.scene.clone(), grant.id);
        let motion_session = hosted.enter(grant, transport, now);
        if !hosted.scene.is_pending(motion_session) {
            self.note_entered(&scene, grant_id);
        }
        before.into_iter().for_each(|before| self.see_off(before));
        HostedSessionKey { index, serial, motion_session }
    }

    /// Begins a pending session, and ends the one that it replaces.
    pub(super) fn take_over(&mut self, key: HostedSessionKey, takeover: SessionTakeover) {
        let Some(hosted) = self.scenes.at(key) else { return };
        let (grant, before) = hosted.take_over(key.motion_session, takeover);
        let scene = hosted.name.clone();
        // If the replaced session had another grant, its end is reported after the new session's start, so that the
        // person doesn't appear to leave. With the same grant (another transport), the end is reported before the
        // start: afterwards the realm would mistake it for the end of the new session.
        let (again, replaced) = match before {
            Some(before) if before.grant == grant => (Some(before), None),
            before => (None, before),
        };
        again.into_iter().for_each(|before| self.see_off(before));
        self.note_entered(&scene, grant);
        replaced.into_iter().for_each(|before| self.see_off(before));
    }

    fn note_entered(&mut self, scene: &SceneName, grant: MotionGrantId) {
        self.parts.reports.send(scene, vec![MotionPlaneEvent::Entered { motion_grant: grant }]);
        self.totals.people += 1;
    }

    /// Removes a session that the client has ended. Drops the scene if it is empty.
    fn leave(&mut self, key: HostedSessionKey, now: Time) {
        let hosted_session = self.scenes.at(key).and_then(|hosted| hosted.leave(key.motion_session, now));
        if let Some(hosted_session) = hosted_session {
            self.note_left(&hosted_session);
            self.scenes.tidy(key.index);
        }
    }

    /// Ends a session and notifies the client. Drops the scene if it is empty.
    pub(super) fn end_session(&mut self, key: HostedSessionKey) {
        let now = self.now();
        let hosted_session = self.scenes.at(key).and_then(|hosted| hosted.leave(key.motion_session, now));
        if let Some(hosted_session) = hosted_session {
            self.see_off(hosted_session);
            self.scenes.tidy(key.index);
        }
    }

    pub(super) fn end_all_sessions(&mut self) {
        let any = |(index, hosted): (usize, &mut HostedScene)| {
            Some(HostedSessionKey { index, serial: hosted.serial, motion_session: hosted.any()? })
        };
        loop {
            let found = self.scenes.iter_mut().find_map(any);
            let Some(key) = found else { return };
            self.end_session(key);
        }
    }

    fn note_left(&mut self, hosted_session: &HostedSession) {
        if !hosted_session.is_pending {
            let left = MotionPlaneEvent::Left { motion_grant: hosted_session.grant };
            self.parts.reports.send(&hosted_session.scene, vec![left]);
            self.totals.people -= 1;
        }
        self.lock().leave(hosted_session.grant);
    }

    fn see_off(&mut self, hosted_session: HostedSession) {
        self.note_left(&hosted_session);
        match hosted_session.transport {
            HostedSessionTransport::Netcode(session) => {
                if let Some(entry) = self.netcode_sessions.get_mut(session.slot()) {
                    *entry = None;
                }
                self.dismiss(session);
            }
            // The connection's task learns of the end when the sender is dropped.
            HostedSessionTransport::Connection(sink, _over) => sink.close(),
        }
    }

    /// Disconnects a netcode client and notifies it.
    fn dismiss(&mut self, session: NetcodeSessionId) {
        let MotionThreadResources { netcode, socket: Some(socket), .. } = &mut self.parts else { return };
        if let Some(DisconnectNotice { peer, bytes, times }) = netcode.end(session) {
            for _ in 0..times {
                send(&mut socket.outgoing, peer, bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests;
