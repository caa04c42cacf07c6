//! `GET /console/keys` and `GET /console/keys/{key_id}`.

use askama::Template;

use super::frame::{AccountFrame, ConsoleSection};
use super::pools::NamedPools;
use super::spending::{PoolSelection, SpentOn};
use super::texts::ConsoleTexts;
use super::{AccountPages, Unreadable};
use tollgate_api::generated::ops::console::{
    ShowOwnKey, ShowOwnKeyError, ShowOwnKeyInput, ShowOwnKeys, ShowOwnKeysError, ShowOwnKeysInput,
};
use tollgate_api::generated::ops::keys::{ListKeys, ListKeysInput};
use tollgate_api::generated::types::{Key, KeyStatus};
use tollgate_api::{Caller, Cx, ProxyReply};
use tollgate_base::KeyId;
use tollgate_pages::reply;

#[derive(Template)]
#[template(path = "account/keys.html")]
struct OwnKeysPage {
    t: &'static ConsoleTexts,
    frame: AccountFrame,
    keys: Vec<UsedKey>,
    /// Revoked, or over.
    ended: Vec<Key>,
    pools: NamedPools,
    /// A new key has no limits yet.
    limits_of: Option<Key>,
}

#[derive(Template)]
#[template(path = "account/key.html")]
struct OwnKeyPage {
    t: &'static ConsoleTexts,
    frame: AccountFrame,
    key: Key,
    /// The key once more, for the form of its limits.
    limits_of: Option<Key>,
    pools: NamedPools,
    is_active: bool,
}

/// A key with its use in the last days.
#[derive(Debug)]
struct UsedKey {
    key: Key,
    used: Option<SpentOn>,
}

impl ShowOwnKeys for AccountPages {
    async fn show_own_keys(&self, cx: &Cx, input: ShowOwnKeysInput) -> Result<ProxyReply, ShowOwnKeysError> {
        self.own_keys(cx, &input.caller).await.map_err(|Unreadable| ShowOwnKeysError::LedgerUnavailable)
    }
}

impl ShowOwnKey for AccountPages {
    async fn show_own_key(&self, cx: &Cx, input: ShowOwnKeyInput) -> Result<ProxyReply, ShowOwnKeyError> {
        let ShowOwnKeyInput { caller, key_id } = input;
        let unreadable = |Unreadable| ShowOwnKeyError::LedgerUnavailable;
        let frame = self.frame(cx, &caller, ConsoleSection::Keys).await.map_err(unreadable)?;
        let key = self.accounts.show_own_key(cx, &caller, KeyId(key_id)).await.map_err(|_| unreadable(Unreadable))?;
        let key = key.ok_or(ShowOwnKeyError::KeyNotFound { key_id })?;
        let pools = self.named_pools(cx, &caller, frame.powers).await.map_err(unreadable)?;
        let (t, is_active) = (frame.t, self.is_in_use(&key));
        Ok(reply::page(&OwnKeyPage { t, frame, limits_of: Some(key.clone()), key, pools, is_active }))
    }
}

impl AccountPages {
    async fn own_keys(&self, cx: &Cx, caller: &Caller) -> Result<ProxyReply, Unreadable> {
        let frame = self.frame(cx, caller, ConsoleSection::Keys).await?;
        let (keys, ended): (Vec<Key>, Vec<Key>) =
            self.all_keys(cx, caller).await?.into_iter().partition(|key| self.is_in_use(key));
        let spent = self.spending(cx, caller, self.last_days(), PoolSelection::default()).await?.unwrap_or_default();
        let mut spent = spent.keys;
        let used = |key: Key| {
            let place = spent.iter().position(|on| on.name == key.key_id.to_string());
            UsedKey { used: place.map(|place| spent.swap_remove(place)), key }
        };
        let keys = keys.into_iter().map(used).collect();
        let pools = self.named_pools(cx, caller, frame.powers).await?;
        let t = frame.t;
        Ok(reply::page(&OwnKeysPage { t, frame, keys, ended, pools, limits_of: None }))
    }

    /// True for a key that is neither revoked nor over.
    pub(super) fn is_in_use(&self, key: &Key) -> bool {
        let now = self.clock.now_ms() / 1000;
        key.status == KeyStatus::Active && key.expires_at.is_none_or(|end| now < end)
    }

    /// The keys of the account, the newest first: all that live, and those that were revoked or have ended lately.
    pub(super) async fn all_keys(&self, cx: &Cx, caller: &Caller) -> Result<Vec<Key>, Unreadable> {
        let list = ListKeysInput { caller: caller.clone() };
        Ok(self.accounts.list_keys(cx, list).await.map_err(|_| Unreadable)?.data)
    }
}
