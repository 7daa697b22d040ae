//! What a realm does for its clients, as they see it.

mod acknowledgements;
mod arena;
mod bridge;
mod broker;
mod broker_restart;
mod door;
mod entering;
mod fan_out;
mod lasting;
mod lost_commits;
mod motion;
mod network;
mod people;
mod refusals;
mod standing;
mod templates;
mod world;

use super::ConnectionId;
