//! The words of `machine!`, checked: every name resolved, everything said once.

use proc_macro2::Span;
use quote::ToTokens;
use syn::{Attribute, Ident, LitStr, Path};

use super::sql::{self, GuardSql};
use super::syntax::{self, ActorWord, GuardTest, NamedText};
use crate::complaints::{ItemComplaints, meant, quoted};
use crate::spans::place;

/// A machine that can be expanded. Names are indices into its lists.
pub(super) struct CheckedMachine {
    pub(super) docs: Vec<Attribute>,
    pub(super) name: String,
    /// The span of the name, for complaints of rustc about the machine as a whole.
    pub(super) place: Span,
    pub(super) spec: String,
    pub(super) row: syntax::RowSyntax,
    pub(super) states: Vec<NamedText>,
    pub(super) start: usize,
    pub(super) finals: Vec<usize>,
    pub(super) actors: Vec<NamedText>,
    pub(super) guards: Vec<CheckedGuard>,
    pub(super) effects: Vec<syntax::EffectSyntax>,
    pub(super) moves: Vec<CheckedMove>,
}

pub(super) struct CheckedGuard {
    pub(super) named: NamedText,
    pub(super) test: GuardCheck,
}

/// The check of a guard.
pub(super) enum GuardCheck {
    /// By the statement itself.
    Sql(GuardSql),
    /// By whoever holds the proof.
    Proof(Ident),
}

pub(super) struct CheckedMove {
    pub(super) named: NamedText,
    pub(super) spec: String,
    pub(super) from: Vec<usize>,
    pub(super) to: usize,
    pub(super) by: Vec<usize>,
    pub(super) when: Vec<usize>,
    pub(super) does: Vec<usize>,
}

/// A view that can be expanded.
pub(super) struct CheckedView {
    pub(super) docs: Vec<Attribute>,
    pub(super) name: String,
    pub(super) place: Span,
    pub(super) of: Path,
    pub(super) spec: String,
    pub(super) states: Vec<NamedText>,
    pub(super) base: Vec<(Ident, Option<usize>)>,
    pub(super) moves: Vec<CheckedViewMove>,
}

pub(super) struct CheckedViewMove {
    pub(super) named: NamedText,
    pub(super) spec: String,
    /// `None` for `none`: the row does not exist yet.
    pub(super) from: Vec<Option<usize>>,
    pub(super) to: usize,
    pub(super) by: Vec<String>,
}

pub(super) fn machine(machine: syntax::MachineSyntax) -> syn::Result<CheckedMachine> {
    let mut complaints = ItemComplaints::default();
    let spec = machine.spec.value();
    complaints.declared_at(Some(spec.clone()));
    sql::check_row(&machine.row, &mut complaints);
    unique("state", &machine.states, &mut complaints);
    unique("actor", &machine.actors, &mut complaints);
    unique("guard", machine.guards.iter().map(|guard| &guard.named), &mut complaints);
    unique("effect", machine.effects.iter().map(|effect| &effect.named), &mut complaints);
    unique("move", machine.moves.iter().map(|step| &step.named), &mut complaints);
    let states = idents(&machine.states);
    let start = start(&machine, &states, &mut complaints);
    let finals = list("state", &states, &machine.finals, &mut complaints);
    let lists = MachineNames {
        states: &states,
        finals: &finals,
        actors: &idents(&machine.actors),
        guards: &idents(machine.guards.iter().map(|guard| &guard.named)),
        effects: &idents(machine.effects.iter().map(|effect| &effect.named)),
        spec: &spec,
    };
    let moves = machine.moves.into_iter().filter_map(|step| lists.step(step, &mut complaints)).collect();
    let guards = machine.guards.into_iter().map(|guard| check_guard(guard, &mut complaints)).collect();
    let syntax::MachineSyntax { docs, name, row, states, actors, effects, .. } = machine;
    let place = place(&name);
    complaints.finish(CheckedMachine {
        docs,
        name: name.to_string(),
        place,
        spec,
        row,
        states,
        start,
        finals,
        actors,
        guards,
        effects,
        moves,
    })
}

