//! The words for a state, a time, an amount and a problem.

use super::ConsoleTexts;
use tollgate_api::Usd;
use tollgate_api::generated::types::{Agent, AgentChain, BudgetTime, IdentityKind, MemberRole, ReceiptStatus};
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

    /// Words with a name in them.
    pub(in crate::account) fn named(&self, words: &str, name: &str) -> String {
        words.replace("{name}", name)
    }

    pub(in crate::account) fn all_roles(&self) -> &'static [MemberRole] {
        MemberRole::ALL
    }

    pub(in crate::account) fn member_role(&self, role: &MemberRole) -> &'static str {
        match role {
            MemberRole::Owner => self.role_owner,
            MemberRole::Admin => self.role_admin,
            MemberRole::Billing => self.role_billing,
            MemberRole::Developer => self.role_developer,
            MemberRole::Viewer => self.role_viewer,
        }
    }

    /// What a role lets a member do.
    pub(in crate::account) fn role_means(&self, role: &MemberRole) -> &'static str {
        match role {
            MemberRole::Owner => self.owner_means,
            MemberRole::Admin => self.admin_means,
            MemberRole::Billing => self.billing_means,
            MemberRole::Developer => self.developer_means,
            MemberRole::Viewer => self.viewer_means,
        }
    }

    pub(in crate::account) fn budget_period(&self, period: &BudgetTime) -> &'static str {
        match period {
            BudgetTime::Day => self.period_day,
            BudgetTime::Week => self.period_week,
            BudgetTime::Month => self.period_month,
            BudgetTime::Life => self.period_life,
        }
    }

    pub(in crate::account) fn identity_kind_of(&self, kind: &IdentityKind) -> &'static str {
        match kind {
            IdentityKind::Evm => self.chain_evm,
            IdentityKind::Solana => self.chain_solana,
            IdentityKind::Oidc => self.provider,
        }
    }

    /// The limits of an agent: the name of the member, words, and the limit as a form has it.
    pub(in crate::account) fn agent_limits_of(&self, agent: &Agent) -> [(&'static str, &'static str, String); 7] {
        [
            ("cap_order_usd", self.cap_order, self.limit(&agent.cap_order_usd)),
            ("cap_day_usd", self.cap_day, self.limit(&agent.cap_day_usd)),
            ("cap_usd", self.cap_ever, self.limit(&agent.cap_usd)),
            ("budget_day_usd", self.agent_budget_day, self.limit(&agent.budget_day_usd)),
            ("budget_week_usd", self.agent_budget_week, self.limit(&agent.budget_week_usd)),
            ("budget_month_usd", self.agent_budget_month, self.limit(&agent.budget_month_usd)),
            ("budget_usd", self.agent_budget_ever, self.limit(&agent.budget_usd)),
        ]
    }

    /// The words for what the form of the password does.
    pub(in crate::account) fn password_act(&self, has_password: bool) -> &'static str {
        if has_password { self.change_password } else { self.first_password }
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
    pub(in crate::account) fn problems(&self) -> [(&'static str, &'static str); 27] {
        [
            ("LOGIN_FAILED", self.problem_login_failed),
            ("SIGN_IN_STALE", self.problem_sign_in_stale),
            ("RATE_LIMITED", self.problem_rate_limited),
            ("ACCOUNT_EXISTS", self.problem_account_exists),
            ("REGISTRATION_DISABLED", self.problem_registration_disabled),
            ("LEDGER_UNAVAILABLE", self.problem_ledger_unavailable),
            ("INVITATION_NOT_OPEN", self.problem_invitation),
            ("LAST_OWNER", self.problem_last_owner),
            ("MEMBER_ROLE", self.problem_role),
            ("CALLER_CONFLICT", self.problem_other_account),
            ("CHALLENGE_INVALID", self.problem_challenge),
            ("BAD_WALLET_SIGNATURE", self.problem_wallet_signature),
            ("OIDC_REFUSED", self.problem_oidc_refused),
            ("OIDC_UNAVAILABLE", self.problem_oidc_unavailable),
            ("ACCOUNT_FROZEN", self.problem_account_frozen),
            ("IDENTITY_EXISTS", self.problem_identity_exists),
            ("IDENTITY_LIMIT", self.problem_identity_limit),
            ("IDENTITY_LAST", self.problem_identity_last),
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
