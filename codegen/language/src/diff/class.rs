//! The classes of change: the nodes and events that belong to each, whom it breaks, and the sentence for the changelog.
//!
//! A class is a line of a table; the tables are in the files below. A test holds them to every kind of node and
//! everything that can happen to one: nothing that is compared is without a class, and none is of two.

mod change_class;
mod errors;
mod machines;
mod operations;
mod replies;
mod requests;
mod service;

pub use self::change_class::{BrokenSide, ChangeAudience, ChangeClass};
use super::node::{FacetChange, FacetKind, WireDirection};

/// The tables by what they are about, in the order in which changes are told.
pub const TABLES: [(&str, &[ChangeClass]); 6] = [
    ("operations", operations::ALL),
    ("what clients send", requests::ALL),
    ("what clients receive", replies::ALL),
    ("errors", errors::ALL),
    ("names, callers, rails, limits", service::ALL),
    ("machines", machines::ALL),
];

/// All classes.
pub fn classes() -> impl Iterator<Item = &'static ChangeClass> {
    TABLES.iter().flat_map(|(_, table)| table.iter())
}

/// The class of what happened to something.
pub(super) fn class_of(
    kind: FacetKind,
    happening: FacetChange,
    direction: Option<WireDirection>,
) -> Option<&'static ChangeClass> {
    let fits = |class: &&ChangeClass| {
        class.of.contains(&(kind, happening)) && class.directions.iter().all(|only| direction == Some(*only))
    };
    classes().find(fits)
}

/// The position of a class among all.
pub(super) fn rank(class: &ChangeClass) -> usize {
    classes().position(|other| other.id == class.id).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn everything_that_can_happen_has_one_class() {
        for kind in FacetKind::ALL {
            for happening in kind.measure().happenings() {
                let fits: Vec<&ChangeClass> =
                    classes().filter(|class| class.of.contains(&(*kind, *happening))).collect();
                let directions: Vec<_> = fits.iter().map(|class| class.directions).collect();
                let (whole, halves): ([&[WireDirection]; 1], [&[WireDirection]; 2]) =
                    ([&[]], [&[WireDirection::Sent], &[WireDirection::Received]]);
                // What an agent sends may be ignored; what is sent to one is not.
                let one_way = *kind == FacetKind::IgnoredFor && directions == halves[..1];
                assert!(
                    directions == whole || directions == halves || one_way,
                    "{kind:?} {happening:?}: {:?}",
                    fits.iter().map(|class| class.id).collect::<Vec<_>>()
                );
            }
        }
    }

    #[test]
    fn nothing_has_a_class_that_cannot_happen() {
        for class in classes() {
            for (kind, happening) in class.of {
                assert!(kind.measure().happenings().contains(happening), "{}: {kind:?} {happening:?}", class.id);
            }
        }
    }

    #[test]
    fn ids_are_unique_and_at_least_seventy_break_somebody() {
        let ids: BTreeSet<&str> = classes().map(|class| class.id).collect();
        assert_eq!(ids.len(), classes().count());
        assert!(
            ids.iter().all(|id| id.bytes().all(|byte| byte.is_ascii_lowercase() || b"-0123456789".contains(&byte)))
        );
        let breaking = classes().filter(|class| class.is_breaking()).count();
        assert!(breaking >= 70, "{breaking}");
    }

    #[test]
    fn audiences_fit_whom_they_break() {
        for class in classes() {
            match class.audience {
                ChangeAudience::Stored => {
                    assert!(matches!(class.breaks, BrokenSide::Kept | BrokenSide::Nobody), "{}", class.id);
                }
                ChangeAudience::Wire | ChangeAudience::Source => {
                    assert_ne!(class.breaks, BrokenSide::Kept, "{}", class.id);
                }
            }
        }
    }
}
