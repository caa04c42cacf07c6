//! What is on offer as it is written, and the gateway's configuration that it comes to.
//!
//! The keys are those of the configuration file. Whoever writes them, the file or an operator, the same code reads them.

mod capabilities;
mod complaint;
mod groups;
mod patterns;
mod price;
mod price_list;
mod resolve;
mod services;
mod tables;
mod tiers;

use std::path::PathBuf;

use indexmap::IndexMap;

pub use complaint::UnplacedComplaint;
pub use price_list::PriceListOutcome;
pub use resolve::{ResolvedOffer, UpstreamAccess};
pub use tables::{
    CandidateEntry, GroupTable, ModelTable, PriceListFile, PriceTable, TierEntry, UpstreamFormat, UpstreamTable,
};

/// Providers, models with their prices, and groups, as they are written.
#[derive(Debug, Clone, Default)]
pub struct Offer {
    /// The price list, as complaints name it.
    pub price_list: Option<PathBuf>,
    /// Beside `default`, which pays the prices as they are unless it stands here.
    pub groups: IndexMap<String, GroupTable>,
    /// Providers by the name that models refer to.
    pub upstreams: IndexMap<String, UpstreamTable>,
    /// Models by the name that clients ask for, which may have one `*`.
    pub models: IndexMap<String, ModelTable>,
    /// The model of moderation requests that name none.
    pub moderation_model: Option<String>,
    /// The model of video requests that name none.
    pub video_model: Option<String>,
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
