//! Reading what is on offer, again whenever it was changed, and changing it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use ipnet::IpNet;
use tokio::sync::Mutex;

use tollgate_api::InFlightRequests;
use tollgate_base::{AccountGroup, Actor, Clock, PriceRatio};
use tollgate_gateway::{Config, Gateway};
use tollgate_store::{AuditEntry, Store, StoreError, StoreTransaction, record};

use crate::draft::{CatalogChange, CatalogDraft, CatalogWrite, SecretWrite};
use crate::entry::{CatalogEntry, EntryBody, EntryKind, EntryName, EntryVersion, provider_table};
use crate::error::{CatalogError, CatalogStartError};
use crate::live::{KeptCatalog, LiveCatalog};
use crate::merge::{ConfiguredSide, Faults};
use crate::offer::FileOffer;
use crate::sealing::{SealedSecret, SealingKeys};
use crate::sql;

/// The pause between two looks at the revision. A change is live everywhere within two seconds, the look and the building of
/// clients included.
const LOOK: Duration = Duration::from_millis(500);

/// The terms on which operators put things on offer.
#[derive(Debug, Clone, Default)]
pub struct CatalogTerms {
    /// The keys under which secrets are sealed.
    pub keys: SealingKeys,
    /// The networks besides the open internet in which providers that operators add may be.
    pub networks: Vec<IpNet>,
    /// True for a sandbox, which sells what it has.
    pub sandbox: bool,
}

/// What is on offer, read for the first time.
#[derive(Debug)]
pub struct LoadedCatalog {
    store: Store,
    clock: Clock,
    terms: CatalogTerms,
    live: LiveCatalog,
}

/// The handle of this room. Cheap to clone.
#[derive(Debug, Clone)]
pub struct CatalogService {
    inner: Arc<CatalogInner>,
}

#[derive(Debug)]
struct CatalogInner {
    store: Store,
    clock: Clock,
    terms: CatalogTerms,
    gateway: Gateway,
    /// The places of requests, of which each account of a group has so many.
    places: InFlightRequests,
    live: ArcSwap<LiveCatalog>,
    /// Taken by whoever reads anew, so that what was read earlier never takes the place of what was read later.
    reading: Mutex<()>,
}

impl LoadedCatalog {
    /// Reads what operators put on offer, and merges it with what the configuration says: `config` is what `offer` comes to.
    ///
    /// # Errors
    /// When the store fails, or a secret does not open under the keys.
    pub async fn open(
        store: Store,
        clock: Clock,
        offer: FileOffer,
        config: Config,
        terms: CatalogTerms,
    ) -> Result<Self, CatalogStartError> {
        // A sandbox sells what it has: its credit must not buy from real providers.
        let kept = if terms.sandbox { KeptCatalog::default() } else { read(&store).await? };
        for secret in kept.secrets.values() {
            check_secret(secret, &kept, &terms.keys)?;
        }
        let configured = Arc::new(ConfiguredSide { offer, config });
        let merged = kept.merge(&configured, &terms.keys, &terms.networks);
        log_faults(&Faults::new(), &merged.faults);
        Ok(Self { store, clock, terms, live: LiveCatalog { configured, kept, merged } })
    }

    /// The gateway's configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.live.merged.config
    }

    /// True if operators have or had a group of this name: an account may have come into it while it was taken off.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn had_group(&self, group: AccountGroup) -> Result<bool, StoreError> {
        had_group(&self.store, group).await
    }
}

impl CatalogService {
    /// The handle, for the gateway that was built from the configuration of `loaded`. The accounts of groups have so many of
    /// `places` as is written from now on.
    #[must_use]
    pub fn new(loaded: LoadedCatalog, gateway: Gateway, places: InFlightRequests) -> Self {
        let LoadedCatalog { store, clock, terms, live } = loaded;
        places.bound_groups(live.merged.offer.group_bounds());
        let (live, reading) = (ArcSwap::from_pointee(live), Mutex::default());
        Self { inner: Arc::new(CatalogInner { store, clock, terms, gateway, places, live, reading }) }
    }

    /// True for a sandbox, which sells what it has and refuses every change.
    #[must_use]
    pub fn is_sandbox(&self) -> bool {
        self.inner.terms.sandbox
    }

