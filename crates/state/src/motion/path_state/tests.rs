mod link;

use super::*;

const BUDGET: u32 = 1_024 * 1_024;

fn at(milliseconds: u64) -> Time {
    Time::from_millis(milliseconds)
}

fn head(sequence: u32, time_ms: u32) -> FrameHeader {
    FrameHeader { sequence, time_ms }
}

#[test]
fn a_frame_is_accepted_once_and_a_late_one_only_within_the_window() {
    let mut path = NetworkPathState::new(BUDGET, at(0));
    let mut take = |sequence| path.handle_head(head(sequence, 0), at(1)).is_some();
    assert!(take(5) && !take(5), "the first may have any sequence");
    assert!(take(3) && !take(3), "late is not lost");
    assert!(take(2_000) && take(2_000 - WINDOW + 1) && !take(2_000 - WINDOW), "what is farther behind may have come");
    assert!(!take(5));
    assert!(take(u32::MAX / 2) && !take(6));
}

#[test]
fn a_late_frame_is_not_reported_as_the_newest() {
    let mut path = NetworkPathState::new(BUDGET, at(0));
    let told = [7, 5, 8, 6].map(|sequence| path.handle_head(head(sequence, 0), at(1)));
    assert_eq!(told, [true, false, true, false].map(Some));
}

#[test]
fn sequence_numbers_wrap_around() {
    let mut path = NetworkPathState::new(BUDGET, at(0));
    for sequence in [u32::MAX - 1, u32::MAX, 0, 1] {
        assert_eq!([(); 2].map(|()| path.handle_head(head(sequence, 0), at(1))), [Some(true), None]);
    }
    assert_eq!(path.ack(at(3)).map(|ack| (ack.newest, ack.received, ack.held_ms)), Some((1, 4, 2)));
}

#[test]
fn a_poses_capture_time_is_estimated_from_the_fastest_delay() {
    let mut path = NetworkPathState::new(BUDGET, at(0));
    // The client's clock reads 1,000,000 at our 5,000, and the fastest delay is 40 ms.
    for (sent, way) in [(0, 60), (50, 40), (100, 90)] {
        let now = at(5_000 + sent + way);
        path.handle_head(head(1 + sent as u32 / 50, 1_000_000 + sent as u32), now);
        let taken = path.taken_at(1_000_000 + sent as u32, 7, now);
        let expected = if sent == 0 { 5_060 } else { 5_000 + sent as u32 + 40 };
        assert_eq!(taken, MotionTime(expected - 7), "sent at {sent}");
    }
}

#[test]
fn capture_times_are_clamped_to_the_recent_past() {
    let mut path = NetworkPathState::new(BUDGET, at(0));
    path.handle_head(head(1, 500), at(10_000));
    assert_eq!(path.taken_at(499_999, 0, at(10_000)), MotionTime(10_000));
    assert_eq!(path.taken_at(500, 255, at(60_000)), MotionTime(60_000 - 1_000 - 255));
}

/// A client at a given distance that loses some frames.
struct Receiver {
    path: NetworkPathState,
    now_ms: u64,
    newest: u32,
    received: u32,
}

impl Receiver {
    fn new() -> Receiver {
        Receiver { path: NetworkPathState::new(BUDGET, at(0)), now_ms: 0, newest: 0, received: 0 }
    }

    /// Runs a second of ten frames each 50 ms that use the whole rate, of which it loses `lost_of_ten`;
    /// acknowledgements return after `way_ms`.
    fn second(&mut self, lost_of_ten: u32, way_ms: u64) {
        self.second_late(lost_of_ten, way_ms, 0);
    }

    /// The same with a delay of the server itself.
    fn second_late(&mut self, lost_of_ten: u32, way_ms: u64, late_ms: u32) {
        for _ in 0..20 {
            let sent_at = MotionTime::at(at(self.now_ms));
            for _ in 0..10 {
                let head = self.path.next_head(sent_at);
                self.path.handle_frame_sent(self.rate() as usize / 200, at(self.now_ms));
                self.newest = head.sequence;
                self.received += u32::from(head.sequence % 10 >= lost_of_ten);
            }
            let ack =
                FrameAck { newest: self.newest, received: self.received, time_ms: sent_at.0, held_ms: 0, changes: 0 };
            assert!(self.path.handle_ack(ack, late_ms, at(self.now_ms + way_ms)));
            self.now_ms += 50;
        }
    }

    fn rate(&self) -> u32 {
        self.path.report().bytes_per_s
    }
}

#[test]
fn the_rate_rises_to_the_budget_where_nothing_is_lost() {
    let mut receiver = Receiver::new();
    assert_eq!(receiver.rate(), limits::MOTION_FIRST_BYTES_PER_S);
    receiver.second(0, 20);
    assert_eq!(receiver.rate(), BUDGET);
}

