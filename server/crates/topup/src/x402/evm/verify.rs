//! Verification of a payment that claims to pay an option: its time, its signature, and what the chain would do with it.

use crate::payments::resolve::ON_ITS_WAY_MS;
use crate::x402::fields::{Mismatch, mismatch};
use crate::x402::verify_error::VerifyError;
use tollgate_api::generated::limits;
use tollgate_base::Usd;
use tollgate_chains::evm::{
    AuthorizationStatus, ConfirmationDepth, EvmMethod, EvmTransferOutcome, GAS_MAX, GasFees, PaymentEvidence,
    PaymentSignature, RpcError, SignatureOrigin, gas_least,
};

use super::payload::{PayloadPaths, SubmittedEvmPayment};

/// The time that a payment needs to reach a block before it expires.
const LEAD_SECONDS: u64 = limits::PAYMENT_LEAD.as_secs();
/// The longest validity of an authorization from now on. Payments are looked for as long as they could still come.
const LONGEST_SECONDS: u64 = 86_400;
/// The longest validity of a permit from now on.
const LONGEST_PERMIT_SECONDS: u64 = 3_600;

/// What can be decided on by hand has been over for a day.
const _: () = assert!(ON_ITS_WAY_MS.unsigned_abs() >= (LONGEST_SECONDS + 86_400) * 1000);

/// A verified payment, ready to be claimed.
#[derive(Debug)]
pub(in crate::x402) struct VerifiedEvmPayment<'n> {
    pub(in crate::x402) claimed: SubmittedEvmPayment<'n>,
    /// The call that carries it out.
    pub(in crate::x402) call: Vec<u8>,
    pub(in crate::x402) carrier: PaymentCarrier,
}

/// The party that carries a payment to the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::x402) enum PaymentCarrier {
    /// Our account does.
    Us {
        /// The number of transactions of our account that the chain knows of.
        sent: u64,
        /// The limit of gas.
        gas: u64,
        /// The price of a unit of gas.
        fees: GasFees,
        /// The most that its data cost beside that, in wei.
        data_fee: u128,
    },
    /// Somebody else's transaction has.
    Another,
}

/// Verifies a payment for an order of an amount, at a moment.
pub(in crate::x402) async fn verify<'n>(
    claimed: SubmittedEvmPayment<'n>,
    amount: Usd,
    now_ms: i64,
) -> Result<VerifiedEvmPayment<'n>, VerifyError> {
    in_time(&claimed, now_ms).map_err(VerifyError::Mismatch)?;
    let signature = signature(&claimed).await?;
    let (offer, call) = (claimed.offer, claimed.signed.call(claimed.offer.token, &signature));
    if offer.evm.is_spent(offer.token, &claimed.signed).await? {
        let before = "the authorization was used or taken back before";
        let came = came(&claimed).await.map_err(VerifyError::Unshown)?;
        let carrier = PaymentCarrier::Another;
        return if came {
            Ok(VerifiedEvmPayment { claimed, call, carrier })
        } else {
            Err(VerifyError::Rejected(before.to_owned()))
        };
    }
    may_be_moved(&claimed).await?;
    let work = offer.evm.simulate(&offer.token.settlement_contract(), &call).await?;
    let gas = work.saturating_add(work / 4).max(gas_least(&call)).min(GAS_MAX);
    if work > gas {
        return Err(VerifyError::Rejected(format!("it would be more work than is paid for: {work} gas")));
    }
    let (sent, price, data_fee) =
        tokio::try_join!(offer.evm.sent(true), offer.evm.price(), offer.evm.data_fee(call.len()))?;
    let most = offer.network.gas_price_most(offer.evm, amount, gas, data_fee);
    let fees = most.and_then(|most| price.offered(most)).ok_or_else(VerifyError::too_dear)?;
    let cost = fees.most.saturating_mul(u128::from(gas)).saturating_add(data_fee);
    let balance = offer.evm.relayer_balance().await?;
    if balance < cost {
        let relayer = offer.evm.config().relayer.address();
        tracing::error!(
            target: "alarm", alarm = "relayer", network = offer.network.id, %relayer, balance_wei = balance, cost_wei = cost,
            "our account on a chain cannot pay for a transaction: payments on it are refused until it is given more"
        );
        return Err(VerifyError::Unreachable(RpcError::Unreachable("our account on it is empty".to_owned())));
    }
    Ok(VerifiedEvmPayment { claimed, call, carrier: PaymentCarrier::Us { sent, gas, fees, data_fee } })
}

