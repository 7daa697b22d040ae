//! Decides which people may enter a locked or full scene. Source: `spec/topics.md` section 3.1.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use stoa_wire::packet::ReasonCode;
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::SceneName;

use super::clients::{ClientAccess, ClientConnection};
use super::full_scene::{FullSceneEntrant, SceneOccupancy, widest_prefix};
use super::people_inside::{PeopleInsideScenes, SceneAccessId, SceneBearer, topics_of};
use super::scenes::HostedScene;
use super::{CommandAnswer, ConnectionId, Realm};
use crate::grant::Claims;
use crate::limits;
use crate::mqtt::connection::ProtocolViolation;
use crate::network::ClientNetwork;
use crate::time::Time;

/// People that left a scene or were evicted from it, each remembered for a while.
#[derive(Debug)]
pub(super) struct RecentlyDepartedPeople {
    lasts: Duration,
    noted_at: BTreeMap<String, Time>,
}

impl RecentlyDepartedPeople {
    /// Remembers each person for this time.
    fn lasting(lasts: Duration) -> RecentlyDepartedPeople {
        RecentlyDepartedPeople { lasts, noted_at: BTreeMap::new() }
    }

    /// Leavers of a scene. After a network loss they may return even to a locked one.
    pub(super) fn leavers() -> RecentlyDepartedPeople {
        RecentlyDepartedPeople::lasting(limits::BACK_INSIDE)
    }

    /// People that were evicted from a full scene for one more person.
    pub(super) fn evicted() -> RecentlyDepartedPeople {
        RecentlyDepartedPeople::lasting(limits::EVICTION_COOLDOWN)
    }

    pub(super) fn note(&mut self, who: String, now: Time) {
        self.noted_at.retain(|_, at| now < *at + self.lasts);
        if self.noted_at.len() < limits::LEFT_MAX {
            self.noted_at.insert(who, now);
        }
    }

    /// Forgets banned people: they may not return.
    pub(super) fn forget(&mut self, is_out: impl Fn(&str) -> bool) {
        self.noted_at.retain(|who, _| !is_out(who));
    }

    fn has(&self, who: &str, now: Time) -> bool {
        self.noted_at.get(who).is_some_and(|at| now < *at + self.lasts)
    }
}

/// Whether a person is inside a scene, or left it a moment ago.
pub(super) fn is_inside(bearers: &PeopleInsideScenes, hosted: &HostedScene, who: &str, now: Time) -> bool {
    bearers.has(hosted.scene.name(), who) || hosted.left.has(who, now)
}

/// Returns the refusal in MQTT's terms.
pub(super) fn violation(refused: Refusal) -> ProtocolViolation {
    match refused.reason {
        Reason::Full => ProtocolViolation { code: ReasonCode::QUOTA_EXCEEDED, reason: "the scene is full" },
        _ => ProtocolViolation { code: ReasonCode::NOT_AUTHORIZED, reason: "the scene is locked" },
    }
}

impl Realm {
    /// Checks the lock and the people limit for a token's bearer, whatever its rights. Moderators and people inside
    /// pass. Returns the person to evict from a full scene for the bearer. Errors: [`Reason::Locked`],
    /// [`Reason::Full`], [`Reason::NoSuchScene`].
    pub(super) fn check_admission(
        &mut self,
        name: &SceneName,
        claims: &Claims,
        network: Option<ClientNetwork>,
        now: Time,
    ) -> Result<Option<String>, Refusal> {
        let Some(entrant) = self.full_scene_entrant(name, claims, network, now)? else { return Ok(None) };
        if self.counted_occupancy(name, now).is_some_and(|counted| !entrant.is_possible(counted)) {
            return Err(entrant.refusal());
        }
        let people = self.occupants(name);
        let occupancy = SceneOccupancy::of(&people, now);
        let evicted = entrant.evicted(&people, &occupancy, now).map(ToString::to_string);
        self.note_occupancy(name, occupancy);
        evicted.map(Some).ok_or_else(|| entrant.refusal())
    }

    /// Checks the lock and the people limit. Admits and evicts no person.
    pub(super) fn answer_admission_check(
        &mut self,
        name: &SceneName,
        claims: &Claims,
        network: Option<ClientNetwork>,
        now: Time,
    ) -> CommandAnswer {
        let checked = self.full_scene_entrant(name, claims, network, now).and_then(|entrant| {
            let Some(entrant) = entrant else { return Ok(()) };
            if self.counted_occupancy(name, now).is_none() {
                let occupancy = SceneOccupancy::of(&self.occupants(name), now);
                self.note_occupancy(name, occupancy);
            }
            let is_possible = self.counted_occupancy(name, now).is_some_and(|counted| entrant.is_possible(counted));
            if is_possible { Ok(()) } else { Err(entrant.refusal()) }
        });
        checked.map_or_else(CommandAnswer::Refused, |()| CommandAnswer::Done)
    }

