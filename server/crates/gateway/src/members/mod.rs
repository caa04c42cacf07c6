//! Members of a request that ask for more than tokens: every member and kind is looked up in the spec's
//! lists, `spec/requests/`.
//!
//! [`scan_beside`] walks the body once and finds the members that need a decision; a [`MemberFinding`] has the place of one and
//! what it asks for; [`RequestAdmission`] is the decision at one model; [`without`] removes tools from the bytes, [`bounded`]
//! writes bounds into them.

mod admission;
mod asked_services;
mod classes;
mod finding;
mod member_path;
mod removal;
mod scan;
mod stored_items;

pub use admission::{AdmissionPolicy, MemberRefusal, RequestAdmission};
pub use asked_services::{RequestedServices, class_key, class_member, is_charged_once};
pub use classes::{MemberClasses, OperatorClass, is_sold};
pub use finding::{FindingKind, MemberFinding};
pub use member_path::{MemberPath, MemberPathStep};
pub use removal::{bounded, with_bounds, without};
#[cfg(test)]
pub use scan::scan;
pub use scan::scan_beside;
pub use stored_items::StoredItems;
