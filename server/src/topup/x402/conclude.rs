//! Acts on what the chain shows of a payment.

use crate::generated::machines::payment::State;
use crate::store::StoreError;

use super::super::commit::{Step, commit};
use super::super::{Came, Failed, NewPayment, NotCredited};
use super::X402;
use super::look::{Found, REJECTED, SET_ASIDE, look};
use super::network::{Chain, Network};
use super::solana;
use super::sql::{self, Kept};
use crate::chains::evm::{Authorization, EvmNetwork, EvmToken, RpcError};

/// What became of a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// Its order is credited with it, or it is set aside.
    Booked,
    /// Nothing yet; the block that it was seen in, where it was seen in one.
    Waits(Option<u64>),
    /// It was given up.
    GivenUp(Failed),
}

/// Why it is not known.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unknown {
    /// The chain could not be asked.
    #[error("the chain could not be asked for a payment")]
    Chain(#[from] RpcError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It cannot be booked.
    #[error("a payment that came could not be booked")]
    Booking(#[from] NotCredited),
    /// The token is no longer configured.
    #[error("the token {0} of an open payment is not in the configuration any more")]
    NoToken(String),
}

impl X402 {
    /// Looks for a payment and acts on what there is.
    pub(super) async fn conclude(&self, network: &Network, kept: &mut Kept) -> Result<End, Unknown> {
        let topups = self.topups();
        let found = match &network.chain {
            Chain::Evm(evm) => {
                let (token, signed) = token_of(evm, kept)?;
                let sends = sql::sends_of(topups.store.readers(), kept.payment).await?;
                look(evm, token, &signed, kept, &sends).await?
            }
            Chain::Solana(solana) => solana::look(network, solana, kept, topups.now_ms()).await?,
        };
        // A node of another chain knows of no payment of ours: that is no evidence.
        if !network.is_compared() && matches!(found, Found::Not { .. } | Found::Otherwise(_) | Found::Unnamed { .. }) {
            return Err(RpcError::Unreachable("its nodes were not compared with the configuration".to_owned()).into());
        }
        match found {
            Found::Came(receipt) => {
                let payment = NewPayment { receipt: Some(receipt), ..kept.new.clone() };
                topups.credit(&Came { order: kept.order, payment }).await?;
                self.close(kept).await?;
                Ok(End::Booked)
            }
            Found::Waits(block) => self.waits(kept, block).await,
            Found::Otherwise(transfer) => self.otherwise(kept, transfer).await,
            Found::Unnamed { transfers, later, is_all } => self.unnamed(kept, &transfers, later, is_all).await,
            Found::Not { why, closed } => {
                if kept.state == State::Claimed {
                    topups.give_up(&kept.new.source, &kept.new.reference, &why).await?;
                }
                if closed {
                    self.close(kept).await?;
                }
                Ok(End::GivenUp(why))
            }
        }
    }

    async fn waits(&self, kept: &mut Kept, block: Option<u64>) -> Result<End, Unknown> {
        if kept.seen_block != block {
            let mut transaction = self.topups().store.begin().await?;
            sql::seen(&mut transaction, kept.payment, block).await?;
            commit(transaction, Step::Seen, "a payment on chain").await?;
            kept.seen_block = block;
        }
        Ok(End::Waits(block))
    }

    /// Sets a payment aside of which something else came than was signed.
    async fn otherwise(&self, kept: &Kept, transfer: String) -> Result<End, Unknown> {
        let topups = self.topups();
        let NewPayment { source, reference, .. } = &kept.new;
        let decides = |transfer: &str| {
            let detail = format!("another amount than was signed came by {transfer}: a person decides");
            Failed { code: SET_ASIDE.to_owned(), detail }
        };
        match topups.set_aside_otherwise(source, reference, transfer, decides).await? {
            Some(why) => {
                self.close(kept).await?;
                Ok(End::GivenUp(why))
            }
            None => Err(RpcError::Unreachable("it shows one transfer for two payments".to_owned()).into()),
        }
    }

    /// Sets a payment aside under a transfer that nothing was set aside under. Where there is none, each transfer that could be it
    /// was told to a person already; it came to nothing then, once no other transfer can turn up.
    async fn unnamed(
        &self,
        kept: &mut Kept,
        transfers: &[String],
        later: Option<u64>,
        is_all: bool,
    ) -> Result<End, Unknown> {
        let topups = self.topups();
        let NewPayment { source, reference, .. } = &kept.new;
        let decides = |transfer: &str| {
            let detail = format!("the amount came by {transfer}, which does not name the payment: a person decides");
            Failed { code: SET_ASIDE.to_owned(), detail }
        };
        let why = match topups.set_aside(source, reference, transfers, decides).await? {
            Some(why) => why,
            None if later.is_some() => return self.waits(kept, later).await,
            // Nothing is signed meanwhile that could not be carried out.
            None if !is_all => return Err(RpcError::Unreachable("it has not got a transfer yet".to_owned()).into()),
            None => {
                let detail = "it was used up, and what came beside it was set aside for other payments".to_owned();
                let why = Failed { code: REJECTED.to_owned(), detail };
                topups.tell_unnamed(source, reference, transfers).await?;
                if kept.state == State::Claimed {
                    topups.give_up(source, reference, &why).await?;
                }
                why
            }
        };
        self.close(kept).await?;
        Ok(End::GivenUp(why))
    }

    /// Nothing can become of it any more.
    pub(super) async fn close(&self, kept: &Kept) -> Result<(), StoreError> {
        let mut transaction = self.topups().store.begin().await?;
        sql::close(&mut transaction, kept.payment).await?;
        commit(transaction, Step::Close, "a payment on chain").await
    }
}

/// The token of a payment and what was signed.
pub(super) fn token_of<'n>(evm: &'n EvmNetwork, kept: &Kept) -> Result<(&'n EvmToken, Authorization), Unknown> {
    let gone = || Unknown::NoToken(kept.new.asset.clone());
    let (address, signed) = kept.terms.read().ok_or_else(gone)?;
    let is_paid_so = |token: &&EvmToken| token.address == address && kept.terms.is_for(token);
    let token = evm.config().tokens.iter().find(is_paid_so).ok_or_else(gone)?;
    Ok((token, signed))
}
