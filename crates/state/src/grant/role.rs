//! Roles in a scene, as its settings and the account decide them. Source: `spec/topics.md` section 3.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use stoa_wire::topic::SceneName;

use super::moderation::{Invitation, Moderation, RestrictionKind};
use crate::motion::MotionOverrides;
use crate::time::UnixTime;

/// The namespace of everybody: only the realm's owner makes scenes in it.
pub const PUBLIC: &str = "public";

/// The subject of tokens that stand for whoever may read the data folder. No account is called so.
pub const LOCAL_OWNER: &str = "local-owner";

/// What somebody is in a scene; a later one may all that an earlier one may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Looks, moves, clicks, chats.
    Viewer,
    /// Builds.
    Editor,
    /// Decides about the scene.
    Owner,
}

/// A scene's settings: ARENA's fields with their defaults, and the owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SceneSettings {
    /// The account that owns it besides the namespace's.
    pub owner: Option<String>,
    /// Everybody may look.
    pub public_read: bool,
    /// Everybody may build.
    pub public_write: bool,
    /// Guests count as everybody.
    pub anonymous_users: bool,
    /// People are heard and seen.
    pub video_conference: bool,
    /// Viewers show themselves, click and chat.
    pub users: bool,
    /// Accounts that build.
    pub editors: Vec<String>,
    /// Accounts that look where not everybody may.
    pub viewers: Vec<String>,
    /// How heads, hands and tracked objects are shared.
    pub motion: MotionOverrides,
    /// How many people may be in it at one time; `None`: any number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people_max: Option<u32>,
    /// Links that let people in besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invitations: Vec<Invitation>,
    /// Who is kept out, or silent.
    #[serde(skip_serializing_if = "Moderation::is_default")]
    pub moderation: Moderation,
    /// What it is, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// When it was made, where that was noted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<UnixTime>,
}

impl Default for SceneSettings {
    fn default() -> SceneSettings {
        SceneSettings {
            owner: None,
            public_read: true,
            public_write: false,
            anonymous_users: true,
            video_conference: true,
            users: true,
            editors: Vec::new(),
            viewers: Vec::new(),
            motion: MotionOverrides::default(),
            people_max: None,
            invitations: Vec::new(),
            moderation: Moderation::default(),
            summary: None,
            created: None,
        }
    }
}

impl SceneSettings {
    /// Those of a new scene, which belongs to who made it; to nobody where that is no account.
    pub fn owned_by(maker: &str) -> SceneSettings {
        SceneSettings { owner: (maker != LOCAL_OWNER).then(|| maker.into()), ..SceneSettings::default() }
    }
}

/// Who asks for a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account<'a> {
    /// The account's name; of a guest who it is, see [`super::Claims::who`].
    pub name: &'a str,
    /// Owns the realm.
    pub realm_owner: bool,
    /// Has no account: its name is in nobody's list.
    pub guest: bool,
}

/// The role of `account` in the scene `name`; `None`: it may not enter.
pub fn role_of(name: &SceneName, settings: &SceneSettings, account: &Account<'_>) -> Option<Role> {
    let role = role_of_settings(name, settings, account)?;
    let is_out = role < Role::Owner && settings.moderation.keeps(RestrictionKind::Out, account.name);
    (!is_out).then_some(role)
}

fn role_of_settings(name: &SceneName, settings: &SceneSettings, account: &Account<'_>) -> Option<Role> {
    if account.guest {
        return match settings {
            SceneSettings { anonymous_users: false, .. } => None,
            SceneSettings { public_write: true, .. } => Some(Role::Editor),
            SceneSettings { public_read: true, .. } => Some(Role::Viewer),
            _ => None,
        };
    }
    let is_listed = |list: &[String]| list.iter().any(|listed| listed == account.name);
    if account.realm_owner || name.namespace() == account.name || settings.owner.as_deref() == Some(account.name) {
        Some(Role::Owner)
    } else if settings.public_write || is_listed(&settings.editors) {
        Some(Role::Editor)
    } else if settings.public_read || is_listed(&settings.viewers) {
        Some(Role::Viewer)
    } else {
        None
    }
}

/// Whether `account` may make a scene in `namespace`: in its own; the realm's owner in any.
pub fn may_make(account: &Account<'_>, namespace: &str) -> bool {
    !account.guest && (account.realm_owner || account.name == namespace)
}
