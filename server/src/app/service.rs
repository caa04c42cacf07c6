//! The operations by the room that answers them.

use tollgate_accounts::operators::{OperatorRejection, OperatorService};
use tollgate_accounts::{AccountService, KeyRejection, SessionRejection};
use tollgate_admin::{Admin, AlarmRecorder, JobService};
use tollgate_agents::AgentService;
use tollgate_api::generated;
use tollgate_api::{
    AuthFailure, Authenticate, Caller, IdempotencyOutcome, IdempotencyUnavailable, IdempotentEnd, IdempotentRequest,
    KeyClaim, Once, OperatorCaller, Principal,
};
use tollgate_catalog::CatalogService;
use tollgate_console::{AccountPages, Console};
use tollgate_credit::Ledger;
use tollgate_gateway::Gateway;
use tollgate_identities::IdentityService;
use tollgate_organisations::OrganisationService;
use tollgate_topup::Topups;
use tollgate_topup::ewallet::Checkouts;
use tollgate_topup::reconcile::Reconciler;
use tollgate_topup::x402::X402Payments;
use tollgate_video::Videos;

use super::{CallerStatus, HealthProbes, SettingsReloader};

/// The rooms' handles, joined. The router is built on it; a routed operation that is missing below does not compile.
#[derive(Debug, Clone)]
pub struct Service {
    /// Model requests.
    pub gateway: Gateway,
    /// Videos.
    pub videos: Videos,
    /// Balances, receipts and usage.
    pub credit: Ledger,
    /// Keys and sessions.
    pub accounts: AccountService,
    /// Operators: who they are, and what they may.
    pub operators: OperatorService,
    /// What operators see across the rooms.
    pub admin: Admin,
    /// The recorder of alarms.
    pub alarms: AlarmRecorder,
    /// Work on the ledger that operators ask for.
    pub jobs: JobService,
    /// Reading the configuration again.
    pub reloader: SettingsReloader,
    /// What is on offer.
    pub catalog: CatalogService,
    /// Orders and their payments.
    pub topups: Topups,
    /// Payments on chains.
    pub x402: X402Payments,
    /// Payments on the page of a payment provider.
    pub checkouts: Checkouts,
    /// The comparison of arrivals with credits.
    pub reconciler: Reconciler,
    /// Pages for people.
    pub console: Console,
    /// Pages for who is signed in to an account.
    pub account_pages: AccountPages,
    /// Agents.
    pub agents: AgentService,
    /// Wallets and other ways to sign in beside a password.
    pub identities: IdentityService,
    /// Organisations and their teams.
    pub organisations: OrganisationService,
    /// The status of callers.
    pub standing: CallerStatus,
    /// The process itself.
    pub probes: HealthProbes,
}

