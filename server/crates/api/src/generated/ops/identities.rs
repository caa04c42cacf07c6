// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `identities`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /api/user/login/wallet/challenge: A text that a wallet signs to sign in, after EIP-4361. The service
/// keeps what it says; it is good for one sign-in, by that wallet. Whether an account has the wallet shows
/// nowhere in it. (spec/operations/identities.yaml: identities.challenge)
#[diagnostic::on_unimplemented(
    message = "operation `identities.challenge` (POST /api/user/login/wallet/challenge) has no handler on `{Self}`",
    label = "missing `impl ChallengeWallet for {Self}`",
    note = "declared at spec/operations/identities.yaml: identities.challenge",
    note = "add: impl ChallengeWallet for {Self} {{ async fn challenge_wallet(&self, cx: &Cx, input: ChallengeWalletInput) -> Result<WalletChallengeReply, ChallengeWalletError> {{ .. }} }}"
)]
pub trait ChallengeWallet: Send + Sync + 'static {
    /// Answers the operation.
    fn challenge_wallet(
        &self,
        cx: &api::Cx,
        input: ChallengeWalletInput,
    ) -> impl Future<Output = Result<types::WalletChallengeReply, ChallengeWalletError>> + Send;
}

/// The input of [`ChallengeWallet`].
#[derive(Debug)]
pub struct ChallengeWalletInput {
    /// The body.
    pub body: types::WalletChallengeRequest,
}

/// The errors of [`ChallengeWallet`].
#[derive(Debug, OpError)]
#[op(operation = "identities.challenge", spec = "spec/operations/identities.yaml: identities.challenge")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ChallengeWalletError {
    #[code(BAD_FIELD)]
    BadField { field: String, expected: String, found: String },
    #[code(WALLETS_DISABLED)]
    WalletsDisabled,
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static CHALLENGE_WALLET: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/login/wallet/challenge"),
    ],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("identities.challenge", "spec/operations/identities.yaml: identities.challenge", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn challenge_wallet<S: ChallengeWallet>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ChallengeWalletInput {
        body: call.json().await?,
    };
    let reply = service.challenge_wallet(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/user/login/wallet: Signs a person in by a wallet that has signed a text of the service, and sets
/// the cookie `session`. A wallet that nobody has opens an account, where the operator has switched registration
/// on; its name is the address of the wallet. A sign-in that was refused has not used the text. A wallet that is
/// a contract cannot sign in. (spec/operations/identities.yaml: identities.sign_in)
#[diagnostic::on_unimplemented(
    message = "operation `identities.sign_in` (POST /api/user/login/wallet) has no handler on `{Self}`",
    label = "missing `impl SignInByWallet for {Self}`",
    note = "declared at spec/operations/identities.yaml: identities.sign_in",
    note = "add: impl SignInByWallet for {Self} {{ async fn sign_in_by_wallet(&self, cx: &Cx, input: SignInByWalletInput) -> Result<BeginsSession<LoginReply>, SignInByWalletError> {{ .. }} }}"
)]
pub trait SignInByWallet: Send + Sync + 'static {
    /// Answers the operation.
    fn sign_in_by_wallet(
        &self,
        cx: &api::Cx,
        input: SignInByWalletInput,
    ) -> impl Future<Output = Result<api::BeginsSession<types::LoginReply>, SignInByWalletError>> + Send;
}

/// The input of [`SignInByWallet`].
#[derive(Debug)]
pub struct SignInByWalletInput {
    /// The body.
    pub body: types::WalletProof,
}

