//! What a comparison has found.

use std::fmt;

use crate::base::{AccountId, OrderId, Usd};

/// How the ledger and the world outside differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingKind {
    /// Money came, and the ledger has credited nobody for it.
    NotCredited,
    /// The ledger has credited somebody, and no money came.
    NotFound,
    /// Money came and was credited, and the amounts are not the same.
    AmountDiffers,
}

/// One difference between the ledger and the world outside. Nothing was changed because of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What differs.
    pub kind: FindingKind,
    /// The name of the money outside, unique there: on a chain the transaction, where it has events with the place of the transfer
    /// behind a slash; at a provider its number of the payment.
    pub reference: String,
    /// What came, as the world outside has it; none where nothing did. In the smallest units of the asset.
    pub came: Option<u128>,
    /// The token by its address, or the currency.
    pub asset: String,
    /// What came in US dollars, or what was credited where nothing came; none where its unit is not known.
    pub usd: Option<Usd>,
    /// The address or name that has paid, where that is known.
    pub payer: Option<String>,
    /// When it came, or was credited where nothing came; unix time in milliseconds.
    pub at_ms: Option<i64>,
    /// The payment of the ledger, where it has one.
    pub payment: Option<i64>,
    /// The order that it is for, where that can be told.
    pub order: Option<OrderId>,
    /// The account of that order.
    pub account: Option<AccountId>,
    /// How many of those asked show what came, and how many were asked.
    pub shown_by: (usize, usize),
    /// What the provider says of it in its own words, where that is more than an amount.
    pub said: Option<String>,
}

/// The comparison of the ledger with one chain or one payment provider.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceReport {
    /// A chain by its CAIP-2 id, or a provider by its name in the configuration.
    pub source: String,
    /// Why it could not be compared, or not whole: then the absence of findings says nothing.
    pub unread: Option<String>,
    /// Nodes that did not answer where others did.
    pub silent: Vec<String>,
    /// Payments that are the same on both sides.
    pub matched: usize,
    /// Payments that are not decided yet.
    pub under_way: usize,
    /// Transfers of less than any order is for.
    pub small: usize,
    /// Those together, in US dollars.
    pub small_usd: Usd,
    /// What differs.
    pub findings: Vec<Finding>,
    /// How many more differ than are named.
    pub unnamed: usize,
}

/// A whole comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reconciliation {
    /// Since when money was looked for, unix time in milliseconds.
    pub since_ms: i64,
    /// Until when.
    pub until_ms: i64,
    /// Each chain and provider.
    pub sources: Vec<SourceReport>,
}

impl FindingKind {
    /// Each of them.
    pub const ALL: [Self; 3] = [Self::NotCredited, Self::NotFound, Self::AmountDiffers];

    /// Its name for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotCredited => "not_credited",
            Self::NotFound => "not_found",
            Self::AmountDiffers => "amount_differs",
        }
    }

    /// What it means.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::NotCredited => "money came and was credited to nobody",
            Self::NotFound => "an account was credited, and the money is not there",
            Self::AmountDiffers => "another amount came than the payment was credited for",
        }
    }

    /// What an operator does about it.
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
        }
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl SourceReport {
    /// Of a source about which nothing is known yet.
    pub(super) fn of(source: &str) -> Self {
        Self { source: source.to_owned(), ..Self::default() }
    }

    /// Of a source that could not be compared.
    pub(super) fn unread(source: &str, why: String) -> Self {
        Self { unread: Some(why), ..Self::of(source) }
    }

    /// Whether all of it was compared and nothing differs.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.unread.is_none() && self.findings.is_empty()
    }
}

impl Reconciliation {
    /// Whether everything was compared and nothing differs.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.sources.iter().all(SourceReport::is_clean)
    }
}
