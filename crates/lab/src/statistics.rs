//! Computes medians, percentiles and intervals.

/// The median; 0 without values.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => sorted[odd / 2],
        even => sorted[even / 2 - 1].midpoint(sorted[even / 2]),
    }
}

/// The smallest value that at least `share` of the values do not exceed (nearest rank); 0 without values.
pub(crate) fn percentile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(nearest_rank(sorted.len(), share)).copied().unwrap_or(0.0)
}

/// The index of a percentile among `count` sorted values, by its nearest rank.
pub(crate) fn nearest_rank(count: usize, share: f64) -> usize {
    // A share such as 0.07 is no binary fraction: 0.07 × 100 is a little more than 7.
    let rank = (count as f64 * share - 1e-9).ceil() as usize;
    rank.clamp(1, count.max(1)) - 1
}

/// Rounds to two decimals.
pub(crate) fn rounded(value: f64) -> f64 {
    rounded_to(2, value)
}

/// Rounds to a number of decimals.
pub(crate) fn rounded_to(decimals: i32, value: f64) -> f64 {
    let scale = 10_f64.powi(decimals);
    (value * scale).round() / scale
}

/// The mean; NaN without values.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The standard deviation of a sample (n − 1); 0 for fewer than two values.
pub(crate) fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / values.len().saturating_sub(1).max(1) as f64).sqrt()
}

/// The confidence level of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConfidenceLevel {
    Percent95,
    Percent99,
}

/// Two-sided points of Student's distribution at 95 % and 99 %, by degrees of freedom.
const STUDENT: [(usize, f64, f64); 33] = [
    (1, 12.706, 63.657),
    (2, 4.303, 9.925),
    (3, 3.182, 5.841),
    (4, 2.776, 4.604),
    (5, 2.571, 4.032),
    (6, 2.447, 3.707),
    (7, 2.365, 3.499),
    (8, 2.306, 3.355),
    (9, 2.262, 3.250),
    (10, 2.228, 3.169),
    (11, 2.201, 3.106),
    (12, 2.179, 3.055),
    (13, 2.160, 3.012),
    (14, 2.145, 2.977),
    (15, 2.131, 2.947),
    (16, 2.120, 2.921),
    (17, 2.110, 2.898),
    (18, 2.101, 2.878),
    (19, 2.093, 2.861),
    (20, 2.086, 2.845),
    (21, 2.080, 2.831),
    (22, 2.074, 2.819),
    (23, 2.069, 2.807),
    (24, 2.064, 2.797),
    (25, 2.060, 2.787),
    (26, 2.056, 2.779),
    (27, 2.052, 2.771),
    (28, 2.048, 2.763),
    (29, 2.045, 2.756),
    (30, 2.042, 2.750),
    (40, 2.021, 2.704),
    (60, 2.000, 2.660),
    (120, 1.980, 2.617),
];

/// Student's point for the degrees of freedom, or for the next fewer in the table, so that no interval is too
/// narrow. Past 120 it is at most 2 % too wide. Infinite for none.
fn student(freedom: usize, level: ConfidenceLevel) -> f64 {
    let found = STUDENT.iter().rev().find(|(least, ..)| *least <= freedom);
    found.map_or(f64::INFINITY, |&(_, at_95, at_99)| if level == ConfidenceLevel::Percent95 { at_95 } else { at_99 })
}

/// The mean and half the width of its 95 % interval.
pub(crate) fn interval(values: &[f64]) -> (f64, f64) {
    interval_at(ConfidenceLevel::Percent95, values)
}

/// The mean and half the width of its 99 % interval, for few values such as a paper's trials.
pub(crate) fn interval_99(values: &[f64]) -> (f64, f64) {
    interval_at(ConfidenceLevel::Percent99, values)
}

fn interval_at(level: ConfidenceLevel, values: &[f64]) -> (f64, f64) {
    let count = values.len();
    if count < 2 {
        return (values.first().copied().unwrap_or(0.0), f64::INFINITY);
    }
    (mean(values), student(count - 1, level) * deviation(values) / (count as f64).sqrt())
}

/// The slope of the least-squares line, and half the width of its 95 % interval.
pub(crate) fn slope(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>() / spread;
    if points.len() < 3 {
        return (slope, f64::INFINITY);
    }
    let residuals: f64 = points.iter().map(|point| (point.1 - y - slope * (point.0 - x)).powi(2)).sum();
    (slope, student(points.len() - 2, ConfidenceLevel::Percent95) * (residuals / (count - 2.0) / spread).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_intervals_match_textbook_values() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        let (mean, half) = interval(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(mean, 3.0);
        assert!((half - 1.963).abs() < 0.001, "{half}");
        assert_eq!(interval(&[1.0]).1, f64::INFINITY, "one value says nothing");
        // Seven values: Student's 3.707 for 6 degrees of freedom.
        let (mean, half) = interval_99(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        assert!(mean == 4.0 && (half - 3.707 * 2.160_247 / 7_f64.sqrt()).abs() < 0.001, "{half}");
    }

    #[test]
    fn a_percentile_is_computed_by_nearest_rank() {
        assert_eq!([0.0, 0.5, 0.51, 1.0].map(|share| percentile(&[4.0, 1.0, 2.0, 3.0], share)), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(percentile(&[], 0.5), 0.0);
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        for percent in 1..=100 {
            assert_eq!(percentile(&hundred, f64::from(percent) / 100.0), f64::from(percent));
        }
    }

    #[test]
    fn the_deviation_is_the_sample_standard_deviation() {
        // The squares 9, 1, 1 and 9 are 20, divided by 3.
        assert!((deviation(&[1.0, 3.0, 5.0, 7.0]) - (20.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!((deviation(&[2.0]), rounded(1.236), rounded_to(1, 1.26)), (0.0, 1.24, 1.3));
    }

    #[test]
    fn student_quantiles_never_make_an_interval_too_narrow() {
        let points =
            |freedom| [ConfidenceLevel::Percent95, ConfidenceLevel::Percent99].map(|level| student(freedom, level));
        assert_eq!((points(0), points(1)), ([f64::INFINITY; 2], [12.706, 63.657]));
        assert_eq!(points(13), [2.160, 3.012], "fourteen trials");
        assert_eq!((points(39), points(40), points(9_999)), (points(30), [2.021, 2.704], points(120)));
        for freedom in 1..200 {
            let [more, fewer] = [points(freedom + 1), points(freedom)];
            assert!(more[0] <= fewer[0] && more[1] <= fewer[1] && fewer[0] < fewer[1], "{freedom}");
            assert!(more[0] > 1.96 && more[1] > 2.576, "{freedom}: below the normal distribution's");
        }
    }

    #[test]
    fn a_slope_and_its_interval_match_textbook_values() {
        let (exact, half) = slope(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]);
        assert!((exact - 2.0).abs() < 1e-12 && half < 1e-6, "{exact} {half}");
        // Residuals 0.1, -0.2, 0.1 of a slope of 2: s² = 0.06, spread 2, Student's 12.706.
        let (fitted, half) = slope(&[(0.0, 1.1), (1.0, 2.8), (2.0, 5.1)]);
        assert!((fitted - 2.0).abs() < 1e-12 && (half - 12.706 * (0.06_f64 / 2.0).sqrt()).abs() < 1e-6, "{half}");
        assert_eq!(slope(&[(0.0, 1.0), (1.0, 3.0)]).1, f64::INFINITY, "two points say nothing of it");
    }
}
