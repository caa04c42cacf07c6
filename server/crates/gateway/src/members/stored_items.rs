//! Items of a request's input that come from stored responses.

use super::{MemberPath, MemberPathStep};

/// The items of the input that come from stored responses. They were accepted when they were sent, or a provider answered
/// them, so unknown members in them need no decision.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredItems(Vec<bool>);

impl StoredItems {
    /// The first `count` items.
    #[must_use]
    pub fn first(count: usize) -> Self {
        Self(vec![true; count])
    }

    /// Adds the item at `index`.
    pub fn add(&mut self, index: usize) {
        self.0.resize(self.0.len().max(index + 1), false);
        self.0[index] = true;
    }

    /// True if the item at this index comes from a stored response.
    #[must_use]
    pub fn holds(&self, index: usize) -> bool {
        self.0.get(index).is_some_and(|stored| *stored)
    }

    /// True if a place is within such an item.
    #[must_use]
    pub(super) fn reach(&self, place: &MemberPath) -> bool {
        match &place.0[..] {
            [MemberPathStep::Member(list), MemberPathStep::Element(index), ..] => list == "input" && self.holds(*index),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FindingKind, MemberClasses, scan_beside};
    use super::*;
    use tollgate_formats::Format;

    /// Two items with a new member and a tool that is sold, and a new member of the body.
    const BODY: &str = r#"{"input":[{"type":"new","x":{},"tools":[{"type":"web_search"}]},
        {"type":"message","content":[{"type":"text","x":{}}]}],"y":{}}"#;

    fn found(stored: &StoredItems) -> Vec<String> {
        let findings =
            scan_beside(Format::Responses, BODY.as_bytes(), &MemberClasses::default(), stored).expect("JSON");
        findings.iter().map(|finding| finding.place.to_string()).collect()
    }

    #[test]
    fn what_is_not_known_in_stored_items_is_let_be() {
        let sold = "input[0].tools[0]";
        assert_eq!(found(&StoredItems::default()), ["input[0].type", "input[0].x", sold, "input[1].content[0].x", "y"]);
        assert_eq!(found(&StoredItems::first(1)), [sold, "input[1].content[0].x", "y"]);
        let mut stored = StoredItems::default();
        stored.add(1);
        assert_eq!(found(&stored), ["input[0].type", "input[0].x", sold, "y"]);
        assert_eq!(found(&StoredItems::first(9)), [sold, "y"], "the body itself is the client's");
    }

    #[test]
    fn there_may_be_many_unknown_ones() {
        let items = vec![r#"{"type":"new"}"#; 200].join(",");
        let body = format!(r#"{{"input":[{items},{{"type":"new"}}]}}"#);
        let scan = |stored| scan_beside(Format::Responses, body.as_bytes(), &MemberClasses::default(), &stored);
        let findings = scan(StoredItems::first(200)).expect("JSON");
        assert_eq!(findings.iter().map(|finding| finding.asks.clone()).collect::<Vec<_>>(), [FindingKind::UnknownKind]);
    }
}
