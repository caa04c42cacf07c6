//! The comparison with one chain.

use std::error::Error;

use crate::base::{OrderId, Usd};
use crate::store::StoreError;
use crate::topup::sql as orders;
use crate::topup::x402::{ChainScan, SeenTransfer, TransactionLookup};

use super::matching::{Matched, matched};
use super::sql::{self, LedgerPayment};
use super::{Finding, FindingKind, NAMED_MAX, Reconciler, SourceReport};

/// A payment is on its chain at most so long after it was named, and is decided after it came; clocks may differ too.
const LEDGER_MARGIN_MS: i64 = 3 * 86_400_000;
/// What was credited since then, a node that is behind the others need not have yet.
const FRESH_MS: i64 = 10 * 60_000;
/// What the memo of a payment begins with, before the number of its order.
const MEMO: &str = "order:";

/// A transfer that no payment is, with one that was given up and is alike.
type NotCredited<'a> = (&'a SeenTransfer, Option<&'a LedgerPayment>);

/// What the nodes of a chain show of a payment that was credited.
#[derive(Debug, Default)]
struct NodeAnswers {
    /// How many show what was credited.
    by: usize,
    /// How many answer.
    of: usize,
    /// Another amount, as one of them shows it.
    other: Option<u128>,
    /// Why one did not answer.
    silent: Option<String>,
}

impl Reconciler {
    /// Compares the transfers to `pay_to` with the payments of a chain. The chain is read before the ledger.
    pub(super) async fn compare_chain(&self, id: &str, since_ms: i64) -> Result<SourceReport, StoreError> {
        let now_ms = self.topups().now_ms();
        let scan = match self.0.x402.scan(id, since_ms, now_ms).await {
            None => return Ok(SourceReport::unread(id, "the configuration does not have it".to_owned())),
            Some(Err(unfit)) => return Ok(SourceReport::unread(id, with_causes(&unfit))),
            Some(Ok(scan)) => scan,
        };
        let mut report = SourceReport { silent: silent(&scan), ..SourceReport::of(id) };
        if scan.answered.is_empty() {
            report.unread = Some(report.silent.join("; "));
            return Ok(report);
        }
        let payments = sql::payments_since(self.readers(), id, since_ms - LEDGER_MARGIN_MS).await?;
        let Matched { matched, under_way, not_credited, differing, mut doubtful } =
            matched(&scan.transfers, &payments, scan.answered.len());
        (report.matched, report.under_way) = (matched, under_way);
        let not_credited = self.without_resent(&mut report, not_credited, &mut doubtful).await?;
        for (seen, given_up) in not_credited {
            if report.findings.len() >= NAMED_MAX {
                report.unnamed += 1;
                continue;
            }
            self.add_not_credited(&mut report, &scan, seen, given_up).await?;
        }
        for (seen, payment) in differing {
            let differs = self.came(id, FindingKind::AmountDiffers, seen, scan.answered.len()).await;
            report.findings.push(of(differs, payment));
        }
        for payment in doubtful.into_iter().filter(|payment| payment.decided_at_ms >= Some(since_ms)) {
            self.add_doubtful(&mut report, &scan, payment, now_ms).await;
        }
        report.findings.sort_by_key(|finding| (finding.kind, finding.at_ms));
        Ok(report)
    }

