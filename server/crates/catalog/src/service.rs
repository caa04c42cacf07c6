//! Reading what is on offer, again whenever it was changed, and changing it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use ipnet::IpNet;
use tokio::sync::Mutex;

use tollgate_api::is_version;
use tollgate_base::{AccountGroup, Actor, Clock};
use tollgate_gateway::{Config, Gateway};
use tollgate_store::{AuditEntry, Store, StoreError, StoreTransaction, record};

use crate::entry::{CatalogEntry, EntryBody, EntryKind, EntryName, EntryVersion};
use crate::error::{CatalogError, CatalogStartError};
use crate::live::{KeptCatalog, LiveCatalog};
use crate::merge::{ConfiguredSide, Faults, is_configured};
use crate::offer::{FileOffer, UpstreamTable};
use crate::sealing::{ProviderSecret, SealedSecret, SealingKeys};
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
    configured: ConfiguredSide,
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
    configured: ArcSwap<ConfiguredSide>,
    live: ArcSwap<LiveCatalog>,
    /// Taken by whoever reads anew, so that what was read earlier never takes the place of what was read later.
    reading: Mutex<()>,
}

/// A change of one thing on offer.
#[derive(Debug)]
pub struct CatalogChange {
    /// Its name.
    pub name: EntryName,
    /// What is written of it from now on; `None` to take it off.
    pub body: Option<EntryBody>,
    /// What it has to be before.
    pub expected: ExpectedEntry,
    /// What becomes of the secret of a provider.
    pub secret: SecretChange,
}

/// What has to be there before a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedEntry {
    /// Nothing.
    Absent,
    /// Something, in any version.
    Present,
    /// A version that the value of an `If-Match` names.
    Matching(String),
    /// Something in any version, or nothing.
    Anything,
}

/// What becomes of the secret of a provider. At another address it is dropped in any case.
#[derive(Debug, Clone, Default)]
pub enum SecretChange {
    /// It stays.
    #[default]
    Keep,
    /// It is replaced.
    Set(ProviderSecret),
    /// It goes.
    Drop,
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
        let kept = read(&store).await?;
        for secret in kept.secrets.values() {
            check_secret(secret, &kept, &terms.keys)?;
        }
        let configured = ConfiguredSide { offer, config };
        let merged = kept.merge(&configured, &terms.keys, &terms.networks);
        log_faults(&Faults::new(), &merged.faults);
        Ok(Self { store, clock, terms, configured, live: LiveCatalog { kept, merged } })
    }

    /// The gateway's configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.live.merged.config
    }
}

impl CatalogService {
    /// The handle, for the gateway that was built from the configuration of `loaded`.
    #[must_use]
    pub fn new(loaded: LoadedCatalog, gateway: Gateway) -> Self {
        let LoadedCatalog { store, clock, terms, configured, live } = loaded;
        let (configured, live) = (ArcSwap::from_pointee(configured), ArcSwap::from_pointee(live));
        Self {
            inner: Arc::new(CatalogInner { store, clock, terms, gateway, configured, live, reading: Mutex::default() }),
        }
    }

    /// Looks for changes, again and again, until the future is dropped.
    pub async fn follow_for_ever(&self) {
        let mut is_told = false;
        loop {
            tokio::time::sleep(LOOK).await;
            match self.refresh().await {
                Ok(()) => is_told = false,
                Err(error) if !is_told => {
                    let error = tollgate_base::with_causes(&error);
                    tracing::error!(
                        error,
                        "what operators put on offer could not be read; what was read before is sold"
                    );
                    is_told = true;
                }
                Err(_) => {}
            }
        }
    }

    /// Reads what is on offer where it was changed.
    ///
    /// # Errors
    /// When the store fails, or a client cannot be built; what was read before is sold then.
    pub async fn refresh(&self) -> Result<(), CatalogError> {
        let CatalogInner { store, live, reading, .. } = &*self.inner;
        if sql::revision(store.readers()).await? == live.load().kept.revision {
            return Ok(());
        }
        let _reading = reading.lock().await;
        let kept = read(store).await?;
        if kept.revision == live.load().kept.revision { Ok(()) } else { self.install(kept, &[]) }
    }

