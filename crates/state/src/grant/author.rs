//! The author of a message in a scene.

use alloc::string::String;

use crate::connection_id::ConnectionId;
use crate::ledger::Payer;

/// The author of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The connection of the message.
    pub connection: ConnectionId,
    /// User client (token 5 of topics).
    pub user_client: String,
    /// The author's own idTag (token 6 of topics).
    pub id_tag: String,
    /// The account's name or the guest's id.
    pub subject: String,
    /// Whether the author is a guest.
    pub guest: bool,
    /// A guest's display name.
    pub guest_name: Option<String>,
    /// Whether the author is an editor or owner of the scene.
    pub moderator: bool,
    /// The party that pays for the author's objects; `None` without a connection.
    pub payer: Option<Payer>,
}
