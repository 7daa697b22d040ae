//! Bytes to messages and back: topics, topic filters, scene envelopes, MQTT packets, frames of the motion plane. Contract: `spec/topics.md`, `spec/wire.md`. No I/O, no clock, no decision.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

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