    /// Takes over what the configuration says now: `config` is what `offer` comes to. `groups` are those that accounts are in.
    ///
    /// # Errors
    /// When a group would have no ratio any more; else as [`refresh`](Self::refresh). What was read before is sold then.
    pub async fn reload(&self, offer: FileOffer, config: Config, groups: &[AccountGroup]) -> Result<(), CatalogError> {
        let CatalogInner { store, configured, reading, .. } = &*self.inner;
        let _reading = reading.lock().await;
        let before = configured.swap(Arc::new(ConfiguredSide { offer, config }));
        let installed = match read(store).await {
            Ok(kept) => self.install(kept, groups),
            Err(error) => Err(error.into()),
        };
        if installed.is_err() {
            configured.store(before);
        }
        installed
    }

    /// Sells what was read.
    fn install(&self, kept: KeptCatalog, groups: &[AccountGroup]) -> Result<(), CatalogError> {
        let CatalogInner { terms, gateway, configured, live, .. } = &*self.inner;
        let merged = kept.merge(&configured.load(), &terms.keys, &terms.networks);
        if let Some(without) = groups.iter().find(|group| !merged.config.groups.contains_key(group)) {
            return Err(CatalogError::GroupMissing(*without));
        }
        gateway.reload(&merged.config)?;
        log_faults(&live.load().merged.faults, &merged.faults);
        live.store(Arc::new(LiveCatalog { kept, merged }));
        Ok(())
    }

    /// Makes all of these changes or none, in one transaction with their lines in the log of changes. They are live here when this
    /// returns, and on the other servers within two seconds.
    ///
    /// # Errors
    /// When something is not as expected, cannot be used, is needed, is the configuration's, or the store fails.
    pub async fn change(&self, changes: Vec<CatalogChange>, actor: Actor<'_>) -> Result<(), CatalogError> {
        let CatalogInner { store, clock, terms, configured, .. } = &*self.inner;
        if terms.sandbox {
            return Err(CatalogError::Sandbox);
        }
        let mut transaction = store.begin().await?;
        sql::next_revision(&mut transaction).await?;
        let before = read_in(&mut transaction).await?;
        let configured = configured.load_full();
        let mut draft = CatalogDraft { after: before.clone(), writes: Vec::new() };
        for change in changes {
            draft.apply(change, &configured.offer, &terms.keys, clock.now_ms())?;
        }
        if draft.writes.is_empty() {
            // Also where an answer was lost, and the change is sent again.
            return Ok(());
        }
        let faults = before.merge(&configured, &terms.keys, &terms.networks).faults;
        draft.check(&faults, &draft.after.merge(&configured, &terms.keys, &terms.networks).faults)?;
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
        Ok(resealed)
    }

    /// What is on offer now.
    pub(crate) fn live(&self) -> Arc<LiveCatalog> {
        self.inner.live.load_full()
    }