    /// Looks for changes, again and again, until the future is dropped.
    pub async fn follow_for_ever(&self) {
        let mut told = String::new();
        loop {
            tokio::time::sleep(LOOK).await;
            let error = self.refresh().await.err().map(|error| tollgate_base::with_causes(&error)).unwrap_or_default();
            if !error.is_empty() && error != told {
                tracing::error!(
                    target: "alarm", alarm = "catalog", error,
                    "what operators put on offer could not be read; what was read before is sold"
                );
            }
            told = error;
        }
    }

    /// Reads what is on offer where it was changed.
    ///
    /// # Errors
    /// When the store fails, or a client cannot be built; what was read before is sold then.
    pub async fn refresh(&self) -> Result<(), CatalogError> {
        let CatalogInner { store, terms, live, reading, .. } = &*self.inner;
        if terms.sandbox {
            // It has read nothing at its start, and reads nothing later.
            return Ok(());
        }
        if sql::revision(store.readers()).await? == live.load().kept.revision {
            return Ok(());
        }
        let _reading = reading.lock().await;
        let kept = read(store).await?;
        let before = live.load_full();
        if kept.revision == before.kept.revision {
            return Ok(());
        }
        let merged = kept.merge(&before.configured, &terms.keys, &terms.networks);
        self.install(LiveCatalog { configured: before.configured.clone(), kept, merged })
    }

    /// Takes over what the configuration says now: `config` is what `offer` comes to. `groups` are those that accounts are in.
    ///
    /// # Errors
    /// When a group would have no ratio any more; else as [`refresh`](Self::refresh). What was read before is sold then.
    pub async fn reload(&self, offer: FileOffer, config: Config, groups: &[AccountGroup]) -> Result<(), CatalogError> {
        let CatalogInner { store, terms, reading, .. } = &*self.inner;
        let _reading = reading.lock().await;
        let kept = read(store).await?;
        let configured = Arc::new(ConfiguredSide { offer, config });
        let merged = kept.merge(&configured, &terms.keys, &terms.networks);
        for group in groups.iter().filter(|group| !merged.config.groups.contains_key(group)) {
            if !had_group(store, *group).await? {
                return Err(CatalogError::GroupMissing(*group));
            }
        }
        self.install(LiveCatalog { configured, kept, merged })
    }

    /// Sells what was read.
    fn install(&self, read: LiveCatalog) -> Result<(), CatalogError> {
        let CatalogInner { gateway, places, live, .. } = &*self.inner;
        gateway.reload(&read.merged.config)?;
        places.bound_groups(read.merged.offer.group_bounds());
        log_faults(&live.load().merged.faults, &read.merged.faults);
        live.store(Arc::new(read));
        Ok(())
    }

    /// Makes all of these changes or none, in one transaction with their lines in the log of changes. They are live here when this
    /// returns, and on the other servers within two seconds.
    ///
    /// # Errors
    /// When something is not as expected, cannot be used, is needed, is the configuration's, or the store fails.
    pub async fn change(&self, changes: Vec<CatalogChange>, actor: Actor<'_>) -> Result<(), CatalogError> {
        let CatalogInner { store, clock, terms, live, .. } = &*self.inner;
        if terms.sandbox {
            return Err(CatalogError::Sandbox);
        }
        let live = live.load_full();
        let configured = live.configured.clone();
        let mut transaction = store.begin().await?;
        sql::next_revision(&mut transaction).await?;
        let before = read_in(&mut transaction).await?;
        let mut draft = CatalogDraft::new(before.clone());
        for change in changes {
            draft.apply(change, &configured.offer, &terms.keys, clock.now_ms())?;
        }
        if draft.writes.is_empty() {
            drop(transaction);
            // The one who made it may be another server.
            return self.refresh().await;
        }
        let merged = |kept: &KeptCatalog| kept.merge(&configured, &terms.keys, &terms.networks);
        // What was read last is merged already; the revision is counted up above.
        let faults = match live.kept.revision + 1 == before.revision {
            true => live.merged.faults.clone(),
            false => merged(&before).faults,
        };
        draft.check(&faults, &merged(&draft.after).faults)?;
        for write in &draft.writes {
            write.execute(&mut transaction, clock.now_ms(), actor).await?;
        }
        transaction.commit().await.map_err(StoreError::commit("what is on offer"))?;
        if let Err(error) = self.refresh().await {
            // The change is made; the next look finds it.
            let error = tollgate_base::with_causes(&error);
            tracing::error!(error, "a change of what is on offer is not live here yet");
        }
        Ok(())
    }

