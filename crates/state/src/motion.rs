//! The motion plane of one scene: heads, hands and tracked objects, newest wins. Source: `spec/wire.md`. Frames come opened and go out before they are sealed; who is at the other end, and how
//! frames get there, is known outside.

mod budget;
mod changes;
mod clock;
mod grid;
mod marks;
mod objects;
mod overrides;
mod path_state;
pub mod replica;
mod scene;
mod sent;
pub mod serving;
mod session;

pub mod interest;

pub use self::clock::MotionTime;
pub use self::overrides::{MotionOverrides, MotionOverridesError};
pub use self::scene::{
    MotionCounts, MotionEntrant, MotionScene, MotionSettings, OutgoingFrame, PartialPose, PoseChange, ReportedPoses,
    SessionEndReason,
};
pub use self::session::MotionSessionId;
