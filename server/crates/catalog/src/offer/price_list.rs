//! The price list: prices of many models, for those that have none beside them, and what else is known of them.

use super::complaint::UnplacedComplaint;
use super::tables::{Offer, PriceListFile};
use super::{patterns, tiers};

/// The result of taking prices from a list.
#[derive(Debug, Default)]
pub struct PriceListOutcome {
    /// Complaints about what cannot be used in the list.
    pub complaints: Vec<UnplacedComplaint>,
    /// The models whose prices come from the list.
    pub models: Vec<String>,
}

impl Offer {
    /// Gives each model without a price the one that the list has under its name. All of the list is checked, also what is
    /// not on offer: it may be tomorrow.
    pub fn fill(&mut self, list: &PriceListFile) -> PriceListOutcome {
        let mut listed = PriceListOutcome::default();
        let PriceListFile { version, prices, models } = list;
        patterns::expand(&mut self.models, prices, models);
        for (name, model) in &mut self.models {
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
        for (model, written) in prices {
            tiers::check(model, written, &mut listed.complaints);
        }
        listed.complaints = listed.complaints.into_iter().map(UnplacedComplaint::of_list).collect();
        listed
    }

    /// The models that have no price beside them.
    pub fn without_price(&self) -> impl Iterator<Item = &String> {
        self.models.iter().filter(|(_, model)| model.price.is_none()).map(|(name, _)| name)
    }
}
