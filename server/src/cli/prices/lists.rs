//! Public price lists, in the shapes that operators have them in.
//!
//! A price that a list tells and that we have no word for would be lost with the import, and the model sold below its
//! cost. So each member that is a price has to be known, to be nothing, or to be of what is not sold here; else the model is
//! left out.

mod facts;

use std::collections::{BTreeMap, HashMap};

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::value::RawValue;

use tollgate_base::PicoUsd;

use super::entry_members::EntryMembers;
use super::tiers;

pub(super) use facts::ModelFacts;

/// A model of a list.
#[derive(Debug)]
pub(super) struct ListEntry {
    /// Its name there.
    pub(super) model: String,
    /// Its price, or why it has none.
    pub(super) price: Result<ListedPrices, String>,
    /// The facts of the list about it beside its price.
    pub(super) facts: ModelFacts,
}

/// Prices by their keys in a configuration.
pub(super) type PricesByKey = BTreeMap<&'static str, PicoUsd>;

/// The prices of a model.
#[derive(Debug, Default)]
pub(super) struct ListedPrices {
    /// Of prompts that no tier is for.
    pub(super) base: PricesByKey,
    /// Of prompts that are longer than so many tokens.
    pub(super) tiers: BTreeMap<u64, PricesByKey>,
    /// What the provider asks of prompts that no tier is for. Empty where prices are not marked up.
    pub(super) cost: PricesByKey,
}

impl ListEntry {
    /// Takes the prices for the cost, and puts prices so many per cent above in their place.
    pub(super) fn mark_up(&mut self, percent: u32) {
        let Ok(ListedPrices { base, tiers, cost }) = &mut self.price else { return };
        cost.clone_from(base);
        for price in std::iter::once(base).chain(tiers.values_mut()).flat_map(PricesByKey::values_mut) {
            match price.at_percent(100 + percent) {
                Ok(raised) => *price = raised,
                Err(error) => {
                    self.price = Err(format!("with the markup, a price leaves the range: {error}"));
                    return;
                }
            }
        }
    }
}

/// None of the shapes.
#[derive(Debug, thiserror::Error)]
pub(super) enum UnknownPriceList {
    /// No JSON object.
    #[error("it is no JSON object")]
    NoObject(#[source] serde_json::Error),
    /// An object of something else.
    #[error(
        "it holds neither models with `input_cost_per_token`, nor `data` with `pricing`, nor providers with `models` that have a `cost`"
    )]
    NoShape,
}

/// The names and units of prices in one kind of list.
struct PriceListShape {
    /// The power of ten of a unit's price.
    exponent: i32,
    /// Names of prices in the list, each with ours.
    words: &'static [(&'static str, &'static str)],
    /// Names of prices in the list that have to equal one of ours.
    same: &'static [(&'static str, &'static str)],
    /// True if a member is the price of what is not sold here.
    unsold: fn(&str) -> bool,
}

/// USD per token, beside all that is known of a model.
const PER_TOKEN: PriceListShape = PriceListShape {
    exponent: 0,
    words: &[
        ("input_cost_per_token", "prompt"),
        ("cache_read_input_token_cost", "cached"),
        ("cache_creation_input_token_cost", "cache_write"),
        ("cache_creation_input_token_cost_above_1hr", "cache_write_long"),
        ("output_cost_per_token", "completion"),
        ("input_cost_per_audio_token", "audio_prompt"),
        ("output_cost_per_audio_token", "audio_completion"),
        ("input_cost_per_image_token", "image_prompt"),
        ("output_cost_per_image_token", "image_completion"),
        ("output_cost_per_image", "image"),
        ("output_cost_per_video_per_second", "video_second"),
        ("output_cost_per_reasoning_token", "reasoning"),
        ("input_cost_per_request", "per_request"),
    ],
    same: &[("input_cost_per_token_cache_hit", "cached")],
    // Batches, other tiers of service and hosted tools.
    unsold: |word| {
        ["_batches", "_flex", "_priority", "_grounding_"].iter().any(|part| word.contains(part))
            || [SEARCH, "file_search_", "code_interpreter_", "computer_use_", "vector_store_"]
                .iter()
                .any(|tool| word.starts_with(tool))
    },
};
/// USD per token, as texts.
const PRICING: PriceListShape = PriceListShape {
    exponent: 0,
    words: &[
        ("prompt", "prompt"),
        ("input_cache_read", "cached"),
        ("input_cache_write", "cache_write"),
        ("input_cache_write_1h", "cache_write_long"),
        ("completion", "completion"),
        ("audio", "audio_prompt"),
        ("audio_output", "audio_completion"),
        ("internal_reasoning", "reasoning"),
        ("request", "per_request"),
    ],
    same: &[],
    unsold: |word| matches!(word, WEB_SEARCH | "discount"),
};
/// USD per million tokens.
const PER_MILLION: PriceListShape = PriceListShape {
    exponent: -6,
    words: &[
        ("input", "prompt"),
        ("cache_read", "cached"),
        ("cache_write", "cache_write"),
        ("output", "completion"),
        ("input_audio", "audio_prompt"),
        ("output_audio", "audio_completion"),
        ("reasoning", "reasoning"),
    ],
    same: &[],
    unsold: |_| false,
};

