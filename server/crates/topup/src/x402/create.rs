//! Making an order that is paid on a chain, and finding those that wait.

use crate::orders::amount::AmountRefused;
use tollgate_api::WrittenUsd;
use tollgate_api::generated::limits;
use tollgate_api::generated::machines::topup_order::State;
use tollgate_base::{AccountId, AgentId};
use tollgate_chains::WalletAddress;
use tollgate_store::StoreError;

use super::super::commit::{Step, commit};
use super::super::{CreditOrder, NewOrder, OpenRefused, PaymentRail};
use super::X402Payments;
use super::network::{PaymentNetwork, blocks_before_now};
use super::offers::PaymentOffers;
use super::sql::{self, AssetFilter};

/// A request for an order that is paid on a chain.
#[derive(Debug, Clone)]
pub(super) struct ChainOrderRequest {
    pub(super) account: AccountId,
    /// The agent that is to pay, where one is.
    pub(super) agent: Option<AgentId>,
    /// The rail: a program or a person signs.
    pub(super) rail: PaymentRail,
    pub(super) amount: WrittenUsd,
    pub(super) wish: AssetFilter,
}

/// The reason for which no order was made.
#[derive(Debug, thiserror::Error)]
pub(super) enum ChainOrderRefused {
    /// The refusal of an order on any rail.
    #[error(transparent)]
    Open(#[from] OpenRefused),
    /// No configured chain has the token that was asked for.
    #[error("no configured chain has the token that was asked for")]
    Unsupported(AssetFilter),
    /// The account has no such agent.
    #[error("the account has no agent {0}")]
    NoAgent(AgentId),
    /// This many orders wait for a person's wallet already.
    #[error("{0} orders wait for a wallet already")]
    Waiting(i64),
    /// None of these chains answers or can be used.
    #[error("none of the chains {0:?} can be used now")]
    NoChain(Vec<String>),
    /// The amount is outside the bounds, or no token on these chains has so small a unit.
    #[error("an order of this amount cannot be paid on {0:?}")]
    Amount(Vec<String>, AmountRefused),
}

impl X402Payments {
    /// Makes an order. An agent's order can be paid by that agent alone.
    pub(super) async fn create(
        &self,
        asked: ChainOrderRequest,
    ) -> Result<(CreditOrder, PaymentOffers<'_>), ChainOrderRefused> {
        let ChainOrderRequest { account, agent, rail, amount: written, wish } = asked;
        let topups = self.topups();
        if !topups.config.is_on(rail) {
            return Err(OpenRefused::Off(rail).into());
        }
        let payer = match agent {
            None => None,
            Some(agent) => {
                let wallet =
                    sql::wallet_of(topups.store.readers(), account, agent).await.map_err(OpenRefused::Store)?;
                Some(wallet.ok_or(ChainOrderRefused::NoAgent(agent))?)
            }
        };
        let networks = self.wanted(&wish, payer.as_ref());
        if networks.is_empty() {
            return Err(ChainOrderRefused::Unsupported(wish));
        }
        let amount = self.amounts(rail, &wish, &networks).take(&written);
        let amount = amount.map_err(|refused| ChainOrderRefused::Amount(ids(&networks), refused))?;
        let takes = |network: &&PaymentNetwork| topups.config.bounds_on(rail, &network.config).allow(amount);
        let networks: Vec<_> = networks.into_iter().filter(takes).collect();
        let noted = blocks_before_now(&networks).await;
        if noted.is_empty() {
            return Err(ChainOrderRefused::NoChain(ids(&networks)));
        }
        let offered = self.offered((rail, amount), &wish, &noted, payer.as_ref());
        let mut transaction = topups.store.begin_of(account).await.map_err(OpenRefused::Store)?;
        if rail == PaymentRail::Crypto {
            let waiting = sql::for_wallets(&mut transaction, account, topups.now_ms()).await;
            let waiting = waiting.map_err(OpenRefused::Store)?;
            if waiting >= i64::from(limits::CRYPTO_ORDERS) {
                return Err(ChainOrderRefused::Waiting(waiting));
            }
        }
        let order = topups.open_in(&mut transaction, NewOrder { account, agent, rail, amount }).await?;
        if offered.offers.is_empty() {
            let answering: Vec<_> =
                networks.into_iter().filter(|one| noted.iter().any(|(id, _)| *id == one.id)).collect();
            return Err(ChainOrderRefused::Amount(
                ids(&answering),
                self.amounts(rail, &wish, &answering).refuse(&written),
            ));
        }
        sql::wish(&mut transaction, order.id, &wish, &noted).await.map_err(OpenRefused::Store)?;
        commit(transaction, Step::Open, "an order").await.map_err(OpenRefused::Store)?;
        Ok((order, offered))
    }

    /// The ways to pay an order.
    pub(super) async fn offers_of(&self, order: &CreditOrder) -> Result<PaymentOffers<'_>, StoreError> {
        let readers = self.topups().store.readers();
        let (wish, noted) = (sql::wished(readers, order.id).await?, sql::blocks(readers, order.id).await?);
        let payer = self.payer_of(order).await?;
        // The agent that was to pay it is revoked.
        if order.agent.is_some() && payer.is_none() {
            return Ok(PaymentOffers::default());
        }
        Ok(self.offered((order.rail, order.amount), &wish, &noted, payer.as_ref()))
    }

    /// The wallet that has to pay an order; none if anybody may.
    pub(super) async fn payer_of(&self, order: &CreditOrder) -> Result<Option<WalletAddress>, StoreError> {
        let Some(agent) = order.agent else { return Ok(None) };
        sql::wallet_of(self.topups().store.readers(), order.account, agent).await
    }

    /// The account's orders that wait and have some time left.
    pub(super) async fn waiting(&self, account: AccountId) -> Result<Vec<CreditOrder>, StoreError> {
        let topups = self.topups();
        let least_ms = i64::try_from(limits::LIST_REMAINING_VALIDITY.as_millis()).unwrap_or(i64::MAX);
        let until_ms = topups.now_ms().saturating_add(least_ms - 1);
        let mut orders = Vec::new();
        for id in sql::waiting(topups.store.readers(), account, until_ms).await? {
            orders.extend(topups.order(id).await?.filter(|order| order.state_at(topups.now_ms()) == State::Pending));
        }
        Ok(orders)
    }
}

fn ids(networks: &[&PaymentNetwork]) -> Vec<String> {
    networks.iter().map(|network| network.id.clone()).collect()
}