    /// Takes out what came by another transaction of ours than the one by which it was credited, which a chain has taken back.
    async fn without_resent<'a>(
        &self,
        report: &mut SourceReport,
        mut not_credited: Vec<NotCredited<'a>>,
        doubtful: &mut Vec<&LedgerPayment>,
    ) -> Result<Vec<NotCredited<'a>>, StoreError> {
        let mut rest = Vec::new();
        for payment in doubtful.drain(..) {
            let sent = sql::sent_for(self.readers(), payment.id).await?;
            let is_it = |seen: &SeenTransfer| {
                let transfer = &seen.transfer;
                sent.contains(&transfer.transaction)
                    && transfer.asset == payment.asset
                    && Some(transfer.amount) == payment.amount
            };
            match not_credited.iter().position(|(seen, _)| is_it(seen)) {
                Some(index) => {
                    not_credited.swap_remove(index);
                    report.matched += 1;
                }
                None => rest.push(payment),
            }
        }
        *doubtful = rest;
        Ok(not_credited)
    }

    /// Money that came and is no payment. Not what a person has granted under its name; and what is less than any order, as anybody
    /// may send to an address, is counted and not told one by one.
    async fn add_not_credited(
        &self,
        report: &mut SourceReport,
        scan: &ChainScan,
        seen: &SeenTransfer,
        given_up: Option<&LedgerPayment>,
    ) -> Result<(), StoreError> {
        let (transfer, x402) = (&seen.transfer, &self.0.x402);
        let usd = x402.usd_of(&report.source, &transfer.asset, transfer.amount).unwrap_or(Usd::MAX);
        if usd < x402.least_on(&report.source) {
            report.small += 1;
            report.small_usd = report.small_usd.checked_add(usd).unwrap_or(Usd::MAX);
            return Ok(());
        }
        if sql::is_granted(self.readers(), &transfer.name()).await? {
            report.matched += 1;
            return Ok(());
        }
        let found = self.came(&report.source, FindingKind::NotCredited, seen, scan.answered.len()).await;
        report.findings.push(match given_up {
            Some(payment) => of(found, payment),
            None => self.of_its_memo(found, transfer.memo.as_deref()).await?,
        });
        Ok(())
    }

    /// A payment of Solana names its order.
    async fn of_its_memo(&self, finding: Finding, memo: Option<&str>) -> Result<Finding, StoreError> {
        let Some(id) = memo.and_then(order_of) else { return Ok(finding) };
        let order = orders::find(self.readers(), id).await?;
        Ok(Finding { order: Some(id), account: order.map(|order| order.account), ..finding })
    }

    async fn came(&self, id: &str, kind: FindingKind, seen: &SeenTransfer, asked: usize) -> Finding {
        let transfer = &seen.transfer;
        Finding {
            kind,
            reference: transfer.name(),
            came: Some(transfer.amount),
            asset: transfer.asset.clone(),
            usd: self.0.x402.usd_of(id, &transfer.asset, transfer.amount),
            payer: transfer.payer.clone(),
            at_ms: self.0.x402.time_of(id, transfer).await,
            payment: None,
            order: None,
            account: None,
            shown_by: (seen.told_by, asked),
            said: None,
        }
    }

    /// A payment that was credited and that not every node has told: each is asked for its transaction.
    async fn add_doubtful(&self, report: &mut SourceReport, scan: &ChainScan, payment: &LedgerPayment, now_ms: i64) {
        let shown = self.shown(&report.source, scan, payment).await;
        if shown.of > 0 && shown.by == shown.of {
            report.matched += 1;
        } else if shown.of == 0 {
            let why = shown.silent.unwrap_or_default();
            report.unread = Some(format!("what became of payment {} could not be asked: {why}", payment.id));
        } else if payment.decided_at_ms > Some(now_ms - FRESH_MS) {
            report.under_way += 1;
        } else {
            let kind = if shown.other.is_some() { FindingKind::AmountDiffers } else { FindingKind::NotFound };
            report.findings.push(credited(payment, kind, &shown));
        }
    }

    async fn shown(&self, id: &str, scan: &ChainScan, payment: &LedgerPayment) -> NodeAnswers {
        let mut shown = NodeAnswers::default();
        for node in &scan.answered {
            let named = (payment.id, payment.transaction(), payment.asset.as_str());
            let told = self.0.x402.look_up(id, *node, named).await;
            shown.of += usize::from(told.is_ok());
            match told {
                Ok(TransactionLookup::Elsewhere) => shown.by += 1,
                Ok(TransactionLookup::Has(amounts)) if amounts.iter().any(|amount| Some(*amount) == payment.amount) => {
                    shown.by += 1;
                }
                Ok(TransactionLookup::Has(amounts)) => shown.other = shown.other.or(amounts.first().copied()),
                Ok(TransactionLookup::Nothing) => {}
                Err(error) => shown.silent = Some(with_causes(&error)),
            }
        }
        shown
    }
}

fn credited(payment: &LedgerPayment, kind: FindingKind, shown: &NodeAnswers) -> Finding {
    Finding {
        kind,
        reference: payment.receipt.clone().unwrap_or_else(|| payment.reference.clone()),
        came: shown.other,
        asset: payment.asset.clone(),
        usd: Some(payment.credited),
        payer: payment.payer.clone(),
        at_ms: payment.decided_at_ms,
        payment: Some(payment.id),
        order: Some(payment.order),
        account: Some(payment.account),
        shown_by: (shown.by, shown.of),
        said: None,
    }
}

fn of(finding: Finding, payment: &LedgerPayment) -> Finding {
    let (id, order, account) = (Some(payment.id), Some(payment.order), Some(payment.account));
    Finding { payment: id, order, account, ..finding }
}

fn silent(scan: &ChainScan) -> Vec<String> {
    let silent = scan.silent.iter();
    silent.map(|(node, error)| format!("node {} of {}: {}", node + 1, scan.nodes, with_causes(error))).collect()
}

/// The order that a memo names, as nodes tell it: its length in brackets before it, several behind each other.
fn order_of(memo: &str) -> Option<OrderId> {
    let (_, named) = memo.split_once(MEMO)?;
    let digits = named.find(|letter: char| !letter.is_ascii_digit()).map_or(named, |end| &named[..end]);
    digits.parse().ok().map(OrderId)
}

/// An error with its causes.
pub(super) fn with_causes(error: &(dyn Error + 'static)) -> String {
    let (mut texts, mut cause) = (vec![error.to_string()], error.source());
    while let Some(error) = cause {
        texts.push(error.to_string());
        cause = error.source();
    }
    texts.join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memo_names_its_order_as_nodes_tell_it() {
        for (memo, order) in [
            ("order:17", Some(17)),
            ("[8] order:17", Some(17)),
            ("[2] hi; [8] order:17; [1] x", Some(17)),
            ("order:", None),
            ("[2] hi", None),
            ("order:99999999999999999999", None),
        ] {
            assert_eq!(order_of(memo), order.map(OrderId), "{memo}");
        }
    }
}
