//! Changes of what is on offer before they are made: what would be there after them, and what has to be written.

use tollgate_api::is_version;

use crate::entry::{CatalogEntry, EntryBody, EntryKind, EntryName, provider_table};
use crate::error::CatalogError;
use crate::live::KeptCatalog;
use crate::merge::{Faults, is_configured};
use crate::offer::{FileOffer, UnplacedComplaint};
use crate::sealing::{ProviderSecret, SealedSecret, SealingKeys};

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

impl CatalogChange {
    /// Adds one where there is none.
    pub fn create(kind: EntryKind, name: &str, body: EntryBody) -> Self {
        Self::of(kind, name, Some(body), ExpectedEntry::Absent)
    }

    /// Replaces one of a version that the value of an `If-Match` names.
    pub fn replace(kind: EntryKind, name: &str, body: EntryBody, if_match: &str) -> Self {
        Self::of(kind, name, Some(body), ExpectedEntry::Matching(if_match.to_owned()))
    }

    /// Takes one off, of a version that the value of an `If-Match` names; a provider with its secret.
    pub fn remove(kind: EntryKind, name: &str, if_match: &str) -> Self {
        Self::of(kind, name, None, ExpectedEntry::Matching(if_match.to_owned()))
    }

    /// A change by which the secret of a provider stays.
    pub fn of(kind: EntryKind, name: &str, body: Option<EntryBody>, expected: ExpectedEntry) -> Self {
        Self { name: EntryName::new(kind, name), body, expected, secret: SecretChange::Keep }
    }

    /// The same with another secret of a provider.
    #[must_use]
    pub fn with_secret(self, secret: SecretChange) -> Self {
        Self { secret, ..self }
    }
}

/// What has to be there before a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedEntry {
    /// Nothing.
    Absent,
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

/// What is on offer after changes, and what has to be written for them.
#[derive(Debug)]
pub(crate) struct CatalogDraft {
    pub(crate) after: KeptCatalog,
    pub(crate) writes: Vec<CatalogWrite>,
}

/// One change, as it is written.
#[derive(Debug)]
pub(crate) struct CatalogWrite {
    pub(crate) name: EntryName,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    pub(crate) secret: SecretWrite,
}

/// What is written about the secret of a provider.
#[derive(Debug)]
pub(crate) enum SecretWrite {
    Nothing,
    Put(SealedSecret),
    Drop,
}

impl CatalogDraft {
    /// Nothing is changed yet.
    pub(crate) const fn new(before: KeptCatalog) -> Self {
        Self { after: before, writes: Vec::new() }
    }

    /// Adds a change. One that is there already adds nothing, whatever version it is of: its answer was lost, and it is sent again.
    pub(crate) fn apply(
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
        let secret = self.secret_write(&name, body.as_ref(), present.as_ref(), secret, keys, now_ms)?;
        let is_there =
            text == present.as_ref().map(|entry| entry.body.clone()) && matches!(secret, SecretWrite::Nothing);
        match (&expected, &present) {
            (ExpectedEntry::Absent, Some(_)) => return Err(CatalogError::NameTaken(name)),
            (ExpectedEntry::Matching(_), None) => return Err(CatalogError::NotFound(name)),
            (ExpectedEntry::Matching(value), Some(entry)) if !is_version(value, &entry.tag()) && !is_there => {
                return Err(CatalogError::Changed(name));
            }
            _ => {}
        }
        if is_there {
            return Ok(());
        }
        match &secret {
            SecretWrite::Put(sealed) => drop(self.after.secrets.insert(sealed.provider.clone(), sealed.clone())),
            SecretWrite::Drop => drop(self.after.secrets.remove(&name.name)),
            SecretWrite::Nothing => {}
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

    fn secret_write(
        &self,
        name: &EntryName,
        body: Option<&EntryBody>,
        present: Option<&CatalogEntry>,
        change: SecretChange,
        keys: &SealingKeys,
        now_ms: i64,
    ) -> Result<SecretWrite, CatalogError> {
        if name.kind != EntryKind::Provider {
            return Ok(SecretWrite::Nothing);
        }
        let sealed = self.after.secrets.get(&name.name);
        let dropped = if sealed.is_some() { SecretWrite::Drop } else { SecretWrite::Nothing };
        let Some(EntryBody::Provider(table)) = body else { return Ok(dropped) };
        let moves = present.and_then(provider_table).is_some_and(|before| before.base_url != table.base_url);
        Ok(match change {
            SecretChange::Set(secret) => {
                let key = keys.current.as_ref().ok_or(CatalogError::NoSealingKey)?;
                // The same secret again, where its answer was lost, is no change.
                match sealed.and_then(|sealed| keys.open(sealed, table)) {
                    Some(present) if present == secret => SecretWrite::Nothing,
                    _ => SecretWrite::Put(secret.seal(key, &name.name, table, now_ms)),
                }
            }
            SecretChange::Drop => dropped,
            SecretChange::Keep if moves => dropped,
            SecretChange::Keep => SecretWrite::Nothing,
        })
    }

    /// Refuses what would leave out something that is sold now, or is new: `before` and `after` are what is left out.
    pub(crate) fn check(&self, before: &Faults, after: &Faults) -> Result<(), CatalogError> {
        let is_new = |name: &EntryName| self.writes.iter().any(|write| write.name == *name && write.after.is_some());
        if let Some((_, complaint)) = after.iter().find(|(name, _)| is_new(name)) {
            return Err(CatalogError::Invalid(complaint.clone()));
        }
        let Some((needs, complaint)) = after.iter().find(|(name, _)| !before.contains_key(*name)) else {
            return Ok(());
        };
        let by = format!("{needs}: {}", complaint.message);
        match self.writes.iter().find(|write| write.after.is_none()) {
            Some(removed) => Err(CatalogError::InUse { name: removed.name.clone(), by }),
            None => {
                let EntryName { kind, name } = &self.writes.first().expect("something is changed").name;
                Err(CatalogError::Invalid(UnplacedComplaint::new(&[kind.table(), name], by)))
            }
        }
    }
}
