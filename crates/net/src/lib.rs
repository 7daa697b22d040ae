//! Endpoints: TCP, TLS, WebSocket, UDP. Bytes in and out, packets decoded and sealed ones opened; what they mean and who may send them is for `stoa-state` to say.

mod address_family;
pub mod addresses;
pub mod connection;
pub mod counters;
pub mod datagrams;
pub mod endpoint;
pub mod entrance;
pub mod frames;
mod gathered;
pub mod limits;
pub mod netcode;
pub mod outbox;
pub mod shutdown;
pub mod tls;
pub mod websocket;
pub mod webtransport;
