//! Entries of a frame's parts: poses, baselines, declarations, refusals and requests, encoded and decoded. Each
//! iterator stops at a truncated or invalid entry. Source: `spec/wire.md` sections 3 and 5.

use super::change::MotionObjectKind;
use super::pose::{POSE_BYTES, PackedPose, ROTATION_BYTES, Rotation};
use crate::limits::MOTION_NAME_BYTES_MAX;
use crate::take::take;

/// Number of baseline generations before they repeat.
pub const GENERATIONS: u8 = 32;

/// A pose as the difference from a baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoseDelta {
    /// Short id.
    pub id: u16,
    /// Age at the frame's time; 255 ms also stands for higher ages.
    pub age_ms: u8,
    /// Generation of the baseline that the update refers to.
    pub generation: u8,
    /// Millimetres from the baseline's position.
    pub offset: [i32; 3],
    /// `None`: the baseline's rotation.
    pub rotation: Option<Rotation>,
}

/// An absolute pose that updates refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoseBaseline {
    /// Short id.
    pub id: u16,
    /// Age at the frame's time.
    pub age_ms: u8,
    /// Generation of this baseline.
    pub generation: u8,
    /// The absolute pose.
    pub pose: PackedPose,
}

/// A client's own pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnPose {
    /// Index of the client's object.
    pub index: u8,
    /// Age at the frame's time.
    pub age_ms: u8,
    /// The absolute pose.
    pub pose: PackedPose,
}

/// An object that a client will move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectDeclaration<'a> {
    /// Identifies the object in later parts.
    pub index: u8,
    /// Head, hand or tracked object.
    pub kind: MotionObjectKind,
    /// Id of a tracked object; empty for heads and hands.
    pub name: &'a str,
}

/// An object that a client may not move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectRefusal {
    /// The client's index of the object.
    pub index: u8,
    /// The reason of the refusal.
    pub reason: ObjectRefusalReason,
}

/// Reason why an object may not be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ObjectRefusalReason {
    /// The ticket doesn't grant moving the object.
    NotGranted = 1,
    /// Another client moves the object, or this client does by another index.
    Taken = 2,
    /// The client has declared too many objects, or new ones too quickly.
    TooMany = 3,
    /// The name is invalid, or the index is declared for another object.
    BadName = 4,
}

impl PoseDelta {
    /// Bytes of the shortest update.
    pub const BYTES_MIN: usize = 4;
    /// Bytes of the longest update.
    pub const BYTES_MAX: usize = Self::BYTES_MIN + 12 + ROTATION_BYTES;

    /// Encodes the update in its shortest form to the beginning of `bytes` and returns its length. The generation
    /// is below [`GENERATIONS`].
    pub fn write(&self, bytes: &mut [u8; Self::BYTES_MAX]) -> usize {
        assert!(self.generation < GENERATIONS, "generation {} doesn't fit five bits", self.generation);
        let width = if self.offset == [0; 3] {
            0
        } else if self.offset.iter().all(|axis| i8::try_from(*axis).is_ok()) {
            1
        } else if self.offset.iter().all(|axis| i16::try_from(*axis).is_ok()) {
            2
        } else {
            4
        };
        let code = if width == 4 { 3 } else { width as u8 };
        let [low, high] = self.id.to_le_bytes();
        let turned = u8::from(self.rotation.is_some()) << 2;
        bytes[..4].copy_from_slice(&[low, high, self.age_ms, code | turned | (self.generation << 3)]);
        let mut at = 4;
        for axis in self.offset {
            bytes[at..at + width].copy_from_slice(&axis.to_le_bytes()[..width]);
            at += width;
        }
        if let Some(rotation) = self.rotation {
            bytes[at..at + ROTATION_BYTES].copy_from_slice(&rotation.0);
            at += ROTATION_BYTES;
        }
        at
    }

    fn read(mut rest: &[u8]) -> Option<(PoseDelta, &[u8])> {
        let &[low, high, age_ms, form] = take(&mut rest)?;
        let mut offset = [0; 3];
        for axis in &mut offset {
            *axis = match form & 3 {
                0 => 0,
                1 => i32::from(i8::from_le_bytes(*take(&mut rest)?)),
                2 => i32::from(i16::from_le_bytes(*take(&mut rest)?)),
                _ => i32::from_le_bytes(*take(&mut rest)?),
            };
        }
        let rotation = if form & 4 == 0 { None } else { Some(Rotation(*take(&mut rest)?)) };
        let id = u16::from_le_bytes([low, high]);
        Some((PoseDelta { id, age_ms, generation: form >> 3, offset, rotation }, rest))
    }

    /// Reads the entries of a part's content.
    pub fn read_all(content: &[u8]) -> impl Iterator<Item = PoseDelta> {
        each(content, PoseDelta::read)
    }
}

impl PoseBaseline {
    /// Bytes of a baseline.
    pub const BYTES: usize = 4 + POSE_BYTES;

