//! Rights: roles, the filters of a role, and the rights that a token's claims grant. The caller verifies a token's
//! signature; [`Grant`] evaluates the claims, with time as an input. Source: `spec/topics.md` section 3.

mod account_list;
mod author;
mod claims;
mod filters;
mod moderation;
mod reading;
mod revalidation;
mod role;
#[cfg(test)]
mod tests;

pub use account_list::AccountList;
pub use author::Author;
pub use claims::{AUDIENCE, Claims, TYPE};
pub use filters::{
    RequestableRight, TokenFilterInput, TokenFilters, TokenIds, arena_filters, filters, managed_scenes_filters,
    realm_filters, without_covered,
};
pub use moderation::{GUEST, Invitation, Moderation, Restriction, RestrictionKind, moderates, role_with};
pub use reading::SceneReadRequester;
pub use revalidation::RoleRequirement;
pub use role::{
    LOCAL_OWNER, PUBLIC, ParseVoiceModeError, Role, RoleRequester, SceneSettings, VoiceMode, may_make, role_of,
};

use alloc::string::String;

use stoa_wire::envelope::Action;
use stoa_wire::filter_set::FilterSet;
use stoa_wire::reason::Reason;
use stoa_wire::topic::{REALM_CLIENT, SceneName, SceneTopic, TopicKind, owner_of_part, recipient};
use stoa_wire::topic_filter::TopicFilter;

use crate::connection_id::ConnectionId;
use crate::limits::GRANT_LEEWAY_S;
use crate::time::UnixSeconds;

/// The recipient of messages that no person receives. It can't be an identity or idTag.
const NOBODY: &str = "-";

/// Prefix of the topics of runtimes, in all namespaces.
const PROGRAMS: &str = "realm/g/";

/// A token's claims, bound to an MQTT client id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    claims: Claims,
    identity: String,
    id_tag: String,
    /// The claims' `publ`, compiled, because each published message is checked. `subs` is checked less often.
    publ: FilterSet,
}

impl Grant {
    /// Binds `claims` to an MQTT client id. Errors: [`Reason::NotGranted`] for a token with another purpose,
    /// [`Reason::WrongIdentity`] for an identity or idTag that is invalid, reserved or another client's.
    pub fn new(claims: Claims, client_id: &str) -> Result<Grant, Reason> {
        if claims.aud != AUDIENCE || claims.typ != TYPE {
            return Err(Reason::NotGranted);
        }
        let identity = claims.user_client.as_deref().unwrap_or(client_id);
        let id_tag = claims.user_id.as_deref().unwrap_or(client_id);
        let unnameable = |id: &str| id.is_empty() || id.contains(['/', '+', '#', '\0']) || id == NOBODY;
        let borrowed = claims.user_client.is_none() && is_issued_to_another(client_id, &claims.sub);
        if unnameable(identity) || unnameable(id_tag) || identity == REALM_CLIENT || id_tag == REALM_CLIENT || borrowed
        {
            return Err(Reason::WrongIdentity);
        }
        let (identity, id_tag) = (identity.into(), id_tag.into());
        let publ = FilterSet::new(&claims.publ);
        Ok(Grant { claims, identity, id_tag, publ })
    }

    /// Token 5 of all topics on which the bearer publishes in scenes, except streams of programs.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The bearer's idTag: token 6 of its presence, camera and chat.
    pub fn id_tag(&self) -> &str {
        &self.id_tag
    }

    /// The owner of the grant: only the same subject may take a session over. Guests choose their names, so a guest's
    /// subject is the idTag.
    pub fn subject(&self) -> &str {
        self.claims.subject()
    }

    /// The token's claims.
    pub fn claims(&self) -> &Claims {
        &self.claims
    }

    /// When the token expires, without leeway.
    pub fn expires_at(&self) -> UnixSeconds {
        self.claims.exp
    }

    /// Whether the token has expired, with leeway.
    pub fn is_expired(&self, now: UnixSeconds) -> bool {
        now.0 > self.claims.exp.0.saturating_add(GRANT_LEEWAY_S)
    }

    /// Whether a message may be published on `topic`, apart from expiry. Errors: [`Reason::BadTopic`],
    /// [`Reason::WrongIdentity`], [`Reason::NotGranted`].
    pub fn may_publish(&self, topic: &str) -> Result<(), Reason> {
        match SceneTopic::parse(topic) {
            Some(parsed) => self.may_publish_in_scene(&parsed?, topic),
            None if self.claims.guest && topic.starts_with(PROGRAMS) => Err(Reason::NotGranted),
            None => self.check_filters(topic),
        }
    }

    /// Whether a message may be published on a scene's topic, given parsed and as text. Hot path. Errors:
    /// [`Reason::WrongIdentity`], [`Reason::NotGranted`].
    pub fn may_publish_in_scene(&self, parsed: &SceneTopic, topic: &str) -> Result<(), Reason> {
        self.check_identity(parsed)?;
        self.check_filters(topic)
    }

