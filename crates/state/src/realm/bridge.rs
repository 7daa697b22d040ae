//! Bridge between the motion plane and plain MQTT clients, in both directions. Source: `spec/topics.md` section
//! 2.6.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::{Map, Value, json};
use stoa_wire::envelope::{Action, Envelope};
use stoa_wire::motion::{MotionObjectKind as Part, PackedPose, Pose};
use stoa_wire::topic::{SceneName, SceneTopic, TopicKind, owner_of_part};

use super::fan_out::OutgoingMessage;
use super::publishing::{add_revision, own_message};
use super::{ConnectionId, MotionGrantId, PacketClass, Realm, RealmOutput};
use crate::grant::{Author, Claims};
use crate::limits;
use crate::mqtt::session::SessionId;
use crate::scene;
use crate::time::Time;

/// An event on a scene's motion plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MotionPlaneEvent {
    /// A person entered the plane.
    Entered {
        /// The person's motion grant.
        motion_grant: MotionGrantId,
    },
    /// A person left the plane.
    Left {
        /// The person's motion grant.
        motion_grant: MotionGrantId,
    },
    /// A head or a hand moved.
    Moved {
        /// The person's motion grant.
        motion_grant: MotionGrantId,
        /// Head, left or right hand.
        part: Part,
        /// The new pose.
        pose: PackedPose,
    },
    /// A hand disappeared.
    Gone {
        /// The person's motion grant.
        motion_grant: MotionGrantId,
        /// The left or the right hand.
        part: Part,
    },
}

/// Pose of a camera or hand that arrived over MQTT. Absent fields are unchanged.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseFromMqtt {
    /// The person's idTag.
    pub id_tag: String,
    /// Head, left or right hand.
    pub part: Part,
    /// In metres.
    pub position: Option<[f64; 3]>,
    /// Quaternion x, y, z, w.
    pub rotation: Option<[f64; 4]>,
}

/// A person on the motion plane.
#[derive(Debug)]
struct MotionParticipant {
    scene: SceneName,
    /// The person as an author, with the connection id that represents its motion grant.
    author: Author,
    display_name: String,
    /// The display name has changed since MQTT clients received it.
    is_renamed: bool,
    /// An MQTT connection of the person's own made the person present, and also ends the presence.
    was_present: bool,
    /// Hands that were announced.
    hands: BTreeSet<Part>,
}

/// All people on the motion plane.
#[derive(Debug, Default)]
pub(super) struct MotionParticipants {
    inside: BTreeMap<MotionGrantId, MotionParticipant>,
    by_scene: BTreeMap<SceneName, MotionPlaneParticipants>,
}

/// People of one scene on the motion plane.
#[derive(Debug, Default)]
struct MotionPlaneParticipants {
    /// The people's motion grants by idTag.
    motion_grants: BTreeMap<String, MotionGrantId>,
    /// When an MQTT client last received a pose of these people; before that, when one was first published.
    received_at: Option<Time>,
    /// No MQTT client has received a pose for a while, and the realm has reported it.
    is_unfollowed: bool,
}

impl MotionParticipants {
    /// Whether a person with that idTag is on the plane.
    fn has(&self, scene: &SceneName, id_tag: &str) -> bool {
        self.by_scene.get(scene).is_some_and(|present| present.motion_grants.contains_key(id_tag))
    }

    fn is_used(&self, scene: &SceneName) -> bool {
        self.by_scene.contains_key(scene)
    }

    fn insert(&mut self, motion_grant: MotionGrantId, inside: MotionParticipant) {
        let present = self.by_scene.entry(inside.scene.clone()).or_default();
        present.motion_grants.insert(inside.author.id_tag.clone(), motion_grant);
        self.inside.insert(motion_grant, inside);
    }

    fn remove(&mut self, motion_grant: MotionGrantId) -> Option<MotionParticipant> {
        let inside = self.inside.remove(&motion_grant)?;
        if let Some(MotionPlaneParticipants { motion_grants, .. }) = self.by_scene.get_mut(&inside.scene) {
            // Of two motion grants with the same idTag, the later one counts.
            if motion_grants.get(&inside.author.id_tag) == Some(&motion_grant) {
                motion_grants.remove(&inside.author.id_tag);
            }
            if motion_grants.is_empty() {
                self.by_scene.remove(&inside.scene);
            }
        }
        Some(inside)
    }

    /// Notes whether MQTT clients received the latest poses. Returns whether the scene is followed, if this changed.
    /// A client that follows one of many people receives poses only in turn, so the change to unfollowed is delayed.
    fn note_receivers(&mut self, scene: &SceneName, is_received: bool, now: Time) -> Option<bool> {
        let present = self.by_scene.get_mut(scene)?;
        let received_at = *present.received_at.get_or_insert(now);
        if is_received {
            present.received_at = Some(now);
        }
        let is_unfollowed = !is_received && now.since(received_at) >= limits::MOTION_UNHEARD;
        let was_unfollowed = core::mem::replace(&mut present.is_unfollowed, is_unfollowed);
        (was_unfollowed != is_unfollowed).then_some(!is_unfollowed)
    }

