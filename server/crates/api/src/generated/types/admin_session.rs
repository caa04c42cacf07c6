// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `admin_session`.

use tollgate_macros::Wire;

use crate::api;

/// Name, password and code of an operator.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_session.yaml: OperatorLogin")]
pub struct OperatorLogin {
    /// Name of the operator.
    #[wire(min_len = 1, max_len = 64)]
    pub name: String,
    /// The password, stored as an argon2id hash.
    #[wire(min_len = 1, max_len = 1024)]
    pub password: api::ShownOnce,
    /// The six digits that the second factor shows now (TOTP, RFC 6238).
    #[wire(min_len = 6, max_len = 6)]
    pub code: api::ShownOnce,
}

/// An invitation.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_session.yaml: OperatorInvitation")]
pub struct OperatorInvitation {
    /// The invitation, as it was shown to who made it.
    #[wire(min_len = 1, max_len = 128)]
    pub invitation: api::ShownOnce,
}

/// A second factor, for an app that shows codes.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_session.yaml: SecondFactor")]
pub struct SecondFactor {
    /// Name of the operator that the invitation is for.
    pub name: String,
    /// The secret in base 32, to be typed into the app. Shown here only.
    pub secret: api::ShownOnce,
    /// The same as an `otpauth:` URI, to be scanned. Shown here only.
    pub uri: api::ShownOnce,
    /// That URI as a QR code, drawn as SVG. Shown here only.
    pub qr_svg: api::ShownOnce,
}

/// What an invited person has chosen.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_session.yaml: InvitationAcceptance")]
pub struct InvitationAcceptance {
    /// The secret of the second factor that was offered.
    #[wire(min_len = 1, max_len = 128)]
    pub secret: api::ShownOnce,
    /// The six digits that it shows now.
    #[wire(min_len = 6, max_len = 6)]
    pub code: api::ShownOnce,
    /// The password, stored as an argon2id hash.
    #[wire(min_len = 12, max_len = 1024)]
    pub password: api::ShownOnce,
    /// The invitation, as it was shown to who made it.
    #[wire(min_len = 1, max_len = 128)]
    pub invitation: api::ShownOnce,
}

/// An operator who is signed in.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_session.yaml: OperatorSignedIn")]
pub struct OperatorSignedIn {
    /// Number of the operator.
    pub operator_id: i64,
    /// Name of the operator.
    pub name: String,
    /// The role.
    pub role: super::OperatorRole,
    /// Time at which the session ends by itself at the latest; sooner where it is not used.
    pub expires_at: i64,
}

/// The operator that calls.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_session.yaml: OperatorSelf")]
pub struct OperatorSelf {
    /// Number of the operator.
    pub operator_id: i64,
    /// Name of the operator.
    pub name: String,
    /// The role.
    pub role: super::OperatorRole,
    /// True by a session, false by a key.
    pub signed_in: bool,
}

/// Answer of signing out.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_session.yaml: OperatorLogoutReply")]
pub struct OperatorLogoutReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
}

/// Answer of `admin_session.login`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_session.yaml: OperatorLoginReply")]
pub struct OperatorLoginReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The operator who is signed in.
    pub data: OperatorSignedIn,
}

/// Answer of `admin_session.offer`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_session.yaml: SecondFactorReply")]
pub struct SecondFactorReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The second factor.
    pub data: SecondFactor,
}

/// Answer of `admin_session.get`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_session.yaml: OperatorSelfReply")]
pub struct OperatorSelfReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The operator that calls.
    pub data: OperatorSelf,
}
