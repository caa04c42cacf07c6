//! The price list that the file names.

use std::path::Path;

use tollgate_catalog::{Offer, PriceListFile, UnplacedComplaint};

use super::complaints::{ConfigComplaint, placed};
use super::overrides;

/// The result of reading a price list.
#[derive(Debug, Default)]
pub(super) struct PriceListOutcome {
    /// Complaints about what cannot be used in the list.
    pub(super) complaints: Vec<ConfigComplaint>,
    /// The models whose prices come from the list.
    models: Vec<String>,
    /// What the list has.
    pub(super) list: PriceListFile,
}

impl PriceListOutcome {
    /// True if a complaint about the configuration comes of one about the list.
    pub(super) fn explains(&self, found: &UnplacedComplaint) -> bool {
        !self.complaints.is_empty() && self.models.iter().any(|model| found.is_about_price_of(model))
    }
}

/// Gives the models of an offer the prices of a list.
pub(super) fn fill(offer: &mut Offer, name: &Path, text: &str) -> PriceListOutcome {
    let list: PriceListFile = match toml::from_str(text) {
        Ok(list) => list,
        Err(error) => {
            let models = offer.without_price().cloned().collect();
            let complaints = vec![overrides::in_file(name, text, &error)];
            return PriceListOutcome { complaints, models, list: PriceListFile::default() };
        }
    };
    let filled = offer.fill(&list);
    PriceListOutcome { complaints: placed(name, filled.complaints, text), models: filled.models, list }
}