    /// What the configuration says.
    pub(crate) fn configured(&self) -> Arc<ConfiguredSide> {
        self.inner.configured.load_full()
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

/// What is on offer after changes, and what has to be written for them.
#[derive(Debug)]
struct CatalogDraft {
    after: KeptCatalog,
    writes: Vec<CatalogWrite>,
}

/// One change, as it is written.
#[derive(Debug)]
struct CatalogWrite {
    name: EntryName,
    before: Option<String>,
    after: Option<String>,
    /// The secret that is put, or that it is dropped.
    secret: Option<Option<SealedSecret>>,
}

impl CatalogDraft {
    /// Adds a change.
    fn apply(
        &mut self,
        change: CatalogChange,
        configured: &FileOffer,
        keys: &SealingKeys,
        now_ms: i64,
    ) -> Result<(), CatalogError> {
        let CatalogChange { name, body, expected, secret } = change;
        if is_configured(configured, &name) {
            return Err(CatalogError::Configured(name));
        }
        let present = self.after.find(&name).cloned();
        let text = body.as_ref().map(EntryBody::text);
        let is_same = text == present.as_ref().map(|entry| entry.body.clone());
        match (&expected, &present) {
            (ExpectedEntry::Absent, Some(_)) => return Err(CatalogError::NameTaken(name)),
            (ExpectedEntry::Present | ExpectedEntry::Matching(_), None) => return Err(CatalogError::NotFound(name)),
            (ExpectedEntry::Matching(value), Some(entry)) if !is_version(value, &entry.tag()) && !is_same => {
                return Err(CatalogError::Changed(name));
            }
            _ => {}
        }
        let secret = self.sealed(&name, body.as_ref(), present.as_ref(), secret, keys, now_ms)?;
        if is_same && secret.is_none() {
            return Ok(());
        }
        match &secret {
            Some(Some(sealed)) => drop(self.after.secrets.insert(sealed.provider.clone(), sealed.clone())),
            Some(None) => drop(self.after.secrets.remove(&name.name)),
            None => {}
        }
        self.after.entries.retain(|entry| entry.name != name);
        if let Some(body) = &text {
            let version = present.as_ref().map_or(0, |entry| entry.version) + 1;
            let (name, body) = (name.clone(), body.clone());
            self.after.entries.push(CatalogEntry { name, version, body, created_at_ms: 0, created_by: String::new() });
        }
        self.writes.push(CatalogWrite { name, before: present.map(|entry| entry.body), after: text, secret });
        Ok(())
    }

    /// What becomes of the secret of a provider: put, dropped, or left.
    fn sealed(
        &self,
        name: &EntryName,
        body: Option<&EntryBody>,
        present: Option<&CatalogEntry>,
        change: SecretChange,
        keys: &SealingKeys,
        now_ms: i64,
    ) -> Result<Option<Option<SealedSecret>>, CatalogError> {
        if name.kind != EntryKind::Provider {
            return Ok(None);
        }
        let has_one = self.after.secrets.contains_key(&name.name);
        let Some(EntryBody::Provider(table)) = body else { return Ok(has_one.then_some(None)) };
        let moves = present.and_then(provider_table).is_some_and(|before| before.base_url != table.base_url);
        Ok(match change {
            SecretChange::Set(secret) => {
                let key = keys.current.as_ref().ok_or(CatalogError::NoSealingKey)?;
                Some(Some(secret.seal(key, &name.name, table, now_ms)))
            }
            SecretChange::Drop => has_one.then_some(None),
            SecretChange::Keep => (has_one && moves).then_some(None),
        })
    }

    /// Refuses what would leave out something that is sold now, or is new.
    fn check(&self, before: &Faults, after: &Faults) -> Result<(), CatalogError> {
        let is_written = |name: &EntryName| self.writes.iter().find(|write| write.name == *name);
        for (name, complaint) in after {
            if is_written(name).is_some_and(|write| write.after.is_some()) {
                return Err(CatalogError::Invalid(complaint.clone()));
            }
        }
        let Some((name, complaint)) = after.iter().find(|(name, _)| !before.contains_key(*name)) else { return Ok(()) };
        let by = format!("{name}: {}", complaint.message);
        match self.writes.iter().find(|write| write.after.is_none()).or_else(|| self.writes.first()) {
            Some(write) if write.after.is_none() => Err(CatalogError::InUse { name: write.name.clone(), by }),
            Some(write) => Err(CatalogError::Invalid(UnplacedComplaintOf { write, by }.complaint())),
            None => Ok(()),
        }
    }
}

/// A complaint about a change by which something else could not be used any more.
struct UnplacedComplaintOf<'a> {
    write: &'a CatalogWrite,
    by: String,
}

impl UnplacedComplaintOf<'_> {
    fn complaint(self) -> crate::UnplacedComplaint {
        let EntryName { kind, name } = &self.write.name;
        crate::UnplacedComplaint::new(&[kind.table(), name], self.by)
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
        if (name.kind, after) == (EntryKind::Group, &None) {
            let accounts = sql::accounts_of_group(transaction, &name.name).await?;
            if accounts > 0 {
                let by = format!("{accounts} accounts are in it");
                return Err(CatalogError::InUse { name: name.clone(), by });
            }
        }
        sql::insert(transaction, name, after.as_deref(), now_ms, actor.name).await?;
        let detail = match secret {
            Some(Some(secret)) => {
                sql::put_secret(transaction, secret).await?;
                "with a secret"
            }
            Some(None) => {
                sql::drop_secret(transaction, &name.name).await?;
                "its secret is gone"
            }
            None => "",
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

/// The provider of an entry, as it is written.
pub(crate) fn provider_table(entry: &CatalogEntry) -> Option<UpstreamTable> {
    match EntryBody::read(entry.name.kind, &entry.body) {
        Ok(EntryBody::Provider(table)) => Some(table),
        _ => None,
    }
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
