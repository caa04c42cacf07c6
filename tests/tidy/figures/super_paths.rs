//! Paths that climb three modules or more.

use proc_macro2::{TokenStream, TokenTree};

use super::figure::{Figure, Measurement, Offender, Unit};
use super::sources::{Group, SourceFile};
use crate::names::chain;

const SUPER_PATHS: Figure = Figure {
    key: "super_super_super_paths",
    unit: Unit::Count,
    goal: 0,
    advice: "spell the path out from `crate::`, or move the item nearer",
};

/// The paths of a group that begin with `super::super::super`, in its macros too.
pub(super) fn measure(group: Group, sources: &[&SourceFile]) -> Measurement {
    let mut offenders = Vec::new();
    for source in sources {
        let mut lines = Vec::new();
        climbing_lines(source.file.text.parse().expect("parsed before"), &mut lines);
        let own = lines.into_iter().filter(|line| !source.is_test_line(*line));
        let offender = |line| Offender { path: source.file.path.clone(), line, what: "super::super::super".to_owned() };
        offenders.extend(own.map(offender));
    }
    Measurement { group: group.key(), figure: &SUPER_PATHS, value: offenders.len() as u64, offenders }
}

/// The lines of such paths.
fn climbing_lines(tokens: TokenStream, found: &mut Vec<usize>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let TokenTree::Group(group) = token {
            climbing_lines(group.stream(), found);
        }
        let (path, length) = chain(&tokens[at..]);
        if path.iter().take_while(|name| *name == "super").count() >= 3 {
            found.push(token.span().start().line);
        }
        at += length.max(1);
    }
}

#[test]
fn climbing_paths_are_counted() {
    let text = "// super::super::super::comment
use super::super::super::{a, b};
pub(in super::super::super) fn f() { g!(super::super::super::super::h()); super::super::i() }
#[cfg(test)]
mod tests { use super::super::super::j; }
";
    let sources = super::sources::sample(&[("a/b/c/d.rs", text)]);
    let measured = measure(Group::Server, &sources.iter().collect::<Vec<_>>());
    let lines: Vec<usize> = measured.offenders.iter().map(|offender| offender.line).collect();
    assert_eq!((measured.value, lines), (3, vec![2, 3, 3]));
}
