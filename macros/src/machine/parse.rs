//! The words of `machine!`, checked: every name resolved, everything said once.

use proc_macro2::Span;
use quote::ToTokens;
use syn::{Attribute, Ident, LitStr, Path};

use super::sql::{self, GuardSql};
use super::syntax::{self, Named, Test, Word};
use crate::complaints::{Complaints, meant, quoted};
use crate::place::place;

/// A machine that can be expanded. Names are indices into its lists.
pub(super) struct Machine {
    pub(super) docs: Vec<Attribute>,
    pub(super) name: String,
    /// The span of the name, for complaints of rustc about the machine as a whole.
    pub(super) place: Span,
    pub(super) spec: String,
    pub(super) row: syntax::Row,
    pub(super) states: Vec<Named>,
    pub(super) start: usize,
    pub(super) finals: Vec<usize>,
    pub(super) actors: Vec<Named>,
    pub(super) guards: Vec<Guard>,
    pub(super) effects: Vec<syntax::Effect>,
    pub(super) moves: Vec<Move>,
}

pub(super) struct Guard {
    pub(super) named: Named,
    pub(super) test: Checked,
}

/// The check of a guard.
pub(super) enum Checked {
    /// By the statement itself.
    Sql(GuardSql),
    /// By whoever holds the proof.
    Proof(Ident),
}

pub(super) struct Move {
    pub(super) named: Named,
    pub(super) spec: String,
    pub(super) from: Vec<usize>,
    pub(super) to: usize,
    pub(super) by: Vec<usize>,
    pub(super) when: Vec<usize>,
    pub(super) does: Vec<usize>,
}

/// A view that can be expanded.
pub(super) struct View {
    pub(super) docs: Vec<Attribute>,
    pub(super) name: String,
    pub(super) place: Span,
    pub(super) of: Path,
    pub(super) spec: String,
    pub(super) states: Vec<Named>,
    pub(super) base: Vec<(Ident, Option<usize>)>,
    pub(super) moves: Vec<ViewMove>,
}

pub(super) struct ViewMove {
    pub(super) named: Named,
    pub(super) spec: String,
    /// `None` for `none`: the row does not exist yet.
    pub(super) from: Vec<Option<usize>>,
    pub(super) to: usize,
    pub(super) by: Vec<String>,
}

