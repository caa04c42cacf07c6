// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `admin_keys`.

use tollgate_macros::Wire;


/// A key that is revoked.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_keys.yaml: KeyRevoked")]
pub struct KeyRevoked {
    /// The key as it stands now.
    pub key: super::Key,
    /// True if this call revoked it. False where it was revoked before.
    pub was_active: bool,
}

/// Answer of `admin_keys.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_keys.yaml: AccountKeyListReply")]
pub struct AccountKeyListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The keys, revoked ones included.
    pub data: Vec<super::Key>,
}

/// Answer of `admin_keys.create`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_keys.yaml: AccountKeyCreatedReply")]
pub struct AccountKeyCreatedReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The key with its secret.
    pub data: super::KeyCreated,
}

/// Answer of `admin_keys.change`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_keys.yaml: AccountKeyChangedReply")]
pub struct AccountKeyChangedReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The key as it stands now.
    pub data: super::Key,
}

/// Answer of `admin_keys.revoke`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_keys.yaml: AccountKeyReply")]
pub struct AccountKeyReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The key as it stands now.
    pub data: KeyRevoked,
}
