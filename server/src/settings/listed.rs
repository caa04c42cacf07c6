//! The price list: prices of many models in a file of their own, for those that have none beside them.

use std::path::Path;

use super::check::{Complaint, placed};
use super::file::{File, PriceList};
use super::{overrides, price};

/// Gives each model without a price the one that the list has under its name. All of the list is checked, also what is
/// not on offer: it may be tomorrow.
///
/// # Errors
/// When the list, or a price in it, cannot be read.
pub(super) fn fill(file: &mut File, name: &Path, text: &str) -> Result<(), Vec<Complaint>> {
    let PriceList { version, prices } =
        toml::from_str(text).map_err(|error| vec![overrides::in_file(name, text, &error)])?;
    let mut found = Vec::new();
    for (model, written) in &prices {
        price::check(model, written, &mut found);
    }
    if !found.is_empty() {
        return Err(placed(name, found.into_iter().map(super::check::Found::of_list).collect(), text));
    }
    for (name, model) in file.models.iter_mut().filter(|(_, model)| model.price.is_none()) {
        let listed = prices.get(model.listed_as.as_ref().unwrap_or(name)).cloned();
        model.price = listed.map(|mut price| {
            price.version = price.version.or_else(|| version.clone());
            price
        });
    }
    Ok(())
}
