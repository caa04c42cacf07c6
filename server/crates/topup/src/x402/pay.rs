//! Taking a payment for an order: verify, claim, send, and wait for the chain.

use std::net::IpAddr;

use tokio::time::{Duration, Instant, sleep, timeout, timeout_at};

use crate::payments::quarantine::{SET_ASIDE, UNDECIDED};
use crate::{CapExceeded, ClaimRefused, CreditOrder, NewPayment, OrderFailure};
use tollgate_api::generated::machines::payment::State as PaymentState;
use tollgate_api::generated::machines::topup_order::State;
use tollgate_base::{OrderId, Usd};
use tollgate_chains::WalletAddress;
use tollgate_chains::evm::RpcError;
use tollgate_credit::LedgerStoreError;
use tollgate_store::StoreError;

use super::evm::{PayloadPaths, VerifiedEvmPayment, reference, verify};
use super::fields::{Mismatch, mismatch};
use super::network::{ChainClient, PaymentNetwork};
use super::offers::PaymentOffer;
use super::payload::{self, SubmittedPayment};
use super::settle::SettleOutcome;
use super::sql::{self, PaymentOwner, PendingPayment};
use super::terms::hex;
use super::verify_error::VerifyError;
use super::{X402Payments, solana};

/// The pause between two looks at the chain while a payer waits.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// The time for verifying a payment, with all questions to the chain.
const JUDGED: Duration = Duration::from_secs(15);

/// The least time for sending and the first look, however short a payer waits.
const LEAST: Duration = Duration::from_secs(5);

/// A payment that was taken.
#[derive(Debug)]
pub(super) struct PayOutcome {
    pub(super) order: CreditOrder,
    /// The credited amount; none if the credit follows.
    pub(super) added: Option<Usd>,
    /// The balance of the account after it.
    pub(super) balance: Usd,
    pub(super) by: SettleResponse,
}

/// A payment in the words of its chain.
#[derive(Debug)]
pub(super) struct SettleResponse {
    pub(super) network: String,
    /// The transaction; empty if the payment is known and the transaction that carries it is not.
    pub(super) transaction: String,
    pub(super) payer: Option<String>,
    pub(super) amount: String,
}

/// The reason for which a payment was not taken.
#[derive(Debug)]
pub(super) enum PayRefused {
    NotFound,
    /// Too many tries; the seconds before the next one.
    TooMany(u32),
    Expired(CreditOrder),
    /// Another payment is on its way.
    Settling(CreditOrder),
    /// A payment was seen on chain, or may be there.
    Pending(CreditOrder),
    /// The authorization was used up, and nothing shows yet for what. It may be sent again, and nothing else may be signed.
    Unshown(CreditOrder),
    Settled(CreditOrder),
    Mismatch(CreditOrder, Mismatch),
    /// The agent may not pay that much now.
    Cap(CreditOrder, CapExceeded),
    /// Too many payments of the account are on their way, or have failed.
    AtStake,
    /// The chain refused it: the order waits again, or has failed.
    Rejected(CreditOrder, String),
    /// The amount came by a transfer that does not name the payment: an operator decides.
    SetAside(CreditOrder, String),
    /// The network with this id cannot be reached.
    Unreachable(CreditOrder, String),
    Store(StoreError),
}

impl From<StoreError> for PayRefused {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A verified payment, ready to be claimed.
enum VerifiedPayment<'n> {
    Evm(VerifiedEvmPayment<'n>),
    Solana(solana::VerifiedSolanaPayment<'n>),
}

impl SubmittedPayment<'_> {
    /// The payer, if the signature is good.
    fn payer(&self) -> WalletAddress {
        match self {
            Self::Evm(claimed) => WalletAddress::Evm(claimed.signed.from),
            Self::Solana(claimed) => WalletAddress::Solana(claimed.payment.payer()),
        }
    }

    /// The chain of an authorization, and its unique name there.
    fn named(&self) -> Option<(String, String)> {
        let Self::Evm(claimed) = self else { return None };
        Some((claimed.offer.network.id.clone(), reference(claimed.offer.token, &claimed.signed)))
    }

    /// The place of the payer in the payload.
    const fn payer_field(&self) -> &'static str {
        match self {
            Self::Evm(claimed) => PayloadPaths::of(&claimed.offer.token.method).from,
            Self::Solana(_) => "payload.transaction.authority",
        }
    }
}

