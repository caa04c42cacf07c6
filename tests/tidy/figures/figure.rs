//! Kinds of figures with their units and goals, and the measurement of one.

use std::fmt;

/// A kind of figure. Less is better in all of them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Figure {
    /// The name in the table and in the data file.
    pub(super) key: &'static str,
    pub(super) unit: Unit,
    /// No limit has to be lower than this.
    pub(super) goal: u64,
    /// The change that mends an offender.
    pub(super) advice: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Held in tenths of a percent.
    Percent,
    Count,
}

impl Unit {
    /// The greatest difference that rounding alone makes.
    pub(super) fn rounding_step(self) -> u64 {
        match self {
            Self::Percent => 1,
            Self::Count => 0,
        }
    }

    pub(super) fn render(self, value: u64) -> String {
        match self {
            Self::Percent => format!("{}.{}", value / 10, value % 10),
            Self::Count => value.to_string(),
        }
    }

    pub(super) fn parse(self, text: &str) -> Option<u64> {
        match self {
            Self::Percent => {
                let (whole, tenth) = text.split_once('.')?;
                let tenths = whole.parse::<u64>().ok()?.checked_mul(10)?;
                (tenth.len() == 1).then(|| tenth.parse::<u64>().ok())?.map(|tenth| tenths + tenth)
            }
            Self::Count => text.parse().ok(),
        }
    }
}

/// A place that makes a figure worse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Offender {
    pub(super) path: String,
    /// Counted from 1.
    pub(super) line: usize,
    /// The name, or another sign of the fault.
    pub(super) what: String,
}

impl fmt::Display for Offender {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.path, self.line, self.what)
    }
}

/// A figure as it was counted in one group.
#[derive(Debug)]
pub(super) struct Measurement {
    pub(super) group: &'static str,
    pub(super) figure: &'static Figure,
    pub(super) value: u64,
    pub(super) offenders: Vec<Offender>,
}

/// The share of `part` in `whole` in tenths of a percent, rounded to the nearest.
pub(super) fn share(part: usize, whole: usize) -> u64 {
    ((part * 1000 + whole / 2) / whole.max(1)) as u64
}

#[test]
fn percent_is_read_as_it_is_written() {
    for (value, text) in [(0, "0.0"), (9, "0.9"), (432, "43.2"), (1000, "100.0")] {
        assert_eq!((Unit::Percent.render(value), Unit::Percent.parse(text)), (text.to_owned(), Some(value)));
    }
    for text in ["43", "43.21", "x.1", "4.-1"] {
        assert_eq!(Unit::Percent.parse(text), None, "{text}");
    }
    assert_eq!((share(1, 3), share(2, 3), share(1, 2000), share(0, 0)), (333, 667, 1, 0));
}
