//! The claims of a token. Source: `spec/topics.md` section 3.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use stoa_wire::topic::SceneName;
use stoa_wire::topic_filter::TopicFilter;

use super::role::Role;
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
    /// Display name.
    #[serde(rename = "dn", default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
}
