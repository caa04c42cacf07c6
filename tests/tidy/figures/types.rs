//! Names of type definitions: those that several definitions share, and those of one word.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use syn::visit::Visit;

use super::figure::{Figure, Measurement, Offender, Unit, share};
use super::sources::{Group, SourceFile};

const SHARED_NAMES: Figure = Figure {
    key: "shared_type_names_percent",
    unit: Unit::Percent,
    goal: 150,
    advice: "rename the type to the noun that is its own in the group",
};

const ONE_WORD_TYPES: Figure = Figure {
    key: "one_word_types_percent",
    unit: Unit::Percent,
    goal: 350,
    advice: "rename the type to a noun phrase that a reader who knows the field searches for",
};

/// Ideas that each room has one of, and whose name therefore says what it is.
const SHARED_IDEAS: [&str; 4] = ["Config", "Error", "Request", "Response"];

/// The figures of the type definitions of a group.
pub(super) fn measure(group: Group, sources: &[&SourceFile]) -> [Measurement; 2] {
    let types: Vec<Offender> = sources.iter().flat_map(|source| definitions(source)).collect();
    let (shared, unshared) = shared(&types);
    let one_word: Vec<Offender> = types.iter().filter(|definition| words(&definition.what) == 1).cloned().collect();
    [
        Measurement {
            group: group.key(),
            figure: &SHARED_NAMES,
            value: share(shared.len(), shared.len() + unshared),
            offenders: shared,
        },
        Measurement {
            group: group.key(),
            figure: &ONE_WORD_TYPES,
            value: share(one_word.len(), types.len()),
            offenders: one_word,
        },
    ]
}

/// The definitions that share their name, each with a place of another, and the number of those that do not.
fn shared(types: &[Offender]) -> (Vec<Offender>, usize) {
    let mut by_name: BTreeMap<&str, Vec<&Offender>> = BTreeMap::new();
    for definition in types.iter().filter(|definition| !SHARED_IDEAS.contains(&&*definition.what)) {
        by_name.entry(&definition.what).or_default().push(definition);
    }
    let unshared = by_name.values().filter(|same| same.len() == 1).count();
    let shared = by_name.into_values().filter(|same| same.len() > 1).flat_map(|same| {
        let with_another = |(at, definition): (usize, &&Offender)| {
            let another = same[if at == 0 { 1 } else { 0 }];
            let what = format!("{}, as in {}:{}", definition.what, another.path, another.line);
            Offender { what, ..(*definition).clone() }
        };
        same.iter().enumerate().map(with_another).collect::<Vec<_>>()
    });
    (shared.collect(), unshared)
}

/// The number of words of a name in camel case; digits belong to the word before them, an abbreviation is one word.
fn words(name: &str) -> usize {
    let letters: Vec<char> = name.chars().collect();
    let begins = |at: &usize| {
        let after_small = *at > 0 && !letters[at - 1].is_uppercase();
        let before_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        letters[*at].is_uppercase() && (*at == 0 || after_small || before_small)
    };
    (0..letters.len()).filter(begins).count()
}

fn definitions(source: &SourceFile) -> Vec<Offender> {
    let mut visitor = Definitions { path: &source.file.path, found: Vec::new() };
    visitor.visit_file(&source.syntax);
    visitor.found
}

struct Definitions<'s> {
    path: &'s str,
    found: Vec<Offender>,
}

impl Definitions<'_> {
    fn record(&mut self, name: &Ident) {
        let line = name.span().start().line;
        self.found.push(Offender { path: self.path.to_owned(), line, what: name.to_string() });
    }
}

impl<'ast> Visit<'ast> for Definitions<'_> {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.record(&item.ident);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.record(&item.ident);
    }

    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.record(&item.ident);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.record(&item.ident);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.record(&item.ident);
    }

    /// Types inside functions are seen by nobody else.
    fn visit_block(&mut self, _: &'ast syn::Block) {}
}

#[test]
fn type_names_are_counted() {
    let sources = super::sources::sample(&[
        ("a.rs", "struct Part;\nenum UsageMeter { A }\ntype Config = u8;\nfn f() { struct Part; }"),
        ("b.rs", "trait Part { type Item; }\nmod inner { union Once { a: u8 } }\nstruct Config;"),
    ]);
    let [shared, one_word] = measure(Group::Server, &sources.iter().collect::<Vec<_>>());
    let offenders: Vec<String> = shared.offenders.iter().map(ToString::to_string).collect();
    let expected =
        ["server/src/a.rs:1: Part, as in server/src/b.rs:1", "server/src/b.rs:1: Part, as in server/src/a.rs:1"];
    assert_eq!((shared.value, offenders), (500, expected.map(str::to_owned).to_vec()));
    let names: Vec<&str> = one_word.offenders.iter().map(|offender| &*offender.what).collect();
    assert_eq!((one_word.value, names), (833, vec!["Part", "Config", "Part", "Once", "Config"]));
}

#[test]
fn words_of_a_name_are_counted() {
    let names =
        [("Part", 1), ("X402", 1), ("SSE", 1), ("UsageMeter", 2), ("SSEEvent", 2), ("X402Order", 2), ("VideoA", 2)];
    for (name, count) in names {
        assert_eq!(words(name), count, "{name}");
    }
}
