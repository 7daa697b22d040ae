//! The claims of a token. Source: `spec/topics.md` section 3.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use serde::{Deserialize, Serialize};
use stoa_wire::topic::{SCENE_PREFIX, SceneName};
use stoa_wire::topic_filter::TopicFilter;

use super::filters::TokenFilters;
use super::role::Role;
use crate::limits;
use crate::time::UnixSeconds;

/// `aud` of a token for the scene plane.
pub const AUDIENCE: &str = "stoa-mqtt";

/// `typ` of a token for the scene plane.
pub const TYPE: &str = "mqtt";

/// The claims of a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The account's name or [`super::LOCAL_OWNER`]; for a guest `anonymous-<10 digits>` or `anonymous-<chosen name>`.
    pub sub: String,
    /// Always [`AUDIENCE`].
    pub aud: String,
    /// Always [`TYPE`].
    pub typ: String,
    /// Time of issue.
    pub iat: UnixSeconds,
    /// Time of expiry.
    pub exp: UnixSeconds,
    /// The token's id, by which it is revoked.
    pub jti: String,
    /// Filters for publishing.
    pub publ: Vec<TopicFilter>,
    /// Filters for subscribing and receiving.
    pub subs: Vec<TopicFilter>,
    /// User client (token 5 of topics), if issued for one client.
    #[serde(rename = "userclient", default, skip_serializing_if = "Option::is_none")]
    pub user_client: Option<String>,
    /// The idTag, if issued for one client.
    #[serde(rename = "userid", default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// The scene, if issued for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<SceneName>,
    /// The role in that scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Whether the token is a guest's.
    #[serde(default)]
    pub guest: bool,
    /// Whether the token was issued with explicit filters. They alone then decide token 6.
    #[serde(default)]
    pub explicit: bool,
    /// Whether the realm grants the token's rights rather than a scene's settings: the token is the realm owner's, or a
    /// reader of the realm's key issued it.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub by_realm: bool,
    /// Ids of the tokens that the token descends from, oldest first. The token ends when any of them is revoked.
    #[serde(rename = "par", default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<String>,
    /// The invitation that grants its role.
    #[serde(rename = "inv", default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    /// Id of the browser that requested the token. It outlasts the token and identifies the browser's guests.
    #[serde(rename = "gid", default, skip_serializing_if = "Option::is_none")]
    pub guest_id: Option<String>,
    /// Display name.
    #[serde(rename = "dn", default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
}

impl Claims {
    /// Claims of a token with id `jti`, valid for `filters` in this time range. The caller sets further claims.
    pub fn new(
        subject: impl Into<String>,
        jti: impl Into<String>,
        valid: Range<UnixSeconds>,
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

    /// The owner of the token. Guests choose their names, so the idTag identifies them.
    pub fn subject(&self) -> &str {
        self.user_id.as_deref().filter(|_| self.guest).unwrap_or(&self.sub)
    }

    /// The ids whose revocation ends the token: its own and its ancestors'.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        core::iter::once(&self.jti).chain(&self.parents).map(String::as_str)
    }

    /// The `par` claim of a token derived from this one; `None` beyond the limit of ancestors.
    pub fn lineage(&self) -> Option<Vec<String>> {
        let all = self.parents.iter().chain(core::iter::once(&self.jti)).cloned();
        (self.parents.len() < limits::TOKEN_PARENTS_MAX).then(|| all.collect())
    }

    /// Whether the bearer may publish any object of the scene, under an identity of its own.
    pub fn may_build(&self, name: &SceneName) -> bool {
        let identity = self.user_client.as_deref().unwrap_or("+");
        let filter = TopicFilter::parse(&format!("{SCENE_PREFIX}{name}/o/{identity}/+"));
        filter.is_ok_and(|filter| self.publ.iter().any(|granted| granted.covers(&filter)))
    }

    /// Whether the bearer may subscribe to `filter`.
    pub fn may_read(&self, filter: &str) -> bool {
        TopicFilter::parse(filter).is_ok_and(|filter| self.subs.iter().any(|granted| granted.covers(&filter)))
    }
}