const NOTHING: PicoUsd = PicoUsd::ZERO;
/// Prefix of prices of web searches, which are not sold here.
const SEARCH: &str = "search_context_";
const WEB_SEARCH: &str = "web_search";
/// In the names of models that search for every request, whether they are asked to or not.
const SEARCHERS: [&str; 2] = ["search", "sonar"];

#[derive(Deserialize)]
struct OfferEntry<'a> {
    id: String,
    #[serde(borrow)]
    pricing: Option<EntryMembers<'a>>,
}

#[derive(Deserialize)]
struct ProviderModels<'a> {
    #[serde(borrow)]
    models: IndexMap<String, &'a RawValue>,
}

#[derive(Deserialize)]
struct CostEntry<'a> {
    #[serde(borrow)]
    cost: Option<EntryMembers<'a>>,
}

/// Reads a list of any shape.
///
/// # Errors
/// When it has none of them.
pub(super) fn read(text: &str) -> Result<Vec<ListEntry>, UnknownPriceList> {
    let mut entries = shaped(text)?;
    let mut times: HashMap<String, usize> = HashMap::new();
    for entry in &entries {
        *times.entry(entry.model.clone()).or_default() += 1;
    }
    // A name that stands twice has two prices, and the first is no better than the second.
    for entry in entries.iter_mut().filter(|entry| times[&entry.model] > 1) {
        entry.price = Err("it stands there more than once".to_owned());
    }
    Ok(entries)
}

fn shaped(text: &str) -> Result<Vec<ListEntry>, UnknownPriceList> {
    let top: EntryMembers<'_> = serde_json::from_str(text).map_err(UnknownPriceList::NoObject)?;
    let offered = top.get("data").and_then(|data| serde_json::from_str::<Vec<&RawValue>>(data.get()).ok());
    if let Some(entries) = offered.and_then(|offered| offered.into_iter().map(self::offered).collect()) {
        return Ok(entries);
    }
    let providers = serde_json::from_str::<IndexMap<String, ProviderModels<'_>>>(text).ok();
    if let Some(providers) = providers.filter(|providers| !providers.is_empty()) {
        let models = providers.into_iter().flat_map(|(provider, ProviderModels { models })| {
            models.into_iter().map(move |(model, all)| costed(format!("{provider}/{model}"), all))
        });
        if let Some(entries) = models.collect() {
            return Ok(entries);
        }
    }
    let mut entries = Vec::new();
    for (model, all) in &top {
        let Ok(mut members) = serde_json::from_str::<EntryMembers<'_>>(all.get()) else { continue };
        let embeds = members.get("mode").is_some_and(|mode| matches!(mode.get(), "\"embedding\"" | "\"moderation\""));
        members.retain(|word, _| ["cost", "pric", "multiplier"].iter().any(|part| word.contains(part)));
        // The example of a list has words where prices stand, and no model goes by that name.
        if model != "sample_spec" {
            entries.push((model, members, embeds, facts::by_columns(&value(all))));
        }
    }
    if entries.iter().all(|(_, members, ..)| members.is_empty()) {
        return Err(UnknownPriceList::NoShape);
    }
    let entries = entries.into_iter().map(|(model, members, embeds, facts)| {
        let price = price(model, &PER_TOKEN, &members, embeds);
        ListEntry { model: model.clone(), price, facts }
    });
    Ok(entries.collect())
}

/// A model of a list of what is on offer; `None` where it is something else.
fn offered(all: &RawValue) -> Option<ListEntry> {
    let OfferEntry { id, pricing } = serde_json::from_str(all.get()).ok()?;
    let price = price(&id, &PRICING, &pricing.unwrap_or_default(), false);
    Some(ListEntry { model: id, price, facts: facts::by_parameters(&value(all)) })
}

/// A model of a provider; `None` where it is something else.
fn costed(model: String, all: &RawValue) -> Option<ListEntry> {
    let CostEntry { cost } = serde_json::from_str(all.get()).ok()?;
    let price = price(&model, &PER_MILLION, &cost.unwrap_or_default(), false);
    Some(ListEntry { model, price, facts: facts::by_provider(&value(all)) })
}

/// JSON that was read before.
fn value(raw: &RawValue) -> serde_json::Value {
    serde_json::from_str(raw.get()).unwrap_or_default()
}

fn price(
    model: &str,
    shape: &PriceListShape,
    members: &EntryMembers<'_>,
    embeds: bool,
) -> Result<ListedPrices, String> {
    let searches = SEARCHERS.iter().any(|word| model.contains(word))
        && members.keys().any(|word| word.starts_with(SEARCH) || word == WEB_SEARCH);
    if searches {
        return Err("it searches for every request, which has no place in our prices".to_owned());
    }
    priced(shape, members).and_then(|listed| whole(listed, embeds))
}

