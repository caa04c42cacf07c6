//! The words for a state, a time, an amount and a problem.

use super::ConsoleTexts;
use tollgate_api::Usd;
use tollgate_api::generated::types::{Agent, AgentChain, ReceiptStatus};
use tollgate_pages::tokens::TokenKind;
use tollgate_pages::words;

impl ConsoleTexts {
    pub(in crate::account) fn receipt_status(&self, status: &ReceiptStatus) -> &'static str {
        match status {
            ReceiptStatus::Held => self.receipt_held,
            ReceiptStatus::Settled => self.receipt_settled,
            ReceiptStatus::Released => self.receipt_released,
        }
    }

    /// The kind of tokens of a receipt.
    pub(in crate::account) fn token_kind(&self, kind: &TokenKind) -> &'static str {
        match kind {
            TokenKind::Prompt => self.prompt,
            TokenKind::Cached => self.cached,
            TokenKind::CacheWrite => self.cache_write,
            TokenKind::CacheWriteLong => self.cache_write_long,
            TokenKind::Completion => self.completion,
            TokenKind::Reasoning => self.reasoning,
        }
    }

    pub(in crate::account) fn agent_chain(&self, chain: &AgentChain) -> &'static str {
        match chain {
            AgentChain::Evm => self.chain_evm,
            AgentChain::Solana => self.chain_solana,
        }
    }

    /// The limits of an agent: the name of the member, words, and the limit as a form has it.
    pub(in crate::account) fn agent_limits_of(&self, agent: &Agent) -> [(&'static str, &'static str, String); 6] {
        [
            ("cap_order_usd", self.cap_order, self.limit(&agent.cap_order_usd)),
            ("cap_day_usd", self.cap_day, self.limit(&agent.cap_day_usd)),
            ("cap_usd", self.cap_ever, self.limit(&agent.cap_usd)),
            ("budget_day_usd", self.agent_budget_day, self.limit(&agent.budget_day_usd)),
            ("budget_month_usd", self.agent_budget_month, self.limit(&agent.budget_month_usd)),
            ("budget_usd", self.agent_budget_ever, self.limit(&agent.budget_usd)),
        ]
    }

    /// Names with commas between.
    pub(in crate::account) fn list(&self, names: &Option<Vec<String>>) -> String {
        names.as_deref().unwrap_or_default().join(", ")
    }

    /// A limit as a form has it: empty where there is none.
    pub(in crate::account) fn limit<T: ToString>(&self, limit: &Option<T>) -> String {
        limit.as_ref().map(ToString::to_string).unwrap_or_default()
    }

    /// A time in unix seconds.
    pub(in crate::account) fn time_of(&self, seconds: &i64) -> String {
        words::time(*seconds)
    }

    /// A time of the API.
    pub(in crate::account) fn moment(&self, rfc3339: &str) -> String {
        words::moment(rfc3339)
    }

    pub(in crate::account) fn amount(&self, usd: &Usd) -> String {
        words::amount(usd)
    }

    /// The words for codes that people meet in a form. What has none is told in the words of the API.
    pub(in crate::account) fn problems(&self) -> [(&'static str, &'static str); 14] {
        [
            ("LOGIN_FAILED", self.problem_login_failed),
            ("RATE_LIMITED", self.problem_rate_limited),
            ("ACCOUNT_EXISTS", self.problem_account_exists),
            ("REGISTRATION_DISABLED", self.problem_registration_disabled),
            ("LEDGER_UNAVAILABLE", self.problem_ledger_unavailable),
            ("KEY_LIMIT", self.problem_key_limit),
            ("KEY_REVOKED", self.problem_key_revoked),
            ("AGENT_REVOKED", self.problem_agent_revoked),
            ("RAIL_DISABLED", self.problem_rail),
            ("CHECKOUT_UNAVAILABLE", self.problem_rail),
            ("X402_CHAIN_UNAVAILABLE", self.problem_chain),
            ("INSUFFICIENT_CREDIT", self.problem_credit),
            // As model endpoints tell a key that is not known.
            ("invalid_api_key", self.problem_key_invalid),
            ("ORIGIN_REFUSED", self.problem_origin_refused),
        ]
    }
}