    /// Checks the lock. Returns the bearer as an entrant if the scene is full for it. Errors: [`Reason::Locked`],
    /// [`Reason::NoSuchScene`], and [`Reason::Full`] for a person that was evicted a moment ago.
    fn full_scene_entrant(
        &self,
        name: &SceneName,
        claims: &Claims,
        network: Option<ClientNetwork>,
        now: Time,
    ) -> Result<Option<FullSceneEntrant>, Refusal> {
        let hosted = self.scenes.get(name).ok_or(Reason::NoSuchScene)?;
        let (is_locked, most) = (hosted.settings.moderation.locked, hosted.settings.people_max);
        if !is_locked && most.is_none() || claims.moderates(name, &hosted.settings).is_some() {
            return Ok(None);
        }
        let who = claims.who();
        if self.bearers.has(name, &who) {
            return Ok(None);
        }
        if is_locked && !hosted.left.has(&who, now) {
            return Err(Reason::Locked.into());
        }
        let people_max = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
        if self.bearers.count(name) < people_max {
            return Ok(None);
        }
        let network = widest_prefix(network);
        let entrant = FullSceneEntrant { people_max, network, replaced: hosted.evictions.count(network, now) };
        if hosted.evicted.has(&who, now) {
            return Err(entrant.refusal());
        }
        Ok(Some(entrant))
    }

    /// The last count of the people inside, if it is younger than [`limits::OCCUPANCY_COUNT_LASTS`]. A new count reads
    /// all people.
    fn counted_occupancy(&self, name: &SceneName, now: Time) -> Option<&SceneOccupancy> {
        self.scenes.get(name)?.occupancy.as_ref().filter(|counted| counted.is_fresh(now))
    }

    fn note_occupancy(&mut self, name: &SceneName, occupancy: SceneOccupancy) {
        if let Some(hosted) = self.scenes.get_mut(name) {
            hosted.occupancy = Some(occupancy);
        }
    }

    /// Lets the people of a scene, and its recent leavers, return to it by its next name.
    pub(super) fn note_all_left(&mut self, name: &SceneName, to: SceneName, now: Time) {
        let Some(hosted) = self.scenes.get_mut(name) else { return };
        let mut left = core::mem::replace(&mut hosted.left, RecentlyDepartedPeople::leavers());
        for (who, _) in self.bearers.people(name) {
            left.note(who.clone(), now);
        }
        self.renaming = Some((to, left));
    }

    /// Returns the bearer with this idTag that is present in a scene, else one that receives its messages or poses.
    pub(super) fn bearer_in(&self, name: &SceneName, id_tag: &str) -> Option<Box<SceneBearer>> {
        let topics = topics_of(name);
        let has_it = |access: &&ClientAccess| access.grant.id_tag() == id_tag && self.hears(access, name, &topics);
        let present = self.scenes.get(name).and_then(|hosted| hosted.scene.connection_of(id_tag));
        let present = present.and_then(|connection| self.access(connection));
        let hearers = self.bearers.possible_hearers(name).filter_map(|connection| self.access(connection));
        let others = hearers.filter(has_it);
        let by_mqtt = present.into_iter().chain(others).map(|access| access.grant.claims()).next();
        let by_motion = || self.motion_claims_in(name).find(|claims| claims.user_id.as_deref() == Some(id_tag));
        let claims = by_mqtt.or_else(by_motion)?;
        let hosted = self.scenes.get(name);
        let in_scene = hosted.and_then(|hosted| hosted.scene.names_of(id_tag).next());
        let shown = in_scene.or(claims.display_name.as_deref()).map(|chosen| {
            hosted.map_or(chosen, |hosted| hosted.settings.moderation.shown_name(claims, chosen)).to_string()
        });
        Some(Box::new(SceneBearer { claims: claims.clone(), shown }))
    }

    /// Returns display names of people in each scene, at most [`limits::PEOPLE_NAMED_MAX`] of each. A guest's is
    /// marked, because a guest may choose an account's name.
    pub(super) fn names_inside(&self) -> BTreeMap<SceneName, Vec<String>> {
        let mut names: BTreeMap<SceneName, Vec<String>> = BTreeMap::new();
        for (scene, _) in self.bearers.occupied() {
            let Some(hosted) = self.scenes.get(scene) else { continue };
            let bearers = self.bearers.bearers_in(scene).take(limits::PEOPLE_NAMED_SEARCHED_MAX);
            let present = bearers.filter_map(|bearer| self.access(bearer.connection()?));
            // People by a token for several scenes are not named.
            let present = present.filter(|access| access.scenes.contains(scene));
            let claims = present.map(|access| access.grant.claims()).filter(|claims| claims.scene.is_some());
            let shown = claims.take(limits::PEOPLE_NAMED_MAX).map(|claims| {
                let chosen = claims.display_name.as_ref().unwrap_or(&claims.sub);
                let name = hosted.settings.moderation.shown_name(claims, chosen);
                if claims.guest { format!("{name} (guest)") } else { name.to_string() }
            });
            let shown: Vec<String> = shown.collect();
            if !shown.is_empty() {
                names.insert(scene.clone(), shown);
            }
        }
        names
    }

    /// Notes that a connection has ended.
    pub(super) fn note_left(&mut self, connection: ConnectionId, client: &ClientConnection, now: Time) {
        let Some(ClientAccess { grant, scenes, .. }) = &client.access else { return };
        let (claims, bearer) = (grant.claims(), SceneAccessId::Connection(connection));
        let who = claims.who();
        self.bearers.forget_roaming(connection);
        let Some(own) = &claims.scene else {
            for name in scenes {
                self.bearers.remove(name, &who, bearer);
            }
            return;
        };
        self.bearers.remove(own, &who, bearer);
        if let Some(hosted) = self.scenes.get_mut(own) {
            hosted.left.note(who.into_owned(), now);
        }
    }
}
