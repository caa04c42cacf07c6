//! The limits of the figures: their data file, and the complaints about figures that are worse than their limit, or so much better
//! that the limit has to follow.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::figure::{Figure, Measurement, Offender, Unit};
use crate::source::{recently_changed, root};

/// The data file, from the root.
const PATH: &str = "tests/tidy/figures.toml";

const HEADING: &str = "\
# How bad each figure of tests/tidy/figures may be at most. A limit is lowered with the change that made its figure better,
# by hand or by `UPDATE_GOLDENS=1 tests/run figures_keep`, and stays at its goal once it is there. Raising one takes a person
# and a reason.
";

/// Offenders that are named at most.
const OFFENDERS_MAX: usize = 20;

/// Limits by group and figure, as their text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Limits(BTreeMap<(String, String), String>);

impl Limits {
    /// The limits of the data file; none where it is missing.
    pub(super) fn read() -> Self {
        let text = std::fs::read_to_string(root().join(PATH)).unwrap_or_default();
        Self::parse(&text).unwrap_or_else(|error| panic!("{PATH}: {error}"))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let groups: toml::Table = text.parse().map_err(|error| format!("{error}"))?;
        let mut limits = BTreeMap::new();
        for (group, figures) in &groups {
            let figures = figures.as_table().ok_or_else(|| format!("`{group}` is no table"))?;
            let entry = |(key, limit): (&String, &toml::Value)| ((group.clone(), key.clone()), limit.to_string());
            limits.extend(figures.iter().map(entry));
        }
        Ok(Self(limits))
    }

    /// The limit of a figure, if it has one that can be read.
    pub(super) fn of(&self, measurement: &Measurement) -> Option<u64> {
        let key = (measurement.group.to_owned(), measurement.figure.key.to_owned());
        self.0.get(&key).and_then(|text| measurement.figure.unit.parse(text))
    }

    /// Writes the data file with each limit as low as its figure allows. No limit is raised.
    pub(super) fn write_lowered(&self, measurements: &[Measurement]) {
        std::fs::write(root().join(PATH), self.lowered(measurements)).expect("the data file can be written");
    }

    fn lowered(&self, measurements: &[Measurement]) -> String {
        let (mut text, mut group) = (HEADING.to_owned(), "");
        for measurement in measurements {
            if group != measurement.group {
                group = measurement.group;
                let _ = write!(text, "\n[{group}]\n");
            }
            let lowest = lowest(measurement);
            let limit = self.of(measurement).map_or(lowest, |limit| limit.min(lowest));
            let _ = writeln!(text, "{} = {}", measurement.figure.key, measurement.figure.unit.render(limit));
        }
        text
    }

    /// A sentence for each figure that is worse than its limit, or better, and for each limit of no figure.
    pub(super) fn complaints(&self, measurements: &[Measurement]) -> Vec<String> {
        let recent = recently_changed();
        let mut complaints: Vec<String> =
            measurements.iter().filter_map(|measurement| self.complaint(measurement, &recent)).collect();
        let known = |(group, key): &(String, String)| {
            measurements.iter().any(|measurement| measurement.group == group && measurement.figure.key == key)
        };
        let strays = self.0.keys().filter(|key| !known(key));
        complaints.extend(
            strays.map(|(group, key)| format!("{PATH} limits `{key}` of `{group}`, which is no figure: remove it")),
        );
        complaints
    }

    fn complaint(&self, measurement: &Measurement, recent: &BTreeSet<String>) -> Option<String> {
        let Measurement { group, figure, value, offenders } = measurement;
        let render = |value| figure.unit.render(value);
        let named = format!("`{}` of `{group}` is {}", figure.key, render(*value));
        let Some(limit) = self.of(measurement) else {
            return Some(format!("{named} and has no limit that can be read: `UPDATE_GOLDENS=1` writes it to {PATH}"));
        };
        if *value > limit {
            let places = first_offenders(offenders, recent);
            return Some(format!("{named}, and may be {} at most: {}\n{places}", render(limit), figure.advice));
        }
        let lowest = lowest(measurement);
        (limit > lowest + figure.unit.rounding_step()).then(|| {
            let (limit, lowest) = (render(limit), render(lowest));
            format!("{named}, better than its limit of {limit}: lower the limit to {lowest} in {PATH}; `UPDATE_GOLDENS=1` does")
        })
    }
}

/// A limit need not be lower than its goal, so that what is good enough is free to move.
fn lowest(measurement: &Measurement) -> u64 {
    measurement.value.max(measurement.figure.goal)
}

/// A line for each offender, those in files of the last commit and after it first.
fn first_offenders(offenders: &[Offender], recent: &BTreeSet<String>) -> String {
    let (mut first, others): (Vec<&Offender>, Vec<&Offender>) =
        offenders.iter().partition(|offender| recent.contains(&offender.path));
    first.extend(others);
    let mut text = String::new();
    for offender in first.iter().take(OFFENDERS_MAX) {
        let _ = writeln!(text, "    {offender}");
    }
    if first.len() > OFFENDERS_MAX {
        let _ = writeln!(text, "    and {} more", first.len() - OFFENDERS_MAX);
    }
    text
}

/// A measurement of a share that has a goal of 15.0 percent.
fn sample(value: u64, offenders: usize) -> Measurement {
    const SAMPLE: Figure = Figure { key: "a_percent", unit: Unit::Percent, goal: 150, advice: "mend it" };
    let offender = |line| Offender { path: format!("{line}.rs"), line, what: "A".to_owned() };
    Measurement { group: "server", figure: &SAMPLE, value, offenders: (1..=offenders).map(offender).collect() }
}

#[test]
fn a_limit_holds_on_both_sides() {
    let limits = Limits::parse("[server]\na_percent = 43.2\n").unwrap();
    let complaint = |value| limits.complaint(&sample(value, 0), &BTreeSet::new());
    assert_eq!((complaint(432), complaint(431)), (None, None));
    assert!(complaint(433).unwrap().contains("is 43.3, and may be 43.2 at most: mend it"));
    assert!(complaint(430).unwrap().contains("lower the limit to 43.0"));
    assert!(complaint(100).unwrap().contains("lower the limit to 15.0"));
    assert!(Limits::default().complaint(&sample(1, 0), &BTreeSet::new()).unwrap().contains("no limit"));
    let at_the_goal = Limits::parse("[server]\na_percent = 15.0\n").unwrap();
    assert_eq!(at_the_goal.complaint(&sample(3, 0), &BTreeSet::new()), None);
    assert_eq!(
        at_the_goal.complaints(&[]),
        [format!("{PATH} limits `a_percent` of `server`, which is no figure: remove it")]
    );
}

#[test]
fn limits_are_lowered_and_never_raised() {
    let limits = Limits::parse("[server]\na_percent = 43.2\n").unwrap();
    for (value, limit) in [(500, "43.2"), (400, "40.0"), (100, "15.0")] {
        let written = limits.lowered(&[sample(value, 0)]);
        assert_eq!(written, format!("{HEADING}\n[server]\na_percent = {limit}\n"));
        let read = Limits::parse(&written).unwrap();
        assert_eq!(read.of(&sample(0, 0)).map(|limit| Unit::Percent.render(limit)).as_deref(), Some(limit));
    }
}

#[test]
fn what_changed_last_is_named_first() {
    let recent = BTreeSet::from(["25.rs".to_owned()]);
    let text = first_offenders(&sample(0, 30).offenders, &recent);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines[1], lines[20]), ("    25.rs:25: A", "    1.rs:1: A", "    and 10 more"));
}
