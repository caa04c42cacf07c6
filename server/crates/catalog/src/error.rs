//! The reasons for which what is on offer is not read or changed.

use tollgate_base::AccountGroup;
use tollgate_gateway::UpstreamError;
use tollgate_store::StoreError;

use crate::entry::EntryName;
use crate::offer::UnplacedComplaint;

/// What is on offer could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// Nothing has this name, or it was taken off.
    #[error("there is no {0}")]
    NotFound(EntryName),
    /// Operators have added one of this name.
    #[error("there is a {0}")]
    NameTaken(EntryName),
    /// The configuration has this name, and alone changes what it has.
    #[error("the configuration has the {0}")]
    Configured(EntryName),
    /// It was changed since it was read.
    #[error("the {0} was changed meanwhile")]
    Changed(EntryName),
    /// Something else needs it.
    #[error("the {name} is needed: {by}")]
    InUse {
        /// What was to be taken off.
        name: EntryName,
        /// What needs it.
        by: String,
    },
    /// It cannot be used as it is written.
    #[error("{}: {}", .0.path.join("."), .0.message)]
    Invalid(UnplacedComplaint),
    /// Secrets are not kept: the configuration has no key for them.
    #[error("the configuration has no key under which secrets are sealed")]
    NoSealingKey,
    /// A sandbox sells what it has.
    #[error("a sandbox sells what it has")]
    Sandbox,
    /// Accounts are in a group that would have no ratio.
    #[error("there are accounts in the group `{0}`, and no [groups.{0}] with their ratio: write it, or move them")]
    GroupMissing(AccountGroup),
    /// The store failed.
    #[error("reading or writing what is on offer failed")]
    Store(#[from] StoreError),
    /// A provider's client could not be built.
    #[error("setting up a provider failed")]
    Upstream(#[from] UpstreamError),
}

/// What operators put on offer cannot be read at the start.
#[derive(Debug, thiserror::Error)]
pub enum CatalogStartError {
    /// The database.
    #[error("reading what is on offer failed")]
    Store(#[from] StoreError),
    /// A secret is sealed under another key.
    #[error(
        "the secret of the provider `{provider}` is sealed under the key {key_id}, and admin.secrets_key is {given}: \
         give the key {key_id} as admin.secrets_key, or as admin.secrets_key_former beside the one that takes its place"
    )]
    WrongKey {
        /// The provider.
        provider: String,
        /// The id of the key that it is sealed under.
        key_id: String,
        /// The ids of the keys that there are, or that there is none.
        given: String,
    },
    /// A secret does not open under its own key.
    #[error(
        "the secret of the provider `{provider}` does not open under its key {key_id}: it was changed in the database; \
         set it again once the row in provider_secrets is deleted"
    )]
    Tampered {
        /// The provider.
        provider: String,
        /// The id of the key that it is sealed under.
        key_id: String,
    },
}
