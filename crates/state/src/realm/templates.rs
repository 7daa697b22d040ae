//! `loadTemplate` copies one scene's stored objects into another, within the sender's read rights and message
//! allowance.

use alloc::collections::BTreeMap;

use stoa_wire::envelope::{Action, Envelope};
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::{SceneName, SceneTopic, TopicKind};

use super::clients::ClientAccess;
use super::costs;
use super::scenes::HostedScene;
use crate::ledger::Ledger;
use crate::scene::{Template, TemplateRequest, TemplateSize};
use crate::time::Time;

/// Whether this message requests a template.
pub(super) fn is_request(topic: &SceneTopic, envelope: &Envelope) -> bool {
    topic.kind == TopicKind::O && topic.to_uid.is_none() && envelope.action == Some(Action::LoadTemplate)
}

/// Reads the requested template from its source scene. The read and all copies are charged first; each copy counts as a
/// message of the sender. Errors: [`Reason::NoSuchScene`], also where the sender may not read the source, so that names
/// of private scenes don't leak; [`Reason::Flood`]; those of [`TemplateRequest::read`] and [`Template::new`].
pub(super) fn template(
    scenes: &BTreeMap<SceneName, HostedScene>,
    ledger: &mut Ledger,
    access: &mut ClientAccess,
    envelope: &Envelope,
    now: Time,
) -> Result<Template, Refusal> {
    let request = TemplateRequest::read(envelope)?;
    let may = |source: &&HostedScene| access.grant.claims().may_copy(request.source(), &source.settings);
    let source = scenes.get(request.source()).filter(may).ok_or(Reason::NoSuchScene)?;
    access.allowance.take_reading(now)?;
    let size = TemplateSize::most(&source.scene);
    if request.persists() {
        costs::check(ledger, access.payer, costs::stored(size.bytes_to_write()), now)?;
    }
    access.allowance.take_copies(size.objects, size.bytes, now)?;
    Template::new(request, &source.scene)
}
