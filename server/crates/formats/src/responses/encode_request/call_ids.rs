//! Ids that tie results to calls, as a provider takes them.

use std::collections::{BTreeMap, VecDeque};

/// The longest id that providers take.
const LONGEST: usize = 64;

/// Gives calls without an id one, and calls with too long an id a short one; their results get the same.
#[derive(Debug, Default)]
pub struct CallIds {
    made: usize,
    shortened: BTreeMap<String, String>,
    /// Calls without an id that have no result yet: name and made id.
    open: VecDeque<(String, String)>,
}

impl CallIds {
    /// The id of a call.
    pub fn of_call(&mut self, id: &str, name: &str) -> String {
        if id.is_empty() {
            let made = self.make();
            self.open.push_back((name.to_owned(), made.clone()));
            return made;
        }
        self.known(id)
    }

    /// The id of a result; `None` where it has none and no call waits for it. Without ids the order tells, by name where
    /// there is one.
    pub fn of_result(&mut self, id: &str, name: Option<&str>) -> Option<String> {
        if !id.is_empty() {
            return Some(self.known(id));
        }
        let found = self.open.iter().position(|(call, _)| name.is_none_or(|name| name == call))?;
        self.open.remove(found).map(|(_, made)| made)
    }

    fn known(&mut self, id: &str) -> String {
        if id.len() <= LONGEST {
            return id.to_owned();
        }
        if let Some(short) = self.shortened.get(id) {
            return short.clone();
        }
        let short = self.make();
        self.shortened.insert(id.to_owned(), short.clone());
        short
    }

    fn make(&mut self) -> String {
        self.made += 1;
        format!("call_made_{}", self.made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_without_an_id_find_their_calls_by_name_and_order() {
        let mut ids = CallIds::default();
        let calls = ["a", "b", "a"].map(|name| ids.of_call("", name));
        assert_eq!(ids.of_result("", Some("b")), Some(calls[1].clone()));
        assert_eq!(ids.of_result("", None), Some(calls[0].clone()));
        assert_eq!(ids.of_result("", Some("a")), Some(calls[2].clone()));
        assert_eq!(ids.of_result("", Some("a")), None);
    }

    #[test]
    fn too_long_an_id_becomes_the_same_short_one_everywhere() {
        let mut ids = CallIds::default();
        let long = "x".repeat(65);
        let short = ids.of_call(&long, "a");
        assert!(short.len() <= LONGEST);
        assert_eq!(ids.of_result(&long, None), Some(short));
        assert_eq!(ids.of_call(&"y".repeat(64), "a"), "y".repeat(64));
    }
}
