//! `/api/admin/prices`: prices and their versions.

use super::refusal::{Refusal, unavailable};
use super::{Provenance, after, is_fit, rewritten};
use crate::draft::CatalogChange;
use crate::entry::{EntryBody, EntryKind, EntryName, EntryVersion, version_label as label};
use crate::live::LiveCatalog;
use crate::offer::PriceTable;
use crate::service::CatalogService;
use tollgate_api::generated::ops::admin_prices::{
    CreatePrice, CreatePriceError, CreatePriceInput, GetPrice, GetPriceError, GetPriceInput, ListPrices,
    ListPricesError, ListPricesInput, RemovePrice, RemovePriceError, RemovePriceInput, ReplacePrice, ReplacePriceError,
    ReplacePriceInput,
};
use tollgate_api::generated::types::{
    CatalogRemoved, Price, PriceListReply, PricePage, PriceRemovedReply, PriceReply, PriceRequest, PriceSettings,
    PriceUpdate, PriceVersion,
};
use tollgate_api::{Cx, OperatorCaller, PageLimit};
use tollgate_base::{Actor, rfc3339};

/// The most versions that are shown beside a price.
const VERSIONS_SHOWN: i64 = 100;
/// The version of a price that names none.
const UNNAMED: &str = "config";

impl ListPrices for CatalogService {
    async fn list_prices(&self, _: &Cx, input: ListPricesInput) -> Result<PriceListReply, ListPricesError> {
        let ListPricesInput { limit, after: place, origin, .. } = input;
        let limit = PageLimit::new(limit, false);
        let live = self.live();
        let configured = &live.configured;
        let added = live.kept.entries.iter().filter(|entry| entry.name.kind == EntryKind::Price);
        let names = configured.offer.list.prices.keys().chain(added.map(|entry| &entry.name.name)).cloned();
        let prices = after(names.collect(), place.as_deref()).into_iter().filter_map(|name| self.price(&live, &name));
        let prices = prices.filter(|price| origin.is_none_or(|origin| price.origin == origin));
        let mut prices: Vec<_> = prices.take(limit.most_to_read()).collect();
        let next = limit.next_page(&mut prices, |last| last.name.clone());
        Ok(PriceListReply { success: true, message: String::new(), data: PricePage { prices, next } })
    }
}

impl GetPrice for CatalogService {
    async fn get_price(&self, cx: &Cx, input: GetPriceInput) -> Result<PriceReply, GetPriceError> {
        Ok(self.price_reply(cx, &input.name).await?)
    }
}

impl CreatePrice for CatalogService {
    async fn create_price(&self, cx: &Cx, input: CreatePriceInput) -> Result<PriceReply, CreatePriceError> {
        let PriceRequest { name, settings, reason } = input.body;
        let by = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        if !is_fit(&name) {
            return Err(Refusal::field("name", "without line breaks and outer spaces", &name).into());
        }
        let change = CatalogChange::create(EntryKind::Price, &name, EntryBody::Price(table(&settings)?));
        self.change(vec![change], actor).await.map_err(|error| Refusal::of(cx, error, ""))?;
        Ok(self.price_reply(cx, &name).await?)
    }
}

