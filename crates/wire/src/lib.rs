//! Decodes and encodes topics, topic filters, scene envelopes, MQTT packets and motion frames. Contract:
//! `spec/topics.md`, `spec/wire.md`. No I/O, no clock, no decisions.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod display_name;
pub mod envelope;
pub mod filter_set;
pub mod limits;
pub mod motion;
pub mod netcode;
pub mod objects;
pub mod packet;
pub mod reason;
mod take;
pub mod topic;
pub mod topic_filter;
