//! `loadTemplate`: one scene's stored objects for another. May the sender read them, and may it say so much at once?

use alloc::collections::BTreeMap;

use stoa_wire::envelope::{Action, Envelope};
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::{SceneName, SceneTopic, TopicKind};

use super::clients::ClientAccess;
use super::scenes::HostedScene;
use crate::scene::{Template, TemplateRequest};
use crate::time::Time;

/// Whether this message asks for a template.
pub(super) fn is_asked_for(topic: &SceneTopic, envelope: &Envelope) -> bool {
    topic.kind == TopicKind::O && topic.to_uid.is_none() && envelope.action == Some(Action::LoadTemplate)
}

/// What the request needs of its source. Looking is charged before it is done; the copies count as messages of the
/// sender's.
/// Errors: [`Reason::NoSuchScene`] also where the sender may not read it, for nobody learns which private scenes there are; [`Reason::Flood`]; those of
/// [`TemplateRequest::read`] and [`Template::new`].
pub(super) fn template(
    scenes: &BTreeMap<SceneName, HostedScene>,
    access: &mut ClientAccess,
    envelope: &Envelope,
    now: Time,
) -> Result<Template, Refusal> {
    let request = TemplateRequest::read(envelope)?;
    let may = |source: &&HostedScene| access.grant.claims().may_copy(request.source(), &source.settings);
    let source = scenes.get(request.source()).filter(may).ok_or(Reason::NoSuchScene)?;
    access.allowance.take_reading(now)?;
    let template = Template::new(request, &source.scene)?;
    template.sizes_bytes().try_for_each(|bytes| access.allowance.take(bytes, now))?;
    Ok(template)
}
