//! Curves as SVG: logarithmic upwards, since a broker that is past its limit is past it by orders of magnitude.

use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
/// Distinguishable for all kinds of eyes (Okabe and Ito's palette).
const COLOURS: [&str; 6] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];

/// One line of a plot.
pub(crate) struct Curve {
    pub(crate) name: String,
    /// By ascending x.
    pub(crate) points: Vec<(f64, f64)>,
}

/// A plot with a limit that nobody should pass.
pub(crate) struct Plot {
    pub(crate) title: String,
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) limit: f64,
    pub(crate) curves: Vec<Curve>,
}

impl Plot {
    pub(crate) fn svg(&self) -> String {
        let points = || self.curves.iter().flat_map(|curve| curve.points.iter());
        let x_max = points().map(|point| point.0).fold(1.0, f64::max) * 1.05;
        let lowest = points().map(|point| point.1).fold(self.limit, f64::min).max(0.1);
        let highest = points().map(|point| point.1).fold(self.limit, f64::max);
        let (low, high) = (lowest.log10().floor(), highest.log10().ceil().max(lowest.log10().floor() + 1.0));
        let across = |x: f64| LEFT + x / x_max * (WIDTH - LEFT - RIGHT);
        let up = |y: f64| HEIGHT - BOTTOM - (y.max(0.1).log10() - low) / (high - low) * (HEIGHT - TOP - BOTTOM);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"24\" font-size=\"16\">{}</text>\n",
            self.title
        );
        let mut line = |text: String| {
            svg.push_str(&text);
            svg.push('\n');
        };
        for power in low as i32..=high as i32 {
            let y = up(10_f64.powi(power));
            line(format!("<path d=\"M{LEFT} {y:.1}H{:.1}\" stroke=\"#ddd\"/>", WIDTH - RIGHT));
            line(format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                y + 4.0,
                10_f64.powi(power)
            ));
        }
        let step =
            [10.0, 20.0, 50.0, 100.0, 200.0, 500.0].into_iter().find(|step| x_max / step <= 10.0).unwrap_or(1_000.0);
        let mut x = 0.0;
        while x <= x_max {
            line(format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{x}</text>",
                across(x),
                HEIGHT - BOTTOM + 18.0
            ));
            x += step;
        }
        line(format!(
            "<path d=\"M{LEFT} {TOP}V{:.1}H{:.1}\" fill=\"none\" stroke=\"black\"/>",
            HEIGHT - BOTTOM,
            WIDTH - RIGHT
        ));
        line(format!("<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", WIDTH - RIGHT - 30.0, HEIGHT - 14.0, self.x));
        line(format!("<text x=\"12\" y=\"{:.1}\">{}</text>", TOP - 4.0, self.y));
        let at = up(self.limit);
        line(format!("<path d=\"M{LEFT} {at:.1}H{:.1}\" stroke=\"black\" stroke-dasharray=\"5 4\"/>", WIDTH - RIGHT));
        for (index, curve) in self.curves.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let mut path = String::new();
            for (x, y) in &curve.points {
                let _ = write!(path, "{:.1},{:.1} ", across(*x), up(*y));
                line(format!("<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>", across(*x), up(*y)));
            }
            line(format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
                path.trim_end()
            ));
            let y = TOP + 18.0 * index as f64;
            line(format!(
                "<text x=\"{:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{}</text>",
                WIDTH - RIGHT + 12.0,
                curve.name
            ));
        }
        svg + "</svg>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_curve_stands_within_the_frame() {
        let curves = vec![Curve { name: "ours".into(), points: vec![(10.0, 0.05), (500.0, 20_000.0)] }];
        let svg = Plot { title: "t".into(), x: "x".into(), y: "y".into(), limit: 250.0, curves }.svg();
        let heights = svg.split("cy=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
        let heights: Vec<f64> = heights.collect();
        assert_eq!(heights.len(), 2);
        assert!(heights.iter().all(|y| (TOP - 0.1..=HEIGHT - BOTTOM + 0.1).contains(y)), "{heights:?}");
    }
}
