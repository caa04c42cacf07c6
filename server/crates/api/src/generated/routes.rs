// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Every operation under its routes.
use std::sync::Arc;
use super::errors::RULES;
use super::ops;
use crate::api::{Authenticate, RouterConfig, Routes};
/// The routed operations that take a key, by their ids.
pub static KEYED: &[&str] = &[
    "usage.get",
    "agents.register",
    "agents.list",
    "agents.change",
    "agents.revoke",
    "balance.get",
    "billing.subscription",
    "billing.usage",
    "chat.create",
    "completions.create",
    "content.generate",
    "content.stream",
    "content.count_tokens",
    "content.embed",
    "content.batch_embed",
    "content.list_models",
    "content.get_model",
    "crypto.create",
    "crypto.get",
    "crypto.code",
    "embeddings.create_for_engine",
    "embeddings.create",
    "ewallet.create",
    "images.generate",
    "images.edit",
    "keys.create",
    "keys.list",
    "keys.change",
    "keys.revoke",
    "members.list",
    "members.change",
    "members.remove",
    "invitations.create",
    "invitations.list",
    "invitations.withdraw",
    "messages.create",
    "messages.count_tokens",
    "models.list",
    "models.get",
    "moderations.create",
    "organisation.show",
    "organisation.change",
    "teams.create",
    "teams.list",
    "teams.change",
    "teams.close",
    "receipts.get",
    "receipts.list",
    "responses.create",
    "responses.compact",
    "responses.get",
    "responses.delete",
    "responses.cancel",
    "responses.input_items",
    "responses.count_tokens",
    "standing.get",
    "topup.info",
    "topup.get",
    "video_a.create_from_text",
    "video_a.create_from_image",
    "video_a.get_text",
    "video_a.get_image",
    "videos.create",
    "videos.get_generation",
    "videos.get",
    "videos.list",
    "videos.delete",
    "videos.download",
    "x402.create",
    "x402.list",
    "x402.resume",
    "x402.config",
];
/// Every routed operation, and an answer in the right shape for everything else.
pub fn router<S>(service: Arc<S>, config: RouterConfig) -> axum::Router
where
    S: Authenticate,
    S: crate::api::Once,
    S: ops::usage::SumUsage,
    S: ops::admin_accounts::ListAccounts,
    S: ops::admin_accounts::CreateAccount,
    S: ops::admin_accounts::GetAccount,
    S: ops::admin_accounts::ChangeAccount,
    S: ops::admin_accounts::GrantCredit,
    S: ops::admin_accounts::TakeCredit,
    S: ops::admin_agents::ListAccountAgents,
    S: ops::admin_agents::ChangeAccountAgent,
    S: ops::admin_agents::RevokeAccountAgent,
    S: ops::admin_alarms::ListAlarms,
    S: ops::admin_alarms::AcknowledgeAlarm,
    S: ops::admin_changes::ListChanges,
    S: ops::admin_console::ShowSignIn,
    S: ops::admin_console::ShowInvitation,
    S: ops::admin_console::ShowConsoleFile,
    S: ops::admin_console::ShowOverview,
    S: ops::admin_console::ShowAccounts,
    S: ops::admin_console::ShowAccount,
    S: ops::admin_console::ShowProviders,
    S: ops::admin_console::ShowProvider,
    S: ops::admin_console::ShowModels,
    S: ops::admin_console::ShowModel,
    S: ops::admin_console::ShowPrices,
    S: ops::admin_console::ShowPrice,
    S: ops::admin_console::ShowPayments,
    S: ops::admin_console::ShowOrder,
    S: ops::admin_console::ShowLedger,
    S: ops::admin_console::ShowReceipt,
    S: ops::admin_console::ShowAlarms,
    S: ops::admin_console::ShowSettings,
    S: ops::admin_console::ShowLive,
    S: ops::admin_console::ShowOperators,
    S: ops::admin_console::ShowOperator,
    S: ops::admin_console::ShowChanges,
    S: ops::admin_groups::ListGroups,
    S: ops::admin_groups::CreateGroup,
    S: ops::admin_groups::ChangeGroup,
    S: ops::admin_groups::RemoveGroup,
    S: ops::admin_jobs::ListJobs,
    S: ops::admin_jobs::GetJob,
    S: ops::admin_jobs::StartAudit,
    S: ops::admin_jobs::StartReconciliation,
    S: ops::admin_jobs::StartBackup,
    S: ops::admin_jobs::StartArchive,
    S: ops::admin_keys::ListAccountKeys,
    S: ops::admin_keys::CreateAccountKey,
    S: ops::admin_keys::ChangeAccountKey,
    S: ops::admin_keys::RevokeAccountKey,
    S: ops::admin_models::ListOfferedModels,
    S: ops::admin_models::GetOfferedModel,
    S: ops::admin_models::CreateOfferedModel,
    S: ops::admin_models::ChangeOfferedModel,
    S: ops::admin_models::RemoveOfferedModel,
    S: ops::admin_models::QuoteModel,
    S: ops::admin_operators::ListOperators,
    S: ops::admin_operators::CreateOperator,
    S: ops::admin_operators::ChangeOperator,
    S: ops::admin_operators::InviteOperator,
    S: ops::admin_operators::ListOperatorSessions,
    S: ops::admin_operators::EndOperatorSessions,
    S: ops::admin_payments::ListOrders,
    S: ops::admin_payments::GetOrderHistory,
    S: ops::admin_payments::ListSetAsidePayments,
    S: ops::admin_payments::ResolvePayment,
    S: ops::admin_payments::ReversePayment,
    S: ops::admin_prices::ListPrices,
    S: ops::admin_prices::GetPrice,
    S: ops::admin_prices::CreatePrice,
    S: ops::admin_prices::ReplacePrice,
    S: ops::admin_prices::RemovePrice,
    S: ops::admin_prices::ComparePriceList,
    S: ops::admin_prices::ImportPriceList,
    S: ops::admin_providers::ListProviders,
    S: ops::admin_providers::GetProvider,
    S: ops::admin_providers::GetProviderHealth,
    S: ops::admin_providers::CreateProvider,
    S: ops::admin_providers::ChangeProvider,
    S: ops::admin_providers::RemoveProvider,
    S: ops::admin_providers::DrainProvider,
    S: ops::admin_providers::ResumeProvider,
    S: ops::admin_providers::TryProvider,
    S: ops::admin_providers::ResealSecrets,
    S: ops::admin_receipts::ListAccountReceipts,
    S: ops::admin_receipts::GetAccountReceipt,
    S: ops::admin_receipts::FindReceipt,
    S: ops::admin_receipts::ListHolds,
    S: ops::admin_receipts::SumAccountUsage,
    S: ops::admin_service::ListServers,
    S: ops::admin_service::ListSeals,
    S: ops::admin_service::SumServiceUsage,
    S: ops::admin_service::SumMargin,
    S: ops::admin_service::ListSettings,
    S: ops::admin_service::ReloadSettings,
    S: ops::admin_session::SignInOperator,
    S: ops::admin_session::OfferSecondFactor,
    S: ops::admin_session::AcceptInvitation,
    S: ops::admin_session::GetOperatorSession,
    S: ops::admin_session::SignOutOperator,
    S: ops::agents::RegisterAgent,
    S: ops::agents::ListAgents,
    S: ops::agents::ChangeAgent,
    S: ops::agents::RevokeAgent,
    S: ops::balance::GetBalance,
    S: ops::billing::GetSubscription,
    S: ops::billing::GetUsage,
    S: ops::chat::CreateChatCompletion,
    S: ops::completions::CreateCompletion,
    S: ops::console::ShowLogin,
    S: ops::console::ShowRegistration,
    S: ops::console::ShowPageFile,
    S: ops::console::ShowOwnOverview,
    S: ops::console::ShowOwnKeys,
    S: ops::console::ShowOwnKey,
    S: ops::console::ShowOwnReceipts,
    S: ops::console::ShowOwnReceipt,
    S: ops::console::ShowOwnUsage,
    S: ops::console::ShowTopup,
    S: ops::console::ShowFirstSteps,
    S: ops::console::ShowPlayground,
    S: ops::console::ShowOwnAgents,
    S: ops::console::ShowOwnOrganisation,
    S: ops::console::ShowInvitationPage,
    S: ops::console::ShowOidcReturn,
    S: ops::console::ShowOwnSettings,
    S: ops::content::GenerateContent,
    S: ops::content::StreamContent,
    S: ops::content::CountContentTokens,
    S: ops::content::EmbedContent,
    S: ops::content::BatchEmbedContents,
    S: ops::content::ListContentModels,
    S: ops::content::GetContentModel,
    S: ops::crypto::CreateCryptoOrder,
    S: ops::crypto::GetCryptoOrder,
    S: ops::crypto::GetCryptoOrderCode,
    S: ops::crypto::ShowCryptoPage,
    S: ops::embeddings::CreateEngineEmbedding,
    S: ops::embeddings::CreateEmbedding,
    S: ops::ewallet::CreateEwalletOrder,
    S: ops::ewallet::ReceiveEwalletNotice,
    S: ops::ewallet::GetEwalletOrderState,
    S: ops::ewallet::ShowEwalletPage,
    S: ops::identities::ChallengeWallet,
    S: ops::identities::SignInByWallet,
    S: ops::identities::ListIdentities,
    S: ops::identities::ChallengeOwnWallet,
    S: ops::identities::LinkWallet,
    S: ops::identities::RemoveIdentity,
    S: ops::images::GenerateImage,
    S: ops::images::EditImage,
    S: ops::keys::CreateKey,
    S: ops::keys::ListKeys,
    S: ops::keys::ChangeKey,
    S: ops::keys::RevokeKey,
    S: ops::members::ListMembers,
    S: ops::members::ChangeMember,
    S: ops::members::RemoveMember,
    S: ops::members::LeaveOrganisation,
    S: ops::invitations::CreateInvitation,
    S: ops::invitations::ListInvitations,
    S: ops::invitations::WithdrawInvitation,
    S: ops::invitations::ShowMemberInvitation,
    S: ops::invitations::AcceptMemberInvitation,
    S: ops::organisations::ListOrganisations,
    S: ops::organisations::CreateOrganisation,
    S: ops::organisations::EnterOrganisation,
    S: ops::messages::CreateMessage,
    S: ops::messages::CountMessageTokens,
    S: ops::models::ListModels,
    S: ops::models::GetModel,
    S: ops::moderations::CreateModeration,
    S: ops::oidc::ListSignInProviders,
    S: ops::oidc::BeginOidcSignIn,
    S: ops::oidc::SignInByOidc,
    S: ops::oidc::BeginOwnOidc,
    S: ops::oidc::LinkOidc,
    S: ops::oidc::ReceiveOidcLogout,
    S: ops::organisation::ShowOrganisation,
    S: ops::organisation::ChangeOrganisation,
    S: ops::teams::CreateTeam,
    S: ops::teams::ListTeams,
    S: ops::teams::ChangeTeam,
    S: ops::teams::CloseTeam,
    S: ops::receipts::GetReceipt,
    S: ops::receipts::ListReceipts,
    S: ops::responses::CreateResponse,
    S: ops::responses::CompactResponse,
    S: ops::responses::GetResponse,
    S: ops::responses::DeleteResponse,
    S: ops::responses::CancelResponse,
    S: ops::responses::ListResponseInputItems,
    S: ops::responses::CountResponseTokens,
    S: ops::service::GetHealth,
    S: ops::service::GetReadiness,
    S: ops::service::GetMetrics,
    S: ops::service::GetOpenapi,
    S: ops::service::GetOpenapi30,
    S: ops::service::ShowDocs,
    S: ops::service::ShowDocsFile,
    S: ops::sessions::SignUp,
    S: ops::sessions::SignIn,
    S: ops::sessions::SignOut,
    S: ops::sessions::ListSessions,
    S: ops::sessions::EndSessions,
    S: ops::sessions::ChangePassword,
    S: ops::standing::GetSelfStatus,
    S: ops::topup::GetTopupInfo,
    S: ops::topup::GetTopupOrder,
    S: ops::video_a::CreateTextVideo,
    S: ops::video_a::CreateImageVideo,
    S: ops::video_a::GetTextVideo,
    S: ops::video_a::GetImageVideo,
    S: ops::videos::CreateVideo,
    S: ops::videos::GetVideoGeneration,
    S: ops::videos::GetVideo,
    S: ops::videos::ListVideos,
    S: ops::videos::DeleteVideo,
    S: ops::videos::DownloadVideo,
    S: ops::x402::CreateX402Order,
    S: ops::x402::ListX402Orders,
    S: ops::x402::ResumeX402Order,
    S: ops::x402::GetX402Config,
    S: ops::x402::PayX402Order,
    S: ops::x402::PayX402OrderByHeader,
{
    let mut routes = Routes::new(service, &RULES, config);
    routes.add(&ops::usage::SUM_USAGE, ops::usage::sum_usage);
    routes.add(&ops::admin_accounts::LIST_ACCOUNTS, ops::admin_accounts::list_accounts);
    routes
        .add(&ops::admin_accounts::CREATE_ACCOUNT, ops::admin_accounts::create_account);
    routes.add(&ops::admin_accounts::GET_ACCOUNT, ops::admin_accounts::get_account);
    routes
        .add(&ops::admin_accounts::CHANGE_ACCOUNT, ops::admin_accounts::change_account);
    routes.add(&ops::admin_accounts::GRANT_CREDIT, ops::admin_accounts::grant_credit);
    routes.add(&ops::admin_accounts::TAKE_CREDIT, ops::admin_accounts::take_credit);
    routes
        .add(
            &ops::admin_agents::LIST_ACCOUNT_AGENTS,
            ops::admin_agents::list_account_agents,
        );
    routes
        .add(
            &ops::admin_agents::CHANGE_ACCOUNT_AGENT,
            ops::admin_agents::change_account_agent,
        );
    routes
        .add(
            &ops::admin_agents::REVOKE_ACCOUNT_AGENT,
            ops::admin_agents::revoke_account_agent,
        );
    routes.add(&ops::admin_alarms::LIST_ALARMS, ops::admin_alarms::list_alarms);
    routes
        .add(
            &ops::admin_alarms::ACKNOWLEDGE_ALARM,
            ops::admin_alarms::acknowledge_alarm,
        );
    routes.add(&ops::admin_changes::LIST_CHANGES, ops::admin_changes::list_changes);
    routes.add(&ops::admin_console::SHOW_SIGN_IN, ops::admin_console::show_sign_in);
    routes
        .add(&ops::admin_console::SHOW_INVITATION, ops::admin_console::show_invitation);
    routes
        .add(
            &ops::admin_console::SHOW_CONSOLE_FILE,
            ops::admin_console::show_console_file,
        );
    routes.add(&ops::admin_console::SHOW_OVERVIEW, ops::admin_console::show_overview);
    routes.add(&ops::admin_console::SHOW_ACCOUNTS, ops::admin_console::show_accounts);
    routes.add(&ops::admin_console::SHOW_ACCOUNT, ops::admin_console::show_account);
    routes.add(&ops::admin_console::SHOW_PROVIDERS, ops::admin_console::show_providers);
    routes.add(&ops::admin_console::SHOW_PROVIDER, ops::admin_console::show_provider);
    routes.add(&ops::admin_console::SHOW_MODELS, ops::admin_console::show_models);
    routes.add(&ops::admin_console::SHOW_MODEL, ops::admin_console::show_model);
    routes.add(&ops::admin_console::SHOW_PRICES, ops::admin_console::show_prices);
    routes.add(&ops::admin_console::SHOW_PRICE, ops::admin_console::show_price);
    routes.add(&ops::admin_console::SHOW_PAYMENTS, ops::admin_console::show_payments);
    routes.add(&ops::admin_console::SHOW_ORDER, ops::admin_console::show_order);
    routes.add(&ops::admin_console::SHOW_LEDGER, ops::admin_console::show_ledger);
    routes.add(&ops::admin_console::SHOW_RECEIPT, ops::admin_console::show_receipt);
    routes.add(&ops::admin_console::SHOW_ALARMS, ops::admin_console::show_alarms);
    routes.add(&ops::admin_console::SHOW_SETTINGS, ops::admin_console::show_settings);
    routes.add(&ops::admin_console::SHOW_LIVE, ops::admin_console::show_live);
    routes.add(&ops::admin_console::SHOW_OPERATORS, ops::admin_console::show_operators);
    routes.add(&ops::admin_console::SHOW_OPERATOR, ops::admin_console::show_operator);
    routes.add(&ops::admin_console::SHOW_CHANGES, ops::admin_console::show_changes);
    routes.add(&ops::admin_groups::LIST_GROUPS, ops::admin_groups::list_groups);
    routes.add(&ops::admin_groups::CREATE_GROUP, ops::admin_groups::create_group);
    routes.add(&ops::admin_groups::CHANGE_GROUP, ops::admin_groups::change_group);
    routes.add(&ops::admin_groups::REMOVE_GROUP, ops::admin_groups::remove_group);
    routes.add(&ops::admin_jobs::LIST_JOBS, ops::admin_jobs::list_jobs);
    routes.add(&ops::admin_jobs::GET_JOB, ops::admin_jobs::get_job);
    routes.add(&ops::admin_jobs::START_AUDIT, ops::admin_jobs::start_audit);
    routes
        .add(
            &ops::admin_jobs::START_RECONCILIATION,
            ops::admin_jobs::start_reconciliation,
        );
    routes.add(&ops::admin_jobs::START_BACKUP, ops::admin_jobs::start_backup);
    routes.add(&ops::admin_jobs::START_ARCHIVE, ops::admin_jobs::start_archive);
    routes.add(&ops::admin_keys::LIST_ACCOUNT_KEYS, ops::admin_keys::list_account_keys);
    routes
        .add(&ops::admin_keys::CREATE_ACCOUNT_KEY, ops::admin_keys::create_account_key);
    routes
        .add(&ops::admin_keys::CHANGE_ACCOUNT_KEY, ops::admin_keys::change_account_key);
    routes
        .add(&ops::admin_keys::REVOKE_ACCOUNT_KEY, ops::admin_keys::revoke_account_key);
    routes
        .add(
            &ops::admin_models::LIST_OFFERED_MODELS,
            ops::admin_models::list_offered_models,
        );
    routes
        .add(
            &ops::admin_models::GET_OFFERED_MODEL,
            ops::admin_models::get_offered_model,
        );
    routes
        .add(
            &ops::admin_models::CREATE_OFFERED_MODEL,
            ops::admin_models::create_offered_model,
        );
    routes
        .add(
            &ops::admin_models::CHANGE_OFFERED_MODEL,
            ops::admin_models::change_offered_model,
        );
    routes
        .add(
            &ops::admin_models::REMOVE_OFFERED_MODEL,
            ops::admin_models::remove_offered_model,
        );
    routes.add(&ops::admin_models::QUOTE_MODEL, ops::admin_models::quote_model);
    routes
        .add(
            &ops::admin_operators::LIST_OPERATORS,
            ops::admin_operators::list_operators,
        );
    routes
        .add(
            &ops::admin_operators::CREATE_OPERATOR,
            ops::admin_operators::create_operator,
        );
    routes
        .add(
            &ops::admin_operators::CHANGE_OPERATOR,
            ops::admin_operators::change_operator,
        );
    routes
        .add(
            &ops::admin_operators::INVITE_OPERATOR,
            ops::admin_operators::invite_operator,
        );
    routes
        .add(
            &ops::admin_operators::LIST_OPERATOR_SESSIONS,
            ops::admin_operators::list_operator_sessions,
        );
    routes
        .add(
            &ops::admin_operators::END_OPERATOR_SESSIONS,
            ops::admin_operators::end_operator_sessions,
        );
    routes.add(&ops::admin_payments::LIST_ORDERS, ops::admin_payments::list_orders);
    routes
        .add(
            &ops::admin_payments::GET_ORDER_HISTORY,
            ops::admin_payments::get_order_history,
        );
    routes
        .add(
            &ops::admin_payments::LIST_SET_ASIDE_PAYMENTS,
            ops::admin_payments::list_set_aside_payments,
        );
    routes
        .add(
            &ops::admin_payments::RESOLVE_PAYMENT,
            ops::admin_payments::resolve_payment,
        );
    routes
        .add(
            &ops::admin_payments::REVERSE_PAYMENT,
            ops::admin_payments::reverse_payment,
        );
    routes.add(&ops::admin_prices::LIST_PRICES, ops::admin_prices::list_prices);
    routes.add(&ops::admin_prices::GET_PRICE, ops::admin_prices::get_price);
    routes.add(&ops::admin_prices::CREATE_PRICE, ops::admin_prices::create_price);
    routes.add(&ops::admin_prices::REPLACE_PRICE, ops::admin_prices::replace_price);
    routes.add(&ops::admin_prices::REMOVE_PRICE, ops::admin_prices::remove_price);
    routes
        .add(
            &ops::admin_prices::COMPARE_PRICE_LIST,
            ops::admin_prices::compare_price_list,
        );
    routes
        .add(
            &ops::admin_prices::IMPORT_PRICE_LIST,
            ops::admin_prices::import_price_list,
        );
    routes
        .add(
            &ops::admin_providers::LIST_PROVIDERS,
            ops::admin_providers::list_providers,
        );
    routes.add(&ops::admin_providers::GET_PROVIDER, ops::admin_providers::get_provider);
    routes
        .add(
            &ops::admin_providers::GET_PROVIDER_HEALTH,
            ops::admin_providers::get_provider_health,
        );
    routes
        .add(
            &ops::admin_providers::CREATE_PROVIDER,
            ops::admin_providers::create_provider,
        );
    routes
        .add(
            &ops::admin_providers::CHANGE_PROVIDER,
            ops::admin_providers::change_provider,
        );
    routes
        .add(
            &ops::admin_providers::REMOVE_PROVIDER,
            ops::admin_providers::remove_provider,
        );
    routes
        .add(
            &ops::admin_providers::DRAIN_PROVIDER,
            ops::admin_providers::drain_provider,
        );
    routes
        .add(
            &ops::admin_providers::RESUME_PROVIDER,
            ops::admin_providers::resume_provider,
        );
    routes.add(&ops::admin_providers::TRY_PROVIDER, ops::admin_providers::try_provider);
    routes
        .add(
            &ops::admin_providers::RESEAL_SECRETS,
            ops::admin_providers::reseal_secrets,
        );
    routes
        .add(
            &ops::admin_receipts::LIST_ACCOUNT_RECEIPTS,
            ops::admin_receipts::list_account_receipts,
        );
    routes
        .add(
            &ops::admin_receipts::GET_ACCOUNT_RECEIPT,
            ops::admin_receipts::get_account_receipt,
        );
    routes.add(&ops::admin_receipts::FIND_RECEIPT, ops::admin_receipts::find_receipt);
    routes.add(&ops::admin_receipts::LIST_HOLDS, ops::admin_receipts::list_holds);
    routes
        .add(
            &ops::admin_receipts::SUM_ACCOUNT_USAGE,
            ops::admin_receipts::sum_account_usage,
        );
    routes.add(&ops::admin_service::LIST_SERVERS, ops::admin_service::list_servers);
    routes.add(&ops::admin_service::LIST_SEALS, ops::admin_service::list_seals);
    routes
        .add(
            &ops::admin_service::SUM_SERVICE_USAGE,
            ops::admin_service::sum_service_usage,
        );
    routes.add(&ops::admin_service::SUM_MARGIN, ops::admin_service::sum_margin);
    routes.add(&ops::admin_service::LIST_SETTINGS, ops::admin_service::list_settings);
    routes
        .add(&ops::admin_service::RELOAD_SETTINGS, ops::admin_service::reload_settings);
    routes
        .add(
            &ops::admin_session::SIGN_IN_OPERATOR,
            ops::admin_session::sign_in_operator,
        );
    routes
        .add(
            &ops::admin_session::OFFER_SECOND_FACTOR,
            ops::admin_session::offer_second_factor,
        );
    routes
        .add(
            &ops::admin_session::ACCEPT_INVITATION,
            ops::admin_session::accept_invitation,
        );
    routes
        .add(
            &ops::admin_session::GET_OPERATOR_SESSION,
            ops::admin_session::get_operator_session,
        );
    routes
        .add(
            &ops::admin_session::SIGN_OUT_OPERATOR,
            ops::admin_session::sign_out_operator,
        );
    routes.add(&ops::agents::REGISTER_AGENT, ops::agents::register_agent);
    routes.add(&ops::agents::LIST_AGENTS, ops::agents::list_agents);
    routes.add(&ops::agents::CHANGE_AGENT, ops::agents::change_agent);
    routes.add(&ops::agents::REVOKE_AGENT, ops::agents::revoke_agent);
    routes.add(&ops::balance::GET_BALANCE, ops::balance::get_balance);
    routes.add(&ops::billing::GET_SUBSCRIPTION, ops::billing::get_subscription);
    routes.add(&ops::billing::GET_USAGE, ops::billing::get_usage);
    routes.add(&ops::chat::CREATE_CHAT_COMPLETION, ops::chat::create_chat_completion);
    routes
        .add(&ops::completions::CREATE_COMPLETION, ops::completions::create_completion);
    routes.add(&ops::console::SHOW_LOGIN, ops::console::show_login);
    routes.add(&ops::console::SHOW_REGISTRATION, ops::console::show_registration);
    routes.add(&ops::console::SHOW_PAGE_FILE, ops::console::show_page_file);
    routes.add(&ops::console::SHOW_OWN_OVERVIEW, ops::console::show_own_overview);
    routes.add(&ops::console::SHOW_OWN_KEYS, ops::console::show_own_keys);
    routes.add(&ops::console::SHOW_OWN_KEY, ops::console::show_own_key);
    routes.add(&ops::console::SHOW_OWN_RECEIPTS, ops::console::show_own_receipts);
    routes.add(&ops::console::SHOW_OWN_RECEIPT, ops::console::show_own_receipt);
    routes.add(&ops::console::SHOW_OWN_USAGE, ops::console::show_own_usage);
    routes.add(&ops::console::SHOW_TOPUP, ops::console::show_topup);
    routes.add(&ops::console::SHOW_FIRST_STEPS, ops::console::show_first_steps);
    routes.add(&ops::console::SHOW_PLAYGROUND, ops::console::show_playground);
    routes.add(&ops::console::SHOW_OWN_AGENTS, ops::console::show_own_agents);
    routes
        .add(&ops::console::SHOW_OWN_ORGANISATION, ops::console::show_own_organisation);
    routes.add(&ops::console::SHOW_INVITATION_PAGE, ops::console::show_invitation_page);
    routes.add(&ops::console::SHOW_OIDC_RETURN, ops::console::show_oidc_return);
    routes.add(&ops::console::SHOW_OWN_SETTINGS, ops::console::show_own_settings);
    routes.add(&ops::content::GENERATE_CONTENT, ops::content::generate_content);
    routes.add(&ops::content::STREAM_CONTENT, ops::content::stream_content);
    routes.add(&ops::content::COUNT_CONTENT_TOKENS, ops::content::count_content_tokens);
    routes.add(&ops::content::EMBED_CONTENT, ops::content::embed_content);
    routes.add(&ops::content::BATCH_EMBED_CONTENTS, ops::content::batch_embed_contents);
    routes.add(&ops::content::LIST_CONTENT_MODELS, ops::content::list_content_models);
    routes.add(&ops::content::GET_CONTENT_MODEL, ops::content::get_content_model);
    routes.add(&ops::crypto::CREATE_CRYPTO_ORDER, ops::crypto::create_crypto_order);
    routes.add(&ops::crypto::GET_CRYPTO_ORDER, ops::crypto::get_crypto_order);
    routes.add(&ops::crypto::GET_CRYPTO_ORDER_CODE, ops::crypto::get_crypto_order_code);
    routes.add(&ops::crypto::SHOW_CRYPTO_PAGE, ops::crypto::show_crypto_page);
    routes
        .add(
            &ops::embeddings::CREATE_ENGINE_EMBEDDING,
            ops::embeddings::create_engine_embedding,
        );
    routes.add(&ops::embeddings::CREATE_EMBEDDING, ops::embeddings::create_embedding);
    routes.add(&ops::ewallet::CREATE_EWALLET_ORDER, ops::ewallet::create_ewallet_order);
    routes
        .add(
            &ops::ewallet::RECEIVE_EWALLET_NOTICE,
            ops::ewallet::receive_ewallet_notice,
        );
    routes
        .add(
            &ops::ewallet::GET_EWALLET_ORDER_STATE,
            ops::ewallet::get_ewallet_order_state,
        );
    routes.add(&ops::ewallet::SHOW_EWALLET_PAGE, ops::ewallet::show_ewallet_page);
    routes.add(&ops::identities::CHALLENGE_WALLET, ops::identities::challenge_wallet);
    routes.add(&ops::identities::SIGN_IN_BY_WALLET, ops::identities::sign_in_by_wallet);
    routes.add(&ops::identities::LIST_IDENTITIES, ops::identities::list_identities);
    routes
        .add(
            &ops::identities::CHALLENGE_OWN_WALLET,
            ops::identities::challenge_own_wallet,
        );
    routes.add(&ops::identities::LINK_WALLET, ops::identities::link_wallet);
    routes.add(&ops::identities::REMOVE_IDENTITY, ops::identities::remove_identity);
    routes.add(&ops::images::GENERATE_IMAGE, ops::images::generate_image);
    routes.add(&ops::images::EDIT_IMAGE, ops::images::edit_image);
    routes.add(&ops::keys::CREATE_KEY, ops::keys::create_key);
    routes.add(&ops::keys::LIST_KEYS, ops::keys::list_keys);
    routes.add(&ops::keys::CHANGE_KEY, ops::keys::change_key);
    routes.add(&ops::keys::REVOKE_KEY, ops::keys::revoke_key);
    routes.add(&ops::members::LIST_MEMBERS, ops::members::list_members);
    routes.add(&ops::members::CHANGE_MEMBER, ops::members::change_member);
    routes.add(&ops::members::REMOVE_MEMBER, ops::members::remove_member);
    routes.add(&ops::members::LEAVE_ORGANISATION, ops::members::leave_organisation);
    routes
        .add(&ops::invitations::CREATE_INVITATION, ops::invitations::create_invitation);
    routes.add(&ops::invitations::LIST_INVITATIONS, ops::invitations::list_invitations);
    routes
        .add(
            &ops::invitations::WITHDRAW_INVITATION,
            ops::invitations::withdraw_invitation,
        );
    routes
        .add(
            &ops::invitations::SHOW_MEMBER_INVITATION,
            ops::invitations::show_member_invitation,
        );
    routes
        .add(
            &ops::invitations::ACCEPT_MEMBER_INVITATION,
            ops::invitations::accept_member_invitation,
        );
    routes
        .add(
            &ops::organisations::LIST_ORGANISATIONS,
            ops::organisations::list_organisations,
        );
    routes
        .add(
            &ops::organisations::CREATE_ORGANISATION,
            ops::organisations::create_organisation,
        );
    routes
        .add(
            &ops::organisations::ENTER_ORGANISATION,
            ops::organisations::enter_organisation,
        );
    routes.add(&ops::messages::CREATE_MESSAGE, ops::messages::create_message);
    routes
        .add(&ops::messages::COUNT_MESSAGE_TOKENS, ops::messages::count_message_tokens);
    routes.add(&ops::models::LIST_MODELS, ops::models::list_models);
    routes.add(&ops::models::GET_MODEL, ops::models::get_model);
    routes
        .add(&ops::moderations::CREATE_MODERATION, ops::moderations::create_moderation);
    routes.add(&ops::oidc::LIST_SIGN_IN_PROVIDERS, ops::oidc::list_sign_in_providers);
    routes.add(&ops::oidc::BEGIN_OIDC_SIGN_IN, ops::oidc::begin_oidc_sign_in);
    routes.add(&ops::oidc::SIGN_IN_BY_OIDC, ops::oidc::sign_in_by_oidc);
    routes.add(&ops::oidc::BEGIN_OWN_OIDC, ops::oidc::begin_own_oidc);
    routes.add(&ops::oidc::LINK_OIDC, ops::oidc::link_oidc);
    routes.add(&ops::oidc::RECEIVE_OIDC_LOGOUT, ops::oidc::receive_oidc_logout);
    routes
        .add(
            &ops::organisation::SHOW_ORGANISATION,
            ops::organisation::show_organisation,
        );
    routes
        .add(
            &ops::organisation::CHANGE_ORGANISATION,
            ops::organisation::change_organisation,
        );
    routes.add(&ops::teams::CREATE_TEAM, ops::teams::create_team);
    routes.add(&ops::teams::LIST_TEAMS, ops::teams::list_teams);
    routes.add(&ops::teams::CHANGE_TEAM, ops::teams::change_team);
    routes.add(&ops::teams::CLOSE_TEAM, ops::teams::close_team);
    routes.add(&ops::receipts::GET_RECEIPT, ops::receipts::get_receipt);
    routes.add(&ops::receipts::LIST_RECEIPTS, ops::receipts::list_receipts);
    routes.add(&ops::responses::CREATE_RESPONSE, ops::responses::create_response);
    routes.add(&ops::responses::COMPACT_RESPONSE, ops::responses::compact_response);
    routes.add(&ops::responses::GET_RESPONSE, ops::responses::get_response);
    routes.add(&ops::responses::DELETE_RESPONSE, ops::responses::delete_response);
    routes.add(&ops::responses::CANCEL_RESPONSE, ops::responses::cancel_response);
    routes
        .add(
            &ops::responses::LIST_RESPONSE_INPUT_ITEMS,
            ops::responses::list_response_input_items,
        );
    routes
        .add(
            &ops::responses::COUNT_RESPONSE_TOKENS,
            ops::responses::count_response_tokens,
        );
    routes.add(&ops::service::GET_HEALTH, ops::service::get_health);
    routes.add(&ops::service::GET_READINESS, ops::service::get_readiness);
    routes.add(&ops::service::GET_METRICS, ops::service::get_metrics);
    routes.add(&ops::service::GET_OPENAPI, ops::service::get_openapi);
    routes.add(&ops::service::GET_OPENAPI30, ops::service::get_openapi30);
    routes.add(&ops::service::SHOW_DOCS, ops::service::show_docs);
    routes.add(&ops::service::SHOW_DOCS_FILE, ops::service::show_docs_file);
    routes.add(&ops::sessions::SIGN_UP, ops::sessions::sign_up);
    routes.add(&ops::sessions::SIGN_IN, ops::sessions::sign_in);
    routes.add(&ops::sessions::SIGN_OUT, ops::sessions::sign_out);
    routes.add(&ops::sessions::LIST_SESSIONS, ops::sessions::list_sessions);
    routes.add(&ops::sessions::END_SESSIONS, ops::sessions::end_sessions);
    routes.add(&ops::sessions::CHANGE_PASSWORD, ops::sessions::change_password);
    routes.add(&ops::standing::GET_SELF_STATUS, ops::standing::get_self_status);
    routes.add(&ops::topup::GET_TOPUP_INFO, ops::topup::get_topup_info);
    routes.add(&ops::topup::GET_TOPUP_ORDER, ops::topup::get_topup_order);
    routes.add(&ops::video_a::CREATE_TEXT_VIDEO, ops::video_a::create_text_video);
    routes.add(&ops::video_a::CREATE_IMAGE_VIDEO, ops::video_a::create_image_video);
    routes.add(&ops::video_a::GET_TEXT_VIDEO, ops::video_a::get_text_video);
    routes.add(&ops::video_a::GET_IMAGE_VIDEO, ops::video_a::get_image_video);
    routes.add(&ops::videos::CREATE_VIDEO, ops::videos::create_video);
    routes.add(&ops::videos::GET_VIDEO_GENERATION, ops::videos::get_video_generation);
    routes.add(&ops::videos::GET_VIDEO, ops::videos::get_video);
    routes.add(&ops::videos::LIST_VIDEOS, ops::videos::list_videos);
    routes.add(&ops::videos::DELETE_VIDEO, ops::videos::delete_video);
    routes.add(&ops::videos::DOWNLOAD_VIDEO, ops::videos::download_video);
    routes.add(&ops::x402::CREATE_X402_ORDER, ops::x402::create_x402_order);
    routes.add(&ops::x402::LIST_X402_ORDERS, ops::x402::list_x402_orders);
    routes.add(&ops::x402::RESUME_X402_ORDER, ops::x402::resume_x402_order);
    routes.add(&ops::x402::GET_X402_CONFIG, ops::x402::get_x402_config);
    routes.add(&ops::x402::PAY_X402_ORDER, ops::x402::pay_x402_order);
    routes
        .add(&ops::x402::PAY_X402_ORDER_BY_HEADER, ops::x402::pay_x402_order_by_header);
    routes.finish()
}
