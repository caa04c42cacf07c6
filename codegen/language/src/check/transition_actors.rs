//! Who makes a move: a move's `by` and an operation's `moves` name each other.

use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, codes::machines, codes::references},
    map::HashSet,
    model::{SpannedText, SpecSection},
};

/// An operation, a machine and a move of it.
type OperationMove<'a> = (&'a str, &'a str, &'a str);

impl<'a> CheckContext<'a> {
    pub(super) fn transition_actors(&mut self) {
        // A misspelt name counts as the one that was meant, so that the other side is not blamed for it.
        let named: HashSet<OperationMove<'a>> = self.named_by_moves().into_iter().collect();
        let listed: HashSet<OperationMove<'a>> = self.listed_by_operations().into_iter().collect();
        let spec = self.spec;
        for (machine, entry) in &spec.machines {
            for (one, made) in &entry.moves {
                for by in made.by.all() {
                    let making = (by.value.as_str(), machine.as_str(), one.as_str());
                    self.listed_back(by, making, &listed);
                }
            }
        }
        for (operation, entry) in &spec.operations {
            for word in &entry.moves {
                let Some((machine, one)) = word.value.split_once('.') else { continue };
                self.named_back(word, (operation, machine, one), &named);
            }
        }
    }

    /// Every `by` that is or was meant to be an operation.
    fn named_by_moves(&mut self) -> Vec<OperationMove<'a>> {
        let spec = self.spec;
        let mut named = Vec::new();
        for (machine, entry) in &spec.machines {
            for (one, made) in &entry.moves {
                for by in made.by.all() {
                    if let Some(operation) = self.mover(by) {
                        named.push((operation, machine.as_str(), one.as_str()));
                    }
                }
            }
        }
        named
    }

    /// The operation that a `by` names or was meant to name; an actor is marked as used.
    fn mover(&mut self, by: &'a SpannedText) -> Option<&'a str> {
        let name = by.value.as_str();
        if self.exists(SpecSection::Actors, name) {
            self.mark_used(SpecSection::Actors, name);
            return None;
        }
        let gone = self.damage.lost_name(name) || self.damage.lost_name(name);
        if self.exists(SpecSection::Operations, name) || gone {
            return Some(name);
        }
        // With a dot it was an operation, without one an actor.
        let section = if name.contains('.') { SpecSection::Operations } else { SpecSection::Actors };
        let all = |context: &Self| context.names(section);
        let meant = self.unknown(references::UNKNOWN_ACTOR, section.entry(), name, by.place, all)?;
        let operation = self.spec.operations.get_key_value(&meant).map(|(operation, _)| operation.as_str());
        self.mark_meant(SpecSection::Actors, Some(meant));
        operation
    }

    /// Every entry of `moves` that is or was meant to be a move.
    fn listed_by_operations(&mut self) -> Vec<OperationMove<'a>> {
        let spec = self.spec;
        let mut listed = Vec::new();
        for (operation, entry) in &spec.operations {
            self.no_repeats(crate::diagnostics::codes::types::WORD_TWICE, &entry.moves);
            for word in &entry.moves {
                if let Some((machine, one)) = self.move_named(word) {
                    listed.push((operation.as_str(), machine, one));
                }
            }
        }
        listed
    }

    /// `machine.move`, or what was meant by it.
    fn move_named(&mut self, word: &'a SpannedText) -> Option<(&'a str, &'a str)> {
        let (name, one) = word.value.split_once('.').unwrap_or((&word.value, ""));
        let Some((name, machine)) = self.spec.machines.get_key_value(name) else {
            if self.damage.lost_name(name) {
                return None;
            }
            let place = word.place.part(&word.value, 0, name.len());
            let all = |context: &Self| context.names(SpecSection::Machines);
            let meant = self.unknown(references::UNKNOWN_MOVE, "machine", name, place, all)?;
            let (name, machine) = self.spec.machines.get_key_value(&meant)?;
            return machine.moves.get_key_value(one).map(|(one, _)| (name.as_str(), one.as_str()));
        };
        if let Some((one, _)) = machine.moves.get_key_value(one) {
            return Some((name, one));
        }
        if self.damage.is_hurt(SpecSection::Machines, name) {
            return None;
        }
        let place = word.place.part(&word.value, name.len() + 1, word.value.len());
        let what = format!("move of `{name}`");
        let all = |_: &Self| machine.moves.keys().map(String::as_str).collect();
        let meant = self.unknown(references::UNKNOWN_MOVE, &what, one, place, all)?;
        machine.moves.get_key_value(&meant).map(|(one, _)| (name.as_str(), one.as_str()))
    }

    fn listed_back(&mut self, by: &SpannedText, making: OperationMove<'a>, listed: &HashSet<OperationMove<'a>>) {
        let (name, machine, one) = making;
        let Some(operation) = self.spec.operations.get(name) else { return };
        if listed.contains(&making) || self.damage.lacks(SpecSection::Operations, name, &["moves"]) {
            return;
        }
        let message = format!("operation `{name}` does not list the move `{machine}.{one}`");
        self.complain(
            Diagnostic::error(machines::MOVE_NOT_LISTED, by.place, message).and(operation.place, "in its `moves`"),
        );
    }

    fn named_back(&mut self, word: &SpannedText, making: OperationMove<'a>, named: &HashSet<OperationMove<'a>>) {
        let (name, machine, one) = making;
        let Some(made) = self.spec.machines.get(machine).and_then(|machine| machine.moves.get(one)) else { return };
        let merged = self.damage.lacks(SpecSection::Operations, name, &["moves"]);
        if merged || named.contains(&making) || self.damage.lacks(SpecSection::Machines, machine, &["by"]) {
            return;
        }
        let message = format!("the move `{machine}.{one}` is not made by `{name}`");
        self.complain(
            Diagnostic::error(machines::MOVER_NOT_LISTED, word.place, message).and(made.place, "in its `by`"),
        );
    }
}