/// The errors of [`SignInByWallet`].
#[derive(Debug, OpError)]
#[op(operation = "identities.sign_in", spec = "spec/operations/identities.yaml: identities.sign_in")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum SignInByWalletError {
    #[code(BAD_FIELD)]
    BadField { field: String, expected: String, found: String },
    #[code(CHALLENGE_INVALID)]
    ChallengeInvalid,
    #[code(BAD_WALLET_SIGNATURE)]
    BadWalletSignature { address: String },
    #[code(ACCOUNT_FROZEN)]
    AccountFrozen,
    #[code(REGISTRATION_DISABLED)]
    RegistrationDisabled,
    #[code(ACCOUNT_EXISTS)]
    AccountExists,
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static SIGN_IN_BY_WALLET: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/login/wallet"),
    ],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("identities.sign_in", "spec/operations/identities.yaml: identities.sign_in", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn sign_in_by_wallet<S: SignInByWallet>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    call.from_own_page()?;
    let input = SignInByWalletInput {
        body: call.json().await?,
    };
    let reply = service.sign_in_by_wallet(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_beginning(&auth::SESSION, &reply)
}

/// GET /api/user/self/identities: The ways to sign in to the account beside its password, the oldest first.
/// (spec/operations/identities.yaml: identities.list)
#[diagnostic::on_unimplemented(
    message = "operation `identities.list` (GET /api/user/self/identities) has no handler on `{Self}`",
    label = "missing `impl ListIdentities for {Self}`",
    note = "declared at spec/operations/identities.yaml: identities.list",
    note = "add: impl ListIdentities for {Self} {{ async fn list_identities(&self, cx: &Cx, input: ListIdentitiesInput) -> Result<IdentityListReply, ListIdentitiesError> {{ .. }} }}"
)]
pub trait ListIdentities: Send + Sync + 'static {
    /// Answers the operation.
    fn list_identities(
        &self,
        cx: &api::Cx,
        input: ListIdentitiesInput,
    ) -> impl Future<Output = Result<types::IdentityListReply, ListIdentitiesError>> + Send;
}

/// The input of [`ListIdentities`].
#[derive(Debug)]
pub struct ListIdentitiesInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ListIdentitiesInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ListIdentities`].
#[derive(Debug, OpError)]
#[op(operation = "identities.list", spec = "spec/operations/identities.yaml: identities.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListIdentitiesError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static LIST_IDENTITIES: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/self/identities"),
    ],
    members: ListIdentitiesInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("identities.list", "spec/operations/identities.yaml: identities.list", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_identities<S: ListIdentities + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListIdentitiesInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.list_identities(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/user/self/identities/challenge: A text that a wallet signs to become a way to sign in to the
/// account. It names the account. Asked for by a session that began lately. (spec/operations/identities.yaml:
/// identities.challenge_own)
#[diagnostic::on_unimplemented(
    message = "operation `identities.challenge_own` (POST /api/user/self/identities/challenge) has no handler on `{Self}`",
    label = "missing `impl ChallengeOwnWallet for {Self}`",
    note = "declared at spec/operations/identities.yaml: identities.challenge_own",
    note = "add: impl ChallengeOwnWallet for {Self} {{ async fn challenge_own_wallet(&self, cx: &Cx, input: ChallengeOwnWalletInput) -> Result<WalletChallengeReply, ChallengeOwnWalletError> {{ .. }} }}"
)]
pub trait ChallengeOwnWallet: Send + Sync + 'static {
    /// Answers the operation.
    fn challenge_own_wallet(
        &self,
        cx: &api::Cx,
        input: ChallengeOwnWalletInput,
    ) -> impl Future<Output = Result<types::WalletChallengeReply, ChallengeOwnWalletError>> + Send;
}

/// The input of [`ChallengeOwnWallet`].
#[derive(Debug)]
pub struct ChallengeOwnWalletInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The body.
    pub body: types::WalletChallengeRequest,
}

impl ChallengeOwnWalletInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ChallengeOwnWallet`].
#[derive(Debug, OpError)]
#[op(operation = "identities.challenge_own", spec = "spec/operations/identities.yaml: identities.challenge_own")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ChallengeOwnWalletError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(BAD_FIELD)]
    BadField { field: String, expected: String, found: String },
    #[code(WALLETS_DISABLED)]
    WalletsDisabled,
    #[code(SIGN_IN_STALE)]
    SignInStale,
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static CHALLENGE_OWN_WALLET: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/self/identities/challenge"),
    ],
    members: ChallengeOwnWalletInput::MEMBERS,
    schemes: &[&auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("identities.challenge_own", "spec/operations/identities.yaml: identities.challenge_own", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn challenge_own_wallet<S: ChallengeOwnWallet + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ChallengeOwnWalletInput {
        caller: call.caller_or_session(&*service).await?,
        body: call.json().await?,
    };
    let reply = service.challenge_own_wallet(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/user/self/identities: Makes a wallet that has signed such a text a way to sign in to the account. A
/// wallet signs in to one account. (spec/operations/identities.yaml: identities.link)
#[diagnostic::on_unimplemented(
    message = "operation `identities.link` (POST /api/user/self/identities) has no handler on `{Self}`",
    label = "missing `impl LinkWallet for {Self}`",
    note = "declared at spec/operations/identities.yaml: identities.link",
    note = "add: impl LinkWallet for {Self} {{ async fn link_wallet(&self, cx: &Cx, input: LinkWalletInput) -> Result<IdentityReply, LinkWalletError> {{ .. }} }}"
)]
pub trait LinkWallet: Send + Sync + 'static {
    /// Answers the operation.
    fn link_wallet(
        &self,
        cx: &api::Cx,
        input: LinkWalletInput,
    ) -> impl Future<Output = Result<types::IdentityReply, LinkWalletError>> + Send;
}

