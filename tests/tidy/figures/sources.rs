//! The parsed sources of the tree, crate by crate, without their tests.

use std::ops::RangeInclusive;

use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, ImplItem, Item, Meta};

use crate::names::module;
use crate::source::{File, files};

/// The parts of the tree that are measured apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Server,
    /// The generator and the macros.
    Codegen,
    /// The part of the server that the generator writes.
    Generated,
}

impl Group {
    pub(super) const ALL: [Self; 3] = [Self::Server, Self::Codegen, Self::Generated];

    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Codegen => "codegen",
            Self::Generated => "generated",
        }
    }

    fn of(path: &str) -> Self {
        match path {
            path if path.contains("/generated/") => Self::Generated,
            path if path.starts_with("server/") => Self::Server,
            _ => Self::Codegen,
        }
    }
}

/// A source file, its test items removed from the syntax tree.
pub(super) struct SourceFile {
    pub(super) file: File,
    pub(super) group: Group,
    pub(super) module: Vec<String>,
    pub(super) syntax: syn::File,
    test_lines: Vec<RangeInclusive<usize>>,
}

impl SourceFile {
    /// True for a line, counted from 1, of a test item.
    pub(super) fn is_test_line(&self, line: usize) -> bool {
        self.test_lines.iter().any(|lines| lines.contains(&line))
    }
}

/// The files of each crate below `server`, `codegen` and `macros`.
pub(super) fn crates() -> Vec<Vec<SourceFile>> {
    let manifests = ["server", "codegen", "macros"].into_iter().flat_map(|folder| files(folder, "/Cargo.toml"));
    let folders = manifests.map(|manifest| manifest.path.replace("Cargo.toml", "src"));
    folders.map(|folder| parse_crate(files(&folder, ".rs"))).collect()
}

/// Parses the files of one crate; files of modules that are compiled for tests alone are left out.
pub(super) fn parse_crate(files: Vec<File>) -> Vec<SourceFile> {
    let (mut sources, mut test_modules) = (Vec::new(), Vec::new());
    for file in files {
        let mut syntax = syn::parse_file(&file.text).unwrap_or_else(|error| panic!("{}: {error}", file.path));
        let mut tests = TestItems::default();
        tests.visit_file_mut(&mut syntax);
        let (group, module) = (Group::of(&file.path), module(&file.path));
        test_modules.extend(tests.modules.into_iter().map(|name| [&module[..], &[name]].concat()));
        sources.push(SourceFile { file, group, module, syntax, test_lines: tests.lines });
    }
    sources.retain(|source| !test_modules.iter().any(|tests| source.module.starts_with(tests)));
    sources
}

/// Removes test items, and collects where they were.
#[derive(Default)]
struct TestItems {
    lines: Vec<RangeInclusive<usize>>,
    modules: Vec<String>,
}

impl TestItems {
    fn remove(&mut self, items: &mut Vec<Item>) {
        items.retain(|item| {
            let is_test = is_test(attributes(item));
            if is_test {
                self.lines.push(lines(item));
                if let Item::Mod(module) = item {
                    self.modules.push(module.ident.to_string());
                }
            }
            !is_test
        });
    }
}

impl VisitMut for TestItems {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        self.remove(&mut file.items);
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            self.remove(items);
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_item_impl_mut(&mut self, implementation: &mut syn::ItemImpl) {
        implementation.items.retain(|item| {
            let is_test = matches!(item, ImplItem::Fn(function) if is_test(&function.attrs));
            if is_test {
                self.lines.push(lines(item));
            }
            !is_test
        });
    }
}

/// The lines of a piece of syntax, counted from 1.
pub(super) fn lines(syntax: &impl Spanned) -> RangeInclusive<usize> {
    let span = syntax.span();
    span.start().line..=span.end().line
}

/// True for the attributes of an item that is compiled for tests alone: `#[cfg(test)]`, `#[cfg(all(test, …))]`, and
/// `#[cfg(any(test, feature = "testing"))]`, which is for those of other crates too.
fn is_test(attributes: &[Attribute]) -> bool {
    let is_test = |condition: &str| {
        condition == "test" || condition.starts_with("all(test,") || condition == "any(test,feature=\"testing\")"
    };
    attributes.iter().any(|attribute| {
        matches!(&attribute.meta, Meta::List(list)
            if list.path.is_ident("cfg") && is_test(&list.tokens.to_string().replace(' ', "")))
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The sources of a crate from paths below its `src` and their texts.
pub(super) fn sample(files: &[(&str, &str)]) -> Vec<SourceFile> {
    let file = |(path, text): &(&str, &str)| File { path: format!("server/src/{path}"), text: (*text).to_owned() };
    parse_crate(files.iter().map(file).collect())
}

#[test]
fn tests_are_left_out() {
    let sources = sample(&[
        ("a.rs", "#[cfg(test)]\nmod tests;\n#[cfg(test)]\nmod inner {\n    struct T;\n}\nstruct S;\n"),
        ("a/tests.rs", "struct T;"),
        ("a/tests/deep.rs", "struct T;"),
        ("a/kept.rs", "struct S; impl S { #[cfg(all(test, unix))] fn t() {} #[cfg(unix)] fn s() {} }"),
        ("generated/mod.rs", ""),
    ]);
    let seen: Vec<(&str, Group)> = sources.iter().map(|source| (&*source.file.path, source.group)).collect();
    let expected = [
        ("server/src/a.rs", Group::Server),
        ("server/src/a/kept.rs", Group::Server),
        ("server/src/generated/mod.rs", Group::Generated),
    ];
    assert_eq!(seen, expected);
    assert_eq!(sources[0].syntax.items.len(), 1);
    assert_eq!((1..=7).filter(|line| !sources[0].is_test_line(*line)).collect::<Vec<_>>(), [7]);
    assert!(matches!(&sources[1].syntax.items[1], Item::Impl(item) if item.items.len() == 1));
}
