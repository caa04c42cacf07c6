//! The comparison with one chain.

use std::cmp::Reverse;

use crate::orders::sql as orders;
use crate::x402::{ChainScan, SeenTransfer, TransactionLookup};
use tollgate_base::{OrderId, Usd, with_causes};
use tollgate_store::StoreError;

use super::matching::{MatchResult, matched};
use super::report::NAMED_MAX;
use super::sql::{self, LedgerPayment};
use super::{Discrepancy, DiscrepancyKind, LOOK_BACK_MAX_MS, Reconciler, SourceReport};

/// The most time from naming a payment to its transfer, and from there to its decision, in milliseconds. Clocks may differ too.
const LEDGER_MARGIN_MS: i64 = 3 * 86_400_000;
/// The age of a credit, in milliseconds, up to which a node that is behind need not have it yet.
const FRESH_MS: i64 = 10 * 60_000;
/// The most by which a transfer is older than its payment's name, in milliseconds, by two clocks. They are those of the chain and
/// of the server.
const OPEN_MARGIN_MS: i64 = 3_600_000;
/// Credited payments of one chain whose transactions are asked for one by one.
const LOOKUPS_MAX: usize = 5_000;
/// Nodes and their reasons that are told of one chain.
const SILENT_MAX: usize = 100;
/// The start of a payment's memo, before the number of its order.
const MEMO: &str = "order:";

/// A transfer that no payment is, with one that was given up and is alike.
type UncreditedTransfer<'a> = (&'a SeenTransfer, Option<&'a LedgerPayment>);

/// The answers of a chain's nodes on a payment that was credited.
#[derive(Debug, Default)]
struct NodeAnswers {
    /// The number of nodes that show what was credited.
    by: usize,
    /// The number of nodes that answer.
    of: usize,
    /// Another amount, as one of them shows it.
    other: Option<u128>,
    /// The reason for which one did not answer.
    silent: Option<String>,
}

impl Reconciler {
    /// Compares the transfers to `pay_to` with the payments of a chain. The chain is read before the ledger.
    pub(super) async fn compare_chain(&self, id: &str, since_ms: i64) -> Result<SourceReport, StoreError> {
        let now_ms = self.topups().now_ms();
        // The span covers payments on their way until they are decided.
        let oldest_ms = sql::oldest_open(self.readers(), id, since_ms).await?;
        let from_ms = start_of_span(since_ms, oldest_ms, now_ms);
        let scan = match self.0.x402.scan(id, from_ms, now_ms).await {
            None => return Ok(SourceReport::unread(id, "the configuration does not have it".to_owned())),
            Some(Err(unfit)) => return Ok(SourceReport::unread(id, with_causes(&unfit))),
            Some(Ok(scan)) => scan,
        };
        let mut report = SourceReport { silent: silent(&scan), ..SourceReport::of(id) };
        if scan.answered.is_empty() {
            report.unread = Some(report.silent.join("; "));
            return Ok(report);
        }
        let payments = sql::payments_since(self.readers(), id, from_ms - LEDGER_MARGIN_MS).await?;
        let MatchResult {
            matched,
            under_way,
            mut not_credited,
            differing,
            doubtful,
            mut charged_back,
            charged_back_unseen,
        } = matched(&scan.transfers, &payments, scan.answered.len());
        (report.matched, report.under_way) = (matched, under_way.len());
        report.oldest_under_way_ms = under_way.iter().map(|payment| payment.claimed_at_ms).min();
        let mut doubtful = self.without_resent(&mut report, &mut not_credited, doubtful).await?;
        for payment in charged_back_unseen {
            charged_back.extend(self.take_resent(&mut not_credited, payment).await?.map(|seen| (seen, payment)));
        }
        let mut told = self.not_credited(&mut report, &scan, not_credited).await?;
        for (seen, payment) in differing {
            let differs = self.came(id, DiscrepancyKind::AmountDiffers, seen, scan.answered.len()).await;
            told.push((seen.told_by, differs.about(payment)));
        }
        for (seen, payment) in charged_back {
            let there = self.there_again(&mut report, scan.answered.len(), seen, payment).await?;
            told.extend(there.map(|found| (seen.told_by, found)));
        }
        doubtful.retain(|payment| payment.decided_at_ms >= Some(since_ms));
        self.add_doubtful(&mut report, &mut told, &scan, doubtful).await?;
        report.name(told);
        Ok(report)
    }

