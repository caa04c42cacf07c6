// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! What `spec/` says, in Rust: shapes, operations, error codes, limits, machines, routes.
pub mod auth;
pub mod errors;
pub mod limits;
pub mod machines;
pub mod ops;
pub mod request_objects;
mod routes;
pub mod runtime_headers;
pub mod types;
pub use routes::{KEYED, router};

/// Hands each operation to the room that answers it: `delegate!(Service { credit: [GetBalance] })` makes a `Service`
/// with a field `credit` answer `GetBalance` through it.
#[macro_export]
macro_rules! delegate {
    ($service:ident { $($room:ident: [$($operation:ident),* $(,)?]),* $(,)? }) => {
        $($($crate::generated::delegate!(@ $operation $service $room);)*)*
    };
    (@impl $service:ident $room:ident $module:ident $name:ident $method:ident $input:ident [$reply:ty] [$error:ty]) => {
        impl $crate::generated::ops::$module::$name for $service {
            fn $method(
                &self,
                cx: &$crate::api::Cx,
                input: $crate::generated::ops::$module::$input,
            ) -> impl Future<Output = Result<$reply, $error>> + Send {
                $crate::generated::ops::$module::$name::$method(&self.$room, cx, input)
            }
        }
    };
    (@ SumUsage $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room usage SumUsage sum_usage SumUsageInput [$crate::generated::types::UsageReply] [$crate::generated::ops::usage::SumUsageError]);
    };
    (@ ListAccounts $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_accounts ListAccounts list_accounts ListAccountsInput [$crate::generated::types::AccountListReply] [$crate::generated::ops::admin_accounts::ListAccountsError]);
    };
    (@ CreateAccount $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_accounts CreateAccount create_account CreateAccountInput [$crate::generated::types::AccountReply] [$crate::generated::ops::admin_accounts::CreateAccountError]);
    };
    (@ GetAccount $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_accounts GetAccount get_account GetAccountInput [$crate::generated::types::AccountReply] [$crate::generated::ops::admin_accounts::GetAccountError]);
    };
    (@ ChangeAccount $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_accounts ChangeAccount change_account ChangeAccountInput [$crate::generated::types::AccountReply] [$crate::generated::ops::admin_accounts::ChangeAccountError]);
    };
    (@ GrantCredit $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_accounts GrantCredit grant_credit GrantCreditInput [$crate::generated::types::GrantReply] [$crate::generated::ops::admin_accounts::GrantCreditError]);
    };
    (@ TakeCredit $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_accounts TakeCredit take_credit TakeCreditInput [$crate::generated::types::TakingReply] [$crate::generated::ops::admin_accounts::TakeCreditError]);
    };
    (@ ListAccountAgents $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_agents ListAccountAgents list_account_agents ListAccountAgentsInput [$crate::generated::types::AccountAgentListReply] [$crate::generated::ops::admin_agents::ListAccountAgentsError]);
    };
    (@ ChangeAccountAgent $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_agents ChangeAccountAgent change_account_agent ChangeAccountAgentInput [$crate::generated::types::AccountAgentChangedReply] [$crate::generated::ops::admin_agents::ChangeAccountAgentError]);
    };
    (@ RevokeAccountAgent $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_agents RevokeAccountAgent revoke_account_agent RevokeAccountAgentInput [$crate::generated::types::AccountAgentReply] [$crate::generated::ops::admin_agents::RevokeAccountAgentError]);
    };
    (@ ListAlarms $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_alarms ListAlarms list_alarms ListAlarmsInput [$crate::generated::types::AlarmListReply] [$crate::generated::ops::admin_alarms::ListAlarmsError]);
    };
    (@ AcknowledgeAlarm $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_alarms AcknowledgeAlarm acknowledge_alarm AcknowledgeAlarmInput [$crate::generated::types::AlarmReply] [$crate::generated::ops::admin_alarms::AcknowledgeAlarmError]);
    };
    (@ ListChanges $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_changes ListChanges list_changes ListChangesInput [$crate::generated::types::ChangeListReply] [$crate::generated::ops::admin_changes::ListChangesError]);
    };
    (@ ShowSignIn $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowSignIn show_sign_in ShowSignInInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowSignInError]);
    };
    (@ ShowInvitation $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowInvitation show_invitation ShowInvitationInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowInvitationError]);
    };
    (@ ShowConsoleFile $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowConsoleFile show_console_file ShowConsoleFileInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowConsoleFileError]);
    };
    (@ ShowOverview $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowOverview show_overview ShowOverviewInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowOverviewError]);
    };
    (@ ShowAccounts $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowAccounts show_accounts ShowAccountsInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowAccountsError]);
    };
    (@ ShowAccount $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowAccount show_account ShowAccountInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowAccountError]);
    };
    (@ ShowProviders $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowProviders show_providers ShowProvidersInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowProvidersError]);
    };
    (@ ShowProvider $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowProvider show_provider ShowProviderInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowProviderError]);
    };
    (@ ShowModels $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowModels show_models ShowModelsInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowModelsError]);
    };
    (@ ShowModel $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowModel show_model ShowModelInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowModelError]);
    };
    (@ ShowPrices $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowPrices show_prices ShowPricesInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowPricesError]);
    };
    (@ ShowPrice $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowPrice show_price ShowPriceInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowPriceError]);
    };
    (@ ShowPayments $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowPayments show_payments ShowPaymentsInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowPaymentsError]);
    };
    (@ ShowOrder $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowOrder show_order ShowOrderInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowOrderError]);
    };
    (@ ShowLedger $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowLedger show_ledger ShowLedgerInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowLedgerError]);
    };
    (@ ShowReceipt $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowReceipt show_receipt ShowReceiptInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowReceiptError]);
    };
    (@ ShowAlarms $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowAlarms show_alarms ShowAlarmsInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowAlarmsError]);
    };
    (@ ShowSettings $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowSettings show_settings ShowSettingsInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowSettingsError]);
    };
    (@ ShowLive $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowLive show_live ShowLiveInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowLiveError]);
    };
    (@ ShowOperators $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowOperators show_operators ShowOperatorsInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowOperatorsError]);
    };
    (@ ShowOperator $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowOperator show_operator ShowOperatorInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowOperatorError]);
    };
    (@ ShowChanges $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_console ShowChanges show_changes ShowChangesInput [$crate::api::ProxyReply] [$crate::generated::ops::admin_console::ShowChangesError]);
    };
    (@ ListGroups $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_groups ListGroups list_groups ListGroupsInput [$crate::generated::types::AccountGroupListReply] [$crate::generated::ops::admin_groups::ListGroupsError]);
    };
    (@ CreateGroup $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_groups CreateGroup create_group CreateGroupInput [$crate::generated::types::AccountGroupInfoReply] [$crate::generated::ops::admin_groups::CreateGroupError]);
    };
    (@ ChangeGroup $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_groups ChangeGroup change_group ChangeGroupInput [$crate::generated::types::AccountGroupInfoReply] [$crate::generated::ops::admin_groups::ChangeGroupError]);
    };
    (@ RemoveGroup $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_groups RemoveGroup remove_group RemoveGroupInput [$crate::generated::types::AccountGroupRemovedReply] [$crate::generated::ops::admin_groups::RemoveGroupError]);
    };
    (@ ListJobs $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_jobs ListJobs list_jobs ListJobsInput [$crate::generated::types::JobListReply] [$crate::generated::ops::admin_jobs::ListJobsError]);
    };
    (@ GetJob $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_jobs GetJob get_job GetJobInput [$crate::generated::types::JobReply] [$crate::generated::ops::admin_jobs::GetJobError]);
    };
    (@ StartAudit $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_jobs StartAudit start_audit StartAuditInput [$crate::generated::types::JobReply] [$crate::generated::ops::admin_jobs::StartAuditError]);
    };
    (@ StartReconciliation $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_jobs StartReconciliation start_reconciliation StartReconciliationInput [$crate::generated::types::JobReply] [$crate::generated::ops::admin_jobs::StartReconciliationError]);
    };
    (@ StartBackup $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_jobs StartBackup start_backup StartBackupInput [$crate::generated::types::JobReply] [$crate::generated::ops::admin_jobs::StartBackupError]);
    };
    (@ StartArchive $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_jobs StartArchive start_archive StartArchiveInput [$crate::generated::types::JobReply] [$crate::generated::ops::admin_jobs::StartArchiveError]);
    };
    (@ ListAccountKeys $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_keys ListAccountKeys list_account_keys ListAccountKeysInput [$crate::generated::types::AccountKeyListReply] [$crate::generated::ops::admin_keys::ListAccountKeysError]);
    };
    (@ CreateAccountKey $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_keys CreateAccountKey create_account_key CreateAccountKeyInput [$crate::generated::types::AccountKeyCreatedReply] [$crate::generated::ops::admin_keys::CreateAccountKeyError]);
    };
    (@ ChangeAccountKey $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_keys ChangeAccountKey change_account_key ChangeAccountKeyInput [$crate::generated::types::AccountKeyChangedReply] [$crate::generated::ops::admin_keys::ChangeAccountKeyError]);
    };
    (@ RevokeAccountKey $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_keys RevokeAccountKey revoke_account_key RevokeAccountKeyInput [$crate::generated::types::AccountKeyReply] [$crate::generated::ops::admin_keys::RevokeAccountKeyError]);
    };
    (@ ListOfferedModels $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_models ListOfferedModels list_offered_models ListOfferedModelsInput [$crate::generated::types::OfferedModelListReply] [$crate::generated::ops::admin_models::ListOfferedModelsError]);
    };
    (@ GetOfferedModel $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_models GetOfferedModel get_offered_model GetOfferedModelInput [$crate::generated::types::OfferedModelReply] [$crate::generated::ops::admin_models::GetOfferedModelError]);
    };
    (@ CreateOfferedModel $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_models CreateOfferedModel create_offered_model CreateOfferedModelInput [$crate::generated::types::OfferedModelReply] [$crate::generated::ops::admin_models::CreateOfferedModelError]);
    };
    (@ ChangeOfferedModel $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_models ChangeOfferedModel change_offered_model ChangeOfferedModelInput [$crate::generated::types::OfferedModelReply] [$crate::generated::ops::admin_models::ChangeOfferedModelError]);
    };
    (@ RemoveOfferedModel $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_models RemoveOfferedModel remove_offered_model RemoveOfferedModelInput [$crate::generated::types::OfferedModelRemovedReply] [$crate::generated::ops::admin_models::RemoveOfferedModelError]);
    };
    (@ QuoteModel $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_models QuoteModel quote_model QuoteModelInput [$crate::generated::types::QuoteReply] [$crate::generated::ops::admin_models::QuoteModelError]);
    };
    (@ ListOperators $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_operators ListOperators list_operators ListOperatorsInput [$crate::generated::types::OperatorListReply] [$crate::generated::ops::admin_operators::ListOperatorsError]);
    };
    (@ CreateOperator $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_operators CreateOperator create_operator CreateOperatorInput [$crate::generated::types::OperatorCreatedReply] [$crate::generated::ops::admin_operators::CreateOperatorError]);
    };
    (@ ChangeOperator $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_operators ChangeOperator change_operator ChangeOperatorInput [$crate::generated::types::OperatorReply] [$crate::generated::ops::admin_operators::ChangeOperatorError]);
    };
    (@ InviteOperator $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_operators InviteOperator invite_operator InviteOperatorInput [$crate::generated::types::OperatorCreatedReply] [$crate::generated::ops::admin_operators::InviteOperatorError]);
    };
    (@ ListOperatorSessions $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_operators ListOperatorSessions list_operator_sessions ListOperatorSessionsInput [$crate::generated::types::OperatorSessionInfoListReply] [$crate::generated::ops::admin_operators::ListOperatorSessionsError]);
    };
    (@ EndOperatorSessions $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_operators EndOperatorSessions end_operator_sessions EndOperatorSessionsInput [$crate::generated::types::OperatorSessionsEndedReply] [$crate::generated::ops::admin_operators::EndOperatorSessionsError]);
    };
    (@ ListOrders $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_payments ListOrders list_orders ListOrdersInput [$crate::generated::types::OrderListReply] [$crate::generated::ops::admin_payments::ListOrdersError]);
    };
    (@ GetOrderHistory $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_payments GetOrderHistory get_order_history GetOrderHistoryInput [$crate::generated::types::OrderHistoryReply] [$crate::generated::ops::admin_payments::GetOrderHistoryError]);
    };
    (@ ListSetAsidePayments $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_payments ListSetAsidePayments list_set_aside_payments ListSetAsidePaymentsInput [$crate::generated::types::SetAsidePaymentListReply] [$crate::generated::ops::admin_payments::ListSetAsidePaymentsError]);
    };
    (@ ResolvePayment $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_payments ResolvePayment resolve_payment ResolvePaymentInput [$crate::generated::types::PaymentResolutionReply] [$crate::generated::ops::admin_payments::ResolvePaymentError]);
    };
    (@ ReversePayment $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_payments ReversePayment reverse_payment ReversePaymentInput [$crate::generated::types::PaymentReversalReply] [$crate::generated::ops::admin_payments::ReversePaymentError]);
    };
    (@ ListPrices $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_prices ListPrices list_prices ListPricesInput [$crate::generated::types::PriceListReply] [$crate::generated::ops::admin_prices::ListPricesError]);
    };
    (@ GetPrice $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_prices GetPrice get_price GetPriceInput [$crate::generated::types::PriceReply] [$crate::generated::ops::admin_prices::GetPriceError]);
    };
    (@ CreatePrice $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_prices CreatePrice create_price CreatePriceInput [$crate::generated::types::PriceReply] [$crate::generated::ops::admin_prices::CreatePriceError]);
    };
    (@ ReplacePrice $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_prices ReplacePrice replace_price ReplacePriceInput [$crate::generated::types::PriceReply] [$crate::generated::ops::admin_prices::ReplacePriceError]);
    };
    (@ RemovePrice $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_prices RemovePrice remove_price RemovePriceInput [$crate::generated::types::PriceRemovedReply] [$crate::generated::ops::admin_prices::RemovePriceError]);
    };
    (@ ComparePriceList $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_prices ComparePriceList compare_price_list ComparePriceListInput [$crate::generated::types::PriceListComparisonReply] [$crate::generated::ops::admin_prices::ComparePriceListError]);
    };
    (@ ImportPriceList $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_prices ImportPriceList import_price_list ImportPriceListInput [$crate::generated::types::PriceListImportReply] [$crate::generated::ops::admin_prices::ImportPriceListError]);
    };
    (@ ListProviders $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_providers ListProviders list_providers ListProvidersInput [$crate::generated::types::ProviderListReply] [$crate::generated::ops::admin_providers::ListProvidersError]);
    };
    (@ GetProvider $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_providers GetProvider get_provider GetProviderInput [$crate::generated::types::ProviderReply] [$crate::generated::ops::admin_providers::GetProviderError]);
    };
    (@ GetProviderHealth $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_providers GetProviderHealth get_provider_health GetProviderHealthInput [$crate::generated::types::ProviderHealthReply] [$crate::generated::ops::admin_providers::GetProviderHealthError]);
    };
    (@ CreateProvider $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_providers CreateProvider create_provider CreateProviderInput [$crate::generated::types::ProviderReply] [$crate::generated::ops::admin_providers::CreateProviderError]);
    };
    (@ ChangeProvider $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_providers ChangeProvider change_provider ChangeProviderInput [$crate::generated::types::ProviderReply] [$crate::generated::ops::admin_providers::ChangeProviderError]);
    };
    (@ RemoveProvider $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_providers RemoveProvider remove_provider RemoveProviderInput [$crate::generated::types::CatalogRemovedReply] [$crate::generated::ops::admin_providers::RemoveProviderError]);
    };
    (@ DrainProvider $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_providers DrainProvider drain_provider DrainProviderInput [$crate::generated::types::ProviderReply] [$crate::generated::ops::admin_providers::DrainProviderError]);
    };
    (@ ResumeProvider $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_providers ResumeProvider resume_provider ResumeProviderInput [$crate::generated::types::ProviderReply] [$crate::generated::ops::admin_providers::ResumeProviderError]);
    };
    (@ TryProvider $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_providers TryProvider try_provider TryProviderInput [$crate::generated::types::ProviderTestReply] [$crate::generated::ops::admin_providers::TryProviderError]);
    };
    (@ ResealSecrets $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_providers ResealSecrets reseal_secrets ResealSecretsInput [$crate::generated::types::SecretsResealedReply] [$crate::generated::ops::admin_providers::ResealSecretsError]);
    };
    (@ ListAccountReceipts $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_receipts ListAccountReceipts list_account_receipts ListAccountReceiptsInput [$crate::generated::types::AccountReceiptListReply] [$crate::generated::ops::admin_receipts::ListAccountReceiptsError]);
    };
    (@ GetAccountReceipt $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_receipts GetAccountReceipt get_account_receipt GetAccountReceiptInput [$crate::generated::types::AccountReceiptReply] [$crate::generated::ops::admin_receipts::GetAccountReceiptError]);
    };
    (@ FindReceipt $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_receipts FindReceipt find_receipt FindReceiptInput [$crate::generated::types::FoundReceiptReply] [$crate::generated::ops::admin_receipts::FindReceiptError]);
    };
    (@ ListHolds $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_receipts ListHolds list_holds ListHoldsInput [$crate::generated::types::HoldListReply] [$crate::generated::ops::admin_receipts::ListHoldsError]);
    };
    (@ SumAccountUsage $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_receipts SumAccountUsage sum_account_usage SumAccountUsageInput [$crate::generated::types::AccountUsageReply] [$crate::generated::ops::admin_receipts::SumAccountUsageError]);
    };
    (@ ListServers $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_service ListServers list_servers ListServersInput [$crate::generated::types::ServerListReply] [$crate::generated::ops::admin_service::ListServersError]);
    };
    (@ ListSeals $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_service ListSeals list_seals ListSealsInput [$crate::generated::types::SealListReply] [$crate::generated::ops::admin_service::ListSealsError]);
    };
    (@ SumServiceUsage $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_service SumServiceUsage sum_service_usage SumServiceUsageInput [$crate::generated::types::ServiceUsageReply] [$crate::generated::ops::admin_service::SumServiceUsageError]);
    };
    (@ SumMargin $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_service SumMargin sum_margin SumMarginInput [$crate::generated::types::MarginReply] [$crate::generated::ops::admin_service::SumMarginError]);
    };
    (@ ListSettings $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_service ListSettings list_settings ListSettingsInput [$crate::generated::types::SettingListReply] [$crate::generated::ops::admin_service::ListSettingsError]);
    };
    (@ ReloadSettings $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_service ReloadSettings reload_settings ReloadSettingsInput [$crate::generated::types::ReloadReply] [$crate::generated::ops::admin_service::ReloadSettingsError]);
    };
    (@ SignInOperator $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_session SignInOperator sign_in_operator SignInOperatorInput [$crate::api::BeginsSession<$crate::generated::types::OperatorLoginReply>] [$crate::generated::ops::admin_session::SignInOperatorError]);
    };
    (@ OfferSecondFactor $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_session OfferSecondFactor offer_second_factor OfferSecondFactorInput [$crate::generated::types::SecondFactorReply] [$crate::generated::ops::admin_session::OfferSecondFactorError]);
    };
    (@ AcceptInvitation $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_session AcceptInvitation accept_invitation AcceptInvitationInput [$crate::api::BeginsSession<$crate::generated::types::OperatorLoginReply>] [$crate::generated::ops::admin_session::AcceptInvitationError]);
    };
    (@ GetOperatorSession $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_session GetOperatorSession get_operator_session GetOperatorSessionInput [$crate::generated::types::OperatorSelfReply] [$crate::generated::ops::admin_session::GetOperatorSessionError]);
    };
    (@ SignOutOperator $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room admin_session SignOutOperator sign_out_operator SignOutOperatorInput [$crate::generated::types::OperatorLogoutReply] [$crate::generated::ops::admin_session::SignOutOperatorError]);
    };
    (@ RegisterAgent $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room agents RegisterAgent register_agent RegisterAgentInput [$crate::generated::types::AgentCreatedReply] [$crate::generated::ops::agents::RegisterAgentError]);
    };
    (@ ListAgents $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room agents ListAgents list_agents ListAgentsInput [$crate::generated::types::AgentListReply] [$crate::generated::ops::agents::ListAgentsError]);
    };
    (@ ChangeAgent $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room agents ChangeAgent change_agent ChangeAgentInput [$crate::generated::types::AgentReply] [$crate::generated::ops::agents::ChangeAgentError]);
    };
    (@ RevokeAgent $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room agents RevokeAgent revoke_agent RevokeAgentInput [$crate::generated::types::AgentReply] [$crate::generated::ops::agents::RevokeAgentError]);
    };
    (@ GetBalance $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room balance GetBalance get_balance GetBalanceInput [$crate::generated::types::BalanceReply] [$crate::generated::ops::balance::GetBalanceError]);
    };
    (@ GetSubscription $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room billing GetSubscription get_subscription GetSubscriptionInput [$crate::generated::types::Subscription] [$crate::generated::ops::billing::GetSubscriptionError]);
    };
    (@ GetUsage $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room billing GetUsage get_usage GetUsageInput [$crate::generated::types::BillingUsage] [$crate::generated::ops::billing::GetUsageError]);
    };
    (@ CreateChatCompletion $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room chat CreateChatCompletion create_chat_completion CreateChatCompletionInput [$crate::api::ProxyReply] [$crate::generated::ops::chat::CreateChatCompletionError]);
    };
    (@ CreateCompletion $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room completions CreateCompletion create_completion CreateCompletionInput [$crate::api::ProxyReply] [$crate::generated::ops::completions::CreateCompletionError]);
    };
    (@ ShowLogin $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room console ShowLogin show_login ShowLoginInput [$crate::api::ProxyReply] [$crate::generated::ops::console::ShowLoginError]);
    };
    (@ ShowRegistration $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room console ShowRegistration show_registration ShowRegistrationInput [$crate::api::ProxyReply] [$crate::generated::ops::console::ShowRegistrationError]);
    };
    (@ ShowPageFile $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room console ShowPageFile show_page_file ShowPageFileInput [$crate::api::ProxyReply] [$crate::generated::ops::console::ShowPageFileError]);
    };
    (@ ShowOwnOverview $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room console ShowOwnOverview show_own_overview ShowOwnOverviewInput [$crate::api::ProxyReply] [$crate::generated::ops::console::ShowOwnOverviewError]);
    };
    (@ ShowOwnKeys $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room console ShowOwnKeys show_own_keys ShowOwnKeysInput [$crate::api::ProxyReply] [$crate::generated::ops::console::ShowOwnKeysError]);
    };
    (@ ShowOwnKey $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room console ShowOwnKey show_own_key ShowOwnKeyInput [$crate::api::ProxyReply] [$crate::generated::ops::console::ShowOwnKeyError]);
    };
    (@ ShowOwnReceipts $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room console ShowOwnReceipts show_own_receipts ShowOwnReceiptsInput [$crate::api::ProxyReply] [$crate::generated::ops::console::ShowOwnReceiptsError]);
    };
    (@ ShowOwnReceipt $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room console ShowOwnReceipt show_own_receipt ShowOwnReceiptInput [$crate::api::ProxyReply] [$crate::generated::ops::console::ShowOwnReceiptError]);
    };
    (@ ShowOwnUsage $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room console ShowOwnUsage show_own_usage ShowOwnUsageInput [$crate::api::ProxyReply] [$crate::generated::ops::console::ShowOwnUsageError]);
    };
    (@ ShowTopup $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room console ShowTopup show_topup ShowTopupInput [$crate::api::ProxyReply] [$crate::generated::ops::console::ShowTopupError]);
    };
    (@ ShowFirstSteps $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room console ShowFirstSteps show_first_steps ShowFirstStepsInput [$crate::api::ProxyReply] [$crate::generated::ops::console::ShowFirstStepsError]);
    };
    (@ ShowPlayground $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room console ShowPlayground show_playground ShowPlaygroundInput [$crate::api::ProxyReply] [$crate::generated::ops::console::ShowPlaygroundError]);
    };
    (@ ShowOwnAgents $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room console ShowOwnAgents show_own_agents ShowOwnAgentsInput [$crate::api::ProxyReply] [$crate::generated::ops::console::ShowOwnAgentsError]);
    };
    (@ ShowOwnOrganisation $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room console ShowOwnOrganisation show_own_organisation ShowOwnOrganisationInput [$crate::api::ProxyReply] [$crate::generated::ops::console::ShowOwnOrganisationError]);
    };
    (@ ShowInvitationPage $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room console ShowInvitationPage show_invitation_page ShowInvitationPageInput [$crate::api::ProxyReply] [$crate::generated::ops::console::ShowInvitationPageError]);
    };
    (@ ShowOidcReturn $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room console ShowOidcReturn show_oidc_return ShowOidcReturnInput [$crate::api::ProxyReply] [$crate::generated::ops::console::ShowOidcReturnError]);
    };
    (@ ShowOwnSettings $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room console ShowOwnSettings show_own_settings ShowOwnSettingsInput [$crate::api::ProxyReply] [$crate::generated::ops::console::ShowOwnSettingsError]);
    };
    (@ GenerateContent $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room content GenerateContent generate_content GenerateContentInput [$crate::api::ProxyReply] [$crate::generated::ops::content::GenerateContentError]);
    };
    (@ StreamContent $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room content StreamContent stream_content StreamContentInput [$crate::api::ProxyReply] [$crate::generated::ops::content::StreamContentError]);
    };
    (@ CountContentTokens $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room content CountContentTokens count_content_tokens CountContentTokensInput [$crate::api::ProxyReply] [$crate::generated::ops::content::CountContentTokensError]);
    };
    (@ EmbedContent $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room content EmbedContent embed_content EmbedContentInput [$crate::api::ProxyReply] [$crate::generated::ops::content::EmbedContentError]);
    };
    (@ BatchEmbedContents $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room content BatchEmbedContents batch_embed_contents BatchEmbedContentsInput [$crate::api::ProxyReply] [$crate::generated::ops::content::BatchEmbedContentsError]);
    };
    (@ ListContentModels $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room content ListContentModels list_content_models ListContentModelsInput [$crate::generated::types::ModelListG] [$crate::generated::ops::content::ListContentModelsError]);
    };
    (@ GetContentModel $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room content GetContentModel get_content_model GetContentModelInput [$crate::generated::types::ModelG] [$crate::generated::ops::content::GetContentModelError]);
    };
    (@ CreateCryptoOrder $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room crypto CreateCryptoOrder create_crypto_order CreateCryptoOrderInput [$crate::generated::types::CryptoOrderReply] [$crate::generated::ops::crypto::CreateCryptoOrderError]);
    };
    (@ GetCryptoOrder $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room crypto GetCryptoOrder get_crypto_order GetCryptoOrderInput [$crate::generated::types::CryptoOrderReply] [$crate::generated::ops::crypto::GetCryptoOrderError]);
    };
    (@ GetCryptoOrderCode $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room crypto GetCryptoOrderCode get_crypto_order_code GetCryptoOrderCodeInput [$crate::api::ProxyReply] [$crate::generated::ops::crypto::GetCryptoOrderCodeError]);
    };
    (@ ShowCryptoPage $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room crypto ShowCryptoPage show_crypto_page ShowCryptoPageInput [$crate::api::ProxyReply] [$crate::generated::ops::crypto::ShowCryptoPageError]);
    };
    (@ CreateEngineEmbedding $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room embeddings CreateEngineEmbedding create_engine_embedding CreateEngineEmbeddingInput [$crate::api::ProxyReply] [$crate::generated::ops::embeddings::CreateEngineEmbeddingError]);
    };
    (@ CreateEmbedding $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room embeddings CreateEmbedding create_embedding CreateEmbeddingInput [$crate::api::ProxyReply] [$crate::generated::ops::embeddings::CreateEmbeddingError]);
    };
    (@ CreateEwalletOrder $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room ewallet CreateEwalletOrder create_ewallet_order CreateEwalletOrderInput [$crate::generated::types::EwalletOrderReply] [$crate::generated::ops::ewallet::CreateEwalletOrderError]);
    };
    (@ ReceiveEwalletNotice $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room ewallet ReceiveEwalletNotice receive_ewallet_notice ReceiveEwalletNoticeInput [$crate::api::ProxyReply] [$crate::generated::ops::ewallet::ReceiveEwalletNoticeError]);
    };
    (@ GetEwalletOrderState $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room ewallet GetEwalletOrderState get_ewallet_order_state GetEwalletOrderStateInput [$crate::api::Headed<$crate::generated::types::EwalletOrderStateReply, $crate::generated::ops::ewallet::GetEwalletOrderStateHeaders>] [$crate::api::Headed<$crate::generated::ops::ewallet::GetEwalletOrderStateError, $crate::generated::ops::ewallet::GetEwalletOrderStateHeaders>]);
    };
    (@ ShowEwalletPage $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room ewallet ShowEwalletPage show_ewallet_page ShowEwalletPageInput [$crate::api::ProxyReply] [$crate::generated::ops::ewallet::ShowEwalletPageError]);
    };
    (@ ChallengeWallet $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room identities ChallengeWallet challenge_wallet ChallengeWalletInput [$crate::generated::types::WalletChallengeReply] [$crate::generated::ops::identities::ChallengeWalletError]);
    };
    (@ SignInByWallet $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room identities SignInByWallet sign_in_by_wallet SignInByWalletInput [$crate::api::BeginsSession<$crate::generated::types::LoginReply>] [$crate::generated::ops::identities::SignInByWalletError]);
    };
    (@ ListIdentities $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room identities ListIdentities list_identities ListIdentitiesInput [$crate::generated::types::IdentityListReply] [$crate::generated::ops::identities::ListIdentitiesError]);
    };
    (@ ChallengeOwnWallet $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room identities ChallengeOwnWallet challenge_own_wallet ChallengeOwnWalletInput [$crate::generated::types::WalletChallengeReply] [$crate::generated::ops::identities::ChallengeOwnWalletError]);
    };
    (@ LinkWallet $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room identities LinkWallet link_wallet LinkWalletInput [$crate::generated::types::IdentityReply] [$crate::generated::ops::identities::LinkWalletError]);
    };
    (@ RemoveIdentity $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room identities RemoveIdentity remove_identity RemoveIdentityInput [$crate::generated::types::IdentityReply] [$crate::generated::ops::identities::RemoveIdentityError]);
    };
    (@ GenerateImage $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room images GenerateImage generate_image GenerateImageInput [$crate::api::ProxyReply] [$crate::generated::ops::images::GenerateImageError]);
    };
    (@ EditImage $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room images EditImage edit_image EditImageInput [$crate::api::ProxyReply] [$crate::generated::ops::images::EditImageError]);
    };
    (@ CreateKey $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room keys CreateKey create_key CreateKeyInput [$crate::generated::types::KeyCreatedReply] [$crate::generated::ops::keys::CreateKeyError]);
    };
    (@ ListKeys $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room keys ListKeys list_keys ListKeysInput [$crate::generated::types::KeyListReply] [$crate::generated::ops::keys::ListKeysError]);
    };
    (@ ChangeKey $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room keys ChangeKey change_key ChangeKeyInput [$crate::generated::types::KeyReply] [$crate::generated::ops::keys::ChangeKeyError]);
    };
    (@ RevokeKey $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room keys RevokeKey revoke_key RevokeKeyInput [$crate::generated::types::KeyReply] [$crate::generated::ops::keys::RevokeKeyError]);
    };
    (@ ListMembers $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room members ListMembers list_members ListMembersInput [$crate::generated::types::MemberListReply] [$crate::generated::ops::members::ListMembersError]);
    };
    (@ ChangeMember $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room members ChangeMember change_member ChangeMemberInput [$crate::generated::types::MemberReply] [$crate::generated::ops::members::ChangeMemberError]);
    };
    (@ RemoveMember $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room members RemoveMember remove_member RemoveMemberInput [$crate::generated::types::MemberReply] [$crate::generated::ops::members::RemoveMemberError]);
    };
    (@ LeaveOrganisation $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room members LeaveOrganisation leave_organisation LeaveOrganisationInput [$crate::generated::types::MemberReply] [$crate::generated::ops::members::LeaveOrganisationError]);
    };
    (@ CreateInvitation $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room invitations CreateInvitation create_invitation CreateInvitationInput [$crate::generated::types::InvitationCreatedReply] [$crate::generated::ops::invitations::CreateInvitationError]);
    };
    (@ ListInvitations $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room invitations ListInvitations list_invitations ListInvitationsInput [$crate::generated::types::InvitationListReply] [$crate::generated::ops::invitations::ListInvitationsError]);
    };
    (@ WithdrawInvitation $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room invitations WithdrawInvitation withdraw_invitation WithdrawInvitationInput [$crate::generated::types::InvitationReply] [$crate::generated::ops::invitations::WithdrawInvitationError]);
    };
    (@ ShowMemberInvitation $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room invitations ShowMemberInvitation show_member_invitation ShowMemberInvitationInput [$crate::generated::types::OpenInvitationReply] [$crate::generated::ops::invitations::ShowMemberInvitationError]);
    };
    (@ AcceptMemberInvitation $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room invitations AcceptMemberInvitation accept_member_invitation AcceptMemberInvitationInput [$crate::generated::types::MemberReply] [$crate::generated::ops::invitations::AcceptMemberInvitationError]);
    };
    (@ ListOrganisations $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room organisations ListOrganisations list_organisations ListOrganisationsInput [$crate::generated::types::MembershipListReply] [$crate::generated::ops::organisations::ListOrganisationsError]);
    };
    (@ CreateOrganisation $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room organisations CreateOrganisation create_organisation CreateOrganisationInput [$crate::generated::types::MembershipReply] [$crate::generated::ops::organisations::CreateOrganisationError]);
    };
    (@ EnterOrganisation $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room organisations EnterOrganisation enter_organisation EnterOrganisationInput [$crate::generated::types::MembershipReply] [$crate::generated::ops::organisations::EnterOrganisationError]);
    };
    (@ CreateMessage $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room messages CreateMessage create_message CreateMessageInput [$crate::api::ProxyReply] [$crate::generated::ops::messages::CreateMessageError]);
    };
    (@ CountMessageTokens $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room messages CountMessageTokens count_message_tokens CountMessageTokensInput [$crate::api::ProxyReply] [$crate::generated::ops::messages::CountMessageTokensError]);
    };
    (@ ListModels $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room models ListModels list_models ListModelsInput [$crate::generated::ops::models::ListModelsReply] [$crate::generated::ops::models::ListModelsError]);
    };
    (@ GetModel $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room models GetModel get_model GetModelInput [$crate::generated::ops::models::GetModelReply] [$crate::generated::ops::models::GetModelError]);
    };
    (@ CreateModeration $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room moderations CreateModeration create_moderation CreateModerationInput [$crate::api::ProxyReply] [$crate::generated::ops::moderations::CreateModerationError]);
    };
    (@ ListSignInProviders $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room oidc ListSignInProviders list_sign_in_providers ListSignInProvidersInput [$crate::generated::types::SignInProviderListReply] [$crate::generated::ops::oidc::ListSignInProvidersError]);
    };
    (@ BeginOidcSignIn $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room oidc BeginOidcSignIn begin_oidc_sign_in BeginOidcSignInInput [$crate::generated::types::OidcStartReply] [$crate::generated::ops::oidc::BeginOidcSignInError]);
    };
    (@ SignInByOidc $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room oidc SignInByOidc sign_in_by_oidc SignInByOidcInput [$crate::api::BeginsSession<$crate::generated::types::LoginReply>] [$crate::generated::ops::oidc::SignInByOidcError]);
    };
    (@ BeginOwnOidc $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room oidc BeginOwnOidc begin_own_oidc BeginOwnOidcInput [$crate::generated::types::OidcStartReply] [$crate::generated::ops::oidc::BeginOwnOidcError]);
    };
    (@ LinkOidc $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room oidc LinkOidc link_oidc LinkOidcInput [$crate::generated::types::IdentityReply] [$crate::generated::ops::oidc::LinkOidcError]);
    };
    (@ ReceiveOidcLogout $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room oidc ReceiveOidcLogout receive_oidc_logout ReceiveOidcLogoutInput [$crate::generated::types::OidcLogoutReply] [$crate::generated::ops::oidc::ReceiveOidcLogoutError]);
    };
    (@ ShowOrganisation $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room organisation ShowOrganisation show_organisation ShowOrganisationInput [$crate::generated::types::OrganisationReply] [$crate::generated::ops::organisation::ShowOrganisationError]);
    };
    (@ ChangeOrganisation $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room organisation ChangeOrganisation change_organisation ChangeOrganisationInput [$crate::generated::types::OrganisationReply] [$crate::generated::ops::organisation::ChangeOrganisationError]);
    };
    (@ CreateTeam $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room teams CreateTeam create_team CreateTeamInput [$crate::generated::types::TeamReply] [$crate::generated::ops::teams::CreateTeamError]);
    };
    (@ ListTeams $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room teams ListTeams list_teams ListTeamsInput [$crate::generated::types::TeamListReply] [$crate::generated::ops::teams::ListTeamsError]);
    };
    (@ ChangeTeam $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room teams ChangeTeam change_team ChangeTeamInput [$crate::generated::types::TeamReply] [$crate::generated::ops::teams::ChangeTeamError]);
    };
    (@ CloseTeam $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room teams CloseTeam close_team CloseTeamInput [$crate::generated::types::TeamReply] [$crate::generated::ops::teams::CloseTeamError]);
    };
    (@ GetReceipt $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room receipts GetReceipt get_receipt GetReceiptInput [$crate::generated::types::ReceiptReply] [$crate::generated::ops::receipts::GetReceiptError]);
    };
    (@ ListReceipts $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room receipts ListReceipts list_receipts ListReceiptsInput [$crate::generated::types::ReceiptListReply] [$crate::generated::ops::receipts::ListReceiptsError]);
    };
    (@ CreateResponse $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room responses CreateResponse create_response CreateResponseInput [$crate::api::ProxyReply] [$crate::generated::ops::responses::CreateResponseError]);
    };
    (@ CompactResponse $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room responses CompactResponse compact_response CompactResponseInput [$crate::api::ProxyReply] [$crate::generated::ops::responses::CompactResponseError]);
    };
    (@ GetResponse $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room responses GetResponse get_response GetResponseInput [$crate::api::ProxyReply] [$crate::generated::ops::responses::GetResponseError]);
    };
    (@ DeleteResponse $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room responses DeleteResponse delete_response DeleteResponseInput [$crate::generated::types::ResponseDeleted] [$crate::generated::ops::responses::DeleteResponseError]);
    };
    (@ CancelResponse $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room responses CancelResponse cancel_response CancelResponseInput [$crate::api::ProxyReply] [$crate::generated::ops::responses::CancelResponseError]);
    };
    (@ ListResponseInputItems $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room responses ListResponseInputItems list_response_input_items ListResponseInputItemsInput [$crate::api::ProxyReply] [$crate::generated::ops::responses::ListResponseInputItemsError]);
    };
    (@ CountResponseTokens $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room responses CountResponseTokens count_response_tokens CountResponseTokensInput [$crate::api::ProxyReply] [$crate::generated::ops::responses::CountResponseTokensError]);
    };
    (@ GetHealth $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room service GetHealth get_health GetHealthInput [$crate::generated::types::ServiceState] [$crate::generated::ops::service::GetHealthError]);
    };
    (@ GetReadiness $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room service GetReadiness get_readiness GetReadinessInput [$crate::generated::types::ServiceState] [$crate::generated::ops::service::GetReadinessError]);
    };
    (@ GetMetrics $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room service GetMetrics get_metrics GetMetricsInput [$crate::api::ProxyReply] [$crate::generated::ops::service::GetMetricsError]);
    };
    (@ GetOpenapi $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room service GetOpenapi get_openapi GetOpenapiInput [$crate::api::ProxyReply] [$crate::generated::ops::service::GetOpenapiError]);
    };
    (@ GetOpenapi30 $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room service GetOpenapi30 get_openapi30 GetOpenapi30Input [$crate::api::ProxyReply] [$crate::generated::ops::service::GetOpenapi30Error]);
    };
    (@ ShowDocs $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room service ShowDocs show_docs ShowDocsInput [$crate::api::ProxyReply] [$crate::generated::ops::service::ShowDocsError]);
    };
    (@ ShowDocsFile $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room service ShowDocsFile show_docs_file ShowDocsFileInput [$crate::api::ProxyReply] [$crate::generated::ops::service::ShowDocsFileError]);
    };
    (@ SignUp $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room sessions SignUp sign_up SignUpInput [$crate::api::BeginsSession<$crate::generated::types::LoginReply>] [$crate::generated::ops::sessions::SignUpError]);
    };
    (@ SignIn $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room sessions SignIn sign_in SignInInput [$crate::api::BeginsSession<$crate::generated::types::LoginReply>] [$crate::generated::ops::sessions::SignInError]);
    };
    (@ SignOut $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room sessions SignOut sign_out SignOutInput [$crate::generated::types::LogoutReply] [$crate::generated::ops::sessions::SignOutError]);
    };
    (@ ListSessions $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room sessions ListSessions list_sessions ListSessionsInput [$crate::generated::types::SessionInfoListReply] [$crate::generated::ops::sessions::ListSessionsError]);
    };
    (@ EndSessions $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room sessions EndSessions end_sessions EndSessionsInput [$crate::generated::types::SessionsEndedReply] [$crate::generated::ops::sessions::EndSessionsError]);
    };
    (@ ChangePassword $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room sessions ChangePassword change_password ChangePasswordInput [$crate::generated::types::PasswordReply] [$crate::generated::ops::sessions::ChangePasswordError]);
    };
    (@ GetSelfStatus $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room standing GetSelfStatus get_self_status GetSelfStatusInput [$crate::generated::types::SelfStatusReply] [$crate::generated::ops::standing::GetSelfStatusError]);
    };
    (@ GetTopupInfo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room topup GetTopupInfo get_topup_info GetTopupInfoInput [$crate::generated::types::TopupInfoReply] [$crate::generated::ops::topup::GetTopupInfoError]);
    };
    (@ GetTopupOrder $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room topup GetTopupOrder get_topup_order GetTopupOrderInput [$crate::generated::types::TopupOrderReply] [$crate::generated::ops::topup::GetTopupOrderError]);
    };
    (@ CreateTextVideo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room video_a CreateTextVideo create_text_video CreateTextVideoInput [$crate::api::ProxyReply] [$crate::generated::ops::video_a::CreateTextVideoError]);
    };
    (@ CreateImageVideo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room video_a CreateImageVideo create_image_video CreateImageVideoInput [$crate::api::ProxyReply] [$crate::generated::ops::video_a::CreateImageVideoError]);
    };
    (@ GetTextVideo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room video_a GetTextVideo get_text_video GetTextVideoInput [$crate::generated::types::VideoTask] [$crate::generated::ops::video_a::GetTextVideoError]);
    };
    (@ GetImageVideo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room video_a GetImageVideo get_image_video GetImageVideoInput [$crate::generated::types::VideoTask] [$crate::generated::ops::video_a::GetImageVideoError]);
    };
    (@ CreateVideo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room videos CreateVideo create_video CreateVideoInput [$crate::api::ProxyReply] [$crate::generated::ops::videos::CreateVideoError]);
    };
    (@ GetVideoGeneration $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room videos GetVideoGeneration get_video_generation GetVideoGenerationInput [$crate::generated::types::VideoTask] [$crate::generated::ops::videos::GetVideoGenerationError]);
    };
    (@ GetVideo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room videos GetVideo get_video GetVideoInput [$crate::generated::types::VideoJob] [$crate::generated::ops::videos::GetVideoError]);
    };
    (@ ListVideos $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room videos ListVideos list_videos ListVideosInput [$crate::generated::types::VideoJobList] [$crate::generated::ops::videos::ListVideosError]);
    };
    (@ DeleteVideo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room videos DeleteVideo delete_video DeleteVideoInput [$crate::generated::types::VideoDeleted] [$crate::generated::ops::videos::DeleteVideoError]);
    };
    (@ DownloadVideo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room videos DownloadVideo download_video DownloadVideoInput [$crate::api::ProxyReply] [$crate::generated::ops::videos::DownloadVideoError]);
    };
    (@ CreateX402Order $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room x402 CreateX402Order create_x402_order CreateX402OrderInput [$crate::generated::types::X402OrderReply] [$crate::generated::ops::x402::CreateX402OrderError]);
    };
    (@ ListX402Orders $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room x402 ListX402Orders list_x402_orders ListX402OrdersInput [$crate::generated::types::X402OrderListReply] [$crate::generated::ops::x402::ListX402OrdersError]);
    };
    (@ ResumeX402Order $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room x402 ResumeX402Order resume_x402_order ResumeX402OrderInput [$crate::generated::types::X402OrderReply] [$crate::generated::ops::x402::ResumeX402OrderError]);
    };
    (@ GetX402Config $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room x402 GetX402Config get_x402_config GetX402ConfigInput [$crate::generated::types::X402ConfigReply] [$crate::generated::ops::x402::GetX402ConfigError]);
    };
    (@ PayX402Order $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room x402 PayX402Order pay_x402_order PayX402OrderInput [$crate::api::Headed<$crate::generated::types::X402SettlementReply, $crate::generated::ops::x402::PayX402OrderHeaders>] [$crate::api::Headed<$crate::generated::ops::x402::PayX402OrderError, $crate::generated::ops::x402::PayX402OrderHeaders>]);
    };
    (@ PayX402OrderByHeader $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room x402 PayX402OrderByHeader pay_x402_order_by_header PayX402OrderByHeaderInput [$crate::api::Headed<$crate::generated::types::X402SettlementReply, $crate::generated::ops::x402::PayX402OrderByHeaderHeaders>] [$crate::api::Headed<$crate::generated::ops::x402::PayX402OrderByHeaderError, $crate::generated::ops::x402::PayX402OrderByHeaderHeaders>]);
    };
}
pub use delegate;
