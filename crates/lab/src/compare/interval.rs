//! Computes the ratio of two costs, from pairs of runs, and its 95 % interval.
//!
//! A disturbance multiplies a run's cost rather than adding to it, so the ratio is computed on logarithms: Student's
//! interval of the mean difference ln(after) − ln(before) of a pair, taken back by the exponential function. The
//! result is a ratio of geometric means and its interval (Bland and Altman, "The use of transformation when comparing
//! two means", BMJ 1996;312:1153). A disturbance that slows down both runs of a pair cancels.

use crate::statistics;

/// The method in a line, for reports.
pub(super) const METHOD: &str = "exp of Student's 95 % interval of the mean of ln(after / before); BMJ 1996;312:1153";

/// A ratio and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CostRatio {
    /// The geometric mean of the pairs' ratios.
    pub(super) middle: f64,
    pub(super) lower: f64,
    /// Infinite for a single pair.
    pub(super) upper: f64,
}

impl CostRatio {
    /// Computes the ratio from positive costs, pair by pair.
    pub(super) fn of(before: &[f64], after: &[f64]) -> CostRatio {
        let logarithms: Vec<f64> = before.iter().zip(after).map(|(before, after)| (after / before).ln()).collect();
        let (mean, half) = statistics::interval(&logarithms);
        CostRatio { middle: mean.exp(), lower: (mean - half).exp(), upper: (mean + half).exp() }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::E;

    use super::*;

    fn is_near(found: f64, expected: f64) -> bool {
        (found / expected - 1.0).abs() < 1e-3
    }

    #[test]
    fn the_interval_matches_textbook_values() {
        // Logarithms -1, 0, 1: mean 0, deviation 1, Student's 4.303 for 2 degrees of freedom; exp(4.303 / √3) = 11.99.
        let ratio = CostRatio::of(&[E, 1.0, 1.0], &[1.0, 1.0, E]);
        assert!((ratio.middle - 1.0).abs() < 1e-12, "{ratio:?}");
        assert!(is_near(ratio.upper, 11.99) && is_near(ratio.lower, 1.0 / 11.99), "{ratio:?}");
        // Logarithms of 1.10, 1.12, 1.08, 1.11 and 1.09: mean 0.09523, deviation 0.014376; Student's 2.776 (4 degrees).
        let ratio = CostRatio::of(&[100.0; 5], &[110.0, 112.0, 108.0, 111.0, 109.0]);
        let half = 2.776 * 0.014_376 / 5_f64.sqrt();
        assert!(is_near(ratio.middle, 1.0999) && is_near(ratio.upper / ratio.middle, half.exp()), "{ratio:?}");
    }

    #[test]
    fn drift_from_pair_to_pair_cancels() {
        let ratio = CostRatio::of(&[100.0, 300.0, 50.0], &[103.0, 309.0, 51.5]);
        assert!(
            [ratio.lower, ratio.middle, ratio.upper].into_iter().all(|bound| (bound - 1.03).abs() < 1e-9),
            "{ratio:?}"
        );
    }

    #[test]
    fn exchanged_binaries_have_the_inverse_ratio() {
        let (one, other) = ([100.0, 104.0, 99.0, 101.0], [102.0, 103.0, 103.0, 100.0]);
        let [forth, back] = [CostRatio::of(&one, &other), CostRatio::of(&other, &one)];
        assert!(
            is_near(forth.middle * back.middle, 1.0) && is_near(forth.upper * back.lower, 1.0),
            "{forth:?} {back:?}"
        );
    }

    #[test]
    fn a_single_pair_has_an_unbounded_interval() {
        let ratio = CostRatio::of(&[100.0], &[103.0]);
        assert!((ratio.middle - 1.03).abs() < 1e-12 && ratio.upper == f64::INFINITY && ratio.lower == 0.0, "{ratio:?}");
    }
}
