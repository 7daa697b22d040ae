//! The claims of a token. Source: `spec/topics.md` section 3.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use serde::{Deserialize, Serialize};
use stoa_wire::topic::{SCENE_PREFIX, SceneName};
use stoa_wire::topic_filter::TopicFilter;

use super::filters::TokenFilters;
use super::role::{Account, Role, SceneSettings, role_of};
use crate::limits;
use crate::time::UnixTime;

/// `aud` of a token for the scene plane.
pub const AUDIENCE: &str = "stoa-mqtt";

/// `typ` of a token for the scene plane.
pub const TYPE: &str = "mqtt";

/// What a token says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// Account, or `anonymous-<10 digits>` for a guest.
    pub sub: String,
    /// Always [`AUDIENCE`].
    pub aud: String,
    /// Always [`TYPE`].
    pub typ: String,
    /// Issued at.
    pub iat: UnixTime,
    /// Ends at.
    pub exp: UnixTime,
    /// The token's own name, by which it is revoked.
    pub jti: String,
    /// What may be published.
    pub publ: Vec<TopicFilter>,
    /// What may be subscribed to and received.
    pub subs: Vec<TopicFilter>,
    /// Token 5, where issued for one client.
    #[serde(rename = "userclient", default, skip_serializing_if = "Option::is_none")]
    pub user_client: Option<String>,
    /// idTag, where issued for one client.
    #[serde(rename = "userid", default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// Where issued for one scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<SceneName>,
    /// The role in that scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// A guest's token.
    #[serde(default)]
    pub guest: bool,
    /// Issued with explicit filters: they alone decide token 6.
    #[serde(default)]
    pub explicit: bool,
    /// What it allows comes from the realm, not from a scene's settings: its bearer owns the realm, or whoever may read the realm's key issued it.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub by_realm: bool,
    /// The tokens and motion grants by which it was asked for, the first of them first: it ends with any of these.
    #[serde(rename = "par", default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<String>,
    /// The invitation that its role comes from.
    #[serde(rename = "inv", default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    /// Of a guest: the id of its browser, which outlasts the token.
    #[serde(rename = "gid", default, skip_serializing_if = "Option::is_none")]
    pub guest_id: Option<String>,
    /// Display name.
    #[serde(rename = "dn", default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
}

impl Claims {
    /// The claims of a token named `jti`, good for `filters` from the first to the second of these times. Further claims are the caller's to set.
    pub fn new(
        subject: impl Into<String>,
        jti: impl Into<String>,
        valid: Range<UnixTime>,
        filters: TokenFilters,
    ) -> Claims {
        Claims {
            sub: subject.into(),
            aud: AUDIENCE.into(),
            typ: TYPE.into(),
            iat: valid.start,
            exp: valid.end,
            jti: jti.into(),
            publ: filters.publ,
            subs: filters.subs,
            user_client: None,
            user_id: None,
            scene: None,
            role: None,
            guest: false,
            explicit: false,
            by_realm: false,
            parents: Vec::new(),
            invitation: None,
            guest_id: None,
            display_name: None,
        }
    }

    /// Whose they are: guests choose their names, so it is the idTag that tells them apart.
    pub fn subject(&self) -> &str {
        self.user_id.as_deref().filter(|_| self.guest).unwrap_or(&self.sub)
    }

    /// The names whose revocation ends it: its own, and its parents'.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        core::iter::once(&self.jti).chain(&self.parents).map(String::as_str)
    }

    /// What stands as `par` in a token that is asked for by this one. `None` where that would be too far from the first.
    pub fn lineage(&self) -> Option<Vec<String>> {
        let all = self.parents.iter().chain(core::iter::once(&self.jti)).cloned();
        (self.parents.len() < limits::TOKEN_PARENTS_MAX).then(|| all.collect())
    }

    /// Whether the bearer may copy what is stored in a scene: the token lets it read that, or everybody may enter, guests where it is one.
    pub fn may_copy(&self, name: &SceneName, settings: &SceneSettings) -> bool {
        let anybody = Account { name: "", realm_owner: false, guest: self.guest };
        let is_given = || self.role_now(name, settings).is_some();
        role_of(name, settings, &anybody).is_some()
            || is_given() && self.may_read(&format!("{SCENE_PREFIX}{name}/o/+/+"))
    }

    /// Whether the bearer may publish objects of the scene at large, under an identity of its own.
    pub fn may_build(&self, name: &SceneName) -> bool {
        let identity = self.user_client.as_deref().unwrap_or("+");
        let filter = TopicFilter::parse(&format!("{SCENE_PREFIX}{name}/o/{identity}/+"));
        filter.is_ok_and(|filter| self.publ.iter().any(|granted| granted.covers(&filter)))
    }

    /// Whether the bearer may subscribe to this.
    pub fn may_read(&self, filter: &str) -> bool {
        TopicFilter::parse(filter).is_ok_and(|filter| self.subs.iter().any(|granted| granted.covers(&filter)))
    }
}
