//! Frames of the motion plane: heads, hands and tracked objects as datagrams. Source: `spec/wire.md`. Whoever has a frame opened finds here what is in it; nothing here
//! knows of sealing, sessions or time.

mod change;
pub mod entries;
pub mod frame;
mod parts;
mod pose;
pub mod serial;

pub use self::change::{ObjectKind, VisibilityChange};
pub use self::entries::{Baseline, ObjectDeclaration, ObjectRefusal, ObjectRefusalReason, OwnPose, PoseUpdate};
pub use self::frame::{FrameError, FrameHeader, MotionFrame, PartKind, PartsWriter};
pub use self::parts::{FrameAck, PathQuality};
pub use self::pose::{PackedPose, Pose, Rotation};
