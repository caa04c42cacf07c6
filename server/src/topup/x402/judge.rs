//! Verification of a payment that claims to pay an option: its time, its signature, and what the chain would do with it.

use crate::chains::evm::{Depth, EvmMethod, Fate, Fees, GAS_MAX, Moved, PaymentSignature, RpcError, Shown, SignedBy};

use crate::base::Usd;
use crate::generated::limits;

use super::payload::{Claimed, Mismatch, Names, mismatch};

/// The time that a payment needs to reach a block before it expires.
const LEAD_SECONDS: u64 = limits::PAYMENT_LEAD.as_secs();
/// The longest validity of an authorization from now on. Payments are looked for as long as they could still come.
const LONGEST_SECONDS: u64 = 86_400;
/// The longest validity of a permit from now on.
const LONGEST_PERMIT_SECONDS: u64 = 3_600;
/// The characters of a chain's reason that are passed on.
const REASON_CHARS: usize = 200;

/// A verified payment, ready to be claimed.
#[derive(Debug)]
pub(super) struct Good<'n> {
    pub(super) claimed: Claimed<'n>,
    /// The call that carries it out.
    pub(super) call: Vec<u8>,
    pub(super) carrier: Carrier,
}

/// The party that carries a payment to the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carrier {
    /// Our account does.
    Us {
        /// The number of transactions of our account that the chain knows of.
        sent: u64,
        /// The limit of gas.
        gas: u64,
        /// The price of a unit of gas.
        fees: Fees,
    },
    /// Somebody else's transaction has.
    Another,
}

/// The reason for which a payment is not accepted. Nothing was sent.
#[derive(Debug)]
pub(super) enum NotGood {
    /// It is not what is asked for.
    Mismatch(Mismatch),
    /// The chain would not carry it out.
    Rejected(String),
    /// The chain could not be asked.
    Unreachable(RpcError),
    /// The authorization is used up, and the nodes do not show by what: its money may be with us.
    Unshown(RpcError),
}

impl NotGood {
    /// The refusal of a payment whose fee would eat up too much of it.
    pub(super) fn too_dear() -> Self {
        Self::Rejected("the chain's fee would be more than a tenth of the order: pay a larger one, or later".to_owned())
    }
}

impl From<RpcError> for NotGood {
    fn from(error: RpcError) -> Self {
        match error {
            // A contract's reason is for the payer. Other refusals of a node are its own matter: a bound of its operator, in words
            // that are for us.
            RpcError::Refused { ref message, .. } if error.is_a_contracts() => {
                Self::Rejected(message.chars().take(REASON_CHARS).collect())
            }
            RpcError::Unreachable(_) | RpcError::Refused { .. } | RpcError::Behind | RpcError::Disagreed(_) => {
                Self::Unreachable(error)
            }
        }
    }
}

/// Verifies a payment for an order of an amount, at a moment.
pub(super) async fn judge<'n>(claimed: Claimed<'n>, amount: Usd, now_ms: i64) -> Result<Good<'n>, NotGood> {
    in_time(&claimed, now_ms).map_err(NotGood::Mismatch)?;
    let signature = signature(&claimed).await?;
    let (offer, call) = (claimed.offer, claimed.signed.call(claimed.offer.token, &signature));
    if offer.evm.is_spent(offer.token, &claimed.signed).await? {
        let before = "the authorization was used or taken back before";
        let came = came(&claimed).await.map_err(NotGood::Unshown)?;
        let carrier = Carrier::Another;
        return if came { Ok(Good { claimed, call, carrier }) } else { Err(NotGood::Rejected(before.to_owned())) };
    }
    may_be_moved(&claimed).await?;
    let work = offer.evm.simulate(&offer.token.carrier(), &call).await?;
    let gas = work.saturating_add(work / 4).min(GAS_MAX);
    if work > gas {
        return Err(NotGood::Rejected(format!("it would be more work than is paid for: {work} gas")));
    }
    let (sent, price) = (offer.evm.sent(true).await?, offer.evm.price().await?);
    let fees = price.offered(offer.network.gas_price_most(offer.evm, amount, gas)).ok_or_else(NotGood::too_dear)?;
    let (balance, cost) = (offer.evm.relayer_balance().await?, fees.most.saturating_mul(u128::from(gas)));
    if balance < cost {
        let relayer = offer.evm.config().relayer.address();
        tracing::error!(
            target: "alarm", alarm = "relayer", network = offer.network.id, %relayer, balance_wei = balance, cost_wei = cost,
            "our account on a chain cannot pay for a transaction: payments on it are refused until it is given more"
        );
        return Err(NotGood::Unreachable(RpcError::Unreachable("our account on it is empty".to_owned())));
    }
    Ok(Good { claimed, call, carrier: Carrier::Us { sent, gas, fees } })
}