pub(super) fn view(view: syntax::ViewSyntax) -> syn::Result<CheckedView> {
    let mut complaints = ItemComplaints::default();
    let spec = view.spec.value();
    complaints.declared_at(Some(spec.clone()));
    unique("state", &view.states, &mut complaints);
    unique("move", view.moves.iter().map(|step| &step.named), &mut complaints);
    let states = idents(&view.states);
    let base = view.base.into_iter().map(|(base, state)| {
        let state = if state == "none" { None } else { find("state", &states, &state, &mut complaints) };
        (base, state)
    });
    let base = base.collect();
    let moves = view.moves.into_iter().filter_map(|step| view_step(step, &states, &spec, &mut complaints)).collect();
    let syntax::ViewSyntax { docs, name, of, states, .. } = view;
    let place = place(&name);
    complaints.finish(CheckedView { docs, name: name.to_string(), place, of, spec, states, base, moves })
}

/// The names that the moves of a machine may use.
struct MachineNames<'l> {
    states: &'l [Ident],
    finals: &'l [usize],
    actors: &'l [Ident],
    guards: &'l [Ident],
    effects: &'l [Ident],
    spec: &'l str,
}

impl MachineNames<'_> {
    fn step(&self, step: syntax::MoveSyntax, complaints: &mut ItemComplaints) -> Option<CheckedMove> {
        let from_words = said("from", &step.named, step.from, complaints);
        let from = list("state", self.states, &from_words, complaints);
        for (word, state) in from_words.iter().zip(&from).filter(|(_, state)| self.finals.contains(state)) {
            complaints.add(word, format!("`{}` is final: no move leaves it", self.states[*state]));
        }
        let by_words = said("by", &step.named, step.by, complaints);
        let by = by_words.iter().filter_map(|word| match word {
            ActorWord::Name(name) => find("actor", self.actors, name, complaints),
            ActorWord::Text(text) => {
                complaints.add(text, "an actor of a machine is one of its `actors`, without quotes");
                None
            }
        });
        let by = by.collect();
        let when = list("guard", self.guards, &step.when, complaints);
        let does = list("effect", self.effects, &step.does, complaints);
        let to = target(step.to, &step.named, self.states, complaints)?;
        let spec = step.spec.map_or_else(|| self.spec.to_owned(), |spec| spec.value());
        Some(CheckedMove { named: step.named, spec, from, to, by, when, does })
    }
}

fn view_step(
    step: syntax::MoveSyntax,
    states: &[Ident],
    spec: &str,
    complaints: &mut ItemComplaints,
) -> Option<CheckedViewMove> {
    let from = said("from", &step.named, step.from, complaints);
    let from = from
        .iter()
        .filter_map(|word| if word == "none" { Some(None) } else { find("state", states, word, complaints).map(Some) });
    let from = from.collect();
    let by = said("by", &step.named, step.by, complaints).into_iter().map(|word| match word {
        ActorWord::Name(name) => name.to_string(),
        ActorWord::Text(text) => text.value(),
    });
    let by = by.collect();
    for word in step.when.iter().chain(&step.does) {
        complaints.add(word, "a view has no guards and no effects: those are its machine's");
    }
    let to = target(step.to, &step.named, states, complaints)?;
    let spec = step.spec.map_or_else(|| spec.to_owned(), |spec| spec.value());
    Some(CheckedViewMove { named: step.named, spec, from, to, by })
}

fn start(machine: &syntax::MachineSyntax, states: &[Ident], complaints: &mut ItemComplaints) -> usize {
    match machine.starts.as_slice() {
        [start] => find("state", states, start, complaints).unwrap_or_default(),
        [] => {
            complaints.add(&machine.name, "a machine starts in one state: `start: Name`");
            0
        }
        [first, second, ..] => {
            complaints.add(second, format!("a second start: rows begin in `{first}` already"));
            0
        }
    }
}

