//! Charts, drawn on the server.
//!
//! The library draws in fixed colours; those here stand for the colours of the page, light or dark, and are put in their place.

use std::ops::Range;

use plotters::prelude::{
    ChartBuilder, Color, DrawingAreaErrorKind, IntoDrawingArea, IntoFont, RGBColor, Rectangle, SVGBackend,
};

const WIDTH: u32 = 420;
const HEIGHT: u32 = 180;
/// The highest bar, in units of the axis.
const HEIGHT_MAX: i64 = 1_000_000_000_000;
const INK: RGBColor = RGBColor(1, 1, 1);
const BAR: RGBColor = RGBColor(2, 2, 2);
const RULE: RGBColor = RGBColor(3, 3, 3);
/// The colours of the page, by those that the library draws in.
const COLOURS: [(&str, &str); 3] = [("#010101", "currentColor"), ("#020202", "var(--act)"), ("#030303", "var(--rule)")];

/// A chart with a bar for each value.
#[derive(Debug)]
pub(super) struct BarChart<'a> {
    /// The values; bars below zero hang from it.
    pub(super) values: &'a [i64],
    /// The words under each bar; only some are written.
    pub(super) words: &'a [String],
    /// Writes a value of the axis.
    pub(super) value: fn(i64) -> String,
}

impl BarChart<'_> {
    /// The chart as SVG, without a name: it is a picture of what stands beside it.
    pub(super) fn svg(&self) -> String {
        let mut svg = String::new();
        if let Err(error) = self.draw(&mut svg) {
            // Nothing is drawn to but a text.
            tracing::error!(error = &error as &dyn std::error::Error, "a chart could not be drawn");
            return String::new();
        }
        let svg = svg.replacen("<svg ", "<svg aria-hidden=\"true\" focusable=\"false\" ", 1);
        let svg = svg.replacen(&format!("width=\"{WIDTH}\" height=\"{HEIGHT}\" "), "", 1);
        COLOURS.iter().fold(svg, |svg, (fixed, colour)| svg.replace(fixed, colour))
    }

    fn draw(&self, svg: &mut String) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
        let area = SVGBackend::with_string(svg, (WIDTH, HEIGHT)).into_drawing_area();
        let count = i32::try_from(self.values.len()).unwrap_or(i32::MAX);
        // The library multiplies heights, which must not be beyond its numbers.
        let scale = self.values.iter().map(|value| value.saturating_abs()).max().unwrap_or_default() / HEIGHT_MAX + 1;
        let heights: Vec<i64> = self.values.iter().map(|value| value / scale).collect();
        let mut chart = ChartBuilder::on(&area)
            .margin(6)
            .x_label_area_size(22)
            .y_label_area_size(68)
            .build_cartesian_2d(0..count, axis(&heights))?;
        let word = |place: &i32| {
            usize::try_from(*place).ok().and_then(|place| self.words.get(place)).cloned().unwrap_or_default()
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(6)
            .y_labels(4)
            .x_label_formatter(&word)
            .y_label_formatter(&|height| (self.value)(height.saturating_mul(scale)))
            .label_style(("sans-serif", 12).into_font().color(&INK))
            .axis_style(INK)
            .bold_line_style(RULE)
            .light_line_style(RULE.mix(0.0))
            .draw()?;
        let bars = heights.iter().zip(0..).filter(|(value, _)| **value != 0).map(|(value, place)| {
            let mut bar = Rectangle::new([(place, 0), (place + 1, *value)], BAR.filled());
            bar.set_margin(0, 0, 1, 1);
            bar
        });
        chart.draw_series(bars)?;
        area.present()
    }
}

/// The heights of the chart: an axis without a length cannot be drawn.
fn axis(heights: &[i64]) -> Range<i64> {
    let lowest = heights.iter().copied().min().unwrap_or_default().min(0);
    let highest = heights.iter().copied().max().unwrap_or_default();
    lowest + lowest / 10..(highest + highest / 10).max(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_the_colours_of_the_page_and_no_style() {
        let words: Vec<String> = (1..=30).map(|day| format!("11-{day:02}")).collect();
        let values: Vec<i64> = (0..30).collect();
        let svg = BarChart { values: &values, words: &words, value: |value| value.to_string() }.svg();
        assert_eq!(svg.matches("var(--act)").count(), 29, "a bar for each value that is not zero: {svg}");
        assert!(svg.contains("currentColor") && svg.contains("11-11") && svg.starts_with("<svg aria-hidden"), "{svg}");
        assert!(!svg.contains("style=") && !svg.contains("#0") && !svg.contains("script"), "{svg}");
    }

    #[test]
    fn a_chart_of_nothing_and_of_the_most_is_drawn() {
        for values in [&[][..], &[0, 0], &[i64::MAX, 1], &[i64::MIN, i64::MAX]] {
            let words: Vec<String> = values.iter().map(ToString::to_string).collect();
            let svg = BarChart { values, words: &words, value: |value| value.to_string() }.svg();
            assert!(svg.contains("viewBox"), "{values:?}: {svg}");
        }
    }

    #[test]
    fn a_value_below_zero_is_a_bar_below_the_line() {
        let words = ["a", "b"].map(str::to_owned);
        let svg = BarChart { values: &[50, -50], words: &words, value: |value| value.to_string() }.svg();
        assert!(svg.contains("-50"), "the axis has it: {svg}");
        let bars: Vec<&str> = svg.split("<rect").filter(|rect| rect.contains("var(--act)")).collect();
        let number = |bar: &str, name: &str| {
            let (_, rest) = bar.split_once(&format!(" {name}=\"")).expect("an attribute");
            rest.split('"').next().expect("a value").parse::<i64>().expect("a number")
        };
        let [up, down] = bars[..] else { panic!("two bars: {svg}") };
        assert_eq!(number(up, "y") + number(up, "height"), number(down, "y"), "they meet at zero: {svg}");
        assert_eq!(number(up, "height"), number(down, "height"));
    }
}
