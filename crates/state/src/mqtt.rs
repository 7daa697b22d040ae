//! The protocol side of a realm: connections, sessions, routes, retained messages. What a message means in a scene is not known here.
//! Source: MQTT 3.1.1 and MQTT 5.0 (OASIS).

pub mod aliases;
pub mod allowance;
pub mod audience;
pub mod connection;
pub mod filter_tree;
pub mod incoming;
pub mod outgoing;
pub mod retained;
pub mod routes;
pub mod session;
pub mod sessions;
pub mod shares;
pub mod stored;