fn target(to: Option<Ident>, step: &NamedText, states: &[Ident], complaints: &mut ItemComplaints) -> Option<usize> {
    match to {
        Some(to) => find("state", states, &to, complaints),
        None => {
            complaints.add(&step.ident, format!("the move `{}` does not say `to`", step.text.value()));
            None
        }
    }
}

/// A clause that must be there and not be empty.
fn said<T>(clause: &str, step: &NamedText, words: Option<Vec<T>>, complaints: &mut ItemComplaints) -> Vec<T> {
    let words = words.unwrap_or_default();
    if words.is_empty() {
        complaints.add(&step.ident, format!("the move `{}` does not say `{clause}`", step.text.value()));
    }
    words
}

fn check_guard(guard: syntax::GuardSyntax, complaints: &mut ItemComplaints) -> CheckedGuard {
    let test = match guard.test {
        GuardTest::Sql(text) => GuardCheck::Sql(sql::guard(&text, complaints)),
        GuardTest::Proof(name) => GuardCheck::Proof(name),
    };
    CheckedGuard { named: guard.named, test }
}

fn idents<'n>(names: impl IntoIterator<Item = &'n NamedText>) -> Vec<Ident> {
    names.into_iter().map(|named| named.ident.clone()).collect()
}

/// Complains about names and texts that stand twice.
fn unique<'n>(what: &str, names: impl IntoIterator<Item = &'n NamedText>, complaints: &mut ItemComplaints) {
    let mut seen: Vec<&NamedText> = Vec::new();
    for named in names {
        if seen.iter().any(|earlier| earlier.ident == named.ident) {
            complaints.add(&named.ident, format!("the {what} `{}` is declared twice", named.ident));
        } else if let Some(earlier) = seen.iter().find(|earlier| earlier.text.value() == named.text.value()) {
            complaints.add(&named.text, format!("the {what} `{}` is `{}` already", named.text.value(), earlier.ident));
        }
        seen.push(named);
    }
}

/// The indices of `words` among `known`; complains about unknown and doubled ones.
fn list(what: &str, known: &[Ident], words: &[Ident], complaints: &mut ItemComplaints) -> Vec<usize> {
    let mut found = Vec::new();
    for word in words {
        match find(what, known, word, complaints) {
            Some(index) if found.contains(&index) => {
                complaints.add(word, format!("the {what} `{word}` is listed twice"));
            }
            Some(index) => found.push(index),
            None => {}
        }
    }
    found
}

fn find(what: &str, known: &[Ident], word: &Ident, complaints: &mut ItemComplaints) -> Option<usize> {
    let place = known.iter().position(|name| name == word);
    if place.is_none() {
        let names: Vec<String> = known.iter().map(Ident::to_string).collect();
        let hint = meant(names.iter().map(String::as_str), &word.to_string());
        complaints.add(word, format!("there is no {what} `{word}`{hint}"));
    }
    place
}

/// The name of a thing in the words of the spec, for messages and docs.
pub(super) fn texts<'n>(names: impl IntoIterator<Item = &'n NamedText>) -> String {
    let texts: Vec<String> = names.into_iter().map(|named| named.text.value()).collect();
    quoted(texts.iter().map(String::as_str))
}

/// The doc lines written at a name, or else `fallback`.
pub(super) fn docs(attrs: &[Attribute], fallback: &str) -> proc_macro2::TokenStream {
    let docs = attrs.iter().filter(|attr| attr.path().is_ident("doc"));
    let written: proc_macro2::TokenStream = docs.map(ToTokens::to_token_stream).collect();
    if written.is_empty() { quote::quote!(#[doc = #fallback]) } else { written }
}

/// The text of a literal, for lists of them.
pub(super) fn value(text: &LitStr) -> String {
    text.value()
}
