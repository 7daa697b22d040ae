//! Parses topic names of MQTT and of the scene tree. Source: `spec/topics.md` section 1, MQTT 3.1.1 section 4.7.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::fmt;
use core::str::FromStr;

use crate::limits;
use crate::reason::Reason;
use crate::topic_filter::has_too_many_levels;

/// An MQTT topic name: 1 to [`limits::TOPIC_BYTES_MAX`] bytes, at most [`limits::TOPIC_LEVELS_MAX`] levels, no
/// wildcard, no U+0000. Only [`Topic::by_alias`] is empty. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Topic(Arc<str>);

impl Topic {
    /// Parses a topic name. Errors: [`Reason::BadTopic`].
    pub fn parse(text: &str) -> Result<Topic, Reason> {
        let allowed = !text.is_empty() && text.len() <= limits::TOPIC_BYTES_MAX && !text.contains(['+', '#', '\0']);
        if allowed && !has_too_many_levels(text) { Ok(Topic(text.into())) } else { Err(Reason::BadTopic) }
    }

    /// The empty topic of an MQTT 5 PUBLISH that names its topic by alias alone.
    pub fn by_alias() -> Topic {
        Topic("".into())
    }

    /// Whether the topic is given by alias only.
    pub fn is_by_alias(&self) -> bool {
        self.0.is_empty()
    }

    /// The whole name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Topic {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Token 4: the kind of a scene topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TopicKind {
    /// Presence.
    X,
    /// Chat.
    C,
    /// User objects and user events.
    U,
    /// Scene objects.
    O,
    /// Render signalling.
    R,
    /// Environment capture, MessagePack.
    E,
    /// Programs.
    P,
    /// Debug.
    D,
}

impl TopicKind {
    /// The letter on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            TopicKind::X => "x",
            TopicKind::C => "c",
            TopicKind::U => "u",
            TopicKind::O => "o",
            TopicKind::R => "r",
            TopicKind::E => "e",
            TopicKind::P => "p",
            TopicKind::D => "d",
        }
    }

    /// The kind with this letter.
    pub fn parse(letter: &str) -> Option<TopicKind> {
        const KINDS: [TopicKind; 8] = [
            TopicKind::X,
            TopicKind::C,
            TopicKind::U,
            TopicKind::O,
            TopicKind::R,
            TopicKind::E,
            TopicKind::P,
            TopicKind::D,
        ];
        KINDS.into_iter().find(|kind| kind.as_str() == letter)
    }
}

/// `<namespace>/<scene>`, each `[A-Za-z0-9_.-]+` of at most [`limits::NAME_BYTES_MAX`] bytes, neither `.` nor `..`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SceneName {
    namespace: Arc<str>,
    scene: Arc<str>,
}

impl SceneName {
    /// Joins a namespace and a scene. Errors: [`Reason::BadTopic`].
    pub fn new(namespace: &str, scene: &str) -> Result<SceneName, Reason> {
        if is_name(namespace) && is_name(scene) {
            Ok(SceneName { namespace: namespace.into(), scene: scene.into() })
        } else {
            Err(Reason::BadTopic)
        }
    }

    /// The part before the slash.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The part after the slash.
    pub fn scene(&self) -> &str {
        &self.scene
    }
}

/// Whether `text` is a valid name of a namespace or scene.
pub fn is_name(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    (1..=limits::NAME_BYTES_MAX).contains(&text.len()) && text != "." && text != ".." && text.bytes().all(allowed)
}

impl fmt::Display for SceneName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.namespace, self.scene)
    }
}

impl FromStr for SceneName {
    type Err = Reason;

    fn from_str(text: &str) -> Result<SceneName, Reason> {
        let (namespace, scene) = text.split_once('/').ok_or(Reason::BadTopic)?;
        SceneName::new(namespace, scene)
    }
}

impl serde::Serialize for SceneName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for SceneName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<SceneName, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Prefix of all scene topics.
pub const SCENE_PREFIX: &str = "realm/s/";

/// Token 5 that is reserved for the realm.
pub const REALM_CLIENT: &str = "stoa";

/// Prefixes of the idTag in the ids of hands and face.
pub const PART_PREFIXES: [&str; 3] = ["handLeft_", "handRight_", "face_"];

