//! Searches for the largest load that a server carries: doubles it, or climbs given numbers, until the server fails,
//! then bisects.

use std::fmt;
use std::io::{self, ErrorKind};

use anyhow::{Result, bail, ensure};

use crate::child;

/// The server does not carry this load: it does not admit everyone in time, or closes connections.
#[derive(Debug)]
pub(crate) struct LoadNotCarried(pub(crate) String);

impl fmt::Display for LoadNotCarried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LoadNotCarried {}

/// Separates a load that is not carried from an error. The inner `Err` has the reason, which is also printed:
/// [`LoadNotCarried`], or a connection that the server refused, closed, or left without an answer.
///
/// # Errors
/// All other errors, since they say nothing about the load, and a server process that ended.
pub(crate) fn if_carried<T>(found: Result<T>) -> Result<Result<T, String>> {
    if let Some(ended) = child::gone() {
        let found = found.map(drop).map_or_else(|error| format!("{error:#}"), |()| "a result".to_owned());
        bail!("{ended}; {found}");
    }
    match found {
        Err(error) if is_not_carried(&error) => {
            let why = format!("{error:#}");
            eprintln!("  not carried: {why}");
            Ok(Err(why))
        }
        found => found.map(Ok),
    }
}

fn is_not_carried(error: &anyhow::Error) -> bool {
    let of_a_connection = |error: &io::Error| {
        matches!(
            error.kind(),
            ErrorKind::ConnectionRefused
                | ErrorKind::ConnectionReset
                | ErrorKind::ConnectionAborted
                | ErrorKind::BrokenPipe
                | ErrorKind::UnexpectedEof
                | ErrorKind::TimedOut
                | ErrorKind::WouldBlock
        )
    };
    error.is::<LoadNotCarried>() || error.downcast_ref().is_some_and(of_a_connection)
}

/// The start and the precision of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CapacitySearch {
    pub(crate) from: usize,
    /// The search ends when the gap is this share of the number.
    pub(crate) resolution: f64,
    /// The largest number to try.
    pub(crate) most: usize,
}

impl CapacitySearch {
    /// Finds the largest number for which `bears` is true; 0 if the server does not carry even the smallest.
    ///
    /// # Errors
    /// A try fails, or `most` is below 2.
    pub(crate) fn largest(&self, mut bears: impl FnMut(usize) -> Result<bool>) -> Result<usize> {
        ensure!(self.most >= 2, "a search of up to {}: it tries 2 at least", self.most);
        let (mut low, mut high) = (0, None);
        let mut next = self.from.clamp(2, self.most);
        loop {
            if bears(next)? {
                low = next;
            } else {
                high = Some(next);
            }
            let gap_min = ((low as f64 * self.resolution) as usize).max(1);
            next = match high {
                None if low >= self.most => return Ok(low),
                None => (low * 2).min(self.most),
                Some(high) if high - low <= gap_min || high <= 2 => return Ok(low),
                Some(high) if low == 0 => high / 2,
                Some(high) => low.midpoint(high),
            };
        }
    }
}

/// A search over given numbers: ascends until one is not carried, bisects the gap, and repeats the result.
#[derive(Clone, Debug)]
pub(crate) struct LadderSearch {
    /// The numbers to try, ascending.
    pub(crate) rungs: Vec<usize>,
    /// The search ends when the gap is this share of the number. Infinity tries no number between rungs.
    pub(crate) resolution: f64,
    /// Runs of the resulting number, of which more than half must carry it.
    pub(crate) runs: usize,
}

impl LadderSearch {
    /// Whether the result is the highest rung, so that no larger number was tried.
    pub(crate) fn ends_at(&self, largest: usize) -> bool {
        self.rungs.last() == Some(&largest)
    }

