//! The models on offer, by every name they answer to. Built whole from the configuration and swapped whole on reload.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::config::{Config, HostedTools, ModelConfig, PatternConfig};
use crate::error::GatewayError;
use crate::members::{AdmissionPolicy, MemberClasses};
use crate::upstream::{UpstreamClient, UpstreamError};
use tollgate_base::{AccountGroup, Clock, PriceRatio, Principal};
use tollgate_formats::Format;

use super::breaker::CandidateHealth;
use super::model::{Candidate, CatalogModel};
use super::model_pattern::ModelPattern;
use super::provider_history::{ProviderHistory, ProviderMinute};

/// The models on offer. Every candidate's upstream exists, and so does every model that takes another's place.
#[derive(Debug)]
pub struct Catalog {
    /// In the order of the configuration, without those that are left out of lists.
    models: Vec<Arc<CatalogModel>>,
    /// Patterns with more letters come first.
    patterns: Vec<ModelPattern>,
    breaker_failures: u32,
    /// Providers that are sent no new requests.
    draining: BTreeSet<String>,
    by_name: HashMap<String, Arc<CatalogModel>>,
    upstreams: HashMap<String, Arc<UpstreamClient>>,
    /// The last hour of each provider.
    histories: HashMap<String, Arc<ProviderHistory>>,
    clock: Clock,
    groups: BTreeMap<AccountGroup, PriceRatio>,
    moderation_model: Option<String>,
    video_model: Option<String>,
    hosted_tools: HostedTools,
    members: MemberClasses,
}

/// A model at a provider, as this server has seen it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CandidateReport {
    /// The model on offer.
    pub model: String,
    /// Its name there.
    pub upstream_model: String,
    /// True while its breaker is open or it rests.
    pub is_open: bool,
    /// The usual time to the first byte, once there was one.
    pub latency: Option<Duration>,
}

impl Catalog {
    /// Builds the upstreams' clients and the table of names.
    ///
    /// # Errors
    /// When a client cannot be built (no system certificates, say).
    pub fn build(config: &Config, clock: &Clock) -> Result<Self, UpstreamError> {
        Self::after(None, config, clock)
    }