impl X402Payments {
    /// Takes a payment for an order.
    pub(super) async fn pay(&self, id: OrderId, body: &[u8], from: Option<IpAddr>) -> Result<PayOutcome, PayRefused> {
        self.0.tries.count_from(from, self.topups().now_ms()).map_err(PayRefused::TooMany)?;
        let order = self.payable(id).await?;
        let offers = self.offers_of(&order).await?.offers;
        let read = payload::read(body, id, &offers);
        let named = read.as_ref().ok().and_then(SubmittedPayment::named);
        let judged = match read {
            Ok(read) => match self.payer_of(&order).await? {
                Some(payer) if payer != read.payer() => {
                    Err(VerifyError::Mismatch(mismatch(read.payer_field(), &payer.to_string(), &read.payer())))
                }
                // The agent was revoked meanwhile: nobody else may pay its order.
                None if order.agent.is_some() => return Err(PayRefused::Expired(order)),
                _ => self.verify_in_time(read, order.amount).await,
            },
            Err(wrong) => Err(VerifyError::Mismatch(wrong)),
        };
        let good = match judged {
            Ok(good) => good,
            Err(why) => {
                // Another payment may have been taken while this one was verified, and the refusal may be due to that.
                self.payable(id).await?;
                // A payment that came before is recognised without the chain.
                if let Some((source, reference)) = &named
                    && let Some(taken) = self.taken(source, reference).await?
                    && is_due_to(&why, &order, &taken)
                {
                    return Err(taken_before(&order, &taken));
                }
                return Err(refused(order, &offers, why));
            }
        };
        let kept = match good {
            VerifiedPayment::Evm(good) => self.claim(&order, good).await?,
            VerifiedPayment::Solana(good) => self.claim_transaction(&order, good).await?,
        };
        self.see_through(&order, kept).await
    }

