//! The motion plane of one scene: latest poses of heads, hands and tracked objects. Source: `spec/wire.md`. Frames
//! arrive decrypted and leave before encryption; the caller handles peer addresses and transports.

mod budget;
mod changes;
mod clock;
mod grid;
mod marks;
mod objects;
mod overrides;
mod path_state;
mod refusals;
pub mod replica;
mod scene;
pub mod send_timing;
mod sent;
mod session;

pub mod interest;

pub use self::clock::MotionTime;
pub use self::overrides::{MotionOverridesError, MotionSettingsOverrides};
pub use self::scene::{
    MotionCounts, MotionEntrant, MotionScene, MotionSettings, OutgoingFrame, PartialPose, PoseReportCursor,
    ReportedPoseChange, SessionEndReason,
};
pub use self::session::MotionSessionId;
