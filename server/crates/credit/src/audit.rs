//! An audit: everything that is derived is derived again, and every difference is named.

use std::collections::{BTreeMap, BTreeSet};

use super::{AccountBalance, AuditDifference, AuditReport, LedgerStore, LedgerStoreError, sql};
use tollgate_base::AccountId;
use tollgate_store::{SchemaState, StoreError, schema_state};

impl LedgerStore {
    /// Derives all balances again from transfers, receipts, what was carried forward and open holds, and checks each charge against
    /// its usage and prices, in one snapshot: a server may go on meanwhile.
    ///
    /// # Errors
    /// When the books cannot be read. A fault in them is no error but an [`AuditDifference`].
    pub async fn audit(&self) -> Result<AuditReport, LedgerStoreError> {
        let mut snapshot = self.store.readers().begin().await.map_err(StoreError::read("the books"))?;
        sql::hold_months(&mut snapshot).await?;
        let moved = sql::moved(&mut snapshot).await?;
        let reserved = sql::reserved(&mut snapshot).await?;
        let balances = sql::balances(&mut snapshot).await?;
        let house = sql::own_accounts(&mut snapshot).await?;
        let totals = sql::totals(&mut snapshot).await?;
        let owed = sql::owed(&mut snapshot).await?;
        let cleared = sql::cleared(&mut snapshot).await?;
        let mut differences = compare(&balances, &moved, &reserved, &house);
        differences.extend(compare_debts(owed, &moved, &house));
        differences.extend(compare_cleared(&cleared, &moved, &house));
        differences.extend(sql::impossible(&mut snapshot).await?);
        if schema_state(&mut snapshot).await? == SchemaState::Altered {
            differences.push(AuditDifference::SchemaAltered);
        }
        if !differences.is_empty() {
            let (found, first) = (differences.len(), &differences[0]);
            tracing::error!(target: "alarm", alarm = "audit", differences = found, %first, "the books are not right");
        }
        Ok(AuditReport {
            accounts: balances.len(),
            totals,
            posted: balances.values().map(|balance| i128::from(balance.posted.nanos())).sum(),
            held: balances.values().map(|balance| i128::from(balance.held.nanos())).sum(),
            house: house.into_iter().map(|(id, code)| (code, moved.get(&id).copied().unwrap_or(0))).collect(),
            differences,
        })
    }
}

/// Compares the payments of each rail with the balance of its clearing account.
fn compare_cleared(
    cleared: &BTreeMap<String, i128>,
    moved: &BTreeMap<i64, i128>,
    house: &BTreeMap<i64, String>,
) -> Vec<AuditDifference> {
    let clearing = house.iter().filter(|(_, code)| code.starts_with("clearing:"));
    let differences = clearing.filter_map(|(id, code)| {
        let kept = cleared.get(code).copied().unwrap_or(0);
        let counted = -moved.get(id).copied().unwrap_or(0);
        (kept != counted).then(|| AuditDifference::Cleared { code: code.clone(), kept, counted })
    });
    differences.collect()
}

/// Compares what accounts owe with the balance of the account of debts.
fn compare_debts(owed: i128, moved: &BTreeMap<i64, i128>, house: &BTreeMap<i64, String>) -> Option<AuditDifference> {
    let debts = house.iter().find(|(_, code)| *code == "debts").and_then(|(id, _)| moved.get(id)).copied();
    let counted = -debts.unwrap_or(0);
    (owed != counted).then_some(AuditDifference::Debts { kept: owed, counted })
}

/// Compares balances as they are kept with the sums of transfers, receipts and open holds.
fn compare(
    balances: &BTreeMap<AccountId, AccountBalance>,
    moved: &BTreeMap<i64, i128>,
    reserved: &BTreeMap<i64, i128>,
    house: &BTreeMap<i64, String>,
) -> Vec<AuditDifference> {
    let mut differences = Vec::new();
    for (&account, &balance) in balances {
        let (posted, held) = (i128::from(balance.posted.nanos()), i128::from(balance.held.nanos()));
        let (moved, reserved) =
            (moved.get(&account.0).copied().unwrap_or(0), reserved.get(&account.0).copied().unwrap_or(0));
        if posted != moved {
            differences.push(AuditDifference::Posted { account, kept: posted, counted: moved });
        }
        if held != reserved {
            differences.push(AuditDifference::Held { account, kept: held, counted: reserved });
        }
        if held < 0 || posted < held {
            differences.push(AuditDifference::Overdrawn { account, balance });
        }
    }
    let touched: BTreeSet<i64> = moved.keys().chain(reserved.keys()).copied().collect();
    let homeless = touched.into_iter().filter(|id| !house.contains_key(id) && !balances.contains_key(&AccountId(*id)));
    differences.extend(homeless.map(|id| AuditDifference::NoBalance { account: AccountId(id) }));
    let kept: i128 = balances.values().map(|balance| i128::from(balance.posted.nanos())).sum();
    let sum = kept + house.keys().filter_map(|id| moved.get(id)).sum::<i128>();
    if sum != 0 {
        differences.push(AuditDifference::Unbalanced { sum });
    }
    differences
}
