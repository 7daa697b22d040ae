//! Transports: TCP, TLS, WebSocket, WebTransport and UDP with netcode. This crate reads and writes bytes, decodes
//! packets and opens sealed ones. The meaning of packets, and the rights of clients, are in `stoa-state`.

mod address_family;
pub mod background;
pub mod connection;
pub mod counters;
pub mod datagrams;
pub mod endpoint;
pub mod entrance;
pub mod frames;
mod gathered;
pub mod limits;
pub mod netcode;
pub mod network_connections;
pub mod outbox;
mod shared_bytes;
pub mod shutdown;
pub mod tls;
pub mod websocket;
pub mod webtransport;
