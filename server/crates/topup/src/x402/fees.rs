//! The fees of our accounts on chains: at most a tenth of an order, and an hourly budget for payments that fail. A payer chooses
//! the work of a payment and can see to it that it fails; a node says what work costs. Where a chain takes a fee for the data of a
//! transaction beside its gas, both count.

use std::collections::BTreeMap;

use tollgate_base::{OrderId, Usd};
use tollgate_chains::evm::{EvmNetwork, GasFees};
use tollgate_store::{StoreError, StoreTransaction};

use super::super::ClaimRefused;
use super::X402Payments;
use super::network::{ChainClient, PaymentNetwork};
use super::sql::{self, PendingPayment, RelayerTransaction};

/// The decimal places of a coin of an EVM chain.
const WEI_DECIMALS: u32 = 18;
/// The time for which failed payments are counted, in milliseconds.
const HOUR_MS: i64 = 3_600_000;

impl PaymentNetwork {
    /// The highest price of a unit of gas for an order, in wei. None where the fee for its data alone is too much.
    pub(super) fn gas_price_most(&self, evm: &EvmNetwork, order: Usd, gas: u64, data_fee: u128) -> Option<u128> {
        let share = self.config.fees.most_for(order, WEI_DECIMALS).checked_sub(data_fee)? / u128::from(gas.max(1));
        Some(share.min(evm.config().fee_most))
    }

    /// The highest cost of the transactions of one payment, each with the fee for its data. Of several with one number, one is
    /// carried out.
    pub(super) fn worth_of<'s>(&self, sends: impl IntoIterator<Item = &'s RelayerTransaction>, data_fee: u128) -> Usd {
        let mut dearest = BTreeMap::<u64, u128>::new();
        for send in sends {
            let cost = cost(send.gas, send.fees).saturating_add(data_fee);
            dearest.entry(send.nonce).and_modify(|most| *most = cost.max(*most)).or_insert(cost);
        }
        let whole = dearest.into_values().fold(0, u128::saturating_add);
        self.config.fees.worth(whole, WEI_DECIMALS)
    }

    /// The highest cost of one transaction.
    pub(super) fn worth(&self, gas: u64, fees: GasFees, data_fee: u128) -> Usd {
        self.config.fees.worth(cost(gas, fees).saturating_add(data_fee), WEI_DECIMALS)
    }
}

fn cost(gas: u64, fees: GasFees) -> u128 {
    fees.most.saturating_mul(gas.into())
}

impl X402Payments {
    /// Checks that the transaction stays within the hourly budget of our account on a chain. All payments on their way count, and
    /// those that failed within the hour. Raises an alarm if it does not.
    ///
    /// # Errors
    /// When it may not, or the store fails. Nothing may be signed then.
    pub(super) async fn spends(
        &self,
        transaction: &mut StoreTransaction,
        network: &PaymentNetwork,
    ) -> Result<(), ClaimRefused> {
        let (now_ms, per_hour) = (self.topups().now_ms(), network.config.fees.per_hour);
        let spent = self.spent_in_vain(transaction, network).await?;
        if spent <= per_hour {
            return Ok(());
        }
        if network.spending.is_due(now_ms) {
            tracing::error!(
                target: "alarm", alarm = "relayer_budget", network = network.id, spent_usd = %spent, per_hour_usd = %per_hour,
                "our account on a chain would spend more within an hour, on payments that have not come, than it may: none \
                 that exceeds it is carried to the chain, until others have come or failed an hour ago. Look whose payments fail; \
                 where they are in order, raise `relayer_usd_per_hour` of the chain, or say in `coin_usd` what its coin costs"
            );
        }
        Err(ClaimRefused::FeesSpent)
    }

    /// The fees that count against the hourly budget.
    async fn spent_in_vain(
        &self,
        transaction: &mut StoreTransaction,
        network: &PaymentNetwork,
    ) -> Result<Usd, StoreError> {
        let relayer = match &network.chain {
            ChainClient::Evm(evm) => evm.config().relayer.address().to_string(),
            // A transaction there has no number, and none waits for it.
            ChainClient::Solana(_) => String::new(),
        };
        sql::fees_in_vain(transaction, &network.id, &relayer, self.topups().now_ms() - HOUR_MS).await
    }

    /// The highest price of a unit of gas for one more transaction of an order, in wei. None where the fee for its data alone is too
    /// much.
    pub(super) async fn gas_price_most(
        &self,
        network: &PaymentNetwork,
        evm: &EvmNetwork,
        order: OrderId,
        gas: u64,
        data_fee: u128,
    ) -> Result<Option<u128>, StoreError> {
        let order = self.topups().order(order).await?;
        Ok(network.gas_price_most(evm, order.map_or(Usd::ZERO, |order| order.amount), gas, data_fee))
    }

    /// True for a payment whose fee the hourly budget counts: one on its way, or one that failed within the hour.
    pub(super) fn counts_in_vain(&self, kept: &PendingPayment) -> bool {
        kept.decided_at_ms.is_none_or(|decided| decided > self.topups().now_ms() - HOUR_MS)
    }

    /// Checks the budget for a transaction that is signed once more for a payment on its way. True if it suffices.
    pub(super) async fn spends_more(
        &self,
        transaction: &mut StoreTransaction,
        network: &PaymentNetwork,
        payment: i64,
        fee: Usd,
    ) -> Result<bool, StoreError> {
        sql::set_fee(transaction, payment, fee).await?;
        match self.spends(transaction, network).await {
            Ok(()) => Ok(true),
            Err(ClaimRefused::Store(error)) => Err(error),
            Err(_) => Ok(false),
        }
    }
}
