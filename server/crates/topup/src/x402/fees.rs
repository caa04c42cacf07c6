//! The fees of our accounts on chains: at most a tenth of an order, and an hourly budget for payments that fail. A payer chooses
//! the work of a payment and can see to it that it fails; a node says what work costs. Where a chain takes a fee for the data of a
//! transaction beside its gas, both count.

use std::collections::{BTreeMap, BTreeSet};

use tollgate_base::{OrderId, Usd};
use tollgate_chains::evm::{EvmNetwork, GasFees};
use tollgate_store::{StoreError, StoreTransaction};

use super::super::ClaimRefused;
use super::X402Payments;
use super::config::FeeBounds;
use super::network::{ChainClient, PaymentNetwork};
use super::sql::{self, PendingPayment, RelayerTransaction};
use super::terms::unhex;

/// The decimal places of a coin of an EVM chain.
const WEI_DECIMALS: u32 = 18;
/// The time for which failed payments are counted, in milliseconds.
const HOUR_MS: i64 = 3_600_000;

impl PaymentNetwork {
    /// The highest price of a unit of gas for an order, in wei, beside so many wei that are spent otherwise: on data, and on
    /// transactions with other numbers. None where that alone is too much.
    pub(super) fn gas_price_most(&self, evm: &EvmNetwork, order: Usd, gas: u64, beside: u128) -> Option<u128> {
        Some(price_left(&self.config.fees, order, gas, beside)?.min(evm.config().fee_most))
    }

    /// The highest cost of the transactions of one payment, each with the fee for its data.
    pub(super) fn worth_of<'s>(&self, sends: impl IntoIterator<Item = &'s RelayerTransaction>, data_fee: u128) -> Usd {
        self.config.fees.worth(cost_of(sends, data_fee), WEI_DECIMALS)
    }

    /// The highest cost of one transaction.
    pub(super) fn worth(&self, gas: u64, fees: GasFees, data_fee: u128) -> Usd {
        self.config.fees.worth(cost(gas, fees).saturating_add(data_fee), WEI_DECIMALS)
    }
}

/// The transactions of credited payments without those of the number that has carried each. A payment has paid for that one alone.
fn beside_carriers(credited: &[(RelayerTransaction, Option<String>)]) -> impl Iterator<Item = &RelayerTransaction> {
    let carries = |(send, receipt): &&(RelayerTransaction, Option<String>)| {
        receipt.as_deref().and_then(unhex) == Some(send.signed.hash)
    };
    let number = |send: &RelayerTransaction| (send.payment, send.nonce);
    let carriers: BTreeSet<_> = credited.iter().filter(carries).map(|(send, _)| number(send)).collect();
    credited.iter().map(|(send, _)| send).filter(move |send| !carriers.contains(&number(send)))
}

/// The highest price of a unit of gas by the share of an order, in wei, beside what is spent otherwise.
fn price_left(bounds: &FeeBounds, order: Usd, gas: u64, beside: u128) -> Option<u128> {
    Some(bounds.most_for(order, WEI_DECIMALS).checked_sub(beside)? / u128::from(gas.max(1)))
}