    /// Transfers that no payment is: those that most nodes tell first, then the largest.
    async fn not_credited(
        &self,
        report: &mut SourceReport,
        scan: &ChainScan,
        mut transfers: Vec<UncreditedTransfer<'_>>,
    ) -> Result<Vec<(usize, Discrepancy)>, StoreError> {
        let usd = |seen: &SeenTransfer| {
            let transfer = &seen.transfer;
            self.0.x402.usd_of(&scan.id, &transfer.asset, transfer.amount).unwrap_or(Usd::MAX)
        };
        let least = self.0.x402.least_on(&scan.id);
        transfers.retain(|(seen, _)| {
            let usd = usd(seen);
            if usd < least {
                report.small += 1;
                report.small_usd = report.small_usd.checked_add(usd).unwrap_or(Usd::MAX);
            }
            usd >= least
        });
        transfers.sort_by_key(|(seen, _)| (Reverse(seen.told_by), Reverse(usd(seen))));
        let mut told = Vec::new();
        for (seen, given_up) in transfers {
            if told.len() >= NAMED_MAX {
                report.unnamed += 1;
                continue;
            }
            told.extend(self.unless_granted(report, scan, seen, given_up).await?.map(|found| (seen.told_by, found)));
        }
        Ok(told)
    }

    /// The payments that did not come by another transaction of ours than that of the credit. The transfers of the others are taken
    /// out of those that are credited to nobody.
    async fn without_resent<'p>(
        &self,
        report: &mut SourceReport,
        not_credited: &mut Vec<UncreditedTransfer<'_>>,
        payments: Vec<&'p LedgerPayment>,
    ) -> Result<Vec<&'p LedgerPayment>, StoreError> {
        let mut rest = Vec::new();
        for payment in payments {
            match self.take_resent(not_credited, payment).await? {
                Some(_) => report.matched += 1,
                None => rest.push(payment),
            }
        }
        Ok(rest)
    }

    /// Takes out the transfer of a payment by another transaction of ours than that of the credit, which a chain has taken back.
    async fn take_resent<'a>(
        &self,
        not_credited: &mut Vec<UncreditedTransfer<'a>>,
        payment: &LedgerPayment,
    ) -> Result<Option<&'a SeenTransfer>, StoreError> {
        let sent = sql::sent_for(self.readers(), payment.id).await?;
        let is_it = |seen: &SeenTransfer| {
            let transfer = &seen.transfer;
            sent.contains(&transfer.transaction)
                && transfer.asset == payment.asset
                && Some(transfer.amount) == payment.amount
        };
        let index = not_credited.iter().position(|(seen, _)| is_it(seen));
        Ok(index.map(|index| not_credited.swap_remove(index).0))
    }

    /// The money of a payment that was charged back. None where a person has granted it again under its name.
    async fn there_again(
        &self,
        report: &mut SourceReport,
        asked: usize,
        seen: &SeenTransfer,
        payment: &LedgerPayment,
    ) -> Result<Option<Discrepancy>, StoreError> {
        if sql::is_granted(self.readers(), &seen.transfer.name()).await? {
            report.matched += 1;
            return Ok(None);
        }
        let found = self.came(&report.source, DiscrepancyKind::ChargedBack, seen, asked).await;
        Ok(Some(Discrepancy { usd: Some(payment.credited), ..found.about(payment) }))
    }

    /// Money that came and is no payment. None where a person has granted it under its name. What is less than any order, as anybody
    /// may send to an address, is counted before and not told one by one.
    async fn unless_granted(
        &self,
        report: &mut SourceReport,
        scan: &ChainScan,
        seen: &SeenTransfer,
        given_up: Option<&LedgerPayment>,
    ) -> Result<Option<Discrepancy>, StoreError> {
        let transfer = &seen.transfer;
        if sql::is_granted(self.readers(), &transfer.name()).await? {
            report.matched += 1;
            return Ok(None);
        }
        let found = self.came(&report.source, DiscrepancyKind::NotCredited, seen, scan.answered.len()).await;
        Ok(Some(match given_up {
            Some(payment) => found.about(payment),
            None => self.of_its_memo(found, transfer.memo.as_deref()).await?,
        }))
    }

    /// Adds the order that the memo of a Solana payment names.
    async fn of_its_memo(&self, finding: Discrepancy, memo: Option<&str>) -> Result<Discrepancy, StoreError> {
        let Some(id) = memo.and_then(order_of) else { return Ok(finding) };
        let order = orders::find(self.readers(), id).await?;
        Ok(Discrepancy { order: Some(id), account: order.map(|order| order.account), ..finding })
    }

    async fn came(&self, id: &str, kind: DiscrepancyKind, seen: &SeenTransfer, asked: usize) -> Discrepancy {
        let transfer = &seen.transfer;
        Discrepancy {
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

    /// Payments that were credited and that not every node shows. Each node is asked for their transactions, the largest first.
    async fn add_doubtful(
        &self,
        report: &mut SourceReport,
        told: &mut Vec<(usize, Discrepancy)>,
        scan: &ChainScan,
        mut doubtful: Vec<&LedgerPayment>,
    ) -> Result<(), StoreError> {
        doubtful.sort_by_key(|payment| Reverse(payment.credited));
        if doubtful.len() > LOOKUPS_MAX {
            let more = doubtful.split_off(LOOKUPS_MAX).len();
            report.unread = Some(format!("{more} payments more than are asked about are not told by every node"));
        }
        let transactions = doubtful.iter().map(|payment| payment.transaction()).collect();
        let came = sql::payments_by(self.readers(), &scan.id, &transactions).await?;
        for payment in doubtful {
            let shown = self.shown(scan, payment, before(payment, &came)).await;
            if let (Some(why), 1..) = (&shown.silent, shown.of)
                && !report.silent.contains(why)
                && report.silent.len() < SILENT_MAX
            {
                report.silent.push(why.clone());
            }
            let now_ms = self.topups().now_ms();
            if shown.of > 0 && shown.by == shown.of {
                report.matched += 1;
            } else if shown.of == 0 {
                let why = shown.silent.unwrap_or_default();
                report.unread = Some(format!("what became of payment {} could not be asked: {why}", payment.id));
            } else if payment.decided_at_ms > Some(now_ms - FRESH_MS) {
                report.under_way += 1;
            } else {
                let kind =
                    if shown.other.is_some() { DiscrepancyKind::AmountDiffers } else { DiscrepancyKind::NotFound };
                let (came, shown_by) = (shown.other, (shown.by, shown.of));
                let credit = Discrepancy { came, shown_by, ..Discrepancy::of_credit(kind, payment) };
                told.push((shown.of - shown.by, credit));
            }
        }
        Ok(())
    }

    /// The nodes' answers on a payment, where `before` others that name the same transfers came first.
    async fn shown(&self, scan: &ChainScan, payment: &LedgerPayment, before: usize) -> NodeAnswers {
        let mut shown = NodeAnswers::default();
        for node in &scan.answered {
            let named = (payment.id, payment.transaction(), payment.asset.as_str());
            let told = self.0.x402.look_up(&scan.id, *node, named).await;
            shown.of += usize::from(told.is_ok());
            match told {
                Ok(told) => shown.add(&told, payment.amount, before),
                Err(error) => {
                    shown.silent = Some(format!("node {} of {}: {}", node + 1, scan.nodes, with_causes(&error)));
                }
            }
        }
        shown
    }
}

impl NodeAnswers {
    /// Adds the answer of a node. Each transfer backs one payment, the one that came first.
    fn add(&mut self, told: &TransactionLookup, amount: Option<u128>, before: usize) {
        match told {
            TransactionLookup::Elsewhere => self.by += usize::from(before == 0),
            TransactionLookup::Has(amounts) => {
                let exact = amounts.iter().filter(|came| Some(**came) == amount).count();
                if exact > before {
                    self.by += 1;
                } else if exact == 0 {
                    self.other = self.other.or(amounts.first().copied());
                }
            }
            TransactionLookup::Nothing => {}
        }
    }
}

/// The number of payments that came before one, by its transaction and with its amount.
fn before(payment: &LedgerPayment, came: &[LedgerPayment]) -> usize {
    let is_the_same = |other: &&LedgerPayment| {
        other.transaction() == payment.transaction()
            && (&other.asset, other.amount) == (&payment.asset, payment.amount)
            && other.order_of_coming() < payment.order_of_coming()
    };
    came.iter().filter(is_the_same).count()
}

/// The start of the span to compare, in unix milliseconds. It lies before the oldest payment on its way, which is looked for until
/// it is decided.
fn start_of_span(since_ms: i64, oldest_ms: Option<i64>, now_ms: i64) -> i64 {
    let oldest_ms = oldest_ms.map_or(i64::MAX, |oldest_ms| oldest_ms - OPEN_MARGIN_MS);
    since_ms.min(oldest_ms.max(now_ms - LOOK_BACK_MAX_MS))
}

fn silent(scan: &ChainScan) -> Vec<String> {
    let silent = scan.silent.iter();
    let silent = silent.map(|(node, error)| format!("node {} of {}: {}", node + 1, scan.nodes, with_causes(error)));
    let left_out = scan.left_out.iter().map(|(node, left_out)| {
        let blocks: Vec<String> = left_out.blocks.iter().map(u64::to_string).collect();
        let (node, blocks) = (node + 1, blocks.join(", "));
        format!("node {node} of {}: what came in block {blocks} is not compared: {}", scan.nodes, left_out.why)
    });
    silent.chain(left_out).collect()
}

/// The order that a memo names, as nodes tell it: its length in brackets before it, several behind each other.
fn order_of(memo: &str) -> Option<OrderId> {
    let (_, named) = memo.split_once(MEMO)?;
    let digits = named.find(|letter: char| !letter.is_ascii_digit()).map_or(named, |end| &named[..end]);
    digits.parse().ok().map(OrderId)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transfer_is_shown_for_the_payment_that_came_first_alone() {
        let shown = |amounts: &[u128], before| {
            let mut shown = NodeAnswers::default();
            shown.add(&TransactionLookup::Has(amounts.to_vec()), Some(5), before);
            (shown.by, shown.other)
        };
        assert_eq!((shown(&[5], 0), shown(&[5], 1)), ((1, None), (0, None)));
        assert_eq!((shown(&[5, 5], 1), shown(&[6], 0)), ((1, None), (0, Some(6))));
    }

    #[test]
    fn a_span_begins_before_the_oldest_payment_that_is_open() {
        const DAY: i64 = 86_400_000;
        assert_eq!(start_of_span(98 * DAY, None, 100 * DAY), 98 * DAY);
        assert_eq!(start_of_span(98 * DAY, Some(99 * DAY), 100 * DAY), 98 * DAY);
        assert_eq!(start_of_span(98 * DAY, Some(90 * DAY), 100 * DAY), 90 * DAY - OPEN_MARGIN_MS);
        assert_eq!(start_of_span(98 * DAY, Some(1), 100 * DAY), 70 * DAY);
        assert_eq!(start_of_span(50 * DAY, Some(1), 100 * DAY), 50 * DAY);
    }

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
