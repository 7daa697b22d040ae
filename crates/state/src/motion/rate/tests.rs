use super::*;

/// Frames sent each 8 ms, of which each is delayed by `delay_q` of its number.
fn transits(count: u32, delay_q: impl Fn(u32) -> u32) -> impl Iterator<Item = FrameTransit> {
    (0..count).map(move |number| {
        let sent_q = number.wrapping_mul(8 * QUARTERS).wrapping_sub(1_000);
        FrameTransit { sent_q, arrived_q: sent_q.wrapping_add(delay_q(number)), bytes: 400, delivered: 400 }
    })
}

#[test]
fn a_growing_queue_has_a_rising_trend_before_it_is_long() {
    let trend = |delay_q: fn(u32) -> u32| {
        let mut trend = DelayTrend::default();
        transits(60, delay_q).for_each(|transit| trend.add(transit));
        trend.is_rising()
    };
    assert!(trend(|number| 100 + number * 5), "1.25 ms in 8 ms");
    assert!(!trend(|number| 100 + number / 2), "an eighth of a millisecond in 8 ms");
    assert!(!trend(|number| 100 + number * 7 % 20), "jitter of 5 ms");
    assert!(!trend(|number| 1_000 - number * 5), "an emptying queue");
}

#[test]
fn a_short_queue_with_a_rising_trend_lowers_the_rate() {
    let rate = |delay_q: fn(u32) -> u32| {
        let mut rate = RateController::new(RateBounds { first: 100_000, least: 10_000, most: 1_000_000 });
        rate.decide(PathDelays::default(), MotionTime(0));
        for transit in transits(60, delay_q) {
            rate.handle_sent(800);
            rate.handle_transit(transit);
        }
        rate.decide(PathDelays::default(), MotionTime(300));
        rate.bytes_per_s()
    };
    let rising = rate(|number| 100 + number.saturating_sub(34) * 5);
    assert!(rising < 90_000, "to 31 ms: {rising}");
    let short = rate(|number| 100 + number.saturating_sub(20).min(10) * 5);
    assert_eq!(short, 96_000, "12 ms, and steady");
    assert_eq!(rate(|_| 100), 200_000, "no queue");
}

#[test]
fn a_mostly_unused_rate_falls_little() {
    for (frame_bytes, least) in [(200, 85_000), (50, 100_000), (1_000, 0)] {
        let mut rate = RateController::new(RateBounds { first: 100_000, least: 10_000, most: 1_000_000 });
        rate.decide(PathDelays::default(), MotionTime(0));
        for (number, transit) in (0..).zip(transits(60, |number| if number < 30 { 100 } else { 300 })) {
            rate.handle_sent(frame_bytes);
            rate.handle_transit(transit);
            if number > 30 {
                rate.decide(PathDelays::default(), MotionTime(number * 8));
            }
        }
        let is_little = rate.bytes_per_s() >= least;
        assert_eq!(is_little, least > 0 || rate.bytes_per_s() < 60_000, "{frame_bytes}: {}", rate.bytes_per_s());
    }
}

#[test]
fn a_frames_own_transmission_is_not_a_queue() {
    let mut queue = QueueDelayEstimator::over(50);
    let frame = |sent_ms: u32, delay_ms: u32, bytes| {
        let sent_q = sent_ms * QUARTERS;
        FrameTransit { sent_q, arrived_q: sent_q + delay_ms * QUARTERS, bytes, delivered: bytes }
    };
    // 100 bytes take 2 ms at 50 kB/s, and 1,150 bytes 23 ms.
    queue.add(frame(0, 22, 100), 50_000);
    (1..20).for_each(|number| assert!(queue.add(frame(number * 25, 43, 1_150), 50_000) <= QUARTERS));
    assert!(queue.get() <= QUARTERS, "{}", queue.get());
    (20..30).for_each(|number| assert!(queue.add(frame(number * 25, 63, 1_150), 50_000) > 15 * QUARTERS));
    assert!(queue.get() > 15 * QUARTERS, "negative control");
}

#[test]
fn the_capacity_is_measured_only_while_frames_wait() {
    let mut meter = BusyRateMeter::default();
    let arrival =
        |arrived_ms: u32| FrameTransit { sent_q: 0, arrived_q: arrived_ms * QUARTERS, bytes: 1_000, delivered: 1_000 };
    (0..50).for_each(|number| meter.add(arrival(number * 50), false));
    assert_eq!(meter.bytes_per_s(), None, "20 kB/s are sent");
    (0..50).for_each(|number| meter.add(arrival(2_500 + number * 10), true));
    assert_eq!(meter.bytes_per_s(), Some(100_000));
    (0..50).for_each(|number| meter.add(arrival(3_000 + number * 40), true));
    assert_eq!(meter.bytes_per_s(), Some(25_000), "of the last 200 ms");
    meter.add(arrival(6_000), false);
    assert_eq!(meter.bytes_per_s(), None);
}

#[test]
fn an_arrival_counts_once_and_only_of_a_sent_frame() {
    let (mut history, now) = (SentFrameHistory::new(), crate::time::Time::from_millis(10));
    history.note(7, 500, now);
    assert_eq!(history.take(8, 1), None);
    assert_eq!(history.take(7 + limits::RATE_HISTORY_FRAMES as u32, 1), None);
    assert_eq!(history.take(7, 60), Some(FrameTransit { sent_q: 40, arrived_q: 60, bytes: 500, delivered: 500 }));
    assert_eq!(history.take(7, 61), None);
}