/// True if the money of a used authorization is there, or something that an operator has to look at.
async fn came(claimed: &SubmittedEvmPayment<'_>) -> Result<bool, RpcError> {
    let (offer, signed) = (claimed.offer, &claimed.signed);
    let (evm, token) = (offer.evm, offer.token);
    let receipt = match evm.authorization_status(token, signed, offer.since, 0).await? {
        AuthorizationStatus::Used(receipt) => receipt,
        // It is claimed, so that it is kept until an operator was told.
        AuthorizationStatus::Unnamed(_) => return Ok(true),
        AuthorizationStatus::Cancelled { .. } => return Ok(false),
        // The node may not have the transaction that has used it up yet. Only a use before the order was made buys nothing for
        // certain.
        AuthorizationStatus::Unknown if evm.was_spent_by(token, signed, offer.since).await? => return Ok(false),
        AuthorizationStatus::Unknown => return Err(unshown()),
    };
    match receipt.transfer_outcome(token, signed) {
        EvmTransferOutcome::Exactly | EvmTransferOutcome::Otherwise(_) => Ok(true),
        EvmTransferOutcome::Unshown => Err(unshown()),
        // One answer is not believed.
        EvmTransferOutcome::Nothing => {
            match evm.payment_evidence(token, signed, &receipt.hash, ConfirmationDepth::Blocks(0)).await?.0 {
                PaymentEvidence::Nothing => Ok(false),
                PaymentEvidence::Came | PaymentEvidence::Otherwise(_) => Ok(true),
                PaymentEvidence::Unclear | PaymentEvidence::Gone => Err(unshown()),
            }
        }
    }
}

/// The error of an authorization that was used up, by what is not shown: its money may be there.
fn unshown() -> RpcError {
    RpcError::Unreachable("it does not show what an authorization was used for".to_owned())
}

fn in_time(claimed: &SubmittedEvmPayment<'_>, now_ms: i64) -> Result<(), Mismatch> {
    let now = u64::try_from(now_ms / 1000).unwrap_or_default();
    let signed = &claimed.signed;
    let PayloadPaths { valid_after, valid_before, .. } = PayloadPaths::of(&claimed.offer.token.method);
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
async fn may_be_moved(claimed: &SubmittedEvmPayment<'_>) -> Result<(), VerifyError> {
    let (offer, signed) = (claimed.offer, &claimed.signed);
    if offer.token.method != EvmMethod::Permit2 {
        return Ok(());
    }
    if offer.evm.permit2_allowance(offer.token, &signed.from).await? >= signed.value {
        return Ok(());
    }
    let token = offer.token.address.checksummed();
    Err(VerifyError::Rejected(format!(
        "permit2_allowance_required: call approve of {token} for Permit2 once, and pay again"
    )))
}

/// The signature of a payment. A payer with code is asked by the chain itself, whoever has signed: tokens do so too.
async fn signature(claimed: &SubmittedEvmPayment<'_>) -> Result<PaymentSignature, VerifyError> {
    let (offer, signed) = (claimed.offer, &claimed.signed);
    let foreign = || {
        let expected = format!("a signature of {}", signed.from);
        VerifyError::Mismatch(mismatch("payload.signature", &expected, &claimed.signature))
    };
    let by = signed.signed_by(&claimed.signature, offer.token, offer.evm.config().chain).ok_or_else(foreign)?;
    let has_code = offer.evm.is_contract(&signed.from).await?;
    match by {
        SignatureOrigin::Key(signature) if has_code => Ok(PaymentSignature::Contract(signature.to_bytes().to_vec())),
        SignatureOrigin::Key(signature) => Ok(PaymentSignature::Key(signature)),
        SignatureOrigin::Other(bytes) if has_code => Ok(PaymentSignature::Contract(bytes)),
        SignatureOrigin::Other(_) => Err(foreign()),
    }
}
