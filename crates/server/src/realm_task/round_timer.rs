//! The processor time of the realm task's rounds. A round stops taking inputs after [`limits::ROUND_INPUTS_TIME_MAX`].
//! A long round is counted by the kind of its work that took longest by the wall clock.

use std::time::Duration;

use stoa_net::connection::ConnectionEvent;
use stoa_state::time::Time;
use stoa_wire::packet::Packet;

use crate::limits;

/// The kind of work in a round, as `/metrics` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RoundWorkKind {
    Publish,
    Subscribe,
    /// A new connection, its CONNECT, or the verdict on its token.
    Connect,
    Disconnect,
    /// An acknowledgement or a ping.
    OtherPacket,
    Command,
    Timer,
    Commit,
    /// Records that are ready to be returned.
    Records,
    /// Reports of the motion plane.
    Motion,
    Shutdown,
    /// Handing over the round's packets to the writers.
    Send,
}

impl RoundWorkKind {
    /// The kind of a connection's input.
    pub(super) fn of(input: &ConnectionEvent) -> RoundWorkKind {
        let packet = match input {
            ConnectionEvent::Packet(received, _) => &received.packet,
            ConnectionEvent::Opened { .. } => return RoundWorkKind::Connect,
            ConnectionEvent::Malformed(_) | ConnectionEvent::Closed => return RoundWorkKind::Disconnect,
        };
        match packet {
            Packet::Publish(_) => RoundWorkKind::Publish,
            Packet::Subscribe(_) | Packet::Unsubscribe(_) => RoundWorkKind::Subscribe,
            Packet::Connect(_) => RoundWorkKind::Connect,
            Packet::Disconnect(_) => RoundWorkKind::Disconnect,
            _ => RoundWorkKind::OtherPacket,
        }
    }

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            RoundWorkKind::Publish => "publish",
            RoundWorkKind::Subscribe => "subscribe",
            RoundWorkKind::Connect => "connect",
            RoundWorkKind::Disconnect => "disconnect",
            RoundWorkKind::OtherPacket => "other_packet",
            RoundWorkKind::Command => "command",
            RoundWorkKind::Timer => "timer",
            RoundWorkKind::Commit => "commit",
            RoundWorkKind::Records => "records",
            RoundWorkKind::Motion => "motion",
            RoundWorkKind::Shutdown => "shutdown",
            RoundWorkKind::Send => "send",
        }
    }
}

/// Measures one round, which has no `await`. Each input needs the wall clock anyway, and the thread's clock never runs
/// faster than the wall clock. So the thread's clock, a system call, is read when the round begins, and again only
/// where a bound may be reached.
pub(super) struct RoundTimer {
    began: Time,
    /// Processor time of the thread when the round began.
    began_own: Duration,
    /// The last reading of both clocks.
    read: (Time, Duration),
    /// The end of the last noted work.
    marked: Time,
    /// The earliest time at which the inputs' bound may be reached.
    may_be_over_at: Time,
    /// The longest work by the wall clock.
    longest: (Duration, RoundWorkKind),
}

impl RoundTimer {
    /// Begins a round. `own` is the processor time of the thread.
    pub(super) fn new(now: Time, own: Duration) -> RoundTimer {
        RoundTimer {
            began: now,
            began_own: own,
            read: (now, own),
            marked: now,
            may_be_over_at: now + limits::ROUND_INPUTS_TIME_MAX,
            longest: (Duration::ZERO, RoundWorkKind::Send),
        }
    }

    /// The end of the last noted work.
    pub(super) fn marked(&self) -> Time {
        self.marked
    }

    /// Notes work that ends now.
    pub(super) fn note(&mut self, cause: RoundWorkKind, now: Time) {
        let took = now.since(self.marked);
        self.marked = now;
        if took > self.longest.0 {
            self.longest = (took, cause);
        }
    }

    /// A lower bound of the processor time of the noted work that began at `began`, in this round. `own` is the
    /// processor time of the thread. Work before `began` took at most as much processor time as wall-clock time.
    pub(super) fn own_time_since(&mut self, began: Time, own: Duration) -> Duration {
        let (read_at, read_own) = self.read;
        self.read = (self.marked, own);
        own.saturating_sub(read_own).saturating_sub(began.since(read_at))
    }

    /// Whether the round may take no more inputs. `own_time` reads the thread's clock.
    pub(super) fn is_over(&mut self, own_time: impl FnOnce() -> Duration) -> bool {
        if self.marked < self.may_be_over_at {
            return false;
        }
        let left = limits::ROUND_INPUTS_TIME_MAX.saturating_sub(own_time().saturating_sub(self.began_own));
        self.may_be_over_at = self.marked + left;
        left.is_zero()
    }

    /// Ends the round. If its processor time was long, returns the work that took longest by the wall clock.
    pub(super) fn end(self, own_time: impl FnOnce() -> Duration) -> Option<RoundWorkKind> {
        let may_be_long = self.marked.since(self.began) > limits::LONG_ROUND;
        let is_long = may_be_long && own_time().saturating_sub(self.began_own) > limits::LONG_ROUND;
        is_long.then_some(self.longest.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: Duration = Duration::from_secs(9);

    fn at(millis: u64) -> Time {
        Time::from_millis(100 + millis)
    }

    fn own(millis: u64) -> Duration {
        OWN + Duration::from_millis(millis)
    }

    #[test]
    fn a_round_takes_inputs_until_its_processor_time_is_used_up() {
        let most = u64::try_from(limits::ROUND_INPUTS_TIME_MAX.as_millis()).unwrap();
        let mut round = RoundTimer::new(at(0), OWN);
        round.note(RoundWorkKind::Publish, at(most - 1));
        assert!(!round.is_over(|| panic!("the thread's clock is not read yet")));
        // The thread was suspended for most of the time.
        round.note(RoundWorkKind::Publish, at(50));
        assert!(!round.is_over(|| own(1)));
        round.note(RoundWorkKind::Publish, at(50 + most - 2));
        assert!(!round.is_over(|| panic!("the rest of the time can't have passed")));
        round.note(RoundWorkKind::Publish, at(50 + most - 1));
        assert!(round.is_over(|| own(most)));
    }

    #[test]
    fn work_is_charged_with_no_more_than_its_processor_time() {
        let mut round = RoundTimer::new(at(0), OWN);
        round.note(RoundWorkKind::Publish, at(2));
        round.note(RoundWorkKind::Publish, at(9));
        assert_eq!(round.own_time_since(at(2), own(6)), Duration::from_millis(4), "the first took at most two");
        round.note(RoundWorkKind::Publish, at(12));
        assert_eq!(round.own_time_since(at(9), own(9)), Duration::from_millis(3));
        round.note(RoundWorkKind::Publish, at(20));
        assert_eq!(round.own_time_since(at(12), own(9)), Duration::ZERO, "the thread was suspended");
    }

    #[test]
    fn a_long_round_is_counted_for_the_input_that_took_longest() {
        let round = |ends_at: u64| {
            let mut round = RoundTimer::new(at(0), OWN);
            round.note(RoundWorkKind::Timer, at(1));
            round.note(RoundWorkKind::Subscribe, at(ends_at));
            round
        };
        assert_eq!(round(1).end(|| panic!("the thread's clock is not read")), None);
        assert_eq!(round(9).end(|| own(1)), None, "it waited for the processor");
        assert_eq!(round(9).end(|| own(2)), Some(RoundWorkKind::Subscribe));
        assert_eq!(RoundWorkKind::Subscribe.as_str(), "subscribe");
    }
}
