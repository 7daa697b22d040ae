//! Endpoints: TCP, TLS and WebSocket. Bytes in and out, packets decoded; what they mean and who may send them is for `stoa-state` to say.

pub mod addresses;
pub mod connection;
pub mod counters;
pub mod endpoint;
mod gathered;
pub mod limits;
pub mod outbox;
pub mod shutdown;
pub mod tls;
pub mod websocket;
