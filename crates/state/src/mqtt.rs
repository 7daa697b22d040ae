//! The MQTT side of a realm: connections, sessions, routes, retained messages. It doesn't know the meaning of
//! messages in scenes. Source: MQTT 3.1.1 and MQTT 5.0 (OASIS).

pub(crate) mod aliases;
pub mod audience;
pub(crate) mod client_rate_limiter;
pub(crate) mod connection;
pub(crate) mod filter_tree;
mod idle_guests;
pub(crate) mod incoming;
pub(crate) mod outgoing;
pub mod received_packet;
pub(crate) mod retained;
pub mod routes;
pub(crate) mod session;
pub(crate) mod sessions;
pub(crate) mod shared_subscriptions;
pub mod stored;
