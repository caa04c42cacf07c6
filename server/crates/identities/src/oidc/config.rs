//! The configuration of a provider.

use std::time::Duration;

use tollgate_api::generated::types::MemberRole;
use tollgate_base::{AccountId, Secret};

/// A provider that people sign in by.
#[derive(Debug, Clone)]
pub struct OidcProviderConfig {
    /// Its name, which stands in paths: small letters, digits and hyphens.
    pub name: String,
    /// Its name for people.
    pub label: String,
    /// Its issuer, letter for letter as it writes it itself.
    pub issuer: String,
    /// The name that it knows this service by.
    pub client_id: String,
    /// The secret that goes with it. Absent where the provider has this service as a public client.
    pub client_secret: Option<Secret>,
    /// The scopes that are asked for; `openid` is among them.
    pub scopes: Vec<String>,
    /// The claim that lists the groups of a person: its name, or the names on the way to it with dots between.
    pub groups_claim: String,
    /// True if its people may open accounts. Absent: as others may.
    pub registration: Option<bool>,
    /// The longest time between two sign-ins of a person, after which what its groups have made of it ends. Absent: without an end.
    pub sign_in_within: Option<Duration>,
    /// The roles that groups have in organisations.
    pub roles: Vec<GroupRole>,
}

/// The role that a group has in an organisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupRole {
    /// The group, as the provider writes it.
    pub group: String,
    /// The account of the organisation.
    pub organisation: AccountId,
    /// The role.
    pub role: MemberRole,
}