    /// Seals all secrets under the key of new seals; answers how many were under another.
    ///
    /// # Errors
    /// When there is no key, a secret does not open, or the store fails.
    pub async fn reseal(&self, actor: Actor<'_>) -> Result<usize, CatalogError> {
        let CatalogInner { store, clock, terms, .. } = &*self.inner;
        let current = terms.keys.current.as_ref().ok_or(CatalogError::NoSealingKey)?;
        let mut transaction = store.begin().await?;
        sql::next_revision(&mut transaction).await?;
        let kept = read_in(&mut transaction).await?;
        let mut resealed = 0;
        for sealed in kept.secrets.values().filter(|sealed| sealed.key_id != current.id()) {
            let name = EntryName::new(EntryKind::Provider, &sealed.provider);
            let Some(table) = kept.find(&name).and_then(provider_table) else { continue };
            let secret = terms.keys.open(sealed, &table).ok_or_else(|| does_not_open(sealed))?;
            let anew = secret.seal(current, &sealed.provider, &table, sealed.set_at_ms);
            sql::put_secret(&mut transaction, &anew).await?;
            resealed += 1;
        }
        let detail = format!("{resealed} secrets, under the key {}", current.id());
        let entry = AuditEntry::new(clock.now_ms(), actor, "secrets.reseal", "secrets").detail(&detail);
        record(&mut transaction, &entry).await?;
        transaction.commit().await.map_err(StoreError::commit("secrets of providers"))?;
        self.refresh().await?;
        Ok(resealed)
    }

    /// Writes a line of the log of changes about an act that changes nothing here.
    pub(crate) async fn note(
        &self,
        actor: Actor<'_>,
        act: &'static str,
        subject: &str,
        detail: &str,
    ) -> Result<(), StoreError> {
        let CatalogInner { store, clock, .. } = &*self.inner;
        let mut transaction = store.begin().await?;
        record(&mut transaction, &AuditEntry::new(clock.now_ms(), actor, act, subject).detail(detail)).await?;
        transaction.commit().await.map_err(StoreError::commit("a line of the log of changes"))
    }

    /// What is on offer now.
    pub(crate) fn live(&self) -> Arc<LiveCatalog> {
        self.inner.live.load_full()
    }

    /// The terms on which operators put things on offer.
    pub(crate) fn terms(&self) -> &CatalogTerms {
        &self.inner.terms
    }

    /// The gateway that sells it.
    pub(crate) fn gateway(&self) -> &Gateway {
        &self.inner.gateway
    }

    /// The versions of one before a number, the newest first.
    pub(crate) async fn versions(
        &self,
        name: &EntryName,
        before: i64,
        limit: i64,
    ) -> Result<Vec<EntryVersion>, StoreError> {
        sql::versions(self.inner.store.readers(), name, before, limit).await
    }
}

impl CatalogWrite {
    async fn execute(
        &self,
        transaction: &mut StoreTransaction,
        now_ms: i64,
        actor: Actor<'_>,
    ) -> Result<(), CatalogError> {
        let Self { name, before, after, secret } = self;
        // Without a ratio of its own, `default` pays the prices as they are.
        if (name.kind, after) == (EntryKind::Group, &None) && name.name != AccountGroup::DEFAULT.as_str() {
            let accounts = sql::accounts_of_group(transaction, &name.name).await?;
            if accounts > 0 {
                let by = format!("{accounts} accounts are in it");
                return Err(CatalogError::InUse { name: name.clone(), by });
            }
        }
        sql::insert(transaction, name, after.as_deref(), now_ms, actor.name).await?;
        let detail = match secret {
            SecretWrite::Put(secret) => {
                sql::put_secret(transaction, secret).await?;
                "with a secret"
            }
            SecretWrite::Drop => {
                sql::drop_secret(transaction, &name.name).await?;
                "its secret is gone"
            }
            SecretWrite::Nothing => "",
        };
        let [create, change, remove] = name.kind.acts();
        let act = match (before, after) {
            (None, Some(_)) => create,
            (_, None) => remove,
            (Some(_), Some(_)) => change,
        };
        let entry = AuditEntry::new(now_ms, actor, act, &name.name).detail(detail);
        let entry = entry.change(before.as_deref(), after.as_deref().unwrap_or("null"));
        Ok(record(transaction, &entry).await?)
    }
}

