//! A client of a third-party netcode library with a connect token of Stoa.

use std::time::Duration;

use renetcode::{ClientAuthentication, ConnectToken as TheirToken, NetcodeClient};
use stoa_wire::netcode::{ConnectToken, VERSION_INFO};

/// The library's own parser expects a client id before the standard's fields, and addresses in another byte order.
/// So the fields are set one by one.
pub(crate) fn client(token: &[u8]) -> NetcodeClient {
    let token = ConnectToken::read(token).expect("a token");
    let mut server_addresses = [None; 32];
    server_addresses.iter_mut().zip(&token.servers).for_each(|(theirs, ours)| *theirs = Some(*ours));
    let connect_token = TheirToken {
        client_id: 0,
        version_info: *VERSION_INFO,
        protocol_id: token.protocol_id,
        create_timestamp: token.created_at,
        expire_timestamp: token.expires_at,
        xnonce: *token.nonce,
        server_addresses,
        client_to_server_key: *token.keys.client_to_server,
        server_to_client_key: *token.keys.server_to_client,
        private_data: *token.sealed,
        timeout_seconds: token.timeout_s,
    };
    let now = Duration::from_secs(token.created_at);
    NetcodeClient::new(now, ClientAuthentication::Secure { connect_token }).expect("a client")
}
