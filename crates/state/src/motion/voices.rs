//! Chooses the voices that each receiver hears: the nearest people who speak. Pure; its inputs are facts about speakers
//! of any origin. Source: `spec/wire.md` section 8 and annex A.

use alloc::vec::Vec;

use crate::limits;
use crate::time::Time;

/// A person who speaks, as one receiver may hear them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpeakerFacts<Id> {
    /// Identifies the speaker.
    pub id: Id,
    /// Where the speaker's head is, in millimetres.
    pub position: [i32; 3],
    /// When the speaker last spoke.
    pub spoke_at: Time,
}

/// The voices of one receiver.
#[derive(Clone, Debug)]
pub struct VoiceSlots<Id> {
    /// The chosen speakers, by ascending id.
    held: Vec<Id>,
    ranked: Vec<(u64, Id)>,
}

impl<Id> Default for VoiceSlots<Id> {
    fn default() -> VoiceSlots<Id> {
        VoiceSlots { held: Vec::new(), ranked: Vec::new() }
    }
}

impl<Id: Copy + Ord> VoiceSlots<Id> {
    /// The chosen speakers, by ascending id.
    pub fn held(&self) -> &[Id] {
        &self.held
    }

    /// Chooses at most `most` of the speakers who are within reach and spoke within [`limits::VOICE_SILENCE`]: the
    /// nearest. A held one counts as [`limits::VOICE_STAY_PERCENT`] nearer than it is, so that two people at nearly the
    /// same distance don't take turns.
    pub fn choose(
        &mut self,
        speakers: impl Iterator<Item = SpeakerFacts<Id>>,
        listener: [i32; 3],
        most: usize,
        now: Time,
    ) {
        let VoiceSlots { held, ranked } = self;
        ranked.clear();
        for speaker in speakers.filter(|speaker| now.since(speaker.spoke_at) < limits::VOICE_SILENCE) {
            let squared = squared_mm(speaker.position, listener);
            if squared <= REACH_SQUARED_MM {
                let is_held = held.binary_search(&speaker.id).is_ok();
                let rank = if is_held { squared / 10_000 * STAY_SQUARED } else { squared };
                ranked.push((rank, speaker.id));
            }
        }
        if ranked.len() > most {
            ranked.select_nth_unstable(most);
            ranked.truncate(most);
        }
        held.clear();
        held.extend(ranked.iter().map(|(_, id)| *id));
        held.sort_unstable();
    }
}

/// The square of the share of a held speaker's distance that counts, in ten-thousandths.
const STAY_SQUARED: u64 = (100 - limits::VOICE_STAY_PERCENT) * (100 - limits::VOICE_STAY_PERCENT);
const REACH_SQUARED_MM: u64 = limits::VOICE_REACH_MM * limits::VOICE_REACH_MM;

fn squared_mm(one: [i32; 3], other: [i32; 3]) -> u64 {
    let axis = |at: usize| {
        let apart = u64::from(one[at].abs_diff(other[at]));
        apart * apart
    };
    axis(0).saturating_add(axis(1)).saturating_add(axis(2))
}

#[cfg(test)]
mod tests {
    use alloc::collections::VecDeque;

    use super::*;

    const NOW: Time = Time::from_secs(100);

    fn at(id: u32, metres: f64) -> SpeakerFacts<u32> {
        SpeakerFacts { id, position: [(metres * 1_000.0) as i32, 0, 0], spoke_at: NOW }
    }

    fn chosen(slots: &mut VoiceSlots<u32>, speakers: &[SpeakerFacts<u32>], most: usize, now: Time) -> Vec<u32> {
        slots.choose(speakers.iter().copied(), [0; 3], most, now);
        slots.held().to_vec()
    }

