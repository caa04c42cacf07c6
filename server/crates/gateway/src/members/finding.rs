//! A member or kind of a request that needs a decision, and what it asks for.

use super::MemberPath;

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
