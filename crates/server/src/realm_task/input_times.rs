//! Adds up the time of each connection's inputs, so that the realm's ledger is charged once for many short ones.

use std::collections::BTreeMap;
use std::time::Duration;

use stoa_state::connection_id::ConnectionId;
use stoa_state::ledger::Payer;

use crate::limits;

/// The uncharged times of connections.
#[derive(Debug, Default)]
pub(super) struct UnchargedInputTimes(BTreeMap<ConnectionId, (Payer, Duration)>);

impl UnchargedInputTimes {
    /// Adds the time of an input. `payer` is the connection's present payer; the last payer also pays for the
    /// connection's end. Returns the payer and the time to charge now, if it is enough.
    pub(super) fn add(
        &mut self,
        connection: ConnectionId,
        payer: Option<Payer>,
        spent: Duration,
    ) -> Option<(Payer, Duration)> {
        let entry = match payer {
            Some(payer) => self.0.entry(connection).or_insert((payer, Duration::ZERO)),
            None => self.0.get_mut(&connection)?,
        };
        entry.0 = payer.unwrap_or(entry.0);
        entry.1 += spent;
        (entry.1 >= limits::INPUT_TIME_CHARGED).then(|| (entry.0, std::mem::take(&mut entry.1)))
    }

    /// Forgets an ended connection. Returns its payer and uncharged time.
    pub(super) fn end(&mut self, connection: ConnectionId) -> Option<(Payer, Duration)> {
        self.0.remove(&connection).filter(|(_, uncharged)| !uncharged.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use stoa_state::ledger::{Ledger, PayerClass};
    use stoa_state::time::Time;

    use super::*;

    #[test]
    fn short_input_times_are_charged_together_and_at_the_connections_end() {
        let mut ledger = Ledger::new(&[], Time::ZERO);
        let [ada, bob] = ["ada", "bob"].map(|name| ledger.payer(PayerClass::Guests, name, None, Time::ZERO));
        let (one, other) = (ConnectionId(1), ConnectionId(2));
        let (most, short) = (limits::INPUT_TIME_CHARGED, limits::INPUT_TIME_CHARGED / 4);
        let mut times = UnchargedInputTimes::default();
        assert_eq!(times.add(other, None, most), None, "it has no client yet");
        for _ in 0..3 {
            assert_eq!(times.add(one, Some(ada), short), None);
        }
        assert_eq!(times.add(other, Some(bob), short), None, "each connection has a sum of its own");
        assert_eq!(times.add(one, Some(ada), short), Some((ada, most)));
        assert_eq!(times.add(one, None, short), None);
        assert_eq!(times.end(one), Some((ada, short)));
        assert_eq!(times.end(one), None);
        assert_eq!(times.add(other, None, most), Some((bob, short + most)));
        assert_eq!(times.end(other), None, "nothing is left");
    }
}
