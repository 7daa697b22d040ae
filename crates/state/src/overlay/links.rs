//! The overlay's links: between which servers, and how long.

use alloc::vec;
use alloc::vec::Vec;

use super::OverlayError;
use crate::limits;

/// The links between so many servers, each with one length for both directions.
#[derive(Clone, Debug)]
pub struct OverlayLinks {
    count: usize,
    /// Row after row; infinite where there is no link, 0 from a server to itself.
    lengths: Vec<f64>,
}

impl OverlayLinks {
    /// Asks for each pair once, the lower number first; an infinite length is no link.
    /// Errors: [`OverlayError::TooMany`] above [`limits::OVERLAY_SERVERS_MAX`], [`OverlayError::Length`].
    pub fn new(count: usize, length: impl Fn(usize, usize) -> f64) -> Result<OverlayLinks, OverlayError> {
        if count > limits::OVERLAY_SERVERS_MAX {
            return Err(OverlayError::TooMany { got: count, max: limits::OVERLAY_SERVERS_MAX });
        }
        let mut lengths = vec![0.0; count * count];
        for one in 0..count {
            for other in one + 1..count {
                let got = length(one, other);
                if got.is_nan() || got < 0.0 {
                    return Err(OverlayError::Length { one, other, got });
                }
                (lengths[one * count + other], lengths[other * count + one]) = (got, got);
            }
        }
        Ok(OverlayLinks { count, lengths })
    }

    /// How many servers there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Infinite where there is no link. Panics where one of them is not a server.
    pub fn length(&self, one: usize, other: usize) -> f64 {
        assert!(one < self.count && other < self.count, "{one} and {other} of {}", self.count);
        self.lengths[one * self.count + other]
    }

    /// The lengths of the shortest ways from a server to all (Dijkstra's algorithm over the matrix); infinite where there is none.
    pub fn shortest_from(&self, root: usize) -> Result<Vec<f64>, OverlayError> {
        self.check(root)?;
        let (mut ways, mut is_settled) = (vec![f64::INFINITY; self.count], vec![false; self.count]);
        ways[root] = 0.0;
        while let Some(nearest) = least(&ways, &is_settled) {
            is_settled[nearest] = true;
            for other in 0..self.count {
                ways[other] = ways[other].min(ways[nearest] + self.length(nearest, other));
            }
        }
        Ok(ways)
    }

    pub(super) fn check(&self, server: usize) -> Result<(), OverlayError> {
        let is_there = server < self.count;
        is_there.then_some(()).ok_or(OverlayError::NoSuchServer { got: server, count: self.count })
    }
}

/// Which of those that are not settled has the least, if it is finite; of equals the first.
pub(super) fn least(values: &[f64], is_settled: &[bool]) -> Option<usize> {
    let open = (0..values.len()).filter(|at| !is_settled[*at] && values[*at].is_finite());
    open.min_by(|one, other| values[*one].total_cmp(&values[*other]))
}
