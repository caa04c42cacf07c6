//! `tollgate payment … --server`

use std::process::ExitCode;

use http::Method;
use serde::Deserialize;

use tollgate_api::generated::types::{Rail, ResolutionRequest, ReversalKind, ReversalRequest};
use tollgate_base::{AccountId, OrderId, Usd};
use tollgate_credit::PostedCredit;
use tollgate_topup::{NewPayment, PaymentRail, QuarantinedPayment, Resolution, ResolvedPayment};

use super::client::{AdminClient, AdminRequest};
use super::values::{REASON, milliseconds};
use crate::cli::args::{PaymentCommand, ReversalArgs};
use crate::cli::credit::booking_key;
use crate::cli::output::{CommandError, CommandOutput, CommandResult};
use crate::cli::payment::{self, ReversalReport};

/// A payment that was set aside, as the admin API tells of it.
#[derive(Debug, Deserialize)]
struct RemotePayment {
    payment_id: i64,
    order_id: i64,
    account_id: i64,
    rail: Rail,
    order_usd: Usd,
    source: String,
    reference: String,
    asset: String,
    amount: String,
    payer: Option<String>,
    receipt: Option<String>,
    #[serde(deserialize_with = "milliseconds")]
    since: i64,
}

/// A decision on a payment, as the admin API tells of it.
#[derive(Debug, Deserialize)]
struct RemoteResolution {
    payment_id: i64,
    order_id: i64,
    account_id: i64,
    credited_usd: Option<Usd>,
    transfer: Option<i64>,
    debt_paid_usd: Usd,
    repeated: bool,
}

/// Money that went back, as the admin API tells of it.
#[derive(Debug, Deserialize)]
struct RemoteReversal {
    payment_id: i64,
    order_id: i64,
    account_id: i64,
    reversal: i64,
    reversed_usd: Usd,
    taken_usd: Usd,
    debt_usd: Usd,
    payment_credited_usd: Usd,
    payment_reversed_usd: Usd,
    repeated: bool,
}

pub(super) async fn run(server: &AdminClient, command: PaymentCommand, output: CommandOutput) -> CommandResult {
    match command {
        PaymentCommand::List => {
            let payments: Vec<RemotePayment> = server.get(&["payments"], &[]).await?;
            let payments: Vec<QuarantinedPayment> = payments.into_iter().map(QuarantinedPayment::from).collect();
            payment::report_list(&payments, output);
        }
        PaymentCommand::Resolve { payment, credit, returned: _, usd, reason } => {
            let reason = if reason.is_empty() { REASON.to_owned() } else { reason };
            let (id, body) = (payment.to_string(), ResolutionRequest { credit, usd, reason });
            let path = ["payments", id.as_str(), "resolution"];
            let resolved: RemoteResolution = server.send(AdminRequest::new(Method::POST, &path, &body)).await?;
            let available = super::account::get(server, resolved.account_id).await.ok().map(|has| has.available);
            payment::report_resolution(&resolved.into(), available, output);
        }
        PaymentCommand::Refund(args) => reverse(server, &args, ReversalKind::Refund, output).await?,
        PaymentCommand::Chargeback(args) => reverse(server, &args, ReversalKind::Chargeback, output).await?,
    }
    Ok(ExitCode::SUCCESS)
}

async fn reverse(
    server: &AdminClient,
    args: &ReversalArgs,
    kind: ReversalKind,
    output: CommandOutput,
) -> Result<(), CommandError> {
    let key = booking_key(args.idempotency_key.as_ref());
    let body = ReversalRequest { kind, usd: args.usd, reason: args.reason.clone() };
    let path = ["payments", args.of.as_str(), "reversals"];
    let booked = server.send(AdminRequest::new(Method::POST, &path, &body).once(&key)).await;
    let booked: RemoteReversal = booked.map_err(|source| payment::reversal_failed(&key, source.into()))?;
    let account = super::account::get(server, booked.account_id).await.ok();
    let report = ReversalReport {
        payment: booked.payment_id,
        order: booked.order_id,
        account: booked.account_id,
        kind: kind.as_str(),
        reversal: booked.reversal,
        amount: booked.reversed_usd,
        taken: booked.taken_usd,
        debt: booked.debt_usd,
        credited: booked.payment_credited_usd,
        reversed: booked.payment_reversed_usd,
        repeated: booked.repeated,
        key: &key,
    };
    let (available, owed) = (account.as_ref().map(|has| has.available), account.as_ref().map(|has| has.owed));
    payment::report_reversal(&report, available, owed, output);
    Ok(())
}

impl From<RemotePayment> for QuarantinedPayment {
    fn from(payment: RemotePayment) -> Self {
        let RemotePayment { source, reference, asset, amount, payer, receipt, .. } = payment;
        Self {
            id: payment.payment_id,
            new: NewPayment { source, reference, asset, amount, payer, receipt },
            order: OrderId(payment.order_id),
            account: AccountId(payment.account_id),
            rail: match payment.rail {
                Rail::Crypto => PaymentRail::Crypto,
                Rail::X402 => PaymentRail::X402,
                Rail::Ewallet => PaymentRail::Ewallet,
            },
            amount: payment.order_usd,
            since_ms: payment.since,
        }
    }
}

impl From<RemoteResolution> for ResolvedPayment {
    fn from(resolved: RemoteResolution) -> Self {
        let credit = resolved.credited_usd.zip(resolved.transfer);
        Self {
            payment: resolved.payment_id,
            order: OrderId(resolved.order_id),
            account: AccountId(resolved.account_id),
            resolution: resolved.credited_usd.map_or(Resolution::Returned, Resolution::Credit),
            credit: credit.map(|(amount, transfer)| PostedCredit {
                transfer,
                amount,
                debt_paid: resolved.debt_paid_usd,
            }),
            repeated: resolved.repeated,
        }
    }
}
