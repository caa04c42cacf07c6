//! Test cases: their names, and how they are chosen.

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

    /// Whether its name is meant by one of `names`: a `::` part of it, or several of them in a row.
    fn has_part(&self, names: &[String]) -> bool {
        names.iter().any(|name| format!("::{}::", self.id).contains(&format!("::{name}::")))
    }

    fn has_text(&self, names: &[String]) -> bool {
        names.iter().any(|name| self.id.contains(name.as_str()))
    }
}

/// The cases that were asked for, and how many long ones were left out.
pub(crate) fn chosen(cases: Vec<Case>, arguments: &Arguments) -> (Vec<Case>, usize) {
    let named = match &arguments.names[..] {
        [] => cases,
        names => {
            let (parts, others): (Vec<Case>, Vec<Case>) = cases.into_iter().partition(|case| case.has_part(names));
            if parts.is_empty() { others.into_iter().filter(|case| case.has_text(names)).collect() } else { parts }
        }
    };
    if arguments.quick {
        let quick = named.into_iter().filter(|case| !case.marks.long && (case.is_unit() || case.marks.quick));
        return (quick.collect(), 0);
    }
    let by_name = |case: &Case| arguments.names.contains(&case.id);
    let (chosen, left): (Vec<Case>, Vec<Case>) =
        named.into_iter().partition(|case| arguments.long || arguments.list || !case.marks.long || by_name(case));
    (chosen, left.len())
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
        let (chosen, found) = chosen(cases, &arguments);
        let ids: Vec<&str> = chosen.iter().map(|case| case.id.as_str()).collect();
        assert_eq!((ids.as_slice(), found), (expected, left));
    }

    #[test]
    fn names_choose_by_parts_and_else_by_text() {
        check("credit", &["server::credit::hold::works"], 0);
        check("credit_n", &["it::credit_notes::works"], 0);
        check("it::kill", &["it::kill::once"], 1);
        check("absent", &[], 0);
    }

    #[test]
    fn lengths_choose_by_marks() {
        check("", &["server::credit::hold::works", "it::credit_notes::works", "it::kill::once"], 1);
        check("--quick", &["server::credit::hold::works", "it::credit_notes::works"], 0);
        check("--long it::kill", &["it::kill::a_killed_server_loses_nothing", "it::kill::once"], 0);
        check("it::kill::a_killed_server_loses_nothing", &["it::kill::a_killed_server_loses_nothing"], 0);
    }
}
