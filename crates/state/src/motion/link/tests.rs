use super::*;

const BUDGET: u32 = 1_024 * 1_024;

fn at(milliseconds: u64) -> Time {
    Time::from_millis(milliseconds)
}

fn head(sequence: u32, time_ms: u32) -> Head {
    Head { sequence, time_ms }
}

#[test]
fn a_frame_is_taken_once_and_late_ones_within_the_window() {
    let mut link = Link::new(BUDGET, at(0));
    let mut take = |sequence| link.handle_head(head(sequence, 0), at(1)).is_some();
    assert!(take(5) && !take(5), "the first may have any sequence");
    assert!(take(3) && !take(3), "late is not lost");
    assert!(take(2_000) && take(2_000 - WINDOW + 1) && !take(2_000 - WINDOW), "what is farther behind may have come");
    assert!(!take(5));
    assert!(take(u32::MAX / 2) && !take(6));
}

#[test]
fn a_frame_that_comes_late_is_not_the_newest() {
    let mut link = Link::new(BUDGET, at(0));
    let told = [7, 5, 8, 6].map(|sequence| link.handle_head(head(sequence, 0), at(1)));
    assert_eq!(told, [true, false, true, false].map(Some));
}

#[test]
fn sequences_go_on_past_their_end() {
    let mut link = Link::new(BUDGET, at(0));
    for sequence in [u32::MAX - 1, u32::MAX, 0, 1] {
        assert_eq!([(); 2].map(|()| link.handle_head(head(sequence, 0), at(1))), [Some(true), None]);
    }
    assert_eq!(link.ack(at(3)).map(|ack| (ack.newest, ack.received, ack.held_ms)), Some((1, 4, 2)));
}

#[test]
fn a_pose_is_as_old_as_the_quickest_way_makes_it() {
    let mut link = Link::new(BUDGET, at(0));
    // The client's clock shows 1,000,000 at our 5,000, and the way takes 40 ms at best.
    for (sent, way) in [(0, 60), (50, 40), (100, 90)] {
        let now = at(5_000 + sent + way);
        link.handle_head(head(1 + sent as u32 / 50, 1_000_000 + sent as u32), now);
        let taken = link.taken_at(1_000_000 + sent as u32, 7, now);
        let expected = if sent == 0 { 5_060 } else { 5_000 + sent as u32 + 40 };
        assert_eq!(taken, MotionTime(expected - 7), "sent at {sent}");
    }
}

#[test]
fn nobody_dates_a_pose_into_the_future_or_far_into_the_past() {
    let mut link = Link::new(BUDGET, at(0));
    link.handle_head(head(1, 500), at(10_000));
    assert_eq!(link.taken_at(499_999, 0, at(10_000)), MotionTime(10_000));
    assert_eq!(link.taken_at(500, 255, at(60_000)), MotionTime(60_000 - 1_000 - 255));
}

/// A client that gets some of what is sent, over a way of that length.
struct Receiver {
    link: Link,
    now_ms: u64,
    newest: u32,
    received: u32,
}

impl Receiver {
    fn new() -> Receiver {
        Receiver { link: Link::new(BUDGET, at(0)), now_ms: 0, newest: 0, received: 0 }
    }

    /// A second of ten frames each 50 ms, of which it loses so many of each ten; what is told comes back after `way_ms`.
    fn second(&mut self, lost_of_ten: u32, way_ms: u64) {
        self.second_late(lost_of_ten, way_ms, 0);
    }

    /// The same where we were late by so much ourselves.
    fn second_late(&mut self, lost_of_ten: u32, way_ms: u64, late_ms: u32) {
        for _ in 0..20 {
            let sent_at = MotionTime::at(at(self.now_ms));
            for _ in 0..10 {
                let head = self.link.next_head(sent_at);
                self.newest = head.sequence;
                self.received += u32::from(head.sequence % 10 >= lost_of_ten);
            }
            let ack = Ack { newest: self.newest, received: self.received, time_ms: sent_at.0, held_ms: 0, changes: 0 };
            assert!(self.link.handle_ack(ack, late_ms, at(self.now_ms + way_ms)));
            self.now_ms += 50;
        }
    }

