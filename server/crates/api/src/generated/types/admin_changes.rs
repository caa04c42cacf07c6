// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `admin_changes`.

use tollgate_macros::Wire;


/// One page of the log of changes.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_changes.yaml: ChangePage")]
pub struct ChangePage {
    /// The lines, the newest first.
    pub changes: Vec<LoggedChange>,
    /// Value of `after` for the next page. Null on the last one.
    #[wire(nullable)]
    pub next: Option<String>,
}

/// One line of the log of changes.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_changes.yaml: LoggedChange")]
pub struct LoggedChange {
    /// Number of the line.
    pub change_id: i64,
    /// Time of the change.
    pub at: String,
    /// Who made it: `operator` for the command line, `operator ada`, an account, a key, a part of the server.
    pub actor: String,
    /// The address that an operator asked for it from. Null where it did not come by the admin API.
    #[wire(nullable)]
    pub address: Option<String>,
    /// The act, as in `credit.grant`.
    pub action: String,
    /// What was changed, most often by its number.
    pub subject: String,
    /// The rest in words.
    pub detail: String,
    /// The reason that was given; may be empty.
    pub reason: String,
    /// The state before, as JSON. Null where the act is not a change of state.
    #[wire(nullable)]
    pub before: Option<String>,
    /// The state after, as JSON. Null where the act is not a change of state.
    #[wire(nullable)]
    pub after: Option<String>,
}

/// Answer of `admin_changes.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_changes.yaml: ChangeListReply")]
pub struct ChangeListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The page.
    pub data: ChangePage,
}
