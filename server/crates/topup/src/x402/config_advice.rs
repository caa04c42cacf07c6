//! Advice for an operator on a chain that can be used as it is configured.

use std::fmt;

use tollgate_base::Usd;

use super::network::{ChainClient, PaymentNetwork};

/// The number of blocks at once below which a node is slow. A day of a fast chain takes thousands of questions then.
const FEW_BLOCKS: u64 = 100;

/// Advice on one chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainAdvice {
    /// The chain, by its name in the configuration.
    pub chain: String,
    what: AdviceKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum AdviceKind {
    /// It has one node alone, so nothing is compared; the amount that is credited in an hour on its word.
    Alone(Usd),
    /// Not all of its nodes answer; the amount that is credited in an hour on the word of one.
    Mute(Usd),
    /// Its nodes answer for this small number of blocks at once.
    Few(u64),
}

impl fmt::Display for ChainAdvice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            AdviceKind::Alone(per_hour) => write!(
                f,
                "has one node, of which alone up to {per_hour} USD an hour are believed: give it a second one, of another provider"
            ),
            AdviceKind::Mute(per_hour) => write!(
                f,
                "has nodes that do not answer, so what one alone shows is credited up to {per_hour} USD an hour, and more may wait: \
                 see to them, or configure others"
            ),
            AdviceKind::Few(blocks) => write!(
                f,
                "has nodes that tell the events of {blocks} blocks at once: payments that others carry may be found late"
            ),
        }
    }
}

impl ChainAdvice {
    /// The advice on a chain that was compared with its configuration.
    pub(super) fn of(network: &PaymentNetwork) -> Vec<Self> {
        let per_hour = network.config.one_node_per_hour;
        let nodes = match &network.chain {
            ChainClient::Evm(evm) => evm.config().nodes.len(),
            ChainClient::Solana(solana) => solana.config().nodes.len(),
        };
        let remark = |what| Self { chain: network.config.name.clone(), what };
        let alone = (nodes == 1).then(|| remark(AdviceKind::Alone(per_hour)));
        let mute = (!network.is_whole()).then(|| remark(AdviceKind::Mute(per_hour)));
        let few = match &network.chain {
            ChainClient::Evm(evm) => Some(evm.blocks_at_once()).filter(|blocks| *blocks < FEW_BLOCKS),
            ChainClient::Solana(_) => None,
        };
        alone.into_iter().chain(mute).chain(few.map(|blocks| remark(AdviceKind::Few(blocks)))).collect()
    }
}
