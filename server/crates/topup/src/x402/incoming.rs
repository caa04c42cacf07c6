//! The transfers that have reached `pay_to` on a chain, asked of each of its nodes separately, so that a node which leaves
//! something out hides nothing that another one shows.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::timeout;

use tollgate_base::Usd;
use tollgate_chains::evm::RpcError;
use tollgate_chains::{IncomingScan, IncomingTransfer, SkippedBlocks};

use super::super::PaymentRail;
use super::network::{ChainClient, PaymentNetwork};
use super::terms::{SignedTerms, unhex};
use super::{X402Payments, sql};
use tollgate_store::StoreError;

const MS: i64 = 1_000;
/// The time in which a node has to answer. One that takes longer must not keep the others from being compared.
const NODE_TIME: Duration = Duration::from_secs(20 * 60);

/// The answers of a chain's nodes on a span of time.
#[derive(Debug)]
pub(crate) struct ChainScan {
    /// The chain, by its CAIP-2 id.
    pub(crate) id: String,
    /// The number of nodes in the configuration.
    pub(crate) nodes: usize,
    /// The positions of the nodes that have answered in full.
    pub(crate) answered: Vec<usize>,
    /// The error of each other node, by its position in the configuration.
    pub(crate) silent: Vec<(usize, RpcError)>,
    /// The blocks that nodes which have answered have left out, by the position of the node.
    pub(crate) left_out: Vec<(usize, SkippedBlocks)>,
    /// Each transfer that any of them shows.
    pub(crate) transfers: Vec<SeenTransfer>,
}

/// A transfer, and the number of nodes that show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SeenTransfer {
    pub(crate) transfer: IncomingTransfer,
    pub(crate) told_by: usize,
}

/// The answer of one node on a transaction by which a payment was credited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TransactionLookup {
    /// The amounts of its transfers to us in the payment's token.
    Has(Vec<u128>),
    /// It was carried out, to an address that `pay_to` was before.
    Elsewhere,
    /// The node does not have it in a block.
    Nothing,
}

impl ChainScan {
    /// The scan by the answers or errors of its nodes. A transfer that a node shows twice is one.
    fn of(id: &str, told: Vec<Result<IncomingScan, RpcError>>) -> Self {
        let (nodes, mut answered, mut silent, mut left_out) = (told.len(), Vec::new(), Vec::new(), Vec::new());
        let mut by_name: BTreeMap<_, SeenTransfer> = BTreeMap::new();
        for (node, told) in told.into_iter().enumerate() {
            let transfers = match told {
                Ok(scan) => {
                    left_out.extend(scan.left_out.map(|left_out| (node, left_out)));
                    scan.transfers
                }
                Err(error) => {
                    silent.push((node, error));
                    continue;
                }
            };
            answered.push(node);
            let mut named = BTreeSet::new();
            for transfer in transfers {
                let name = (transfer.transaction.clone(), transfer.place, transfer.asset.clone(), transfer.amount);
                if named.insert(name.clone()) {
                    by_name.entry(name).or_insert(SeenTransfer { transfer, told_by: 0 }).told_by += 1;
                }
            }
        }
        Self { id: id.to_owned(), nodes, answered, silent, left_out, transfers: by_name.into_values().collect() }
    }
}

impl X402Payments {
    /// The chains of the configuration, by their CAIP-2 ids and their names in it.
    pub(crate) fn chains(&self) -> impl Iterator<Item = (&str, &str)> {
        self.networks().iter().map(|network| (network.id.as_str(), network.config.name.as_str()))
    }

    /// The transfers that have reached `pay_to` since a time, as deep as a payment has to lie. None if there is no such chain.
    ///
    /// # Errors
    /// When none of its nodes is of that chain.
    pub(crate) async fn scan(
        &self,
        id: &str,
        since_ms: i64,
        now_ms: i64,
    ) -> Option<Result<ChainScan, super::ChainUnfit>> {
        let network = self.network(id)?;
        if let Err(unfit) = network.compare().await {
            return Some(Err(super::unfit_as_configured(network, unfit)));
        }
        let seconds = |ms: i64| u64::try_from(ms.div_euclid(MS)).unwrap_or_default();
        let (since, now) = (seconds(since_ms), seconds(now_ms));
        let told = match &network.chain {
            ChainClient::Evm(evm) => {
                join_all((0..evm.nodes()).map(|node| in_time(evm.incoming(node, since, now)))).await
            }
            ChainClient::Solana(solana) => {
                join_all((0..solana.nodes()).map(|node| in_time(solana.incoming(node, since, now)))).await
            }
        };
        Some(Ok(ChainScan::of(id, told)))
    }

    /// The answer of one node on the transaction by which a payment of that number was credited.
    ///
    /// # Errors
    /// When the node does not answer or is behind, or the store fails, which is told as no answer.
    pub(crate) async fn look_up(
        &self,
        id: &str,
        node: usize,
        (payment, transaction, asset): (i64, &str, &str),
    ) -> Result<TransactionLookup, RpcError> {
        let nothing = || RpcError::Unreachable("the chain is not configured".to_owned());
        let network = self.network(id).ok_or_else(nothing)?;
        let terms = self.terms_of(payment).await.map_err(|error| RpcError::Unreachable(error.to_string()))?;
        let found = match &network.chain {
            ChainClient::Evm(evm) => {
                let Some(hash) = unhex(transaction) else { return Ok(TransactionLookup::Nothing) };
                let to = terms.and_then(|terms| terms.read()).map_or(evm.config().pay_to, |(_, signed)| signed.to);
                evm.incoming_by(node, &hash, &to).await?
            }
            ChainClient::Solana(solana) => {
                let transfer = terms.and_then(|terms| terms.transfer());
                let accounts = solana.config().tokens.iter().map(|token| token.account_of(&solana.config().pay_to));
                let is_elsewhere = transfer.is_some_and(|transfer| accounts.into_iter().all(|own| own != transfer.to));
                let found = solana.incoming_by(node, transaction).await?;
                if is_elsewhere && found.is_some() {
                    return Ok(TransactionLookup::Elsewhere);
                }
                found
            }
        };
        let of_token = |found: Vec<IncomingTransfer>| {
            found.into_iter().filter(|found| found.asset == asset).map(|found| found.amount).collect()
        };
        Ok(found.map_or(TransactionLookup::Nothing, |found| TransactionLookup::Has(of_token(found))))
    }

