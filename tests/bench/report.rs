//! The table of medians, as Markdown.

use std::fmt::Write;

use crate::machine::Machine;

/// The subject that the ratios are to, by its place.
const REFERENCE: usize = 1;

/// One figure of one subject in one round.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    pub(crate) value: u64,
}

/// Medians of all rounds.
#[derive(Debug)]
pub(crate) struct Report {
    machine: Machine,
    rounds: usize,
    /// The provider itself and the reference come first.
    subjects: Vec<&'static str>,
    pub(crate) rows: Vec<Row>,
    /// True if the last subject is another build of the one before it.
    has_other_build: bool,
}

/// A figure of all subjects.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    /// `None` where it was not taken of a subject.
    medians: Vec<Option<u64>>,
}

impl Report {
    pub(crate) fn new(
        machine: Machine,
        rounds: usize,
        taken: &[(&'static str, Vec<Figure>)],
        has_other_build: bool,
    ) -> Self {
        let mut rows: Vec<Row> = Vec::new();
        for figure in taken.iter().flat_map(|(_, figures)| figures) {
            if !rows.iter().any(|row| (&row.name, row.unit) == (&figure.name, figure.unit)) {
                let medians = taken.iter().map(|(_, figures)| median(figures, &figure.name)).collect();
                rows.push(Row { name: figure.name.clone(), unit: figure.unit, medians });
            }
        }
        let subjects = taken.iter().map(|(name, _)| *name).collect();
        Self { machine, rounds, subjects, rows, has_other_build }
    }

    /// The subjects that have a ratio to the reference, and their places.
    pub(crate) fn compared(&self) -> impl Iterator<Item = (usize, &'static str)> {
        self.subjects.iter().copied().enumerate().skip(REFERENCE + 1)
    }

    /// The machine and the method, in two sentences.
    pub(crate) fn conditions(&self) -> String {
        let (machine, rounds, reference) = (&self.machine, self.rounds, self.subjects[REFERENCE]);
        format!("{machine}. Medians of rounds: {rounds}; ratios are to the {reference}, on one core each.")
    }

    /// The ratios first, then the figures.
    pub(crate) fn markdown(&self) -> String {
        let mut text = format!("{}\n\n| figure | unit |", self.conditions());
        for (_, subject) in self.compared() {
            let _ = write!(text, " {subject}: ratio |");
        }
        if self.has_other_build {
            text.push_str(" other build to gateway |");
        }
        let _ = writeln!(text, " {} |", self.subjects.join(" | "));
        let columns = self.compared().count() + usize::from(self.has_other_build) + self.subjects.len();
        let _ = writeln!(text, "| --- | --- |{}", " ---: |".repeat(columns));
        for row in &self.rows {
            let _ = write!(text, "| {} | {} |", row.name, row.unit);
            for (place, _) in self.compared() {
                let _ = write!(text, " {} |", shown(row.ratio(place)));
            }
            if self.has_other_build {
                let last = row.medians.len() - 1;
                let _ = write!(text, " {} |", shown(hundredths(row.medians[last], row.medians[last - 1])));
            }
            let figures = row.medians.iter().map(|median| median.map_or("-".to_owned(), |value| value.to_string()));
            let _ = writeln!(text, " {} |", figures.collect::<Vec<_>>().join(" | "));
        }
        text
    }
}

impl Row {
    /// The figure of the subject at `place` to that of the reference, in hundredths.
    pub(crate) fn ratio(&self, place: usize) -> Option<u64> {
        hundredths(self.medians[place], self.medians[REFERENCE])
    }
}

fn median(figures: &[Figure], name: &str) -> Option<u64> {
    let mut values: Vec<u64> = figures.iter().filter(|figure| figure.name == name).map(|figure| figure.value).collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

fn hundredths(value: Option<u64>, reference: Option<u64>) -> Option<u64> {
    (value? * 100).checked_div(reference?)
}

/// A ratio with two decimal places; a dash where there is none.
pub(crate) fn shown(hundredths: Option<u64>) -> String {
    hundredths.map_or("-".to_owned(), |ratio| format!("{}.{:02}", ratio / 100, ratio % 100))
}
