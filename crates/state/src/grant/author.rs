//! The sender of a message, as a scene knows senders.

use alloc::string::String;

use crate::connection_id::ConnectionId;

/// Who sends a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The connection that the message came by.
    pub connection: ConnectionId,
    /// Token 5.
    pub user_client: String,
    /// Its own token 6.
    pub id_tag: String,
    /// The account, or the guest.
    pub subject: String,
    /// Has no account.
    pub guest: bool,
    /// What a guest calls itself.
    pub guest_name: Option<String>,
    /// Editor or owner.
    pub moderator: bool,
}
