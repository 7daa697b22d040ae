//! Packs poses into whole millimetres and smallest-three rotations. Source: `spec/wire.md` section 3.

use crate::limits::MOTION_EXTENT_M;

/// Bytes of an absolute pose.
pub(super) const POSE_BYTES: usize = 12 + ROTATION_BYTES;
/// Bytes of a rotation.
pub(super) const ROTATION_BYTES: usize = 5;

/// Largest value of a rotation's component, which has twelve bits.
const STEPS: f64 = 4_095.0;
const SQRT_2: f64 = core::f64::consts::SQRT_2;

/// Position and orientation in the scene's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Metres; right-handed, y up.
    pub position: [f64; 3],
    /// Quaternion x, y, z, w.
    pub rotation: [f64; 4],
}

/// A pose as frames carry it: within 0.5 mm per axis and 0.07° of the original.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackedPose {
    /// Millimetres.
    pub position: [i32; 3],
    /// Packed orientation.
    pub rotation: Rotation,
}

/// The three smallest components of a unit quaternion, 12 bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rotation(pub [u8; ROTATION_BYTES]);

impl Default for Rotation {
    /// The identity.
    fn default() -> Rotation {
        Rotation::pack([0.0, 0.0, 0.0, 1.0]).expect("is of length 1")
    }
}

impl PackedPose {
    /// Packs a pose. `None` if a coordinate is NaN or beyond `MOTION_EXTENT_M`, or the quaternion's length is zero,
    /// infinite or NaN.
    pub fn pack(pose: &Pose) -> Option<PackedPose> {
        let mut position = [0; 3];
        for (packed, metres) in position.iter_mut().zip(pose.position) {
            // NaN is in no range.
            if !(-MOTION_EXTENT_M..=MOTION_EXTENT_M).contains(&metres) {
                return None;
            }
            *packed = libm::round(metres * 1_000.0) as i32;
        }
        Some(PackedPose { position, rotation: Rotation::pack(pose.rotation)? })
    }

    /// Converts back to metres and a quaternion.
    pub fn unpack(&self) -> Pose {
        let position = self.position.map(|millimetres| f64::from(millimetres) / 1_000.0);
        Pose { position, rotation: self.rotation.unpack() }
    }

    /// Whether the position is within `MOTION_EXTENT_M`.
    pub fn is_within_extent(&self) -> bool {
        let farthest = (MOTION_EXTENT_M * 1_000.0) as u32;
        self.position.iter().all(|axis| axis.unsigned_abs() <= farthest)
    }

    /// Encodes the pose.
    pub fn to_bytes(&self) -> [u8; POSE_BYTES] {
        let mut bytes = [0; POSE_BYTES];
        for (axis, field) in self.position.iter().zip(bytes.chunks_exact_mut(4)) {
            field.copy_from_slice(&axis.to_le_bytes());
        }
        bytes[12..].copy_from_slice(&self.rotation.0);
        bytes
    }

    /// Decodes a pose.
    pub fn from_bytes(bytes: &[u8; POSE_BYTES]) -> PackedPose {
        let axis = |at: usize| i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let [.., a, b, c, d, e] = *bytes;
        PackedPose { position: [axis(0), axis(4), axis(8)], rotation: Rotation([a, b, c, d, e]) }
    }
}

impl Rotation {
    /// Packs a quaternion of any length. `None` if its length is zero, infinite or NaN.
    pub fn pack(quaternion: [f64; 4]) -> Option<Rotation> {
        let length = length_of(&quaternion);
        let is_turn = length.is_finite() && length > 0.0;
        if !is_turn {
            return None;
        }
        let mut largest = 0;
        for (which, part) in quaternion.into_iter().enumerate() {
            if libm::fabs(part) > libm::fabs(quaternion[largest]) {
                largest = which;
            }
        }
        let sign: f64 = if quaternion[largest] < 0.0 { -1.0 } else { 1.0 };
        let mut bits = largest as u64;
        let mut shift = 2;
        for (which, part) in quaternion.into_iter().enumerate() {
            if which != largest {
                let step = libm::round((sign * part / length / SQRT_2 + 0.5) * STEPS).clamp(0.0, STEPS);
                bits |= (step as u64) << shift;
                shift += 12;
            }
        }
        let [a, b, c, d, e, ..] = bits.to_le_bytes();
        Some(Rotation([a, b, c, d, e]))
    }

    /// Unpacks a unit quaternion x, y, z, w; all bytes are valid.
    pub fn unpack(&self) -> [f64; 4] {
        let [a, b, c, d, e] = self.0;
        let bits = u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]);
        let largest = (bits & 3) as usize;
        let mut quaternion = [0.0_f64; 4];
        let mut shift = 2;
        let mut rest = 1.0_f64;
        for (which, part) in quaternion.iter_mut().enumerate() {
            if which != largest {
                *part = (((bits >> shift) & 0xfff) as f64 / STEPS - 0.5) * SQRT_2;
                rest -= *part * *part;
                shift += 12;
            }
        }
        quaternion[largest] = libm::sqrt(rest.max(0.0));
        let length = length_of(&quaternion);
        quaternion.map(|part| part / length)
    }
}

fn length_of(quaternion: &[f64; 4]) -> f64 {
    libm::sqrt(quaternion.iter().map(|part| part * part).sum())
}
