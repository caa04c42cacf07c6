//! `GET /v1/models` and `GET /v1/models/{model}`, in the format of the client that asks; under
//! `/v1beta` always in format G.

use std::sync::Arc;

use crate::Gateway;
use crate::error::GatewayError;
use crate::routing::model::CatalogModel;
use tollgate_api::Cx;
use tollgate_api::generated::ops::content::{
    GetContentModel, GetContentModelError, GetContentModelInput, ListContentModels, ListContentModelsError,
    ListContentModelsInput,
};
use tollgate_api::generated::ops::models::{
    GetModel, GetModelError, GetModelFormat, GetModelInput, GetModelReply, ListModels, ListModelsError,
    ListModelsFormat, ListModelsInput, ListModelsReply,
};
use tollgate_api::generated::types::{
    CapabilityA, EffortCapabilityA, InputModality, ModelA, ModelCapabilitiesA, ModelG, ModelListA, ModelListG,
    ModelListO, ModelO, ModelPricing, ServerToolsCapabilityA, ThinkingCapabilityA, ThinkingTypesA,
};
use tollgate_base::{PriceRatio, rfc3339};
use tollgate_credit::TokenPrices;
use tollgate_formats::{InputKind, ModelCapabilities, ThinkingMode};

impl ListModels for Gateway {
    async fn list_models(&self, _: &Cx, input: ListModelsInput) -> Result<ListModelsReply, ListModelsError> {
        let catalog = self.catalog.load();
        let models = &catalog.models_for(&input.caller);
        Ok(match input.format {
            ListModelsFormat::O => ListModelsReply::O(list_o(models, catalog.ratio(input.caller.group))),
            ListModelsFormat::A => ListModelsReply::A(list_a(
                models,
                count(input.limit),
                input.after_id.as_deref(),
                input.before_id.as_deref(),
            )),
            ListModelsFormat::G => {
                ListModelsReply::G(list_g(models, count(input.page_size), input.page_token.as_deref()))
            }
        })
    }
}

impl ListContentModels for Gateway {
    async fn list_content_models(
        &self,
        _: &Cx,
        input: ListContentModelsInput,
    ) -> Result<ModelListG, ListContentModelsError> {
        let models = self.catalog.load().models_for(&input.caller);
        Ok(list_g(&models, count(input.page_size), input.page_token.as_deref()))
    }
}

impl GetContentModel for Gateway {
    async fn get_content_model(&self, _: &Cx, input: GetContentModelInput) -> Result<ModelG, GetContentModelError> {
        match self.catalog.load().find_for(&input.caller, &input.model) {
            Ok(model) => Ok(model_g(&model)),
            Err(GatewayError::NotAllowed) => Err(GetContentModelError::ModelNotAllowed { model: input.model }),
            Err(_) => Err(GetContentModelError::ModelNotFound { model: input.model }),
        }
    }
}

impl GetModel for Gateway {
    async fn get_model(&self, _: &Cx, input: GetModelInput) -> Result<GetModelReply, GetModelError> {
        let catalog = self.catalog.load();
        let model = match catalog.find_for(&input.caller, &input.model) {
            Ok(model) => model,
            Err(GatewayError::NotAllowed) => return Err(GetModelError::ModelNotAllowed { model: input.model }),
            Err(_) => return Err(GetModelError::ModelNotFound { model: input.model }),
        };
        Ok(match input.format {
            GetModelFormat::O => GetModelReply::O(model_o(&model, catalog.ratio(input.caller.group))),
            GetModelFormat::A => GetModelReply::A(model_a(&model)),
            GetModelFormat::G => GetModelReply::G(model_g(&model)),
        })
    }
}

/// A page size that the spec has bounded already.
fn count(size: i64) -> usize {
    usize::try_from(size).unwrap_or(usize::MAX)
}

fn list_o(models: &[Arc<CatalogModel>], ratio: Option<PriceRatio>) -> ModelListO {
    ModelListO { object: "list", data: models.iter().map(|model| model_o(model, ratio)).collect() }
}

