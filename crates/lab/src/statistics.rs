//! What a few numbers say together.

/// The middle one; 0 of none.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => sorted[odd / 2],
        even => sorted[even / 2 - 1].midpoint(sorted[even / 2]),
    }
}

/// The value below which that share of them lies; 0 of none.
pub(crate) fn percentile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (sorted.len() as f64 * share) as usize;
    sorted.get(at.min(sorted.len().saturating_sub(1))).copied().unwrap_or(0.0)
}

/// With two decimals, as tables have it.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// Two-sided 95 % points of Student's distribution, for 1, 2, … degrees of freedom.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// Two-sided 99 % points, likewise.
const STUDENT_99: [f64; 12] = [63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.250, 3.169, 3.106, 3.055];

/// A mean and how far from it the truth lies with 99 %, to either side: of few values, as of a paper's trials.
pub(crate) fn interval_99(values: &[f64]) -> (f64, f64) {
    let (mean, half) = interval(values);
    let count = values.len();
    let at = |points: &[f64], beyond: f64| points.get(count.saturating_sub(2)).copied().unwrap_or(beyond);
    (mean, half / at(&STUDENT, 1.96) * at(&STUDENT_99, 2.576))
}

/// The slope of the line that fits points best (least squares), and how far from it the truth lies with 95 %, to either side.
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
    let student = STUDENT.get(points.len() - 3).copied().unwrap_or(1.96);
    (slope, student * (residuals / (count - 2.0) / spread).sqrt())
}

/// A mean and how far from it the truth lies with 95 %, to either side.
pub(crate) fn interval(values: &[f64]) -> (f64, f64) {
    let count = values.len();
    if count < 2 {
        return (values.first().copied().unwrap_or(0.0), f64::INFINITY);
    }
    let mean = values.iter().sum::<f64>() / count as f64;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1) as f64;
    let student = STUDENT.get(count - 2).copied().unwrap_or(1.96);
    (mean, student * (variance / count as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_intervals_are_the_textbooks() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!([0.0, 0.5, 0.95, 1.0].map(|share| percentile(&[4.0, 1.0, 2.0, 3.0], share)), [1.0, 3.0, 4.0, 4.0]);
        assert_eq!(percentile(&[], 0.5), 0.0);
        let (mean, half) = interval(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(mean, 3.0);
        assert!((half - 1.963).abs() < 0.001, "{half}");
        assert_eq!(interval(&[1.0]).1, f64::INFINITY, "one value says nothing");
        // Of seven values: Student's 3.707 for 6 degrees of freedom.
        let (mean, half) = interval_99(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        assert!(mean == 4.0 && (half - 3.707 * 2.160_247 / 7_f64.sqrt()).abs() < 0.001, "{half}");
    }

    #[test]
    fn a_slope_and_its_interval_are_the_textbooks() {
        let (exact, half) = slope(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]);
        assert!((exact - 2.0).abs() < 1e-12 && half < 1e-6, "{exact} {half}");
        // Residuals 0.1, -0.2, 0.1 of a slope of 2: s² = 0.06, spread 2, Student's 12.706.
        let (fitted, half) = slope(&[(0.0, 1.1), (1.0, 2.8), (2.0, 5.1)]);
        assert!((fitted - 2.0).abs() < 1e-12 && (half - 12.706 * (0.06_f64 / 2.0).sqrt()).abs() < 1e-6, "{half}");
        assert_eq!(slope(&[(0.0, 1.0), (1.0, 3.0)]).1, f64::INFINITY, "two points say nothing of it");
    }
}
