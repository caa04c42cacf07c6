//! One planted mistake at a time: exactly one complaint, at exactly the place, with exactly the suggestion.

use std::{collections::BTreeSet, fs};

use tollgate_spec_language::{diagnostics::DiagnosticCode, load, parse::SpecSources};

use crate::{base, more};

/// One planted mistake.
struct Case {
    code: String,
    title: String,
    suggests: Option<String>,
    changes: Vec<Change>,
}

/// Lines of a file and what stands there instead.
struct Change {
    path: String,
    was: String,
    now: String,
}

/// What a case came to.
struct Outcome {
    place: bool,
    suggestion: bool,
    report: String,
}

#[test]
fn every_mistake_is_named_where_it_is() {
    let cases = cases();
    let (mut exact, mut suggested, mut wanted) = (0, 0, 0);
    let mut reports = String::new();
    for case in &cases {
        let outcome = case.run();
        exact += usize::from(outcome.place);
        if case.suggests.is_some() {
            wanted += 1;
            suggested += usize::from(outcome.suggestion);
        }
        if !outcome.place || !outcome.suggestion {
            reports += &format!("=== {} {}\n{}\n", case.code, case.title, outcome.report);
        }
    }
    let codes: BTreeSet<&str> = cases.iter().map(|case| case.code.as_str()).collect();
    println!(
        "{} mistakes of {} codes: {exact} at the exact place; {suggested} of {wanted} with the right suggestion",
        cases.len(),
        codes.len()
    );
    assert!(reports.is_empty(), "{reports}");
}

#[test]
fn every_code_has_a_mistake() {
    let seeded: BTreeSet<String> = cases().into_iter().map(|case| case.code).chain(more::codes()).collect();
    // O017 comes from the stage after the check.
    let missing =
        DiagnosticCode::all().map(DiagnosticCode::as_str).filter(|code| *code != "O017" && !seeded.contains(*code));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&str>::new());
}

impl Case {
    fn run(&self) -> Outcome {
        let mut files = base::files();
        let mut marked = None;
        for change in &self.changes {
            let text = files.entry(change.path.clone()).or_default();
            if change.was.is_empty() {
                text.push_str(&change.now);
            } else {
                assert_eq!(text.matches(&change.was).count(), 1, "{}: the lines to replace are there once", self.title);
                *text = text.replace(&change.was, &change.now);
            }
            if let (Some(start), Some(end)) = (text.find('«'), text.find('»')) {
                let end = end - '«'.len_utf8();
                *text = text.replace(['«', '»'], "");
                marked = Some((format!("spec/{}", change.path), start, end));
            }
        }
        let (path, start, end) = marked.expect("a case marks the place of the complaint");
        let sources = SpecSources::new(files.iter().map(|(path, text)| (format!("spec/{path}"), bytes(text))));
        let loaded = load(&sources);
        let [found] = loaded.diagnostics.as_slice() else {
            return Outcome { place: false, suggestion: false, report: base::rendered(&sources) };
        };
        let file = sources.file(found.primary.place.file).expect("a file of the spec");
        let at = file.place_of(found.primary.place.file, start);
        let expected = (self.code.as_str(), path.as_str(), at.line, at.column, end);
        let place = found.primary.place;
        let actual = (found.code.as_str(), file.path.as_str(), place.line, place.column, place.end as usize);
        let suggestion = found.suggestion.as_ref().map(|suggestion| &suggestion.text) == self.suggests.as_ref();
        let report = format!("{expected:?} expected, {actual:?} found\n{}", base::rendered(&sources));
        Outcome { place: expected == actual, suggestion, report }
    }
}

/// The bytes of a text; `\xff` in it is that byte.
fn bytes(text: &str) -> Vec<u8> {
    match text.split_once("\\xff") {
        Some((before, after)) => [before.as_bytes(), &[0xff], after.as_bytes()].concat(),
        None => text.as_bytes().to_vec(),
    }
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut paths: Vec<_> =
        fs::read_dir(base::folder()).expect("the cases").map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    for path in paths.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "cases")) {
        let text = fs::read_to_string(&path).expect("a text");
        cases.extend(text.split("=== ").filter(|case| !case.trim().is_empty()).map(read));
    }
    cases
}

/// Reads one case, see the README beside the cases.
fn read(text: &str) -> Case {
    let (head, rest) = text.split_once('\n').expect("a case has a head line");
    let (code, title) = head.split_once(' ').expect("a code and a title");
    let mut case = Case { code: code.to_owned(), title: title.to_owned(), suggests: None, changes: Vec::new() };
    let mut after = false;
    // The empty line between two cases belongs to neither.
    let rest = if rest.ends_with("\n\n") { &rest[..rest.len() - 1] } else { rest };
    for line in rest.split_inclusive('\n') {
        let plain = line.trim_end_matches('\n');
        if let Some(suggestion) = plain.strip_prefix("suggests: ") {
            case.suggests = Some(suggestion.to_owned());
        } else if let Some(path) = plain.strip_prefix("--- ") {
            after = false;
            case.changes.push(Change { path: path.to_owned(), was: String::new(), now: String::new() });
        } else if plain == "+++" {
            after = true;
        } else {
            let change = case.changes.last_mut().expect("lines follow the name of a file");
            if after { change.now.push_str(line) } else { change.was.push_str(line) }
        }
    }
    case
}
