// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `sessions`.

use tollgate_macros::Wire;

use crate::api;

/// A session of the account.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/sessions.yaml: SessionInfo")]
pub struct SessionInfo {
    /// The name of the session, 64 letters and digits. It is not what the cookie holds.
    pub session_id: String,
    /// True for the session that asks.
    pub current: bool,
    /// Time at which somebody signed in.
    pub created_at: i64,
    /// Time of its last use, to a minute.
    pub seen_at: i64,
    /// Time at which it ends by itself at the latest; sooner where it is not used.
    pub ends_at: i64,
}

/// The number of sessions that have ended.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/sessions.yaml: SessionsEnded")]
pub struct SessionsEnded {
    /// The number.
    #[wire(min = 0)]
    pub ended: i64,
}

/// The password as it is, and as it is to be.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/sessions.yaml: PasswordChange")]
pub struct PasswordChange {
    /// The present password. Absent where the account has none.
    #[wire(optional, min_len = 1, max_len = 1024)]
    pub password: Option<api::ShownOnce>,
    /// The new one, stored as an argon2id hash.
    #[wire(min_len = 8, max_len = 1024)]
    pub new_password: api::ShownOnce,
}

/// Answer of changing the password.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/sessions.yaml: PasswordReply")]
pub struct PasswordReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
}

/// Address and password that a person will sign in with.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/sessions.yaml: RegistrationRequest")]
pub struct RegistrationRequest {
    /// The address to sign in with. Upper and lower case are the same.
    #[wire(min_len = 3, max_len = 64)]
    pub email: String,
    /// Stored as an argon2id hash.
    #[wire(min_len = 8, max_len = 1024)]
    pub password: api::ShownOnce,
    /// The secret of an open invitation to an organisation, which lets a person in where registration is switched
    /// off.
    #[wire(optional, min_len = 1, max_len = 128)]
    pub invitation: Option<api::ShownOnce>,
}

/// Name and password.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/sessions.yaml: LoginRequest")]
pub struct LoginRequest {
    /// The name of the account, which is an e-mail address where the person registered.
    #[wire(min_len = 1, max_len = 64)]
    pub email: String,
    /// Its password.
    #[wire(min_len = 1, max_len = 1024)]
    pub password: api::ShownOnce,
}

/// The person who is signed in.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/sessions.yaml: SignedIn")]
pub struct SignedIn {
    /// Number of the person's account.
    pub user_id: i64,
    /// Time at which the session ends by itself at the latest; sooner where it is not used.
    pub expires_at: i64,
}

/// Answer of signing out.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/sessions.yaml: LogoutReply")]
pub struct LogoutReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
}

/// Answer of `sessions.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/sessions.yaml: SessionInfoListReply")]
pub struct SessionInfoListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The sessions.
    pub data: Vec<SessionInfo>,
}

/// Answer of `sessions.end`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/sessions.yaml: SessionsEndedReply")]
pub struct SessionsEndedReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The number of sessions that have ended.
    pub data: SessionsEnded,
}