    /// The time of a transfer's block in unix milliseconds, if the chain tells it.
    pub(crate) async fn time_of(&self, id: &str, transfer: &IncomingTransfer) -> Option<i64> {
        let seconds = match (&self.network(id)?.chain, transfer.at_seconds) {
            (_, Some(seconds)) => seconds,
            (ChainClient::Evm(evm), None) => evm.time_of(transfer.block).await.ok()?,
            (ChainClient::Solana(_), None) => return None,
        };
        i64::try_from(seconds).ok()?.checked_mul(MS)
    }

    /// An amount of a token in US dollars, rounded down. None if the configuration does not have the token.
    pub(crate) fn usd_of(&self, id: &str, asset: &str, units: u128) -> Option<Usd> {
        Some(usd(units, self.network(id)?.decimals_of(asset)?))
    }

    /// The smallest order that a chain can pay: a smaller transfer pays none.
    pub(crate) fn least_on(&self, id: &str) -> Usd {
        let config = self.topups().config();
        let least = |network: &PaymentNetwork| {
            let rails = PaymentRail::ALL.into_iter().filter(|rail| rail.is_on_chain());
            rails.map(|rail| config.bounds_on(rail, &network.config).min.unwrap_or(Usd::ZERO)).min()
        };
        self.network(id).and_then(least).unwrap_or(Usd::ZERO)
    }

    async fn terms_of(&self, payment: i64) -> Result<Option<SignedTerms>, StoreError> {
        Ok(sql::kept(self.topups().store.readers(), payment).await?.map(|kept| kept.terms))
    }
}

async fn in_time(told: impl Future<Output = Result<IncomingScan, RpcError>>) -> Result<IncomingScan, RpcError> {
    let late =
        |_| RpcError::Unreachable(format!("it did not tell everything within {} minutes", NODE_TIME.as_secs() / 60));
    timeout(NODE_TIME, told).await.map_err(late)?
}

impl PaymentNetwork {
    fn decimals_of(&self, asset: &str) -> Option<u8> {
        match &self.chain {
            ChainClient::Evm(evm) => {
                let mut tokens = evm.config().tokens.iter();
                tokens.find(|token| token.address.to_string() == asset).map(|token| token.decimals)
            }
            ChainClient::Solana(solana) => {
                let mut tokens = solana.config().tokens.iter();
                tokens.find(|token| token.mint.to_string() == asset).map(|token| token.decimals)
            }
        }
    }
}

/// The amount in US dollars, rounded down; the largest one where it is more.
fn usd(units: u128, decimals: u8) -> Usd {
    const NANO_PLACES: u8 = 9;
    let power = |places: u8| 10_u128.checked_pow(u32::from(places));
    let nanos = match decimals.checked_sub(NANO_PLACES) {
        Some(more) => power(more).map(|power| units / power),
        None => power(NANO_PLACES - decimals).and_then(|power| units.checked_mul(power)),
    };
    Usd::from_nanos(nanos.and_then(|nanos| i64::try_from(nanos).ok()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transfer(place: u64, amount: u128) -> IncomingTransfer {
        let (transaction, asset) = ("0x1".to_owned(), "coin".to_owned());
        let (payer, at_seconds, memo) = (None, None, None);
        IncomingTransfer { transaction, place: Some(place), asset, payer, amount, block: 7, at_seconds, memo }
    }

    #[tokio::test(start_paused = true)]
    async fn a_node_that_does_not_end_is_silent() {
        let told = in_time(std::future::pending()).await;
        assert!(told.is_err_and(|error| error.to_string().contains("within 20 minutes")));
    }

    #[test]
    fn what_any_node_tells_is_there_and_by_how_many() {
        let silent = || Err(RpcError::Behind);
        let scan_of = |transfers: Vec<IncomingTransfer>| IncomingScan { transfers, left_out: None };
        let one = Ok(scan_of(vec![transfer(1, 5), transfer(1, 5), transfer(2, 5)]));
        let scan = ChainScan::of("chain", vec![one, silent(), Ok(scan_of(vec![transfer(2, 5), transfer(3, 6)]))]);
        assert_eq!((scan.nodes, &scan.answered[..], scan.silent.len(), scan.silent[0].0), (3, &[0, 2][..], 1, 1));
        let told: Vec<_> = scan.transfers.iter().map(|seen| (seen.transfer.place, seen.told_by)).collect();
        assert_eq!(told, [(Some(1), 1), (Some(2), 2), (Some(3), 1)]);
    }

    #[test]
    fn units_are_dollars_rounded_down() {
        let nanos = |units, decimals| usd(units, decimals).nanos();
        assert_eq!(nanos(5_000_001, 6), 5_000_001_000);
        assert_eq!(nanos(1_999_999_999, 18), 1);
        assert_eq!(nanos(3, 9), 3);
        assert_eq!(nanos(u128::MAX, 0), i64::MAX);
    }
}
