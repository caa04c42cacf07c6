//! Stored machines: states, moves, guards, effects.

use super::context::CheckContext;
use crate::{
    diagnostics::{
        Diagnostic, closest, codes::machines, codes::references, codes::structure, codes::types, codes::unused,
    },
    map::{HashMap, HashSet},
    model::{DeclaredMachine, DeclaredStates, OneOrMore, SourceSpan, SpannedText, SpecEntry, SpecSection},
};

/// The word for the time before a row exists.
pub(super) const NONE: &str = "none";

impl<'a> CheckContext<'a> {
    /// Checks every machine; who makes its moves is checked in `transition_actors`.
    pub(super) fn machines(&mut self) {
        // One that is two in one is neither.
        let whole =
            |(name, _): &(&String, &SpecEntry<DeclaredMachine>)| !self.damage.lacks(SpecSection::Machines, name, &[]);
        let (views, stored): (Vec<_>, Vec<_>) =
            self.spec.machines.iter().filter(whole).partition(|(_, machine)| machine.view_of.is_some());
        let mut sound = HashSet::default();
        let mut columns = HashMap::default();
        for (name, machine) in stored {
            self.column(name, machine, &mut columns);
            self.guards_and_effects(name, machine);
            if self.stored(name, machine) {
                sound.insert(name.as_str());
            }
        }
        for (name, machine) in views {
            self.guards_and_effects(name, machine);
            self.view(name, machine, &sound);
        }
    }

