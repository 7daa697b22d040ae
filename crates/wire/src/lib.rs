//! Bytes to messages and back: topics, topic filters, scene envelopes, MQTT packets. Contract: `spec/topics.md`. No I/O, no clock, no decision.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod envelope;
pub mod filter_set;
pub mod limits;
pub mod objects;
pub mod packet;
pub mod reason;
pub mod topic;
pub mod topic_filter;
