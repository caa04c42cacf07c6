//! The words for a state, a kind, a time and an amount.

use std::borrow::Borrow;

use super::Texts;
use tollgate_api::Usd;
use tollgate_api::generated::types::{
    AccountSort, AccountState, Agent, AgentStatus, AlarmState, CandidateHealth, CandidateState, CatalogOrigin, JobKind,
    JobState, Key, KeyStatus, OperatorKind, OperatorRole, OperatorState, OrderPaymentState, ProviderFormat,
    ProviderHttp, ProviderSettings, ProviderState, Rail, ReceiptStatus, ReversalKind, ServerState, SettingOrigin,
    TopupStatus, UnknownMembers,
};
use tollgate_pages::tokens::TokenKind;
use tollgate_pages::words;

/// A limit as a form has it.
#[derive(Debug)]
pub(in crate::pages) struct LimitField {
    pub(in crate::pages) name: &'static str,
    pub(in crate::pages) words: &'static str,
    /// Empty where there is no limit.
    pub(in crate::pages) value: String,
    /// The values that can be typed.
    pub(in crate::pages) pattern: &'static str,
    pub(in crate::pages) hint: &'static str,
}

impl Texts {
    pub(in crate::pages) fn account_state(&self, state: &AccountState) -> &'static str {
        match state {
            AccountState::Active => self.state_active,
            AccountState::Frozen => self.state_frozen,
        }
    }

    pub(in crate::pages) fn key_status(&self, status: &KeyStatus) -> &'static str {
        match status {
            KeyStatus::Active => self.state_active,
            KeyStatus::Revoked => self.state_revoked,
        }
    }

    pub(in crate::pages) fn agent_status(&self, status: &AgentStatus) -> &'static str {
        match status {
            AgentStatus::Active => self.state_active,
            AgentStatus::Revoked => self.state_revoked,
        }
    }

    /// The limits of a key by their members, each with its words, its value, the pattern of its values and a hint to it.
    pub(in crate::pages) fn limits_of_key(&self, key: &Key) -> [LimitField; 7] {
        [
            self.usd_limit("budget_day_usd", self.budget_day, &key.budget_day_usd),
            self.usd_limit("budget_week_usd", self.budget_week, &key.budget_week_usd),
            self.usd_limit("budget_month_usd", self.budget_month, &key.budget_month_usd),
            self.usd_limit("budget_usd", self.budget_ever, &key.budget_usd),
            self.whole_limit("requests_per_minute", self.requests_per_minute, &key.requests_per_minute),
            self.whole_limit("tokens_per_minute", self.tokens_per_minute, &key.tokens_per_minute),
            self.whole_limit("in_flight", self.key_in_flight, &key.in_flight),
        ]
    }

    /// The caps and budgets of an agent, as [`Self::limits_of_key`] tells those of a key.
    pub(in crate::pages) fn limits_of_agent(&self, agent: &Agent) -> [LimitField; 7] {
        [
            self.usd_limit("cap_order_usd", self.cap_order, &agent.cap_order_usd),
            self.usd_limit("cap_day_usd", self.cap_day, &agent.cap_day_usd),
            self.usd_limit("cap_usd", self.cap_ever, &agent.cap_usd),
            self.usd_limit("budget_day_usd", self.budget_day, &agent.budget_day_usd),
            self.usd_limit("budget_week_usd", self.budget_week, &agent.budget_week_usd),
            self.usd_limit("budget_month_usd", self.budget_month, &agent.budget_month_usd),
            self.usd_limit("budget_usd", self.budget_ever, &agent.budget_usd),
        ]
    }

    fn usd_limit(&self, name: &'static str, words: &'static str, limit: &Option<Usd>) -> LimitField {
        let value = limit.map(|usd| usd.to_string()).unwrap_or_default();
        LimitField { name, words, value, pattern: r"[0-9]+(\.[0-9]{1,9})?", hint: self.usd_hint }
    }

    fn whole_limit(&self, name: &'static str, words: &'static str, limit: &Option<i64>) -> LimitField {
        let value = limit.map(|limit| limit.to_string()).unwrap_or_default();
        LimitField { name, words, value, pattern: "[0-9]+", hint: self.whole_hint }
    }

    pub(in crate::pages) fn operator_state_of(&self, state: &OperatorState) -> &'static str {
        match state {
            OperatorState::Active => self.state_active,
            OperatorState::Disabled => self.state_disabled,
        }
    }

    pub(in crate::pages) fn operator_kind(&self, kind: &OperatorKind) -> &'static str {
        match kind {
            OperatorKind::Person => self.kind_person,
            OperatorKind::Key => self.kind_key,
        }
    }

    pub(in crate::pages) fn account_sort(&self, sort: &AccountSort) -> &'static str {
        match sort {
            AccountSort::Name => self.sort_name,
            AccountSort::Newest => self.sort_newest,
            AccountSort::Richest => self.sort_richest,
        }
    }

    pub(in crate::pages) fn receipt_status(&self, status: &ReceiptStatus) -> &'static str {
        match status {
            ReceiptStatus::Held => self.receipt_held,
            ReceiptStatus::Settled => self.receipt_settled,
            ReceiptStatus::Released => self.receipt_released,
        }
    }

    pub(in crate::pages) fn alarm_state(&self, state: &AlarmState) -> &'static str {
        match state {
            AlarmState::Open => self.state_open,
            AlarmState::Acknowledged => self.state_acknowledged,
        }
    }

    pub(in crate::pages) fn job_kind(&self, kind: &JobKind) -> &'static str {
        match kind {
            JobKind::Audit => self.job_audit,
            JobKind::Reconciliation => self.job_reconciliation,
            JobKind::Backup => self.job_backup,
            JobKind::Archive => self.job_archive,
        }
    }

    pub(in crate::pages) fn job_state(&self, state: &JobState) -> &'static str {
        match state {
            JobState::Running => self.job_running,
            JobState::Done => self.job_done,
            JobState::Failed => self.job_failed,
            JobState::Lost => self.job_lost,
        }
    }

    pub(in crate::pages) fn server_state(&self, state: &ServerState) -> &'static str {
        match state {
            ServerState::Up => self.server_up,
            ServerState::Gone => self.server_gone,
        }
    }

    pub(in crate::pages) fn setting_origin(&self, origin: &SettingOrigin) -> &'static str {
        match origin {
            SettingOrigin::Default => self.origin_default,
            SettingOrigin::File => self.origin_file,
            SettingOrigin::Environment => self.origin_environment,
            SettingOrigin::CommandLine => self.origin_command_line,
        }
    }

    pub(in crate::pages) fn origin_of(&self, origin: &CatalogOrigin) -> &'static str {
        match origin {
            CatalogOrigin::File => self.origin_file,
            CatalogOrigin::Api => self.origin_api,
        }
    }

    pub(in crate::pages) fn provider_state(&self, state: &ProviderState) -> &'static str {
        match state {
            ProviderState::Serving => self.state_serving,
            ProviderState::Draining => self.state_draining,
            ProviderState::LeftOut => self.state_left_out,
        }
    }

    pub(in crate::pages) fn provider_format(&self, format: &ProviderFormat) -> &'static str {
        match format {
            ProviderFormat::Chat => self.format_chat,
            ProviderFormat::Responses => self.format_responses,
            ProviderFormat::Messages => self.format_messages,
            ProviderFormat::Generate => self.format_generate,
            ProviderFormat::Pictures => self.format_pictures,
            ProviderFormat::PicturesLater => self.format_pictures_later,
            ProviderFormat::VideoA => self.format_video_a,
        }
    }

    pub(in crate::pages) fn provider_format_of(&self, settings: &ProviderSettings) -> &'static str {
        self.provider_format(&settings.format.unwrap_or(ProviderFormat::Chat))
    }

    pub(in crate::pages) fn provider_http(&self, http: &ProviderHttp) -> &'static str {
        match http {
            ProviderHttp::Auto => self.http_auto,
            ProviderHttp::Http1 => self.http_1,
            ProviderHttp::Http2 => self.http_2,
        }
    }

    pub(in crate::pages) fn unknown_members_of(&self, members: &UnknownMembers) -> &'static str {
        match members {
            UnknownMembers::Refuse => self.unknown_refuse,
            UnknownMembers::Forward => self.unknown_forward,
        }
    }

    /// The health of a model at a provider: `good, 120 ms`.
    pub(in crate::pages) fn health(&self, health: &CandidateHealth) -> String {
        let state = match health.state {
            CandidateState::Closed => self.health_good,
            CandidateState::Open => self.health_paused,
        };
        health.latency_ms.map_or_else(|| state.to_owned(), |latency| format!("{state}, {latency} ms"))
    }

    /// A member of a price; empty for what is none, as the name of a tool.
    pub(in crate::pages) fn price_member(&self, name: &str) -> &'static str {
        match name {
            "prompt" => self.price_prompt,
            "completion" => self.price_completion,
            "cached" => self.price_cached,
            "cache_write" => self.price_cache_write,
            "cache_write_long" => self.price_cache_write_long,
            "reasoning" => self.price_reasoning,
            "audio_prompt" => self.price_audio_prompt,
            "audio_completion" => self.price_audio_completion,
            "image_prompt" => self.price_image_prompt,
            "image_completion" => self.price_image_completion,
            "per_request" => self.price_per_request,
            "image" => self.price_image,
            "video_second" => self.price_video_second,
            "video_second_large" => self.price_video_second_large,
            "tiers" => self.price_tiers,
            "tools" => self.price_tools,
            "service_tiers" => self.price_service_tiers,
            "speeds" => self.price_speeds,
            "regions" => self.price_regions,
            "cost" => self.price_cost,
            "cost.prompt" => self.cost_prompt,
            "cost.completion" => self.cost_completion,
            "cost.cached" => self.cost_cached,
            "cost.cache_write" => self.cost_cache_write,
            "cost.cache_write_long" => self.cost_cache_write_long,
            "cost.reasoning" => self.cost_reasoning,
            "cost.per_request" => self.cost_per_request,
            "cost.image" => self.cost_image,
            "cost.video_second" => self.cost_video_second,
            _ => "",
        }
    }

    /// Names with commas between.
    pub(in crate::pages) fn list(&self, names: &Option<Vec<String>>) -> String {
        names.as_deref().unwrap_or_default().join(", ")
    }

    pub(in crate::pages) fn rail_of(&self, rail: &Rail) -> &'static str {
        match rail {
            Rail::Crypto => self.rail_crypto,
            Rail::X402 => self.rail_x402,
            Rail::Ewallet => self.rail_ewallet,
        }
    }

    pub(in crate::pages) fn order_state(&self, status: &TopupStatus) -> &'static str {
        match status {
            TopupStatus::Pending => self.order_pending,
            TopupStatus::Settling => self.order_settling,
            TopupStatus::Success => self.order_success,
            TopupStatus::Failed => self.order_failed,
            TopupStatus::Expired => self.order_expired,
        }
    }

    pub(in crate::pages) fn payment_state(&self, state: &OrderPaymentState) -> &'static str {
        match state {
            OrderPaymentState::UnderWay => self.payment_under_way,
            OrderPaymentState::Credited => self.payment_is_credited,
            OrderPaymentState::NotReceived => self.payment_not_received,
            OrderPaymentState::SetAside => self.payment_set_aside,
            OrderPaymentState::GivenBack => self.payment_returned,
        }
    }

    pub(in crate::pages) fn reversal_kind_of(&self, kind: &ReversalKind) -> &'static str {
        match kind {
            ReversalKind::Refund => self.reversal_refund,
            ReversalKind::Chargeback => self.reversal_chargeback,
        }
    }

    /// A role with what it may do.
    pub(in crate::pages) fn operator_role(&self, role: &OperatorRole) -> &'static str {
        match role {
            OperatorRole::Owner => self.role_owner,
            OperatorRole::Operator => self.role_operator,
            OperatorRole::Finance => self.role_finance,
            OperatorRole::Support => self.role_support,
            OperatorRole::Reader => self.role_reader,
        }
    }

    /// The word of a role.
    pub(in crate::pages) fn role_word(&self, role: &OperatorRole) -> &'static str {
        let text = self.operator_role(role);
        text.split_once(':').map_or(text, |(word, _)| word)
    }

    /// The kind of tokens of a receipt.
    pub(in crate::pages) fn token_kind(&self, kind: &TokenKind) -> &'static str {
        match kind {
            TokenKind::Prompt => self.prompt,
            TokenKind::Cached => self.cached,
            TokenKind::CacheWrite => self.cache_write,
            TokenKind::CacheWriteLong => self.cache_write_long,
            TokenKind::Completion => self.completion,
            TokenKind::Reasoning => self.reasoning,
        }
    }

    pub(in crate::pages) fn time(&self, seconds: &i64) -> String {
        words::time(*seconds)
    }

    pub(in crate::pages) fn moment(&self, rfc3339: &str) -> String {
        words::moment(rfc3339)
    }

    /// A cost, or a margin, which is there where the cost is known.
    pub(in crate::pages) fn known(&self, usd: impl Borrow<Option<Usd>>) -> String {
        usd.borrow().as_ref().map_or_else(|| self.cost_not_known.to_owned(), |usd| self.amount(usd))
    }

    /// The time of day of a minute, in UTC: `08:18`.
    pub(in crate::pages) fn minute(&self, rfc3339: &str) -> String {
        rfc3339.split_once('T').and_then(|(_, time)| time.get(..5)).unwrap_or(rfc3339).to_owned()
    }

    pub(in crate::pages) fn amount(&self, usd: &Usd) -> String {
        words::amount(usd)
    }
}