#[test]
fn the_rate_falls_on_loss_to_the_minimum_and_rises_again() {
    let mut receiver = Receiver::new();
    receiver.second(0, 20);
    let mut before = receiver.rate();
    receiver.second(2, 20);
    assert!(receiver.rate() < before);
    (0..20).for_each(|_| receiver.second(2, 20));
    assert_eq!(receiver.rate(), limits::MOTION_BYTES_PER_S_MIN);
    assert_eq!(receiver.path.report().lost_per_mille, 200);
    let mut rises = [0; 4];
    for rise in &mut rises {
        before = receiver.rate();
        receiver.second(0, 20);
        *rise = receiver.rate() - before;
    }
    assert!(rises.is_sorted() && rises[0] <= before / 2 && rises[2] > 3 * rises[0], "{rises:?}");
}

#[test]
fn the_rate_recovers_from_a_short_loss_within_three_seconds() {
    let mut receiver = Receiver::new();
    receiver.second(0, 20);
    let before = receiver.rate();
    (0..3).for_each(|_| receiver.second(2, 20));
    assert!(receiver.rate() < before * 2 / 3);
    let half = receiver.rate();
    (0..3).for_each(|_| receiver.second(0, 20));
    assert!(receiver.rate() >= before.min(half + 128 * 1_024), "{half} to {}", receiver.rate());
}

#[test]
fn the_rate_falls_when_the_round_trip_grows_without_loss() {
    let mut receiver = Receiver::new();
    (0..3).for_each(|_| receiver.second(0, 30));
    assert_eq!(receiver.rate(), BUDGET);
    (0..3).for_each(|_| receiver.second(0, 300));
    assert!(receiver.rate() < BUDGET / 2);
    assert_eq!(receiver.path.report().lost_per_mille, 0, "nothing was lost");
}

#[test]
fn a_constantly_long_round_trip_does_not_lower_the_rate() {
    let mut receiver = Receiver::new();
    (0..3).for_each(|_| receiver.second(0, 400));
    assert_eq!(receiver.rate(), BUDGET);
    assert!(receiver.path.report().round_trip_ms.abs_diff(400) < 5);
}

#[test]
fn an_acknowledgement_of_a_frame_that_was_never_sent_is_rejected() {
    let mut path = NetworkPathState::new(BUDGET, at(0));
    path.next_head(MotionTime(0));
    let ack = |newest| FrameAck { newest, received: newest, time_ms: 0, held_ms: 0, changes: 0 };
    assert!(!path.handle_ack(ack(0), 0, at(1)) && !path.handle_ack(ack(2), 0, at(1)));
    assert!(path.handle_ack(ack(1), 0, at(1)));
    assert_eq!(path.report().bytes_per_s, limits::MOTION_FIRST_BYTES_PER_S);
}

#[test]
fn a_second_sends_at_most_the_rate_and_idle_credit_is_at_most_two_ticks() {
    let mut path = NetworkPathState::new(limits::MOTION_FIRST_BYTES_PER_S, at(0));
    let mut sent = 0;
    for tick in 1..=20 {
        let credit = path.credit(at(tick * 50));
        path.spend(credit);
        sent += credit;
    }
    let rate = limits::MOTION_FIRST_BYTES_PER_S as usize;
    assert!(sent <= rate && sent > rate * 9 / 10, "{sent}");
    assert!(path.credit(at(60_000)) <= rate / 10, "what was not taken is gone");
}

#[test]
fn bytes_sent_without_credit_delay_poses_by_a_second_at_most() {
    let mut path = NetworkPathState::new(limits::MOTION_FIRST_BYTES_PER_S, at(0));
    (0..1_000).for_each(|_| path.spend(1_000_000));
    assert_eq!(path.credit(at(900)), 0);
    assert!(path.credit(at(1_100)) > 0);
}

#[test]
fn the_servers_own_delay_does_not_lower_the_rate() {
    let mut receiver = Receiver::new();
    (0..3).for_each(|_| receiver.second(0, 30));
    (0..3).for_each(|_| receiver.second_late(0, 230, 200));
    assert_eq!(receiver.rate(), BUDGET);
    (0..3).for_each(|_| receiver.second_late(0, 500, 200));
    assert!(receiver.rate() < BUDGET, "negative control");
}

/// A path with three frames sent, the second acknowledged, and then a new address: numbers 4 to 103 are skipped.
fn moved() -> NetworkPathState {
    let mut path = NetworkPathState::new(BUDGET, at(0));
    assert_eq!([0; 3].map(|time| path.next_head(MotionTime(time)).sequence), [1, 2, 3]);
    assert!(path.handle_ack(acked(2), 0, at(0)) && path.is_proved());
    path.handle_moved(99, at(0));
    path
}

