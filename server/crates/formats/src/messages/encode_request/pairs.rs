//! Calls and their results: each result gets the id of its call and stands in the order of the calls.

use std::collections::BTreeSet;

use super::super::call;
use super::arranged_message::{ArrangedBlock, ArrangedMessage};
use crate::{BlockKind, MessageRole};

/// Goes through a conversation from its start.
#[derive(Debug, Default)]
pub struct CallResultPairs {
    /// The ids that were written: providers refuse one that comes again.
    written: BTreeSet<String>,
    /// The calls of the last turn of the model.
    asked: Vec<IssuedCall>,
}

#[derive(Debug)]
struct IssuedCall {
    id: String,
    name: String,
    written: String,
    answered: bool,
}

impl CallResultPairs {
    /// Gives the calls of a turn their ids, or the results of one; puts results before all else.
    pub fn assign_ids(&mut self, turn: &mut ArrangedMessage<'_>) {
        if turn.role == MessageRole::Model {
            self.asked.clear();
            for piece in &mut turn.pieces {
                self.ask(piece);
            }
        } else {
            let pieces = std::mem::take(&mut turn.pieces);
            let mut ranked: Vec<_> = pieces.into_iter().map(|mut piece| (self.answer(&mut piece), piece)).collect();
            ranked.sort_by_key(|(rank, _)| *rank);
            turn.pieces = ranked.into_iter().map(|(_, piece)| piece).collect();
        }
    }

    fn ask(&mut self, piece: &mut ArrangedBlock<'_>) {
        let BlockKind::Call { id, name, .. } = &piece.block.kind else { return };
        let written = self.fresh(id);
        self.written.insert(written.clone());
        self.asked.push(IssuedCall { id: id.clone(), name: name.clone(), written: written.clone(), answered: false });
        piece.id = Some(written);
    }

    /// Gives a result its id, and tells its place; what is no result comes after all of them.
    fn answer(&mut self, piece: &mut ArrangedBlock<'_>) -> usize {
        let BlockKind::CallResult { id, name, .. } = &piece.block.kind else { return usize::MAX };
        let Some(rank) = self.asked.iter().position(|asked| asked.is_answered_by(id, name.as_deref())) else {
            piece.id = Some(call::id(id).into_owned());
            return self.asked.len();
        };
        self.asked[rank].answered = true;
        piece.id = Some(self.asked[rank].written.clone());
        rank
    }

    /// An id of allowed letters that no call before had.
    fn fresh(&self, id: &str) -> String {
        let first = if id.is_empty() { "call".into() } else { call::id(id) };
        if !id.is_empty() && !self.written.contains(first.as_ref()) {
            return first.into_owned();
        }
        let numbered = (self.written.len()..).map(|number| format!("{first}_{number}"));
        numbered.into_iter().find(|id| !self.written.contains(id)).expect("numbers do not end, written ids do")
    }
}

impl IssuedCall {
    /// Clients without ids answer in order, by name.
    fn is_answered_by(&self, id: &str, name: Option<&str>) -> bool {
        let this = if id.is_empty() { name.is_none_or(|name| name == self.name) } else { id == self.id };
        this && !self.answered
    }
}
