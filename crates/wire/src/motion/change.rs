//! Objects that enter and leave a receiver's interest set. Source: `spec/wire.md` section 4.

use alloc::vec::Vec;

use super::entries::GENERATIONS;
use super::pose::{POSE_BYTES, PackedPose};
use crate::limits::MOTION_NAME_BYTES_MAX;

/// Kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum MotionObjectKind {
    /// A person's head.
    Head = 0,
    /// A person's left hand.
    LeftHand = 1,
    /// A person's right hand.
    RightHand = 2,
    /// A tracked object.
    Tracked = 3,
}

/// One change of a receiver's interest set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisibilityChange<'a> {
    /// The object is gone, or left the interest set.
    Left {
        /// Short id.
        id: u16,
    },
    /// The object entered the interest set.
    Entered {
        /// Short id.
        id: u16,
        /// Head, hand or tracked object.
        kind: MotionObjectKind,
        /// Id of a tracked object; for heads and hands, the person's idTag.
        name: &'a str,
        /// Age of the pose at the frame's time.
        age_ms: u8,
        /// Generation of the baseline.
        generation: u8,
        /// Absolute pose, which serves as a baseline.
        pose: PackedPose,
    },
}

impl MotionObjectKind {
    /// The kind with this number.
    pub fn of(number: u8) -> Option<MotionObjectKind> {
        [MotionObjectKind::Head, MotionObjectKind::LeftHand, MotionObjectKind::RightHand, MotionObjectKind::Tracked]
            .into_iter()
            .find(|kind| *kind as u8 == number)
    }
}

impl<'a> VisibilityChange<'a> {
    /// Appends the encoded change. The name has at most `MOTION_NAME_BYTES_MAX` bytes, the generation is below
    /// [`GENERATIONS`].
    pub fn write(&self, bytes: &mut Vec<u8>) {
        match self {
            VisibilityChange::Left { id } => {
                bytes.push(0);
                bytes.extend_from_slice(&id.to_le_bytes());
            }
            VisibilityChange::Entered { id, kind, name, age_ms, generation, pose } => {
                assert!(name.len() <= MOTION_NAME_BYTES_MAX, "a name of {} bytes", name.len());
                assert!(*generation < GENERATIONS, "generation {generation} is none");
                bytes.push(1);
                bytes.extend_from_slice(&id.to_le_bytes());
                bytes.extend_from_slice(&[*kind as u8, name.len() as u8]);
                bytes.extend_from_slice(name.as_bytes());
                bytes.extend_from_slice(&[*age_ms, *generation]);
                bytes.extend_from_slice(&pose.to_bytes());
            }
        }
    }

    /// Reads a change from the front and returns it with the remaining bytes. `None` if it is truncated or invalid.
    fn read(bytes: &'a [u8]) -> Option<(VisibilityChange<'a>, &'a [u8])> {
        let (&[op, low, high], rest) = bytes.split_first_chunk()?;
        let id = u16::from_le_bytes([low, high]);
        match op {
            0 => Some((VisibilityChange::Left { id }, rest)),
            1 => {
                let (&[kind, length], rest) = rest.split_first_chunk()?;
                let (name, rest) = rest.split_at_checked(usize::from(length))?;
                let (&[age_ms, generation], rest) = rest.split_first_chunk()?;
                let (pose, rest) = rest.split_first_chunk::<POSE_BYTES>()?;
                let (kind, name) = (MotionObjectKind::of(kind)?, core::str::from_utf8(name).ok()?);
                let entered = VisibilityChange::Entered {
                    id,
                    kind,
                    name,
                    age_ms,
                    generation,
                    pose: PackedPose::from_bytes(pose),
                };
                (name.len() <= MOTION_NAME_BYTES_MAX && generation < GENERATIONS).then_some((entered, rest))
            }
            _ => None,
        }
    }

    /// Reads a part's content: the number of the first change, and the changes up to a truncated or invalid one.
    /// `None` if the number is truncated.
    pub fn read_all(content: &'a [u8]) -> Option<(u32, impl Iterator<Item = VisibilityChange<'a>> + use<'a>)> {
        let (first, mut rest) = content.split_first_chunk()?;
        let changes = core::iter::from_fn(move || {
            let (change, next) = VisibilityChange::read(rest)?;
            rest = next;
            Some(change)
        });
        Some((u32::from_le_bytes(*first), changes))
    }
}
