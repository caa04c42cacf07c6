//! The findings of a comparison.

use std::cmp::Reverse;
use std::fmt;

use tollgate_base::{AccountId, OrderId, Usd};

use super::sql::LedgerPayment;

/// Findings of one source that are named; of more, a node that makes them up is likelier than anything else.
pub(super) const NAMED_MAX: usize = 1_000;

/// The kind of a discrepancy between the ledger and a chain or provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DiscrepancyKind {
    /// Money came, and the ledger has credited nobody for it.
    NotCredited,
    /// The ledger has credited somebody, and no money came.
    NotFound,
    /// Money came and was credited, and the amounts are not the same.
    AmountDiffers,
    /// A payment was charged back whole, and its money is there.
    ChargedBack,
}

/// One difference between the ledger and a chain or provider. Nothing was changed because of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discrepancy {
    /// Its kind.
    pub kind: DiscrepancyKind,
    /// The name of the money outside, unique there. On a chain it is the transaction, with the place of the transfer behind a slash
    /// where there are events; at a provider it is the number of the payment.
    pub reference: String,
    /// The amount that arrived, as the chain or provider has it; none where nothing did. In the smallest units of the asset.
    pub came: Option<u128>,
    /// The token by its address, or the currency.
    pub asset: String,
    /// The arrived amount in US dollars, or the credited one where nothing arrived; none where its unit is not known.
    pub usd: Option<Usd>,
    /// The address or name that has paid, where that is known.
    pub payer: Option<String>,
    /// The time of arrival, or of the credit where nothing arrived; unix time in milliseconds.
    pub at_ms: Option<i64>,
    /// The payment of the ledger, where it has one.
    pub payment: Option<i64>,
    /// The order that it is for, where that can be told.
    pub order: Option<OrderId>,
    /// The account of that order.
    pub account: Option<AccountId>,
    /// The number of nodes that show it, and of those that were asked.
    pub shown_by: (usize, usize),
    /// The provider's words on it, where they are more than an amount.
    pub said: Option<String>,
}

/// The comparison of the ledger with one chain or one payment provider.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceReport {
    /// A chain by its CAIP-2 id, or a provider by its name in the configuration.
    pub source: String,
    /// The reason for which it was not compared, or not whole: then the absence of findings says nothing.
    pub unread: Option<String>,
    /// Nodes that did not answer where others did, or not for every block. Transfers that they alone would show are not compared.
    pub silent: Vec<String>,
    /// Payments that are the same on both sides.
    pub matched: usize,
    /// Payments that are not decided yet.
    pub under_way: usize,
    /// The time at which the oldest undecided payment was named whose transfer is there, unix time in milliseconds.
    pub oldest_under_way_ms: Option<i64>,
    /// Transfers of less than any order is for.
    pub small: usize,
    /// The sum of these transfers, in US dollars.
    pub small_usd: Usd,
    /// The discrepancies that are named.
    pub findings: Vec<Discrepancy>,
    /// The number of discrepancies that are not named.
    pub unnamed: usize,
}

/// A whole comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reconciliation {
    /// The start of the compared span, unix time in milliseconds.
    pub since_ms: i64,
    /// The end of the compared span, unix time in milliseconds.
    pub until_ms: i64,
    /// The report on each chain and provider.
    pub sources: Vec<SourceReport>,
}

impl Discrepancy {
    /// A discrepancy about a credit, as the ledger has it.
    pub(super) fn of_credit(kind: DiscrepancyKind, payment: &LedgerPayment) -> Self {
        let credit = Self {
            kind,
            reference: payment.receipt.clone().unwrap_or_else(|| payment.reference.clone()),
            came: None,
            asset: payment.asset.clone(),
            usd: Some(payment.credited),
            payer: payment.payer.clone(),
            at_ms: payment.decided_at_ms,
            payment: None,
            order: None,
            account: None,
            shown_by: (0, 1),
            said: None,
        };
        credit.about(payment)
    }

    /// Adds the payment of the ledger that the discrepancy is about.
    pub(super) fn about(self, payment: &LedgerPayment) -> Self {
        let (id, order, account) = (Some(payment.id), Some(payment.order), Some(payment.account));
        Self { payment: id, order, account, ..self }
    }
}

impl DiscrepancyKind {
    /// Each of them.
    pub const ALL: [Self; 4] = [Self::NotCredited, Self::NotFound, Self::AmountDiffers, Self::ChargedBack];

