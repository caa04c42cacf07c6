//! The prices of models, for callers who want to know before they ask.

use crate::Gateway;
use crate::routing::model::CatalogModel;
use tollgate_api::generated::types::SelfPrice;
use tollgate_base::{PicoUsd, PriceRatio, Principal};

impl Gateway {
    /// The prices of the models that a caller may use, and the ratio that its account pays of them.
    ///
    /// No ratio where the configuration does not know its group.
    #[must_use]
    pub fn prices_for(&self, caller: &Principal) -> (Option<PriceRatio>, Vec<SelfPrice>) {
        let catalog = self.catalog.load();
        let prices = catalog.models_for(caller).iter().map(|model| price(model)).collect();
        (catalog.ratio(caller.group), prices)
    }
}

fn price(model: &CatalogModel) -> SelfPrice {
    let base = &model.tariff.base;
    SelfPrice {
        model: model.id.clone(),
        prompt_picousd: base.prompt.picos(),
        cached_picousd: base.cached.picos(),
        completion_picousd: base.completion.picos(),
        request_picousd: base.request.picos(),
        image_picousd: model.image_price.map(PicoUsd::picos),
        second_picousd: model.video.as_ref().map(|video| video.second.picos()),
        dearer_above_tokens: model.tariff.tiers.first().map(|tier| i64::try_from(tier.above).unwrap_or(i64::MAX)),
    }
}
