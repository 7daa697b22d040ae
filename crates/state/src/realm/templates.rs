//! `loadTemplate` copies one scene's stored objects into another or the same one, within the sender's read rights and
//! message allowance. A large template is copied in pieces; its sender's connection is not read until the last copy.

use alloc::collections::BTreeMap;

use stoa_wire::envelope::{Action, Envelope};
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::{SceneName, SceneTopic, TopicKind};

use super::acknowledging::PublishAckTarget;
use super::clients::ClientAccess;
use super::people_inside::PeopleInsideScenes;
use super::scene_admission::is_inside;
use super::scenes::HostedScene;
use super::{ConnectionId, Realm, RealmOutput, costs};
use crate::grant::SceneReadRequester;
use crate::ledger::{Ledger, Payer};
use crate::scene::{PendingTemplateCopy, TemplateRequest, TemplateSizeEstimate};
use crate::time::Time;

/// Whether this message requests a template.
pub(super) fn is_request(topic: &SceneTopic, envelope: &Envelope) -> bool {
    topic.kind == TopicKind::O && topic.to_uid.is_none() && envelope.action == Some(Action::LoadTemplate)
}

/// The realm's open scenes, and the people inside them.
#[derive(Clone, Copy)]
pub(super) struct TemplateSources<'a> {
    pub(super) scenes: &'a BTreeMap<SceneName, HostedScene>,
    pub(super) bearers: &'a PeopleInsideScenes,
}

impl<'a> TemplateSources<'a> {
    /// The scene that a request names. Errors: [`Reason::NoSuchScene`], [`Reason::Locked`].
    fn readable(self, access: &ClientAccess, name: &SceneName, now: Time) -> Result<&'a HostedScene, Reason> {
        let source = self.scenes.get(name).ok_or(Reason::NoSuchScene)?;
        let claims = access.grant.claims();
        let is_inside = is_inside(self.bearers, source, &claims.who(), now);
        SceneReadRequester::Bearer(claims).may_read_now(name, &source.settings, is_inside)?;
        Ok(source)
    }
}

/// Reads the requested template from its source scene. The read and all copies are charged first; each copy counts as a
/// message of the sender. Errors: [`Reason::NoSuchScene`], also where the sender may not read the source, so that names
/// of private scenes don't leak; [`Reason::Locked`]; [`Reason::Flood`]; those of [`TemplateRequest::read`] and
/// [`PendingTemplateCopy::new`].
pub(super) fn template(
    sources: TemplateSources<'_>,
    ledger: &mut Ledger,
    access: &mut ClientAccess,
    envelope: &Envelope,
    now: Time,
) -> Result<PendingTemplateCopy, Refusal> {
    let request = TemplateRequest::read(envelope)?;
    let source = sources.readable(access, request.source(), now)?;
    access.allowance.take_reading(now)?;
    let size = TemplateSizeEstimate::most(&source.scene);
    if request.persists() {
        costs::check(ledger, access.payer, costs::stored(size.bytes_to_write()), now)?;
    }
    access.allowance.take_copies(size.objects, size.bytes, now)?;
    PendingTemplateCopy::new(request, &source.scene)
}

/// A template that is copied in pieces.
#[derive(Debug)]
pub(super) struct TemplateCopyJob {
    connection: ConnectionId,
    payer: Option<Payer>,
    /// The acknowledgement of the request, due after the last copy.
    receipt: Option<PublishAckTarget>,
    /// Whether a commit failed since the first copy.
    is_lost: bool,
}

impl Realm {
    /// Pauses a connection whose template is still being copied, because its next packets may be about the copies.
    pub(super) fn pause_for_template(&mut self, connection: ConnectionId, scene: &SceneName) {
        let payer = self.access(connection).map(|access| access.payer);
        let is_unfinished = |hosted: &&mut HostedScene| hosted.scene.unfinished_templates() > hosted.loads.len();
        let Some(hosted) = self.scenes.get_mut(scene).filter(is_unfinished) else { return };
        hosted.loads.push_back(TemplateCopyJob { connection, payer, receipt: None, is_lost: false });
        self.begun_load = Some(scene.clone());
        self.outputs.push_back(RealmOutput::PauseReading { connection });
    }

    /// Keeps the acknowledgement of a template that was just begun.
    pub(super) fn acknowledge_after_load(&mut self, scene: &SceneName, receipt: Option<PublishAckTarget>) {
        if let Some(load) = self.scenes.get_mut(scene).and_then(|hosted| hosted.loads.back_mut()) {
            load.receipt = receipt;
        }
    }

    /// Charges the sender of a scene's first unfinished template for the copies, and acknowledges the request.
    pub(super) fn finish_load(&mut self, scene: &SceneName, written_bytes: u64, now: Time) {
        let Some(load) = self.scenes.get_mut(scene).and_then(|hosted| hosted.loads.pop_front()) else { return };
        let written = usize::try_from(written_bytes).unwrap_or(usize::MAX);
        if let Some(payer) = load.payer.filter(|_| written > 0) {
            self.ledger.settle(now, payer, costs::stored(written));
        }
        self.end_load(load, now);
    }

    /// Acknowledges a template and reads its sender's connection again.
    pub(super) fn end_load(&mut self, load: TemplateCopyJob, now: Time) {
        let TemplateCopyJob { connection, receipt, is_lost, .. } = load;
        self.outputs.push_back(RealmOutput::ResumeReading { connection });
        match receipt {
            Some(receipt) if is_lost => self.refuse_receipt(receipt, Reason::NotStored, now),
            receipt => {
                let wait = (self.sequence > self.stored).then_some(self.sequence);
                self.acknowledge_or_hold(receipt, wait);
            }
        }
    }

    /// Notes a failed commit, which may have lost copies of any unfinished template.
    pub(super) fn lose_loads(&mut self) {
        let loads = self.scenes.values_mut().flat_map(|hosted| hosted.loads.iter_mut());
        loads.for_each(|load| load.is_lost = true);
    }
}
