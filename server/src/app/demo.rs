//! An account to try the gateway with, where a sandbox runs: sandbox credit, and a fresh key at every start.

use tollgate_accounts::{AccountError, AccountService, NewKey};
use tollgate_base::{Clock, Secret, Usd};
use tollgate_credit::{GrantRequest, Ledger};

use super::start_error::StartError;

const NAME: &str = "demo";
const ACTOR: &str = "sandbox";
const CREDIT: Usd = Usd::from_nanos(10_000_000_000);
/// Keys of earlier starts go on working this long, so that a restart does not break a shell that holds one.
const KEY_LASTS_MS: i64 = 7 * 24 * 60 * 60 * 1000;

/// The demo account, for a person who tries the gateway.
#[derive(Debug)]
pub struct DemoAccount {
    /// The key; shown once, as any key.
    pub key: Secret,
    /// The available credit of the account.
    pub available: Usd,
}

/// Makes the account where there is none, and a key.
pub(super) async fn prepare(
    accounts: &AccountService,
    credit: &Ledger,
    clock: &Clock,
) -> Result<DemoAccount, StartError> {
    let account = match accounts.find_account(NAME).await {
        Ok(account) => account,
        Err(AccountError::NoSuchAccount) => accounts.create_account(NAME, ACTOR).await?,
        Err(error) => return Err(error.into()),
    };
    let ask = GrantRequest {
        account: account.id,
        amount: CREDIT,
        idem: "demo-credit",
        actor: ACTOR.into(),
        note: "sandbox credit",
    };
    credit.grant(ask).await?;
    let key =
        NewKey { account: account.id, label: "demo".to_owned(), expires_at_ms: Some(clock.now_ms() + KEY_LASTS_MS) };
    let created = accounts.create_key(key, ACTOR).await?;
    let balance = credit.balance(account.id).await?;
    Ok(DemoAccount { key: created.secret, available: balance.available() })
}
