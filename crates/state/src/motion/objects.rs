//! Moving objects of a scene: the latest pose of each, the baseline of its deltas, and its encoded update for the
//! current service, which all receivers share.

use core::time::Duration;

use alloc::collections::{BTreeSet, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;

use stoa_wire::motion::{MotionObjectKind, PackedPose, PoseBaseline, PoseDelta};

use super::clock::MotionTime;
use super::session::MotionSessionId;
use crate::limits;
use crate::time::Time;

/// Groups of receivers, served one after the other within a tick to spread work and datagrams. In the smallest
/// scenes they are served together.
pub(super) const GROUPS: usize = 5;

/// Baseline generations before the number wraps.
const GENERATIONS: u8 = stoa_wire::motion::entries::GENERATIONS;

/// Offset of the baseline time from one short id to the next: the golden ratio of the period, which spreads any run
/// of ids evenly.
const STAGGER_MS: u64 = 618;

/// A moving object.
#[derive(Debug)]
pub(super) struct MotionObject {
    pub(super) name: String,
    pub(super) kind: MotionObjectKind,
    pub(super) owner: MotionSessionId,
    /// The object that decides this one's visibility: for a hand its head if it exists, else the object itself.
    pub(super) lead: u16,
    /// Objects whose lead this is.
    pub(super) followers: Vec<u16>,
    pub(super) pose: PackedPose,
    pub(super) captured: MotionTime,
    /// Capture time by the sender's clock.
    pub(super) sender_ms: u32,
    /// Number of its latest pose among all poses.
    pub(super) pose_number: u64,
    baseline: TimedBaseline,
    /// The previous baseline. Deltas still refer to it in the first of the two services that send the newer one.
    older: BaselinePose,
    /// Baselines made since the object last moved.
    rests: u8,
    moved: bool,
    encoded: EncodedUpdate,
}

/// A baseline pose.
#[derive(Clone, Copy, Debug)]
struct BaselinePose {
    generation: u8,
    pose: PackedPose,
}

/// A baseline with its time.
#[derive(Clone, Copy, Debug)]
struct TimedBaseline {
    based: BaselinePose,
    captured: MotionTime,
    at: Time,
    /// How often each group had been served when it was made.
    served: [u32; GROUPS],
}

/// An encoded update for one service.
#[derive(Clone, Copy, Debug)]
struct EncodedUpdate {
    /// The service's number.
    service: u64,
    bytes: [u8; PoseDelta::BYTES_MAX],
    length: u8,
}

/// One service of one group.
#[derive(Clone, Copy, Debug)]
pub(super) struct SubtickServiceTurn {
    /// Number among all services.
    pub(super) number: u64,
    pub(super) group: usize,
    /// Earlier services of this group.
    pub(super) served: u32,
    pub(super) time: MotionTime,
}

/// All objects of a scene.
#[derive(Debug, Default)]
pub(super) struct MotionObjects {
    /// The objects by short id, up to the highest in use, because services walk all slots.
    slots: Vec<Option<MotionObject>>,
    /// Freed short ids, and when they may be reused.
    freed: VecDeque<(u16, Time)>,
    /// Short ids free for reuse. The lowest is reused first, so that the array shrinks again after a crowd.
    reusable: BTreeSet<u16>,
    /// Number of short ids ever used.
    ids_used: usize,
    count: usize,
}

impl MotionObjects {
    /// Adds an object; `None` if no short id is free.
    pub(super) fn insert(&mut self, object: MotionObject, now: Time) -> Option<u16> {
        while let Some((id, _)) = self.freed.pop_front_if(|(_, from)| *from <= now) {
            self.reusable.insert(id);
        }
        let id = match self.reusable.pop_first() {
            Some(id) => id,
            None => {
                let id = u16::try_from(self.ids_used).ok()?;
                self.ids_used += 1;
                id
            }
        };
        let slot = usize::from(id);
        if self.slots.len() <= slot {
            self.slots.resize_with(slot + 1, || None);
        }
        self.slots[slot] = Some(object);
        self.count += 1;
        Some(id)
    }

    pub(super) fn remove(&mut self, id: u16, now: Time) -> Option<MotionObject> {
        let object = self.slots.get_mut(usize::from(id))?.take()?;
        self.freed.push_back((id, now + limits::MOTION_ID_REST));
        self.count -= 1;
        while self.slots.pop_if(|slot| slot.is_none()).is_some() {}
        Some(object)
    }

    pub(super) fn get(&self, id: u16) -> Option<&MotionObject> {
        self.slots.get(usize::from(id))?.as_ref()
    }

    pub(super) fn get_mut(&mut self, id: u16) -> Option<&mut MotionObject> {
        self.slots.get_mut(usize::from(id))?.as_mut()
    }

    /// All objects by ascending short id.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u16, &MotionObject)> {
        self.slots.iter().enumerate().filter_map(|(id, slot)| Some((id as u16, slot.as_ref()?)))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (u16, &mut MotionObject)> {
        self.slots.iter_mut().enumerate().filter_map(|(id, slot)| Some((id as u16, slot.as_mut()?)))
    }

    /// One more than the highest short id in use.
    pub(super) fn ids(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }
}

impl MotionObject {
    pub(super) fn new(name: String, kind: MotionObjectKind, owner: MotionSessionId, pose: PackedPose) -> MotionObject {
        let based = BaselinePose { generation: 0, pose };
        let baseline = TimedBaseline { based, captured: MotionTime(0), at: Time::ZERO, served: [0; GROUPS] };
        let encoded = EncodedUpdate { service: 0, bytes: [0; PoseDelta::BYTES_MAX], length: 0 };
        let (captured, lead) = (MotionTime(0), 0);
        MotionObject {
            name,
            kind,
            owner,
            lead,
            followers: Vec::new(),
            pose,
            captured,
            sender_ms: 0,
            pose_number: 0,
            baseline,
            older: based,
            rests: 0,
            moved: false,
            encoded,
        }
    }

    /// Starts the object at its pose, which becomes its baseline. Objects that start together renew their baselines
    /// at different times, by short id.
    pub(super) fn begin(&mut self, id: u16, served: [u32; GROUPS], captured: MotionTime, now: Time) {
        self.captured = captured;
        let stagger =
            Duration::from_millis(u64::from(id) * STAGGER_MS % limits::MOTION_BASELINE_PERIOD.as_millis() as u64);
        self.baseline = TimedBaseline {
            based: BaselinePose { generation: 0, pose: self.pose },
            captured,
            at: now + stagger,
            served,
        };
        self.older = self.baseline.based;
    }

    /// Replaces the pose by a newer one.
    pub(super) fn move_to(&mut self, pose: PackedPose, captured: MotionTime, number: u64) {
        self.moved |= pose != self.pose;
        (self.pose, self.captured, self.pose_number) = (pose, captured, number);
    }

    /// Makes a new baseline when due: each second, less often at rest, and when deltas would need the longest form.
    pub(super) fn refresh(&mut self, served: [u32; GROUPS], now: Time) {
        let age = now.since(self.baseline.at);
        let period = limits::MOTION_BASELINE_PERIOD * (1 << self.rests.min(limits::MOTION_BASELINE_DOUBLINGS));
        let is_far = age > limits::MOTION_BASELINE_PERIOD_MIN && !is_near(&self.pose, &self.baseline.based.pose);
        let is_moving = self.moved && age >= limits::MOTION_BASELINE_PERIOD;
        if age < period && !is_far && !is_moving {
            return;
        }
        self.rests = if self.moved { 0 } else { self.rests.saturating_add(1) };
        self.moved = false;
        self.older = self.baseline.based;
        let based = BaselinePose { generation: (self.older.generation + 1) % GENERATIONS, pose: self.pose };
        self.baseline = TimedBaseline { based, captured: self.captured, at: now, served };
    }

    /// Returns the baseline if this service is one of the two that send it to this group.
    pub(super) fn baseline_due(&self, id: u16, service: &SubtickServiceTurn) -> Option<PoseBaseline> {
        let since = service.served.wrapping_sub(self.baseline.served[service.group]);
        (since < 2).then(|| self.baseline(id, service.time))
    }

    /// Returns the baseline.
    pub(super) fn baseline(&self, id: u16, time: MotionTime) -> PoseBaseline {
        let TimedBaseline { based: BaselinePose { generation, pose }, captured, .. } = self.baseline;
        PoseBaseline { id, age_ms: age_ms(time, captured), generation, pose }
    }

    /// Returns the encoded latest pose for this service.
    pub(super) fn update(&mut self, id: u16, service: &SubtickServiceTurn) -> &[u8] {
        if self.encoded.service != service.number {
            let since = service.served.wrapping_sub(self.baseline.served[service.group]);
            let BaselinePose { generation, pose: from } = if since == 0 { self.older } else { self.baseline.based };
            let mut offset = [0; 3];
            for (axis, (to, from)) in offset.iter_mut().zip(self.pose.position.iter().zip(from.position)) {
                *axis = to.wrapping_sub(from);
            }
            let rotation = (self.pose.rotation != from.rotation).then_some(self.pose.rotation);
            let update = PoseDelta { id, age_ms: age_ms(service.time, self.captured), generation, offset, rotation };
            self.encoded.length = update.write(&mut self.encoded.bytes) as u8;
            self.encoded.service = service.number;
        }
        &self.encoded.bytes[..usize::from(self.encoded.length)]
    }

    /// Whether the latest pose is the baseline, so that an update adds nothing.
    pub(super) fn is_baseline(&self) -> bool {
        self.captured == self.baseline.captured && self.pose == self.baseline.based.pose
    }
}

fn age_ms(time: MotionTime, captured: MotionTime) -> u8 {
    u8::try_from(time.since(captured)).unwrap_or(u8::MAX)
}

/// Whether the delta fits into the shorter forms.
fn is_near(one: &PackedPose, other: &PackedPose) -> bool {
    one.position.iter().zip(other.position).all(|(one, other)| i16::try_from(one.wrapping_sub(other)).is_ok())
}

#[cfg(test)]
mod tests {
    use stoa_wire::motion::Rotation;

    use super::*;

    fn put(objects: &mut MotionObjects, now: Time) -> Option<u16> {
        let pose = PackedPose { position: [0; 3], rotation: Rotation::default() };
        objects.insert(
            MotionObject::new(String::new(), MotionObjectKind::Head, MotionSessionId { slot: 0, generation: 0 }, pose),
            now,
        )
    }

    #[test]
    fn the_object_array_shrinks_after_a_crowd_and_reuses_the_lowest_ids() {
        let (mut objects, now) = (MotionObjects::default(), Time::from_secs(1));
        (0..1_000).for_each(|id| assert_eq!(put(&mut objects, now), Some(id)));
        (3..1_000).rev().for_each(|id| drop(objects.remove(id, now)));
        assert_eq!((objects.ids(), objects.len()), (3, 3));
        assert_eq!(put(&mut objects, now), Some(1_000), "the others rest");
        let later = now + limits::MOTION_ID_REST;
        assert_eq!([3, 4, 5].map(|_| put(&mut objects, later)), [3, 4, 5].map(Some), "the lowest first");
        objects.remove(1_000, later);
        assert_eq!((objects.ids(), objects.len()), (6, 6));
        assert_eq!(objects.iter().map(|(id, _)| id).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn an_object_is_refused_when_all_16_bit_short_ids_are_in_use() {
        let (mut objects, now) = (MotionObjects::default(), Time::from_secs(1));
        (0..=u16::MAX).for_each(|id| assert_eq!(put(&mut objects, now), Some(id)));
        assert_eq!(put(&mut objects, now), None);
        objects.remove(7, now);
        assert_eq!(put(&mut objects, now), None, "it rests");
        assert_eq!(put(&mut objects, now + limits::MOTION_ID_REST), Some(7));
    }
}
