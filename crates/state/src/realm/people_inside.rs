//! The people inside each scene, by all their bearers: connections with a token for the scene or a presence in it, and
//! motion grants. People without a presence are listening. Source: `spec/topics.md` section 3.1.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use stoa_wire::packet::ReasonCode;
use stoa_wire::topic::{SCENE_PREFIX, SceneName};
use stoa_wire::topic_filter::TopicFilter;

use super::bridge::connection_of;
use super::clients::ClientAccess;
use super::ending::DisconnectCause;
use super::full_scene::{Occupant, is_settled, widest_prefix};
use super::{ConnectionId, MotionGrantId, Realm};
use crate::grant::{Claims, Moderation};
use crate::limits;
use crate::mqtt::connection::ProtocolViolation;
use crate::mqtt::session::Session;
use crate::mqtt::shared_subscriptions::SharedFilter;
use crate::network::{ClientNetwork, NetworkPrefix};
use crate::time::Time;

/// Reason for ending a connection in a full scene.
const EVICTED: ProtocolViolation = ProtocolViolation {
    code: ReasonCode::QUOTA_EXCEEDED,
    reason: "the scene is full, and this client had not joined it when another one entered",
};

/// A connection or a motion grant by which a person is inside a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SceneAccessId {
    /// An admitted connection.
    Connection(ConnectionId),
    /// A motion session or its ticket.
    MotionGrant(MotionGrantId),
}

impl SceneAccessId {
    /// The connection, if this is one.
    pub(super) fn connection(self) -> Option<ConnectionId> {
        match self {
            SceneAccessId::Connection(connection) => Some(connection),
            SceneAccessId::MotionGrant(_) => None,
        }
    }

    /// The motion grant, if this is one.
    pub(super) fn motion_grant(self) -> Option<MotionGrantId> {
        match self {
            SceneAccessId::Connection(_) => None,
            SceneAccessId::MotionGrant(motion_grant) => Some(motion_grant),
        }
    }

    /// The connection id under which the scene records the presence.
    fn presence_connection(self) -> ConnectionId {
        match self {
            SceneAccessId::Connection(connection) => connection,
            SceneAccessId::MotionGrant(motion_grant) => connection_of(motion_grant),
        }
    }
}

/// A person inside a scene.
#[derive(Debug)]
pub(super) struct PersonInside {
    /// The person's connections and motion grants, each with its network: connections first.
    bearers: BTreeMap<SceneAccessId, Option<NetworkPrefix>>,
    /// When the person entered by its first connection or motion grant. Further ones gain the person no time.
    joined_at: Time,
}

/// A person that enters a scene.
#[derive(Clone, Debug)]
pub(super) struct Entrant {
    pub(super) who: String,
    pub(super) network: Option<NetworkPrefix>,
}

impl Entrant {
    pub(super) fn new(claims: &Claims, network: Option<ClientNetwork>) -> Entrant {
        Entrant { who: claims.who().into_owned(), network: widest_prefix(network) }
    }
}

/// The people inside each scene, as [`Claims::who`] identifies them.
#[derive(Debug, Default)]
pub(super) struct PeopleInsideScenes {
    by_scene: BTreeMap<SceneName, BTreeMap<String, PersonInside>>,
    /// Admitted connections whose token is not for one scene.
    roaming: BTreeSet<ConnectionId>,
}

/// A client that receives a scene's messages, or may at any time, without a presence under its idTag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnjoinedListener {
    /// The idTag.
    pub id_tag: String,
    /// The display name, else the token's subject. A muted person keeps the name from before the mute.
    pub shown: String,
    /// The account; `None` for a guest.
    pub account: Option<String>,
}

/// The bearer of a token that is present in a scene, or receives its messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneBearer {
    /// The token's claims.
    pub claims: Claims,
    /// The display name under which the scene shows the bearer, else the one of the token.
    pub shown: Option<String>,
}

impl UnjoinedListener {
    fn new(id_tag: &str, claims: &Claims, moderation: &Moderation) -> UnjoinedListener {
        let chosen = claims.display_name.as_ref().unwrap_or(&claims.sub);
        UnjoinedListener {
            id_tag: id_tag.to_string(),
            shown: moderation.shown_name(claims, chosen).to_string(),
            account: (!claims.guest).then(|| claims.sub.clone()),
        }
    }
}

