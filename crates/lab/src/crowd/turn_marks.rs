//! Marks each pose with its turn, so that an arriving pose is identified exactly.

use stoa_wire::motion::{PackedPose, Pose};

use super::protocol::KINDS;

/// Number of turns before a mark repeats. The mark is a height in millimetres, so heads bob by that much.
const MARKS: u64 = 256;
/// Minimum heights of heads and hands.
const HEIGHTS_MM: [i32; KINDS.len()] = [1_500, 1_000, 1_000];
/// Distance of hands to the sides.
const REACH_M: f64 = 0.3;

/// Poses of head and hands, each marked with the turn.
pub(super) fn poses_of(head: &Pose, turn: u64) -> [PackedPose; KINDS.len()] {
    let [_, sine, _, cosine] = head.rotation;
    // To the right of the head's direction: its x axis, rotated about y.
    let right = [1.0 - 2.0 * sine * sine, -2.0 * sine * cosine];
    let mark = (turn % MARKS) as i32;
    let mut sides = [0.0, -REACH_M, REACH_M].into_iter().zip(HEIGHTS_MM);
    std::array::from_fn(|_| {
        let (aside, height_mm) = sides.next().expect("one for each kind");
        let [x, _, z] = head.position;
        let position = [x + right[0] * aside, 0.0, z + right[1] * aside];
        let mut pose = PackedPose::pack(&Pose { position, ..*head }).expect("bots stay near the origin");
        pose.position[1] = height_mm + mark;
        pose
    })
}

/// The turn of a pose, given the sender's last turn.
pub(super) fn turn_of(pose: &PackedPose, index: usize, last: u64) -> u64 {
    let mark = pose.position[1].wrapping_sub(HEIGHTS_MM[index]).cast_unsigned();
    let since = last.wrapping_sub(u64::from(mark)) % MARKS;
    last.saturating_sub(since)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turn_of_a_pose_is_recovered_from_its_mark() {
        let head = Pose { position: [3.0, 1.6, -2.0], rotation: [0.0, 0.6, 0.0, 0.8] };
        for turn in [1, 255, 256, 257, 1_000] {
            for (index, pose) in poses_of(&head, turn).iter().enumerate() {
                for later in [0, 1, 255] {
                    assert_eq!(turn_of(pose, index, turn + later), turn, "{turn}, {later} later");
                }
            }
        }
        let [head, left, right] = poses_of(&head, 0).map(|pose| pose.position);
        let apart = |one: [i32; 3], other: [i32; 3]| f64::from(one[0] - other[0]).hypot(f64::from(one[2] - other[2]));
        assert!((apart(left, right) - 600.0).abs() < 2.0 && (apart(head, left) - 300.0).abs() < 2.0);
    }
}
