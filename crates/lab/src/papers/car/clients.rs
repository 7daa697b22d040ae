//! Models the paper's clients (section 3.1, Fig 2), without sockets. Each sends a new location when its action cycle is
//! over **and** its group has acknowledged the last one, or after 20 s. So the loop is **closed**: a client that
//! waits for the server sends less, and a mean over sent updates omits the updates that the wait prevented
//! (coordinated omission). Two times are reported:
//!
//! * *Response*, the paper's: from the sending of an update to its last acknowledgement.
//! * *From the grid*: each client's cycle is a fixed grid of moments, whose phase a seed draws. Each moment counts,
//!   also one that passed while the client waited (its marker was detected but could not be sent). A moment's time
//!   ends when all members have acknowledged the update sent for it, then or later. An update that is never
//!   acknowledged counts in *response* only, with its waiting time.
//!
//! Both are reported with the achieved rate against the rate of the grid.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use fastrand::Rng;

use super::exchange::{ClientGroupLayout, PendingAckCounter};
use super::tally::UpdateWindowTally;

/// Time after which an update is given up. Source: paper 002 section 3.1.
const PATIENCE_US: u64 = 20_000_000;
/// Interval of checks for updates to give up.
const LOOK_US: u64 = 1_000_000;

/// All clients.
#[derive(Debug)]
pub(crate) struct ClosedLoopClients {
    groups: ClientGroupLayout,
    period_us: u64,
    clients: Vec<ClosedLoopClientState>,
    /// Clients that may send, by time.
    due: BinaryHeap<Reverse<(u64, usize)>>,
    looked_us: u64,
    window_us: Range<u64>,
    /// Whether the run is over, so that no client sends new updates.
    is_over: bool,
    tally: UpdateWindowTally,
}

#[derive(Clone, Copy, Debug, Default)]
struct ClosedLoopClientState {
    turn: u32,
    /// The first moment of the client's grid without an update.
    grid_us: u64,
    /// The value of `grid_us` before the last update, which covers all moments from there to the sending.
    stands_for_us: u64,
    sent_us: u64,
    waiting: PendingAckCounter,
    is_waiting: bool,
    /// Whether the last update is within the window.
    counts: bool,
}

impl ClosedLoopClients {
    /// The clients begin at random moments of one cycle.
    pub(crate) fn new(groups: ClientGroupLayout, period_us: u64, seed: u64) -> ClosedLoopClients {
        let mut rng = Rng::with_seed(seed);
        let client = |_| ClosedLoopClientState { grid_us: rng.u64(0..period_us), ..ClosedLoopClientState::default() };
        let clients: Vec<ClosedLoopClientState> = (0..groups.clients).map(client).collect();
        let due = clients.iter().enumerate().map(|(number, client)| Reverse((client.grid_us, number))).collect();
        ClosedLoopClients {
            groups,
            period_us,
            clients,
            due,
            looked_us: 0,
            window_us: 0..0,
            is_over: false,
            tally: UpdateWindowTally::default(),
        }
    }

    /// Sets the window of updates that count.
    pub(crate) fn watch(&mut self, window_us: Range<u64>) {
        self.window_us = window_us;
    }

    /// Stops new updates.
    pub(crate) fn end(&mut self) {
        self.is_over = true;
    }

    /// Whether all counted updates are acknowledged or given up.
    pub(crate) fn is_quiet(&self) -> bool {
        self.clients.iter().all(|client| !client.counts || !client.is_waiting)
    }

    /// Time of the next possible update, or of the next check for updates to give up.
    pub(crate) fn due_us(&self) -> u64 {
        let next = self.due.peek().filter(|_| !self.is_over).map_or(u64::MAX, |Reverse((at_us, _))| *at_us);
        next.min(self.looked_us + LOOK_US)
    }

    /// Starts an update of the next client that may send: its number, and the update's. `None` if no client may send
    /// yet, or the run is over. Also gives up old updates.
    pub(crate) fn next(&mut self, now_us: u64) -> Option<(usize, u32)> {
        if now_us >= self.looked_us + LOOK_US {
            self.give_up(now_us);
        }
        let Reverse((due_us, number)) = *self.due.peek()?;
        if due_us > now_us || self.is_over {
            return None;
        }
        self.due.pop();
        let client = &mut self.clients[number];
        client.turn += 1;
        (client.stands_for_us, client.sent_us, client.is_waiting) = (client.grid_us, now_us, true);
        // The update carries the marker of the newest moment that has passed.
        client.grid_us += ((now_us - client.grid_us) / self.period_us + 1) * self.period_us;
        let others = self.groups.others(number);
        client.waiting.begin(client.turn, others);
        client.counts = self.window_us.contains(&now_us);
        if client.counts {
            self.tally.note_sent(others as u64);
        }
        Some((number, client.turn))
    }

    /// An update reached a member of the group.
    pub(crate) fn handle_update(&mut self, source: usize, turn: u32) {
        let Some(client) = self.clients.get(source) else { return };
        self.tally.updates += u64::from(client.counts && client.turn == turn);
    }

    /// A member acknowledged an update. After the last member the update is complete.
    pub(crate) fn handle_ack(&mut self, source: usize, turn: u32, now_us: impl FnOnce() -> u64) {
        let Some(client) = self.clients.get_mut(source) else { return };
        if !client.is_waiting || client.turn != turn {
            return;
        }
        self.tally.acks += u64::from(client.counts);
        if client.waiting.count(turn) {
            self.complete(source, now_us());
        }
    }

