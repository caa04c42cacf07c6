//! What the compiler says when an item is declared or used wrongly: the text is part of the product. A changed text is
//! accepted by running the long case with `TRYBUILD=overwrite`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::Value;
use tollgate_tests::rustc;

/// Crates that the cases import.
const LIBRARIES: [&str; 4] = ["tollgate_api", "tollgate_base", "tollgate_macros", "tollgate_tests"];
/// As trybuild has it: wide, and with types written out.
const AS_TRYBUILD: [&str; 2] = ["--diagnostic-width=140", "--verbose"];

/// Texts and places, byte for byte. It builds all that the cases stand on once more, in a way of its own.
// suite: long processor 300s
#[test]
fn misuse_is_told_at_the_place_at_fault() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/macros/*.rs");
    cases.compile_fail("ui/service/*.rs");
}

/// The same by the compiler alone, over what the tests are built of: texts and code, line by line.
// suite: processor
#[test]
fn misuse_is_told_in_our_words() {
    let cases = cases();
    assert!(cases.len() >= 50, "{}", cases.len());
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (expected, told) = (expected_lines(case), rendered_lines(case));
                    if !agree(&expected, &told) {
                        let difference =
                            format!("=== {case}\n{}\n--- expected\n{}", told.join("\n"), expected.join("\n"));
                        wrong.lock().expect("nobody panics with it").push(difference);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("nobody panics with it");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Every complaint about a generated item names its place in the spec, but where rustc alone speaks.
#[test]
fn complaints_name_the_spec() {
    let named = cases().iter().filter(|case| text_of(case).contains("declared at spec/")).count();
    assert!(named >= 24, "only {named} complaints name the spec");
}

/// The cases, from the folder of this package, without the ending of their files.
fn cases() -> Vec<String> {
    let mut cases = Vec::new();
    for kind in ["macros", "service"] {
        for entry in fs::read_dir(package().join("ui").join(kind)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|ending| ending == "rs") {
                cases.push(format!("ui/{kind}/{}", path.file_stem().expect("a name").display()));
            }
        }
    }
    cases
}

fn package() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn text_of(case: &str) -> String {
    fs::read_to_string(package().join(format!("{case}.stderr"))).expect("text")
}

fn expected_lines(case: &str) -> Vec<String> {
    text_of(case).lines().filter_map(line).collect()
}

/// The line in which trybuild cuts a long list.
const AND_OTHERS: &str = "and others";

/// True where both are the same, but for lists that are cut in the expected lines.
fn agree(expected: &[String], told: &[String]) -> bool {
    let mut told = told.iter().peekable();
    let mut expected = expected.iter().peekable();
    while let Some(line) = expected.next() {
        if line == AND_OTHERS {
            while told.peek().is_some_and(|line| Some(line) != expected.peek()) {
                told.next();
            }
        } else if told.next() != Some(line) {
            return false;
        }
    }
    told.next().is_none()
}

/// The lines of the compiler's errors about a case.
fn rendered_lines(case: &str) -> Vec<String> {
    let out = tempfile::tempdir().expect("a temporary folder");
    // Places in libraries are told from the root of the workspace, and are shown where they are found there.
    let source = Path::new("tests").join(format!("{case}.rs"));
    let output = rustc::check("bin", &source, &package().join(".."), &LIBRARIES, out.path(), &AS_TRYBUILD);
    assert!(!output.status.success(), "{case} compiles");
    let errors = rustc::messages(&output).into_iter().filter(|told| told["level"] == "error");
    let placed = errors.filter(|told| told["spans"].as_array().is_some_and(|spans| !spans.is_empty()));
    let text = |told: Value| told["rendered"].as_str().unwrap_or_default().to_owned();
    placed.map(text).collect::<String>().lines().filter_map(line).collect()
}

/// A line without its margin and numbers, and with the files of this repository named from its root.
fn line(line: &str) -> Option<String> {
    let line = line.trim_start_matches(|letter: char| letter == ' ' || letter.is_ascii_digit());
    if line.is_empty() || line.starts_with("For more information") {
        return None;
    }
    if line.starts_with("-->") || line.starts_with(":::") {
        let file = line.split(".rs").next().unwrap_or(line);
        return Some(file.replace("tests/", "").replace("$WORKSPACE/", ""));
    }
    if line.starts_with("and ") && line.ends_with(" others") {
        return Some(AND_OTHERS.to_owned());
    }
    Some(line.to_owned())
}