fn model_o(model: &CatalogModel, ratio: Option<PriceRatio>) -> ModelO {
    let modality = |kind| match kind {
        InputKind::Text => InputModality::Text,
        InputKind::Image => InputModality::Image,
        InputKind::Pdf => InputModality::Pdf,
        InputKind::Audio => InputModality::Audio,
        InputKind::Video => InputModality::Video,
    };
    ModelO {
        id: model.id.clone(),
        object: "model",
        created: model.created,
        owned_by: model.owned_by.clone(),
        context_length: tokens(model.context_tokens),
        max_output_tokens: tokens(model.max_output_tokens),
        pricing: ratio.map(|ratio| pricing(&model.tariff.base, ratio)),
        input_modalities: model.capabilities.input.map(|kinds| kinds.iter().map(modality).collect()),
    }
}

fn pricing(price: &TokenPrices, ratio: PriceRatio) -> ModelPricing {
    ModelPricing {
        prompt: price.prompt.usd_at(ratio),
        completion: price.completion.usd_at(ratio),
        input_cache_read: price.cached.usd_at(ratio),
        input_cache_write: price.cache_write.usd_at(ratio),
        request: price.request.usd_at(ratio),
    }
}

fn tokens(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The page after one id, or right before another. An id that is not offered, or no longer, is ignored.
fn list_a(models: &[Arc<CatalogModel>], limit: usize, after: Option<&str>, before: Option<&str>) -> ModelListA {
    let place = |id: &str| models.iter().position(|model| model.id == id);
    let start = after.and_then(place).map_or(0, |index| index + 1);
    let end = before.and_then(place).unwrap_or(models.len()).max(start);
    let (page, has_more) = match before {
        Some(_) => {
            let first = end.saturating_sub(limit).max(start);
            (&models[first..end], first > start)
        }
        None => {
            let last = start.saturating_add(limit).min(end);
            (&models[start..last], last < end)
        }
    };
    ModelListA {
        has_more,
        first_id: page.first().map(|model| model.id.clone()),
        last_id: page.last().map(|model| model.id.clone()),
        data: page.iter().map(|model| model_a(model)).collect(),
    }
}

fn model_a(model: &CatalogModel) -> ModelA {
    ModelA {
        r#type: "model",
        id: model.id.clone(),
        display_name: model.display_name.clone(),
        created_at: rfc3339(model.created.saturating_mul(1000)),
        lifecycle: "active",
        max_input_tokens: tokens(model.context_tokens),
        max_tokens: tokens(model.max_output_tokens),
        capabilities: capabilities_a(model.capabilities),
    }
}

fn capabilities_a(known: ModelCapabilities) -> ModelCapabilitiesA {
    let is = |supported| CapabilityA { supported };
    let reads = |kind| is(known.input.is_some_and(|kinds| kinds.has(kind)));
    let adaptive = known.thinking == Some(ThinkingMode::Adaptive);
    let types = ThinkingTypesA {
        adaptive: is(adaptive),
        enabled: is(known.thinking == Some(ThinkingMode::Budget)),
        // Every model can be asked not to.
        disabled: is(true),
        between_tools: is(false),
    };
    ModelCapabilitiesA {
        batch: is(false),
        citations: is(false),
        code_execution: is(false),
        context_management: is(false),
        effort: EffortCapabilityA {
            supported: adaptive,
            low: is(adaptive),
            medium: is(adaptive),
            high: is(adaptive),
            max: is(adaptive),
        },
        image_input: reads(InputKind::Image),
        pdf_input: reads(InputKind::Pdf),
        server_tools: ServerToolsCapabilityA { supported: false, web_search: is(false), code_execution: is(false) },
        structured_outputs: is(known.structured_output == Some(true)),
        thinking: ThinkingCapabilityA { supported: known.thinks(), types },
    }
}

/// The page that a token names; the token is the id of the page's first model.
fn list_g(models: &[Arc<CatalogModel>], size: usize, token: Option<&str>) -> ModelListG {
    let start = token.and_then(|id| models.iter().position(|model| model.id == id)).unwrap_or(0);
    let end = start.saturating_add(size).min(models.len());
    ModelListG {
        models: models[start..end].iter().map(|model| model_g(model)).collect(),
        next_page_token: models.get(end).map(|model| model.id.clone()),
    }
}

fn model_g(model: &CatalogModel) -> ModelG {
    ModelG {
        name: format!("models/{}", model.id),
        version: "001",
        display_name: model.display_name.clone(),
        supported_generation_methods: vec!["generateContent".to_owned(), "streamGenerateContent".to_owned()],
        input_token_limit: tokens(model.context_tokens),
        output_token_limit: tokens(model.max_output_tokens),
        thinking: model.capabilities.thinking.map(|_| model.capabilities.thinks()),
    }
}