    /// Translates a message of a person who is not on the plane into a pose, or its end, for the people on the plane.
    /// Must be called before the scene handles the message.
    pub(super) fn bridge_message(&self, topic: &SceneTopic, envelope: &Envelope, id_tag: &str) -> Option<RealmOutput> {
        if !self.is_used(&topic.scene) || topic.to_uid.is_some() {
            return None;
        }
        let scene = topic.scene.clone();
        match (topic.kind, envelope.action?) {
            (TopicKind::X, Action::Leave) => {
                Some(RealmOutput::BridgedPoseEnded { scene, id_tag: topic.uuid.clone(), part: None })
            }
            (TopicKind::U, action) => {
                let id_tag = owner_of_part(&topic.uuid, id_tag);
                let part = part_of(id_tag, &topic.uuid)?;
                if self.has(&scene, id_tag) {
                    return None;
                }
                match action {
                    Action::Delete => {
                        Some(RealmOutput::BridgedPoseEnded { scene, id_tag: id_tag.to_string(), part: Some(part) })
                    }
                    Action::Create | Action::Update => {
                        let bridged_pose = bridged_pose(id_tag, part, envelope.attributes.as_ref()?)?;
                        Some(RealmOutput::PoseFromMqtt { scene, bridged_pose })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

impl Realm {
    /// Handles events of a scene's motion plane.
    pub fn handle_motion(&mut self, scene: &SceneName, reports: &[MotionPlaneEvent], now: Time) {
        let mut receivers = None;
        for report in reports {
            match *report {
                MotionPlaneEvent::Entered { motion_grant } => self.enter_plane(motion_grant, scene),
                MotionPlaneEvent::Left { motion_grant } => self.leave_motion_plane(motion_grant, now),
                MotionPlaneEvent::Moved { motion_grant, part, pose } => {
                    receivers = receivers.max(self.show(motion_grant, part, pose, now))
                }
                MotionPlaneEvent::Gone { motion_grant, part } => self.hide(motion_grant, part, now),
            }
        }
        if let Some(receivers) = receivers
            && let Some(is_followed) = self.plane.note_receivers(scene, receivers > 0, now)
        {
            self.outputs.push_back(RealmOutput::Followed { scene: scene.clone(), is_followed });
        }
        self.settle(now);
    }

    /// Whether the session's holder receives poses by the motion plane.
    pub(super) fn is_on_plane(&self, id: SessionId, scene: &SceneName) -> bool {
        let connection = self.sessions.get(id).and_then(|session| session.attached).map(|attached| attached.connection);
        let access = connection.and_then(|connection| self.access(connection));
        access.is_some_and(|access| self.plane.has(scene, access.grant.id_tag()))
    }

    /// Ends the bridged poses of a person or part if the scene published a leave or a deletion on this topic.
    pub(super) fn note_person_left(&mut self, topic: &str) {
        let Some(Ok(topic)) = SceneTopic::parse(topic) else { return };
        if !self.plane.is_used(&topic.scene) {
            return;
        }
        let (scene, id) = (topic.scene, topic.uuid);
        match topic.kind {
            TopicKind::X => self.outputs.push_back(RealmOutput::BridgedPoseEnded { scene, id_tag: id, part: None }),
            TopicKind::U => {
                let id_tag = owner_of_part(&id, "").to_string();
                if let Some(part) = part_of(&id_tag, &id) {
                    self.outputs.push_back(RealmOutput::BridgedPoseEnded { scene, id_tag, part: Some(part) });
                }
            }
            _ => {}
        }
    }

    fn enter_plane(&mut self, motion_grant: MotionGrantId, scene: &SceneName) {
        let Some((claims, author)) = self.motion_grants.bearer(motion_grant, scene) else { return };
        let author = Author { connection: connection_of(motion_grant), ..author.clone() };
        let display_name = self.name_on_plane(scene, claims, &author.id_tag);
        let is_first = !self.plane.is_used(scene);
        let inside = MotionParticipant {
            scene: scene.clone(),
            author,
            display_name,
            is_renamed: false,
            was_present: false,
            hands: BTreeSet::new(),
        };
        self.plane.insert(motion_grant, inside);
        if is_first {
            // The caller may still assume that the scene is unfollowed, from people who were on the plane before.
            self.outputs.push_back(RealmOutput::Followed { scene: scene.clone(), is_followed: true });
            self.show_bridged_people(scene, |_| true);
        }
    }

    /// The name under which a person on the plane is shown.
    fn name_on_plane(&self, scene: &SceneName, claims: &Claims, id_tag: &str) -> String {
        let chosen = claims.display_name.as_deref().unwrap_or(id_tag);
        let moderation = self.scenes.get(scene).map(|hosted| &hosted.settings.moderation);
        moderation.map_or(chosen, |moderation| moderation.shown_name(claims, chosen)).to_string()
    }

    /// Renames people on the plane whose mute began or ended.
    pub(super) fn rename_on_plane(&mut self, scene: &SceneName) {
        let Some(present) = self.plane.by_scene.get(scene) else { return };
        let renamed = |id: &MotionGrantId| {
            let (claims, author) = self.motion_grants.bearer(*id, scene)?;
            let name = self.name_on_plane(scene, claims, &author.id_tag);
            let is_new = self.plane.inside.get(id).is_some_and(|inside| inside.display_name != name);
            is_new.then_some((*id, name))
        };
        let renamed: Vec<(MotionGrantId, String)> = present.motion_grants.values().filter_map(renamed).collect();
        for (id, name) in renamed {
            if let Some(inside) = self.plane.inside.get_mut(&id) {
                inside.display_name = name;
                inside.is_renamed = true;
            }
        }
    }

    fn leave_motion_plane(&mut self, motion_grant: MotionGrantId, now: Time) {
        let hands = self.plane.inside.get(&motion_grant).map(|inside| inside.hands.clone()).unwrap_or_default();
        hands.into_iter().for_each(|hand| self.hide(motion_grant, hand, now));
        let Some(MotionParticipant { scene, author: Author { id_tag, .. }, .. }) = self.plane.remove(motion_grant)
        else {
            return;
        };
        let Some(hosted) = self.scenes.get_mut(&scene) else { return };
        if hosted.scene.connection_of(&id_tag) == Some(connection_of(motion_grant)) {
            hosted.scene.handle_connection_ended(connection_of(motion_grant));
            self.drain_scene(&scene, now);
        } else if self.plane.is_used(&scene) {
            // The person may remain present by MQTT alone.
            self.show_bridged_people(&scene, |other| other == id_tag);
        }
    }

    /// Announces on the plane the scene's people who are not on it and satisfy `is_meant`.
    fn show_bridged_people(&mut self, scene: &SceneName, is_meant: impl Fn(&str) -> bool) {
        let Some(hosted) = self.scenes.get(scene) else { return };
        let mut reports = Vec::new();
        for (id_tag, object_id, attributes) in hosted.scene.parts() {
            if !is_meant(&id_tag) || self.plane.has(scene, &id_tag) {
                continue;
            }
            let bridged_pose = part_of(&id_tag, &object_id).and_then(|part| bridged_pose(&id_tag, part, &attributes));
            reports.extend(
                bridged_pose.map(|bridged_pose| RealmOutput::PoseFromMqtt { scene: scene.clone(), bridged_pose }),
            );
        }
        self.outputs.extend(reports);
    }

    /// Publishes a pose on behalf of the grant's bearer. Returns the number of receivers, or `None` if the pose is not
    /// published.
    fn show(&mut self, motion_grant: MotionGrantId, part: Part, pose: PackedPose, now: Time) -> Option<u64> {
        let inside = self.plane.inside.get(&motion_grant)?;
        let (scene, id_tag) = (&inside.scene, &inside.author.id_tag);
        let object_id = object_id(part, id_tag)?;
        let hosted = self.scenes.get(scene)?;
        let is_new = !hosted.scene.has_part(id_tag, &object_id);
        let mut attributes = attributes(part, &pose.unpack());
        // The messages of a person's own MQTT client carry the person's name.
        let is_renamed = inside.is_renamed && hosted.scene.connection_of(id_tag) == Some(connection_of(motion_grant));
        if part == Part::Head && (is_new || is_renamed) {
            attributes["arena-user"] = json!({"displayName": inside.display_name, "presence": "Standard"});
        } else if is_new {
            attributes["dep"] = json!(id_tag);
        }
        let action = if is_new { "create" } else { "update" };
        let payload = json!({"object_id": object_id, "action": action, "type": "object", "data": attributes});
        let receivers = self.publish_for(motion_grant, part, &payload, now)?;
        let inside = self.plane.inside.get_mut(&motion_grant)?;
        if part == Part::Head {
            inside.is_renamed = false;
        } else {
            inside.hands.insert(part);
        }
        Some(receivers)
    }

    /// Deletes a hand on behalf of the grant's bearer.
    fn hide(&mut self, motion_grant: MotionGrantId, part: Part, now: Time) {
        let Some(inside) = self.plane.inside.get_mut(&motion_grant) else { return };
        if !inside.hands.remove(&part) {
            return;
        }
        let payload = json!({"object_id": object_id(part, &inside.author.id_tag), "action": "delete"});
        self.publish_for(motion_grant, part, &payload, now);
    }

    /// Publishes a message on behalf of a person on the plane. Returns the number of receivers, or `None` if the scene
    /// refuses the message or the person has no presence for it. Receivers on the plane get no pose twice; creations,
    /// deletions and names reach all.
    fn publish_for(&mut self, motion_grant: MotionGrantId, part: Part, payload: &Value, now: Time) -> Option<u64> {
        let inside = self.plane.inside.get_mut(&motion_grant)?;
        let hosted = self.scenes.get_mut(&inside.scene)?;
        let connection = match hosted.scene.connection_of(&inside.author.id_tag) {
            Some(connection) => {
                inside.was_present |= connection != connection_of(motion_grant);
                connection
            }
            // The person left by MQTT, or the presence must begin with the head.
            None if inside.was_present || part != Part::Head => return None,
            None => connection_of(motion_grant),
        };
        let author = Author { connection, ..inside.author.clone() };
        let (scene, Author { user_client, id_tag, .. }) = (&inside.scene, &author);
        let object_id = object_id(part, id_tag)?;
        let topic = format!("realm/s/{scene}/u/{user_client}/{object_id}");
        let mut publish = own_message(&topic, payload.to_string().into())?;
        let topic = SceneTopic::parse(publish.topic.as_str())?.ok()?;
        let envelope = Envelope::on(&topic, &publish.payload).ok()?;
        let is_pose = envelope.action == Some(Action::Update) && envelope.display_name(topic.kind).is_none();
        let message = scene::SceneMessage { author: &author, topic: &topic, envelope };
        let applied = hosted.scene.handle_message(message, now).ok()?;
        if let Some(revision) = applied.revision {
            add_revision(&mut publish, hosted.scene.epoch(), revision);
        }
        let class = applied.conflation.map_or(PacketClass::Event, PacketClass::State);
        let off_plane = is_pose.then(|| scene.clone());
        let message = OutgoingMessage { publish: Arc::new(publish), origin: None, class, off_plane };
        let receivers = self.fan_out(&message, now);
        self.drain_scene(&topic.scene, now);
        Some(receivers)
    }
}

/// Returns the connection id that represents a person on the plane alone. It counts down from the largest number; ids
/// of real connections count up.
pub(super) fn connection_of(motion_grant: MotionGrantId) -> ConnectionId {
    ConnectionId(u64::MAX - motion_grant.0)
}

fn object_id(part: Part, id_tag: &str) -> Option<String> {
    Some(match part {
        Part::Head => id_tag.to_string(),
        Part::LeftHand => format!("handLeft_{id_tag}"),
        Part::RightHand => format!("handRight_{id_tag}"),
        Part::Tracked => return None,
    })
}

/// The part of the body that an object is; `None` for a face or another person's object.
fn part_of(id_tag: &str, object_id: &str) -> Option<Part> {
    let parts = [Part::Head, Part::LeftHand, Part::RightHand];
    parts.into_iter().find(|part| self::object_id(*part, id_tag).as_deref() == Some(object_id))
}

fn attributes(part: Part, pose: &Pose) -> Value {
    let object_type = match part {
        Part::LeftHand => "handLeft",
        Part::RightHand => "handRight",
        Part::Head | Part::Tracked => "camera",
    };
    let [x, y, z] = pose.position;
    // Four digits: the five bytes of a packed rotation hold no more.
    let short = pose.rotation.map(|part| (part * 10_000.0) as i32).map(|part| f64::from(part) / 10_000.0);
    json!({
        "object_type": object_type,
        "position": {"x": x, "y": y, "z": z},
        "rotation": {"x": short[0], "y": short[1], "z": short[2], "w": short[3]},
    })
}

/// The pose in a message's attributes; `None` if they contain none.
fn bridged_pose(id_tag: &str, part: Part, attributes: &Map<String, Value>) -> Option<PoseFromMqtt> {
    let numbers = |key: &str, axis: &str| attributes.get(key)?.get(axis)?.as_f64();
    let [x, y, z] = ["x", "y", "z"].map(|axis| numbers("position", axis));
    let position = x.zip(y).zip(z).map(|((x, y), z)| [x, y, z]);
    let [a, b, c, d] = ["x", "y", "z", "w"].map(|axis| numbers("rotation", axis));
    let rotation = a.zip(b).zip(c.zip(d)).map(|((a, b), (c, d))| [a, b, c, d]);
    (position.is_some() || rotation.is_some()).then(|| PoseFromMqtt {
        id_tag: id_tag.to_string(),
        part,
        position,
        rotation,
    })
}