    /// A column keeps the states of one machine.
    fn column(
        &mut self,
        name: &'a str,
        machine: &'a DeclaredMachine,
        columns: &mut HashMap<(&'a str, &'a str), (&'a str, SourceSpan)>,
    ) {
        let Some(row) = &machine.row else { return };
        let (table, column) = (row.table.value.as_str(), row.state.value.as_str());
        if let Some((first, place)) = columns.get(&(table, column)) {
            let message = format!("the column `{column}` of `{table}` keeps the states of `{first}` already");
            let complaint = Diagnostic::error(machines::COLUMN_TAKEN, row.state.place, message);
            self.complain(complaint.and(*place, "the first one"));
        } else {
            columns.insert((table, column), (name, row.state.place));
        }
    }

    /// Checks a stored machine; true if its states and moves hang together, so that views can be compared with it.
    fn stored(&mut self, name: &str, machine: &'a SpecEntry<DeclaredMachine>) -> bool {
        let hurt = self.damage.is_hurt(SpecSection::Machines, name);
        let DeclaredStates::Own(own) = &machine.states else {
            let message = format!("the states of `{name}` stand for others, but it is no view");
            let complaint = Diagnostic::error(machines::VIEW_SHAPE, machine.place, message);
            self.complain(complaint.label("`view_of` is missing, or `states` should be a list"));
            return false;
        };
        self.no_repeats(types::WORD_TWICE, own);
        let missing: Vec<&str> = [("row", machine.row.is_none()), ("start", machine.start.is_none())]
            .into_iter()
            .filter_map(|(key, missing)| missing.then_some(key))
            .collect();
        if !missing.is_empty() && !self.damage.lacks(SpecSection::Machines, name, &["row", "start"]) {
            let message = format!("`{name}` is stored, and has no {}", missing.join(" and no "));
            self.complain(Diagnostic::error(machines::VIEW_SHAPE, machine.place, message));
        }
        let states: HashMap<&str, SourceSpan> = machine.states.names().collect();
        let mut sound = !hurt && missing.is_empty();
        for state in machine.start.iter().chain(&machine.finals) {
            sound &= self.state(name, state, &states, false);
        }
        self.no_repeats(types::WORD_TWICE, &machine.finals);
        for one in machine.moves.values() {
            for from in one.from.all() {
                sound &= self.state(name, from, &states, false);
            }
            self.no_repeats(machines::MOVE_REPEATED, one.from.all());
            sound &= self.state(name, &one.to, &states, false);
        }
        sound &= self.starts_before_its_end(machine);
        if sound {
            self.graph(name, machine);
            self.moves_on(machine);
        }
        sound
    }

    /// True unless a machine starts in a final state: then nothing else can be said of its moves.
    fn starts_before_its_end(&mut self, machine: &DeclaredMachine) -> bool {
        let Some(start) = &machine.start else { return true };
        let Some(end) = machine.finals.iter().find(|end| end.value == start.value) else { return true };
        let message = format!("the state `{}` is the first one and a final one", start.value);
        self.complain(Diagnostic::error(machines::STARTS_AT_END, start.place, message).and(end.place, "final here"));
        false
    }

    /// A move leads to another state.
    fn moves_on(&mut self, machine: &DeclaredMachine) {
        for (name, one) in &machine.moves {
            if let Some(from) = one.from.all().iter().find(|from| from.value == one.to.value) {
                let message = format!("the move `{name}` leads from `{}` to itself", from.value);
                let complaint = Diagnostic::error(machines::MOVES_NOWHERE, one.to.place, message);
                self.complain(complaint.and(from.place, "from here"));
            }
        }
    }

    /// True if a state exists; `none` is one where it may be. Complains where it does not.
    pub(super) fn state(
        &mut self,
        machine: &str,
        word: &SpannedText,
        states: &HashMap<&str, SourceSpan>,
        none: bool,
    ) -> bool {
        if states.contains_key(word.value.as_str()) || none && word.value == NONE {
            return true;
        }
        if word.value == NONE {
            let message = "`none` is for views: a stored row comes into being in the `start` state";
            self.complain(Diagnostic::error(machines::NONE_IN_BASE, word.place, message));
        } else if !self.damage.lost_name(&word.value) {
            let mut names: Vec<&str> = states.keys().copied().collect();
            names.extend(none.then_some(NONE));
            names.sort_unstable();
            let message = format!("unknown state `{}`", word.value);
            let complaint = Diagnostic::error(references::UNKNOWN_STATE, word.place, message);
            self.complain_once(&format!("{machine}.{}", word.value), complaint.suggest(closest(&word.value, names)));
        }
        false
    }

    /// Every state is reached, final ones have no way out, all others have one.
    fn graph(&mut self, name: &str, machine: &SpecEntry<DeclaredMachine>) {
        let mut exits: HashMap<&str, (&str, SourceSpan)> = HashMap::default();
        let mut next: HashMap<&str, Vec<&str>> = HashMap::default();
        for (one, entry) in &machine.moves {
            for from in entry.from.all() {
                exits.entry(&from.value).or_insert((one, from.place));
                next.entry(&from.value).or_default().push(&entry.to.value);
            }
        }
        let reached = reached(machine.start.iter().map(|start| start.value.as_str()), &next);
        for (state, place) in machine.states.names() {
            if !reached.contains(state) {
                let message = format!("no move of `{name}` leads to the state `{state}`");
                self.complain(Diagnostic::error(machines::UNREACHABLE_STATE, place, message));
            } else if !exits.contains_key(state) && !machine.finals.iter().any(|one| one.value == state) {
                let message = format!("no move leads out of the state `{state}`, and it is not final");
                self.complain(Diagnostic::error(machines::DEAD_END, place, message));
            }
        }
        self.ends(name, machine, &reached, &exits);
        for state in &machine.finals {
            if let Some((one, place)) = exits.get(state.value.as_str()) {
                let message = format!("the final state `{}` has a way out", state.value);
                self.complain(
                    Diagnostic::error(machines::FINAL_HAS_EXIT, state.place, message)
                        .and(*place, format!("by the move `{one}`")),
                );
            }
        }
    }

    /// From every state moves lead to a final one. What leads to a dead end alone follows from that.
    fn ends(
        &mut self,
        name: &str,
        machine: &SpecEntry<DeclaredMachine>,
        known: &HashSet<&str>,
        exits: &HashMap<&str, (&str, SourceSpan)>,
    ) {
        let mut before: HashMap<&str, Vec<&str>> = HashMap::default();
        for one in machine.moves.values() {
            before.entry(&one.to.value).or_default().extend(one.from.all().iter().map(|from| from.value.as_str()));
        }
        let ends: Vec<&str> = machine
            .states
            .names()
            .map(|(state, _)| state)
            .filter(|state| !exits.contains_key(state) || machine.finals.iter().any(|one| one.value == *state))
            .collect();
        if ends.is_empty() {
            let message = format!("`{name}` has no final state, so that no row of it ever ends");
            self.complain(Diagnostic::error(machines::NO_END, machine.place, message).label("`final` names none"));
            return;
        }
        let ending = reached(ends.into_iter(), &before);
        let mut trapped = machine.states.names().filter(|(state, _)| known.contains(state) && !ending.contains(state));
        let Some((state, place)) = trapped.next() else { return };
        let message = format!("no moves of `{name}` lead from the state `{state}` to a final one");
        let mut complaint = Diagnostic::error(machines::NO_END, place, message);
        for (_, place) in trapped {
            complaint = complaint.and(place, "nor from this one");
        }
        self.complain(complaint);
    }

    fn guards_and_effects(&mut self, name: &str, machine: &'a SpecEntry<DeclaredMachine>) {
        if machine.view_of.is_some() {
            self.words_of_view(name, machine);
        } else {
            self.tests_and_places(name, machine);
        }
        let base = machine.view_of.as_ref().and_then(|base| self.spec.machines.get(&base.value));
        let of_base =
            |keys: fn(&'a DeclaredMachine) -> Vec<&'a str>| base.map(|base| keys(&base.value)).unwrap_or_default();
        let mut used: HashSet<&str> = HashSet::default();
        for one in machine.moves.values() {
            self.no_repeats(types::WORD_TWICE, one.by.all());
            for words in one.when.iter().chain(&one.does) {
                self.no_repeats(types::WORD_TWICE, words.all());
            }
            for (words, what, code, known) in [
                (&one.when, "guard", references::UNKNOWN_GUARD, [guards(machine), of_base(guards)].concat()),
                (&one.does, "effect", references::UNKNOWN_EFFECT, [effects(machine), of_base(effects)].concat()),
            ] {
                for word in words.iter().flat_map(OneOrMore::all) {
                    if known.contains(&word.value.as_str()) {
                        used.insert(&word.value);
                        continue;
                    }
                    let meant = closest(&word.value, known.iter().copied());
                    used.extend(meant);
                    if machine.view_of.is_some() && base.is_none() {
                        // It may be of the base, which was complained about.
                        continue;
                    }
                    let message = format!("unknown {what} `{}`", word.value);
                    let complaint = Diagnostic::error(code, word.place, message).suggest(meant);
                    self.complain_once(&format!("{name}.{}", word.value), complaint);
                }
            }
        }
        self.unused_words(name, machine, &used);
    }

    /// A guard of a stored machine is a test, an effect of it has its place.
    fn tests_and_places(&mut self, name: &str, machine: &DeclaredMachine) {
        for (guard, entry) in &machine.guards {
            entry.sql.iter().for_each(|sql| self.guard_sql(sql));
            if entry.sql.is_some() == entry.proof.is_some()
                && !self.damage.lacks(SpecSection::Machines, name, &["sql", "proof"])
            {
                let message = format!("the guard `{guard}` is exactly one of `sql` and `proof`");
                self.complain(Diagnostic::error(machines::GUARD_SHAPE, entry.place, message));
            }
        }
        for entry in machine.effects.values() {
            if entry.within.is_none() && !self.damage.lacks(SpecSection::Machines, name, &["in"]) {
                let complaint = Diagnostic::error(structure::MISSING_KEY, entry.place, "missing key `in`");
                self.complain(complaint.label("not complete"));
            }
        }
    }

    /// Guards and effects of a view are words: what is tested and done is its base's.
    fn words_of_view(&mut self, name: &str, machine: &DeclaredMachine) {
        let guards = machine
            .guards
            .iter()
            .map(|(one, entry)| (one, entry.place, entry.doc.is_some(), entry.sql.is_some() || entry.proof.is_some()));
        let effects = machine.effects.iter().map(|(one, entry)| {
            (one, entry.place, entry.doc.is_some(), entry.within.is_some() || entry.once_per.is_some())
        });
        for (one, place, told, tests) in guards.chain(effects) {
            if tests {
                let message = format!("`{name}` is a view, and what `{one}` tests or does is its base's");
                let complaint = Diagnostic::error(machines::VIEW_SHAPE, place, message);
                self.complain(complaint.label("in a view `doc` alone"));
            } else if !told && !self.damage.lacks(SpecSection::Machines, name, &["doc"]) {
                let message = format!("`{one}` of the view `{name}` says nothing");
                self.complain(Diagnostic::error(machines::VIEW_SHAPE, place, message).label("`doc` is missing"));
            }
        }
    }

    fn unused_words(&mut self, name: &str, machine: &DeclaredMachine, used: &HashSet<&str>) {
        for (what, code, entries) in [
            ("guard", unused::UNUSED_GUARD, places(&machine.guards)),
            ("effect", unused::UNUSED_EFFECT, places(&machine.effects)),
        ] {
            for (one, place) in entries {
                if !used.contains(one) && !self.damage.may_be_used(one) {
                    let message = format!("no move of `{name}` uses the {what} `{one}`");
                    self.complain(Diagnostic::error(code, place, message));
                }
            }
        }
    }
}

fn guards(machine: &DeclaredMachine) -> Vec<&str> {
    machine.guards.keys().map(String::as_str).collect()
}

fn effects(machine: &DeclaredMachine) -> Vec<&str> {
    machine.effects.keys().map(String::as_str).collect()
}

fn places<T>(entries: &crate::model::EntryMap<T>) -> Vec<(&str, SourceSpan)> {
    entries.iter().map(|(name, entry)| (name.as_str(), entry.place)).collect()
}

/// Everything that can be reached from some states, those included.
pub(super) fn reached<'s>(
    from: impl Iterator<Item = &'s str>,
    next: &HashMap<&'s str, Vec<&'s str>>,
) -> HashSet<&'s str> {
    let mut open: Vec<&str> = from.collect();
    let mut reached: HashSet<&str> = open.iter().copied().collect();
    while let Some(state) = open.pop() {
        for to in next.get(state).into_iter().flatten() {
            if reached.insert(to) {
                open.push(to);
            }
        }
    }
    reached
}
