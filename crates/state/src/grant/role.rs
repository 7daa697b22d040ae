//! Roles in a scene, from its settings and the account. Source: `spec/topics.md` section 3.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};
use stoa_wire::topic::SceneName;

use super::account_list::AccountList;
use super::moderation::{Invitation, Moderation, RestrictionKind};
use crate::motion::{MotionSettings, MotionSettingsOverrides};
use crate::time::UnixSeconds;

/// The public namespace. Only the realm's owner creates scenes in it.
pub const PUBLIC: &str = "public";

/// Subject of tokens for people with access to the data folder. No account has this name.
pub const LOCAL_OWNER: &str = "local-owner";

/// A role in a scene. Each role includes the rights of the earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Views, moves, clicks, chats.
    Viewer,
    /// Builds.
    Editor,
    /// Administers the scene.
    Owner,
}

/// Whether people talk in a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VoiceMode {
    /// All people who show themselves may talk.
    Open,
    /// No voice is forwarded.
    Off,
}

/// The text names no voice mode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("voice {0:?} is none of open and off")]
pub struct ParseVoiceModeError(String);

impl VoiceMode {
    /// The mode of scenes that were stored before there was voice.
    fn unrecorded() -> VoiceMode {
        VoiceMode::Off
    }
}

impl FromStr for VoiceMode {
    type Err = ParseVoiceModeError;

    fn from_str(text: &str) -> Result<VoiceMode, ParseVoiceModeError> {
        let all = [VoiceMode::Open, VoiceMode::Off];
        all.into_iter().find(|mode| mode.to_string() == text).ok_or_else(|| ParseVoiceModeError(text.into()))
    }
}

impl fmt::Display for VoiceMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            VoiceMode::Open => "open",
            VoiceMode::Off => "off",
        })
    }
}

/// A scene's settings: ARENA's fields with their defaults, and Stoa's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SceneSettings {
    /// An owner besides the namespace's account.
    pub owner: Option<String>,
    /// Whether all people may view.
    pub public_read: bool,
    /// Whether all people may build.
    pub public_write: bool,
    /// Whether `public_read` and `public_write` include guests.
    pub anonymous_users: bool,
    /// Whether audio and video are on.
    pub video_conference: bool,
    /// Whether viewers show themselves, click and chat.
    pub users: bool,
    /// Accounts that may build.
    pub editors: AccountList,
    /// Accounts that may view a scene that is not public.
    pub viewers: AccountList,
    /// Motion settings.
    pub motion: MotionSettingsOverrides,
    /// Whether people talk, if `video_conference` is on. [`SceneSettings::has_voice`] considers both.
    #[serde(default = "VoiceMode::unrecorded")]
    pub voice: VoiceMode,
    /// Largest number of people at one time; `None` means no limit of the scene's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people_max: Option<u32>,
    /// Invitation links.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invitations: Vec<Invitation>,
    /// Restrictions and lock.
    #[serde(skip_serializing_if = "Moderation::is_default")]
    pub moderation: Moderation,
    /// Description in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Time of creation, if recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<UnixSeconds>,
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
            editors: AccountList::default(),
            viewers: AccountList::default(),
            motion: MotionSettingsOverrides::default(),
            voice: VoiceMode::Open,
            people_max: None,
            invitations: Vec::new(),
            moderation: Moderation::default(),
            summary: None,
            created: None,
        }
    }
}

impl SceneSettings {
    /// The settings of a new scene of `maker`; without an owner if `maker` is [`LOCAL_OWNER`].
    pub fn owned_by(maker: &str) -> SceneSettings {
        SceneSettings { owner: (maker != LOCAL_OWNER).then(|| maker.into()), ..SceneSettings::default() }
    }

    /// Whether people may talk.
    pub fn has_voice(&self) -> bool {
        self.voice == VoiceMode::Open && self.video_conference
    }

    /// The scene's motion settings over the realm's.
    pub fn motion_over(&self, realm: MotionSettings) -> MotionSettings {
        MotionSettings { has_voice: self.has_voice(), ..self.motion.over(realm) }
    }
}

/// The account or guest whose role is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoleRequester<'a> {
    /// The account's name; for a guest see [`super::Claims::who`].
    pub name: &'a str,
    /// Whether it owns the realm.
    pub realm_owner: bool,
    /// Whether it is a guest, who is in no list of accounts.
    pub guest: bool,
}

/// The role of `account` in the scene `name` without an invitation; `None` if it may not enter.
pub fn role_of(name: &SceneName, settings: &SceneSettings, account: &RoleRequester<'_>) -> Option<Role> {
    let role = role_of_settings(name, settings, account)?;
    let is_out = role < Role::Owner && settings.moderation.keeps(RestrictionKind::Out, account.name);
    (!is_out).then_some(role)
}

fn role_of_settings(name: &SceneName, settings: &SceneSettings, account: &RoleRequester<'_>) -> Option<Role> {
    if account.guest {
        return match settings {
            SceneSettings { anonymous_users: false, .. } => None,
            SceneSettings { public_write: true, .. } => Some(Role::Editor),
            SceneSettings { public_read: true, .. } => Some(Role::Viewer),
            _ => None,
        };
    }
    if account.realm_owner || name.namespace() == account.name || settings.owner.as_deref() == Some(account.name) {
        Some(Role::Owner)
    } else if settings.public_write || settings.editors.has(account.name) {
        Some(Role::Editor)
    } else if settings.public_read || settings.viewers.has(account.name) {
        Some(Role::Viewer)
    } else {
        None
    }
}

/// Whether `account` may create a scene in `namespace`: only in its own, unless it owns the realm.
pub fn may_make(account: &RoleRequester<'_>, namespace: &str) -> bool {
    !account.guest && (account.realm_owner || account.name == namespace)
}
