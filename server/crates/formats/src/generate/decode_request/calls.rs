//! Calls and the results that answer them. Old clients write no ids: then name and order tie them.

use std::collections::{BTreeMap, VecDeque};

use super::super::id;
use crate::{BlockKind, ThinkingSignature};

/// Calls that wait for their results, oldest first. Each is found without a look at the others: a request may hold a
/// hundred thousand.
#[derive(Default)]
pub struct UnansweredCalls {
    /// The id of each call; `None` once it is answered.
    ids: Vec<Option<String>>,
    by_id: BTreeMap<String, VecDeque<usize>>,
    by_name: BTreeMap<String, VecDeque<usize>>,
    /// No call before this one waits.
    oldest: usize,
}

impl UnansweredCalls {
    /// Notes a call. It has the id that the client gave it, or one made of its place.
    pub fn call(
        &mut self,
        at: &str,
        id: Option<String>,
        name: String,
        arguments: String,
        signature: Option<ThinkingSignature>,
    ) -> BlockKind {
        let given = id.filter(|id| !id.is_empty());
        let (id, on_id) = match given.as_deref().map(ThinkingSignature::split_from_id) {
            Some((id, on_id)) => (id.to_owned(), on_id),
            None => (id::of_place(at), None),
        };
        let index = self.ids.len();
        self.ids.push(Some(id.clone()));
        self.by_id.entry(id.clone()).or_default().push_back(index);
        self.by_name.entry(name.clone()).or_default().push_back(index);
        BlockKind::Call { id, name, arguments, custom: false, signature: signature.or(on_id) }
    }

    /// The id of the call that a result answers: the one it names, else the oldest of the same name, else the oldest.
    pub fn result(&mut self, at: &str, id: Option<String>, name: &str) -> String {
        if let Some(id) = id.filter(|id| !id.is_empty()) {
            let id = ThinkingSignature::split_from_id(&id).0.to_owned();
            if let Some(found) = Self::first(&self.ids, self.by_id.get_mut(&id)) {
                self.ids[found] = None;
            }
            return id;
        }
        let found = Self::first(&self.ids, self.by_name.get_mut(name)).or_else(|| self.oldest());
        found.and_then(|found| self.ids[found].take()).unwrap_or_else(|| id::of_place(at))
    }

    fn first(ids: &[Option<String>], waiting: Option<&mut VecDeque<usize>>) -> Option<usize> {
        let waiting = waiting?;
        while let Some(index) = waiting.pop_front() {
            if ids[index].is_some() {
                return Some(index);
            }
        }
        None
    }

    fn oldest(&mut self) -> Option<usize> {
        while self.ids.get(self.oldest).is_some_and(Option::is_none) {
            self.oldest += 1;
        }
        (self.oldest < self.ids.len()).then_some(self.oldest)
    }
}
