//! What operators put on offer, as it is kept: versions that replace each other, and are never changed.

use std::fmt;

use crate::offer::{GroupTable, ModelTable, PriceTable, UpstreamTable};

/// The kinds of what operators put on offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// A provider.
    Provider,
    /// A model.
    Model,
    /// The price of a model.
    Price,
    /// A group of accounts with its ratio.
    Group,
    /// That a provider is sent no new requests.
    Drain,
}

impl EntryKind {
    const ALL: [Self; 5] = [Self::Provider, Self::Model, Self::Price, Self::Group, Self::Drain];

    /// The word in the database and in the log of changes.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::Model => "model",
            Self::Price => "price",
            Self::Group => "group",
            Self::Drain => "drain",
        }
    }

    pub(crate) fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// The table of the configuration that has those of this kind.
    pub(crate) const fn table(self) -> &'static str {
        match self {
            Self::Provider | Self::Drain => "upstreams",
            Self::Model => "models",
            Self::Price => "prices",
            Self::Group => "groups",
        }
    }

    /// The acts of making, changing and taking off one, as the log of changes names them.
    pub(crate) const fn acts(self) -> [&'static str; 3] {
        match self {
            Self::Provider => ["provider.create", "provider.change", "provider.remove"],
            Self::Model => ["model.create", "model.change", "model.remove"],
            Self::Price => ["price.create", "price.change", "price.remove"],
            Self::Group => ["group.create", "group.change", "group.remove"],
            Self::Drain => ["provider.drain", "provider.drain", "provider.resume"],
        }
    }
}

/// The name of one: unique among those of its kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryName {
    /// Its kind.
    pub kind: EntryKind,
    /// Its name.
    pub name: String,
}

impl EntryName {
    /// The name of one of a kind.
    pub fn new(kind: EntryKind, name: impl Into<String>) -> Self {
        Self { kind, name: name.into() }
    }
}

impl fmt::Display for EntryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.kind.as_str(), self.name)
    }
}

/// What is written of one, with the keys of the configuration file.
#[derive(Debug, Clone)]
pub enum EntryBody {
    /// A provider, without its credentials.
    Provider(UpstreamTable),
    /// A model, without its price.
    Model(Box<ModelTable>),
    /// A price.
    Price(Box<PriceTable>),
    /// A group.
    Group(GroupTable),
    /// That its provider drains.
    Drain,
}

impl EntryBody {
    /// Reads what is kept: JSON with the keys of the configuration file.
    ///
    /// # Errors
    /// When it is not of that kind.
    pub fn read(kind: EntryKind, text: &str) -> Result<Self, serde_json::Error> {
        Ok(match kind {
            EntryKind::Provider => Self::Provider(serde_json::from_str(text)?),
            EntryKind::Model => Self::Model(serde_json::from_str(text)?),
            EntryKind::Price => Self::Price(serde_json::from_str(text)?),
            EntryKind::Group => Self::Group(serde_json::from_str(text)?),
            EntryKind::Drain => Self::Drain,
        })
    }

    /// The text that is kept.
    pub(crate) fn text(&self) -> String {
        let text = match self {
            Self::Provider(table) => serde_json::to_string(table),
            Self::Model(table) => serde_json::to_string(table),
            Self::Price(table) => serde_json::to_string(table),
            Self::Group(table) => serde_json::to_string(table),
            Self::Drain => Ok("{}".to_owned()),
        };
        text.expect("tables of texts and numbers are written")
    }
}

/// The version of one that is in force, or would be if nothing spoke against it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogEntry {
    /// Its name.
    pub name: EntryName,
    /// The number of its version, from 1.
    pub version: i64,
    /// JSON with the keys of the configuration file.
    pub body: String,
    /// The time of this version, in unix milliseconds.
    pub created_at_ms: i64,
    /// Who made this version, as the log of changes names them.
    pub created_by: String,
}

impl CatalogEntry {
    /// The version, for `If-Match`.
    #[must_use]
    pub fn tag(&self) -> String {
        self.version.to_string()
    }
}

/// A version of one, also one that was replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryVersion {
    /// Its number, from 1.
    pub version: i64,
    /// JSON with the keys of the configuration file; `None` for one that takes it off.
    pub body: Option<String>,
    /// Its time, in unix milliseconds.
    pub created_at_ms: i64,
    /// Who made it, as the log of changes names them.
    pub created_by: String,
}

/// A version of a price, as receipts tell it.
pub(crate) fn version_label(price: &str, version: i64) -> String {
    format!("{price} v{version}")
}

/// The provider of an entry, as it is written.
pub(crate) fn provider_table(entry: &CatalogEntry) -> Option<UpstreamTable> {
    match EntryBody::read(entry.name.kind, &entry.body) {
        Ok(EntryBody::Provider(table)) => Some(table),
        _ => None,
    }
}
