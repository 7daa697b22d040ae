//! Issues, limits and ends grants for the motion plane, which follow from a token's rights. Tickets, connections and
//! frames are the caller's.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use stoa_wire::envelope::{Action, Envelope};
use stoa_wire::limits::MOTION_NAME_BYTES_MAX;
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::{REALM_CLIENT, SceneName, SceneTopic, TopicKind};
use stoa_wire::topic_filter::TopicFilter;

use super::clients::holder;
use super::people_inside::{Entrant, SceneAccessId};
use super::publishing::own_message;
use super::timers::TimerKey;
use super::{ConnectionId, Realm, RealmOutput, costs};
use crate::grant::{Author, Claims, Grant};
use crate::ledger::{Ledger, Payer};
use crate::limits;
use crate::motion::{MotionRights, MotionSettings};
use crate::mqtt::client_rate_limiter::GrantSubjectKey;
use crate::network::ClientNetwork;
use crate::time::Time;

/// A motion grant's number, never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MotionGrantId(pub u64);

/// Permission to be on a scene's motion plane, valid until [`RealmOutput::MotionGrantEnded`] or
/// [`super::Command::EndMotionGrant`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MotionGrant {
    /// The grant's number.
    pub id: MotionGrantId,
    /// The scene of the motion plane.
    pub scene: SceneName,
    /// The bearer's user client (token 5 of topics).
    pub user_client: String,
    /// The bearer's idTag (token 6 of topics).
    pub id_tag: String,
    /// The bearer's rights.
    pub rights: MotionRights,
    /// The scene's motion settings.
    pub settings: MotionSettings,
}

/// The realm's record of a motion grant.
#[derive(Debug)]
struct MotionGrantRecord {
    claims: Claims,
    scene: SceneName,
    holder: GrantSubjectKey,
    payer: Payer,
    ends_at: Time,
    /// The bearer as an author in the scene.
    author: Author,
}

/// All valid motion grants.
#[derive(Debug, Default)]
pub(super) struct MotionGrants {
    issued: BTreeMap<MotionGrantId, MotionGrantRecord>,
    count: BTreeMap<GrantSubjectKey, usize>,
    last: u64,
}

impl MotionGrants {
    /// Adds a grant and charges its payer. Errors: the bound that refuses it.
    fn add(&mut self, issued: MotionGrantRecord, ledger: &mut Ledger, now: Time) -> Result<MotionGrantId, Refusal> {
        let most = if issued.holder.guest { limits::GUEST_MOTION_GRANTS_MAX } else { limits::MEMBER_MOTION_GRANTS_MAX };
        let count = self.count.get(&issued.holder).copied().unwrap_or_default();
        if count >= most {
            return Err(Refusal::beyond(Reason::Flood, most, "motion sessions and tickets"));
        }
        costs::accept(ledger.charge(now, issued.payer, costs::MOTION_GRANT))?;
        self.count.insert(issued.holder.clone(), count + 1);
        self.last += 1;
        self.issued.insert(MotionGrantId(self.last), issued);
        Ok(MotionGrantId(self.last))
    }

    /// Returns a bearer's claims, and the bearer as author; `None` if the grant is unknown or for another scene.
    pub(super) fn bearer(&self, id: MotionGrantId, scene: &SceneName) -> Option<(&Claims, &Author)> {
        let issued = self.issued.get(&id).filter(|issued| issued.scene == *scene)?;
        Some((&issued.claims, &issued.author))
    }

    /// Returns the claims of a motion grant's bearer.
    pub(super) fn claims_of(&self, id: MotionGrantId) -> Option<&Claims> {
        self.issued.get(&id).map(|issued| &issued.claims)
    }

    fn remove(&mut self, id: MotionGrantId) -> Option<MotionGrantRecord> {
        let issued = self.issued.remove(&id)?;
        if let Some(count) = self.count.get_mut(&issued.holder) {
            *count -= 1;
            if *count == 0 {
                self.count.remove(&issued.holder);
            }
        }
        Some(issued)
    }
}

/// Whether this message requests a ticket.
pub(super) fn is_request(topic: &SceneTopic, envelope: &Envelope) -> bool {
    let is_to_realm = topic.kind == TopicKind::D && topic.to_uid.as_deref() == Some(REALM_CLIENT);
    is_to_realm && envelope.action == Some(Action::GetMotionTicket)
}

impl Realm {
    /// Issues a grant at a connection's request.
    pub(super) fn issue_motion_grant(
        &mut self,
        connection: ConnectionId,
        scene: &SceneName,
        now: Time,
    ) -> Result<(), Refusal> {
        let access = self.access(connection).ok_or(Reason::NotGranted)?;
        let (grant, payer) = (access.grant.clone(), access.payer);
        let origin = self.clients.get(&connection).map(|client| client.origin);
        let motion_grant = self.grant_motion(&grant, payer, scene, now)?;
        if let Some(origin) = origin {
            self.outputs.push_back(RealmOutput::MotionGranted { connection, origin, motion_grant });
        }
        Ok(())
    }

