//! Floor 4: what is on offer. Providers, models, prices and groups, from the configuration file and from operators.
//!
//! May import `gateway` and `credit` below it, whose configuration it makes. Cannot: send a request, or charge for one.
//! Start reading at [`Offer`].

mod offer;

pub use offer::{
    CandidateEntry, FileOffer, GroupTable, ModelTable, Offer, PriceListFile, PriceListOutcome, PriceTable,
    ResolvedOffer, TierEntry, UnplacedComplaint, UpstreamCredentials, UpstreamFormat, UpstreamTable,
};
