//! Enums whose words are the states of a machine.

use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, closest, codes::references, codes::types},
    model::{
        DeclaredShape, DeclaredType, EnumWords, SourceSpan, SpannedText, SpannedValue, Spec, SpecEntry, SpecSection,
    },
};

/// Fewer words in common may be so by chance.
const COMMON_MIN: usize = 3;

/// Gives every type that says `states_of` alone its words: the states of the machine.
pub(super) fn take_states(spec: &mut Spec) {
    for named in spec.types.values_mut() {
        let named = &mut named.value;
        let machine = named.states_of.as_ref().and_then(|of| spec.machines.get(&of.value));
        let others = named.fields.is_some() || named.union.is_some() || named.of.is_some() || named.is.is_some();
        if let (Some(machine), None, false) = (machine, &named.words, others) {
            let states = machine.states.names();
            let words = states.map(|(state, place)| SpannedValue { value: state.to_owned(), place });
            named.words = Some(EnumWords::Bare(words.collect()));
        }
    }
}

impl<'a> CheckContext<'a> {
    /// Checks that a type which names a machine has the machine's states as words.
    pub(super) fn states_of(&mut self, name: &str, entry: &'a SpecEntry<DeclaredType>) {
        let Some(of) = &entry.states_of else { return };
        let known = self.resolve(SpecSection::Machines, of, references::UNKNOWN_MACHINE);
        if entry.shape().is_some_and(|shape| !matches!(shape, DeclaredShape::Enum { .. })) {
            let message = format!("type `{name}` is several things at once: the states of a machine, and what it says");
            self.complain(
                Diagnostic::error(types::TYPE_SHAPE, of.place, message).label("`states_of` goes with `enum`"),
            );
        } else if let Some(words) =
            entry.words.as_ref().filter(|_| known && !self.damage.is_hurt(SpecSection::Types, name))
        {
            self.same_states(of, entry.place, &placed(words));
        }
    }

    /// Warns of enums that have all states of a machine but one, or one word more. Comes last, and reports nothing while
    /// anything else is wrong: it may be the machine that is.
    pub(super) fn drifting_enums(&mut self) {
        if !self.is_sound() {
            return;
        }
        let spec = self.spec;
        for entry in spec.types.values().filter(|entry| entry.states_of.is_none() && !entry.has_roles()) {
            if let Some(words) = &entry.words {
                self.nearly_states(entry.place, &placed(words));
            }
        }
    }

    fn same_states(&mut self, of: &SpannedText, place: SourceSpan, words: &[(&str, SourceSpan)]) {
        let Some(states) = self.states(&of.value) else { return };
        let free: Vec<&str> =
            states.iter().copied().filter(|state| !words.iter().any(|(word, _)| word == state)).collect();
        let mut meant = Vec::new();
        for (word, place) in words.iter().filter(|(word, _)| !states.contains(word)) {
            let suggestion = closest(word, free.iter().copied());
            meant.extend(suggestion);
            let message = format!("`{}` has no state `{word}`", of.value);
            self.complain(Diagnostic::error(types::STATES_DRIFT, *place, message).suggest(suggestion));
        }
        let missing: Vec<String> =
            free.iter().filter(|state| !meant.contains(state)).map(|state| format!("`{state}`")).collect();
        if !missing.is_empty() {
            let message = format!("the enum has no word for the state {} of `{}`", missing.join(", "), of.value);
            self.complain(Diagnostic::error(types::STATES_DRIFT, place, message).and(of.place, "of this machine"));
        }
    }

    fn nearly_states(&mut self, place: SourceSpan, words: &[(&str, SourceSpan)]) {
        let machines = &self.spec.machines;
        let near =
            machines.iter().filter_map(|(name, machine)| self.states(name).map(|states| (name, machine, states)));
        let mut near = near.filter(|(_, _, states)| {
            let common = words.iter().filter(|(word, _)| states.contains(word)).count();
            let most = words.len().max(states.len());
            common >= COMMON_MIN && common + 1 == most
        });
        let Some((name, machine, states)) = near.next() else { return };
        let odd = words.iter().find(|(word, _)| !states.contains(word));
        let message = match odd {
            Some((word, _)) => format!("`{word}` is no state of `{name}`, and all other words are"),
            None => format!("all words but one are here that are states of `{name}`"),
        };
        let place = odd.map_or(place, |(_, place)| *place);
        let complaint = Diagnostic::warning(types::STATES_DRIFT, place, message).and(machine.place, "the machine");
        self.complain(complaint.note(format!("if they are its states, say `states_of: {name}`")));
    }

    /// The states of a machine that was read whole.
    fn states(&self, name: &str) -> Option<Vec<&'a str>> {
        let machine = self.spec.machines.get(name).filter(|_| !self.damage.is_hurt(SpecSection::Machines, name))?;
        Some(machine.states.names().map(|(state, _)| state).collect())
    }
}

/// The words of an enum with their places.
fn placed(words: &EnumWords) -> Vec<(&str, SourceSpan)> {
    words.all().map(|(word, place, _)| (word, place)).collect()
}
