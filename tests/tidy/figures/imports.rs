//! The imports between the files of a crate. A name that a module exports again counts as an import of the file that defines it,
//! so a `mod.rs` that only exports names again is in no circle.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};

use super::modules::{CrateModules, uses};
use super::sources::SourceFile;
use crate::names::{Named, named};

/// The first place where one file imports another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    /// Counted from 1.
    pub(super) line: usize,
    /// The imported path, spelled out from the root of the crate.
    pub(super) path: String,
}

/// The imports of each file, by the index of the imported file.
pub(super) fn imports(sources: &[SourceFile]) -> Vec<BTreeMap<usize, Import>> {
    let modules = CrateModules::new(sources);
    let imports_of = |(at, source): (usize, &SourceFile)| {
        let mut imports = BTreeMap::new();
        for Named { line, path } in references(source) {
            let Some(file) = modules.defining_file(&source.module, &path).filter(|file| *file != at) else { continue };
            imports.entry(file).or_insert_with(|| Import { line, path: path.join("::") });
        }
        imports
    };
    sources.iter().enumerate().map(imports_of).collect()
}

/// The paths that a file uses, without those of its tests and those that it exports again and does not use.
fn references(source: &SourceFile) -> Vec<Named> {
    let uses = uses(&source.syntax.items);
    let mut mentioned = BTreeSet::new();
    let is_use = |line: usize| uses.iter().any(|import| import.lines.contains(&line));
    let tokens = source.file.text.parse().expect("parsed before");
    mentions(tokens, &|line| !is_use(line) && !source.is_test_line(line), &mut mentioned);
    let only_exported = |named: &Named| {
        let mut here = uses.iter().filter(|import| import.lines.contains(&named.line));
        here.any(|import| {
            let last = named.path.last();
            let is_same = last == import.path.last() || last == Some(&import.name);
            import.is_public && is_same && !mentioned.contains(&import.name)
        })
    };
    let all = named(&source.file).into_iter();
    all.filter(|named| !source.is_test_line(named.line) && !only_exported(named)).collect()
}

/// Collects the names in the lines that `counts` admits.
fn mentions(tokens: TokenStream, counts: &impl Fn(usize) -> bool, found: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => mentions(group.stream(), counts, found),
            TokenTree::Ident(name) if counts(name.span().start().line) => {
                found.insert(name.to_string());
            }
            _ => {}
        }
    }
}

#[test]
fn imports_lead_to_the_file_that_defines_the_name() {
    let sources = super::sources::sample(&[
        ("a/act.rs", "use super::{Handle, Plan as P, tools}; fn f() { tools::mend(); crate::a::plan::made!(); }"),
        ("a/handle.rs", "pub struct Handle; use crate::b::Made;\n#[cfg(test)] mod t { use crate::a::Plan; }"),
        (
            "a/mod.rs",
            "mod act; mod handle; mod plan; mod tools;\npub use handle::Handle;\npub use plan::Plan;\nfn f(_: &Plan) {}",
        ),
        ("a/plan.rs", "pub struct Plan; use std::fmt::Debug; pub(crate) use made; macro_rules! made { () => {} }"),
        ("a/tools.rs", "pub fn mend() { super::f(); }"),
        ("b.rs", "mod inner; pub use self::inner::*; pub use inner::Made;"),
        ("b/inner.rs", "row_id! { Made } pub struct Real;"),
        ("lib.rs", "mod a; mod b; #[path = \"x\"] mod x; fn f(_: b::Real) { a::act::f(); }"),
    ]);
    let name = |at: usize| sources[at].file.path.strip_prefix("server/src/").expect("below it");
    let mut seen: Vec<String> = Vec::new();
    for (from, imports) in imports(&sources).iter().enumerate() {
        seen.extend(imports.iter().map(|(to, import)| format!("{} {} {}", name(from), import.path, name(*to))));
    }
    let expected = [
        "a/act.rs crate::a::Handle a/handle.rs",
        "a/act.rs crate::a::Plan a/plan.rs",
        "a/act.rs tools::mend a/tools.rs",
        "a/handle.rs crate::b::Made b/inner.rs",
        "a/mod.rs plan::Plan a/plan.rs",
        "a/tools.rs crate::a::f a/mod.rs",
        "lib.rs a::act::f a/act.rs",
        "lib.rs b::Real b/inner.rs",
    ];
    assert_eq!(seen, expected);
}