    /// All members acknowledged an update, as an active server reports it.
    pub(crate) fn handle_all_acks(&mut self, source: usize, turn: u32, now_us: impl FnOnce() -> u64) {
        let Some(client) = self.clients.get_mut(source) else { return };
        if client.is_waiting && client.turn == turn {
            self.tally.acks += if client.counts { self.groups.others(source) as u64 } else { 0 };
            self.complete(source, now_us());
        }
    }

    fn complete(&mut self, source: usize, now_us: u64) {
        let client = &mut self.clients[source];
        client.is_waiting = false;
        if client.counts {
            self.tally.note_response(now_us - client.sent_us);
            let moments = (client.stands_for_us..=client.sent_us).step_by(self.period_us as usize);
            moments.for_each(|moment_us| self.tally.note_from_grid(now_us - moment_us));
        }
        self.due.push(Reverse((client.grid_us.max(now_us), source)));
    }

    /// Clients that have waited for 20 s send a new update.
    fn give_up(&mut self, now_us: u64) {
        self.looked_us = now_us;
        for (number, client) in self.clients.iter_mut().enumerate() {
            if client.is_waiting && now_us - client.sent_us >= PATIENCE_US {
                client.is_waiting = false;
                self.tally.note_given_up(client.counts.then(|| now_us - client.sent_us));
                self.due.push(Reverse((now_us, number)));
            }
        }
    }

    /// Ends the run. Unacknowledged updates count with the time they have waited.
    pub(crate) fn close(mut self, now_us: u64) -> UpdateWindowTally {
        for client in self.clients.iter().filter(|client| client.counts && client.is_waiting) {
            self.tally.note_unfinished(now_us - client.sent_us);
        }
        let seconds = (self.window_us.end - self.window_us.start) as f64 / 1e6;
        self.tally.asked_per_s = self.groups.clients as f64 * 1e6 / self.period_us as f64;
        self.tally.seconds = seconds;
        self.tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD_US: u64 = 100_000;

    /// One group of three, of which the first is tested.
    fn group() -> ClosedLoopClients {
        let mut clients = ClosedLoopClients::new(ClientGroupLayout { clients: 3, size: 3 }, PERIOD_US, 1);
        clients.watch(0..10_000_000);
        clients
    }

    fn speak(clients: &mut ClosedLoopClients, until_us: u64) -> Vec<(usize, u32, u64)> {
        let mut said = Vec::new();
        while clients.due_us() <= until_us {
            let now_us = clients.due_us();
            match clients.next(now_us) {
                Some((client, turn)) => said.push((client, turn, now_us)),
                None if clients.due_us() <= now_us => break,
                None => {}
            }
        }
        said
    }

    #[test]
    fn a_client_sends_its_next_update_after_its_cycle_and_all_acks() {
        let mut clients = group();
        let first = speak(&mut clients, PERIOD_US);
        assert_eq!(first.len(), 3);
        let (who, turn, at_us) = first[0];
        assert_eq!(speak(&mut clients, at_us + 3 * PERIOD_US), [], "nobody has acknowledged");
        let back_us = at_us + 3 * PERIOD_US + 5;
        clients.handle_ack(who, turn, || back_us);
        assert_eq!(speak(&mut clients, back_us), [], "one of two has");
        clients.handle_ack(who, turn, || back_us);
        assert_eq!(speak(&mut clients, back_us), [(who, 2, back_us)], "at once: its cycle is long over");
        clients.handle_all_acks(who, 2, || back_us + 7);
        let grid_us = at_us + 4 * PERIOD_US;
        assert_eq!(speak(&mut clients, grid_us), [(who, 3, grid_us)], "the grid stays where it was");
    }

    #[test]
    fn grid_delays_include_moments_missed_while_a_client_waited() {
        let mut clients = group();
        let (who, turn, at_us) = speak(&mut clients, PERIOD_US)[0];
        let back_us = at_us + 3 * PERIOD_US + 5;
        clients.handle_all_acks(who, turn, || back_us);
        speak(&mut clients, back_us);
        clients.handle_all_acks(who, turn + 1, || back_us + 1_000);
        clients.end();
        let mut tally = clients.close(back_us + 1_000);
        let (response, grid) = (tally.response(), tally.by_grid());
        // 300.005 ms and 1 ms; the grid has the moments at 0, 100, 200 and 300 ms.
        assert_eq!((response.count, grid.count), (2 + 2, 4), "two never came back, and are no moments acknowledged");
        assert!((grid.mean_ms - (300.005 + 201.005 + 101.005 + 1.005) / 4.0).abs() < 1e-6, "{grid:?}");
    }

    #[test]
    fn an_unacknowledged_update_is_abandoned_after_20_s_and_counts_as_lost() {
        let mut clients = group();
        let first = speak(&mut clients, PERIOD_US);
        let (who, turn, at_us) = first[0];
        clients.handle_update(who, turn);
        clients.handle_ack(who, turn, || at_us + 9);
        let said = speak(&mut clients, at_us + 22_000_000);
        let again: Vec<_> = said.iter().map(|(client, turn, _)| (*client, *turn)).collect();
        assert_eq!(again.len(), 3, "{said:?}");
        assert!(again.contains(&(who, 2)) && said.iter().all(|(.., at_us)| *at_us >= 20_000_000));
        clients.handle_ack(who, turn, || unreachable!("it is given up"));
        let tally = clients.close(23_000_000);
        assert_eq!((tally.expected(), tally.came()), (3 * 4, 2), "those sent after the window do not count");
    }
}
