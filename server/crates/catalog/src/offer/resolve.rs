//! From what is written to the gateway's configuration; every complaint is collected.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use tollgate_base::{AccountGroup, PriceRatio};
use tollgate_gateway::{CandidateConfig, ModelConfig, PatternConfig, UpstreamConfig};

use super::complaint::UnplacedComplaint;
use super::file_offer::UpstreamAccess;
use super::tables::{self, Offer};
use super::{groups, patterns, price, tiers};

/// Looks up what there is for a provider, or complains.
type Credentials<'a> = dyn FnMut(&str, &tables::UpstreamTable, &mut Vec<UnplacedComplaint>) -> UpstreamAccess + 'a;

/// The parts of the gateway's configuration that an offer comes to.
#[derive(Debug, Clone, Default)]
pub struct ResolvedOffer {
    /// Providers by the name that models refer to.
    pub upstreams: IndexMap<String, UpstreamConfig>,
    /// Models by the name that clients ask for.
    pub models: IndexMap<String, ModelConfig>,
    /// Name patterns with one `*`.
    pub patterns: IndexMap<String, PatternConfig>,
    /// The ratio of all prices that the accounts of each group pay.
    pub groups: BTreeMap<AccountGroup, PriceRatio>,
}

impl Offer {
    /// The gateway's configuration. It is whole where nothing was added to `found`.
    pub fn resolve(&self, credentials: &mut Credentials<'_>, found: &mut Vec<UnplacedComplaint>) -> ResolvedOffer {
        let mut upstreams = IndexMap::new();
        for (name, upstream) in &self.upstreams {
            if let Some(resolved) = self::upstream(name, upstream, credentials, found) {
                upstreams.insert(name.clone(), resolved);
            }
        }
        let (models, patterns) = models(self, found);
        names_once(self, found);
        let groups = groups::ratios(&self.groups, found);
        usual_models(self, found);
        ResolvedOffer { upstreams, models, patterns, groups }
    }
}

/// Checks that the models for requests that name none are on offer.
fn usual_models(offer: &Offer, found: &mut Vec<UnplacedComplaint>) {
    for (table, model) in [("moderation", &offer.moderation_model), ("video", &offer.video_model)] {
        if let Some(model) = model.as_ref().filter(|model| !offers(offer, model)) {
            found.push(UnplacedComplaint::new(&[table, "model"], format!("there is no [models.{model}]")));
        }
    }
}

fn upstream(
    name: &str,
    file: &tables::UpstreamTable,
    credentials: &mut Credentials<'_>,
    found: &mut Vec<UnplacedComplaint>,
) -> Option<UpstreamConfig> {
    let complaints = found.len();
    if !file.base_url.starts_with("http://") && !file.base_url.starts_with("https://") {
        found.push(UnplacedComplaint::new(&["upstreams", name, "base_url"], "must start with https:// or http://"));
    }
    if file.concurrency_max == Some(0) {
        found.push(UnplacedComplaint::new(&["upstreams", name, "concurrency_max"], "must be at least 1"));
    }
    let UpstreamAccess { api_key, key_pair, reach } = credentials(name, file, found);
    (found.len() == complaints).then(|| UpstreamConfig {
        base_url: file.base_url.clone(),
        kind: file.format.kind(),
        concurrency_max: file.concurrency_max,
        api_key,
        key_pair,
        http: file.http,
        output_bound_field: file.output_bound_field,
        completions: file.completions,
        unknown_members: file.unknown_members,
        reach,
    })
}

/// Uses of a tool that one request may be held for.
const TOOL_USES: std::ops::RangeInclusive<u64> = 1..=1_000;

/// The models on offer: by names, and by patterns of names.
fn models(
    offer: &Offer,
    found: &mut Vec<UnplacedComplaint>,
) -> (IndexMap<String, ModelConfig>, IndexMap<String, PatternConfig>) {
    let (mut models, mut patterns) = (IndexMap::new(), IndexMap::new());
    let expanded: BTreeSet<&String> = offer.models.values().filter_map(|model| model.pattern.as_ref()).collect();
    for (name, model) in &offer.models {
        patterns::check(name, model, expanded.contains(name), found);
        let pattern = name.contains('*');
        if pattern && model.price.is_none() {
            // Its names are models of their own.
            check_candidates(name, model, offer, found);
            patterns.insert(name.clone(), PatternConfig::Listed);
        } else if let Some(resolved) = self::model(name, model, offer, found) {
            if pattern {
                patterns.insert(name.clone(), PatternConfig::Any(Box::new(resolved)));
            } else {
                models.insert(name.clone(), resolved);
            }
        }
    }
    (models, patterns)
}

/// Checks the candidates and the fallbacks of a model.
fn check_candidates(name: &str, model: &tables::ModelTable, offer: &Offer, found: &mut Vec<UnplacedComplaint>) {
    if model.candidates.is_empty() {
        found.push(UnplacedComplaint::new(&["models", name, "candidates"], "name at least one upstream"));
    }
    for candidate in &model.candidates {
        if !offer.upstreams.contains_key(&candidate.upstream) {
            let message = format!("there is no [upstreams.{}]", candidate.upstream);
            found.push(UnplacedComplaint::new(&["models", name, "candidates"], message));
        }
    }
    fallback(name, model, offer, found);
}

