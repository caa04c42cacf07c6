//! `GET /admin/models` and `GET /admin/models/{name}`.

use askama::Template;

use super::frame::{Frame, Section};
use super::link::{link, segment};
use super::on_offer::settings_json;
use super::price_members::price_line;
use super::reply;
use super::texts::Texts;
use crate::margin::{Margin, MarginGrouping};
use crate::{Admin, unavailable};
use tollgate_api::generated::ops::admin_console::{
    ShowModel, ShowModelError, ShowModelInput, ShowModels, ShowModelsError, ShowModelsInput,
};
use tollgate_api::generated::ops::admin_models::{
    GetOfferedModel, GetOfferedModelError, GetOfferedModelInput, ListOfferedModels, ListOfferedModelsInput,
};
use tollgate_api::generated::ops::admin_prices::{ListPrices, ListPricesInput};
use tollgate_api::generated::ops::admin_providers::{ListProviders, ListProvidersInput};
use tollgate_api::generated::types::{CatalogOrigin, LoggedChange, ModelCandidateSettings, OfferedModel};
use tollgate_api::{Cx, OperatorCaller, ProxyReply};
use tollgate_credit::UsageSpan;

/// The most providers and prices that a form offers; it keeps the one that a model has in any case.
const CHOICES: i64 = 1000;

#[derive(Template)]
#[template(path = "models.html")]
struct ModelsPage {
    t: &'static Texts,
    frame: Frame,
    models: Vec<OfferedModel>,
    choices: Choices,
    /// Of the last days, by model.
    margins: Vec<Margin>,
    /// The next page; empty on the last one.
    next: String,
}

#[derive(Template)]
#[template(path = "model.html")]
struct ModelPage {
    t: &'static Texts,
    frame: Frame,
    model: OfferedModel,
    /// The path of its operation.
    api: String,
    settings: String,
    /// One for each candidate, and an empty one for another.
    rows: Vec<CandidateRow>,
    choices: Choices,
    groups: Vec<String>,
    changes: Vec<LoggedChange>,
}

impl ModelPage {
    /// True if the caller may change what it is.
    fn is_editable(&self) -> bool {
        self.frame.powers.catalog && self.model.origin == CatalogOrigin::Api
    }

    /// True if it stands for many names, each with a cost of its own.
    fn is_pattern(&self) -> bool {
        self.model.name.contains('*')
    }
}

/// The names that a form of a model offers.
#[derive(Debug)]
struct Choices {
    providers: Vec<String>,
    prices: Vec<String>,
}

impl Choices {
    /// Adds what a model has, which may be gone.
    fn with(mut self, model: &OfferedModel) -> Self {
        let candidates = model.settings.candidates.iter().map(|candidate| candidate.upstream.clone());
        for (names, more) in [
            (&mut self.providers, candidates.collect::<Vec<_>>()),
            (&mut self.prices, model.settings.listed_as.iter().cloned().collect()),
        ] {
            names.extend(more);
            names.sort();
            names.dedup();
        }
        self
    }
}

/// The fields of a candidate.
#[derive(Debug, Default)]
struct CandidateRow {
    index: usize,
    upstream: String,
    model: String,
    priority: String,
    weight: String,
}

impl CandidateRow {
    fn of((index, candidate): (usize, &ModelCandidateSettings)) -> Self {
        let number = |number: Option<i64>| number.map(|number| number.to_string()).unwrap_or_default();
        Self {
            index,
            upstream: candidate.upstream.clone(),
            model: candidate.model.clone().unwrap_or_default(),
            priority: number(candidate.priority),
            weight: number(candidate.weight),
        }
    }
}

impl ShowModels for Admin {
    async fn show_models(&self, cx: &Cx, input: ShowModelsInput) -> Result<ProxyReply, ShowModelsError> {
        let ShowModelsInput { caller, after } = input;
        let frame = self.frame_of_offer(&caller, Section::Models);
        let choices = self.choices(cx, &caller).await.ok_or(ShowModelsError::LedgerUnavailable)?;
        let after = after.filter(|after| !after.is_empty());
        let list = ListOfferedModelsInput { caller, limit: None, after, origin: None, upstream: None };
        let found = self.catalog.list_offered_models(cx, list).await;
        let found = found.map_err(|_| ShowModelsError::LedgerUnavailable)?.data;
        let next = found.next.map(|after| link("/admin/models", &[("after", &after)])).unwrap_or_default();
        let span = UsageSpan::asked(self.clock.now_ms(), None, None);
        // Years of rows on a database that is busy: the page comes without them, and the log says why.
        let margins = self.margins(span, MarginGrouping { day: false, model: true }).await;
        let margins =
            margins.inspect_err(|error| unavailable(cx, error)).map(|margins| margins.rows).unwrap_or_default();
        Ok(reply::page(&ModelsPage { t: frame.t, frame, models: found.models, choices, margins, next }))
    }
}

impl ShowModel for Admin {
    async fn show_model(&self, cx: &Cx, input: ShowModelInput) -> Result<ProxyReply, ShowModelError> {
        let ShowModelInput { caller, name } = input;
        let frame = self.frame_of_offer(&caller, Section::Models);
        let get = GetOfferedModelInput { caller: caller.clone(), name: name.clone() };
        let model = self.catalog.get_offered_model(cx, get).await;
        let model = model.map_err(|error| match error {
            GetOfferedModelError::CatalogNotFound { kind, name } => ShowModelError::CatalogNotFound { kind, name },
            // It is logged.
            _ => ShowModelError::LedgerUnavailable,
        })?;
        let (model, api) = (model.data, format!("/api/admin/models/{}", segment(&name)));
        let choices = self.choices(cx, &caller).await.ok_or(ShowModelError::LedgerUnavailable)?.with(&model);
        let changes = self.changes_of(cx, caller, "model.", name).await;
        let changes = changes.ok_or(ShowModelError::LedgerUnavailable)?;
        let candidates = &model.settings.candidates;
        let mut rows: Vec<CandidateRow> = candidates.iter().enumerate().map(CandidateRow::of).collect();
        rows.push(CandidateRow { index: rows.len(), ..CandidateRow::default() });
        let (t, settings, groups) = (frame.t, settings_json(&model.settings), self.group_names());
        Ok(reply::page(&ModelPage { t, frame, model, api, settings, rows, choices, groups, changes }))
    }
}

impl Admin {
    /// The providers and prices that a model may name. `None` where they cannot be read, which is logged.
    async fn choices(&self, cx: &Cx, caller: &OperatorCaller) -> Option<Choices> {
        let limit = Some(CHOICES);
        let list = ListProvidersInput { caller: caller.clone(), limit, after: None, origin: None };
        let providers = self.catalog.list_providers(cx, list).await.ok()?.data.providers;
        let list = ListPricesInput { caller: caller.clone(), limit, after: None, origin: None };
        let prices = self.catalog.list_prices(cx, list).await.ok()?.data.prices;
        Some(Choices {
            providers: providers.into_iter().map(|provider| provider.name).collect(),
            prices: prices.into_iter().map(|price| price.name).collect(),
        })
    }
}