generated::delegate!(Service {
    gateway: [
        CreateChatCompletion,
        CreateCompletion,
        CreateMessage,
        CountMessageTokens,
        CountContentTokens,
        GenerateContent,
        StreamContent,
        EmbedContent,
        BatchEmbedContents,
        CreateEmbedding,
        CreateEngineEmbedding,
        CreateModeration,
        GenerateImage,
        EditImage,
        ListModels,
        GetModel,
        ListContentModels,
        GetContentModel,
        CreateResponse,
        CompactResponse,
        GetResponse,
        DeleteResponse,
        CancelResponse,
        ListResponseInputItems,
        CountResponseTokens,
    ],
    videos: [
        CreateVideo,
        GetVideo,
        GetVideoGeneration,
        ListVideos,
        DeleteVideo,
        DownloadVideo,
        CreateTextVideo,
        CreateImageVideo,
        GetTextVideo,
        GetImageVideo,
    ],
    credit: [
        GetBalance,
        GetReceipt,
        ListReceipts,
        SumUsage,
        GetUsage,
        GrantCredit,
        TakeCredit,
        ListAccountReceipts,
        GetAccountReceipt,
        SumAccountUsage,
        FindReceipt,
        ListHolds,
        ListSeals,
        ListServers,
        SumServiceUsage,
    ],
    accounts: [
        CreateKey,
        ListKeys,
        ChangeKey,
        RevokeKey,
        SignUp,
        SignIn,
        SignOut,
        ListSessions,
        EndSessions,
        ChangePassword,
        GetSubscription,
        ListAccountKeys,
        CreateAccountKey,
        ChangeAccountKey,
        RevokeAccountKey,
    ],
    operators: [
        SignInOperator,
        OfferSecondFactor,
        AcceptInvitation,
        GetOperatorSession,
        SignOutOperator,
        ListOperators,
        CreateOperator,
        ChangeOperator,
        InviteOperator,
        ListOperatorSessions,
        EndOperatorSessions,
    ],
    admin: [
        ListAccounts,
        CreateAccount,
        GetAccount,
        ChangeAccount,
        ListChanges,
        ListAlarms,
        AcknowledgeAlarm,
        ListSettings,
        SumMargin,
        ShowSignIn,
        ShowInvitation,
        ShowConsoleFile,
        ShowOverview,
        ShowAccounts,
        ShowAccount,
        ShowOperators,
        ShowOperator,
        ShowChanges,
        ShowProviders,
        ShowProvider,
        ShowModels,
        ShowModel,
        ShowPrices,
        ShowPrice,
        ShowPayments,
        ShowOrder,
        ShowLedger,
        ShowReceipt,
        ShowAlarms,
        ShowSettings,
        ShowLive,
    ],
    jobs: [ListJobs, GetJob, StartAudit, StartReconciliation, StartBackup, StartArchive],
    reloader: [ReloadSettings],
    catalog: [
        ListProviders,
        GetProvider,
        GetProviderHealth,
        CreateProvider,
        ChangeProvider,
        RemoveProvider,
        DrainProvider,
        ResumeProvider,
        TryProvider,
        ResealSecrets,
        ListOfferedModels,
        GetOfferedModel,
        CreateOfferedModel,
        ChangeOfferedModel,
        RemoveOfferedModel,
        QuoteModel,
        ListPrices,
        GetPrice,
        CreatePrice,
        ReplacePrice,
        RemovePrice,
        ComparePriceList,
        ImportPriceList,
        ListGroups,
        CreateGroup,
        ChangeGroup,
        RemoveGroup,
    ],
    topups: [
        GetTopupInfo,
        GetTopupOrder,
        ListOrders,
        GetOrderHistory,
        ListSetAsidePayments,
        ResolvePayment,
        ReversePayment,
    ],
    x402: [
        CreateX402Order,
        ListX402Orders,
        ResumeX402Order,
        GetX402Config,
        PayX402Order,
        PayX402OrderByHeader,
        CreateCryptoOrder,
        GetCryptoOrder,
    ],
    console: [ShowCryptoPage, GetCryptoOrderCode, ShowEwalletPage, ShowDocs, ShowDocsFile],
    account_pages: [
        ShowLogin,
        ShowRegistration,
        ShowPageFile,
        ShowOwnOverview,
        ShowOwnKeys,
        ShowOwnKey,
        ShowOwnReceipts,
        ShowOwnReceipt,
        ShowOwnUsage,
        ShowTopup,
        ShowFirstSteps,
        ShowPlayground,
        ShowOwnAgents,
        ShowOwnSettings,
        ShowOwnOrganisation,
        ShowInvitationPage,
        ShowOidcReturn,
    ],
    checkouts: [CreateEwalletOrder, ReceiveEwalletNotice, GetEwalletOrderState],
    agents: [
        RegisterAgent,
        ListAgents,
        ChangeAgent,
        RevokeAgent,
        ListAccountAgents,
        ChangeAccountAgent,
        RevokeAccountAgent
    ],
    identities: [
        ChallengeWallet,
        SignInByWallet,
        ListIdentities,
        ChallengeOwnWallet,
        LinkWallet,
        RemoveIdentity,
        ListSignInProviders,
        BeginOidcSignIn,
        SignInByOidc,
        BeginOwnOidc,
        LinkOidc,
        ReceiveOidcLogout
    ],
    organisations: [
        ShowOrganisation,
        ChangeOrganisation,
        CreateTeam,
        ListTeams,
        ChangeTeam,
        CloseTeam,
        ListMembers,
        ChangeMember,
        RemoveMember,
        LeaveOrganisation,
        CreateInvitation,
        ListInvitations,
        WithdrawInvitation,
        ShowMemberInvitation,
        AcceptMemberInvitation,
        ListOrganisations,
        CreateOrganisation,
        EnterOrganisation,
    ],
    standing: [GetSelfStatus],
    probes: [GetHealth, GetReadiness, GetMetrics, GetOpenapi, GetOpenapi30],
});