    fn check_filters(&self, topic: &str) -> Result<(), Reason> {
        let is_network = || topic.starts_with("$NETWORK") && self.claims.publ.iter().any(covers_network);
        if self.publ.matches(topic) || is_network() { Ok(()) } else { Err(Reason::NotGranted) }
    }

    fn check_identity(&self, topic: &SceneTopic) -> Result<(), Reason> {
        // Tokens 5 and 6 of a program stream name a runtime and a module, not the sender.
        if topic.stream.is_some() {
            return if self.claims.guest { Err(Reason::NotGranted) } else { Ok(()) };
        }
        if topic.user_client != self.identity {
            return Err(Reason::WrongIdentity);
        }
        let own = match topic.kind {
            TopicKind::X | TopicKind::C => topic.uuid == self.id_tag,
            TopicKind::U => owner_of_part(&topic.uuid, &self.id_tag) == self.id_tag,
            TopicKind::O | TopicKind::R | TopicKind::E | TopicKind::P | TopicKind::D => true,
        };
        if own || self.claims.explicit { Ok(()) } else { Err(Reason::WrongIdentity) }
    }

    /// Whether a message outside of scenes may be retained on `topic`. A guest's may not: guests can't be distinguished
    /// after their tokens end. A viewer may publish on topics of runtimes, as in ARENA, but retain nothing there.
    pub fn may_retain(&self, topic: &str) -> bool {
        !self.claims.guest && (self.claims.role != Some(Role::Viewer) || !topic.starts_with(PROGRAMS))
    }

    /// Whether `filter` may be subscribed to: one filter of the grant must cover it.
    pub fn may_subscribe(&self, filter: &TopicFilter) -> bool {
        self.claims.subs.iter().any(|granted| granted.covers(filter))
    }

    /// Whether the bearer may receive a message on `topic`, which a filter of the grant covers. A token without an
    /// idTag has a wildcard at the level of the idTag. Unless it is explicit or has the filter `#`, its bearer must not
    /// receive other people's private messages.
    pub fn may_hear(&self, topic: &str) -> bool {
        let is_bound = self.claims.user_id.is_none() && !self.claims.explicit;
        !is_bound
            || recipient(topic).is_none_or(|to_uid| to_uid == self.id_tag)
            || self.claims.subs.iter().any(covers_network)
    }

    /// Whether a message on `topic` may be delivered.
    pub fn may_receive(&self, topic: &str) -> bool {
        let is_network = topic.starts_with("$NETWORK");
        self.may_hear(topic)
            && self.claims.subs.iter().any(|filter| filter.matches(topic) || is_network && covers_network(filter))
    }

    /// Whether the bearer may change any object of the scene, as editors and owners may.
    pub fn may_build(&self, scene: &SceneName) -> bool {
        let probe = alloc::format!("realm/s/{scene}/o/{}/+", self.identity);
        let probe = TopicFilter::parse(&probe).expect("identities hold no wildcard");
        self.claims.publ.iter().any(|filter| filter.covers(&probe))
    }

    /// Whether the bearer may perform this action on `o` at all. A viewer's filters cover the viewer's own id there,
    /// but only for `clientEvent` and `getPersist`.
    pub fn may_act_on_objects(&self, action: Option<Action>) -> bool {
        self.claims.role != Some(Role::Viewer) || matches!(action, Some(Action::ClientEvent | Action::GetPersist))
    }

    /// The author of the bearer's messages in `scene`.
    pub fn author(&self, connection: ConnectionId, scene: &SceneName) -> Author {
        Author {
            connection,
            user_client: self.identity.clone(),
            id_tag: self.id_tag.clone(),
            subject: self.subject().into(),
            guest: self.claims.guest,
            guest_name: self.claims.display_name.clone().filter(|_| self.claims.guest),
            moderator: self.may_build(scene),
            payer: None,
        }
    }
}

// The realm owner's `#` covers `$NETWORK` too, as in ARENA's broker. A subscription to `#` still doesn't match it.
fn covers_network(filter: &TopicFilter) -> bool {
    filter.as_str() == "#"
}

// Issued ids are `<account>_<10 digits>`, with `_<client>` after it for token 5.
fn is_issued_to_another(client_id: &str, subject: &str) -> bool {
    let is_nonce = |token: &str| token.len() == 10 && token.bytes().all(|byte| byte.is_ascii_digit());
    let mut tokens = client_id.rsplit('_');
    let (last, before) = (tokens.next().unwrap_or_default(), tokens.next().unwrap_or_default());
    let tail_bytes = if is_nonce(last) {
        last.len()
    } else if is_nonce(before) {
        last.len() + 1 + before.len()
    } else {
        return false;
    };
    let account = client_id[..client_id.len() - tail_bytes].strip_suffix('_');
    account.is_some_and(|account| account != subject)
}