    /// The catalog of another configuration.
    ///
    /// A candidate that stays as it was keeps its connections, its requests in flight and its health. A provider
    /// keeps its history by its name.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn rebuilt(&self, config: &Config) -> Result<Self, UpstreamError> {
        Self::after(Some(self), config, &self.clock)
    }

    fn after(former: Option<&Self>, config: &Config, clock: &Clock) -> Result<Self, UpstreamError> {
        let (mut upstreams, mut histories) = (HashMap::new(), HashMap::new());
        for (name, upstream) in &config.upstreams {
            let kept = former.and_then(|former| former.upstream(name));
            let built = match kept.filter(|kept| kept.is_of(upstream, config.patience)) {
                Some(kept) => kept.clone(),
                None => Arc::new(UpstreamClient::build(name, upstream, config.patience)?),
            };
            upstreams.insert(name.clone(), built);
            let kept = former.and_then(|former| former.histories.get(name)).cloned();
            histories.insert(name.clone(), kept.unwrap_or_else(|| Arc::new(ProviderHistory::new(clock.clone()))));
        }
        let mut catalog = Self {
            models: Vec::new(),
            patterns: Vec::new(),
            breaker_failures: config.breaker_failures,
            draining: config.draining.clone(),
            by_name: HashMap::new(),
            upstreams,
            histories,
            clock: clock.clone(),
            groups: config.groups.clone(),
            moderation_model: config.moderation_model.clone(),
            video_model: config.video_model.clone(),
            hosted_tools: config.hosted_tools,
            members: config.members.clone(),
        };
        for (id, model) in &config.models {
            catalog.add(id, model, former.and_then(|former| former.by_name.get(id)));
        }
        for (name, pattern) in &config.patterns {
            catalog.add_pattern(name, pattern, former.and_then(|former| former.pattern(name)));
        }
        catalog.patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.letters()));
        Ok(catalog)
    }

    fn add(&mut self, id: &str, config: &ModelConfig, former: Option<&Arc<CatalogModel>>) {
        let model = self.model(id, config, former);
        for name in std::iter::once(id).chain(config.aliases.iter().map(String::as_str)) {
            self.by_name.insert(name.to_owned(), model.clone());
        }
        if !config.unlisted {
            self.models.push(model);
        }
    }

    /// Adds a pattern; the health of its models stays what it was.
    fn add_pattern(&mut self, name: &str, config: &PatternConfig, former: Option<&ModelPattern>) {
        let pattern = ModelPattern::new(name, config);
        for model in former.into_iter().flat_map(ModelPattern::remembered) {
            pattern.model(&model.id, |config| self.model(&model.id, config, Some(&model)));
        }
        self.patterns.push(pattern);
    }

    fn model(&self, id: &str, config: &ModelConfig, former: Option<&Arc<CatalogModel>>) -> Arc<CatalogModel> {
        let candidates = config.candidates.iter().map(|candidate| {
            let upstream = &self.upstreams[candidate.upstream.as_str()];
            let same = |kept: &&Candidate| {
                Arc::ptr_eq(&kept.upstream, upstream)
                    && kept.model == candidate.model
                    && kept.health.opens_after() == self.breaker_failures
            };
            // Candidates that are equal in all of this share one health.
            let kept = former.and_then(|former| former.candidates.iter().find(same));
            Candidate {
                upstream: upstream.clone(),
                model: candidate.model.clone(),
                services: upstream.services(&candidate.model),
                answers_as: candidate.answers_as.clone(),
                priority: candidate.priority,
                weight: candidate.weight,
                health: kept.map_or_else(|| self.health(&candidate.upstream), |kept| kept.health.clone()),
                draining: self.draining.contains(&candidate.upstream),
                closed_thinking: kept.map(|kept| kept.closed_thinking.clone()).unwrap_or_default(),
            }
        });
        Arc::new(CatalogModel {
            id: id.to_owned(),
            pattern: config.pattern.clone(),
            display_name: config.display_name.clone(),
            owned_by: config.owned_by.clone(),
            created: config.created,
            context_tokens: config.context_tokens,
            max_output_tokens: config.max_output_tokens,
            capabilities: config.capabilities,
            asks_for_cache: config.asks_for_cache,
            tariff: Arc::new(config.tariff.clone()),
            cost: config.cost.clone(),
            tool_uses_max: config.tool_uses_max,
            image_price: config.image_price,
            video: config.video.clone(),
            media_prices: config.media_prices,
            candidates: candidates.collect(),
            fallback: config.fallback.clone(),
        })
    }

    /// The health of a candidate that nothing is known of yet.
    fn health(&self, provider: &str) -> Arc<CandidateHealth> {
        Arc::new(CandidateHealth::new(self.breaker_failures, self.histories[provider].clone()))
    }

    /// The model of that name or alias, or of a name that a pattern fits: of several, the one with the most letters.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Arc<CatalogModel>> {
        if let Some(model) = self.by_name.get(name) {
            return Some(model.clone());
        }
        let pattern = self.patterns.iter().find(|pattern| pattern.fits(name))?;
        pattern.model(name, |config| self.model(name, config, None))
    }

    /// The model on offer whose answers a provider names `theirs`; an answer that names another model is charged by it.
    ///
    /// `asked` is the one on offer that was asked for; of several others it is the dearest, because a provider bills by what
    /// it has. One that sells no words is none: a conversation with it would be free.
    #[must_use]
    pub fn answering(&self, asked: &Arc<CatalogModel>, upstream: &str, theirs: &str) -> Option<Arc<CatalogModel>> {
        if asked.answers_as(upstream, theirs) {
            return Some(asked.clone());
        }
        let of_patterns = self.patterns.iter().filter_map(|pattern| self.find(&pattern.name_of(upstream, theirs)?));
        let models = self.by_name.values().cloned().chain(of_patterns);
        let models = models.filter(|model| model.answers_as(upstream, theirs) && !model.sells_no_words());
        models.max_by(|one, other| {
            let price = |model: &CatalogModel| (model.tariff.base.completion, model.tariff.base.prompt);
            price(one).cmp(&price(other)).then_with(|| other.id.cmp(&one.id))
        })
    }

    fn pattern(&self, name: &str) -> Option<&ModelPattern> {
        self.patterns.iter().find(|pattern| pattern.name() == name)
    }

    /// The provider of that name.
    #[must_use]
    pub fn upstream(&self, name: &str) -> Option<&Arc<UpstreamClient>> {
        self.upstreams.get(name)
    }

    /// The ratio that the accounts of a group pay of all prices; `None` where the configuration lacks the group.
    #[must_use]
    pub fn ratio(&self, group: AccountGroup) -> Option<PriceRatio> {
        self.groups.get(&group).copied()
    }

    /// The ratio that the caller pays of all prices.
    ///
    /// # Errors
    /// [`GatewayError::Unpriceable`] where the caller's group has none: the account may have been put into it after the start.
    pub fn ratio_for(&self, caller: &Principal) -> Result<PriceRatio, GatewayError> {
        self.ratio(caller.group).ok_or_else(|| {
            let Principal { account, group, .. } = caller;
            tracing::error!(%account, %group, "there is no ratio for the group of an account: it is sold nothing");
            GatewayError::Unpriceable
        })
    }

    /// The groups that the configuration has a ratio for, by name.
    pub fn groups(&self) -> impl Iterator<Item = AccountGroup> {
        self.groups.keys().copied()
    }

    /// The number of providers.
    #[must_use]
    pub fn provider_count(&self) -> usize {
        self.upstreams.len()
    }

    /// The number of models, those that are left out of lists among them. A pattern counts once, and so do the names of a model.
    #[must_use]
    pub fn model_count(&self) -> usize {
        let ids: BTreeSet<&str> = self.by_name.values().map(|model| model.id.as_str()).collect();
        ids.len() + self.patterns.len()
    }

    /// The models at a provider, as they fare.
    #[must_use]
    pub fn candidates_at(&self, provider: &str, now: Instant) -> Vec<CandidateReport> {
        let remembered = self.patterns.iter().flat_map(ModelPattern::remembered);
        let models: BTreeMap<String, Arc<CatalogModel>> =
            self.by_name.values().cloned().chain(remembered).map(|model| (model.id.clone(), model)).collect();
        let candidates =
            models.values().flat_map(|model| model.candidates.iter().map(|candidate| (&model.id, candidate)));
        let there = candidates.filter(|(_, candidate)| candidate.upstream.name() == provider);
        let report = |(model, candidate): (&String, &Candidate)| CandidateReport {
            model: model.clone(),
            upstream_model: candidate.model.clone(),
            is_open: candidate.health.shut_until(now).is_some(),
            latency: candidate.health.latency(),
        };
        there.map(report).collect()
    }

    /// The last hour of a provider, by the minute; `None` where there is no such provider.
    #[must_use]
    pub fn minutes_of(&self, provider: &str) -> Option<Vec<ProviderMinute>> {
        self.histories.get(provider).map(|history| history.minutes())
    }

    /// The video model for requests that name none.
    #[must_use]
    pub fn video_model(&self) -> Option<&str> {
        self.video_model.as_deref()
    }

    /// The model of that name or alias, for a caller who may use it.
    ///
    /// # Errors
    /// When there is none, or the caller's key is not for it.
    pub fn find_for(&self, caller: &Principal, name: &str) -> Result<Arc<CatalogModel>, GatewayError> {
        let model = self.find(name).ok_or(GatewayError::NoModel)?;
        if self.is_for(caller, &model) { Ok(model) } else { Err(GatewayError::NotAllowed) }
    }

    /// The model of that name or alias, followed by those of its fallbacks that the caller may use.
    ///
    /// Fallbacks of a fallback are not among them, so that two models may stand in for each other.
    ///
    /// # Errors
    /// As [`find_for`](Self::find_for).
    pub fn line(&self, caller: &Principal, name: &str) -> Result<Vec<Arc<CatalogModel>>, GatewayError> {
        let model = self.find_for(caller, name)?;
        let others = model.fallback.iter().filter_map(|name| self.by_name.get(name));
        let others: Vec<_> = others.filter(|other| self.is_for(caller, other)).cloned().collect();
        Ok(std::iter::once(model).chain(others).collect())
    }

    /// True if a caller's key is for a model, by any name of the model or by its pattern.
    #[must_use]
    pub fn is_for(&self, caller: &Principal, model: &CatalogModel) -> bool {
        let names = caller.scope.as_ref().and_then(|scope| scope.models.as_ref());
        let is = |name: &String| match self.by_name.get(name) {
            Some(named) => named.id == model.id,
            None => *name == model.id || model.pattern.as_ref() == Some(name),
        };
        names.is_none_or(|names| names.iter().any(is))
    }

    /// The operator's classes of members of requests.
    #[must_use]
    pub fn members(&self) -> &MemberClasses {
        &self.members
    }

    /// The rules on what a model takes of a request in a format.
    #[must_use]
    pub fn policy<'m>(&self, model: &'m CatalogModel, format: Format) -> AdmissionPolicy<'m> {
        AdmissionPolicy {
            format,
            drops_tools: self.hosted_tools == HostedTools::Drop,
            forwards_unknown: model.candidates.iter().any(|candidate| candidate.upstream.forwards_unknown()),
            prices: &model.tariff.services,
            tool_uses_max: model.tool_uses_max,
            keeps_bounds: model.candidates.iter().all(|candidate| candidate.upstream.keeps_bounds()),
        }
    }

    /// The models that a caller may use, in the order of the configuration, aliases left out.
    #[must_use]
    pub fn models_for(&self, caller: &Principal) -> Vec<Arc<CatalogModel>> {
        self.models.iter().filter(|model| self.is_for(caller, model)).cloned().collect()
    }

    /// The moderation model for requests that name none.
    #[must_use]
    pub fn moderation_model(&self) -> Option<&str> {
        self.moderation_model.as_deref()
    }

    /// All models, in the order of the configuration, aliases left out.
    #[must_use]
    pub fn models(&self) -> &[Arc<CatalogModel>] {
        &self.models
    }
}
