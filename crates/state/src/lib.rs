//! Pure state machines of a realm: `(input, now) -> outputs`. No clock, no socket, no task, no randomly seeded map.
#![no_std]
extern crate alloc;

pub mod batch;
pub mod bucket;
pub mod connection_id;
pub mod grant;
pub mod ledger;
pub mod limits;
pub mod motion;
pub mod mqtt;
pub mod network;
pub mod origin;
pub mod outbox;
pub mod overlay;
pub mod packet_class;
pub mod realm;
pub mod round;
pub mod scene;
pub mod time;
