//! Schedules the turns of a crowd: everyone once a period, each person at its own phase, drawn by a seed.

use fastrand::Rng;

/// The schedule.
#[derive(Debug)]
pub(crate) struct SendTurnSchedule {
    period_us: u64,
    /// Phase and person, ascending.
    order: Vec<(u64, usize)>,
    /// For each person the index in `order`.
    ranks: Vec<usize>,
    /// Number of turns taken.
    taken: usize,
}

impl SendTurnSchedule {
    pub(crate) fn new(people: usize, period_us: u64, seed: u64) -> SendTurnSchedule {
        let mut rng = Rng::with_seed(seed);
        let mut order: Vec<(u64, usize)> = (0..people).map(|person| (rng.u64(0..period_us), person)).collect();
        order.sort_unstable();
        let mut ranks = vec![0; people];
        order.iter().enumerate().for_each(|(rank, (_, person))| ranks[*person] = rank);
        SendTurnSchedule { period_us, order, ranks, taken: 0 }
    }

    /// Time of the next turn, in microseconds since the load began.
    pub(crate) fn due_us(&self) -> u64 {
        match self.order.get(self.taken % self.order.len().max(1)) {
            Some((phase_us, _)) => (self.taken / self.order.len()) as u64 * self.period_us + phase_us,
            None => u64::MAX,
        }
    }

    /// Takes the next turn if it is due: the person, and the number of its turn, from 1.
    pub(crate) fn next(&mut self, now_us: u64) -> Option<(usize, u64)> {
        (self.due_us() <= now_us).then(|| {
            let turn = (self.taken / self.order.len()) as u64 + 1;
            let (_, person) = self.order[self.taken % self.order.len()];
            self.taken += 1;
            (person, turn)
        })
    }

    /// Due time of a person's turn.
    pub(crate) fn due_of(&self, person: usize, turn: u64) -> u64 {
        turn.saturating_sub(1) * self.period_us + self.order[self.ranks[person]].0
    }

    /// Number of a person's last turn; 0 before the first.
    pub(crate) fn last_of(&self, person: usize) -> u64 {
        let (rounds, within) = (self.taken / self.order.len(), self.taken % self.order.len());
        rounds as u64 + u64::from(self.ranks[person] < within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_person_sends_once_a_period_at_a_constant_phase() {
        let mut calendar = SendTurnSchedule::new(50, 1_000, 7);
        let mut turns = vec![Vec::new(); 50];
        while let Some((person, turn)) = calendar.next(2_999) {
            assert_eq!((calendar.last_of(person), turns[person].len() as u64 + 1), (turn, turn));
            turns[person].push(calendar.due_of(person, turn));
        }
        assert!(calendar.due_us() >= 3_000);
        for turns in turns {
            assert!(turns.len() == 3 && turns[1] - turns[0] == 1_000 && turns[2] - turns[1] == 1_000, "{turns:?}");
        }
        let mut other = SendTurnSchedule::new(50, 1_000, 8);
        assert_ne!(
            other.next(2_999),
            SendTurnSchedule::new(50, 1_000, 7).next(2_999),
            "negative control: another seed"
        );
    }
}
