//! The largest number of users that a server bears: doubled until it does not, then halved in between.

use anyhow::Result;

/// Where to begin, and how fine to end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    pub(crate) from: usize,
    /// Ends when the gap is this share of the number.
    pub(crate) resolution: f64,
    /// More is not tried.
    pub(crate) most: usize,
}

impl Search {
    /// `bears` tries one number. 0 where not even a few are borne.
    pub(crate) fn largest(&self, mut bears: impl FnMut(usize) -> Result<bool>) -> Result<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits;

    fn found(truth: usize, from: usize) -> (usize, usize) {
        let mut tries = 0;
        let search = Search { from, resolution: 0.04, most: limits::USERS_MAX };
        let largest = search.largest(|users| {
            tries += 1;
            Ok(users <= truth)
        });
        (largest.expect("nothing fails here"), tries)
    }

    #[test]
    fn the_edge_is_found_from_both_sides() {
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
}
