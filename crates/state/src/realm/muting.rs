//! Muted people: the realm refuses their chat and reactions, and undoes changes of their display names. Source:
//! `spec/topics.md` section 3.1.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};

use bytes::Bytes;
use serde_json::Value;
use stoa_wire::envelope::{Action, Envelope};
use stoa_wire::reason::Reason;
use stoa_wire::topic::{SceneName, SceneTopic, TopicKind, owner_of_part};

use super::Realm;
use super::scenes::HostedScene;
use crate::grant::{Grant, RestrictionKind};
use crate::limits;

/// The type of the event that clients show as a reaction.
const REACTION: &str = "reaction";

/// Display names of muted people by idTag: those that the scene showed when they were muted, else their first ones.
#[derive(Debug, Default)]
pub(super) struct MutedNames(BTreeMap<String, MutedName>);

#[derive(Debug)]
struct MutedName {
    /// The person, as a restriction names it.
    who: String,
    name: String,
}

impl MutedNames {
    /// Returns the kept name of an idTag; if there is none yet, keeps `name`.
    fn keep(&mut self, id_tag: &str, who: &str, name: &str) -> &str {
        if !self.0.contains_key(id_tag) && self.0.len() >= limits::MUTED_NAMES_MAX {
            self.0.pop_first();
        }
        let first = || MutedName { who: who.to_string(), name: name.to_string() };
        &self.0.entry(id_tag.to_string()).or_insert_with(first).name
    }
}

impl HostedScene {
    /// The name that replaces the one in a muted sender's message; `None` if the message stays as it is. Errors:
    /// [`Reason::Silenced`] for the chat and reactions of a muted sender.
    pub(super) fn muted_name(
        &mut self,
        grant: &Grant,
        topic: &SceneTopic,
        envelope: &Envelope,
    ) -> Result<Option<String>, Reason> {
        let moderation = &self.settings.moderation;
        if moderation.bars.is_empty() {
            return Ok(None);
        }
        let is_reaction =
            envelope.action == Some(Action::ReceivedGroupMessage) && envelope.type_name.as_deref() == Some(REACTION);
        let is_speech = topic.kind == TopicKind::C || is_reaction;
        let (name, id_tag) = (envelope.display_name(topic.kind), owner_of_part(&topic.uuid, grant.id_tag()));
        // Each camera message repeats the name, so most end here.
        if !is_speech && name.is_none_or(|name| self.scene.names_of(id_tag).any(|shown| shown == name)) {
            return Ok(None);
        }
        let who = grant.claims().who();
        if !moderation.keeps(RestrictionKind::Silence, &who) {
            return Ok(None);
        }
        match name {
            _ if is_speech => Err(Reason::Silenced),
            None => Ok(None),
            Some(name) => {
                let shown = self.scene.names_of(id_tag).next().unwrap_or(name);
                let kept = self.muted_names.keep(id_tag, &who, shown);
                Ok((kept != name).then(|| kept.to_string()))
            }
        }
    }
}

impl Realm {
    /// Notes the names of muted people in the scene, and forgets the names of people who are no longer muted.
    pub(super) fn keep_muted_names(&mut self, name: &SceneName) {
        let Some(HostedScene { scene, settings, muted_names, .. }) = self.scenes.get_mut(name) else { return };
        let moderation = &settings.moderation;
        muted_names.0.retain(|_, kept| moderation.keeps(RestrictionKind::Silence, &kept.who));
        if moderation.bars.is_empty() {
            return;
        }
        let accesses = self.clients.values().filter_map(|client| client.access.as_ref());
        for access in accesses.filter(|access| access.scenes.contains(name)) {
            let (who, id_tag) = (access.grant.claims().who(), access.grant.id_tag());
            let shown = scene.names_of(id_tag).next();
            if let Some(shown) = shown.filter(|_| moderation.keeps(RestrictionKind::Silence, &who)) {
                muted_names.keep(id_tag, &who, shown);
            }
        }
    }
}

/// Replaces the display name in a payload, and in its envelope. `None` if they have none.
pub(super) fn rename(envelope: &mut Envelope, kind: TopicKind, payload: &Bytes, name: &str) -> Option<Bytes> {
    let mut whole: Value = serde_json::from_slice(payload).ok()?;
    if kind == TopicKind::X {
        *whole.get_mut("dn")? = name.into();
        *envelope.rest.get_mut("dn")? = name.into();
    } else {
        *whole.get_mut("data")?.get_mut("arena-user")?.get_mut("displayName")? = name.into();
        *envelope.attributes.as_mut()?.get_mut("arena-user")?.get_mut("displayName")? = name.into();
    }
    Some(whole.to_string().into())
}
