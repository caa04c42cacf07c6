//! Making, listing, changing and revoking keys.

use super::sql::keys::KeyRevoker;
use super::{
    AccountError, AccountService, ApiKey, CreatedKey, KeyChange, KeyLimits, KeyState, NewKey, RevokedKey, key, sql,
};
use tollgate_api::generated::limits;
use tollgate_base::{AccountId, Actor, AgentId, Caller, CallerCredential, KeyId, PoolId, Usd, draw_id, rfc3339};
use tollgate_store::{AuditEntry, StatementTarget, StoreError, StoreTransaction, record};

const LABEL_CHARS_MAX: usize = 64;

impl AccountService {
    /// Makes a key without limits. Its secret is in the answer and nowhere else.
    ///
    /// # Errors
    /// As [`create_limited_key`](Self::create_limited_key).
    pub async fn create_key(
        &self,
        new: NewKey,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<CreatedKey, AccountError> {
        self.create_limited_key(new, KeyLimits::default(), actor).await
    }

    /// Makes a key. Its secret is in the answer and nowhere else.
    ///
    /// # Errors
    /// When the account is not there or has too many live keys, the label or a limit is unfit, the expiry is past, or the
    /// store fails.
    pub async fn create_limited_key(
        &self,
        new: NewKey,
        limits: KeyLimits,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<CreatedKey, AccountError> {
        let mut transaction = self.store.begin_of(new.account).await?;
        let created = self.make(&mut transaction, new, limits, KeyMaker::ACCOUNT, actor.into()).await?;
        transaction.commit().await.map_err(StoreError::commit("a key"))?;
        Ok(created)
    }

    /// Makes a key for whoever may manage the keys of the account.
    ///
    /// # Errors
    /// When the caller's own key is limited, or ends before the new one would; or as
    /// [`create_limited_key`](Self::create_limited_key).
    pub async fn create_own_key(
        &self,
        caller: &Caller,
        label: String,
        expires_at_ms: Option<i64>,
        limits: KeyLimits,
    ) -> Result<CreatedKey, AccountError> {
        let mut transaction = self.store.begin_of(caller.account).await?;
        let manager = self.may_manage_now(&mut transaction, caller).await?;
        let limits = with_maker(caller, with_own_member(caller, limits)?);
        // Whoever has a key for a week makes none for ever.
        let expires_at_ms = match (expires_at_ms, manager.ends_at_ms) {
            (Some(asked), Some(most)) if asked > most => return Err(AccountError::ExpiryBeyondMaker),
            (asked, most) => asked.or(most),
        };
        let new = NewKey { account: caller.account, label, expires_at_ms };
        // What an admin makes does not outrank who made it.
        let by = KeyMaker { member: manager.member, manages: caller.is_owner(), agent: None };
        let created = self.make(&mut transaction, new, limits, by, (&actor(caller)).into()).await?;
        transaction.commit().await.map_err(StoreError::commit("a key"))?;
        Ok(created)
    }

    pub(super) async fn make(
        &self,
        transaction: &mut StoreTransaction,
        new: NewKey,
        limits: KeyLimits,
        by: KeyMaker,
        actor: Actor<'_>,
    ) -> Result<CreatedKey, AccountError> {
        let created_at_ms = self.clock.now_ms();
        if !fit_label(&new.label) {
            return Err(AccountError::LabelInvalid);
        }
        if new.expires_at_ms.is_some_and(|at| at <= created_at_ms) {
            return Err(AccountError::ExpiryPast);
        }
        limits.check().map_err(AccountError::BadLimit)?;
        let secret = key::draw(key::ACCOUNT);
        let hash = key::hash(key::ACCOUNT, secret.reveal()).expect("a drawn key is well formed");
        let key = ApiKey {
            id: KeyId(draw_id(1)),
            account: new.account,
            shown: key::shown(&secret),
            label: new.label,
            state: KeyState::Active,
            created_at_ms,
            expires_at_ms: new.expires_at_ms,
            manages: by.manages && limits.is_none(),
            limits,
            agent: by.agent,
            made_by: by.member,
        };
        // Counted under the write lock, so that no two take the last place.
        sql::keys::lock_account(transaction, new.account).await?;
        let live = sql::keys::live(transaction, new.account, created_at_ms).await?;
        if live >= i64::from(limits::KEYS_PER_ACCOUNT) {
            return Err(AccountError::TooManyKeys(live));
        }
        sql::keys::check_pools(transaction, &key).await?;
        sql::keys::insert(transaction, &key, &hash).await?;
        let detail = format!("account {} {}", key.account, key.shown);
        self.note(transaction, actor, "key.create", &detail, None, &key).await?;
        Ok(CreatedKey { key, secret })
    }

    /// The keys of an account, the newest first: all that live, and those that were revoked or have ended lately.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn keys(&self, account: AccountId) -> Result<Vec<ApiKey>, AccountError> {
        Ok(sql::keys::of_account(self.store.readers(), account, None, self.clock.now_ms()).await?)
    }

    /// The keys of the caller's account, for whoever may manage them.
    ///
    /// # Errors
    /// When the caller's own key is limited, or the store fails.
    pub async fn own_keys(&self, caller: &Caller) -> Result<Vec<ApiKey>, AccountError> {
        may_manage(self.store.readers(), caller).await?;
        let (own, now_ms) = (caller.own_keys_only(), self.clock.now_ms());
        Ok(sql::keys::of_account(self.store.readers(), caller.account, own, now_ms).await?)
    }

    /// A key of the caller's account, for whoever may manage it.
    ///
    /// # Errors
    /// When the caller's own key is limited, the account has no such key that the caller may see, or the store fails.
    pub async fn find_own_key(&self, caller: &Caller, id: KeyId) -> Result<ApiKey, AccountError> {
        may_manage(self.store.readers(), caller).await?;
        let found = sql::keys::own(self.store.readers(), caller.account, id).await?;
        found.filter(|key| is_theirs(caller, key)).ok_or(AccountError::NoSuchKey)
    }

    /// Changes what a key of the caller's account may do. It holds from the next request on; the limits of other nodes
    /// follow within a second, those that the ledger keeps at once.
    ///
    /// # Errors
    /// When the caller's own key is limited, the account has no such key, it is revoked, a limit is unfit, or the store
    /// fails.
    pub async fn change_own_key(&self, caller: &Caller, id: KeyId, change: KeyChange) -> Result<ApiKey, AccountError> {
        let mut transaction = self.store.begin_of(caller.account).await?;
        sql::keys::lock_account(&mut transaction, caller.account).await?;
        let ends_at_ms = self.may_manage_now(&mut transaction, caller).await?.ends_at_ms;
        let key = self.own_key(&mut transaction, caller, id).await?;
        // Whoever has a key for a week widens none that outlives it.
        if ends_at_ms.is_some_and(|end| key.expires_at_ms.is_none_or(|at| at > end)) {
            return Err(AccountError::KeyLimited);
        }
        let before = key.clone();
        let key = change.of(key);
        may_move(caller, &before.limits, &key.limits)?;
        self.write_change(transaction, &before, key, (&actor(caller)).into()).await
    }

    /// Changes a key of any account, as an operator asked by the admin API. It holds from the next request on.
    ///
    /// # Errors
    /// When there is no such key, it is revoked, a limit cannot be, its account has no such team or member, or the store fails.
    pub async fn change_any_key(
        &self,
        id: KeyId,
        change: KeyChange,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<ApiKey, AccountError> {
        let mut transaction = self.store.begin().await?;
        let account = sql::keys::any(&mut transaction, id).await?.ok_or(AccountError::NoSuchKey)?.account;
        sql::keys::lock_account(&mut transaction, account).await?;
        let key = sql::keys::own(&mut transaction, account, id).await?.ok_or(AccountError::NoSuchKey)?;
        let before = key.clone();
        self.write_change(transaction, &before, change.of(key), actor.into()).await
    }

    /// Writes a changed key, whose account is locked.
    async fn write_change(
        &self,
        mut transaction: StoreTransaction,
        before: &ApiKey,
        mut key: ApiKey,
        actor: Actor<'_>,
    ) -> Result<ApiKey, AccountError> {
        // Once it is limited, whoever may take the limits away does not make it a manager.
        key.manages = key.manages && before.limits.is_none() && key.limits.is_none();
        if !fit_label(&key.label) {
            return Err(AccountError::LabelInvalid);
        }
        key.limits.check().map_err(AccountError::BadLimit)?;
        sql::keys::check_pools(&mut transaction, &key).await?;
        if !sql::keys::change(&mut transaction, &key).await? {
            return Err(AccountError::KeyRevoked);
        }
        self.note(&mut transaction, actor, "key.change", &key.shown, Some(before), &key).await?;
        transaction.commit().await.map_err(StoreError::commit("a key"))?;
        self.cache.forget();
        Ok(key)
    }

    /// Revokes a key of the caller's account. Doing it twice is the same as once.
    ///
    /// # Errors
    /// When the caller's own key is limited, the account has no such key, or the store fails.
    pub async fn revoke_own_key(&self, caller: &Caller, id: KeyId) -> Result<ApiKey, AccountError> {
        let mut transaction = self.store.begin_of(caller.account).await?;
        self.may_manage_now(&mut transaction, caller).await?;
        let key = self.own_key(&mut transaction, caller, id).await?;
        Ok(self.revoke(transaction, key, KeyRevoker::Owner, (&actor(caller)).into()).await?.key)
    }

    /// Revokes the key of this number, or shown like this (`sk-AbCdE…wxyz`, or its first eight characters). Doing it
    /// twice is the same as once.
    ///
    /// # Errors
    /// When no key or more than one fits, or the store fails.
    pub async fn revoke_key(
        &self,
        id_or_shown: &str,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<RevokedKey, AccountError> {
        let mut transaction = self.store.begin().await?;
        let mut fitting = sql::keys::like(&mut transaction, id_or_shown).await?;
        let key = fitting.pop().ok_or(AccountError::NoSuchKey)?;
        if !fitting.is_empty() {
            return Err(AccountError::Ambiguous);
        }
        self.revoke(transaction, key, KeyRevoker::Operator, actor.into()).await
    }

    /// Revokes a key of any account, as an operator asked by the admin API. Doing it twice is the same as once.
    ///
    /// # Errors
    /// When there is no such key, or the store fails.
    pub async fn revoke_any_key(
        &self,
        id: KeyId,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<RevokedKey, AccountError> {
        let mut transaction = self.store.begin().await?;
        let key = sql::keys::any(&mut transaction, id).await?.ok_or(AccountError::NoSuchKey)?;
        self.revoke(transaction, key, KeyRevoker::Admin, actor.into()).await
    }

    /// A key of the caller's account that the caller may see.
    async fn own_key(
        &self,
        transaction: &mut StoreTransaction,
        caller: &Caller,
        id: KeyId,
    ) -> Result<ApiKey, AccountError> {
        let found = sql::keys::own(transaction, caller.account, id).await?;
        found.filter(|key| is_theirs(caller, key)).ok_or(AccountError::NoSuchKey)
    }

    async fn revoke(
        &self,
        mut transaction: StoreTransaction,
        mut key: ApiKey,
        by: KeyRevoker,
        actor: Actor<'_>,
    ) -> Result<RevokedKey, AccountError> {
        // A batch that has read the key as live writes first, or reads it after.
        sql::keys::lock_account(&mut transaction, key.account).await?;
        let before = key.clone();
        let was_active = sql::keys::revoke(&mut transaction, key.id, by).await?;
        key.state = KeyState::Revoked;
        if was_active {
            self.note(&mut transaction, actor, "key.revoke", &key.shown, Some(&before), &key).await?;
        }
        transaction.commit().await.map_err(StoreError::commit("a revocation"))?;
        self.cache.forget();
        Ok(RevokedKey { key, was_active })
    }

    /// Sees, within the transaction that changes something, that a caller may manage keys.
    /// A person who has signed out meanwhile, has another password or is frozen makes nothing that would outlive it.
    pub(super) async fn may_manage_now(
        &self,
        transaction: &mut StoreTransaction,
        caller: &Caller,
    ) -> Result<KeyManager, AccountError> {
        if let CallerCredential::Session(id) = caller.by
            && !self.still_signed_in(transaction, caller, id).await?
        {
            return Err(AccountError::SignedOut);
        }
        if !sql::is_active(transaction, caller.account).await? {
            return Err(AccountError::Frozen);
        }
        may_manage(transaction, caller).await
    }

    /// Writes what was done to a key into the log of changes.
    async fn note(
        &self,
        transaction: &mut StoreTransaction,
        actor: Actor<'_>,
        action: &'static str,
        detail: &str,
        before: Option<&ApiKey>,
        after: &ApiKey,
    ) -> Result<(), StoreError> {
        let (subject, before, after) = (after.id.to_string(), before.map(described), described(after));
        let entry = AuditEntry::new(self.clock.now_ms(), actor, action, &subject).detail(detail);
        record(transaction, &entry.change(before.as_deref(), &after)).await
    }
}

/// The changeable part of a key, for the log of changes.
fn described(key: &ApiKey) -> String {
    let KeyLimits {
        scope,
        budget_day,
        budget_week,
        budget_month,
        budget_life,
        requests_per_minute,
        tokens_per_minute,
        in_flight,
        team,
        member,
        ..
    } = &key.limits;
    let addresses = scope.addresses.as_ref().map(|ranges| ranges.iter().map(ToString::to_string).collect::<Vec<_>>());
    let usd = |amount: &Option<Usd>| amount.map(|amount| amount.to_string());
    serde_json::json!({
        "state": key.state.as_str(), "label": key.label, "expires_at": key.expires_at_ms.map(rfc3339),
        "models": scope.models, "operations": scope.operations, "addresses": addresses,
        "budget_day_usd": usd(budget_day), "budget_week_usd": usd(budget_week), "budget_month_usd": usd(budget_month),
        "budget_usd": usd(budget_life),
        "requests_per_minute": requests_per_minute, "tokens_per_minute": tokens_per_minute, "in_flight": in_flight,
        "team_id": team.map(|team| team.0), "member_id": member.map(|member| member.0), "include_cost": key.limits.include_cost, "manages": key.manages,
        "made_by": key.made_by.map(|member| member.0),
    })
    .to_string()
}

/// The maker of a key.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyMaker {
    /// The member, by itself or by a key that it made.
    pub(super) member: Option<PoolId>,
    /// True for who may have it manage the account.
    pub(super) manages: bool,
    /// The agent that gets it.
    pub(super) agent: Option<AgentId>,
}

impl KeyMaker {
    /// The account itself, or an operator.
    const ACCOUNT: Self = Self { member: None, manages: true, agent: None };
}

/// A caller who may manage keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KeyManager {
    /// The end of the caller's key, where it has one.
    pub(super) ends_at_ms: Option<i64>,
    /// The member who acts, or who made the caller's key.
    pub(super) member: Option<PoolId>,
}

/// True for a key that the caller may see: a developer sees the own ones.
fn is_theirs(caller: &Caller, key: &ApiKey) -> bool {
    caller.own_keys_only().is_none_or(|member| key.limits.member == Some(member))
}

/// Sees that a developer leaves a key to the member and the team that it is of.
fn may_move(caller: &Caller, before: &KeyLimits, after: &KeyLimits) -> Result<(), AccountError> {
    let stays = (before.member, before.team) == (after.member, after.team);
    if stays || caller.own_keys_only().is_none() { Ok(()) } else { Err(AccountError::OwnKeysOnly) }
}

/// The limits of a key that the caller makes: a developer's is the developer's own, and of no team.
fn with_own_member(caller: &Caller, limits: KeyLimits) -> Result<KeyLimits, AccountError> {
    let Some(member) = caller.own_keys_only() else { return Ok(limits) };
    match (limits.member, limits.team) {
        (None, None) => Ok(KeyLimits { member: Some(member), ..limits }),
        (Some(same), None) if same == member => Ok(limits),
        _ => Err(AccountError::OwnKeysOnly),
    }
}

/// The limits of a key that a member makes whom groups have made: it is the member's own, whatever the role, so that it goes with the
/// groups. A key of a team is the team's.
fn with_maker(caller: &Caller, limits: KeyLimits) -> KeyLimits {
    let own = caller.member.filter(|member| member.by_groups && limits.team.is_none()).map(|member| member.id);
    KeyLimits { member: limits.member.or(own), ..limits }
}

/// Sees that a caller may manage keys.
/// A person who is signed in may, and a key that is not itself kept from something, as the database has it at this moment. For
/// reading; who writes asks [`AccountService::may_manage_now`].
pub(super) async fn may_manage<'t>(
    reader: impl Into<StatementTarget<'t>>,
    caller: &Caller,
) -> Result<KeyManager, AccountError> {
    let id = match caller.by {
        CallerCredential::Session(_) => {
            return Ok(KeyManager { ends_at_ms: None, member: caller.member.map(|member| member.id) });
        }
        CallerCredential::Agent(..) => return Err(AccountError::KeyLimited),
        CallerCredential::Key(id) => id,
    };
    match sql::keys::own(reader, caller.account, id).await? {
        Some(key) if key.state == KeyState::Active && key.manages && key.limits.is_none() => {
            Ok(KeyManager { ends_at_ms: key.expires_at_ms, member: key.made_by })
        }
        // It was revoked since it was let in; or it is limited.
        Some(_) | None => Err(AccountError::KeyLimited),
    }
}

/// The caller, in the words of the audit log.
pub(super) fn actor(caller: &Caller) -> String {
    match caller.by {
        CallerCredential::Key(id) | CallerCredential::Agent(_, id) => format!("key {id}"),
        CallerCredential::Session(_) => format!("account {}", caller.person()),
    }
}

pub(super) fn fit_label(label: &str) -> bool {
    label.chars().count() <= LABEL_CHARS_MAX && !label.chars().any(char::is_control)
}
