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
use super::people_inside::{PeopleInsideScenes, SceneAccessId, SceneBearer, UnjoinedPerson, topics_of, widest_prefix};
use super::scenes::HostedScene;
use super::{CommandAnswer, ConnectionId, Realm};
use crate::grant::Claims;
use crate::limits;
use crate::mqtt::connection::ProtocolViolation;
use crate::network::{ClientNetwork, NetworkPrefix};
use crate::time::Time;

/// People that left or were removed from a scene a moment ago, each remembered for a while.
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

    /// Silent people that left a full scene to make room for one more person.
    pub(super) fn evicted() -> RecentlyDepartedPeople {
        RecentlyDepartedPeople::lasting(limits::EVICTION_COOLDOWN)
    }

    pub(super) fn note(&mut self, who: String, now: Time) {
        self.noted_at.retain(|_, at| now < *at + self.lasts);
        if self.noted_at.len() < limits::LEFT_MAX {
            self.noted_at.insert(who, now);
        }
    }

    /// Forgets removed people: they may not return.
    pub(super) fn forget(&mut self, is_out: impl Fn(&str) -> bool) {
        self.noted_at.retain(|who, _| !is_out(who));
    }

    fn has(&self, who: &str, now: Time) -> bool {
        self.noted_at.get(who).is_some_and(|at| now < *at + self.lasts)
    }
}

/// A full scene: one more person may enter only if people leave who have not joined the scene.
struct FullSceneCheck {
    /// Most people that the scene takes.
    most: usize,
    /// Number of people that must leave.
    over: usize,
}

impl FullSceneCheck {
    fn refusal(&self) -> Refusal {
        Refusal::beyond(Reason::Full, self.most, "people in the scene")
    }

    /// Decides who leaves for a person of this network. Errors: [`Reason::Full`].
    fn leavers(&self, unjoined: &UnjoinedCount, network: Option<NetworkPrefix>) -> Result<Leavers, Refusal> {
        if unjoined.silent >= self.over {
            return Ok(Leavers::Silent);
        }
        let larger = unjoined.larger_network(network).filter(|_| self.over == 1);
        larger.map(Leavers::OneOf).ok_or_else(|| self.refusal())
    }
}

/// The people of whom the longest silent leave a full scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leavers {
    /// Silent people.
    Silent,
    /// The people of this network who have not joined.
    OneOf(NetworkPrefix),
}

/// The number of people in a scene without a presence there.
#[derive(Debug)]
pub(super) struct UnjoinedCount {
    counted_at: Time,
    /// People that came at least [`limits::LISTENER_GRACE`] ago.
    silent: usize,
    /// The people of each network.
    by_network: BTreeMap<NetworkPrefix, usize>,
}

impl UnjoinedCount {
    fn of(people: &[UnjoinedPerson], now: Time) -> UnjoinedCount {
        let silent = people.iter().filter(|person| is_silent(person, now)).count();
        let mut by_network = BTreeMap::new();
        for network in people.iter().filter_map(|person| person.network) {
            *by_network.entry(network).or_default() += 1;
        }
        UnjoinedCount { counted_at: now, silent, by_network }
    }

    /// The network with the most of these people, if the network `than` has fewer even with one more. Two networks
    /// therefore never replace each other's people in turn.
    fn larger_network(&self, than: Option<NetworkPrefix>) -> Option<NetworkPrefix> {
        let own = than.and_then(|network| self.by_network.get(&network)).copied().unwrap_or(0);
        let (network, most) = self.by_network.iter().max_by_key(|(_, count)| **count)?;
        (*most > own + 1).then_some(*network)
    }
}

fn is_silent(person: &UnjoinedPerson, now: Time) -> bool {
    now >= person.came_at + limits::LISTENER_GRACE
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
    /// Checks the lock and the people limit for a token's bearer, apart from its rights. Moderators and people
    /// inside pass. Returns the people who must leave the full scene for it. Errors: [`Reason::Locked`],
    /// [`Reason::Full`], [`Reason::NoSuchScene`].
    pub(super) fn check_admission(
        &mut self,
        name: &SceneName,
        claims: &Claims,
        network: Option<ClientNetwork>,
        now: Time,
    ) -> Result<Vec<String>, Refusal> {
        let Some(full) = self.full_scene(name, claims, now)? else { return Ok(Vec::new()) };
        let network = widest_prefix(network);
        if let Some(counted) = self.counted_unjoined(name, now) {
            full.leavers(counted, network)?;
        }
        let people = self.unjoined_people(name);
        let counted = UnjoinedCount::of(&people, now);
        let leavers = full.leavers(&counted, network);
        self.note_unjoined(name, counted);
        let leavers = leavers?;
        let may_leave = |person: &UnjoinedPerson| match leavers {
            Leavers::Silent => is_silent(person, now),
            Leavers::OneOf(larger) => person.network == Some(larger),
        };
        Ok(people.into_iter().filter(may_leave).map(|person| person.who).take(full.over).collect())
    }

    /// Checks the lock and the people limit, without an admission.
    pub(super) fn answer_admission_check(
        &mut self,
        name: &SceneName,
        claims: &Claims,
        network: Option<ClientNetwork>,
        now: Time,
    ) -> CommandAnswer {
        let checked = self.full_scene(name, claims, now).and_then(|full| {
            let Some(full) = full else { return Ok(()) };
            if self.counted_unjoined(name, now).is_none() {
                let counted = UnjoinedCount::of(&self.unjoined_people(name), now);
                self.note_unjoined(name, counted);
            }
            let counted = self.counted_unjoined(name, now);
            let counted = counted.ok_or_else(|| full.refusal())?;
            full.leavers(counted, widest_prefix(network)).map(|_| ())
        });
        checked.map_or_else(CommandAnswer::Refused, |()| CommandAnswer::Done)
    }

    /// Checks the lock. Returns the limit if the scene is full for the bearer. Errors: [`Reason::Locked`],
    /// [`Reason::NoSuchScene`], and [`Reason::Full`] for a person that gave way a moment ago.
    fn full_scene(&self, name: &SceneName, claims: &Claims, now: Time) -> Result<Option<FullSceneCheck>, Refusal> {
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
        let most = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
        let over = (self.bearers.count(name) + 1).saturating_sub(most);
        if over == 0 {
            return Ok(None);
        }
        let full = FullSceneCheck { most, over };
        if hosted.gave_way.has(&who, now) {
            return Err(full.refusal());
        }
        Ok(Some(full))
    }

    /// The last count, for [`limits::SILENT_COUNT_LASTS`]: a search compares all people inside.
    fn counted_unjoined(&self, name: &SceneName, now: Time) -> Option<&UnjoinedCount> {
        let counted = self.scenes.get(name)?.unjoined.as_ref()?;
        (now < counted.counted_at + limits::SILENT_COUNT_LASTS).then_some(counted)
    }

    fn note_unjoined(&mut self, name: &SceneName, counted: UnjoinedCount) {
        if let Some(hosted) = self.scenes.get_mut(name) {
            hosted.unjoined = Some(counted);
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

    /// Returns the bearer with this idTag in a scene. A present one precedes those that are listening.
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