    /// Finds the largest number for which `bears` is true; 0 if there is none. The second argument of `bears` counts
    /// the runs of a number.
    pub(crate) fn largest(&self, mut bears: impl FnMut(usize, usize) -> Result<bool>) -> Result<usize> {
        let (mut borne, mut high) = (vec![0], None);
        for &rung in &self.rungs {
            if !bears(rung, 0)? {
                high = Some(rung);
                break;
            }
            borne.push(rung);
        }
        while let Some(broken) = high {
            let low = borne[borne.len() - 1];
            if low == 0 || broken - low <= ((low as f64 * self.resolution) as usize).max(1) {
                break;
            }
            let middle = low.midpoint(broken);
            if bears(middle, 0)? { borne.push(middle) } else { high = Some(middle) }
        }
        while let Some(people) = borne.pop().filter(|people| *people > 0) {
            let mut held = 1;
            for run in 1..self.runs {
                held += usize::from(bears(people, run)?);
            }
            if held * 2 > self.runs {
                return Ok(people);
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits;

    #[test]
    fn only_errors_of_an_overloaded_server_mean_that_a_load_is_not_carried() {
        let of_kind = |kind: ErrorKind| anyhow::Error::from(io::Error::from(kind)).context("7 people");
        assert_eq!(if_carried(Ok(1)).expect("it was found"), Ok(1));
        let not_in = anyhow::Error::from(LoadNotCarried("3 are not in".to_owned())).context("7 people");
        assert_eq!(if_carried::<u8>(Err(not_in)).expect("it is not carried"), Err("7 people: 3 are not in".to_owned()));
        if_carried::<u8>(Err(of_kind(ErrorKind::ConnectionReset))).expect("it is not carried").expect_err("why");
        if_carried::<u8>(Err(of_kind(ErrorKind::NotFound))).expect_err("it does not even start");
        if_carried::<u8>(Err(anyhow::anyhow!("no tickets"))).expect_err("something else is wrong");
    }

    fn found(truth: usize, from: usize) -> (usize, usize) {
        let mut tries = 0;
        let search = CapacitySearch { from, resolution: 0.04, most: limits::USERS_MAX };
        let largest = search.largest(|users| {
            tries += 1;
            Ok(users <= truth)
        });
        (largest.expect("nothing fails here"), tries)
    }

    #[test]
    fn the_search_finds_the_limit_from_below_and_from_above() {
        for truth in [3, 120, 123, 481, 770] {
            for from in [30, 120, 500] {
                let (largest, tries) = found(truth, from);
                assert!(largest <= truth && truth - largest <= (truth / 20).max(1), "{largest} of {truth} from {from}");
                assert!(tries < 16, "{tries} tries");
            }
        }
        assert_eq!(found(0, 120).0, 0);
        assert_eq!(found(usize::MAX, 120).0, limits::USERS_MAX);
    }

    #[test]
    fn a_search_with_nothing_to_try_is_an_error() {
        let search = |most| CapacitySearch { from: 40, resolution: 0.04, most }.largest(|_| Ok(true));
        assert!(search(0).is_err() && search(1).is_err());
        assert_eq!(search(2).expect("two can be tried"), 2, "negative control");
    }

    #[test]
    fn a_ladder_search_refines_between_rungs_and_ignores_one_lucky_run() {
        let ladder = LadderSearch { rungs: vec![50, 100, 200, 400], resolution: 0.1, runs: 3 };
        let largest = |truth: usize| ladder.largest(|people, _| Ok(people <= truth)).expect("nothing fails here");
        for truth in [60, 130, 333] {
            assert!(largest(truth) <= truth && truth - largest(truth) <= truth / 9, "{} of {truth}", largest(truth));
        }
        assert_eq!([largest(10), largest(9_999)], [0, 400], "no more is tried than there are rungs");
        assert!(ladder.ends_at(largest(9_999)) && !ladder.ends_at(largest(333)));
        let rungs_alone = LadderSearch { resolution: f64::INFINITY, ..ladder.clone() };
        assert_eq!(rungs_alone.largest(|people, _| Ok(people <= 333)).expect("nothing fails here"), 200);
        let lucky = ladder.largest(|people, run| Ok(people <= if run == 0 { 333 } else { 210 }));
        assert_eq!(lucky.expect("nothing fails here"), 200);
    }
}
