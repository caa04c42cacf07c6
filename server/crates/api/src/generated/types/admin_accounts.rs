// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `admin_accounts`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// State of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_accounts.yaml: AccountState")]
pub enum AccountState {
    /// Its keys are accepted.
    #[wire(name = "active")]
    Active,
    /// Its keys are refused; its money stays where it is.
    #[wire(name = "frozen")]
    Frozen,
}

/// Order of a list of accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_accounts.yaml: AccountSort")]
pub enum AccountSort {
    /// By name.
    #[wire(name = "name")]
    Name,
    /// The newest first.
    #[wire(name = "newest")]
    Newest,
    /// The most available credit first.
    #[wire(name = "richest")]
    Richest,
}

/// A new account.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_accounts.yaml: AccountRequest")]
pub struct AccountRequest {
    /// Name, unique: no number, no line breaks, no outer spaces.
    #[wire(min_len = 1, max_len = 64)]
    pub name: String,
    /// The group whose prices it pays. Absent means `default`.
    #[wire(optional, min_len = 1, max_len = 64)]
    pub group: Option<String>,
    /// A note for operators.
    #[wire(optional, max_len = 500)]
    pub note: Option<String>,
    /// The reason, for the log of changes.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// A change of an account. Absent members stay as they are.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_accounts.yaml: AccountUpdate")]
pub struct AccountUpdate {
    /// The new state.
    #[wire(optional)]
    pub state: Option<AccountState>,
    /// The new group, whose prices it pays from the next request on.
    #[wire(optional, min_len = 1, max_len = 64)]
    pub group: Option<String>,
    /// The new note.
    #[wire(optional, max_len = 500)]
    pub note: Option<String>,
    /// The reason, for the log of changes.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// One page of the list of accounts.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_accounts.yaml: AccountPage")]
pub struct AccountPage {
    /// The accounts.
    pub accounts: Vec<Account>,
    /// Value of `after` for the next page. Null on the last one.
    #[wire(nullable)]
    pub next: Option<String>,
}

/// An account with its credit.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_accounts.yaml: Account")]
pub struct Account {
    /// Number of the account.
    pub account_id: i64,
    /// Its name.
    pub name: String,
    /// Its state.
    pub state: AccountState,
    /// The group whose prices it pays.
    pub group: String,
    /// A note for operators.
    pub note: String,
    /// Credit that requests may hold.
    pub available_usd: api::Usd,
    /// Credit that requests under way hold.
    pub held_usd: api::Usd,
    /// What it owes: the next credits pay it.
    pub owed_usd: api::Usd,
    /// Time at which it was made.
    pub created_at: i64,
    /// Changes with state, group and note; for `If-Match`.
    pub version: String,
}

/// Credit to be granted.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_accounts.yaml: GrantRequest")]
pub struct GrantRequest {
    /// The amount, more than zero.
    #[wire(min = 0, max = 1000000000)]
    pub usd: api::Usd,
    /// The reason, which is kept with the grant.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// A grant.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_accounts.yaml: Grant")]
pub struct Grant {
    /// Number of its transfer in the ledger.
    pub transfer: i64,
    /// The amount.
    pub granted_usd: api::Usd,
    /// Part of it that paid what the account owed.
    pub debt_paid_usd: api::Usd,
    /// True if it was made before with the same key.
    pub repeated: bool,
    /// Credit of the account that requests may hold now.
    pub available_usd: api::Usd,
}

/// Credit to be taken back.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_accounts.yaml: TakingRequest")]
pub struct TakingRequest {
    /// The amount, more than zero.
    #[wire(min = 0, max = 1000000000)]
    pub usd: api::Usd,
    /// True if the account owes what it does not have available. Absent means false: that is left.
    #[wire(optional)]
    pub debt: Option<bool>,
    /// The reason, which is kept with the taking.
    #[wire(min_len = 1, max_len = 500)]
    pub reason: String,
}

/// Credit that was taken back.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_accounts.yaml: Taking")]
pub struct Taking {
    /// Number of the taking in the ledger.
    pub reversal: i64,
    /// Part that was available and was taken.
    pub taken_usd: api::Usd,
    /// Part that the account owes now.
    pub debt_usd: api::Usd,
    /// Part that was neither taken nor is owed.
    pub left_usd: api::Usd,
    /// True if it was made before with the same key.
    pub repeated: bool,
    /// Credit of the account that requests may hold now.
    pub available_usd: api::Usd,
}

/// Answer of `admin_accounts.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_accounts.yaml: AccountListReply")]
pub struct AccountListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The page.
    pub data: AccountPage,
}

/// Answer of `admin_accounts.create`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_accounts.yaml: AccountReply")]
pub struct AccountReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The account.
    pub data: Account,
}

/// Answer of `admin_accounts.grant`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_accounts.yaml: GrantReply")]
pub struct GrantReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The grant.
    pub data: Grant,
}

/// Answer of `admin_accounts.take`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_accounts.yaml: TakingReply")]
pub struct TakingReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The taking.
    pub data: Taking,
}
