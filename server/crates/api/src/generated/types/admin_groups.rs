// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `admin_groups`.

use tollgate_macros::Wire;


/// A new group of accounts.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_groups.yaml: AccountGroupRequest")]
pub struct AccountGroupRequest {
    /// Its name: small letters, digits, `-` and `_`.
    #[wire(min_len = 1, max_len = 64)]
    pub name: String,
    /// The ratio of all prices that it pays, as an exact decimal: `0.85`.
    #[wire(min_len = 1, max_len = 40)]
    pub ratio: String,
    /// Model requests that each of its accounts may begin in a minute. Absent means without bound.
    #[wire(optional, min = 1, max = 1000000000)]
    pub requests_per_minute: Option<i64>,
    /// Model requests that each of its accounts may have in flight. Absent means without bound.
    #[wire(optional, min = 1, max = 1000000000)]
    pub requests_in_flight: Option<i64>,
    /// The reason, for the log of changes.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// A new ratio of a group, and its bounds; those that are absent are taken off.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_groups.yaml: AccountGroupUpdate")]
pub struct AccountGroupUpdate {
    /// The ratio of all prices that it pays, as an exact decimal: `0.85`.
    #[wire(min_len = 1, max_len = 40)]
    pub ratio: String,
    /// Model requests that each of its accounts may begin in a minute. Absent means without bound.
    #[wire(optional, min = 1, max = 1000000000)]
    pub requests_per_minute: Option<i64>,
    /// Model requests that each of its accounts may have in flight. Absent means without bound.
    #[wire(optional, min = 1, max = 1000000000)]
    pub requests_in_flight: Option<i64>,
    /// The reason, for the log of changes.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// A group of accounts.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_groups.yaml: AccountGroupInfo")]
pub struct AccountGroupInfo {
    /// Its name.
    pub name: String,
    /// Origin: the configuration file, or operators.
    pub origin: super::CatalogOrigin,
    /// Reason that it cannot be used. Null where it can.
    #[wire(nullable)]
    pub fault: Option<String>,
    /// The ratio of all prices that it pays, as an exact decimal.
    pub ratio: String,
    /// Model requests that each of its accounts may begin in a minute. Null without bound.
    #[wire(nullable)]
    pub requests_per_minute: Option<i64>,
    /// Model requests that each of its accounts may have in flight. Null without bound.
    #[wire(nullable)]
    pub requests_in_flight: Option<i64>,
    /// Time of its last change. Null where the file has it.
    #[wire(nullable)]
    pub changed_at: Option<String>,
    /// Actor of its last change, as in the log of changes. Null where the file has it.
    #[wire(nullable)]
    pub changed_by: Option<String>,
    /// Changes with it; for `If-Match`.
    pub version: String,
}

/// Answer of `admin_groups.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_groups.yaml: AccountGroupListReply")]
pub struct AccountGroupListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The groups.
    pub data: Vec<AccountGroupInfo>,
}

/// Answer of `admin_groups.create`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_groups.yaml: AccountGroupInfoReply")]
pub struct AccountGroupInfoReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The group.
    pub data: AccountGroupInfo,
}

/// Answer of `admin_groups.remove`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_groups.yaml: AccountGroupRemovedReply")]
pub struct AccountGroupRemovedReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The entry that was taken away.
    pub data: super::CatalogRemoved,
}
