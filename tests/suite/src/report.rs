//! What people see while cases run and afterwards, and what is written down for the next run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::case::Case;
use crate::process::{Outcome, Running, Taken};

/// Rows of the table of the slowest cases.
const SLOWEST: usize = 25;
/// Lines of a failed case's output that are shown; all of them are in its file.
const LINES_SHOWN: usize = 150;
/// Between two times that figures are written down, so that a run which is ended leaves those of what it ran.
const WRITTEN_EVERY: Duration = Duration::from_secs(30);

/// Results so far.
#[derive(Debug)]
pub(crate) struct Report {
    started: Instant,
    all: usize,
    results: Vec<(Case, Taken)>,
    terminal: bool,
    last_progress: Instant,
    last_written: Instant,
    /// The file of figures.
    times: PathBuf,
    /// All cases that there are, whether they run or not.
    ids: BTreeSet<String>,
}

impl Report {
    /// A report of so many runs of cases. Figures go to a file, beside those of the other cases with these names.
    pub(crate) fn new(all: usize, times: PathBuf, ids: BTreeSet<String>) -> Self {
        let now = Instant::now();
        let terminal = io::stderr().is_terminal();
        Self { started: now, all, results: Vec::new(), terminal, last_progress: now, last_written: now, times, ids }
    }

    /// Adds a result; one that is not good is shown at once.
    pub(crate) fn add(&mut self, case: &Case, taken: Taken) {
        if taken.outcome != Outcome::Passed {
            self.clear_line();
            let how = if taken.outcome == Outcome::Hung { "HUNG, and was ended" } else { "FAILED" };
            let log = fs::read(&taken.log).unwrap_or_default();
            let log = String::from_utf8_lossy(&log);
            let lines: Vec<&str> = log.lines().collect();
            let shown = &lines[lines.len().saturating_sub(LINES_SHOWN)..];
            eprintln!("\n---- {}: {how} after {:.1} s ----\n{}\n", case.id, taken.seconds, shown.join("\n"));
        }
        self.results.push((case.clone(), taken));
    }

    /// Shows how far it is: on a terminal in one line that changes, elsewhere now and then. Figures so far are written down.
    ///
    /// # Errors
    /// The error of writing the figures.
    pub(crate) fn progress(&mut self, running: &[Running], waiting: usize) -> io::Result<()> {
        if self.last_written.elapsed() >= WRITTEN_EVERY {
            self.last_written = Instant::now();
            self.write()?;
        }
        let pause = if self.terminal { Duration::from_millis(500) } else { Duration::from_secs(20) };
        if self.last_progress.elapsed() < pause {
            return Ok(());
        }
        self.last_progress = Instant::now();
        let mut oldest: Vec<&Running> = running.iter().collect();
        oldest.sort_by_key(|running| running.started);
        let names =
            oldest.iter().map(|running| format!("{} {}s", running.case.id, running.started.elapsed().as_secs()));
        let names = names.collect::<Vec<_>>().join(", ");
        let (done, failed) = (self.results.len(), self.failed().count());
        let line = format!("{} {done}/{} done, {failed} failed, {waiting} waiting; {names}", self.clock(), self.all);
        if self.terminal {
            let line: String = line.chars().take(150).collect();
            eprint!("\r\x1b[K{line}");
            let _ = io::stderr().flush();
        } else {
            eprintln!("{line}");
        }
        Ok(())
    }

    fn clock(&self) -> String {
        let seconds = self.started.elapsed().as_secs();
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }

    fn clear_line(&self) {
        if self.terminal {
            eprint!("\r\x1b[K");
        }
    }

    fn failed(&self) -> impl Iterator<Item = &(Case, Taken)> {
        self.results.iter().filter(|(_, taken)| taken.outcome != Outcome::Passed)
    }

    /// How many failed.
    pub(crate) fn failures(&self) -> usize {
        self.failed().count()
    }

    /// The slowest cases, as a table.
    #[allow(clippy::float_arithmetic, reason = "figures for people")]
    pub(crate) fn print_slowest(&self) {
        self.clear_line();
        let mut slowest: Vec<_> = self.results.iter().collect();
        slowest.sort_by(|(_, a), (_, b)| b.seconds.total_cmp(&a.seconds));
        println!("\n{:>8} {:>10} {:>8}  case (programs below it)", "seconds", "processor", "waited");
        for (case, taken) in slowest.iter().take(SLOWEST) {
            let waited = (taken.seconds - taken.processor).max(0.0);
            let programs = taken.programs.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
            println!("{:8.1} {:10.1} {waited:8.1}  {} ({programs})", taken.seconds, taken.processor, case.id);
        }
        let sum = |figure: fn(&Taken) -> f64| self.results.iter().map(|(_, taken)| figure(taken)).sum::<f64>();
        println!("{:8.1} {:10.1}           all", sum(|taken| taken.seconds), sum(|taken| taken.processor));
    }

    /// How many passed, failed and were left out, and how each failure is run again.
    pub(crate) fn print_end(&self, left_out: usize) {
        self.clear_line();
        for (case, taken) in self.failed() {
            println!("failed: tests/run {}   (its output: {})", case.id, taken.log.display());
        }
        if left_out > 0 {
            println!("{left_out} cases were left out: tests/run --long");
        }
        let failed = self.failures();
        println!("suite: {} passed, {failed} failed, {left_out} skipped", self.results.len() - failed);
    }

    /// Writes all figures down, in tab-separated columns.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn write(&self) -> io::Result<()> {
        let mut rows = rows(&self.times);
        rows.retain(|id, _| self.ids.contains(id));
        // Of a case that ran several times, a failure is what counts.
        let mut results: Vec<_> = self.results.iter().collect();
        results.sort_by_key(|(_, taken)| taken.outcome != Outcome::Passed);
        for (case, taken) in results {
            let programs = taken.programs.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
            let outcome = format!("{:?}", taken.outcome).to_lowercase();
            let row =
                format!("{:.2}\t{:.2}\t{outcome}\t{}\t{programs}", taken.seconds, taken.processor, case.marks.words());
            rows.insert(case.id.clone(), row);
        }
        let mut text = String::from("case\tseconds\tprocessor\toutcome\tmarks\tprograms\n");
        text.extend(rows.iter().map(|(id, row)| format!("{id}\t{row}\n")));
        // Whoever ends the run while this is written finds the file of before.
        let fresh = self.times.with_extension("new");
        fs::write(&fresh, text)?;
        fs::rename(fresh, &self.times)
    }
}

/// What was written down of each case.
fn rows(path: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let rows = text.lines().skip(1).filter_map(|line| line.split_once('\t'));
    rows.map(|(id, row)| (id.to_owned(), row.to_owned())).collect()
}

/// The seconds that each case took when it last ran.
pub(crate) fn last_seconds(path: &Path) -> BTreeMap<String, f64> {
    let seconds = |row: &str| row.split('\t').next().and_then(|seconds| seconds.parse().ok());
    rows(path).into_iter().filter_map(|(id, row)| Some((id, seconds(&row)?))).collect()
}
