//! `/api/admin/models`: models on offer.

use super::refusal::Refusal;
use super::{Provenance, after, is_fit, prices, rewritten};
use crate::draft::CatalogChange;
use crate::entry::{EntryBody, EntryKind, EntryName};
use crate::live::LiveCatalog;
use crate::offer::ModelTable;
use crate::service::CatalogService;
use tollgate_api::generated::ops::admin_models::{
    ChangeOfferedModel, ChangeOfferedModelError, ChangeOfferedModelInput, CreateOfferedModel, CreateOfferedModelError,
    CreateOfferedModelInput, GetOfferedModel, GetOfferedModelError, GetOfferedModelInput, ListOfferedModels,
    ListOfferedModelsError, ListOfferedModelsInput, QuoteModel, QuoteModelError, QuoteModelInput, RemoveOfferedModel,
    RemoveOfferedModelError, RemoveOfferedModelInput,
};
use tollgate_api::generated::types::{
    CatalogRemoved, ModelSettings, OfferedModel, OfferedModelListReply, OfferedModelPage, OfferedModelRemovedReply,
    OfferedModelReply, OfferedModelRequest, OfferedModelUpdate, Quote, QuoteReply, QuoteRequest,
};
use tollgate_api::{Cx, OperatorCaller, PageLimit};
use tollgate_base::{AccountGroup, Actor};
use tollgate_credit::BilledUsage;

impl ListOfferedModels for CatalogService {
    async fn list_offered_models(
        &self,
        _: &Cx,
        input: ListOfferedModelsInput,
    ) -> Result<OfferedModelListReply, ListOfferedModelsError> {
        let ListOfferedModelsInput { limit, after: place, origin, upstream, .. } = input;
        let limit = PageLimit::new(limit, false);
        let live = self.live();
        let left_out = live.kept.entries.iter().filter(|entry| entry.name.kind == EntryKind::Model);
        // Names that a pattern found stand under the pattern.
        let written = live.merged.offer.models.iter().filter(|(_, model)| model.pattern().is_none());
        let names = written.map(|(name, _)| name).chain(left_out.map(|entry| &entry.name.name)).cloned();
        let models = after(names.collect(), place.as_deref()).into_iter().filter_map(|name| self.model(&live, &name));
        let is_there = |model: &OfferedModel, upstream: &String| {
            model.settings.candidates.iter().any(|candidate| candidate.upstream == *upstream)
        };
        let shown = |model: &OfferedModel| {
            origin.is_none_or(|origin| model.origin == origin)
                && upstream.as_ref().is_none_or(|upstream| is_there(model, upstream))
        };
        let mut models: Vec<_> = models.filter(shown).take(limit.most_to_read()).collect();
        let next = limit.next_page(&mut models, |last| last.name.clone());
        let data = OfferedModelPage { models, next };
        Ok(OfferedModelListReply { success: true, message: String::new(), data })
    }
}

impl GetOfferedModel for CatalogService {
    async fn get_offered_model(
        &self,
        _: &Cx,
        input: GetOfferedModelInput,
    ) -> Result<OfferedModelReply, GetOfferedModelError> {
        Ok(self.model_reply(&input.name)?)
    }
}

impl CreateOfferedModel for CatalogService {
    async fn create_offered_model(
        &self,
        cx: &Cx,
        input: CreateOfferedModelInput,
    ) -> Result<OfferedModelReply, CreateOfferedModelError> {
        let OfferedModelRequest { name, settings, reason } = input.body;
        let by = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        if !is_fit(&name) {
            return Err(Refusal::field("name", "without line breaks and outer spaces", &name).into());
        }
        let change = CatalogChange::create(EntryKind::Model, &name, EntryBody::Model(table(&settings)?));
        self.change(vec![change], actor).await.map_err(|error| Refusal::of(cx, error, ""))?;
        Ok(self.model_reply(&name)?)
    }
}