    /// Encodes the baseline. The generation is below [`GENERATIONS`].
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        assert!(self.generation < GENERATIONS, "generation {} is out of range", self.generation);
        let mut bytes = [0; Self::BYTES];
        bytes[..2].copy_from_slice(&self.id.to_le_bytes());
        bytes[2..4].copy_from_slice(&[self.age_ms, self.generation]);
        bytes[4..].copy_from_slice(&self.pose.to_bytes());
        bytes
    }

    fn read(mut bytes: &[u8]) -> Option<(PoseBaseline, &[u8])> {
        let &[low, high, age_ms, generation] = take(&mut bytes)?;
        let pose = PackedPose::from_bytes(take(&mut bytes)?);
        let id = u16::from_le_bytes([low, high]);
        (generation < GENERATIONS).then_some((PoseBaseline { id, age_ms, generation, pose }, bytes))
    }

    /// Reads the entries of a part's content.
    pub fn read_all(content: &[u8]) -> impl Iterator<Item = PoseBaseline> {
        each(content, PoseBaseline::read)
    }
}

impl OwnPose {
    /// Bytes of a pose.
    pub const BYTES: usize = 2 + POSE_BYTES;

    /// Encodes the pose.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..2].copy_from_slice(&[self.index, self.age_ms]);
        bytes[2..].copy_from_slice(&self.pose.to_bytes());
        bytes
    }

    fn read(mut bytes: &[u8]) -> Option<(OwnPose, &[u8])> {
        let &[index, age_ms] = take(&mut bytes)?;
        let pose = PackedPose::from_bytes(take(&mut bytes)?);
        Some((OwnPose { index, age_ms, pose }, bytes))
    }

    /// Reads the entries of a part's content.
    pub fn read_all(content: &[u8]) -> impl Iterator<Item = OwnPose> {
        each(content, OwnPose::read)
    }
}

impl<'a> ObjectDeclaration<'a> {
    /// Appends the encoded declaration. The name has at most `MOTION_NAME_BYTES_MAX` bytes.
    pub fn write(&self, bytes: &mut alloc::vec::Vec<u8>) {
        assert!(self.name.len() <= MOTION_NAME_BYTES_MAX, "a name of {} bytes", self.name.len());
        bytes.extend_from_slice(&[self.index, self.kind as u8, self.name.len() as u8]);
        bytes.extend_from_slice(self.name.as_bytes());
    }

    fn read(bytes: &'a [u8]) -> Option<(ObjectDeclaration<'a>, &'a [u8])> {
        let (&[index, kind, length], rest) = bytes.split_first_chunk()?;
        let (name, rest) = rest.split_at_checked(usize::from(length))?;
        let (kind, name) = (MotionObjectKind::of(kind)?, core::str::from_utf8(name).ok()?);
        (name.len() <= MOTION_NAME_BYTES_MAX).then_some((ObjectDeclaration { index, kind, name }, rest))
    }

    /// Reads the entries of a part's content.
    pub fn read_all(content: &'a [u8]) -> impl Iterator<Item = ObjectDeclaration<'a>> {
        each(content, ObjectDeclaration::read)
    }
}

impl ObjectRefusal {
    /// Encodes the refusal.
    pub fn to_bytes(self) -> [u8; 2] {
        [self.index, self.reason as u8]
    }

    fn read(mut bytes: &[u8]) -> Option<(ObjectRefusal, &[u8])> {
        let &[index, reason] = take(&mut bytes)?;
        let reason = match reason {
            1 => ObjectRefusalReason::NotGranted,
            2 => ObjectRefusalReason::Taken,
            3 => ObjectRefusalReason::TooMany,
            4 => ObjectRefusalReason::BadName,
            _ => return None,
        };
        Some((ObjectRefusal { index, reason }, bytes))
    }

    /// Reads the entries of a part's content.
    pub fn read_all(content: &[u8]) -> impl Iterator<Item = ObjectRefusal> {
        each(content, ObjectRefusal::read)
    }
}

/// The short ids whose baselines an `ask` requests.
pub fn requested(content: &[u8]) -> impl Iterator<Item = u16> {
    each(content, |mut bytes| {
        let id = take(&mut bytes)?;
        Some((u16::from_le_bytes(*id), bytes))
    })
}

/// The indices of a `withdraw`.
pub fn withdrawn(content: &[u8]) -> impl Iterator<Item = u8> {
    content.iter().copied()
}

/// The sequence in a `reached`; `None` if it is truncated. Bytes after it belong to later versions.
pub fn reached(content: &[u8]) -> Option<u32> {
    content.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

pub(super) fn each<'a, T: 'a>(
    mut rest: &'a [u8],
    read: impl Fn(&'a [u8]) -> Option<(T, &'a [u8])> + 'a,
) -> impl Iterator<Item = T> + 'a {
    core::iter::from_fn(move || {
        let (entry, next) = read(rest)?;
        rest = next;
        Some(entry)
    })
}
