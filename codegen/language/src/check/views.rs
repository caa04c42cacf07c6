//! Views: another vocabulary for a stored machine, which can do nothing that its base cannot.

use super::{
    context::CheckContext,
    machines::{NONE, reached},
};
use crate::{
    diagnostics::{Diagnostic, codes::machines, codes::references},
    map::{HashMap, HashSet},
    model::{DeclaredMachine, DeclaredMove, DeclaredStates, SourceSpan, SpannedText, SpecEntry, SpecSection},
};

impl<'a> CheckContext<'a> {
    pub(super) fn view(&mut self, name: &str, machine: &'a SpecEntry<DeclaredMachine>, sound_bases: &HashSet<&str>) {
        let Some(base_name) = &machine.view_of else { return };
        self.view_shape(name, machine);
        let base = self.base(base_name);
        let DeclaredStates::View(mapped) = &machine.states else {
            if !self.damage.lacks(SpecSection::Machines, name, &["states"]) {
                let message = format!("`{name}` is a view, and its states do not say which of the base they stand for");
                let complaint = Diagnostic::error(machines::VIEW_SHAPE, machine.place, message);
                self.complain(complaint.label("`states` is a mapping: `settled: success`"));
            }
            return;
        };
        let states: HashMap<&str, SourceSpan> = machine.states.names().collect();
        let mut sound = true;
        for one in machine.moves.values() {
            for from in one.from.all() {
                sound &= self.state(name, from, &states, true);
            }
            self.no_repeats(machines::MOVE_REPEATED, one.from.all());
            sound &= self.state(name, &one.to, &states, false);
        }
        let Some(base) = base else { return };
        let base_states: HashMap<&str, SourceSpan> = base.states.names().collect();
        for state in mapped.values() {
            sound &= self.state(&base_name.value, &state.value, &base_states, false);
        }
        if sound && sound_bases.contains(base_name.value.as_str()) {
            let meaning = mapped.iter().map(|(state, base)| (state.as_str(), base.value.value.as_str())).collect();
            let paths = MovePaths::of(base);
            for (one, entry) in &machine.moves {
                self.simulated(one, entry, &meaning, &paths, base_name);
            }
        }
    }

    /// The machine below a view, where it is a stored one.
    fn base(&mut self, name: &'a SpannedText) -> Option<&'a SpecEntry<DeclaredMachine>> {
        if !self.resolve(SpecSection::Machines, name, references::UNKNOWN_MACHINE) {
            return None;
        }
        let base = self.spec.machines.get(&name.value)?;
        if let Some(below) = &base.view_of {
            let message = format!("`{}` is a view itself", name.value);
            let complaint = Diagnostic::error(machines::VIEW_OF_VIEW, name.place, message).and(below.place, "of this");
            self.complain(complaint.suggest(Some(below.value.clone())));
            return None;
        }
        Some(base)
    }

    fn view_shape(&mut self, name: &str, machine: &SpecEntry<DeclaredMachine>) {
        let start = machine.start.as_ref().map(|start| ("start", start.place));
        let finals = machine.finals.first().map(|first| ("final", first.place));
        let row = machine.row.as_ref().map(|row| ("row", row.table.place));
        for (key, place) in [row, start, finals].into_iter().flatten() {
            let message = format!("`{name}` is a view, and `{key}` is its base's");
            self.complain(Diagnostic::error(machines::VIEW_SHAPE, place, message));
        }
    }

    /// A move of a view is a path of moves in the base.
    fn simulated(
        &mut self,
        name: &str,
        one: &SpecEntry<DeclaredMove>,
        meaning: &HashMap<&str, &str>,
        paths: &MovePaths<'_>,
        base: &SpannedText,
    ) {
        let Some(to) = meaning.get(one.to.value.as_str()) else { return };
        for from in one.from.all() {
            let possible = if from.value == NONE {
                paths.created(to)
            } else {
                meaning.get(from.value.as_str()).is_none_or(|from| paths.lead(from, to))
            };
            if !possible {
                let start =
                    if from.value == NONE { "its beginning" } else { &format!("`{}`", meaning[from.value.as_str()]) };
                let message = format!("`{name}` is no path in `{}`: none leads from {start} to `{to}`", base.value);
                self.complain(Diagnostic::error(machines::NOT_A_PATH, one.place, message).and(from.place, "from here"));
            }
        }
    }
}

/// The moves of a machine, as a graph of its states.
struct MovePaths<'s> {
    start: Option<&'s str>,
    next: HashMap<&'s str, Vec<&'s str>>,
}

impl<'s> MovePaths<'s> {
    fn of(machine: &'s DeclaredMachine) -> Self {
        let mut next: HashMap<&str, Vec<&str>> = HashMap::default();
        for one in machine.moves.values() {
            for from in one.from.all() {
                next.entry(&from.value).or_default().push(&one.to.value);
            }
        }
        Self { start: machine.start.as_ref().map(|start| start.value.as_str()), next }
    }

    /// True if one or more moves lead from one state to another.
    fn lead(&self, from: &str, to: &str) -> bool {
        let first = self.next.get(from).into_iter().flatten().copied();
        reached(first, &self.next).contains(to)
    }

    /// True if a new row can be in a state.
    fn created(&self, to: &str) -> bool {
        reached(self.start.into_iter(), &self.next).contains(to)
    }
}
