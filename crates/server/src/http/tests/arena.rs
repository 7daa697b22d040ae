//! Tests of the interface for ARENA's programs and pages.

mod account;
mod mqtt_auth;
mod persist;
mod storage;