    /// Verifies a payment within a bounded time. Nothing was sent, so nothing is lost if it takes too long.
    async fn verify_in_time<'n>(
        &self,
        read: SubmittedPayment<'n>,
        amount: Usd,
    ) -> Result<VerifiedPayment<'n>, VerifyError> {
        let judging = async {
            match read {
                SubmittedPayment::Evm(claimed) => {
                    verify(claimed, amount, self.topups().now_ms()).await.map(VerifiedPayment::Evm)
                }
                SubmittedPayment::Solana(claimed) => solana::verify(claimed, amount).await.map(VerifiedPayment::Solana),
            }
        };
        let too_long = || VerifyError::Unreachable(RpcError::Unreachable("it takes too long to answer".to_owned()));
        timeout(JUDGED, judging).await.unwrap_or_else(|_| Err(too_long()))
    }

    /// Refuses a payment that cannot even be read, with the codes of any other mismatch.
    pub(super) async fn refused_unread(
        &self,
        id: OrderId,
        from: Option<IpAddr>,
        wrong: Mismatch,
    ) -> Result<PayOutcome, PayRefused> {
        self.0.tries.count_from(from, self.topups().now_ms()).map_err(PayRefused::TooMany)?;
        let order = self.payable(id).await?;
        Err(PayRefused::Mismatch(order, wrong))
    }

    /// The order, if it waits for a payment.
    pub(super) async fn payable(&self, id: OrderId) -> Result<CreditOrder, PayRefused> {
        let topups = self.topups();
        let order = topups.order(id).await?.filter(|order| order.rail.is_on_chain()).ok_or(PayRefused::NotFound)?;
        let state = order.state_at(topups.now_ms());
        let is_over = matches!(order.state, State::Expired | State::Failed) && state != State::Success;
        if is_over && topups.is_set_aside(id).await? {
            // It may have ended otherwise: its money is in quarantine.
            let why = order.failed.as_ref().filter(|why| why.code == SET_ASIDE).map(|why| why.detail.clone());
            return Err(PayRefused::SetAside(order, why.unwrap_or_else(|| UNDECIDED.to_owned())));
        }
        match state {
            State::Pending => Ok(order),
            State::Expired | State::Failed => Err(PayRefused::Expired(order)),
            State::Success => Err(PayRefused::Settled(order)),
            State::Settling if sql::seen_of(topups.store.readers(), id).await? => Err(PayRefused::Pending(order)),
            State::Settling => Err(PayRefused::Settling(order)),
        }
    }

    /// The payment that was claimed, or the reason for which it was not.
    pub(super) async fn kept(
        &self,
        order: &CreditOrder,
        claimed: Result<super::super::PaymentClaim, ClaimRefused>,
        new: &NewPayment,
    ) -> Result<PendingPayment, PayRefused> {
        match claimed {
            Ok(claimed) => {
                let kept = sql::kept(self.topups().store.readers(), claimed.payment.id).await?;
                kept.ok_or_else(|| PayRefused::Pending(order.clone()))
            }
            Err(ClaimRefused::Used) => {
                let order = self.payable(order.id).await?;
                Err(match self.taken(&new.source, &new.reference).await? {
                    Some(taken) => taken_before(&order, &taken),
                    None => PayRefused::Pending(order),
                })
            }
            Err(ClaimRefused::Store(error)) => Err(error.into()),
            Err(ClaimRefused::AtStake) => Err(PayRefused::AtStake),
            Err(ClaimRefused::FeesSpent) => Err(PayRefused::Unreachable(order.clone(), new.source.clone())),
            Err(ClaimRefused::Cap(exceeded)) => Err(PayRefused::Cap(self.payable(order.id).await?, exceeded)),
            Err(
                ClaimRefused::NoSuchOrder | ClaimRefused::Expired(_) | ClaimRefused::Settling | ClaimRefused::Settled,
            ) => Err(PayRefused::Pending(self.payable(order.id).await?)),
        }
    }

    /// The order that has claimed a payment, and its account.
    async fn taken(&self, source: &str, reference: &str) -> Result<Option<PaymentOwner>, StoreError> {
        sql::taken(self.topups().store.readers(), source, reference).await
    }

    /// Sends what was kept, and waits for the chain as long as a payer waits. The worker continues where this ends.
    async fn see_through(&self, order: &CreditOrder, mut kept: PendingPayment) -> Result<PayOutcome, PayRefused> {
        let now = Instant::now();
        let (until, patience) = (now + self.0.wait, now + self.0.wait.max(LEAST));
        let Some(network) = self.network(&kept.new.source) else { return Err(PayRefused::Pending(order.clone())) };
        // A node that hangs may have taken it.
        let mut taken = timeout_at(patience, self.sent(network, &kept)).await.unwrap_or(Ok(true))?;
        loop {
            let looked = timeout_at(patience, self.settle(network, &mut kept)).await;
            // The worker continues to look for it.
            let Ok(end) = looked else { return self.follows(taken, &kept).await };
            match end {
                Ok(SettleOutcome::Booked) => return self.paid(&kept).await,
                Ok(SettleOutcome::GivenUp(why)) => return self.given_up(kept.order, why).await,
                Ok(SettleOutcome::Waits(seen)) => taken |= seen.is_some(),
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(order = %kept.order, error, "a payment that was sent could not be looked for");
                }
            }
            if Instant::now() + LOOK_AGAIN > until {
                return self.follows(taken, &kept).await;
            }
            sleep(LOOK_AGAIN).await;
        }
    }

    /// Sends the kept transactions of a payment to the chain. True if a node took one.
    async fn sent(&self, network: &PaymentNetwork, kept: &PendingPayment) -> Result<bool, StoreError> {
        let mut taken = true;
        match &network.chain {
            ChainClient::Evm(_) => {
                for send in sql::sends_of(self.topups().store.readers(), kept.payment).await? {
                    taken = network.send(&send.signed.raw).await;
                }
            }
            ChainClient::Solana(_) => taken = network.send(&kept.call).await,
        }
        Ok(taken)
    }

    /// The credit by this very payment. If other money has paid the order meanwhile, the order is settled, and this payment is set
    /// aside for an operator, or will be.
    async fn paid(&self, kept: &PendingPayment) -> Result<PayOutcome, PayRefused> {
        let order = self.topups().order(kept.order).await?.ok_or(PayRefused::NotFound)?;
        let now = sql::kept(self.topups().store.readers(), kept.payment).await?;
        if now.is_none_or(|now| now.state != PaymentState::Paid) {
            return Err(PayRefused::Settled(order));
        }
        let balance = self.balance(&order).await?;
        let (added, by) = (Some(order.amount), self.by(kept).await?);
        Ok(PayOutcome { order, added, balance, by })
    }

    /// The answer after the payer's waiting time. If no node has taken the payment, it does not promise that the credit follows.
    async fn follows(&self, taken: bool, kept: &PendingPayment) -> Result<PayOutcome, PayRefused> {
        let order = self.topups().order(kept.order).await?.ok_or(PayRefused::NotFound)?;
        if order.state == State::Success {
            return self.paid(kept).await;
        }
        if !taken {
            return Err(PayRefused::Pending(order));
        }
        let (balance, by) = (self.balance(&order).await?, self.by(kept).await?);
        Ok(PayOutcome { order, added: None, balance, by })
    }

    /// The transaction of a payment: the one that the chain shows, or else the last that we have sent. On Solana it is the payer's
    /// own, whose name does not change.
    async fn by(&self, kept: &PendingPayment) -> Result<SettleResponse, StoreError> {
        let readers = self.topups().store.readers();
        let shown = sql::kept(readers, kept.payment).await?.and_then(|now| now.new.receipt);
        let own = || kept.terms.transfer().map(|transfer| transfer.signature.to_string());
        let transaction = match shown.or_else(own) {
            Some(shown) => shown,
            None => sql::sends_of(readers, kept.payment)
                .await?
                .last()
                .map_or_else(String::new, |send| hex(&send.signed.hash)),
        };
        let NewPayment { source, payer, amount, .. } = kept.new.clone();
        Ok(SettleResponse { network: source, transaction, payer, amount })
    }

    async fn given_up(&self, id: OrderId, why: OrderFailure) -> Result<PayOutcome, PayRefused> {
        let order = self.topups().order(id).await?.ok_or(PayRefused::NotFound)?;
        Err(match why.code.as_str() {
            SET_ASIDE => PayRefused::SetAside(order, why.detail),
            _ => PayRefused::Rejected(order, why.detail),
        })
    }

    async fn balance(&self, order: &CreditOrder) -> Result<Usd, StoreError> {
        match self.0.books.balance(order.account).await {
            Ok(balance) => Ok(balance.posted),
            Err(LedgerStoreError::Store(error)) => Err(error),
            Err(error) => Err(StoreError::Unreadable { what: "the balance of an order", found: error.to_string() }),
        }
    }
}

