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

/// Two-sided 95 % points of Student's distribution, for 1, 2, … degrees of freedom.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

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
    }
}