    /// Its name in JSON and logs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotCredited => "not_credited",
            Self::NotFound => "not_found",
            Self::AmountDiffers => "amount_differs",
            Self::ChargedBack => "charged_back",
        }
    }

    /// Its meaning, for an operator.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::NotCredited => "money came and was credited to nobody",
            Self::NotFound => "an account was credited, and the money is not there",
            Self::AmountDiffers => "another amount came than the payment was credited for",
            Self::ChargedBack => "a payment was charged back and its money is there, without credit for anybody",
        }
    }

    /// The operator's next step.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::NotCredited => {
                "look whose it is. Where a PAYMENT is told, `tollgate payment resolve PAYMENT --credit`; else `tollgate credit grant \
                 --account ACCOUNT --usd USD --idempotency-key REFERENCE`, after which it is not told again; or send it back"
            }
            Self::NotFound => {
                "look for the money by its reference. Where it is not there, `tollgate payment chargeback PAYMENT --reason TEXT`"
            }
            Self::AmountDiffers => {
                "look at the transaction. Where less came than was credited, `tollgate payment chargeback PAYMENT --usd DIFFERENCE \
                 --reason TEXT`; where more came, credit it by `tollgate credit grant` or send it back"
            }
            Self::ChargedBack => {
                "a payment that a chain had taken back may come again. Give the credit back: `tollgate credit grant --account ACCOUNT \
                 --usd USD --idempotency-key REFERENCE`, after which it is not told again; or send the money back"
            }
        }
    }
}

impl fmt::Display for DiscrepancyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl SourceReport {
    /// The report of a source about which nothing is known yet.
    pub(super) fn of(source: &str) -> Self {
        Self { source: source.to_owned(), ..Self::default() }
    }

    /// The report of a source that could not be compared.
    pub(super) fn unread(source: &str, why: String) -> Self {
        Self { unread: Some(why), ..Self::of(source) }
    }

    /// True where all of it was compared, with each of its nodes.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.unread.is_none() && self.silent.is_empty()
    }

    /// True where all of it was compared and nothing differs.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.is_whole() && self.findings.is_empty() && self.unnamed == 0
    }

    /// Names the largest findings alone where there are too many.
    pub(super) fn bound(&mut self) {
        let found = std::mem::take(&mut self.findings);
        self.name(found.into_iter().map(|finding| (1, finding)).collect());
    }

    /// Adds findings, each with the number of nodes that show it: those that most show first, then the largest. So a single node
    /// cannot hide what several show by making things up. Beyond the bound, findings are counted alone.
    pub(super) fn name(&mut self, mut told: Vec<(usize, Discrepancy)>) {
        told.sort_by_key(|(by, finding)| {
            let usd = finding.usd.unwrap_or(Usd::MAX);
            (Reverse(*by), Reverse(usd), finding.kind, finding.at_ms)
        });
        let room = NAMED_MAX.saturating_sub(self.findings.len());
        self.unnamed += told.len().saturating_sub(room);
        self.findings.extend(told.into_iter().take(room).map(|(_, finding)| finding));
    }
}

impl Reconciliation {
    /// True where everything was compared and nothing differs.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.sources.iter().all(SourceReport::is_clean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(usd: i64) -> Discrepancy {
        Discrepancy {
            kind: DiscrepancyKind::NotCredited,
            reference: usd.to_string(),
            came: None,
            asset: "coin".to_owned(),
            usd: Some(Usd::from_nanos(usd)),
            payer: None,
            at_ms: None,
            payment: None,
            order: None,
            account: None,
            shown_by: (1, 2),
            said: None,
        }
    }

    #[test]
    fn what_most_nodes_tell_is_named_before_what_one_makes_up() {
        let made_up = (0..5_000).map(|number| (1, finding(1_000_000 + number)));
        let mut report = SourceReport::of("chain");
        report.name(made_up.chain([(2, finding(5)), (2, finding(7))]).collect());
        let told: Vec<_> = report.findings.iter().take(3).map(|finding| finding.reference.as_str()).collect();
        assert_eq!(told, ["7", "5", "1004999"]);
        assert_eq!((report.findings.len(), report.unnamed), (NAMED_MAX, 5_002 - NAMED_MAX));
    }

    #[test]
    fn a_node_that_is_silent_is_not_clean() {
        let report = SourceReport { silent: vec!["node 1 of 2".to_owned()], ..SourceReport::of("chain") };
        assert!(SourceReport::of("chain").is_clean() && !report.is_clean());
    }
}