/// True if the money of a used authorization is there, or something that an operator has to look at.
async fn came(claimed: &Claimed<'_>) -> Result<bool, RpcError> {
    let (offer, signed) = (claimed.offer, &claimed.signed);
    let (evm, token) = (offer.evm, offer.token);
    let receipt = match evm.fate(token, signed, offer.since, 0).await? {
        Fate::Used(receipt) => receipt,
        // It is claimed, so that it is kept until an operator was told.
        Fate::Unnamed(_) => return Ok(true),
        Fate::Cancelled { .. } => return Ok(false),
        // The node may not have the transaction that has used it up yet. Only a use before the order was made buys nothing for
        // certain.
        Fate::Unknown if evm.was_spent_by(token, signed, offer.since).await? => return Ok(false),
        Fate::Unknown => return Err(unshown()),
    };
    match receipt.moved(token, signed) {
        Moved::Exactly | Moved::Otherwise(_) => Ok(true),
        Moved::Unshown => Err(unshown()),
        // One answer is not believed.
        Moved::Nothing => match evm.shown(token, signed, &receipt.hash, Depth::Blocks(0)).await?.0 {
            Shown::Nothing => Ok(false),
            Shown::Came | Shown::Otherwise(_) => Ok(true),
            Shown::Unclear | Shown::Gone => Err(unshown()),
        },
    }
}

/// The error of an authorization that was used up, by what is not shown: its money may be there.
fn unshown() -> RpcError {
    RpcError::Unreachable("it does not show what an authorization was used for".to_owned())
}

fn in_time(claimed: &Claimed<'_>, now_ms: i64) -> Result<(), Mismatch> {
    let now = u64::try_from(now_ms / 1000).unwrap_or_default();
    let signed = &claimed.signed;
    let Names { valid_after, valid_before, .. } = Names::of(&claimed.offer.token.method);
    if signed.is_valid_at(now) && signed.is_valid_at(now + LEAD_SECONDS) {
        let longest = now + longest_seconds(&claimed.offer.token.method);
        if !signed.is_valid_at(longest) {
            return Ok(());
        }
        let expected = format!("at most {longest}");
        return Err(mismatch(valid_before, &expected, &signed.valid_before));
    }
    if signed.valid_after.to_string().parse::<u64>().is_ok_and(|after| after < now) {
        let expected = format!("at least {}", now + LEAD_SECONDS + 1);
        return Err(mismatch(valid_before, &expected, &signed.valid_before));
    }
    Err(mismatch(valid_after, &format!("before {now}"), &signed.valid_after))
}

/// The longest validity of a payment from now on, in seconds. Nothing shows that a permit was used up otherwise, only its end does;
/// clients sign for some minutes.
const fn longest_seconds(method: &EvmMethod) -> u64 {
    match method {
        EvmMethod::Eip3009 { .. } => LONGEST_SECONDS,
        EvmMethod::Permit2 => LONGEST_PERMIT_SECONDS,
    }
}

/// Checks what the payer has let Permit2 move. Most payers who have not are new to it: the refusal says what to do.
async fn may_be_moved(claimed: &Claimed<'_>) -> Result<(), NotGood> {
    let (offer, signed) = (claimed.offer, &claimed.signed);
    if offer.token.method != EvmMethod::Permit2 {
        return Ok(());
    }
    if offer.evm.permit2_allowance(offer.token, &signed.from).await? >= signed.value {
        return Ok(());
    }
    let token = offer.token.address.checksummed();
    Err(NotGood::Rejected(format!(
        "permit2_allowance_required: call approve of {token} for Permit2 once, and pay again"
    )))
}

/// The signature of a payment. A payer with code is asked by the chain itself, whoever has signed: tokens do so too.
async fn signature(claimed: &Claimed<'_>) -> Result<PaymentSignature, NotGood> {
    let (offer, signed) = (claimed.offer, &claimed.signed);
    let foreign = || {
        let expected = format!("a signature of {}", signed.from);
        NotGood::Mismatch(mismatch("payload.signature", &expected, &claimed.signature))
    };
    let by = signed.signed_by(&claimed.signature, offer.token, offer.evm.config().chain).ok_or_else(foreign)?;
    let has_code = offer.evm.is_contract(&signed.from).await?;
    match by {
        SignedBy::Key(signature) if has_code => Ok(PaymentSignature::Contract(signature.to_bytes().to_vec())),
        SignedBy::Key(signature) => Ok(PaymentSignature::Key(signature)),
        SignedBy::Other(bytes) if has_code => Ok(PaymentSignature::Contract(bytes)),
        SignedBy::Other(_) => Err(foreign()),
    }
}
