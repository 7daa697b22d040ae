//! The overlay's links and their lengths.

use alloc::vec;
use alloc::vec::Vec;

use super::OverlayPlanError;
use crate::limits;

/// Links between servers, each with one length for both directions.
#[derive(Clone, Debug)]
pub struct OverlayLinkMatrix {
    count: usize,
    /// Row by row; infinite without a link, 0 from a server to itself.
    lengths: Vec<f64>,
}

impl OverlayLinkMatrix {
    /// Calls `length` once for each pair, the lower number first; infinity means no link. Errors:
    /// [`OverlayPlanError::TooMany`] above [`limits::OVERLAY_SERVERS_MAX`], [`OverlayPlanError::Length`].
    pub fn new(count: usize, length: impl Fn(usize, usize) -> f64) -> Result<OverlayLinkMatrix, OverlayPlanError> {
        if count > limits::OVERLAY_SERVERS_MAX {
            return Err(OverlayPlanError::TooMany { got: count, max: limits::OVERLAY_SERVERS_MAX });
        }
        let mut lengths = vec![0.0; count * count];
        for one in 0..count {
            for other in one + 1..count {
                let got = length(one, other);
                if got.is_nan() || got < 0.0 {
                    return Err(OverlayPlanError::Length { one, other, got });
                }
                (lengths[one * count + other], lengths[other * count + one]) = (got, got);
            }
        }
        Ok(OverlayLinkMatrix { count, lengths })
    }

    /// Number of servers.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Length of a link; infinite without one. Panics for invalid numbers.
    pub fn length(&self, one: usize, other: usize) -> f64 {
        assert!(one < self.count && other < self.count, "{one} and {other} of {}", self.count);
        self.lengths[one * self.count + other]
    }

    /// Lengths of the shortest paths from a server to all (Dijkstra's algorithm over the matrix); infinite for
    /// unreachable servers.
    pub fn shortest_from(&self, root: usize) -> Result<Vec<f64>, OverlayPlanError> {
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

    pub(super) fn check(&self, server: usize) -> Result<(), OverlayPlanError> {
        let is_there = server < self.count;
        is_there.then_some(()).ok_or(OverlayPlanError::NoSuchServer { got: server, count: self.count })
    }
}

/// The unsettled index of the smallest finite value; ties go to the first.
pub(super) fn least(values: &[f64], is_settled: &[bool]) -> Option<usize> {
    let open = (0..values.len()).filter(|at| !is_settled[*at] && values[*at].is_finite());
    open.min_by(|one, other| values[*one].total_cmp(&values[*other]))
}
