//! Draws the map as one picture: a panel for each policy, a row for each number of people, a column for each rate. The
//! colour is the cost of a person; text shows the rest.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::{CapacityCellCost, MapCellRuns};
use crate::servers::motion::PolicyName;

const LEFT: f64 = 70.0;
const TOP: f64 = 96.0;
const WIDTH: f64 = 118.0;
const HEIGHT: f64 = 58.0;
/// Minimum width for the text below.
const WIDTH_MIN: f64 = 840.0;
/// Gap between two panels.
const GAP: f64 = 28.0;
/// From cheap (light) to expensive (dark), distinguishable by lightness alone. Text is readable on each.
const COLOURS: [&str; 6] = ["#f7fbff", "#deebf7", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6"];
/// Boundaries of the colours, in core seconds for an hour of a person.
const STEPS: [f64; 5] = [0.5, 1.0, 2.0, 4.0, 8.0];

/// Draws the picture.
pub(super) fn svg(cells: &[MapCellRuns]) -> String {
    let people: Vec<usize> = cells.iter().map(|cell| cell.people).collect::<BTreeSet<_>>().into_iter().collect();
    let rates: Vec<u32> = cells.iter().map(|cell| cell.rate_hz).collect::<BTreeSet<_>>().into_iter().collect();
    let policies: Vec<PolicyName> = cells.iter().map(|cell| cell.policy).collect::<BTreeSet<_>>().into_iter().collect();
    let panel = WIDTH * rates.len() as f64 + GAP;
    let width = (LEFT + panel * policies.len() as f64).max(WIDTH_MIN);
    let height = TOP + HEIGHT * people.len() as f64 + 60.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    text(&mut svg, (16.0, 24.0), "font-size=\"16\"", "Cost of a person by people, rate and policy, on one core");
    let words =
        "colour: core seconds for an hour of a person; below it kB a second to each, and staleness (95th percentile)";
    text(&mut svg, (16.0, 44.0), "fill=\"#555\"", words);
    for (at, policy) in policies.iter().enumerate() {
        let x = LEFT + panel * at as f64;
        text(&mut svg, (x, TOP - 26.0), "font-size=\"14\"", &policy.to_string());
        for (column, rate) in rates.iter().enumerate() {
            let middle = x + WIDTH * (column as f64 + 0.5);
            text(&mut svg, (middle, TOP - 8.0), "text-anchor=\"middle\"", &format!("{rate} Hz"));
        }
    }
    for (row, count) in people.iter().rev().enumerate() {
        let y = TOP + HEIGHT * (row as f64 + 0.5) + 4.0;
        text(&mut svg, (LEFT - 8.0, y), "text-anchor=\"end\"", &format!("{count}"));
    }
    for cell in cells {
        let at = |found: Option<usize>| found.unwrap_or(0) as f64;
        let column = at(rates.iter().position(|rate| *rate == cell.rate_hz));
        let row = at(people.iter().rev().position(|people| *people == cell.people));
        let x = LEFT + panel * at(policies.iter().position(|policy| *policy == cell.policy)) + WIDTH * column;
        draw(&mut svg, (x, TOP + HEIGHT * row), cell);
    }
    let marks = "G: the generator was at its limit · B: the budget left poses out · L: datagrams were lost · %: of the poses asked for, where under 90";
    text(&mut svg, (LEFT, height - 20.0), "fill=\"#555\"", marks);
    svg + "</svg>\n"
}

fn draw(svg: &mut String, (x, y): (f64, f64), cell: &MapCellRuns) {
    let cost = cell.cost();
    let colour = cost.map_or("#eeeeee", |cost| colour(cost.core_s_per_person_hour));
    let (width, height) = (WIDTH - 2.0, HEIGHT - 2.0);
    let _ = writeln!(svg, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width}\" height=\"{height}\" fill=\"{colour}\"/>");
    let middle = x + width / 2.0;
    let mut line = |down: f64, attributes: &str, words: &str| {
        text(svg, (middle, y + down), &format!("text-anchor=\"middle\" {attributes}"), words);
    };
    match cost {
        None if cell.steps.is_empty() => line(32.0, "fill=\"#777\"", "not tried"),
        None => line(32.0, "fill=\"#777\"", "not carried"),
        Some(cost) => {
            line(18.0, "font-size=\"14\"", &format!("{:.2}", cost.core_s_per_person_hour));
            let kilobytes = cost.bytes_per_receiver_s / 1_000.0;
            line(33.0, "", &format!("{kilobytes:.1} kB/s, {:.0} ms", cost.staleness_p95_ms));
            line(49.0, "font-weight=\"bold\"", &marks(&cost));
        }
    }
}

fn marks(cost: &CapacityCellCost) -> String {
    let mut marks = String::new();
    for (is_so, mark) in [(cost.generator_bound, "G "), (cost.thinned, "B "), (cost.hurt, "L ")] {
        if is_so {
            marks += mark;
        }
    }
    if cost.achieved < 0.9 {
        let _ = write!(marks, "{:.0} %", cost.achieved * 100.0);
    }
    marks
}

fn colour(core_s: f64) -> &'static str {
    COLOURS[STEPS.iter().filter(|step| core_s >= **step).count()]
}

fn text(svg: &mut String, (x, y): (f64, f64), attributes: &str, words: &str) {
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" {attributes}>{words}</text>");
}

#[cfg(test)]
mod tests {
    use super::super::tests::cell;
    use super::*;

    #[test]
    fn map_cells_are_drawn_and_marked_if_generator_bound_or_not_tried() {
        let mut cells = vec![cell(250, 0.1), cell(1_000, 0.1)];
        cells[1].steps[2].outcome.as_mut().expect("it has one").generator_load = 0.9;
        cells.push(MapCellRuns { people: 2_000, rate_hz: 20, policy: PolicyName::All, steps: Vec::new() });
        let picture = svg(&cells);
        assert_eq!(picture.matches("<rect").count(), 1 + 3);
        assert_eq!((picture.matches(">G <").count(), picture.matches(">not tried<").count()), (1, 1), "{picture}");
        assert!(picture.contains(&format!(">{:.2}<", 0.1 * 3_600.0 / 250.0)));
        assert_ne!(colour(0.1), colour(9.0));
    }
}
