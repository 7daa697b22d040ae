//! Frames of the motion plane: head, hand and object poses as datagrams. Source: `spec/wire.md`. This module
//! encodes and decodes opened frames; it has no cryptography, sessions or clock.

mod arrivals;
mod change;
pub mod entries;
pub mod flows;
pub mod frame;
mod parts;
mod pose;
pub mod serial;

pub use self::arrivals::{FrameArrivals, FrameArrivalsWriter};
pub use self::change::{MotionObjectKind, VisibilityChange};
pub use self::entries::{ObjectDeclaration, ObjectRefusal, ObjectRefusalReason, OwnPose, PoseBaseline, PoseDelta};
pub use self::flows::{FlowDeclaration, FlowId, FlowMedia, MediaUnit, UnitLevel};
pub use self::frame::{FrameEntriesWriter, FrameError, FrameHeader, FramePartKind, MotionFrame};
pub use self::parts::{FrameAck, PathQuality};
pub use self::pose::{PackedPose, Pose, Rotation};
