//! Ends connections, sessions and motion grants whose token was revoked, whose account or scene name ended, or whose
//! grant exceeds a scene's changed settings.

use alloc::vec::Vec;

use stoa_wire::packet::ReasonCode;
use stoa_wire::topic::SceneName;

use super::ending::DisconnectCause;
use super::scenes::HostedScene;
use super::{ConnectionId, Realm};
use crate::grant::{Claims, RestrictionKind};
use crate::mqtt::connection::ProtocolViolation;
use crate::mqtt::session::SessionId;
use crate::time::Time;

/// Reason for an outdated grant. The client may request a new token, which may grant less.
pub(super) const OUTDATED: ProtocolViolation = ProtocolViolation {
    code: ReasonCode::NOT_AUTHORIZED,
    reason: "the scene's settings no longer allow the rights of this token: request a new one",
};

/// Reason for a removal by a moderator.
const PUT_OUT: ProtocolViolation =
    ProtocolViolation { code: ReasonCode::NOT_AUTHORIZED, reason: "a moderator removed you from this scene" };

/// Reason for renaming a scene.
const RENAMED: ProtocolViolation =
    ProtocolViolation { code: ReasonCode::NOT_AUTHORIZED, reason: "the scene gets another name: ask for a new token" };

impl Realm {
    /// Ends all connections, sessions and motion grants with a token for that scene alone.
    pub(super) fn end_scene_tokens(&mut self, name: &SceneName, now: Time) {
        self.end_matching(RENAMED, |_, claims| claims.scene.as_ref() == Some(name), now);
    }

    /// Ends all connections, sessions and motion grants whose token has this `jti` or descends from that token.
    pub(super) fn revoke(&mut self, jti: &str, now: Time) {
        let violation = ProtocolViolation { code: ReasonCode::ADMINISTRATIVE_ACTION, reason: "the token was revoked" };
        self.end_matching(violation, |_, claims| claims.names().any(|name| name == jti), now);
    }

    /// Ends all connections, sessions and motion grants of an account whose password was changed, or that was deleted:
    /// the next account of that name may be a different person. Guests never have an account's name.
    pub(super) fn end_account(&mut self, name: &str, now: Time) {
        let violation = ProtocolViolation {
            code: ReasonCode::ADMINISTRATIVE_ACTION,
            reason: "the account's password was changed, or the account was deleted",
        };
        self.end_matching(violation, |_, claims| !claims.guest && claims.sub == name, now);
        // Sessions restored from disk have no grant yet.
        for id in self.sessions.ids_of(name) {
            self.drop_session(id, now);
        }
    }

    /// Ends all connections, sessions and motion grants that a scene's settings no longer allow.
    pub(super) fn revalidate_grants(&mut self, name: &SceneName, now: Time) {
        let outdated = |realm: &Realm, claims: &Claims| {
            realm.scenes.get(name).is_some_and(|hosted| !claims.hold_in(name, &hosted.settings))
        };
        let kept_out = |realm: &Realm, claims: &Claims| {
            let is_out = realm
                .scenes
                .get(name)
                .is_some_and(|hosted| hosted.settings.moderation.keeps(RestrictionKind::Out, &claims.who()));
            is_out && outdated(realm, claims)
        };
        self.end_matching(PUT_OUT, kept_out, now);
        self.end_matching(OUTDATED, outdated, now);
        if let Some(HostedScene { left, settings, .. }) = self.scenes.get_mut(name) {
            left.forget(|who| settings.moderation.keeps(RestrictionKind::Out, who));
        }
    }

    /// Whether the settings of all open scenes still allow the claims.
    pub(super) fn is_still_granted(&self, claims: &Claims) -> bool {
        if !claims.follow_settings() && !claims.explicit {
            return true;
        }
        let mut known = None;
        for need in claims.needs() {
            // Filters are sorted, so those of one scene are adjacent.
            if known.replace(need) == Some(need) {
                continue;
            }
            let holds =
                |(name, hosted): (&SceneName, &HostedScene)| claims.role_now(name, &hosted.settings) >= Some(need.role);
            let all = match SceneName::new(need.namespace, need.scene) {
                Ok(name) => self.scenes.get_key_value(&name).is_none_or(holds),
                Err(_) => self.scenes.iter().filter(|(name, _)| need.concerns(name)).all(holds),
            };
            if !all {
                return false;
            }
        }
        let own = claims.scene.as_ref().and_then(|name| self.scenes.get_key_value(name));
        own.is_none_or(|(name, hosted)| claims.hold_in(name, &hosted.settings))
    }

    /// Ends all matching connections, sessions and motion grants. Their wills are dropped, since the right to publish
    /// them was revoked.
    fn end_matching(&mut self, violation: ProtocolViolation, is_meant: impl Fn(&Realm, &Claims) -> bool, now: Time) {
        self.end_motion_grants(&is_meant);
        let meant = |connection: &&ConnectionId| {
            self.access(**connection).is_some_and(|access| is_meant(self, access.grant.claims()))
        };
        let meant: Vec<ConnectionId> = self.clients.keys().filter(meant).copied().collect();
        for connection in meant {
            let session: Option<SessionId> = self.access(connection).map(|access| access.session);
            let will = self.clients.get_mut(&connection).map(|client| client.protocol.take_will());
            drop(will);
            self.end(connection, DisconnectCause::Because(violation), now);
            if let Some(id) = session {
                self.drop_session(id, now);
            }
        }
        let is_waiting = |id: &SessionId| {
            let session = self.sessions.get(*id);
            let grants =
                session.map(|session| [session.last_grant.as_ref(), session.will.as_ref().map(|will| &will.grant)]);
            grants.into_iter().flatten().flatten().any(|grant| is_meant(self, grant.claims()))
        };
        let waiting: Vec<SessionId> = self.sessions.ids().filter(is_waiting).collect();
        for id in waiting {
            self.drop_session(id, now);
        }
    }

    /// Closes a session without publishing its will.
    fn drop_session(&mut self, id: SessionId, now: Time) {
        drop(self.take_will(id, |_| true));
        self.close_session(id, now);
    }
}
