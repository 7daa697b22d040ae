//! A realm under simulation: many clients, virtual time, lost connections, server crashes. One seed is one run, and
//! the same seed gives the same run. The code under test is the product: `state::realm::Realm`, its outboxes,
//! `state::motion::MotionScene`, and `wire`'s packets and frames. The results are compared with models, which are
//! deliberately simple and share no code with the product. Worlds: scenes, plain MQTT ([`broker`]) and the motion plane
//! ([`motion`]).

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

pub use coverage::{Coverage, SceneSituation};
pub use failure::Failure;
pub use faults::InjectedSceneFault;
pub use replay::replay;
pub use seeds::run_many;
pub use world::{SceneRunSummary, run, run_with};
