// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `admin_accounts`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// GET /api/admin/accounts: The accounts with their credit. (spec/operations/admin_accounts.yaml:
/// admin_accounts.list)
#[diagnostic::on_unimplemented(
    message = "operation `admin_accounts.list` (GET /api/admin/accounts) has no handler on `{Self}`",
    label = "missing `impl ListAccounts for {Self}`",
    note = "declared at spec/operations/admin_accounts.yaml: admin_accounts.list",
    note = "add: impl ListAccounts for {Self} {{ async fn list_accounts(&self, cx: &Cx, input: ListAccountsInput) -> Result<AccountListReply, ListAccountsError> {{ .. }} }}"
)]
pub trait ListAccounts: Send + Sync + 'static {
    /// Answers the operation.
    fn list_accounts(
        &self,
        cx: &api::Cx,
        input: ListAccountsInput,
    ) -> impl Future<Output = Result<types::AccountListReply, ListAccountsError>> + Send;
}

/// The input of [`ListAccounts`].
#[derive(Debug)]
pub struct ListAccountsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// True if the reply is to be CSV.
    pub csv: bool,
    /// The most accounts of one page. Absent means 50, or 1000 as CSV.
    pub limit: Option<i64>,
    /// The page after that: `next` of the page before.
    pub after: Option<String>,
    /// Only accounts with this in their name, in letters of any case, and the one of this number.
    pub search: Option<String>,
    /// Only accounts of this group.
    pub group: Option<String>,
    /// Only accounts that stand there.
    pub state: Option<types::AccountState>,
    /// The order. Absent means `name`.
    pub sort: Option<types::AccountSort>,
}

