//! What is on offer as it is written, and the gateway's configuration that it comes to.
//!
//! The keys are those of the configuration file. Whoever writes them, the file or an operator, the same code reads them.

mod capabilities;
mod complaint;
mod file_offer;
mod groups;
mod patterns;
mod price;
mod price_list;
mod resolve;
mod services;
mod tables;
mod tiers;

pub use complaint::UnplacedComplaint;
pub use file_offer::{FileOffer, UpstreamAccess};
pub use price_list::PriceListOutcome;
pub use resolve::ResolvedOffer;
pub use tables::{
    CandidateEntry, GroupTable, ModelTable, Offer, PriceListFile, PriceTable, TierEntry, UpstreamFormat, UpstreamTable,
};