fn acked(newest: u32) -> FrameAck {
    FrameAck { newest, received: 1, time_ms: 0, held_ms: 0, changes: 0 }
}

#[test]
fn an_address_is_proved_only_by_acknowledging_frames_sent_there() {
    let mut path = moved();
    assert!(path.handle_ack(acked(3), 0, at(1)) && !path.is_proved());
    assert_eq!(path.next_head(MotionTime(1)).sequence, 104);
    assert!(path.handle_ack(acked(3), 0, at(1)) && !path.is_proved());
    path.handle_moved(9, at(2));
    assert!(path.handle_ack(acked(104), 0, at(2)) && !path.is_proved(), "it went to the address before");
    assert_eq!(path.next_head(MotionTime(2)).sequence, 115);
    assert!(path.handle_ack(acked(115), 0, at(3)) && path.is_proved());
    assert!(!path.is_unproved(at(3)));
}

#[test]
fn after_one_false_acknowledgement_a_new_address_can_no_longer_be_proved() {
    for guess in [4, 60, 103, 106, 5_000, u32::MAX / 2] {
        let mut path = moved();
        path.next_head(MotionTime(1));
        path.next_head(MotionTime(1));
        assert!(!path.is_unproved(at(1)));
        assert!(!path.handle_ack(acked(guess), 0, at(1)), "{guess} was never sent");
        assert!(
            path.handle_ack(acked(104), 0, at(1)) && !path.is_proved() && path.is_unproved(at(1)),
            "{guess}, then 104"
        );
        path.handle_moved(0, at(2));
        let next = path.next_head(MotionTime(2)).sequence;
        assert!(
            path.handle_ack(acked(next), 0, at(3)) && !path.is_proved() && path.is_unproved(at(3)),
            "moving is no excuse"
        );
    }
    let mut path = NetworkPathState::new(BUDGET, at(0));
    assert!(!path.handle_ack(acked(4), 0, at(0)) && !path.is_unproved(at(0)), "who has not moved proves nothing by it");
}

#[test]
fn a_move_skips_a_random_number_of_sequences_and_at_least_one() {
    for (random, left_out) in
        [(0, 1), (99, 100), (limits::MOTION_SKIPPED_MAX, 1), (u32::MAX, limits::MOTION_SKIPPED_MAX)]
    {
        let mut path = NetworkPathState::new(BUDGET, at(0));
        path.handle_moved(random, at(0));
        assert_eq!(path.next_head(MotionTime(0)).sequence, left_out + 1, "{random}");
    }
}

#[test]
fn an_address_not_proved_in_time_times_out_however_often_it_changes() {
    let mut path = moved();
    let over_ms = limits::MOTION_PROOF.as_millis() as u64;
    for now_ms in (0..over_ms).step_by(500) {
        path.handle_head(head(now_ms as u32 + 1, 0), at(now_ms));
        path.handle_moved(7, at(now_ms));
        assert!(!path.is_unproved(at(now_ms)));
    }
    assert!(path.is_unproved(at(over_ms)));
    let mut path = moved();
    let sequence = path.next_head(MotionTime(1)).sequence;
    path.handle_head(head(1, 0), at(over_ms));
    assert!(path.handle_ack(acked(sequence), 0, at(1)) && !path.is_unproved(at(over_ms)), "proved");
}

#[test]
fn sequences_skipped_or_withheld_before_an_address_proof_are_not_losses() {
    let mut receiver = Receiver::new();
    (0..3).for_each(|_| receiver.second(0, 20));
    for random in [0, 1_000, u32::MAX].into_iter().cycle().take(150) {
        let first = receiver.path.sent.wrapping_add(random % limits::MOTION_SKIPPED_MAX + 2);
        receiver.path.handle_moved(random, at(receiver.now_ms));
        // Of a hundred frames the first arrives, and is acknowledged after the last was sent.
        let ours = MotionTime::at(at(receiver.now_ms));
        let last = (0..100).map(|_| receiver.path.next_head(ours).sequence).last();
        assert_eq!(last, Some(first.wrapping_add(99)));
        receiver.received += 1;
        let ack = FrameAck { newest: first, received: receiver.received, time_ms: ours.0, held_ms: 0, changes: 0 };
        assert!(receiver.path.handle_ack(ack, 0, at(receiver.now_ms + 20)) && receiver.path.is_proved());
        receiver.second(0, 20);
        assert_eq!((receiver.path.report().lost_per_mille, receiver.rate()), (0, BUDGET), "{random}");
    }
    (0..3).for_each(|_| receiver.second(2, 20));
    assert_eq!(receiver.path.report().lost_per_mille, 200, "what is lost afterwards is seen");
}
