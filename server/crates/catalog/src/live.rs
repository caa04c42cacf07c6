//! What is on offer now, as this server has read it.

use std::collections::BTreeMap;
use std::sync::Arc;

use ipnet::IpNet;

use tollgate_base::Secret;
use tollgate_gateway::{KeyPair, ProviderKind, ProviderReach, is_header_value};

use crate::entry::{CatalogEntry, EntryName};
use crate::merge::{AccessFault, ConfiguredSide, MergedOffer, check_address, merge};
use crate::offer::{UpstreamAccess, UpstreamTable};
use crate::sealing::{ProviderSecret, SealedSecret, SealingKeys};

/// What operators added, as it is kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeptCatalog {
    pub(crate) revision: i64,
    pub(crate) entries: Vec<CatalogEntry>,
    pub(crate) secrets: BTreeMap<String, SealedSecret>,
}

/// What is on offer now.
#[derive(Debug, Clone)]
pub(crate) struct LiveCatalog {
    /// What the configuration says.
    pub(crate) configured: Arc<ConfiguredSide>,
    /// What operators added.
    pub(crate) kept: KeptCatalog,
    /// Both as one.
    pub(crate) merged: MergedOffer,
}

impl KeptCatalog {
    pub(crate) fn find(&self, name: &EntryName) -> Option<&CatalogEntry> {
        self.entries.iter().find(|entry| entry.name == *name)
    }

    /// Merges it with what the configuration says.
    pub(crate) fn merge(&self, configured: &ConfiguredSide, keys: &SealingKeys, networks: &[IpNet]) -> MergedOffer {
        merge(configured, &self.entries, &|name, table| self.access(name, table, keys, networks))
    }

    /// What there is for a provider that operators added.
    fn access(
        &self,
        name: &str,
        table: &UpstreamTable,
        keys: &SealingKeys,
        networks: &[IpNet],
    ) -> Result<UpstreamAccess, AccessFault> {
        check_address(table, networks)?;
        let secret = match self.secrets.get(name) {
            None => ProviderSecret::default(),
            Some(sealed) => keys.open(sealed, table).ok_or_else(|| {
                let reason = "it does not open: it is sealed under the key";
                ("api_key", format!("{reason} {}, or for another address", sealed.key_id))
            })?,
        };
        let reach = ProviderReach::OpenInternet { allowed: networks.to_vec() };
        let (api_key, key_pair) = credentials(table, secret).map_err(|reason| ("api_key", reason))?;
        Ok(UpstreamAccess { api_key, key_pair, reach })
    }
}

/// The credentials of a provider, as its kind takes them.
pub(crate) fn credentials(
    table: &UpstreamTable,
    secret: ProviderSecret,
) -> Result<(Option<Secret>, Option<KeyPair>), String> {
    let ProviderSecret { api_key, access_key, secret_key } = secret;
    if api_key.iter().chain(&access_key).chain(&secret_key).any(|key| !is_header_value(key)) {
        return Err("its secret has letters that no header can have, such as a line break".to_owned());
    }
    match table.format.kind() {
        ProviderKind::Speaks(_) | ProviderKind::Pictures | ProviderKind::PicturesLater => {
            match (access_key, secret_key) {
                (None, None) => Ok((api_key.map(Secret::new), None)),
                _ => Err("only format `video_a` has access_key and secret_key; this one has api_key".to_owned()),
            }
        }
        ProviderKind::VideoA => match (api_key, access_key, secret_key) {
            (None, Some(access_key), Some(secret_key)) => {
                let pair = KeyPair { access_key: Secret::new(access_key), secret_key: Secret::new(secret_key) };
                Ok((None, Some(pair)))
            }
            _ => Err("format `video_a` needs access_key and secret_key, and has no api_key".to_owned()),
        },
    }
}