/// True if the error says no more than that the payment was taken before. A chain's reason against one that failed for this very
/// order says more.
fn is_due_to(why: &VerifyError, order: &CreditOrder, taken: &PaymentOwner) -> bool {
    match why {
        VerifyError::Mismatch(_) => false,
        VerifyError::Rejected(_) => taken.order != order.id,
        VerifyError::Unreachable(_) | VerifyError::Unshown(_) => true,
    }
}

/// The refusal of a payment that was taken before. It may have paid, so nobody is to sign another one in its place.
fn taken_before(order: &CreditOrder, taken: &PaymentOwner) -> PayRefused {
    let reason = if taken.order == order.id {
        "it was submitted for this order before, and came to nothing so far".to_owned()
    } else {
        let other = if taken.account == order.account {
            format!("the order {}", taken.order)
        } else {
            "another order".to_owned()
        };
        format!("it was taken before, for {other}: see what became of that one before anything else is signed")
    };
    PayRefused::Rejected(order.clone(), reason)
}

fn refused(order: CreditOrder, offers: &[PaymentOffer<'_>], why: VerifyError) -> PayRefused {
    match why {
        VerifyError::Mismatch(mismatch) => PayRefused::Mismatch(order, mismatch),
        VerifyError::Rejected(reason) => PayRefused::Rejected(order, reason),
        VerifyError::Unreachable(error) => {
            tracing::warn!(order = %order.id, error = &error as &dyn std::error::Error, "a payment could not be judged");
            let network = offers.first().map(|offer| offer.network().to_owned()).unwrap_or_default();
            PayRefused::Unreachable(order, network)
        }
        VerifyError::Unshown(error) => {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(order = %order.id, error, "a payment is used up, and it is not shown what by");
            PayRefused::Unshown(order)
        }
    }
}
