//! Draws curves as SVG, with linear or logarithmic axes.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::statistics::median;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 430.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 50.0;
/// Seven colours of Okabe and Ito's palette, distinguishable with every kind of colour vision, and five further colours
/// for plots with many curves.
const COLOURS: [&str; 12] = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8B4513", "#6A3D9A", "#808000",
    "#A50026", "#7F7F7F",
];
/// Distances of marks on a linear axis, in multiples of a power of ten.
const STEPS: [f64; 4] = [1.0, 2.0, 5.0, 10.0];
/// Maximum number of distances between marks on a linear axis.
const MARKS_MAX: f64 = 8.0;

/// An axis: its title and kind.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    title: String,
    is_logarithmic: bool,
}

impl Axis {
    /// A linear axis from zero.
    pub(crate) fn linear(title: &str) -> Axis {
        Axis { title: title.to_owned(), is_logarithmic: false }
    }

    /// A logarithmic axis, since values past a limit are often past it by orders of magnitude.
    pub(crate) fn logarithmic(title: &str) -> Axis {
        Axis { title: title.to_owned(), is_logarithmic: true }
    }

    /// The ends and marks for a set of values.
    fn scale(&self, values: &[f64]) -> AxisLayout {
        let highest = values.iter().copied().fold(0.0, f64::max);
        if self.is_logarithmic {
            let lowest = values.iter().copied().filter(|value| *value > 0.0).fold(f64::INFINITY, f64::min);
            let low = if lowest.is_finite() { lowest.log10().floor() } else { 0.0 };
            let high = highest.max(f64::MIN_POSITIVE).log10().ceil().max(low + 1.0);
            let marks = (low as i32..=high as i32).map(|power| 10_f64.powi(power)).collect();
            return AxisLayout { low, high, marks, is_logarithmic: true };
        }
        let highest = if highest > 0.0 { highest } else { 1.0 };
        let power = 10_f64.powf((highest / MARKS_MAX).log10().floor());
        let step = STEPS.iter().map(|step| step * power).find(|step| highest / step <= MARKS_MAX);
        let step = step.unwrap_or(10.0 * power);
        let count = (highest / step).ceil();
        let marks = (0..=count as u32).map(|mark| f64::from(mark) * step).collect();
        AxisLayout { low: 0.0, high: count * step, marks, is_logarithmic: false }
    }
}

struct AxisLayout {
    low: f64,
    high: f64,
    marks: Vec<f64>,
    is_logarithmic: bool,
}

impl AxisLayout {
    /// Position of a value along the axis, from 0 to 1.
    fn share(&self, value: f64) -> f64 {
        let value = if self.is_logarithmic { value.max(10_f64.powf(self.low)).log10() } else { value };
        (value - self.low) / (self.high - self.low)
    }
}

/// One curve of a plot.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    name: String,
    /// By ascending x, one point for each.
    points: Vec<(f64, f64)>,
    is_dashed: bool,
}

impl Curve {
    /// A curve of measured values. Repeated values at one x become their median; a median that is not finite is
    /// omitted.
    pub(crate) fn new(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Curve {
        let mut values: BTreeMap<u64, (f64, Vec<f64>)> = BTreeMap::new();
        for (x, y) in points {
            values.entry(x.max(0.0).to_bits()).or_insert((x, Vec::new())).1.push(y);
        }
        let medians = values.into_values().map(|(x, ys)| (x, median(&ys)));
        let points = medians.filter(|(_, y)| y.is_finite()).collect();
        Curve { name: name.into(), points, is_dashed: false }
    }

    /// Draws the curve dashed: a reference, or a paper's values.
    pub(crate) fn dashed(mut self) -> Curve {
        self.is_dashed = true;
        self
    }
}

/// A plot, with an optional line at a limit.
#[derive(Clone, Debug)]
pub(crate) struct Plot {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) limit: Option<f64>,
    pub(crate) curves: Vec<Curve>,
}

impl Plot {
    pub(crate) fn svg(&self) -> String {
        let points = || self.curves.iter().flat_map(|curve| curve.points.iter());
        let across: Vec<f64> = points().map(|point| point.0).collect();
        let upwards: Vec<f64> = points().map(|point| point.1).chain(self.limit).collect();
        let frame = PlotProjection { x: self.x.scale(&across), y: self.y.scale(&upwards) };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
        );
        svg += &text((16.0, 22.0), "font-size=\"16\"", &self.title);
        svg += &text((16.0, 42.0), "fill=\"#555\"", &self.y.title);
        svg += &text((frame.across(f64::MAX), HEIGHT - 10.0), "fill=\"#555\" text-anchor=\"end\"", &self.x.title);
        svg += &frame.svg();
        if let Some(limit) = self.limit {
            let y = frame.up(limit);
            let _ = writeln!(
                svg,
                "<path d=\"M{LEFT} {y:.1}H{:.1}\" stroke=\"black\" stroke-dasharray=\"2 4\"/>",
                WIDTH - RIGHT
            );
        }
        for (index, curve) in self.curves.iter().enumerate() {
            svg += &frame.curve(curve, COLOURS[index % COLOURS.len()]);
            let colour = format!("fill=\"{}\"", COLOURS[index % COLOURS.len()]);
            svg += &text((WIDTH - RIGHT + 14.0, TOP + 6.0 + 18.0 * index as f64), &colour, &curve.name);
        }
        svg + "</svg>\n"
    }
}

