//! Muted people: the realm refuses their chat and reactions, and undoes changes of their display names. Source:
//! `spec/topics.md` section 3.1.

use alloc::string::{String, ToString};

use bytes::Bytes;
use serde_json::Value;
use stoa_wire::envelope::{Action, Envelope};
use stoa_wire::reason::Reason;
use stoa_wire::topic::{SceneTopic, TopicKind, owner_of_part};

use super::scenes::HostedScene;
use crate::grant::{Grant, RestrictionKind};

/// The type of the event that clients show as a reaction.
const REACTION: &str = "reaction";

impl HostedScene {
    /// The name that replaces the one in a muted sender's message; `None` if the message stays as it is. Errors:
    /// [`Reason::Silenced`] for the chat and reactions of a muted sender.
    pub(super) fn muted_name(
        &self,
        grant: &Grant,
        topic: &SceneTopic,
        envelope: &Envelope,
    ) -> Result<Option<String>, Reason> {
        let moderation = &self.settings.moderation;
        if moderation.bars.is_empty() {
            return Ok(None);
        }
        let is_reaction =
            envelope.action == Some(Action::ClientEvent) && envelope.type_name.as_deref() == Some(REACTION);
        if topic.kind == TopicKind::C || is_reaction {
            let is_muted = moderation.keeps(RestrictionKind::Silence, &grant.claims().who());
            return if is_muted { Err(Reason::Silenced) } else { Ok(None) };
        }
        let Some(name) = envelope.display_name(topic.kind) else { return Ok(None) };
        let id_tag = owner_of_part(&topic.uuid, grant.id_tag());
        // Each camera message repeats the name, so most end here.
        if self.scene.names_of(id_tag).any(|shown| shown == name) {
            return Ok(None);
        }
        let shown = moderation.shown_name(grant.claims(), name);
        Ok((shown != name).then(|| shown.to_string()))
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