impl PeopleInsideScenes {
    /// Adds a connection or motion grant of a person.
    pub(super) fn insert(&mut self, scene: &SceneName, entrant: Entrant, bearer: SceneAccessId, now: Time) {
        let Entrant { who, network } = entrant;
        let inside = self.by_scene.entry(scene.clone()).or_default();
        let person = inside.entry(who).or_insert_with(|| PersonInside { bearers: BTreeMap::new(), joined_at: now });
        person.bearers.insert(bearer, network);
    }

    /// Removes a connection or motion grant, if it is inside, and the person with its last one.
    pub(super) fn remove(&mut self, scene: &SceneName, who: &str, bearer: SceneAccessId) {
        let Some(inside) = self.by_scene.get_mut(scene) else { return };
        let Some(person) = inside.get_mut(who) else { return };
        person.bearers.remove(&bearer);
        if person.bearers.is_empty() {
            inside.remove(who);
        }
        if inside.is_empty() {
            self.by_scene.remove(scene);
        }
    }

    /// Whether a person is inside.
    pub(super) fn has(&self, scene: &SceneName, who: &str) -> bool {
        self.by_scene.get(scene).is_some_and(|inside| inside.contains_key(who))
    }

    /// Number of people inside.
    pub(super) fn count(&self, scene: &SceneName) -> usize {
        self.by_scene.get(scene).map_or(0, BTreeMap::len)
    }

    /// All people inside.
    pub(super) fn people(&self, scene: &SceneName) -> impl Iterator<Item = (&String, &PersonInside)> {
        self.by_scene.get(scene).into_iter().flatten()
    }

    /// Scenes with people inside, and the people of each.
    pub(super) fn occupied(&self) -> impl Iterator<Item = (&SceneName, &BTreeMap<String, PersonInside>)> {
        self.by_scene.iter()
    }

    /// All connections and motion grants inside.
    pub(super) fn bearers_in(&self, scene: &SceneName) -> impl Iterator<Item = SceneAccessId> {
        self.people(scene).flat_map(|(_, person)| person.bearers.keys().copied())
    }

    /// The connections that hear a scene, or may at any time: those inside, and those whose token is not for one scene.
    pub(super) fn possible_hearers(&self, scene: &SceneName) -> impl Iterator<Item = ConnectionId> {
        self.bearers_in(scene).filter_map(SceneAccessId::connection).chain(self.roaming.iter().copied())
    }

    /// Forgets a connection that has ended.
    pub(super) fn forget_roaming(&mut self, connection: ConnectionId) {
        self.roaming.remove(&connection);
    }

    fn joined_at(&self, scene: &SceneName, who: &str) -> Option<Time> {
        Some(self.by_scene.get(scene)?.get(who)?.joined_at)
    }

    fn of(&self, scene: &SceneName, who: &str) -> Vec<SceneAccessId> {
        let person = self.by_scene.get(scene).and_then(|inside| inside.get(who));
        person.map(|person| person.bearers.keys().copied().collect()).unwrap_or_default()
    }
}

/// A filter of all topics of a scene.
pub(super) fn topics_of(scene: &SceneName) -> TopicFilter {
    TopicFilter::parse(&alloc::format!("{SCENE_PREFIX}{scene}/#")).expect("a scene's name holds no wildcard")
}

impl Realm {
    /// Notes that a connection with a token for many scenes was admitted.
    pub(super) fn note_roaming(&mut self, connection: ConnectionId) {
        self.bearers.roaming.insert(connection);
    }

    /// Brings the people inside a scene up to date with the presence of a connection whose token is not for this scene
    /// alone. A connection with a token for this scene alone is inside until it ends.
    pub(super) fn note_presence(&mut self, scene: &SceneName, connection: ConnectionId, now: Time) {
        let Some(access) = self.access(connection) else { return };
        if access.grant.claims().scene.as_ref() == Some(scene) {
            return;
        }
        let entrant = Entrant::new(access.grant.claims(), access.payer.network());
        if self.scenes.get(scene).is_some_and(|hosted| hosted.scene.is_present(connection)) {
            self.bearers.insert(scene, entrant, SceneAccessId::Connection(connection), now);
        } else {
            self.bearers.remove(scene, &entrant.who, SceneAccessId::Connection(connection));
        }
    }