    /// Issues a grant for a token that is bound to one client, whose bearer is in this network.
    pub(super) fn motion_grant_for(
        &mut self,
        claims: Claims,
        network: Option<ClientNetwork>,
        scene: &SceneName,
        now: Time,
    ) -> Result<MotionGrant, Refusal> {
        if claims.user_client.is_none() || claims.user_id.is_none() {
            return Err(Reason::WrongIdentity.into());
        }
        let grant = Grant::new(claims, "")?;
        if grant.is_expired(self.unix(now)) || !self.is_still_granted(grant.claims()) {
            return Err(Reason::NotGranted.into());
        }
        let payer = costs::payer(&mut self.ledger, &grant, network, now);
        self.grant_motion(&grant, payer, scene, now)
    }

    fn grant_motion(
        &mut self,
        grant: &Grant,
        payer: Payer,
        scene: &SceneName,
        now: Time,
    ) -> Result<MotionGrant, Refusal> {
        let hosted = self.scenes.get(scene).ok_or(Reason::NoSuchScene)?;
        let people = TopicFilter::parse(&format!("realm/s/{scene}/u/+/+")).map_err(|_| Reason::BadTopic)?;
        let is_shut_out = grant.claims().guest && !hosted.settings.anonymous_users;
        if is_shut_out || !grant.may_subscribe(&people) {
            return Err(Reason::NotGranted.into());
        }
        let settings = hosted.settings.motion_over(self.start.motion);
        let (identity, id_tag) = (grant.identity(), grant.id_tag());
        // A client id may be longer than a name on the motion plane.
        if id_tag.len() > MOTION_NAME_BYTES_MAX {
            return Err(Refusal::beyond(Reason::WrongIdentity, MOTION_NAME_BYTES_MAX, "bytes of an idTag"));
        }
        let may_show = grant.may_publish(&format!("realm/s/{scene}/u/{identity}/{id_tag}")).is_ok();
        let may_track = grant.may_build(scene) && grant.may_act_on_objects(Some(Action::Update));
        let ends_at = self.end_of(grant);
        if ends_at <= now {
            return Err(Reason::NotGranted.into());
        }
        let evicted = self.check_admission(scene, grant.claims(), payer.network(), now)?;
        let (claims, holder) = (grant.claims().clone(), holder(grant));
        let entrant = Entrant::new(&claims, payer.network());
        let (user_client, id_tag) = (identity.to_string(), id_tag.to_string());
        let author = grant.author(ConnectionId(u64::MAX), scene);
        let issued = MotionGrantRecord { claims, scene: scene.clone(), holder, payer, ends_at, author };
        let id = self.motion_grants.add(issued, &mut self.ledger, now)?;
        self.timers.once(TimerKey::MotionGrant(id), ends_at);
        if let Some(evicted) = evicted {
            self.evict(scene, evicted, entrant.network, now);
        }
        self.bearers.insert(scene, entrant, SceneAccessId::MotionGrant(id), now);
        let rights = MotionRights { may_show, may_track, may_speak: may_show, may_hear: true };
        Ok(MotionGrant { id, scene: scene.clone(), user_client, id_tag, rights, settings })
    }

    /// Removes a grant that its bearer returned.
    pub(super) fn drop_motion_grant(&mut self, id: MotionGrantId) {
        self.take_motion_grant(id);
    }

    fn take_motion_grant(&mut self, id: MotionGrantId) -> Option<MotionGrantRecord> {
        let issued = self.motion_grants.remove(id)?;
        self.ledger.release(issued.payer, costs::MOTION_GRANT);
        self.timers.cancel(TimerKey::MotionGrant(id), Some(issued.ends_at));
        self.bearers.remove(&issued.scene, &issued.claims.who(), SceneAccessId::MotionGrant(id));
        Some(issued)
    }

    /// Ends a grant and notifies the caller.
    pub(super) fn end_motion_grant(&mut self, id: MotionGrantId) {
        if let Some(issued) = self.take_motion_grant(id) {
            self.outputs.push_back(RealmOutput::MotionGrantEnded { motion_grant: id, scene: issued.scene });
        }
    }

    /// Ends all grants whose claims match.
    pub(super) fn end_motion_grants(&mut self, is_meant: impl Fn(&Realm, &Claims) -> bool) {
        let meant = |(id, issued): (&MotionGrantId, &MotionGrantRecord)| is_meant(self, &issued.claims).then_some(*id);
        let meant: Vec<MotionGrantId> = self.motion_grants.issued.iter().filter_map(meant).collect();
        meant.into_iter().for_each(|id| self.end_motion_grant(id));
    }

    /// Ends all grants of a scene.
    pub(super) fn end_motion_grants_in(&mut self, scene: &SceneName) {
        let inside: Vec<MotionGrantId> =
            self.bearers.bearers_in(scene).filter_map(SceneAccessId::motion_grant).collect();
        inside.into_iter().for_each(|id| self.end_motion_grant(id));
    }

    /// Sends a ticket to the connection that requested it. `payload` is a JSON object.
    pub fn handle_ticket(&mut self, connection: ConnectionId, scene: &SceneName, payload: Vec<u8>, now: Time) {
        let Some(access) = self.access(connection) else { return };
        let topic = format!("realm/s/{scene}/d/{REALM_CLIENT}/-/{}", access.grant.id_tag());
        if let Some(publish) = own_message(&topic, payload.into()) {
            self.send_alone(connection, &publish);
        }
        self.settle(now);
    }
}