/// Reads what operators put on offer, again where it was changed meanwhile: an address and the secret for it belong together.
async fn read(store: &Store) -> Result<KeptCatalog, StoreError> {
    let mut revision = sql::revision(store.readers()).await?;
    loop {
        let entries = sql::entries(store.readers()).await?;
        let secrets = sql::secrets(store.readers()).await?;
        // Changes wait for each other, and each for a person or a program: there is a moment without.
        match sql::revision(store.readers()).await? {
            same if same == revision => return Ok(kept(revision, entries, secrets)),
            later => revision = later,
        }
    }
}

async fn read_in(transaction: &mut StoreTransaction) -> Result<KeptCatalog, StoreError> {
    let revision = sql::revision(&mut *transaction).await?;
    let entries = sql::entries(&mut *transaction).await?;
    let secrets = sql::secrets(&mut *transaction).await?;
    Ok(kept(revision, entries, secrets))
}

fn kept(revision: i64, entries: Vec<CatalogEntry>, secrets: Vec<SealedSecret>) -> KeptCatalog {
    let secrets: BTreeMap<_, _> = secrets.into_iter().map(|secret| (secret.provider.clone(), secret)).collect();
    KeptCatalog { revision, entries, secrets }
}

/// The ratio of a group that operators added; `None` where they have none of that name.
///
/// # Errors
/// When the store fails.
pub async fn added_group(store: &Store, group: AccountGroup) -> Result<Option<PriceRatio>, StoreError> {
    let name = EntryName::new(EntryKind::Group, group.as_str());
    let last = sql::versions(store.readers(), &name, i64::MAX, 1).await?.pop();
    let body = last.and_then(|version| version.body);
    Ok(body.and_then(|body| match EntryBody::read(EntryKind::Group, &body) {
        Ok(EntryBody::Group(table)) => table.ratio.parse().ok(),
        _ => None,
    }))
}

async fn had_group(store: &Store, group: AccountGroup) -> Result<bool, StoreError> {
    let name = EntryName::new(EntryKind::Group, group.as_str());
    Ok(!sql::versions(store.readers(), &name, i64::MAX, 1).await?.is_empty())
}

/// Sees that a secret opens.
fn check_secret(secret: &SealedSecret, kept: &KeptCatalog, keys: &SealingKeys) -> Result<(), CatalogStartError> {
    let (provider, key_id) = (secret.provider.clone(), secret.key_id.clone());
    if keys.find(&key_id).is_none() {
        let ids: Vec<&str> = keys.ids().collect();
        let given = if ids.is_empty() { "not given".to_owned() } else { ids.join(" and ") };
        return Err(CatalogStartError::WrongKey { provider, key_id, given });
    }
    let table = kept.find(&EntryName::new(EntryKind::Provider, &provider)).and_then(provider_table);
    match table {
        Some(table) if keys.open(secret, &table).is_none() => Err(CatalogStartError::Tampered { provider, key_id }),
        _ => Ok(()),
    }
}

fn does_not_open(secret: &SealedSecret) -> CatalogError {
    let message = format!("its secret does not open: it is sealed under the key {}", secret.key_id);
    CatalogError::Invalid(crate::UnplacedComplaint::new(&["upstreams", &secret.provider], message))
}

/// Logs what is left out from now on.
fn log_faults(before: &Faults, after: &Faults) {
    for (name, complaint) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        let (entry, reason) = (name.to_string(), &complaint.message);
        tracing::error!(
            target: "alarm", alarm = "catalog", entry, reason,
            "what an operator put on offer cannot be used and is left out"
        );
    }
}
