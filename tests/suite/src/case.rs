//! Test cases: their names, and how they are chosen.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::arguments::Arguments;
use crate::marks::Marks;

/// A test binary.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Binary {
    /// What the names of its cases begin with: `it`, `server`, `codegen::mistakes`.
    pub(crate) prefix: String,
    /// The name of its package.
    pub(crate) package: String,
    /// The folder of its package, where its cases run.
    pub(crate) folder: PathBuf,
    /// The source file that it begins with.
    pub(crate) source: PathBuf,
    /// The file that is run.
    pub(crate) executable: PathBuf,
    /// Whether its cases are unit tests.
    pub(crate) is_unit: bool,
}

/// What a case runs.
#[derive(Debug, Clone)]
pub(crate) enum Program {
    /// One test of a test binary, by its name in there.
    Test(Arc<Binary>, String),
    /// The doc tests of all packages, by `cargo test`.
    DocTests,
}

/// One thing that passes or fails.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    /// Its name in this suite, unique.
    pub(crate) id: String,
    pub(crate) program: Program,
    pub(crate) marks: Marks,
}

impl Case {
    /// A test of a binary.
    pub(crate) fn test(binary: &Arc<Binary>, name: &str, marks: Marks) -> Self {
        let id = format!("{}::{name}", binary.prefix);
        Self { id, program: Program::Test(Arc::clone(binary), name.to_owned()), marks }
    }

    /// The doc tests of all packages.
    pub(crate) fn doc_tests() -> Self {
        let marks = Marks { processor: true, ..Marks::default() };
        Self { id: "doc::tests".to_owned(), program: Program::DocTests, marks }
    }

    fn is_unit(&self) -> bool {
        matches!(&self.program, Program::Test(binary, _) if binary.is_unit)
    }

    /// Whether a name is a `::` part of its own, or several of them in a row.
    fn has_part(&self, name: &str) -> bool {
        format!("::{}::", self.id).contains(&format!("::{}::", name.trim_matches(':')))
    }
}

/// Cases that were asked for, and how many of those were left out for their length.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) cases: Vec<Case>,
    /// Those that `--quick` leaves out, or that run with `--long` alone.
    pub(crate) left_out: usize,
}

/// Chooses by names and length.
///
/// # Errors
/// A sentence that tells the name which no case has, or that nothing is left to run.
pub(crate) fn chosen(cases: Vec<Case>, arguments: &Arguments) -> Result<Chosen, String> {
    let named = named(cases, &arguments.names)?;
    let by_name = |case: &Case| arguments.names.contains(&case.id);
    let runs = |case: &Case| match (arguments.quick, arguments.long || arguments.list || by_name(case)) {
        (true, _) => !case.marks.long && (case.is_unit() || case.marks.quick),
        (false, all) => all || !case.marks.long,
    };
    let (cases, others): (Vec<Case>, Vec<Case>) = named.into_iter().partition(runs);
    match (cases.is_empty(), others.len()) {
        (true, left_out) => Err(format!("{left_out} cases have such a name, and none runs at this length: see --list")),
        (false, left_out) => Ok(Chosen { cases, left_out }),
    }
}

/// Names that none of the cases has which were there when the suite ran last. Which there are now is known when they are built.
pub(crate) fn unknown_names<'n>(names: &'n [String], known: &BTreeMap<String, f64>) -> Vec<&'n str> {
    let is_known = |name: &&str| known.is_empty() || known.keys().any(|case| case.contains(name));
    names.iter().map(String::as_str).filter(|name| !is_known(name)).collect()
}

/// The cases that have one of the names: as a part of their own, or where no case has such a part, as a text in it.
fn named(cases: Vec<Case>, names: &[String]) -> Result<Vec<Case>, String> {
    let mut wanted = vec![names.is_empty(); cases.len()];
    for name in names {
        let mark = |wanted: &mut Vec<bool>, has: &dyn Fn(&Case) -> bool| {
            let found = cases.iter().zip(wanted).filter(|(case, _)| has(case));
            found.map(|(_, wanted)| *wanted = true).count()
        };
        let found = match mark(&mut wanted, &|case| case.has_part(name)) {
            0 => mark(&mut wanted, &|case| case.id.contains(name.as_str())),
            found => found,
        };
        if found == 0 {
            return Err(format!("no case has `{name}` in its name; see `tests/run --list`"));
        }
    }
    Ok(cases.into_iter().zip(wanted).filter_map(|(case, wanted)| wanted.then_some(case)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(id: &str, unit: bool, marks: &str) -> Case {
        let (prefix, name) = id.split_once("::").unwrap();
        let binary = Binary {
            prefix: prefix.to_owned(),
            package: String::new(),
            folder: PathBuf::new(),
            source: PathBuf::new(),
            executable: PathBuf::new(),
            is_unit: unit,
        };
        Case::test(&Arc::new(binary), name, Marks::parse(marks).unwrap())
    }

    fn check(arguments: &str, expected: &[&str], left: usize) {
        let cases = vec![
            case("server::credit::hold::works", true, ""),
            case("it::credit_notes::works", false, "quick"),
            case("it::kill::a_killed_server_loses_nothing", false, "long"),
            case("it::kill::once", false, "processor"),
        ];
        let arguments = Arguments::parse(arguments.split_whitespace().map(str::to_owned)).unwrap();
        match chosen(cases, &arguments) {
            Ok(Chosen { cases, left_out }) => {
                let ids: Vec<&str> = cases.iter().map(|case| case.id.as_str()).collect();
                assert_eq!((ids.as_slice(), left_out), (expected, left));
            }
            Err(error) => assert_eq!((vec![error.as_str()].as_slice(), 0), (expected, left)),
        }
    }

    #[test]
    fn names_choose_by_parts_and_else_by_text() {
        check("credit", &["server::credit::hold::works"], 0);
        check("credit_n", &["it::credit_notes::works"], 0);
        check("it::kill", &["it::kill::once"], 1);
        check("credit_n credit", &["server::credit::hold::works", "it::credit_notes::works"], 0);
        check("credit absent", &["no case has `absent` in its name; see `tests/run --list`"], 0);
        check("--quick once", &["1 cases have such a name, and none runs at this length: see --list"], 0);
    }

    #[test]
    fn a_name_that_no_case_had_is_told_before_the_build() {
        let names = ["credit".to_owned(), "absent".to_owned()];
        let known = BTreeMap::from([("server::credit::hold::works".to_owned(), 1.0)]);
        assert_eq!(unknown_names(&names, &known), ["absent"]);
        assert_eq!(unknown_names(&names, &BTreeMap::new()), Vec::<&str>::new(), "nothing is known at first");
    }

    #[test]
    fn lengths_choose_by_marks() {
        check("", &["server::credit::hold::works", "it::credit_notes::works", "it::kill::once"], 1);
        check("--quick", &["server::credit::hold::works", "it::credit_notes::works"], 2);
        check("--long it::kill", &["it::kill::a_killed_server_loses_nothing", "it::kill::once"], 0);
        check("it::kill::a_killed_server_loses_nothing", &["it::kill::a_killed_server_loses_nothing"], 0);
    }
}