pub(super) fn machine(machine: syntax::Machine) -> syn::Result<Machine> {
    let mut complaints = Complaints::default();
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
    let lists = Lists {
        states: &states,
        finals: &finals,
        actors: &idents(&machine.actors),
        guards: &idents(machine.guards.iter().map(|guard| &guard.named)),
        effects: &idents(machine.effects.iter().map(|effect| &effect.named)),
        spec: &spec,
    };
    let moves = machine.moves.into_iter().filter_map(|step| lists.step(step, &mut complaints)).collect();
    let guards = machine.guards.into_iter().map(|guard| check_guard(guard, &mut complaints)).collect();
    let syntax::Machine { docs, name, row, states, actors, effects, .. } = machine;
    let place = place(&name);
    complaints.finish(Machine {
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

pub(super) fn view(view: syntax::View) -> syn::Result<View> {
    let mut complaints = Complaints::default();
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
    let syntax::View { docs, name, of, states, .. } = view;
    let place = place(&name);
    complaints.finish(View { docs, name: name.to_string(), place, of, spec, states, base, moves })
}

/// The names that the moves of a machine may use.
struct Lists<'l> {
    states: &'l [Ident],
    finals: &'l [usize],
    actors: &'l [Ident],
    guards: &'l [Ident],
    effects: &'l [Ident],
    spec: &'l str,
}

impl Lists<'_> {
    fn step(&self, step: syntax::Move, complaints: &mut Complaints) -> Option<Move> {
        let from_words = said("from", &step.named, step.from, complaints);
        let from = list("state", self.states, &from_words, complaints);
        for (word, state) in from_words.iter().zip(&from).filter(|(_, state)| self.finals.contains(state)) {
            complaints.add(word, format!("`{}` is final: no move leaves it", self.states[*state]));
        }
        let by_words = said("by", &step.named, step.by, complaints);
        let by = by_words.iter().filter_map(|word| match word {
            Word::Name(name) => find("actor", self.actors, name, complaints),
            Word::Text(text) => {
                complaints.add(text, "an actor of a machine is one of its `actors`, without quotes");
                None
            }
        });
        let by = by.collect();
        let when = list("guard", self.guards, &step.when, complaints);
        let does = list("effect", self.effects, &step.does, complaints);
        let to = target(step.to, &step.named, self.states, complaints)?;
        let spec = step.spec.map_or_else(|| self.spec.to_owned(), |spec| spec.value());
        Some(Move { named: step.named, spec, from, to, by, when, does })
    }
}

fn view_step(step: syntax::Move, states: &[Ident], spec: &str, complaints: &mut Complaints) -> Option<ViewMove> {
    let from = said("from", &step.named, step.from, complaints);
    let from = from
        .iter()
        .filter_map(|word| if word == "none" { Some(None) } else { find("state", states, word, complaints).map(Some) });
    let from = from.collect();
    let by = said("by", &step.named, step.by, complaints).into_iter().map(|word| match word {
        Word::Name(name) => name.to_string(),
        Word::Text(text) => text.value(),
    });
    let by = by.collect();
    for word in step.when.iter().chain(&step.does) {
        complaints.add(word, "a view has no guards and no effects: those are its machine's");
    }
    let to = target(step.to, &step.named, states, complaints)?;
    let spec = step.spec.map_or_else(|| spec.to_owned(), |spec| spec.value());
    Some(ViewMove { named: step.named, spec, from, to, by })
}

fn start(machine: &syntax::Machine, states: &[Ident], complaints: &mut Complaints) -> usize {
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

fn target(to: Option<Ident>, step: &Named, states: &[Ident], complaints: &mut Complaints) -> Option<usize> {
    match to {
        Some(to) => find("state", states, &to, complaints),
        None => {
            complaints.add(&step.ident, format!("the move `{}` does not say `to`", step.text.value()));
            None
        }
    }
}

/// A clause that must be there and not be empty.
fn said<T>(clause: &str, step: &Named, words: Option<Vec<T>>, complaints: &mut Complaints) -> Vec<T> {
    let words = words.unwrap_or_default();
    if words.is_empty() {
        complaints.add(&step.ident, format!("the move `{}` does not say `{clause}`", step.text.value()));
    }
    words
}

fn check_guard(guard: syntax::Guard, complaints: &mut Complaints) -> Guard {
    let test = match guard.test {
        Test::Sql(text) => Checked::Sql(sql::guard(&text, complaints)),
        Test::Proof(name) => Checked::Proof(name),
    };
    Guard { named: guard.named, test }
}

fn idents<'n>(names: impl IntoIterator<Item = &'n Named>) -> Vec<Ident> {
    names.into_iter().map(|named| named.ident.clone()).collect()
}

/// Complains about names and texts that stand twice.
fn unique<'n>(what: &str, names: impl IntoIterator<Item = &'n Named>, complaints: &mut Complaints) {
    let mut seen: Vec<&Named> = Vec::new();
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
fn list(what: &str, known: &[Ident], words: &[Ident], complaints: &mut Complaints) -> Vec<usize> {
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

fn find(what: &str, known: &[Ident], word: &Ident, complaints: &mut Complaints) -> Option<usize> {
    let place = known.iter().position(|name| name == word);
    if place.is_none() {
        let names: Vec<String> = known.iter().map(Ident::to_string).collect();
        let hint = meant(names.iter().map(String::as_str), &word.to_string());
        complaints.add(word, format!("there is no {what} `{word}`{hint}"));
    }
    place
}

/// The name of a thing in the words of the spec, for messages and docs.
pub(super) fn texts<'n>(names: impl IntoIterator<Item = &'n Named>) -> String {
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
