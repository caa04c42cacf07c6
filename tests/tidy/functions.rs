//! A function fits a screen. Most do; this is only the floor, for those that have grown out of sight.

use crate::source::{File, files};

/// A screen, where nobody argues any more. What a person reads at once is less than half of it, and for review to say; a
/// template of what is emitted, or the acts of a long test, may need the rest.
pub(crate) const LINES_MAX: usize = 70;

/// A function: its line, counted from 1, and its lines.
pub(crate) struct Function<'t> {
    pub(crate) line: usize,
    pub(crate) lines: Vec<&'t str>,
}

/// The functions of a file, by the layout that the formatter keeps: a function ends where a brace stands under its
/// first letter.
pub(crate) fn functions(file: &File) -> impl Iterator<Item = Function<'_>> {
    let lines: Vec<&str> = file.text.lines().collect();
    let begins: Vec<usize> = (0..lines.len()).filter(|at| begins(lines[*at])).collect();
    begins.into_iter().filter_map(move |at| {
        // One that a trait only declares has no body.
        lines[at..].iter().find(|line| line.ends_with(['{', ';'])).filter(|line| line.ends_with('{'))?;
        let end = format!("{}}}", &lines[at][..indent(lines[at])]);
        // The last one of a macro's repetition ends with that.
        let ends = |line: &&str| line.strip_prefix(&end).is_some_and(|rest| rest.is_empty() || rest.starts_with(')'));
        let length = lines[at..].iter().position(ends)?;
        Some(Function { line: at + 1, lines: lines[at..=at + length].to_vec() })
    })
}

fn begins(line: &str) -> bool {
    let mut words = line.split_whitespace().skip_while(|word| {
        word.starts_with("pub") || matches!(*word, "const" | "async" | "unsafe" | "crate)" | "super)" | "in")
    });
    words.next() == Some("fn") && !line.ends_with(['}', ';'])
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether a function is nearly all rows: one flat `match`, the cases of a test, the members of a type taken apart one by
/// one. Rows are read one at a time.
fn is_table(function: &Function<'_>) -> bool {
    let inside = " ".repeat(indent(function.lines[0]) + 4);
    let rows = |starts: &str, opens: &str, end: &str| {
        let first = |line: &&str| {
            line.strip_prefix(&inside).is_some_and(|line| line.starts_with(starts) && line.ends_with(opens))
        };
        let Some(start) = function.lines.iter().position(first) else { return 0 };
        let last = |line: &str| line.strip_prefix(&inside).is_some_and(|line| line.starts_with(end));
        function.lines[start..].iter().position(|line| last(line)).unwrap_or_default()
    };
    let (branches, cases, members) = (rows("match ", "{", "}"), rows("for ", "[", "] {"), rows("let ", "{", "} = "));
    branches.max(cases) * 3 >= function.lines.len() * 2 || function.lines.len() - members <= LINES_MAX
}

#[test]
fn functions_fit_a_screen() {
    let mut long = Vec::new();
    for folder in ["codegen", "macros/src", "server", "tests"] {
        for file in files(folder, ".rs").iter().filter(|file| !file.path.contains("/generated/")) {
            let over = functions(file).filter(|function| function.lines.len() > LINES_MAX && !is_table(function));
            long.extend(
                over.map(|function| format!("{}:{}: {} lines", file.path, function.line, function.lines.len())),
            );
        }
    }
    assert!(long.is_empty(), "a function is a few steps; these hide theirs:\n{}", long.join("\n"));
}

#[test]
fn long_functions_are_seen_and_tables_are_let_be() {
    let body = "        let a = b;\n".repeat(LINES_MAX);
    let rows = "            1 => 2,\n".repeat(LINES_MAX);
    let text = format!(
        "impl A {{\n    pub(crate) async fn long() {{\n{body}    }}\n\n    fn table() {{\n        match a {{\n{rows}        }}\n    }}\n}}\n"
    );
    let file = File { path: "a.rs".to_owned(), text };
    let found: Vec<(usize, usize, bool)> =
        functions(&file).map(|function| (function.line, function.lines.len(), is_table(&function))).collect();
    assert_eq!(found, [(2, LINES_MAX + 2, false), (LINES_MAX + 5, LINES_MAX + 4, true)]);
}
