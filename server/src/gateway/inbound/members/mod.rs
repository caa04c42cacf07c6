//! Members of a request that ask for more than tokens: every member and kind is looked up in the spec's `request_objects`.
//!
//! [`scan_beside`] walks the body once and finds the members that need a decision; a [`Finding`] has the place of one and what
//! it asks for; [`Admission`] is the decision at one model; [`without`] removes tools from the bytes, [`bounded`] writes bounds
//! into them.

mod admission;
mod asked_services;
mod classes;
mod member_path;
mod removal;
mod scan;
mod stored_items;

pub use admission::{AdmissionPolicy, MemberRefusal, RequestAdmission};
pub use asked_services::{RequestedServices, class_key, class_member, is_charged_once};
pub use classes::{MemberClasses, OperatorClass, is_sold};
pub use member_path::{MemberPath, MemberPathStep};
pub use removal::{bounded, with_bounds, without};
#[cfg(test)]
pub use scan::scan;
pub use scan::scan_beside;
pub use stored_items::StoredItems;

/// A member or kind in a request that needs a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberFinding {
    /// Its place.
    pub place: MemberPath,
    /// The name of the member or kind, as the request has it.
    pub name: String,
    /// The member `name` of the object, where it is a tool with a name of its own.
    pub tool_name: Option<String>,
    /// The client's bound of its uses, where it is a tool that has one.
    pub uses_max: Option<u64>,
    /// The service or state that it asks for.
    pub asks: FindingKind,
}

/// The service or state that a finding asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FindingKind {
    /// An unknown member: not listed, and not a plain value.
    UnknownMember,
    /// An unknown kind: not listed.
    UnknownKind,
    /// A kind that is there twice, or is no text, so that parsers may differ in it.
    Unreadable,
    /// More tokens than a turn of its size has, all of which the answer reports.
    Tokens,
    /// A tool or service that is charged by use, at the price of this name.
    Sold(&'static str),
    /// This service class, which is not the base one.
    Tier(String),
    /// State kept at the provider.
    State,
    /// Another model.
    Model,
    /// More findings than a request may have.
    TooMuch,
}