impl ListAccountsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListAccounts`].
#[derive(Debug, OpError)]
#[op(operation = "admin_accounts.list", spec = "spec/operations/admin_accounts.yaml: admin_accounts.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListAccountsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static LIST_ACCOUNTS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/accounts"),
    ],
    roles: ListAccountsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_accounts.list", "spec/operations/admin_accounts.yaml: admin_accounts.list", &envelopes::ACCOUNT)
};

static LIST_ACCOUNTS_TABLE: api::Table = api::Table {
    file: "admin_accounts",
    rows: &["data", "accounts"],
    columns: &[
        "account_id",
        "name",
        "state",
        "group",
        "note",
        "available_usd",
        "held_usd",
        "owed_usd",
        "created_at",
        "version",
    ],
    next: Some((&auth::names::X_TOLLGATE_NEXT, &["data", "next"])),
};

pub(in crate::generated) async fn list_accounts<S: ListAccounts + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListAccountsInput {
        caller: call.operator(&*service).await?,
        csv: call.wants_csv()?,
        limit: call.optional_query("limit", api::Whole::of(1, 1000))?,
        after: call.optional_query("after", api::Text::of(1, 128))?,
        search: call.optional_query("search", api::Text::of(1, 64))?,
        group: call.optional_query("group", api::Text::of(1, 64))?,
        state: call.optional_query("state", "one of `active`, `frozen`")?,
        sort: call.optional_query("sort", "one of `name`, `newest`, `richest`")?,
    };
    let csv = input.csv;
    let reply = service.list_accounts(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer_as(csv, &reply, &LIST_ACCOUNTS_TABLE)
}

/// POST /api/admin/accounts: Makes an account with an empty balance. (spec/operations/admin_accounts.yaml:
/// admin_accounts.create)
#[diagnostic::on_unimplemented(
    message = "operation `admin_accounts.create` (POST /api/admin/accounts) has no handler on `{Self}`",
    label = "missing `impl CreateAccount for {Self}`",
    note = "declared at spec/operations/admin_accounts.yaml: admin_accounts.create",
    note = "add: impl CreateAccount for {Self} {{ async fn create_account(&self, cx: &Cx, input: CreateAccountInput) -> Result<AccountReply, CreateAccountError> {{ .. }} }}"
)]
pub trait CreateAccount: Send + Sync + 'static {
    /// Answers the operation.
    fn create_account(
        &self,
        cx: &api::Cx,
        input: CreateAccountInput,
    ) -> impl Future<Output = Result<types::AccountReply, CreateAccountError>> + Send;
}

/// The input of [`CreateAccount`].
#[derive(Debug)]
pub struct CreateAccountInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The body.
    pub body: types::AccountRequest,
}

impl CreateAccountInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`CreateAccount`].
#[derive(Debug, OpError)]
#[op(operation = "admin_accounts.create", spec = "spec/operations/admin_accounts.yaml: admin_accounts.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateAccountError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(BAD_FIELD)]
    BadField { field: String, expected: String, found: String },
    #[code(ACCOUNT_NAME_TAKEN)]
    AccountNameTaken { name: String },
}

pub(in crate::generated) static CREATE_ACCOUNT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/accounts"),
    ],
    roles: CreateAccountInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_accounts.create", "spec/operations/admin_accounts.yaml: admin_accounts.create", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn create_account<S: CreateAccount + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateAccountInput {
        caller: call.operator(&*service).await?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.create_account(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /api/admin/accounts/{account_id}: One account with its credit. (spec/operations/admin_accounts.yaml:
/// admin_accounts.get)
#[diagnostic::on_unimplemented(
    message = "operation `admin_accounts.get` (GET /api/admin/accounts/{{account_id}}) has no handler on `{Self}`",
    label = "missing `impl GetAccount for {Self}`",
    note = "declared at spec/operations/admin_accounts.yaml: admin_accounts.get",
    note = "add: impl GetAccount for {Self} {{ async fn get_account(&self, cx: &Cx, input: GetAccountInput) -> Result<AccountReply, GetAccountError> {{ .. }} }}"
)]
pub trait GetAccount: Send + Sync + 'static {
    /// Answers the operation.
    fn get_account(
        &self,
        cx: &api::Cx,
        input: GetAccountInput,
    ) -> impl Future<Output = Result<types::AccountReply, GetAccountError>> + Send;
}

/// The input of [`GetAccount`].
#[derive(Debug)]
pub struct GetAccountInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the account, from the list of accounts.
    pub account_id: i64,
}

impl GetAccountInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`GetAccount`].
#[derive(Debug, OpError)]
#[op(operation = "admin_accounts.get", spec = "spec/operations/admin_accounts.yaml: admin_accounts.get")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetAccountError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(ACCOUNT_NOT_FOUND)]
    AccountNotFound { account_id: i64 },
}

pub(in crate::generated) static GET_ACCOUNT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/accounts/{account_id}"),
    ],
    roles: GetAccountInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_accounts.get", "spec/operations/admin_accounts.yaml: admin_accounts.get", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn get_account<S: GetAccount + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetAccountInput {
        caller: call.operator(&*service).await?,
        account_id: call.path("account_id", api::Whole::least(1))?,
    };
    let reply = service.get_account(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// PATCH /api/admin/accounts/{account_id}: Changes state, group or note of an account. A member that is absent
/// stays as it is. The keys of a frozen account are refused within a second, and its sessions end; its money
/// stays where it is. (spec/operations/admin_accounts.yaml: admin_accounts.change)
#[diagnostic::on_unimplemented(
    message = "operation `admin_accounts.change` (PATCH /api/admin/accounts/{{account_id}}) has no handler on `{Self}`",
    label = "missing `impl ChangeAccount for {Self}`",
    note = "declared at spec/operations/admin_accounts.yaml: admin_accounts.change",
    note = "add: impl ChangeAccount for {Self} {{ async fn change_account(&self, cx: &Cx, input: ChangeAccountInput) -> Result<AccountReply, ChangeAccountError> {{ .. }} }}"
)]
pub trait ChangeAccount: Send + Sync + 'static {
    /// Answers the operation.
    fn change_account(
        &self,
        cx: &api::Cx,
        input: ChangeAccountInput,
    ) -> impl Future<Output = Result<types::AccountReply, ChangeAccountError>> + Send;
}

/// The input of [`ChangeAccount`].
#[derive(Debug)]
pub struct ChangeAccountInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// The `version` that the change is of, or `*` for any.
    pub if_match: String,
    /// Number of the account, from the list of accounts.
    pub account_id: i64,
    /// The body.
    pub body: types::AccountUpdate,
}

impl ChangeAccountInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator"];
}

/// The errors of [`ChangeAccount`].
#[derive(Debug, OpError)]
#[op(operation = "admin_accounts.change", spec = "spec/operations/admin_accounts.yaml: admin_accounts.change")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ChangeAccountError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(BAD_FIELD)]
    BadField { field: String, expected: String, found: String },
    #[code(ACCOUNT_NOT_FOUND)]
    AccountNotFound { account_id: i64 },
    #[code(CHANGED_MEANWHILE)]
    ChangedMeanwhile { version: String },
}

pub(in crate::generated) static CHANGE_ACCOUNT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::PATCH, "/api/admin/accounts/{account_id}"),
    ],
    roles: ChangeAccountInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_accounts.change", "spec/operations/admin_accounts.yaml: admin_accounts.change", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn change_account<S: ChangeAccount + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ChangeAccountInput {
        caller: call.operator(&*service).await?,
        if_match: call.header(&auth::names::IF_MATCH, api::Text::of(1, 64))?,
        account_id: call.path("account_id", api::Whole::least(1))?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.change_account(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/accounts/{account_id}/grants: Grants credit to an account, once per idempotency key. What the
/// account owes is paid by it first. (spec/operations/admin_accounts.yaml: admin_accounts.grant)
#[diagnostic::on_unimplemented(
    message = "operation `admin_accounts.grant` (POST /api/admin/accounts/{{account_id}}/grants) has no handler on `{Self}`",
    label = "missing `impl GrantCredit for {Self}`",
    note = "declared at spec/operations/admin_accounts.yaml: admin_accounts.grant",
    note = "add: impl GrantCredit for {Self} {{ async fn grant_credit(&self, cx: &Cx, input: GrantCreditInput) -> Result<GrantReply, GrantCreditError> {{ .. }} }}"
)]
pub trait GrantCredit: Send + Sync + 'static {
    /// Answers the operation.
    fn grant_credit(
        &self,
        cx: &api::Cx,
        input: GrantCreditInput,
    ) -> impl Future<Output = Result<types::GrantReply, GrantCreditError>> + Send;
}

/// The input of [`GrantCredit`].
#[derive(Debug)]
pub struct GrantCreditInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// A grant with the same key is made once, and answered as it was.
    pub idempotency_key: String,
    /// Number of the account, from the list of accounts.
    pub account_id: i64,
    /// The body.
    pub body: types::GrantRequest,
}

impl GrantCreditInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "finance"];
}

/// The errors of [`GrantCredit`].
#[derive(Debug, OpError)]
#[op(operation = "admin_accounts.grant", spec = "spec/operations/admin_accounts.yaml: admin_accounts.grant")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GrantCreditError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(BAD_FIELD)]
    BadField { field: String, expected: String, found: String },
    #[code(ACCOUNT_NOT_FOUND)]
    AccountNotFound { account_id: i64 },
    #[code(BOOKING_KEY_USED)]
    BookingKeyUsed { amount_usd: api::Usd, account_id: i64 },
}

pub(in crate::generated) static GRANT_CREDIT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/accounts/{account_id}/grants"),
    ],
    roles: GrantCreditInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_accounts.grant", "spec/operations/admin_accounts.yaml: admin_accounts.grant", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn grant_credit<S: GrantCredit + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = GrantCreditInput {
        caller: call.operator(&*service).await?,
        idempotency_key: call.header(&auth::names::IDEMPOTENCY_KEY, api::Text::of(1, 128))?,
        account_id: call.path("account_id", api::Whole::least(1))?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.grant_credit(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /api/admin/accounts/{account_id}/takings: Takes credit back from an account, once per idempotency key:
/// what is available, and never what requests hold. The rest is owed where that is asked for, and is left else.
/// (spec/operations/admin_accounts.yaml: admin_accounts.take)
#[diagnostic::on_unimplemented(
    message = "operation `admin_accounts.take` (POST /api/admin/accounts/{{account_id}}/takings) has no handler on `{Self}`",
    label = "missing `impl TakeCredit for {Self}`",
    note = "declared at spec/operations/admin_accounts.yaml: admin_accounts.take",
    note = "add: impl TakeCredit for {Self} {{ async fn take_credit(&self, cx: &Cx, input: TakeCreditInput) -> Result<TakingReply, TakeCreditError> {{ .. }} }}"
)]
pub trait TakeCredit: Send + Sync + 'static {
    /// Answers the operation.
    fn take_credit(
        &self,
        cx: &api::Cx,
        input: TakeCreditInput,
    ) -> impl Future<Output = Result<types::TakingReply, TakeCreditError>> + Send;
}

/// The input of [`TakeCredit`].
#[derive(Debug)]
pub struct TakeCreditInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// A taking with the same key is made once, and answered as it was.
    pub idempotency_key: String,
    /// Number of the account, from the list of accounts.
    pub account_id: i64,
    /// The body.
    pub body: types::TakingRequest,
}

impl TakeCreditInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "finance"];
}

/// The errors of [`TakeCredit`].
#[derive(Debug, OpError)]
#[op(operation = "admin_accounts.take", spec = "spec/operations/admin_accounts.yaml: admin_accounts.take")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum TakeCreditError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(BAD_FIELD)]
    BadField { field: String, expected: String, found: String },
    #[code(ACCOUNT_NOT_FOUND)]
    AccountNotFound { account_id: i64 },
    #[code(BOOKING_KEY_USED)]
    BookingKeyUsed { amount_usd: api::Usd, account_id: i64 },
}

pub(in crate::generated) static TAKE_CREDIT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/admin/accounts/{account_id}/takings"),
    ],
    roles: TakeCreditInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_accounts.take", "spec/operations/admin_accounts.yaml: admin_accounts.take", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn take_credit<S: TakeCredit + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = TakeCreditInput {
        caller: call.operator(&*service).await?,
        idempotency_key: call.header(&auth::names::IDEMPOTENCY_KEY, api::Text::of(1, 128))?,
        account_id: call.path("account_id", api::Whole::least(1))?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.take_credit(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