/// The input of [`LinkWallet`].
#[derive(Debug)]
pub struct LinkWalletInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The body.
    pub body: types::WalletProof,
}

impl LinkWalletInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`LinkWallet`].
#[derive(Debug, OpError)]
#[op(operation = "identities.link", spec = "spec/operations/identities.yaml: identities.link")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum LinkWalletError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(BAD_FIELD)]
    BadField { field: String, expected: String, found: String },
    #[code(CHALLENGE_INVALID)]
    ChallengeInvalid,
    #[code(BAD_WALLET_SIGNATURE)]
    BadWalletSignature { address: String },
    #[code(IDENTITY_EXISTS)]
    IdentityExists { identity: String },
    #[code(IDENTITY_LIMIT)]
    IdentityLimit { count: i64 },
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static LINK_WALLET: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/self/identities"),
    ],
    members: LinkWalletInput::MEMBERS,
    schemes: &[&auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("identities.link", "spec/operations/identities.yaml: identities.link", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn link_wallet<S: LinkWallet + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = LinkWalletInput {
        caller: call.caller_or_session(&*service).await?,
        body: call.json().await?,
    };
    let reply = service.link_wallet(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// DELETE /api/user/self/identities/{identity_id}: Takes a way to sign in away from the account. All sessions of
/// the account end, the one that asks included. The last way to sign in stays, and so does a person of a
/// provider whose groups have made the account the only owner of an organisation.
/// (spec/operations/identities.yaml: identities.remove)
#[diagnostic::on_unimplemented(
    message = "operation `identities.remove` (DELETE /api/user/self/identities/{{identity_id}}) has no handler on `{Self}`",
    label = "missing `impl RemoveIdentity for {Self}`",
    note = "declared at spec/operations/identities.yaml: identities.remove",
    note = "add: impl RemoveIdentity for {Self} {{ async fn remove_identity(&self, cx: &Cx, input: RemoveIdentityInput) -> Result<IdentityReply, RemoveIdentityError> {{ .. }} }}"
)]
pub trait RemoveIdentity: Send + Sync + 'static {
    /// Answers the operation.
    fn remove_identity(
        &self,
        cx: &api::Cx,
        input: RemoveIdentityInput,
    ) -> impl Future<Output = Result<types::IdentityReply, RemoveIdentityError>> + Send;
}

/// The input of [`RemoveIdentity`].
#[derive(Debug)]
pub struct RemoveIdentityInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// Number of the identity, from the list of identities.
    pub identity_id: i64,
}

impl RemoveIdentityInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`RemoveIdentity`].
#[derive(Debug, OpError)]
#[op(operation = "identities.remove", spec = "spec/operations/identities.yaml: identities.remove")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum RemoveIdentityError {
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(IDENTITY_NOT_FOUND)]
    IdentityNotFound { identity_id: i64 },
    #[code(IDENTITY_LAST)]
    IdentityLast { identity_id: i64 },
    #[code(LAST_OWNER)]
    LastOwner,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static REMOVE_IDENTITY: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/api/user/self/identities/{identity_id}"),
    ],
    members: RemoveIdentityInput::MEMBERS,
    schemes: &[&auth::SESSION],
    ..api::Operation::new("identities.remove", "spec/operations/identities.yaml: identities.remove", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn remove_identity<S: RemoveIdentity + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = RemoveIdentityInput {
        caller: call.caller_or_session(&*service).await?,
        identity_id: call.path("identity_id", api::Whole::least(1))?,
    };
    let reply = service.remove_identity(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
