//! Acts on what the chain shows of a payment.

use crate::generated::machines::payment::State;
use crate::store::StoreError;

use super::super::commit::{Step, commit};
use super::super::{Came, Failed, NewPayment, NotCredited};
use super::X402;
use super::look::{Found, REJECTED, look};
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
            Chain::Solana(network) => solana::look(network, kept).await?,
        };
        match found {
            Found::Came(receipt) => {
                let payment = NewPayment { receipt: Some(receipt), ..kept.new.clone() };
                topups.credit(&Came { order: kept.order, payment }).await?;
                self.close(kept).await?;
                Ok(End::Booked)
            }
            Found::Waits(block) => {
                if kept.seen_block != block {
                    let mut transaction = topups.store.begin().await?;
                    sql::seen(&mut transaction, kept.payment, block).await?;
                    commit(transaction, Step::Seen, "a payment on chain").await?;
                    kept.seen_block = block;
                }
                Ok(End::Waits(block))
            }
            Found::Unnamed(receipt) => {
                let detail = format!("the amount came by {receipt}, which does not name the payment: a person decides");
                let why = Failed { code: REJECTED.to_owned(), detail };
                let set_aside = topups.set_aside(&kept.new.source, &kept.new.reference, &receipt, &why).await?;
                if !set_aside && kept.state == State::Claimed {
                    topups.give_up(&kept.new.source, &kept.new.reference, &why).await?;
                }
                self.close(kept).await?;
                Ok(End::GivenUp(why))
            }
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
