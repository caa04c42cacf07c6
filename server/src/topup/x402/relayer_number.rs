//! The next transaction number of each of our accounts on chains, as the ledger keeps it, and how an operator has it asked of the
//! chain again.
//!
//! An account that has signed nothing here takes the number that the nodes of its chain tell. Where that was wrong, all that it
//! signs waits for numbers that nothing will have: its payments come to nothing, and nothing but an operator can know that.

use crate::store::{Entry, StoreError, record};

use super::super::Topups;
use super::super::commit::{Step, commit};
use super::sql;

/// What is kept of one of our accounts on a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelayerNumber {
    /// The chain, by its CAIP-2 id.
    pub network: String,
    /// The account's address on it.
    pub relayer: String,
    /// The number of its next transaction.
    pub next: u64,
    /// Transactions that it has signed for payments of which it is not known yet what becomes of them.
    pub on_their_way: u64,
}

/// Whose number is to be asked of the chain again.
#[derive(Debug, Clone, Copy)]
pub struct NumberResetAsk<'a> {
    /// The chain, by its CAIP-2 id.
    pub network: &'a str,
    /// The account's address on it, as the alarms and the list have it.
    pub relayer: &'a str,
    /// Who decides.
    pub actor: &'a str,
    /// Why; kept with the entry.
    pub reason: &'a str,
}

/// A number that is kept no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberReset {
    /// The number that was next. None where none was kept: it was reset before.
    pub before: Option<u64>,
}

/// Why a number is kept as it is.
#[derive(Debug, thiserror::Error)]
pub enum NumberResetRefused {
    /// It has signed nothing here.
    #[error(
        "no account {relayer} has signed anything for the chain {network}: `tollgate relayer list` tells those that have"
    )]
    NoSuchRelayer {
        /// The chain, by its CAIP-2 id.
        network: String,
        /// The address.
        relayer: String,
    },
    /// What it has signed may still be carried out.
    #[error(
        "{0} transactions of this account are on their way, and may still be carried out: each ends by a block, or when the time \
        of what its payer signed is over. Ask again when `tollgate relayer list` tells of none"
    )]
    OnTheirWay(u64),
    /// The store failed. Whether it was reset is told by asking again.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Topups {
    /// Our accounts on chains that have signed something, by chain and address.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn relayer_numbers(&self) -> Result<Vec<RelayerNumber>, StoreError> {
        sql::relayers(self.store.readers()).await
    }

    /// Forgets the next number of one of our accounts, so that it is asked of the nodes of its chain for the next payment, as for
    /// a fresh one. What it has signed before is sent no more.
    ///
    /// # Errors
    /// When the account has signed nothing, transactions of it are on their way, or the store fails. Then nothing was written.
    pub async fn reset_relayer_number(&self, ask: NumberResetAsk<'_>) -> Result<NumberReset, NumberResetRefused> {
        let NumberResetAsk { network, relayer, actor, reason } = ask;
        let mut transaction = self.store.begin().await?;
        let Some(RelayerNumber { next, on_their_way, .. }) = sql::relayer(&mut transaction, network, relayer).await?
        else {
            if sql::has_signed(&mut transaction, network, relayer).await? {
                return Ok(NumberReset { before: None });
            }
            let (network, relayer) = (network.to_owned(), relayer.to_owned());
            return Err(NumberResetRefused::NoSuchRelayer { network, relayer });
        };
        if on_their_way > 0 {
            return Err(NumberResetRefused::OnTheirWay(on_their_way));
        }
        sql::forget_number(&mut transaction, network, relayer).await?;
        let (subject, detail) = (format!("{network}/{relayer}"), format!("the next number was {next}: {reason}"));
        let entry = Entry { at_ms: self.now_ms(), actor, action: "relayer.reset", subject: &subject, detail: &detail };
        record(&mut transaction, &entry).await?;
        commit(transaction, Step::ResetNumber, "that a number is asked of the chain again").await?;
        Ok(NumberReset { before: Some(next) })
    }
}
