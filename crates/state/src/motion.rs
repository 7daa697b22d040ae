//! The motion plane of one scene: heads, hands and tracked objects, newest wins. Source: `spec/wire.md`. Frames come opened and go out before they are sealed; who is at the other end, and how
//! frames get there, is known outside.

mod budget;
mod changes;
mod clock;
mod grid;
mod link;
mod marks;
mod objects;
pub mod replica;
mod scene;
mod sent;
pub mod serving;
mod stay;
mod wish;

pub mod interest;

pub use self::clock::MotionTime;
pub use self::scene::{
    MotionCounts, MotionEntrant, MotionScene, MotionSettings, OutgoingFrame, PartialPose, PoseChange, ReportedPoses,
    SessionEndReason,
};
pub use self::stay::MotionSessionId;
pub use self::wish::{MotionOverrides, MotionOverridesError};
