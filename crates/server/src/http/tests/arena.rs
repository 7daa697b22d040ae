//! What ARENA's programs and pages ask of a host.

mod account;
mod mqtt_auth;
mod persist;
mod storage;
