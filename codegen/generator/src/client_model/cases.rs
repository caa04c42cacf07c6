//! All cases of a document: those of its examples, and beside them those that need no writing.

use super::document::{ApiDocument, ApiExample};
use super::example_case::{ExampleCase, of};
use super::framework_cases::{self, PathMethods};
use crate::map::HashMap;

/// All cases: by operation, the written ones first.
#[must_use]
pub fn cases(document: &ApiDocument) -> Vec<ExampleCase<'_>> {
    let mut written: HashMap<&str, Vec<(&str, &ApiExample)>> = HashMap::default();
    for (name, example) in &document.examples {
        for id in &example.of {
            written.entry(id).or_default().push((name, example));
        }
    }
    let table = PathMethods::new(document);
    // A case is large: to make room as the list grows would move all that is there, again and again.
    let most = written.values().map(Vec::len).sum::<usize>() + framework_cases::MOST * document.operations.len();
    let mut cases = Vec::with_capacity(most);
    for (id, operation) in &document.operations {
        let written = written.get(id.as_str()).into_iter().flatten();
        cases.extend(written.map(|example| of(document, (id, operation), *example)));
        cases.extend(framework_cases::cases(&table, id, operation));
    }
    cases
}