/// The prices of a model. The reasons stand in a comment of the list that is made, so words of the other list are quoted.
fn priced(shape: &PriceListShape, members: &EntryMembers<'_>) -> Result<ListedPrices, String> {
    let no_place = |word: &str| format!("{word:?} is a price that has no place in ours");
    let (mut short, mut named, mut listed) =
        (EntryMembers::new(), BTreeMap::<u64, EntryMembers<'_>>::new(), ListedPrices::default());
    // Where both stand, the older of the two words is the less exact.
    let older = |word: &str| word == "context_over_200k" && members.contains_key("tiers");
    for (word, value) in members.iter().filter(|(word, value)| value.get() != "null" && !(shape.unsold)(word)) {
        if let Some((name, above)) = tiers::in_name(word) {
            named.entry(above).or_default().insert(name.to_owned(), value);
        } else if tiers::has(word) && !older(word) {
            for (above, members) in tiers::read(word, value).ok_or_else(|| no_place(word))? {
                let prices = prices(shape, &members)?;
                if listed.tiers.insert(above, prices).is_some() {
                    return Err(format!("{word:?} tells two prices of one length"));
                }
            }
        } else if !older(word) {
            short.insert(word.clone(), value);
        }
    }
    for (above, members) in named {
        listed
            .tiers
            .entry(above)
            .or_default()
            .extend(prices(shape, &members).map_err(|why| format!("{why}, above {above}"))?);
    }
    listed.base = prices(shape, &short)?;
    // The shortest of some lists is for every prompt.
    listed.base.extend(listed.tiers.remove(&0).unwrap_or_default());
    match listed.tiers.values().flat_map(PricesByKey::keys).find(|key| matches!(**key, "image" | "video_second")) {
        Some(key) => Err(format!("{key} has another price for long prompts")),
        None => Ok(listed),
    }
}

/// The prices of one tier, or of none.
fn prices(shape: &PriceListShape, members: &EntryMembers<'_>) -> Result<PricesByKey, String> {
    let ours = |words: &[(&str, &'static str)], word: &str| {
        words.iter().find(|(theirs, _)| *theirs == word).map(|(_, ours)| *ours)
    };
    let (mut prices, mut same) = (PricesByKey::new(), Vec::new());
    for (word, value) in members.iter().filter(|(word, value)| value.get() != "null" && !(shape.unsold)(word)) {
        let price = PicoUsd::nearest(value.get().trim_matches('"'), shape.exponent);
        if let Some(ours) = ours(shape.words, word) {
            prices.insert(ours, price.map_err(|error| format!("{word:?} is no price: {error}"))?);
        } else if price != Ok(NOTHING) {
            match (ours(shape.same, word), price) {
                (Some(ours), Ok(price)) => same.push((word, ours, price)),
                _ => return Err(format!("{word:?} is a price that has no place in ours")),
            }
        }
    }
    for (word, ours, price) in same {
        if prices.get(ours) != Some(&price) {
            return Err(format!("{word:?} is not what {ours} costs"));
        }
    }
    Ok(prices)
}

/// The prices with all keys that a configuration needs; `Err` where something would be sold for less than it costs.
fn whole(mut listed: ListedPrices, embeds: bool) -> Result<ListedPrices, String> {
    let base = &mut listed.base;
    let [prompt, completion] = ["prompt", "completion"].map(|key| base.get(key).copied());
    if base.contains_key("image_completion") {
        // In tokens is exact; for each is what the usual picture comes to.
        base.remove("image");
    }
    let each = base.contains_key("image") || base.contains_key("video_second");
    match (prompt.unwrap_or(NOTHING) > NOTHING, completion) {
        (true, _) if each => return Err("what goes in costs something beside each picture or second".to_owned()),
        (true, None | Some(NOTHING)) if !embeds => return Err("nothing says what completion costs".to_owned()),
        (false, _) if !each => {
            return Err("nothing says what prompt costs, or it is free: write that by hand".to_owned());
        }
        _ => {}
    }
    for key in ["prompt", "completion"] {
        base.entry(key).or_default();
    }
    let mut below = base.clone();
    below.retain(|key, _| !matches!(*key, "image" | "video_second"));
    for tier in listed.tiers.values_mut() {
        // What a tier does not tell is as it is for the prompts before it.
        for (key, price) in below {
            tier.entry(key).or_insert(price);
        }
        below = tier.clone();
        tidy(tier);
    }
    tidy(base);
    Ok(listed)
}

/// Takes out what says nothing, and would be taken for a gift.
fn tidy(prices: &mut PricesByKey) {
    let [prompt, completion] = ["prompt", "completion"].map(|key| prices.get(key).copied());
    prices.retain(|key, price| match *key {
        // What writes to a cache costs at the least what goes in: less is the price of keeping it there, or of nothing beside.
        "cache_write" | "cache_write_long" => Some(*price) >= prompt,
        // Lists write nothing for reasoning that costs what other output does.
        "reasoning" => *price > NOTHING && Some(*price) != completion,
        "per_request" => *price > NOTHING,
        _ => true,
    });
}

#[cfg(test)]
mod tests;