    /// All people inside a scene.
    pub(super) fn occupants(&self, scene: &SceneName) -> Vec<Occupant<'_>> {
        let Some(hosted) = self.scenes.get(scene) else { return Vec::new() };
        let moderates = |bearer: &SceneAccessId| {
            let claims = match *bearer {
                SceneAccessId::Connection(connection) => self.access(connection).map(|access| access.grant.claims()),
                SceneAccessId::MotionGrant(motion_grant) => self.motion_grants.claims_of(motion_grant),
            };
            claims.is_some_and(|claims| claims.moderates(scene, &hosted.settings).is_some())
        };
        let spoke_at = |bearer: &SceneAccessId| match *bearer {
            SceneAccessId::Connection(connection) => self.access(connection).and_then(|access| access.spoke_at),
            SceneAccessId::MotionGrant(_) => None,
        };
        let is_present = |bearer: &SceneAccessId| hosted.scene.is_present(bearer.presence_connection());
        let occupants = self.bearers.people(scene).map(|(who, person)| Occupant {
            who,
            network: person.bearers.values().next().copied().flatten(),
            joined_at: person.joined_at,
            silent_since: person.bearers.keys().filter_map(spoke_at).max().unwrap_or(person.joined_at),
            stays: person.bearers.keys().any(|bearer| is_present(bearer) || moderates(bearer)),
        });
        occupants.collect()
    }

    /// Ends all connections and motion grants of a person, for an entrant of this network. A person that was inside for
    /// [`limits::LISTENER_GRACE`] replaces no other person within [`limits::EVICTION_COOLDOWN`].
    pub(super) fn evict(&mut self, scene: &SceneName, who: String, by: Option<NetworkPrefix>, now: Time) {
        let bearers = self.bearers.of(scene, &who);
        let was_settled = self.bearers.joined_at(scene, &who).is_some_and(|joined_at| is_settled(joined_at, now));
        if let Some(hosted) = self.scenes.get_mut(scene) {
            if let Some(network) = by {
                hosted.evictions.note(network, now);
            }
            if was_settled {
                hosted.evicted.note(who, now);
            }
        }
        for bearer in bearers {
            match bearer {
                SceneAccessId::Connection(connection) => self.end(connection, DisconnectCause::Because(EVICTED), now),
                SceneAccessId::MotionGrant(motion_grant) => self.end_motion_grant(motion_grant),
            }
        }
    }

    /// Returns the clients that receive the scene's messages, or may at any time, without a presence under their idTag:
    /// at most [`limits::LISTENING_SHOWN_MAX`], of the first [`limits::LISTENING_SEARCHED_MAX`] connections.
    pub(super) fn listening_in(&self, scene: &SceneName) -> Vec<UnjoinedListener> {
        let Some(hosted) = self.scenes.get(scene) else { return Vec::new() };
        let by_mqtt = self.bearers.possible_hearers(scene).take(limits::LISTENING_SEARCHED_MAX);
        let by_mqtt = by_mqtt.filter_map(|connection| self.access(connection));
        let topics = topics_of(scene);
        let by_mqtt = by_mqtt.filter(|access| self.hears(access, scene, &topics));
        let by_mqtt = by_mqtt.map(|access| (access.grant.id_tag(), access.grant.claims()));
        let by_motion = self.motion_claims_in(scene);
        let by_motion = by_motion.filter_map(|claims| Some((claims.user_id.as_deref()?, claims)));
        let (moderation, mut listening) = (&hosted.settings.moderation, BTreeMap::new());
        for (id_tag, claims) in by_mqtt.chain(by_motion) {
            if listening.len() >= limits::LISTENING_SHOWN_MAX {
                break;
            }
            if hosted.scene.connection_of(id_tag).is_none() {
                listening.entry(id_tag).or_insert_with(|| UnjoinedListener::new(id_tag, claims, moderation));
            }
        }
        listening.into_values().collect()
    }

    /// Returns the claims of all bearers of motion grants for a scene.
    pub(super) fn motion_claims_in(&self, scene: &SceneName) -> impl Iterator<Item = &Claims> {
        let motion_grants = self.bearers.bearers_in(scene).filter_map(SceneAccessId::motion_grant);
        motion_grants.filter_map(|motion_grant| self.motion_grants.claims_of(motion_grant))
    }

    /// Whether a client receives messages of a scene, or may at any time: by a token for this scene, or else by a
    /// subscription or by messages of its own. `topics` are those of the scene.
    pub(super) fn hears(&self, access: &ClientAccess, scene: &SceneName, topics: &TopicFilter) -> bool {
        if let Some(own) = &access.grant.claims().scene {
            return own == scene;
        }
        let overlaps = |session: &Session| {
            let shared = session.shares.keys().map(SharedFilter::filter);
            session.subscriptions.keys().chain(shared).any(|filter| filter.overlaps(topics))
        };
        access.scenes.contains(scene) || self.sessions.get(access.session).is_some_and(overlaps)
    }
}