    #[test]
    fn the_nearest_speakers_within_reach_are_heard() {
        let speakers = [at(1, 9.0), at(2, 3.0), at(3, 21.0), at(4, 1.0), at(5, 5.0)];
        let mut slots = VoiceSlots::default();
        assert_eq!(chosen(&mut slots, &speakers, 3, NOW), [2, 4, 5]);
        assert_eq!(chosen(&mut slots, &speakers, 16, NOW), [1, 2, 4, 5], "the third is out of reach");
        assert_eq!(chosen(&mut slots, &speakers, 0, NOW), [0; 0]);
        let far = [SpeakerFacts { id: 1, position: [i32::MAX, 0, 0], spoke_at: NOW }];
        slots.choose(far.into_iter(), [i32::MIN, 0, 0], 16, NOW);
        assert_eq!(slots.held(), [0; 0], "no distance overflows");
    }

    #[test]
    fn a_voice_keeps_its_slot_until_another_is_a_fifth_nearer() {
        let mut slots = VoiceSlots::default();
        assert_eq!(chosen(&mut slots, &[at(1, 5.0)], 1, NOW), [1]);
        assert_eq!(chosen(&mut slots, &[at(1, 5.0), at(2, 4.1)], 1, NOW), [1]);
        assert_eq!(chosen(&mut slots, &[at(1, 5.0), at(2, 3.9)], 1, NOW), [2]);
        assert_eq!(chosen(&mut slots, &[at(1, 5.0), at(2, 3.9)], 2, NOW), [1, 2], "a free slot needs no distance");
    }

    #[test]
    fn a_held_voice_ends_at_its_reach() {
        let mut slots = VoiceSlots::default();
        assert_eq!(chosen(&mut slots, &[at(1, 20.0)], 1, NOW), [1]);
        assert_eq!(chosen(&mut slots, &[at(1, 20.1)], 1, NOW), [0; 0]);
    }

    #[test]
    fn a_voice_keeps_its_slot_through_a_pause_of_less_than_a_second() {
        let mut slots = VoiceSlots::default();
        let quiet = |now: Time| [at(1, 5.0), SpeakerFacts { spoke_at: now, ..at(2, 4.5) }];
        assert_eq!(chosen(&mut slots, &[at(1, 5.0)], 1, NOW), [1]);
        let short = NOW + limits::VOICE_SILENCE / 2;
        assert_eq!(chosen(&mut slots, &quiet(short), 1, short), [1]);
        let long = NOW + limits::VOICE_SILENCE;
        assert_eq!(chosen(&mut slots, &quiet(long), 1, long), [2]);
    }

    #[test]
    fn two_instances_joined_by_a_delayed_queue_agree_on_clearly_nearer_speakers() {
        // Each instance knows its own speakers at once, and the other's three steps later. At last the distances differ
        // by more than a fifth, so the order of arrival doesn't count.
        let mut random = fastrand::Rng::with_seed(5);
        let mut queues = [VecDeque::new(), VecDeque::new()];
        let mut known = [[at(0, 30.0); 20]; 2];
        let mut slots = [VoiceSlots::default(), VoiceSlots::default()];
        let mut disagreed = 0;
        for step in 0..1_000_u32 {
            let now = NOW + limits::VOICE_SILENCE * step / 40;
            let (id, metres) = if step < 975 {
                (random.u32(..20), random.f64() * 25.0)
            } else {
                (step % 20, 0.2 * 1.3_f64.powi((step % 20) as i32))
            };
            if step < 995 {
                let fact = SpeakerFacts { spoke_at: now, ..at(id, metres) };
                known[id as usize % 2][id as usize] = fact;
                queues[1 - id as usize % 2].push_back((step + 3, fact));
            }
            for ((queue, known), slots) in queues.iter_mut().zip(&mut known).zip(&mut slots) {
                while let Some((_, fact)) = queue.pop_front_if(|(due, _)| *due <= step) {
                    known[fact.id as usize] = fact;
                }
                slots.choose(known.iter().copied(), [0; 3], 6, now);
            }
            disagreed += u32::from(slots[0].held() != slots[1].held());
        }
        assert!(disagreed > 0, "negative control: the queue delays facts");
        assert_eq!(slots[0].held(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(slots[1].held(), slots[0].held());
    }
}
