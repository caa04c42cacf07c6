//! The result of an audit, for people and for programs.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};

use super::AccountBalance;
use tollgate_base::AccountId;

/// The result of an audit. Sums are in nano-USD and 128 bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditReport {
    /// Accounts with a balance.
    pub accounts: usize,
    /// The rows that were counted.
    pub totals: AuditTotals,
    /// The sum of all balances.
    pub posted: i128,
    /// The part of it that open holds reserve.
    pub held: i128,
    /// The balances of the ledger's own accounts, by their codes. With `posted` they add up to nothing.
    pub house: BTreeMap<String, i128>,
    /// Everything that is not as it should be; empty where the books are right.
    pub differences: Vec<AuditDifference>,
}

/// Rows counted and summed by an audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AuditTotals {
    /// Movements of money other than charges, which are receipts.
    pub transfers: i64,
    /// Holds ever taken.
    pub holds: i64,
    /// Holds that are open.
    pub holds_open: i64,
    /// Holds that were settled.
    pub settled: i64,
    /// Costs that accounts could not pay, in nano-USD.
    pub shortfall: i128,
}

/// Something in the books that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditDifference {
    /// A balance is not the sum of its transfers and charges.
    Posted {
        /// The account.
        account: AccountId,
        /// The balance as it is kept, in nano-USD.
        kept: i128,
        /// The sum of transfers and charges.
        counted: i128,
    },
    /// The reserved part of a balance is not the sum of its open holds.
    Held {
        /// The account.
        account: AccountId,
        /// The reserved part as it is kept, in nano-USD.
        kept: i128,
        /// The sum of its open holds, in nano-USD.
        counted: i128,
    },
    /// More is reserved than there is.
    Overdrawn {
        /// The account.
        account: AccountId,
        /// The balance.
        balance: AccountBalance,
    },
    /// Transfers or holds of an account that has no balance.
    NoBalance {
        /// The account.
        account: AccountId,
    },
    /// All accounts together do not add up to nothing.
    Unbalanced {
        /// The sum of all accounts, in nano-USD.
        sum: i128,
    },
    /// The debts of accounts are not the balance of the account of debts.
    Debts {
        /// The sum of the debts, in nano-USD.
        kept: i128,
        /// The sum of transfers and charges.
        counted: i128,
    },
    /// The payments of a rail, less what was given back, are not the balance of its clearing account.
    Cleared {
        /// The clearing account, by its code.
        code: String,
        /// The sum of the payments, in nano-USD.
        kept: i128,
        /// The sum of transfers and charges.
        counted: i128,
    },
    /// A row that the rules of the schema make impossible.
    Impossible {
        /// The kind of the row, such as `account without a balance`.
        sign: &'static str,
        /// Its number.
        row: i64,
    },
    /// The file itself is damaged.
    Damaged {
        /// The message of SQLite.
        said: String,
    },
    /// Tables, rules or indexes are not the ones that were made.
    SchemaAltered,
}

impl AuditReport {
    /// True if the books are right.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.differences.is_empty()
    }

    /// The report for programs. Amounts are decimals in strings, which no reader rounds.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let house: BTreeMap<&str, String> =
            self.house.iter().map(|(code, nanos)| (code.as_str(), usd(*nanos))).collect();
        json!({
            "clean": self.is_clean(),
            "accounts": self.accounts,
            "transfers": self.totals.transfers,
            "holds": self.totals.holds,
            "holds_open": self.totals.holds_open,
            "settled": self.totals.settled,
            "posted_usd": usd(self.posted),
            "held_usd": usd(self.held),
            "shortfall_usd": usd(self.totals.shortfall),
            "house_usd": house,
            "differences": self.differences.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for AuditReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AuditTotals { transfers, holds, holds_open, settled, shortfall } = self.totals;
        writeln!(
            f,
            "{} accounts, {transfers} transfers, {holds} holds ({settled} settled, {holds_open} open)",
            self.accounts
        )?;
        writeln!(
            f,
            "balances {} USD, of which {} held; shortfall {} USD",
            usd(self.posted),
            usd(self.held),
            usd(shortfall)
        )?;
        for (code, nanos) in self.house.iter().filter(|(_, nanos)| **nanos != 0) {
            writeln!(f, "{code} {} USD", usd(*nanos))?;
        }
        for difference in &self.differences {
            writeln!(f, "DIFFERENCE: {difference}")?;
        }
        f.write_str(if self.is_clean() { "the books are right" } else { "the books are WRONG" })
    }
}

impl fmt::Display for AuditDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Posted { account, kept, counted } => {
                write!(
                    f,
                    "account {account} has a balance of {} USD, but its transfers and charges add up to {}",
                    usd(*kept),
                    usd(*counted)
                )
            }
            Self::Held { account, kept, counted } => {
                write!(
                    f,
                    "account {account} has {} USD held, but its open holds add up to {}",
                    usd(*kept),
                    usd(*counted)
                )
            }
            Self::Overdrawn { account, balance } => {
                write!(f, "account {account} has {} USD held of {}", balance.held, balance.posted)
            }
            Self::NoBalance { account } => write!(f, "account {account} has transfers or holds, but no balance"),
            Self::Unbalanced { sum } => write!(f, "all accounts together add up to {} USD, not to nothing", usd(*sum)),
            Self::Debts { kept, counted } => {
                write!(f, "accounts owe {} USD, but the transfers of debts add up to {}", usd(*kept), usd(*counted))
            }
            Self::Cleared { code, kept, counted } => write!(
                f,
                "payments of {code} come to {} USD, but its transfers add up to {}",
                usd(*kept),
                usd(*counted)
            ),
            Self::Impossible { sign, row } => write!(f, "{sign}: row {row}"),
            Self::Damaged { said } => write!(f, "the file is damaged: {said}"),
            Self::SchemaAltered => {
                f.write_str("the tables and rules of the database are not the ones this program made")
            }
        }
    }
}

/// Nano-USD as a decimal, also beyond the range of one amount.
fn usd(nanos: i128) -> String {
    const UNIT: u128 = 1_000_000_000;
    let sign = if nanos < 0 { "-" } else { "" };
    let (whole, part) = (nanos.unsigned_abs() / UNIT, nanos.unsigned_abs() % UNIT);
    let text = format!("{sign}{whole}.{part:09}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
