//! How often somebody may try to sign in: so many times a minute from one address, and with one name.

use std::net::IpAddr;

use sha2::{Digest, Sha256};

use super::{Accounts, SignInRefused, sql};
use crate::base::Network;
use crate::generated::limits;
use crate::store::StoreError;

const MINUTE_MS: i64 = 60_000;

impl Accounts {
    /// Counts a try, or refuses it. One that is refused is not counted, so that whoever keeps trying is not kept out for
    /// good; and it costs no write, so that trying floods nothing.
    pub(super) async fn count_try(&self, name: Option<&str>, from: Option<IpAddr>) -> Result<(), SignInRefused> {
        let now_ms = self.clock.now_ms();
        let since_ms = now_ms - MINUTE_MS;
        let subjects: Vec<[u8; 32]> = std::iter::once(of_address(from)).chain(name.map(of_name)).collect();
        for subject in &subjects {
            let before = sql::sessions::tried(self.store.readers(), subject, since_ms).await?;
            refuse_beyond(before.filter(|tries| tries.tries >= most()), now_ms)?;
        }
        let mut transaction = self.store.begin().await?;
        for subject in &subjects {
            let tries = sql::sessions::count_try(&mut transaction, subject, now_ms, since_ms).await?;
            // Another took the last place since; the transaction is dropped, and with it the count.
            refuse_beyond(Some(tries).filter(|tries| tries.tries > most()), now_ms)?;
        }
        sql::sessions::forget_tries(&mut transaction, since_ms).await?;
        transaction.commit().await.map_err(StoreError::commit("a try to sign in"))?;
        Ok(())
    }
}

fn most() -> i64 {
    i64::from(limits::LOGIN_TRIES)
}

/// Refuses with the time until the minute is over.
fn refuse_beyond(tries: Option<sql::sessions::Tries>, now_ms: i64) -> Result<(), SignInRefused> {
    let Some(tries) = tries else { return Ok(()) };
    let wait_ms = (tries.began_at_ms + MINUTE_MS - now_ms).max(1);
    Err(SignInRefused::TooMany { wait_seconds: u32::try_from((wait_ms + 999) / 1000).unwrap_or(60) })
}

fn of_address(from: Option<IpAddr>) -> [u8; 32] {
    let text = from.map(|from| Network::of_client(from).to_string()).unwrap_or_default();
    Sha256::new().chain_update("address ").chain_update(text).finalize().into()
}

fn of_name(name: &str) -> [u8; 32] {
    Sha256::new().chain_update("name ").chain_update(name.to_lowercase()).finalize().into()
}
