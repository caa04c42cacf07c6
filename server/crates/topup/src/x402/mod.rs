//! Payments that are signed for a chain: the challenge of an order, the payment that comes for it, and what carries it to the
//! chain and sees it through. Agents sign by program; a person's wallet can sign the same.
//!
//! Steps of a payment: read and compared with the order's options ([`payload`]), verified against its signature and the chain
//! (`verify` of [`evm`] and [`solana`]), claimed for the order together with the signed bytes of our own transaction ([`pay`]),
//! sent ([`pay`], through [`network`]), looked for on the chain (`inspect` of both), credited or given up
//! ([`settle`]). A worker ([`worker`]) does the last three for all open payments, so that a payment ends the same way whichever process stops in between; and looks after credited ones
//! until their block is final ([`watch`]).
//!
//! Invariants: nothing is sent that was not kept before; what is sent again is the same bytes, or the same call for the same
//! number at a higher fee, of which one at most is carried out; only a transfer of exactly the signed amount, from the signed
//! payer, by the configured contract, at the configured depth, is money; a payment is given up by evidence, never by time.

mod amount;
mod chain_names;
mod config;
mod config_advice;
mod create;
mod evidence;
mod evm;
mod fees;
mod fields;
mod handlers;
mod incoming;
mod network;
mod offers;
mod one_node;
mod overdue;
mod pay;
mod payload;
mod poll_schedule;
mod relayer_alarms;
mod settle;
mod settle_error;
mod solana;
mod sql;
mod terms;
#[cfg(test)]
mod tests;
mod verify_error;
mod watch;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use tollgate_accounts::{AttemptLimiter, ClientNetwork};
use tollgate_api::generated::limits;
use tollgate_chains::evm::RpcError;
use tollgate_credit::LedgerStore;

use super::Topups;
use network::PaymentNetwork;

pub(crate) use incoming::{ChainScan, SeenTransfer, TransactionLookup};

pub use config::{ChainConfig, ChainKind, ChainsConfig, FeeBounds, WalletNetwork};
pub use config_advice::ChainAdvice;
pub use evm::{NumberReset, NumberResetRefused, NumberResetRequest, RelayerNumber};
pub use network::NetworkUnfit;

/// Payments on chains. Cheap to clone.
#[derive(Debug, Clone)]
pub struct X402Payments(Arc<X402Inner>);

#[derive(Debug)]
struct X402Inner {
    topups: Topups,
    books: LedgerStore,
    networks: Vec<PaymentNetwork>,
    /// The time that a payer waits for the chain.
    wait: Duration,
    public_url: Option<String>,
    tries: AttemptLimiter<ClientNetwork>,
}

/// The error of a chain that cannot be used as it is configured.
#[derive(Debug, thiserror::Error)]
#[error("the chain `{name}` cannot be used as it is configured")]
pub struct ChainUnfit {
    /// The chain's name in the configuration.
    pub name: String,
    /// The reason.
    #[source]
    pub source: NetworkUnfit,
}

impl X402Payments {
    /// Payments for these orders. No node is asked yet.
    ///
    /// # Errors
    /// When the address of a node is none.
    pub fn new(topups: Topups, books: LedgerStore, public_url: Option<String>) -> Result<Self, RpcError> {
        let ChainsConfig { chains, wait } = &topups.config.chains;
        let networks = chains.iter().map(PaymentNetwork::new).collect::<Result<_, _>>()?;
        let (wait, tries) = (*wait, AttemptLimiter::new(limits::PAYMENT_TRIES));
        Ok(Self(Arc::new(X402Inner { topups, books, networks, wait, public_url, tries })))
    }

    /// Compares each chain with its configuration, at the start. A node that does not answer must not keep everything else from
    /// starting: its chain is compared when it does, and nothing can be paid on it before.
    ///
    /// # Errors
    /// When a chain is otherwise than what is written of it.
    pub async fn check_reachable(&self) -> Result<(), ChainUnfit> {
        for network in self.to_check() {
            let Err(unfit) = network.check().await else { continue };
            let (chain, error) = (network.config.name.as_str(), &unfit as &dyn std::error::Error);
            // Neither is a mistake of the configuration, and the rest of the service is not to wait for it.
            if unfit.is_dry() {
                tracing::error!(
                    target: "alarm", alarm = "relayer", chain, error,
                    "our account on a chain is empty: nothing can be paid on it until it is given more"
                );
            } else if let Some(what) = unfit.what_unasked() {
                tracing::error!(chain, what, error, "a chain cannot be asked: nothing can be paid on it until it can");
            } else {
                return Err(unfit_as_configured(network, unfit));
            }
        }
        Ok(())
    }

    fn to_check(&self) -> &[PaymentNetwork] {
        if self.0.topups.config.uses_chains() { self.networks() } else { &[] }
    }

    fn networks(&self) -> &[PaymentNetwork] {
        &self.0.networks
    }

    fn network(&self, id: &str) -> Option<&PaymentNetwork> {
        self.0.networks.iter().find(|network| network.id == id)
    }

    fn topups(&self) -> &Topups {
        &self.0.topups
    }
}

/// Compares each chain of a configuration with its nodes, before anything is started. Returns advice on those that can be used.
///
/// # Errors
/// When one cannot be asked, or is otherwise.
pub async fn check_chains(config: &super::Config) -> Result<Vec<ChainAdvice>, ChainUnfit> {
    let mut remarks = Vec::new();
    for chain in config.chains.chains.iter().filter(|_| config.uses_chains()) {
        let unasked = |source| ChainUnfit { name: chain.name.clone(), source: NetworkUnfit::unasked(source) };
        let network = PaymentNetwork::new(chain).map_err(unasked)?;
        network.check().await.map_err(|source| unfit_as_configured(&network, source))?;
        remarks.extend(ChainAdvice::of(&network));
    }
    Ok(remarks)
}

fn unfit_as_configured(network: &PaymentNetwork, source: NetworkUnfit) -> ChainUnfit {
    ChainUnfit { name: network.config.name.clone(), source }
}
