//! The next transaction number of each of our accounts on chains, as the ledger keeps it, and its reset by an operator, after which
//! the chain is asked for it again.
//!
//! An account that has signed nothing here takes the number that the nodes of its chain tell. Where that was wrong, all that it
//! signs waits for numbers that nothing will have: its payments come to nothing, and nothing but an operator can know that.

use std::ops::RangeInclusive;

use crate::Topups;
use crate::commit::{Step, commit};
use crate::x402::network::{ChainClient, NetworkUnfit, PaymentNetwork};
use crate::x402::sql;
use tollgate_chains::EvmAddress;
use tollgate_store::{AuditEntry, StoreError, record};

use super::relayer::RelayerNumber;

/// A request to ask the chain for an account's number again.
#[derive(Debug, Clone, Copy)]
pub struct NumberResetRequest<'a> {
    /// The chain, by its CAIP-2 id.
    pub network: &'a str,
    /// The account's address on it, as the alarms and the list have it.
    pub relayer: &'a EvmAddress,
    /// The operator who decides.
    pub actor: &'a str,
    /// The reason, kept with the entry of the audit log.
    pub reason: &'a str,
}

/// The result of a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberReset {
    /// The number that was next. None where none was kept: it was reset before.
    pub before: Option<u64>,
}

/// The reason for which a number is kept.
#[derive(Debug, thiserror::Error)]
pub enum NumberResetRefused {
    /// The account has signed nothing here.
    #[error(
        "no account {relayer} has signed anything for the chain {network}: `tollgate relayer list` tells those that have"
    )]
    NoSuchRelayer {
        /// The chain, by its CAIP-2 id.
        network: String,
        /// The address.
        relayer: String,
    },
    /// Transactions that it has signed may still be carried out.
    #[error(
        "{0} transactions of this account are on their way, and may still be carried out: each ends by a block, or when the time \
        of what its payer signed is over. Ask again when `tollgate relayer list` tells of none; while clients pay, more of them are \
        signed, so close the rails first: `enabled = false` in `[topup.x402]` and `[topup.crypto]`, and restart the server"
    )]
    OnTheirWay(u64),
    /// The next number that the chain takes is that of a transaction which the server still sends.
    #[error(
        "the chain's nodes tell that {from} to {to} transactions of this account are in blocks, and a transaction with such a number \
        is signed and not finished: its payment is closed, but nothing is missing before it, and without it all later ones would \
        wait. Leave the server running until the chain has taken it. Where one of the nodes is wrong, put it right"
    )]
    IsNext {
        /// The smallest number that a node tells.
        from: u64,
        /// The largest number that a node tells.
        to: u64,
    },
    /// The configuration does not have the chain, so no node can be asked.
    #[error(
        "the configuration has no EVM chain {0}: the number is reset where its nodes can be asked what they have of the account"
    )]
    NoSuchChain(String),
    /// No node tells the number that the chain has.
    #[error(
        "no node of the chain {network} tells how many transactions of the account it has: nothing is reset without that"
    )]
    Unasked {
        /// The chain, by its CAIP-2 id.
        network: String,
        /// The reason.
        #[source]
        source: NetworkUnfit,
    },
    /// The store failed. A repeated call shows whether it was reset.
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

    /// Forgets the next number of one of our accounts. For the next payment it is asked of the nodes of its chain, as for a fresh
    /// account. What it has signed before is sent no more: its numbers have to lie behind one that nothing has.
    ///
    /// # Errors
    /// When the account has signed nothing, transactions of it are on their way, one that is not finished has the next number that
    /// the chain takes, no node tells that number, or the store fails. Then nothing was written.
    pub async fn reset_relayer_number(&self, ask: NumberResetRequest<'_>) -> Result<NumberReset, NumberResetRefused> {
        let NumberResetRequest { network, relayer: account, actor, reason } = ask;
        let relayer = account.to_string();
        // Before anything is locked: nodes may take their time.
        let sent = self.sent_to_reset(network, account).await?;
        let mut transaction = self.store.begin().await?;
        let Some(number) = sql::relayer(&mut transaction, network, &relayer).await? else {
            if sql::has_signed(&mut transaction, network, &relayer).await? {
                return Ok(NumberReset { before: None });
            }
            return Err(NumberResetRefused::NoSuchRelayer { network: network.to_owned(), relayer });
        };
        number.is_free()?;
        if let Some(sent) = sent
            && sql::has_unfinished(&mut transaction, network, &relayer, sent.clone()).await?
        {
            return Err(NumberResetRefused::IsNext { from: *sent.start(), to: *sent.end() });
        }
        sql::forget_number(&mut transaction, network, &relayer).await?;
        let next = number.next;
        let (subject, detail) = (format!("{network}/{relayer}"), format!("the next number was {next}: {reason}"));
        let entry = AuditEntry::new(self.now_ms(), actor, "relayer.reset", &subject).detail(&detail);
        record(&mut transaction, &entry).await?;
        commit(transaction, Step::ResetNumber, "that a number is asked of the chain again").await?;
        Ok(NumberReset { before: Some(next) })
    }

    /// The numbers of transactions of an account that the chain's nodes tell. None if all that it has signed is finished: no node
    /// is asked then.
    async fn sent_to_reset(
        &self,
        network: &str,
        account: &EvmAddress,
    ) -> Result<Option<RangeInclusive<u64>>, NumberResetRefused> {
        let (readers, relayer) = (self.store.readers(), account.to_string());
        let Some(number) = sql::relayer(readers, network, &relayer).await? else { return Ok(None) };
        number.is_free()?;
        if !sql::has_unfinished(readers, network, &relayer, 0..=u64::MAX).await? {
            return Ok(None);
        }
        let unasked = |source| NumberResetRefused::Unasked { network: network.to_owned(), source };
        let chain = self.config.chains.chains.iter().find(|chain| chain.id() == network);
        let known =
            chain.map(PaymentNetwork::new).transpose().map_err(|error| unasked(NetworkUnfit::unasked(error)))?;
        let Some(known) = known else { return Err(NumberResetRefused::NoSuchChain(network.to_owned())) };
        let ChainClient::Evm(evm) = &known.chain else {
            return Err(NumberResetRefused::NoSuchChain(network.to_owned()));
        };
        known.compare().await.map_err(unasked)?;
        evm.sent_by(account).await.map(Some).map_err(|error| unasked(NetworkUnfit::unasked(error)))
    }
}

impl RelayerNumber {
    /// Checks that no transaction of the account is on its way.
    const fn is_free(&self) -> Result<(), NumberResetRefused> {
        match self.on_their_way {
            0 => Ok(()),
            several => Err(NumberResetRefused::OnTheirWay(several)),
        }
    }
}
