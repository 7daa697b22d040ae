//! The realm as its clients see it.

mod acknowledgements;
mod arena;
mod bridge;
mod broker;
mod broker_restart;
mod entering;
mod fan_out;
mod get_persist;
mod idle_guests;
mod lasting;
mod lost_commits;
mod motion_grants;
mod muting;
mod network_graph;
mod parsing;
mod people;
mod refusals;
mod revocation;
mod scene_admission;
mod store_queue;
mod storing;
mod templates;
mod wills;
mod world;

use super::ConnectionId;
