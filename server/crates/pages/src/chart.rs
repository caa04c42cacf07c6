//! Charts, drawn on the server.
//!
//! The library draws in fixed colours; those here stand for the colours of the page, light or dark, and are put in their place.

use std::ops::Range;

use plotters::prelude::{
    ChartBuilder, Color, DrawingAreaErrorKind, IntoDrawingArea, IntoFont, RGBColor, Rectangle, SVGBackend,
};

/// Width and height of a chart, in units of its own.
const SIZE: (u32, u32) = (420, 180);
/// Width and height of a chart within a line of text.
const SPARK_SIZE: (u32, u32) = (120, 28);
/// The highest bar, in units of the axis.
const HEIGHT_MAX: i64 = 1_000_000_000_000;
const INK: RGBColor = RGBColor(1, 1, 1);
const BAR: RGBColor = RGBColor(2, 2, 2);
const RULE: RGBColor = RGBColor(3, 3, 3);
const BAD: RGBColor = RGBColor(4, 4, 4);
/// The colours of the page, by those that the library draws in.
const COLOURS: [(&str, &str); 4] =
    [("#010101", "currentColor"), ("#020202", "var(--act)"), ("#030303", "var(--rule)"), ("#040404", "var(--bad)")];

/// A chart with its name.
#[derive(Debug)]
pub struct NamedChart {
    /// The name that people are told.
    pub name: &'static str,
    /// The chart as SVG.
    pub svg: String,
}

/// A chart with a bar for each value.
#[derive(Debug)]
pub struct BarChart<'a> {
    /// The values; bars below zero hang from it.
    pub values: &'a [i64],
    /// The words under each bar; only some are written.
    pub words: &'a [String],
    /// Writes a value of the axis.
    pub value: fn(i64) -> String,
}

impl BarChart<'_> {
    /// The chart as SVG, without a name: it is a picture of what stands beside it.
    #[must_use]
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        let drawn = self.draw(&mut svg);
        finished(&svg, SIZE, drawn)
    }

    fn draw(&self, svg: &mut String) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
        let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        let count = i32::try_from(self.values.len()).unwrap_or(i32::MAX);
        let (scale, heights) = scaled(self.values);
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
        chart.draw_series(bars(&heights, BAR, 1))?;
        area.present()
    }
}

/// Bars without axes and words, within a line of text; a part of each may be bad.
#[derive(Debug)]
pub struct Sparkline<'a> {
    /// The values, none below zero.
    pub values: &'a [i64],
    /// The bad part of each.
    pub bad: &'a [i64],
}

impl Sparkline<'_> {
    /// The chart as SVG, without a name: it is a picture of what stands beside it.
    #[must_use]
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        let drawn = self.draw(&mut svg);
        finished(&svg, SPARK_SIZE, drawn)
    }

    fn draw(&self, svg: &mut String) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
        let area = SVGBackend::with_string(svg, SPARK_SIZE).into_drawing_area();
        let count = i32::try_from(self.values.len()).unwrap_or(i32::MAX).max(1);
        let (scale, heights) = scaled(self.values);
        let bad: Vec<i64> = self.bad.iter().map(|value| value / scale).collect();
        let highest = heights.iter().copied().max().unwrap_or_default().max(1);
        let mut chart = ChartBuilder::on(&area).build_cartesian_2d(0..count, 0..highest)?;
        chart.draw_series(bars(&heights, BAR, 0))?;
        chart.draw_series(bars(&bad, BAD, 0))?;
        area.present()
    }
}

/// The values in units that are few enough for the library, which multiplies heights, and the size of a unit.
fn scaled(values: &[i64]) -> (i64, Vec<i64>) {
    let scale = values.iter().map(|value| value.saturating_abs()).max().unwrap_or_default() / HEIGHT_MAX + 1;
    (scale, values.iter().map(|value| value / scale).collect())
}

/// A bar for each height that is not zero, with so much room at its sides.
fn bars(heights: &[i64], colour: RGBColor, room: u32) -> impl Iterator<Item = Rectangle<(i32, i64)>> {
    heights.iter().zip(0..).filter(|(height, _)| **height != 0).map(move |(height, place)| {
        let mut bar = Rectangle::new([(place, 0), (place + 1, *height)], colour.filled());
        bar.set_margin(0, 0, room, room);
        bar
    })
}

/// A drawing in the colours of the page, as large as its place; empty where it could not be drawn.
fn finished(svg: &str, (width, height): (u32, u32), drawn: Result<(), DrawingAreaErrorKind<std::io::Error>>) -> String {
    if let Err(error) = drawn {
        // Nothing is drawn to but a text.
        tracing::error!(error = &error as &dyn std::error::Error, "a chart could not be drawn");
        return String::new();
    }
    let svg = svg.replacen("<svg ", "<svg aria-hidden=\"true\" focusable=\"false\" ", 1);
    let svg = svg.replacen(&format!("width=\"{width}\" height=\"{height}\" "), "", 1);
    COLOURS.iter().fold(svg, |svg, (fixed, colour)| svg.replace(fixed, colour))
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

    #[test]
    fn a_small_chart_shows_the_bad_part_of_a_bar() {
        let svg = Sparkline { values: &[0, 4, i64::MAX], bad: &[0, 0, 9] }.svg();
        assert!(
            svg.contains("viewBox=\"0 0 120 28\"") && !svg.contains("width=\"120\" height=\"28\" viewBox"),
            "{svg}"
        );
        let svg = Sparkline { values: &[0, 4, 9], bad: &[0, 0, 9] }.svg();
        assert_eq!((svg.matches("var(--act)").count(), svg.matches("var(--bad)").count()), (2, 1), "{svg}");
        assert!(!svg.contains("#0") && !svg.contains("<text"), "{svg}");
        assert!(Sparkline { values: &[], bad: &[] }.svg().contains("viewBox"));
    }
}
