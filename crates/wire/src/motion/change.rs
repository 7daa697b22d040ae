//! Who has come and gone. Source: `spec/wire.md` section 4.

use alloc::vec::Vec;

use super::entries::GENERATIONS;
use super::pose::{POSE_BYTES, PackedPose};
use crate::limits::MOTION_NAME_BYTES_MAX;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ObjectKind {
    /// A person's head.
    Head = 0,
    /// A person's left hand.
    LeftHand = 1,
    /// A person's right hand.
    RightHand = 2,
    /// A tracked object.
    Tracked = 3,
}

/// One change of what a receiver has around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisibilityChange<'a> {
    /// It is gone, or out of the interest set.
    Left {
        /// Short id.
        id: u16,
    },
    /// It is there.
    Entered {
        /// Short id.
        id: u16,
        /// Head, hand or tracked object.
        kind: ObjectKind,
        /// Of a tracked object its id, of all else the person's idTag.
        name: &'a str,
        /// How old the pose is.
        age_ms: u8,
        /// The baseline's number.
        generation: u8,
        /// Where it is; a baseline.
        pose: PackedPose,
    },
}

impl ObjectKind {
    /// The kind of that number.
    pub fn of(number: u8) -> Option<ObjectKind> {
        [ObjectKind::Head, ObjectKind::LeftHand, ObjectKind::RightHand, ObjectKind::Tracked]
            .into_iter()
            .find(|kind| *kind as u8 == number)
    }
}

impl<'a> VisibilityChange<'a> {
    /// Appends its bytes. The name is at most `MOTION_NAME_BYTES_MAX` long, the generation below [`GENERATIONS`].
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

    /// The one that stands at the beginning, and what is behind it. `None` where it is cut short or is none.
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
                let (kind, name) = (ObjectKind::of(kind)?, core::str::from_utf8(name).ok()?);
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

    /// A part's content: the number of the first, and the changes one after the other. Ends where one is cut short or is none.
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
