//! The motion plane of one scene: latest poses of heads, hands and tracked objects. Source: `spec/wire.md`. Frames
//! arrive decrypted and leave before encryption; the caller handles peer addresses and transports.

mod budget;
mod changes;
mod clock;
mod flows;
mod frame_rates;
mod grid;
mod marks;
mod objects;
mod overrides;
mod path_state;
mod rate;
mod received_voices;
mod refusals;
pub mod replica;
mod scene;
pub mod send_timing;
mod sent;
mod session;

pub mod interest;
pub mod voices;

pub use self::clock::MotionTime;
pub use self::flows::UnitNumberWindow;
pub use self::frame_rates::IncomingFrameRates;
pub use self::overrides::{MotionOverridesError, MotionSettingsOverrides};
pub use self::scene::{
    FrameClass, MotionCounts, MotionEntrant, MotionRights, MotionScene, MotionSettings, OutgoingFrame, PartialPose,
    PoseReportCursor, ReportedPoseChange, SessionEndReason, VoiceCounts,
};
pub use self::session::{MotionSessionId, SessionTakeover};