/// The highest cost of transactions in wei, each with the fee for its data. Of several with one number of one account, one is carried
/// out.
fn cost_of<'s>(sends: impl IntoIterator<Item = &'s RelayerTransaction>, data_fee: u128) -> u128 {
    let mut dearest = BTreeMap::<(&str, u64), u128>::new();
    for send in sends {
        let cost = cost(send.gas, send.fees).saturating_add(data_fee);
        let number = (send.relayer.as_str(), send.nonce);
        dearest.entry(number).and_modify(|most| *most = cost.max(*most)).or_insert(cost);
    }
    dearest.into_values().fold(0, u128::saturating_add)
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
        let since_ms = self.topups().now_ms() - HOUR_MS;
        let open = sql::fees_in_vain(transaction, &network.id, &relayer, since_ms).await?;
        let credited = sql::sends_beside(transaction, &network.id, &relayer, since_ms).await?;
        // What their data cost is not kept with them.
        Ok(open.checked_add(network.worth_of(beside_carriers(&credited), 0)).unwrap_or(Usd::MAX))
    }

    /// The highest price of a unit of gas for one more transaction of an order, in wei. What the transactions of its payment with
    /// other numbers may cost is taken off: one after the other may be carried out, and together they stay within the order's share.
    /// None where these and the fee for its data alone are too much.
    pub(super) async fn gas_price_most<'s>(
        &self,
        network: &PaymentNetwork,
        evm: &EvmNetwork,
        order: OrderId,
        gas: u64,
        data_fee: u128,
        others: impl IntoIterator<Item = &'s RelayerTransaction>,
    ) -> Result<Option<u128>, StoreError> {
        let order = self.topups().order(order).await?;
        let amount = order.map_or(Usd::ZERO, |order| order.amount);
        let beside = cost_of(others, data_fee).saturating_add(data_fee);
        Ok(network.gas_price_most(evm, amount, gas, beside))
    }

    /// True for a payment whose fee the hourly budget counts: one on its way, or one that failed within the hour.
    pub(super) fn counts_in_vain(&self, kept: &PendingPayment) -> bool {
        kept.decided_at_ms.is_none_or(|decided| decided > self.topups().now_ms() - HOUR_MS)
    }

    /// Checks the budget for a transaction that is signed once more for a payment on its way, silently where less can be offered.
    /// True if it suffices.
    pub(super) async fn spends_more(
        &self,
        transaction: &mut StoreTransaction,
        network: &PaymentNetwork,
        payment: i64,
        fee: Usd,
        can_be_less: bool,
    ) -> Result<bool, StoreError> {
        sql::set_fee(transaction, payment, fee).await?;
        if can_be_less {
            return Ok(self.spent_in_vain(transaction, network).await? <= network.config.fees.per_hour);
        }
        match self.spends(transaction, network).await {
            Ok(()) => Ok(true),
            Err(ClaimRefused::Store(error)) => Err(error),
            Err(_) => Ok(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollgate_chains::evm::SignedTransaction;

    fn send(relayer: &str, nonce: u64, most: u128) -> RelayerTransaction {
        let (signed, fees) = (SignedTransaction { raw: Vec::new(), hash: [0; 32] }, GasFees { most, tip: 1 });
        let (relayer, turn, payment, gas, signed_at_ms) = (relayer.to_owned(), 1, 1, 10, 0);
        RelayerTransaction { signed, relayer, nonce, turn, payment, gas, fees, signed_at_ms }
    }

    #[test]
    fn of_one_number_of_one_account_one_transaction_counts() {
        let sends = [send("0xa", 3, 5), send("0xa", 3, 7), send("0xa", 4, 11), send("0xb", 3, 2)];
        assert_eq!(cost_of(&sends, 0), 10 * (7 + 11 + 2));
        assert_eq!(cost_of(&sends, 4), 10 * (7 + 11 + 2) + 3 * 4);
        assert_eq!(cost_of(&[], 4), 0);
    }

    #[test]
    fn a_credited_payment_has_paid_for_the_number_that_carried_it() {
        let of = |payment, nonce, turn, hash, by: u8| {
            let signed = SignedTransaction { raw: Vec::new(), hash: [hash; 32] };
            let send = RelayerTransaction { signed, turn, payment, ..send("0xa", nonce, 5) };
            (send, Some(super::super::terms::hex(&[by; 32])))
        };
        // One by the second transaction of its first number, and one by somebody else's.
        let credited =
            [of(1, 3, 1, 31, 32), of(1, 3, 2, 32, 32), of(1, 4, 1, 41, 32), of(2, 5, 1, 51, 99), of(2, 6, 1, 61, 99)];
        let beside: Vec<_> = beside_carriers(&credited).map(|send| send.nonce).collect();
        assert_eq!(beside, [4, 5, 6]);
    }

    #[test]
    fn all_numbers_of_a_payment_together_cost_no_more_than_the_share_of_its_order() {
        let usd = |text: &str| text.parse::<Usd>().unwrap();
        let bounds = FeeBounds { coin: usd("1"), per_hour: usd("5") };
        let share = bounds.most_for(usd("5"), WEI_DECIMALS);
        assert_eq!(price_left(&bounds, usd("5"), 10, 0), Some(share / 10));
        assert_eq!(price_left(&bounds, usd("5"), 10, share / 2), Some(share / 20));
        assert_eq!(price_left(&bounds, usd("5"), 10, share), Some(0));
        for spent in [share + 1, u128::MAX] {
            assert_eq!(price_left(&bounds, usd("5"), 10, spent), None);
        }
    }
}
