//! Frames of the motion plane: heads, hands and tracked objects as datagrams. Source: `spec/wire.md`. Whoever has a frame opened finds here what is in it; nothing here
//! knows of sealing, sessions or time.

pub mod change;
pub mod entries;
pub mod frame;
pub mod parts;
pub mod pose;
pub mod serial;

pub use self::change::{Change, Kind};
pub use self::entries::{Baseline, Declared, OwnPose, PoseUpdate, Refusal, RefusalReason};
pub use self::frame::{Frame, FrameError, Head, PartKind, PartsWriter};
pub use self::parts::{Ack, Quality};
pub use self::pose::{PackedPose, Pose, Rotation};
