//! Floor 4: what is on offer. Providers, models, prices and groups, from the configuration file and from operators.
//!
//! Whoever writes them, the keys are those of the file and the same code reads them. What operators write is kept in the database
//! as versions that replace each other, with the secrets of providers sealed under a key that is not there; each server looks for
//! changes twice a second and gives the gateway its configuration anew, whole, so that a request is served and charged by one.
//!
//! May import `gateway` and `credit` below it. Cannot: send a request, or charge for one. Invariants: the configuration's names
//! are its own; a change is made with its line in the log of changes or not at all; nothing is sold without a price, and nothing
//! by halves. Start reading at [`CatalogService`] and [`Offer`].

mod draft;
mod entry;
mod error;
mod handlers;
mod live;
mod merge;
mod offer;
mod sealing;
mod service;
mod sql;

pub use draft::{CatalogChange, ExpectedEntry, SecretChange};
pub use entry::{CatalogEntry, EntryBody, EntryKind, EntryName, EntryVersion};
pub use error::{CatalogError, CatalogStartError};
pub use offer::{
    CandidateEntry, FileOffer, GroupTable, ModelTable, Offer, PriceListFile, PriceListOutcome, PriceTable,
    ResolvedOffer, TierEntry, UnplacedComplaint, UpstreamAccess, UpstreamFormat, UpstreamTable,
};
pub use sealing::{ProviderSecret, SealingKey, SealingKeyUnfit, SealingKeys};
pub use service::{CatalogService, CatalogTerms, LoadedCatalog, added_group};