impl ReplacePrice for CatalogService {
    async fn replace_price(&self, cx: &Cx, input: ReplacePriceInput) -> Result<PriceReply, ReplacePriceError> {
        let ReplacePriceInput { name, if_match, caller, body, .. } = input;
        let PriceUpdate { settings, reason } = body;
        let by = OperatorCaller::actor_name(&caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        let change = CatalogChange::replace(EntryKind::Price, &name, EntryBody::Price(table(&settings)?), &if_match);
        self.change(vec![change], actor).await.map_err(|error| Refusal::of(cx, error, &if_match))?;
        Ok(self.price_reply(cx, &name).await?)
    }
}

impl RemovePrice for CatalogService {
    async fn remove_price(&self, cx: &Cx, input: RemovePriceInput) -> Result<PriceRemovedReply, RemovePriceError> {
        let RemovePriceInput { name, if_match, caller, reason, .. } = input;
        let by = OperatorCaller::actor_name(&caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        let change = CatalogChange::remove(EntryKind::Price, &name, &if_match);
        self.change(vec![change], actor).await.map_err(|error| Refusal::of(cx, error, &if_match))?;
        Ok(PriceRemovedReply { success: true, message: String::new(), data: CatalogRemoved { name } })
    }
}

impl CatalogService {
    async fn price_reply(&self, cx: &Cx, name: &str) -> Result<PriceReply, Refusal> {
        let live = self.live();
        let mut data = self.price(&live, name).ok_or_else(|| Refusal::not_found(EntryKind::Price, name))?;
        let full = EntryName::new(EntryKind::Price, name);
        if let Some(entry) = live.kept.find(&full) {
            let before = self.versions(&full, entry.version, VERSIONS_SHOWN).await.map_err(|error| {
                unavailable(cx, &error);
                Refusal::LedgerUnavailable
            })?;
            data.before = before.iter().map(|version| replaced(name, version)).collect();
        }
        Ok(PriceReply { success: true, message: String::new(), data })
    }

    /// A price in the words of the spec, without the versions before it.
    fn price(&self, live: &LiveCatalog, name: &str) -> Option<Price> {
        let configured = &live.configured;
        let list = &configured.offer.list;
        let entry = live.kept.find(&EntryName::new(EntryKind::Price, name));
        let entry = entry.filter(|_| !list.prices.contains_key(name));
        let (table, price_version) = match entry {
            Some(entry) => (written(&entry.body)?, label(name, entry.version)),
            None => {
                let table = list.prices.get(name)?.clone();
                let named = table.version().cloned().or_else(|| list.version.clone());
                (table, named.unwrap_or_else(|| UNNAMED.to_owned()))
            }
        };
        let Provenance { origin, fault, changed_at, changed_by, version } = Provenance::of(live, entry);
        Some(Price {
            name: name.to_owned(),
            origin,
            fault,
            settings: settings(&table)?,
            models: self.models_at_price(live, name),
            price_version,
            before: Vec::new(),
            changed_at,
            changed_by,
            version,
        })
    }

    /// The models that cost what a price says.
    pub(super) fn models_at_price(&self, live: &LiveCatalog, price: &str) -> Vec<String> {
        let configured = &live.configured;
        let entry = live.kept.find(&EntryName::new(EntryKind::Price, price));
        let version = entry.map(|entry| label(price, entry.version));
        let costs_so = |name: &String, model: &crate::ModelTable| match &version {
            // Only what operators added is priced by what they added.
            Some(version) => model.price().is_some_and(|price| price.version() == Some(version)),
            None => {
                let listed = configured.offer.list.prices.get(price);
                name == price && model.price().is_some() && listed.is_some()
            }
        };
        let models = live.merged.offer.models.iter().filter(|(name, model)| costs_so(name, model));
        models.map(|(name, _)| name.clone()).collect()
    }
}

/// The version of a price, as receipts tell it.
pub(super) fn version(price: &PriceTable) -> String {
    price.version().cloned().unwrap_or_else(|| UNNAMED.to_owned())
}

/// A price in the words of the spec.
pub(super) fn settings(table: &PriceTable) -> Option<PriceSettings> {
    rewritten(&table.clone().without_version()).ok()
}

/// A price as the configuration would have it.
fn table(settings: &PriceSettings) -> Result<Box<PriceTable>, Refusal> {
    rewritten(settings).map_err(|error| Refusal::unusable("settings", error.to_string()))
}

pub(super) fn written(body: &str) -> Option<PriceTable> {
    match EntryBody::read(EntryKind::Price, body) {
        Ok(EntryBody::Price(table)) => Some(*table),
        _ => None,
    }
}

fn replaced(name: &str, version: &EntryVersion) -> PriceVersion {
    PriceVersion {
        price_version: label(name, version.version),
        settings: version.body.as_deref().and_then(written).as_ref().and_then(settings),
        changed_at: rfc3339(version.created_at_ms),
        changed_by: version.created_by.clone(),
    }
}
