//! Many accounts, opened on a ledger in a file before a gateway serves from it: commands that open one each would take minutes.

use std::path::Path;

use tollgate_accounts::{AccountService, NewKey};
use tollgate_base::{Clock, Usd};
use tollgate_credit::{GrantRequest, LedgerStore};
use tollgate_store::{Store, StoreConfig};

use crate::Failed;

/// Credit of an account: more than any run spends.
const CREDIT: Usd = Usd::from_nanos(1_000_000_000_000_000);

/// Opens accounts with credit in the ledger of a data folder; a key of each.
pub(crate) async fn open(folder: &Path, count: usize) -> Result<Vec<String>, Failed> {
    let clock = Clock::system();
    let store = Store::open(&StoreConfig::Sqlite { path: folder.join("tollgate.db") }, &clock).await?;
    let ledger = LedgerStore::new(store.clone(), clock.clone());
    let accounts = AccountService::new(store.clone(), clock);
    let mut keys = Vec::with_capacity(count);
    for number in 0..count {
        let name = format!("account {number}");
        let account = accounts.create_account(&name, "bench").await?.id;
        ledger.grant(GrantRequest { account, amount: CREDIT, idem: &name, actor: "bench".into(), note: "" }).await?;
        let key = NewKey { account, label: String::new(), expires_at_ms: None };
        keys.push(accounts.create_key(key, "bench").await?.secret.reveal().to_owned());
    }
    store.close().await;
    Ok(keys)
}
