//! The ratios of CPU time to the reference as a picture: SVG, one bar for each subject and row.

use std::fmt::Write;

use crate::report::{Report, shown};

/// Lengths, in pixels.
const WIDTH: u64 = 960;
const NAMES: u64 = 240;
const BAR: u64 = 12;
const GAP: u64 = 10;
const HEAD: u64 = 84;
const FOOT: u64 = 12;
/// The longest bar that is drawn whole, in hundredths; longer ones are cut there, and their figures tell.
const RATIO_MAX: u64 = 1000;
/// Left free at the right of the longest bar, for its figure.
const FIGURES: u64 = 50;
/// Of the subjects, in the order of the table: distinct in shades of grey, too.
const COLOURS: [&str; 4] = ["#c9b458", "#7aa6c2", "#1f4e79", "#d1495b"];

/// The picture; rows without CPU time or without the reference are left out.
pub(crate) fn draw(report: &Report) -> String {
    let rows: Vec<(&str, Vec<(usize, u64)>)> = report
        .rows
        .iter()
        .filter(|row| row.unit.starts_with("us/"))
        .map(|row| {
            let ratios = report.compared().enumerate();
            let ratios = ratios.filter_map(|(order, (place, _))| Some((order, row.ratio(place)?)));
            (row.name.as_str(), ratios.collect::<Vec<_>>())
        })
        .filter(|(_, ratios)| !ratios.is_empty())
        .collect();
    let longest = rows.iter().flat_map(|(_, ratios)| ratios).map(|(_, ratio)| *ratio).max().unwrap_or_default();
    let longest = longest.clamp(100, RATIO_MAX);
    let bars: usize = rows.iter().map(|(_, ratios)| ratios.len()).sum();
    let height = HEAD + pixels(bars) * BAR + pixels(rows.len()) * GAP + FOOT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    head(&mut svg, report);
    let mut top = HEAD;
    for (name, ratios) in &rows {
        let middle = top + pixels(ratios.len()) * BAR / 2 + 4;
        text(&mut svg, (NAMES - 8, middle), "end", name);
        for (order, ratio) in ratios {
            let length = ratio.min(&longest) * (WIDTH - NAMES - FIGURES) / longest;
            let colour = COLOURS[order % COLOURS.len()];
            let _ = writeln!(
                svg,
                "<rect x=\"{NAMES}\" y=\"{top}\" width=\"{length}\" height=\"{}\" fill=\"{colour}\"/>",
                BAR - 2
            );
            text(&mut svg, (NAMES + length + 4, top + BAR - 3), "start", &shown(Some(*ratio)));
            top += BAR;
        }
        top += GAP;
    }
    reference(&mut svg, longest, height);
    svg.push_str("</svg>\n");
    svg
}

/// The title, the conditions and the colours.
fn head(svg: &mut String, report: &Report) {
    text(
        svg,
        (12, 20),
        "start",
        "CPU time of the server, as a ratio to the bare proxy (shorter is better; bars end at 10)",
    );
    text(svg, (12, 38), "start", &report.conditions());
    let mut left = NAMES;
    for (order, (_, subject)) in report.compared().enumerate() {
        let colour = COLOURS[order % COLOURS.len()];
        let _ = writeln!(svg, "<rect x=\"{left}\" y=\"52\" width=\"10\" height=\"10\" fill=\"{colour}\"/>");
        text(svg, (left + 15, 61), "start", subject);
        left += 40 + pixels(subject.len()) * 6;
    }
}

/// A line across all rows where a ratio is 1.
fn reference(svg: &mut String, longest: u64, height: u64) {
    let left = NAMES + 100 * (WIDTH - NAMES - FIGURES) / longest;
    let (top, bottom) = (HEAD - 6, height - FOOT);
    let _ = writeln!(
        svg,
        "<line x1=\"{left}\" y1=\"{top}\" x2=\"{left}\" y2=\"{bottom}\" stroke=\"black\" stroke-dasharray=\"2 3\"/>"
    );
}

fn text(svg: &mut String, (left, base): (u64, u64), anchor: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(svg, "<text x=\"{left}\" y=\"{base}\" text-anchor=\"{anchor}\">{words}</text>");
}

fn pixels(count: usize) -> u64 {
    u64::try_from(count).unwrap_or_default()
}
