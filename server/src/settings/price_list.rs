//! The price list: prices of many models in a file of their own, for those that have none beside them, and what else is
//! known of them.

use std::path::Path;

use super::complaints::{ConfigComplaint, UnplacedComplaint, placed};
use super::file::{ConfigFile, PriceListFile};
use super::{overrides, patterns, tiers};

/// The result of reading a price list.
#[derive(Debug, Default)]
pub(super) struct PriceListOutcome {
    /// Complaints about what cannot be used in the list.
    pub(super) complaints: Vec<ConfigComplaint>,
    /// The models whose prices come from the list.
    models: Vec<String>,
}

impl PriceListOutcome {
    /// True if a complaint about the configuration comes of one about the list.
    pub(super) fn explains(&self, found: &UnplacedComplaint) -> bool {
        !self.complaints.is_empty() && self.models.iter().any(|model| found.is_about_price_of(model))
    }
}

/// Gives each model without a price the one that the list has under its name. All of the list is checked, also what is
/// not on offer: it may be tomorrow.
pub(super) fn fill(file: &mut ConfigFile, name: &Path, text: &str) -> PriceListOutcome {
    let mut listed = PriceListOutcome::default();
    let PriceListFile { version, prices, models } = match toml::from_str(text) {
        Ok(list) => list,
        Err(error) => {
            listed.complaints.push(overrides::in_file(name, text, &error));
            let without = file.models.iter().filter(|(_, model)| model.price.is_none());
            listed.models.extend(without.map(|(name, _)| name.clone()));
            return listed;
        }
    };
    patterns::expand(&mut file.models, &prices, &models);
    for (name, model) in &mut file.models {
        let listed_name = model.listed_as.clone().unwrap_or_else(|| name.clone());
        if let Some(known) = models.get(&listed_name) {
            model.fill(known);
        }
        if model.price.is_some() {
            continue;
        }
        if let Some(mut price) = prices.get(&listed_name).cloned() {
            price.version = price.version.or_else(|| version.clone());
            // `listed_as` is used up here: one that is left stands beside a price that is written, and is refused.
            (model.price, model.listed_as) = (Some(price), None);
        }
        listed.models.push(name.clone());
    }
    let mut found = Vec::new();
    for (model, written) in &prices {
        tiers::check(model, written, &mut found);
    }
    listed.complaints.extend(placed(name, found.into_iter().map(UnplacedComplaint::of_list).collect(), text));
    listed
}