impl Once for Service {
    async fn begin(&self, request: &IdempotentRequest) -> Result<IdempotencyOutcome, IdempotencyUnavailable> {
        self.credit.idempotency().begin(request).await
    }

    async fn taken(&self, claim: &KeyClaim) -> Result<Option<IdempotencyOutcome>, IdempotencyUnavailable> {
        self.credit.idempotency().taken(claim).await
    }

    async fn ended(&self, request: &IdempotentRequest, claim: Option<&KeyClaim>, end: IdempotentEnd) {
        self.credit.idempotency().ended(request, claim, end).await;
    }

    fn spawn_tracked(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.credit.idempotency().spawn_tracked(task);
    }
}

impl Authenticate for Service {
    async fn authenticate(&self, secret: &str) -> Result<Principal, AuthFailure> {
        self.accounts.authenticate(secret).await.map_err(|refused| match refused {
            KeyRejection::Malformed | KeyRejection::Unknown => AuthFailure::Unknown,
            KeyRejection::Revoked | KeyRejection::AccountFrozen => AuthFailure::Disabled,
            KeyRejection::Expired => AuthFailure::Expired,
            KeyRejection::Unavailable(error) => {
                tracing::error!(error = &error as &dyn std::error::Error, "a key could not be looked up");
                AuthFailure::Unavailable
            }
        })
    }

    async fn authenticate_session(&self, token: &str) -> Result<Caller, AuthFailure> {
        match self.accounts.session(token).await {
            Ok(session) => Ok(session.caller()),
            Err(SessionRejection::Unknown) => Err(AuthFailure::Unknown),
            Err(SessionRejection::Over) => Err(AuthFailure::Expired),
            Err(SessionRejection::Unavailable(error)) => {
                tracing::error!(error = &error as &dyn std::error::Error, "a session could not be looked up");
                Err(AuthFailure::Unavailable)
            }
        }
    }
    async fn authenticate_operator(&self, secret: &str) -> Result<OperatorCaller, AuthFailure> {
        self.operators.by_key(secret).await.map_err(operator_refused)
    }

    async fn authenticate_operator_session(&self, token: &str) -> Result<OperatorCaller, AuthFailure> {
        self.operators.by_session(token).await.map_err(operator_refused)
    }
}

fn operator_refused(refused: OperatorRejection) -> AuthFailure {
    match refused {
        OperatorRejection::Disabled => AuthFailure::Disabled,
        OperatorRejection::Over => AuthFailure::Expired,
        // The others are of signing in, which is another operation.
        OperatorRejection::Unknown
        | OperatorRejection::TooMany { .. }
        | OperatorRejection::Busy
        | OperatorRejection::PasswordUnfit
        | OperatorRejection::CodeWrong => AuthFailure::Unknown,
        OperatorRejection::Unchecked(error) => unavailable(&*error),
        OperatorRejection::Store(error) => unavailable(&error),
    }
}

fn unavailable(error: &(dyn std::error::Error + 'static)) -> AuthFailure {
    tracing::error!(error, "an operator could not be looked up");
    AuthFailure::Unavailable
}
