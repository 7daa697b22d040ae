//! A realm under simulation: many clients, virtual time, lost connections, crashes of the server. One seed is one run; the same seed is the same run.
//! The code under test is the product: `state::realm::Realm`, its outboxes and `wire`'s packets. What they make of it is held against [`model`], which
//! is plain on purpose and shares nothing with them. Scenes are one world, plain MQTT ([`broker`]) is another.

pub mod broker;
mod check;
mod client;
pub mod coverage;
mod disk;
mod failure;
mod faults;
pub mod limits;
mod model;
pub mod motion;
mod operations;
mod queue;
mod record;
mod replay;
mod replica;
mod seeds;
mod templates;
mod tree;
mod world;

pub use coverage::{Coverage, SceneRow};
pub use failure::Failure;
pub use faults::SceneBug;
pub use replay::replay;
pub use seeds::run_many;
pub use world::{SceneReport, run, run_with};
