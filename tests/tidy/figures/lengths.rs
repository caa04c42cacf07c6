//! Lengths: of functions, of files, of the README.

use super::figure::{Figure, Measurement, Offender, Unit, share};
use super::sources::{Group, SourceFile};
use crate::functions::{LINES_MAX, functions};
use crate::source::{File, root};

const LONG_FUNCTIONS: Figure = Figure {
    key: "long_functions_percent",
    unit: Unit::Percent,
    goal: 1,
    advice: "split the function into its steps, or make its table data",
};

const FILE_LINES: Figure =
    Figure { key: "file_lines_median", unit: Unit::Count, goal: 110, advice: "split the files that hold two things" };

const README_WORDS: Figure = Figure {
    key: "words",
    unit: Unit::Count,
    goal: 900,
    advice: "move what a first reader does not need into server/guides",
};

const README_LINES: Figure = Figure { key: "lines", unit: Unit::Count, goal: 150, ..README_WORDS };

/// The lengths in a group. Tables count here, unlike in the rule of `functions`.
pub(super) fn measure(group: Group, sources: &[&SourceFile]) -> [Measurement; 2] {
    let (mut long, mut whole) = (Vec::new(), 0);
    for source in sources {
        for function in functions(&source.file).filter(|function| !source.is_test_line(function.line)) {
            whole += 1;
            if function.lines.len() > LINES_MAX {
                let what = format!("{} lines", function.lines.len());
                long.push(Offender { path: source.file.path.clone(), line: function.line, what });
            }
        }
    }
    let value = share(long.len(), whole);
    [
        Measurement { group: group.key(), figure: &LONG_FUNCTIONS, value, offenders: long },
        file_lines(group, sources.iter().map(|source| &source.file)),
    ]
}

/// The median of the lines of files; those above the goal offend, the longest first.
fn file_lines<'f>(group: Group, files: impl Iterator<Item = &'f File>) -> Measurement {
    let mut lengths: Vec<(usize, &str)> = files.map(|file| (file.text.lines().count(), &*file.path)).collect();
    lengths.sort_unstable_by(|one, other| other.cmp(one));
    let value = lengths.get(lengths.len() / 2).map_or(0, |(lines, _)| *lines as u64);
    let above = lengths.iter().take_while(|(lines, _)| *lines as u64 > FILE_LINES.goal);
    let offender = |(lines, path): &(usize, &str)| Offender {
        path: (*path).to_owned(),
        line: *lines,
        what: format!("{lines} lines"),
    };
    Measurement { group: group.key(), figure: &FILE_LINES, value, offenders: above.map(offender).collect() }
}

/// The words and the lines of the README, its examples among them.
pub(super) fn readme() -> [Measurement; 2] {
    let text = std::fs::read_to_string(root().join("README.md")).expect("there is a README");
    let measurement =
        |figure, value: usize| Measurement { group: "readme", figure, value: value as u64, offenders: Vec::new() };
    [measurement(&README_WORDS, text.split_whitespace().count()), measurement(&README_LINES, text.lines().count())]
}

#[test]
fn lengths_are_counted() {
    let function = |lines: usize| format!("fn f() {{\n{}}}\n", "    a();\n".repeat(lines - 2));
    let texts = [function(LINES_MAX), function(LINES_MAX + 1), function(3), function(200) + &function(200)];
    let paths = ["a.rs", "b.rs", "c.rs", "d.rs"];
    let files: Vec<(&str, &str)> = paths.into_iter().zip(texts.iter().map(|text| &**text)).collect();
    let sources = super::sources::sample(&files);
    let [long, median] = measure(Group::Server, &sources.iter().collect::<Vec<_>>());
    let places: Vec<String> = long.offenders.iter().map(ToString::to_string).collect();
    let expected = ["server/src/b.rs:1: 71 lines", "server/src/d.rs:1: 200 lines", "server/src/d.rs:201: 200 lines"];
    assert_eq!((long.value, places), (600, expected.map(str::to_owned).to_vec()));
    assert_eq!((median.value, median.offenders.len()), (70, 1));
    assert!(readme().iter().all(|measurement| measurement.value > 0));
}
