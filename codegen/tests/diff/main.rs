//! `codegen diff`: a fixture for every class of change, compatible changes without an alarm, and the command on real
//! repositories.
//!
//! The old spec is the small golden one with `more.yaml` beside it; a fixture edits it. Each is compared both ways, since what
//! goes one way comes the other.

mod cases;
mod command;

use std::{collections::BTreeSet, sync::LazyLock};

use tollgate_spec_language::{
    diagnostics::{DiagnosticPrinter, Severity},
    diff::{SpecChange, classes, compare},
    load,
    model::Spec,
    parse::SpecSources,
};

use cases::{COMPATIBLE, Case, cases};

const MINI: &str = include_str!("../../../tests/golden/mini/spec/mini.yaml");
const MORE: &str = include_str!("more.yaml");

/// A spec: the texts of its two files.
#[derive(Clone)]
struct Texts([(&'static str, String); 2]);

impl Texts {
    fn old() -> Self {
        Self([("spec/mini.yaml", MINI.to_owned()), ("spec/more.yaml", MORE.to_owned())])
    }

    fn edited(edits: &[(&str, &str)]) -> Self {
        let mut texts = Self::old();
        for (was, now) in edits {
            let found: usize = texts.0.iter().map(|(_, text)| text.matches(was).count()).sum();
            assert_eq!(found, 1, "`{was}` is there {found} times");
            texts.0.iter_mut().for_each(|(_, text)| *text = text.replacen(was, now, 1));
        }
        texts
    }

    fn sources(&self) -> SpecSources {
        SpecSources::new(self.0.iter().map(|(path, text)| (*path, text)))
    }

    /// The line of a place.
    fn line(&self, file: &str, line: u32) -> &str {
        let (_, text) = self.0.iter().find(|(path, _)| *path == file).expect("one of the two files");
        text.lines().nth(line as usize - 1).expect("a line of it")
    }
}

/// The old spec, which every fixture is compared with.
static OLD: LazyLock<Spec> = LazyLock::new(|| spec(&Texts::old()).unwrap_or_else(|why| panic!("{why}")));

/// A spec, or its mistakes.
fn spec(texts: &Texts) -> Result<Spec, String> {
    let sources = texts.sources();
    let loaded = load(&sources);
    let printer = DiagnosticPrinter::new(&sources, false);
    let errors = loaded.diagnostics.iter().filter(|it| it.severity == Severity::Error);
    let told: Vec<String> = errors.map(|it| printer.render(it)).collect();
    if loaded.has_errors() { Err(told.join("\n")) } else { Ok(loaded.spec) }
}

/// What is wrong with how a fixture is told, both ways.
fn wrong(case: &Case) -> Vec<String> {
    let texts = Texts::edited(case.edits);
    match spec(&texts) {
        Ok(edited) => [true, false].into_iter().filter_map(|forth| told_wrong(case, &texts, &edited, forth)).collect(),
        Err(why) => vec![format!("{}: {why}", case.subject)],
    }
}

fn told_wrong(case: &Case, edited: &Texts, spec: &Spec, forth: bool) -> Option<String> {
    let subjects = case.subject.split_once(" <> ").unwrap_or((case.subject, case.subject));
    let (subject, expected) = (if forth { subjects.0 } else { subjects.1 }, case.classes(forth));
    let old = Texts::old();
    let mut sides = [(&old, case.old), (edited, case.new)];
    let findings = if forth {
        compare(&OLD, spec)
    } else {
        sides.reverse();
        compare(spec, &OLD)
    };
    let mut told: Vec<&str> = findings.iter().map(|finding| finding.class.id).collect();
    let mut wanted = expected.clone();
    told.sort_unstable();
    wanted.sort_unstable();
    if told != wanted {
        let told: Vec<String> = findings.iter().map(|it| format!("{} {}", it.class.id, it.subject)).collect();
        return Some(format!("{subject}: wanted {wanted:?}, told {told:?}"));
    }
    let Some(finding) = findings.iter().find(|it| it.class.id == expected[0] && it.subject == subject) else {
        let subjects: Vec<&str> = findings.iter().map(|it| it.subject.as_str()).collect();
        return Some(format!("{subject}: {} is told of {subjects:?}", expected[0]));
    };
    for ((texts, marker), spot) in sides.into_iter().zip([&finding.old, &finding.new]) {
        let line = texts.line(&spot.file, spot.line);
        if !marker.split('|').any(|marker| line.contains(marker)) {
            return Some(format!("{subject}: {} is told at {spot}, which is `{line}`", expected[0]));
        }
    }
    let left_open = ["{subject}", "{key}", "{old}", "{new}"].iter().any(|slot| finding.says.contains(slot));
    left_open.then(|| format!("{subject}: {}", finding.says))
}

#[test]
fn every_class_is_told_where_it_is() {
    let wrong: Vec<String> = cases().iter().flat_map(wrong).collect();
    assert!(wrong.is_empty(), "{} fixtures:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_class_has_a_fixture() {
    let all = cases();
    let told: BTreeSet<&str> =
        all.iter().flat_map(|case| [case.classes(true), case.classes(false)]).flatten().collect();
    let without: Vec<&str> = classes().map(|class| class.id).filter(|id| !told.contains(id)).collect();
    assert!(without.is_empty(), "{without:?}");
    assert!(told.iter().all(|id| classes().any(|class| class.id == *id)), "{told:?}");
}

#[test]
fn what_breaks_nobody_is_no_alarm() {
    let all = cases();
    let is_breaking = |id: &&str| classes().any(|class| class.id == *id && class.is_breaking());
    let mut quiet = 0;
    for case in &all {
        for forth in [true, false] {
            // Held to exactly these classes above.
            quiet += usize::from(!case.classes(forth).iter().any(is_breaking));
        }
    }
    for (what, edits) in COMPATIBLE {
        let edited = spec(&Texts::edited(edits)).unwrap_or_else(|why| panic!("{what}: {why}"));
        let findings = compare(&OLD, &edited);
        let alarms: Vec<&SpecChange> = findings.iter().filter(|finding| finding.class.is_breaking()).collect();
        assert!(alarms.is_empty(), "{what}: {alarms:?}");
        quiet += 1;
    }
    assert!(quiet >= 40, "{quiet}");
}

#[test]
fn a_spec_is_not_different_from_itself() {
    let findings = compare(&OLD, &OLD);
    assert!(findings.is_empty(), "{findings:?}");
}