/// Maps values to coordinates of the picture.
struct PlotProjection {
    x: AxisLayout,
    y: AxisLayout,
}

impl PlotProjection {
    fn across(&self, x: f64) -> f64 {
        LEFT + self.x.share(x).clamp(0.0, 1.0) * (WIDTH - LEFT - RIGHT)
    }

    fn up(&self, y: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.share(y).clamp(0.0, 1.0) * (HEIGHT - TOP - BOTTOM)
    }

    /// The axes with their marks.
    fn svg(&self) -> String {
        let mut svg = String::new();
        for &mark in &self.y.marks {
            let y = self.up(mark);
            let _ = writeln!(svg, "<path d=\"M{LEFT} {y:.1}H{:.1}\" stroke=\"#ddd\"/>", WIDTH - RIGHT);
            svg += &text((LEFT - 6.0, y + 4.0), "text-anchor=\"end\"", &number(mark));
        }
        for &mark in &self.x.marks {
            svg += &text((self.across(mark), HEIGHT - BOTTOM + 18.0), "text-anchor=\"middle\"", &number(mark));
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {TOP}V{:.1}H{:.1}\" fill=\"none\" stroke=\"black\"/>",
            HEIGHT - BOTTOM,
            WIDTH - RIGHT
        );
        svg
    }

    fn curve(&self, curve: &Curve, colour: &str) -> String {
        let (mut svg, mut path) = (String::new(), String::new());
        // A logarithmic axis has no position for zero, the value of a curve without arrivals.
        let told = curve.points.iter().filter(|(_, y)| *y > 0.0 || !self.y.is_logarithmic);
        for (x, y) in told.map(|(x, y)| (self.across(*x), self.up(*y))) {
            let _ = write!(path, "{x:.1},{y:.1} ");
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
        }
        let dashes = if curve.is_dashed { " stroke-dasharray=\"6 4\"" } else { "" };
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"{dashes}/>",
            path.trim_end()
        );
        svg
    }
}

fn text((x, y): (f64, f64), attributes: &str, said: &str) -> String {
    let said = said.replace('&', "&amp;").replace('<', "&lt;");
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" {attributes}>{said}</text>\n")
}

/// The shortest notation.
fn number(value: f64) -> String {
    // A product of marks carries rounding noise after the third digit.
    format!("{value:.3e}").parse::<f64>().unwrap_or(value).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(y: Axis, curves: Vec<Curve>) -> String {
        Plot { title: "a < b".into(), x: Axis::linear("x"), y, limit: Some(250.0), curves }.svg()
    }

    fn attribute(svg: &str, name: &str) -> Vec<f64> {
        let begin = format!("{name}=\"");
        let values = svg.split(begin.as_str()).skip(1);
        values.filter_map(|rest| rest.split('"').next()?.parse().ok()).collect()
    }

    #[test]
    fn every_curve_is_drawn_within_the_frame() {
        for axis in [Axis::linear("y"), Axis::logarithmic("y")] {
            let curves = vec![Curve::new("ours", [(10.0, 0.05), (500.0, 20_000.0), (20.0, 0.0)])];
            let is_logarithmic = axis.is_logarithmic;
            let svg = plot(axis, curves);
            let (across, up) = (attribute(&svg, "cx"), attribute(&svg, "cy"));
            let told = if is_logarithmic { 2 } else { 3 };
            assert_eq!((across.len(), up.len()), (told, told));
            assert!(up.iter().all(|y| (TOP - 0.1..=HEIGHT - BOTTOM + 0.1).contains(y)), "{up:?}");
            assert!(across.windows(2).all(|pair| pair[0] < pair[1]), "by ascending x: {across:?}");
        }
    }

    #[test]
    fn repeated_measurements_become_one_point_at_their_median() {
        let curve = Curve::new("ours", [(10.0, 3.0), (20.0, 1.0), (10.0, 1.0), (10.0, 9.0)]);
        assert_eq!(curve.points, [(10.0, 3.0), (20.0, 1.0)]);
    }

    #[test]
    fn a_point_without_a_finite_value_is_omitted() {
        let curve = Curve::new("ours", [(10.0, 3.0), (20.0, f64::INFINITY), (30.0, f64::NAN)]);
        assert_eq!(curve.points, [(10.0, 3.0)]);
        let some = Curve::new("ours", [(10.0, 3.0), (10.0, f64::INFINITY), (10.0, f64::INFINITY)]);
        assert!(some.points.is_empty(), "most runs came to none: {:?}", some.points);
    }

    #[test]
    fn marks_are_round_numbers_that_reach_the_highest_value() {
        for (highest, marks) in [(7.0, 8), (0.09, 6), (1_482.0, 9), (43_000.0, 6)] {
            let scale = Axis::linear("y").scale(&[highest / 3.0, highest]);
            assert!(scale.high >= highest && scale.marks.len() <= 9, "{highest}: {:?}", scale.marks);
            assert_eq!(scale.marks.len(), marks, "{highest}: {:?}", scale.marks);
        }
        let powers = Axis::logarithmic("y").scale(&[0.2, 30.0]);
        assert_eq!(powers.marks, [0.1, 1.0, 10.0, 100.0]);
        assert_eq!([0.1, 0.00001, 1.0, 2_000.0].map(number), ["0.1", "0.00001", "1", "2000"]);
    }

    #[test]
    fn plot_texts_are_escaped() {
        assert!(plot(Axis::linear("y"), Vec::new()).contains("a &lt; b"));
    }
}
