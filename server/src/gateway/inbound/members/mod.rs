//! What a request asks for beyond tokens: every member and kind looked up in the spec's `request_objects`.
//!
//! [`scan_beside`] walks the body once and finds what does not pass by itself; [`Finding`] says where it stands and what it asks
//! for; [`Admission`] is what becomes of it at one model; [`without`] takes tools out of the bytes, [`bounded`] writes bounds
//! into them.

mod admission;
mod asked_services;
mod classes;
mod place;
mod scan;
mod stored;
mod without;

pub use admission::{Admission, Policy, Refused};
pub use asked_services::{AskedServices, class_key, class_member, told_once};
pub use classes::{MemberClasses, OperatorClass, is_sold};
pub use place::{Place, Step};
#[cfg(test)]
pub use scan::scan;
pub use scan::scan_beside;
pub use stored::StoredItems;
pub use without::{bounded, with_bounds, without};

/// Something in a request that does not pass by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Where it stands.
    pub place: Place,
    /// The member or kind, as the request has it.
    pub name: String,
    /// What the object calls itself, where it is a tool with a name of its own.
    pub tool_name: Option<String>,
    /// The client's own bound of how often it is used, where it is a tool that has one.
    pub uses_max: Option<u64>,
    /// What it asks for.
    pub asks: Asks,
}

/// What a finding asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asks {
    /// Nobody knows: a member that is not listed, and is not plain.
    UnknownMember,
    /// Nobody knows: a kind that is not listed.
    UnknownKind,
    /// A kind that is written twice, or is no text: readers may differ in what it is.
    Unreadable,
    /// More tokens than a turn of its size has, all of which the answer reports.
    Tokens,
    /// Something charged for by use, at the price of this name.
    Sold(&'static str),
    /// This class of service, which is not the base one.
    Tier(String),
    /// Something kept at the provider.
    State,
    /// Another model.
    Model,
    /// More that needs a decision than a request may hold.
    TooMuch,
}
