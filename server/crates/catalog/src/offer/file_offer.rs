//! What the configuration has on offer, and what the server has for its providers.

use indexmap::IndexMap;

use tollgate_base::Secret;
use tollgate_gateway::{KeyPair, ProviderReach};

use super::tables::{Offer, PriceListFile};

/// What the server has for a provider beside what is written: its credentials, and the addresses at which it may be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UpstreamAccess {
    /// The API key, where one is used.
    pub api_key: Option<Secret>,
    /// The key pair that signs requests, where one is used.
    pub key_pair: Option<KeyPair>,
    /// The addresses at which it may be.
    pub reach: ProviderReach,
}

/// What the configuration has on offer.
#[derive(Debug, Clone, Default)]
pub struct FileOffer {
    /// Providers, models and groups; models that the list prices have their prices.
    pub offer: Offer,
    /// The price list, for models that operators add.
    pub list: PriceListFile,
    /// The credentials of the providers.
    pub credentials: IndexMap<String, UpstreamAccess>,
}
