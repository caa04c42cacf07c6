//! `GET /api/user/self/status`: the status of a caller, out of several rooms.

use tollgate_accounts::AccountError;
use tollgate_agents::{Agent, AgentError, AgentService, AgentState};
use tollgate_api::Cx;
use tollgate_api::generated::ops::standing::{GetSelfStatus, GetSelfStatusError, GetSelfStatusInput};
use tollgate_api::generated::types::{
    SelfAgent, SelfBudgets, SelfCap, SelfStatus, SelfStatusReply, SelfTopup, WalletAddress,
};
use tollgate_base::{Caller, Principal, Usd};
use tollgate_credit::{BudgetUsage, LedgerStore};
use tollgate_gateway::Gateway;
use tollgate_topup::{PaymentRail, Topups};

/// Answers with the status of a caller. Cheap to clone.
#[derive(Debug, Clone)]
pub struct CallerStatus {
    pub(super) books: LedgerStore,
    pub(super) agents: AgentService,
    pub(super) topups: Topups,
    pub(super) gateway: Gateway,
}

impl GetSelfStatus for CallerStatus {
    async fn get_self_status(&self, cx: &Cx, input: GetSelfStatusInput) -> Result<SelfStatusReply, GetSelfStatusError> {
        let data = self.of(&input.caller).await.map_err(|error| {
            let request_id = cx.request_id;
            tracing::error!(%request_id, error = &*error as &dyn std::error::Error, "the status of a caller could not be read");
            GetSelfStatusError::LedgerUnavailable
        })?;
        Ok(SelfStatusReply { success: true, message: String::new(), data })
    }
}

impl CallerStatus {
    async fn of(&self, caller: &Principal) -> Result<SelfStatus, Box<dyn std::error::Error + Send + Sync>> {
        let budgets = self.books.budgets(caller.key).await?;
        let (ratio, prices) = self.gateway.prices_for(caller);
        let config = self.topups.config();
        let bounds = config.bounds(PaymentRail::X402);
        let mut agents = Vec::new();
        for agent in self.agents_of(caller).await? {
            agents.push(self.agent(agent).await?);
        }
        Ok(SelfStatus {
            balance: self.books.credit_of(caller.account).await?,
            budgets: SelfBudgets {
                day: budgets.day.map(cap),
                week: budgets.week.map(cap),
                month: budgets.month.map(cap),
                life: budgets.life.map(cap),
            },
            agents,
            orders: self.topups.open_of(caller.account).await?,
            topup: SelfTopup {
                enabled: config.x402.enabled,
                min_usd: bounds.min.unwrap_or(Usd::ZERO),
                max_usd: bounds.max,
            },
            ratio: ratio.map_or_else(String::new, |ratio| ratio.to_string()),
            prices,
        })
    }

    /// The agents that act and that a caller may see. A key that is limited manages none, so it is told of none.
    async fn agents_of(&self, caller: &Principal) -> Result<Vec<Agent>, AgentError> {
        let agents = match self.agents.own(&Caller::from(caller.clone())).await {
            Err(AgentError::Key(AccountError::KeyLimited)) => Vec::new(),
            agents => agents?,
        };
        Ok(agents.into_iter().filter(|agent| agent.state == AgentState::Active).collect())
    }

    async fn agent(&self, agent: Agent) -> Result<SelfAgent, Box<dyn std::error::Error + Send + Sync>> {
        let caps = self.topups.caps_of(agent.id).await?;
        let window = |(most, taken)| cap(BudgetUsage { most, taken });
        Ok(SelfAgent {
            agent_id: agent.id.0,
            label: agent.label,
            agent_addr: WalletAddress::new(agent.wallet.to_string()).expect("every wallet has 32 to 44 characters"),
            cap_order_usd: caps.order,
            day: caps.day.map(window),
            life: caps.life.map(window),
        })
    }
}

fn cap(budget: BudgetUsage) -> SelfCap {
    SelfCap { cap_usd: budget.most, left_usd: budget.left() }
}