/// The idTag of the person to whom camera, hand or face `object_id` belongs. `id_tag` is the sender's own; it is
/// compared first, because an account may be called `face_x`.
pub fn owner_of_part<'a>(object_id: &'a str, id_tag: &str) -> &'a str {
    if object_id == id_tag {
        return object_id;
    }
    PART_PREFIXES.iter().find_map(|prefix| object_id.strip_prefix(prefix)).unwrap_or(object_id)
}

/// A parsed topic of the scene tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneTopic {
    /// Tokens 2 and 3.
    pub scene: SceneName,
    /// Token 4.
    pub kind: TopicKind,
    /// Token 5: the sender's client.
    pub user_client: String,
    /// Token 6: the object's or the user's id.
    pub uuid: String,
    /// Token 7 if there is one: the recipient, a program on `p`, or `-`.
    pub to_uid: Option<String>,
    /// Token 8, only on a program's streams: `stdin`, `stdout` or `stderr`.
    pub stream: Option<String>,
}

/// The single recipient of a message on `topic`: token 7 of a scene topic. `None` if the token is absent or `-`, and
/// on `p`, where token 7 names a program.
pub fn recipient(topic: &str) -> Option<&str> {
    let mut tokens = topic.strip_prefix(SCENE_PREFIX)?.split('/').skip(2);
    let (kind, to_uid) = (tokens.next()?, tokens.nth(2)?);
    (to_uid != "-" && kind != TopicKind::P.as_str()).then_some(to_uid)
}

impl SceneTopic {
    /// Parses a topic of the scene tree; `None` for a topic outside of it. Errors: [`Reason::BadTopic`].
    pub fn parse(topic: &str) -> Option<Result<SceneTopic, Reason>> {
        let below = topic.strip_prefix(SCENE_PREFIX)?;
        Some(SceneTopic::parse_below(below).ok_or(Reason::BadTopic))
    }

    fn parse_below(below: &str) -> Option<SceneTopic> {
        let mut tokens = below.split('/');
        let scene = SceneName::new(tokens.next()?, tokens.next()?).ok()?;
        let kind = TopicKind::parse(tokens.next()?)?;
        let (user_client, uuid) = (tokens.next()?, tokens.next()?);
        let (to_uid, stream) = (tokens.next(), tokens.next());
        let empty = |token: &str| token.is_empty();
        if tokens.next().is_some() || empty(user_client) || empty(uuid) || to_uid.is_some_and(empty) {
            return None;
        }
        if let Some(stream) = stream {
            let known = matches!(stream, "stdin" | "stdout" | "stderr");
            if kind != TopicKind::P || to_uid != Some("-") || !known {
                return None;
            }
        }
        Some(SceneTopic {
            scene,
            kind,
            user_client: user_client.to_string(),
            uuid: uuid.to_string(),
            to_uid: to_uid.map(ToString::to_string),
            stream: stream.map(ToString::to_string),
        })
    }
}

impl fmt::Display for SceneTopic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SceneTopic { scene, kind, user_client, uuid, .. } = self;
        write!(formatter, "{SCENE_PREFIX}{scene}/{}/{user_client}/{uuid}", kind.as_str())?;
        for token in [&self.to_uid, &self.stream].into_iter().flatten() {
            write!(formatter, "/{token}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_topic_survives_the_round_trip() {
        for text in [
            "realm/s/public/lobby/o/alice_1_py/box1",
            "realm/s/public/lobby/d/stoa/-/bob_1",
            "realm/s/public/lobby/p/rt/module/-/stdout",
        ] {
            let topic = SceneTopic::parse(text).expect("is in the scene tree").expect("is well-formed");
            assert_eq!(topic.to_string(), text);
        }
        assert_eq!(SceneTopic::parse("realm/d/alice/lamp"), None);
    }

    #[test]
    fn a_malformed_scene_topic_is_refused() {
        for text in [
            "realm/s/public/lobby/o/alice_1_py",
            "realm/s/public/lobby/z/alice_1_py/box1",
            "realm/s/public/../o/alice_1_py/box1",
            "realm/s/public/lobby/o//box1",
            "realm/s/public/lobby/o/alice_1_py/box1/",
            "realm/s/public/lobby/o/alice_1_py/box1/bob/x",
            "realm/s/public/lobby/p/rt/module/bob/stdout",
            "realm/s/public/lobby/p/rt/module/-/stdout/x",
            "realm/s/",
        ] {
            assert_eq!(SceneTopic::parse(text), Some(Err(Reason::BadTopic)), "{text}");
        }
    }
}
