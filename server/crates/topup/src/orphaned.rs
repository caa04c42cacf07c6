//! Orphaned payments: open payments of a chain or a token, and checkouts of a provider, that the configuration no longer has. They
//! are kept as they are, and end when the configuration has them again; until then there is an alarm.

mod sql;

use std::fmt;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use tollgate_chains::evm::EvmMethod;
use tollgate_store::{ReadPool, StoreError};

use super::x402::{ChainConfig, ChainKind};
use super::{Config, Topups};

/// The pause between two counts.
const EVERY: Duration = Duration::from_secs(60);

/// The age of an open payment, in milliseconds, from which an operator has to look. What was signed for it is valid for a day at
/// most.
const OLD_MS: i64 = 2 * 86_400_000;

/// The chain, token or provider that orphaned payments belong to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum OrphanOrigin {
    /// Checkouts of a payment provider, by its name.
    Provider(String),
    /// Notices of one, which are kept and not acted on.
    Notices(String),
    /// Payments in a token of a chain, by its CAIP-2 id and the token's address.
    Token(String, String),
    /// Payments on a chain whose nodes have not shown their outcome for days, by the chain's CAIP-2 id.
    Old(String),
}

impl fmt::Display for OrphanOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Provider(name) => write!(f, "open checkouts of the payment provider `{name}`"),
            Self::Notices(name) => write!(f, "notices of the payment provider `{name}` that nobody acts on"),
            Self::Token(network, asset) => write!(f, "open payments in the token {asset} of the chain {network}"),
            Self::Old(network) => write!(f, "payments on the chain {network} that have been open for days"),
        }
    }
}

/// The number of orphaned payments of one origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrphanedPayments {
    /// The origin of them.
    pub of: OrphanOrigin,
    /// The number of them.
    pub count: u64,
}

impl fmt::Display for OrphanedPayments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, count } = self;
        match of {
            OrphanOrigin::Provider(_) | OrphanOrigin::Notices(_) | OrphanOrigin::Token(..) => {
                write!(f, "{count} {of}, which the configuration does not have")
            }
            OrphanOrigin::Old(_) => write!(f, "{count} {of}: its nodes do not tell what became of them"),
        }
    }
}

/// The open payments and checkouts of a ledger, at a time, that a configuration does not cover.
///
/// # Errors
/// When the store fails.
pub async fn find_orphaned(
    readers: &ReadPool,
    config: &Config,
    now_ms: i64,
) -> Result<Vec<OrphanedPayments>, StoreError> {
    let provider = config.checkout.as_ref().filter(|_| config.ewallet.enabled).map(|checkout| &checkout.provider);
    let mut found = Vec::new();
    let checkouts = sql::open_checkouts(readers).await?.into_iter();
    let checkouts = checkouts.map(|(name, count)| (name.clone(), OrphanOrigin::Provider(name), count));
    let notices = sql::open_notices(readers).await?.into_iter();
    let notices = notices.map(|(name, count)| (name.clone(), OrphanOrigin::Notices(name), count));
    let gone = checkouts.chain(notices).filter(|(name, ..)| provider != Some(name));
    found.extend(gone.map(|(_, of, count)| OrphanedPayments { of, count }));
    for open in sql::open_payments(readers, now_ms - OLD_MS).await? {
        let sql::OpenPayments { network, asset, is_permit, count, old } = open;
        if !config.chains.chains.iter().any(|chain| chain.id() == network && takes(chain, &asset, is_permit)) {
            add(&mut found, OrphanOrigin::Token(network, asset), count);
        } else if old > 0 {
            add(&mut found, OrphanOrigin::Old(network), old);
        }
    }
    found.sort_by(|one, other| one.of.cmp(&other.of));
    Ok(found)
}

fn add(found: &mut Vec<OrphanedPayments>, of: OrphanOrigin, count: u64) {
    match found.iter_mut().find(|stranded| stranded.of == of) {
        Some(stranded) => stranded.count += count,
        None => found.push(OrphanedPayments { of, count }),
    }
}

/// True if a token is accepted in the form in which it was signed for.
fn takes(chain: &ChainConfig, asset: &str, is_permit: bool) -> bool {
    match &chain.kind {
        ChainKind::Evm(evm) => evm
            .tokens
            .iter()
            .any(|token| token.address.to_string() == asset && is_permit == (token.method == EvmMethod::Permit2)),
        ChainKind::Solana(solana) => solana.tokens.iter().any(|token| token.mint.to_string() == asset),
    }
}

impl Topups {
    /// Counts orphaned payments for ever, and raises an alarm at the start and whenever there are more.
    pub async fn report_orphaned_for_ever(&self) {
        let mut told = Vec::new();
        let mut tick = interval(EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tick.tick().await;
            match find_orphaned(self.store.readers(), &self.config, self.now_ms()).await {
                Ok(found) => {
                    self.stranded.store(found.iter().map(|stranded| stranded.count).sum(), Ordering::Relaxed);
                    for stranded in found.iter().filter(|stranded| is_more(&told, stranded)) {
                        tracing::error!(
                            target: "alarm", alarm = "orphaned_payments", alarm_before = "stranded", of = %stranded.of, count = stranded.count,
                            "there are orders whose payments nobody sees to: put what they are of back into the configuration \
                             until they have ended; and where it is there, look at the payments and at what its nodes answer"
                        );
                    }
                    told = found;
                }
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(error, "what nobody sees to could not be counted; again in a moment");
                }
            }
        }
    }

    /// The number of orphaned payments and checkouts, as last counted.
    #[must_use]
    pub fn stranded(&self) -> u64 {
        self.stranded.load(Ordering::Relaxed)
    }
}

fn is_more(told: &[OrphanedPayments], found: &OrphanedPayments) -> bool {
    told.iter().find(|told| told.of == found.of).is_none_or(|told| told.count < found.count)
}