impl ChangeOfferedModel for CatalogService {
    async fn change_offered_model(
        &self,
        cx: &Cx,
        input: ChangeOfferedModelInput,
    ) -> Result<OfferedModelReply, ChangeOfferedModelError> {
        let ChangeOfferedModelInput { name, if_match, caller, body, .. } = input;
        let OfferedModelUpdate { settings, reason } = body;
        let by = OperatorCaller::actor_name(&caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        let change = CatalogChange::replace(EntryKind::Model, &name, EntryBody::Model(table(&settings)?), &if_match);
        self.change(vec![change], actor).await.map_err(|error| Refusal::of(cx, error, &if_match))?;
        Ok(self.model_reply(&name)?)
    }
}

impl RemoveOfferedModel for CatalogService {
    async fn remove_offered_model(
        &self,
        cx: &Cx,
        input: RemoveOfferedModelInput,
    ) -> Result<OfferedModelRemovedReply, RemoveOfferedModelError> {
        let RemoveOfferedModelInput { name, if_match, caller, reason, .. } = input;
        let by = OperatorCaller::actor_name(&caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        let change = CatalogChange::remove(EntryKind::Model, &name, &if_match);
        self.change(vec![change], actor).await.map_err(|error| Refusal::of(cx, error, &if_match))?;
        Ok(OfferedModelRemovedReply { success: true, message: String::new(), data: CatalogRemoved { name } })
    }
}

impl QuoteModel for CatalogService {
    async fn quote_model(&self, _: &Cx, input: QuoteModelInput) -> Result<QuoteReply, QuoteModelError> {
        let QuoteModelInput { name, body, .. } = input;
        let QuoteRequest { prompt_tokens, cached_tokens, completion_tokens, group } = body;
        let tokens = |asked: Option<i64>| asked.map_or(0, |tokens| u64::try_from(tokens).unwrap_or_default());
        let (prompt, cached) = (tokens(prompt_tokens), tokens(cached_tokens));
        if cached > prompt {
            return Err(Refusal::field("cached_tokens", "at most `prompt_tokens`", &cached.to_string()).into());
        }
        let asked = group.as_deref().unwrap_or("default");
        let group = asked.parse::<AccountGroup>().ok().filter(|group| self.gateway().has_group(*group));
        let group = group.ok_or_else(|| Refusal::field("group", "a group that has a ratio", asked))?;
        let (tariff, ratio) =
            self.gateway().tariff(&name, group).ok_or_else(|| Refusal::not_found(EntryKind::Model, &name))?;
        let usage = BilledUsage { prompt, cached, completion: tokens(completion_tokens), ..BilledUsage::default() };
        let charge = tariff.charge(&usage, &[], Vec::new());
        let charge = charge.map_err(|error| Refusal::field("completion_tokens", error.to_string(), "too many"))?;
        let price = charge.tier.as_ref().map_or(&tariff.base, |tier| &tier.price);
        let data = Quote {
            cost_usd: charge.cost,
            ratio: ratio.to_string(),
            tier_above_tokens: charge.tier.as_ref().map(|tier| i64::try_from(tier.above).unwrap_or(i64::MAX)),
            price_version: price.version.clone(),
        };
        Ok(QuoteReply { success: true, message: String::new(), data })
    }
}

impl CatalogService {
    fn model_reply(&self, name: &str) -> Result<OfferedModelReply, Refusal> {
        let data = self.model(&self.live(), name).ok_or_else(|| Refusal::not_found(EntryKind::Model, name))?;
        Ok(OfferedModelReply { success: true, message: String::new(), data })
    }

    /// A model in the words of the spec.
    fn model(&self, live: &LiveCatalog, name: &str) -> Option<OfferedModel> {
        let configured = &live.configured;
        let entry = live.kept.find(&EntryName::new(EntryKind::Model, name));
        let entry = entry.filter(|_| !configured.offer.offer.models.contains_key(name));
        let sold = live.merged.offer.models.get(name);
        // As operators wrote it, without what the price list adds.
        let table = match entry {
            Some(entry) => written(&entry.body)?,
            None => sold?.clone(),
        };
        let price = sold.and_then(ModelTable::price);
        let Provenance { origin, fault, changed_at, changed_by, version } = Provenance::of(live, entry);
        Some(OfferedModel {
            name: name.to_owned(),
            origin,
            fault,
            settings: rewritten(&table.without_price()).ok()?,
            price: price.and_then(prices::settings),
            price_version: price.map(prices::version),
            changed_at,
            changed_by,
            version,
        })
    }
}

fn written(body: &str) -> Option<ModelTable> {
    match EntryBody::read(EntryKind::Model, body) {
        Ok(EntryBody::Model(table)) => Some(*table),
        _ => None,
    }
}

/// A model as the configuration would have it.
fn table(settings: &ModelSettings) -> Result<Box<ModelTable>, Refusal> {
    rewritten(settings).map_err(|error| Refusal::unusable("settings", error.to_string()))
}
