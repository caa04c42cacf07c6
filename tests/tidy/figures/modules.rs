//! The modules of a crate and the names in them, so that a path leads to the file that defines what it names.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use syn::{Item, UseTree, Visibility};

use super::sources::{SourceFile, lines};
use crate::names::rooted;

/// The longest chain of exports that is followed; a name that stands for itself would have no end.
const STEPS_MAX: usize = 16;

/// The modules of a crate, by their paths from its root.
pub(super) struct CrateModules(BTreeMap<Vec<String>, ModuleNames>);

/// The names of a module.
#[derive(Default)]
struct ModuleNames {
    file: usize,
    defined: BTreeSet<String>,
    /// The path that each imported name stands for.
    imported: BTreeMap<String, Vec<String>>,
    /// The modules of which all names are imported.
    globs: Vec<Vec<String>>,
}

/// The end of a path.
enum Destination {
    Module(Vec<String>),
    /// The file that defines the item.
    Item(usize),
}

/// One name that an item `use` brings in.
pub(super) struct UsedName {
    /// The path in the spelling of the source.
    pub(super) path: Vec<String>,
    /// The name in this module; `*` for all names of another.
    pub(super) name: String,
    pub(super) is_public: bool,
    /// The lines of the whole item, counted from 1.
    pub(super) lines: RangeInclusive<usize>,
}

impl CrateModules {
    /// The modules of these files, which are those of one crate.
    pub(super) fn new(sources: &[SourceFile]) -> Self {
        let mut modules = Self(BTreeMap::new());
        for (file, source) in sources.iter().enumerate() {
            modules.add(file, &source.module, &source.syntax.items);
        }
        modules
    }

    /// The file that defines what a path in `module` names; `None` for other crates, and for a module as such.
    pub(super) fn defining_file(&self, module: &[String], path: &[String]) -> Option<usize> {
        match self.resolve(module, path, STEPS_MAX)? {
            Destination::Item(file) => Some(file),
            Destination::Module(_) => None,
        }
    }

    fn add(&mut self, file: usize, module: &[String], items: &[Item]) {
        // A `main.rs` beside a `lib.rs` is a crate of its own, which imports from the library by its package's name.
        if self.0.contains_key(module) {
            return;
        }
        let mut names = ModuleNames { file, ..ModuleNames::default() };
        for used in uses(items) {
            let path = rooted(module, used.path);
            if used.name == "*" {
                names.globs.push(path);
            } else {
                names.imported.insert(used.name, path);
            }
        }
        names.defined = items.iter().filter_map(defined_name).collect();
        self.0.insert(module.to_vec(), names);
        for item in items {
            if let Item::Mod(item) = item
                && let Some((_, items)) = &item.content
            {
                self.add(file, &[module, &[item.ident.to_string()]].concat(), items);
            }
        }
    }

    fn resolve(&self, from: &[String], path: &[String], steps: usize) -> Option<Destination> {
        let (mut module, path) = match path {
            [root, rest @ ..] if root == "crate" => (Vec::new(), rest),
            path => (from.to_vec(), path),
        };
        for (at, name) in path.iter().enumerate() {
            let is_last = at + 1 == path.len();
            match self.look_up(&module, name, is_last, steps.checked_sub(1)?) {
                Some(Destination::Module(found)) => module = found,
                Some(item) => return Some(item),
                // What a macro defines is in the file that invokes it; at the root it is a macro or another crate.
                None if module != from && !module.is_empty() => {
                    return self.0.get(&module).map(|names| Destination::Item(names.file));
                }
                None => return None,
            }
        }
        Some(Destination::Module(module))
    }

    fn look_up(&self, module: &[String], name: &str, is_last: bool, steps: usize) -> Option<Destination> {
        let names = self.0.get(module)?;
        let inner = [module, &[name.to_owned()]].concat();
        let is_module = self.0.contains_key(&inner);
        // A module and an item may have one name; what a path goes on behind is the module.
        if is_module && !is_last {
            return Some(Destination::Module(inner));
        }
        if names.defined.contains(name) {
            return Some(Destination::Item(names.file));
        }
        if let Some(found) = names.imported.get(name).and_then(|path| self.resolve(module, path, steps)) {
            return Some(found);
        }
        if is_module {
            return Some(Destination::Module(inner));
        }
        names.globs.iter().find_map(|path| match self.resolve(module, path, steps)? {
            Destination::Module(found) => self.look_up(&found, name, is_last, steps.checked_sub(1)?),
            Destination::Item(_) => None,
        })
    }
}

fn defined_name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// The names that the items `use` of a module bring in.
pub(super) fn uses(items: &[Item]) -> Vec<UsedName> {
    let mut found = Vec::new();
    for item in items {
        if let Item::Use(item) = item {
            let is_public = !matches!(item.vis, Visibility::Inherited);
            let mut leaves = Vec::new();
            tree_leaves(&[], &item.tree, &mut leaves);
            found.extend(leaves.into_iter().map(|(path, name)| UsedName { path, name, is_public, lines: lines(item) }));
        }
    }
    found
}

/// The leaves of a tree of `use` behind `before`: path and name.
fn tree_leaves(before: &[String], tree: &UseTree, found: &mut Vec<(Vec<String>, String)>) {
    let behind = |name: &syn::Ident| [before, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => tree_leaves(&behind(&path.ident), &path.tree, found),
        UseTree::Name(leaf) if leaf.ident == "self" => {
            found.push((before.to_vec(), before.last().cloned().unwrap_or_default()));
        }
        UseTree::Name(leaf) => found.push((behind(&leaf.ident), leaf.ident.to_string())),
        UseTree::Rename(leaf) if leaf.ident == "self" => found.push((before.to_vec(), leaf.rename.to_string())),
        UseTree::Rename(leaf) => found.push((behind(&leaf.ident), leaf.rename.to_string())),
        UseTree::Glob(_) => found.push((before.to_vec(), "*".to_owned())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| tree_leaves(before, tree, found)),
    }
}

#[test]
fn trees_are_taken_apart() {
    let file = syn::parse_file("pub(crate) use a::{self, b as c, d::*, e::{self as f}};\nuse g;").unwrap();
    let shown = |used: &UsedName| format!("{} {} {} {:?}", used.path.join("::"), used.name, used.is_public, used.lines);
    let seen: Vec<String> = uses(&file.items).iter().map(shown).collect();
    assert_eq!(
        seen,
        ["a a true 1..=1", "a::b c true 1..=1", "a::d * true 1..=1", "a::e f true 1..=1", "g g false 2..=2"]
    );
}

#[test]
fn a_name_that_stands_for_itself_is_given_up() {
    let (a, b) = (("a.rs", "pub use crate::b::X;"), ("b.rs", "pub use crate::a::X;"));
    let modules = CrateModules::new(&super::sources::sample(&[a, b, ("lib.rs", "mod a; mod b;")]));
    let path = ["crate", "a", "X"].map(str::to_owned);
    assert!(modules.defining_file(&[], &path).is_some_and(|file| file < 2), "as what a macro defines in one of them");
}