    fn rate(&self) -> u32 {
        self.link.condition().bytes_per_s
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
fn the_rate_falls_on_loss_to_what_everybody_gets_and_rises_again() {
    let mut receiver = Receiver::new();
    receiver.second(0, 20);
    let mut before = receiver.rate();
    receiver.second(2, 20);
    assert!(receiver.rate() < before);
    (0..20).for_each(|_| receiver.second(2, 20));
    assert_eq!(receiver.rate(), limits::MOTION_BYTES_PER_S_MIN);
    assert_eq!(receiver.link.condition().lost_per_mille, 200);
    let mut rises = [0; 3];
    for rise in &mut rises {
        before = receiver.rate();
        receiver.second(0, 20);
        *rise = receiver.rate() - before;
    }
    assert!(rises[0] <= 10 * limits::MOTION_RISE_BYTES_PER_S, "four reports: 1 + 2 + 3 + 4, {rises:?}");
    assert!(rises.is_sorted() && rises[0] > 0 && rises[2] > 3 * rises[0], "{rises:?}");
}

#[test]
fn a_hitch_is_made_good_within_three_seconds() {
    let mut receiver = Receiver::new();
    receiver.second(0, 20);
    let before = receiver.rate();
    receiver.second(2, 20);
    assert!(receiver.rate() < before * 2 / 3);
    let half = receiver.rate();
    (0..3).for_each(|_| receiver.second(0, 20));
    assert!(receiver.rate() >= before.min(half + 128 * 1_024), "{half} to {}", receiver.rate());
}

#[test]
fn the_rate_falls_where_frames_wait_on_the_way() {
    let mut receiver = Receiver::new();
    (0..3).for_each(|_| receiver.second(0, 30));
    assert_eq!(receiver.rate(), BUDGET);
    (0..3).for_each(|_| receiver.second(0, 300));
    assert!(receiver.rate() < BUDGET / 2);
    assert_eq!(receiver.link.condition().lost_per_mille, 0, "nothing was lost");
}

#[test]
fn a_way_that_is_long_from_the_beginning_is_not_full() {
    let mut receiver = Receiver::new();
    (0..3).for_each(|_| receiver.second(0, 400));
    assert_eq!(receiver.rate(), BUDGET);
    assert!(receiver.link.condition().round_trip_ms.abs_diff(400) < 5);
}

#[test]
fn nobody_acknowledges_what_was_never_sent() {
    let mut link = Link::new(BUDGET, at(0));
    link.next_head(MotionTime(0));
    let ack = |newest| Ack { newest, received: newest, time_ms: 0, held_ms: 0, changes: 0 };
    assert!(!link.handle_ack(ack(0), 0, at(1)) && !link.handle_ack(ack(2), 0, at(1)));
    assert!(link.handle_ack(ack(1), 0, at(1)));
    assert_eq!(link.condition().bytes_per_s, limits::MOTION_FIRST_BYTES_PER_S);
}

#[test]
fn a_second_never_holds_more_than_the_rate_and_two_ticks_of_it() {
    let mut link = Link::new(limits::MOTION_FIRST_BYTES_PER_S, at(0));
    let mut sent = 0;
    for tick in 1..=20 {
        let credit = link.credit(at(tick * 50));
        link.spend(credit);
        sent += credit;
    }
    let rate = limits::MOTION_FIRST_BYTES_PER_S as usize;
    assert!(sent <= rate && sent > rate * 9 / 10, "{sent}");
    assert!(link.credit(at(60_000)) <= rate / 10, "what was not taken is gone");
}

#[test]
fn our_own_lateness_says_nothing_of_the_way() {
    let mut receiver = Receiver::new();
    (0..3).for_each(|_| receiver.second(0, 30));
    (0..3).for_each(|_| receiver.second_late(0, 300, 200));
    assert_eq!(receiver.rate(), BUDGET);
    (0..3).for_each(|_| receiver.second_late(0, 500, 200));
    assert!(receiver.rate() < BUDGET, "negative control");
}