fn model(
    name: &str,
    model: &tables::ModelTable,
    offer: &Offer,
    found: &mut Vec<UnplacedComplaint>,
) -> Option<ModelConfig> {
    let complaints = found.len();
    let upstreams = model.candidates.iter().filter_map(|candidate| offer.upstreams.get(&candidate.upstream));
    let kinds: Vec<_> = upstreams.map(|upstream| upstream.format.kind()).collect();
    let Some(written) = &model.price else {
        found.push(UnplacedComplaint::new(&["models", name, "price"], missing_price(name, model, offer)));
        return None;
    };
    if model.listed_as.is_some() {
        let message = "there is a price beside it, which it would be in vain to look up: take one of the two out";
        found.push(UnplacedComplaint::new(&["models", name, "listed_as"], message));
    }
    let tariff = tiers::tariff(name, written, &kinds, found);
    let cost = price::cost(name, written, &kinds, found);
    let video = price::video(name, written, model.video_seconds.as_ref(), found);
    let image_price = written.image.as_ref().and_then(|text| price::picture(name, text, found));
    let (context_tokens, max_output_tokens) = lengths(name, model, found);
    if !TOOL_USES.contains(&model.tool_uses_max) {
        found.push(UnplacedComplaint::new(&["models", name, "tool_uses_max"], "must be from 1 to 1000"));
    }
    // Of one that stands for a pattern, the pattern is looked at.
    if model.pattern.is_none() {
        check_candidates(name, model, offer, found);
    }
    let candidates = model.candidates.iter().zip(0..).map(|(candidate, place)| CandidateConfig {
        upstream: candidate.upstream.clone(),
        model: candidate.model.clone().unwrap_or_else(|| name.to_owned()),
        answers_as: candidate.answers_as.clone(),
        priority: candidate.priority.unwrap_or(place),
        weight: candidate.weight,
    });
    (found.len() == complaints).then_some(())?;
    let tariff = tariff?;
    Some(ModelConfig {
        pattern: model.pattern.clone(),
        unlisted: model.pattern.is_some() && !model.in_model_lists,
        aliases: model.aliases.clone(),
        display_name: model.display_name.clone().unwrap_or_else(|| name.to_owned()),
        owned_by: model.owned_by.clone().unwrap_or_else(|| "tollgate".to_owned()),
        created: model.created,
        context_tokens,
        max_output_tokens,
        capabilities: model.capabilities.resolve(),
        tool_uses_max: model.tool_uses_max,
        asks_for_cache: price::caches(written, &tariff.base),
        tariff,
        cost,
        image_price,
        video,
        media_prices: price::media(written),
        candidates: candidates.collect(),
        fallback: model.fallback.clone(),
    })
}

/// The context and the longest output of a model, in tokens; what is missing is a complaint.
fn lengths(name: &str, model: &tables::ModelTable, found: &mut Vec<UnplacedComplaint>) -> (u64, u64) {
    let keys = [("context_tokens", model.context_tokens), ("max_output_tokens", model.max_output_tokens)];
    for (key, _) in keys.iter().filter(|(_, tokens)| tokens.is_none()) {
        let message = "missing: write it here, or name a price_list that knows the model";
        found.push(UnplacedComplaint::new(&["models", name, key], message));
    }
    let (Some(context), Some(output)) = (model.context_tokens, model.max_output_tokens) else { return (0, 0) };
    if output == 0 || output > context {
        let message = "must be at least 1 and at most context_tokens";
        found.push(UnplacedComplaint::new(&["models", name, "max_output_tokens"], message));
    }
    (context, output)
}

/// The complaint about a model without a price.
fn missing_price(name: &str, model: &tables::ModelTable, offer: &Offer) -> String {
    let listed = model.listed_as.as_deref().unwrap_or(name);
    match &offer.price_list {
        Some(list) => {
            format!("missing, and {} has no [prices.{listed:?}]: a model without a price is not sold", list.display())
        }
        None => {
            "missing: a model without a price is not sold; write it here, or name a price_list that has it".to_owned()
        }
    }
}

/// The models that take the place of one are others, each once. The lists of those are not followed, so that two models
/// may name each other.
fn fallback(name: &str, model: &tables::ModelTable, offer: &Offer, found: &mut Vec<UnplacedComplaint>) {
    for (index, other) in model.fallback.iter().enumerate() {
        let message = match offer.models.get(other) {
            None => format!("there is no [models.{other}]: name a model, and not by an alias"),
            Some(_) if other.contains('*') => format!("`{other}` is a pattern: name a model"),
            Some(_) if other == name => format!("`{other}` cannot take its own place"),
            Some(_) if model.fallback[..index].contains(other) => format!("`{other}` is named twice"),
            Some(_) => continue,
        };
        found.push(UnplacedComplaint::new(&["models", name, "fallback"], message));
    }
}

/// A name or alias stands for one model.
fn names_once(offer: &Offer, found: &mut Vec<UnplacedComplaint>) {
    let mut owners: IndexMap<&str, &str> = offer.models.keys().map(|name| (name.as_str(), name.as_str())).collect();
    for (name, model) in &offer.models {
        for alias in &model.aliases {
            if let Some(owner) = owners.insert(alias, name) {
                let message = format!("`{alias}` already names the model `{owner}`");
                found.push(UnplacedComplaint::new(&["models", name, "aliases"], message));
            }
        }
    }
}

/// True if a model is on offer under that name or alias.
fn offers(offer: &Offer, wanted: &str) -> bool {
    let names = |(name, model): (&String, &tables::ModelTable)| {
        name == wanted || model.aliases.iter().any(|alias| alias == wanted)
    };
    !wanted.contains('*') && offer.models.iter().any(names)
}
