//! Public price lists, in the shapes that operators have them in.
//!
//! A price that a list tells and that we have no word for would be lost with the import, and the model sold below its
//! cost. So each member that is a price has to be known, to be nothing, or to be of what is not sold here; else the model is
//! left out.

use std::collections::{BTreeMap, HashMap};

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::base::PicoUsd;

/// A model of a list.
#[derive(Debug)]
pub(super) struct Entry {
    /// Its name there.
    pub(super) model: String,
    /// Its price, or why it has none.
    pub(super) price: Result<Listed, String>,
}

/// Prices by their keys in a configuration.
pub(super) type Listed = BTreeMap<&'static str, PicoUsd>;

/// None of the shapes.
#[derive(Debug, thiserror::Error)]
pub(super) enum UnknownList {
    /// No JSON object.
    #[error("it is no JSON object")]
    NoObject(#[source] serde_json::Error),
    /// An object of something else.
    #[error(
        "it holds neither models with `input_cost_per_token`, nor `data` with `pricing`, nor providers with `models` that have a `cost`"
    )]
    NoShape,
}

/// How a list tells prices.
struct Shape {
    /// The power of ten of a unit's price.
    exponent: i32,
    /// Its words, and ours.
    words: &'static [(&'static str, &'static str)],
    /// Words for a price that has to be the same as one of ours.
    same: &'static [(&'static str, &'static str)],
    /// Whether a member is the price of what is not sold here.
    unsold: fn(&str) -> bool,
}

/// USD per token, beside all that is known of a model.
const PER_TOKEN: Shape = Shape {
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
    ],
    same: &[("output_cost_per_reasoning_token", "completion"), ("input_cost_per_token_cache_hit", "cached")],
    // Batches, other tiers of service and hosted tools.
    unsold: |word| {
        ["_batches", "_flex", "_priority", "_grounding_"].iter().any(|part| word.contains(part))
            || [SEARCH, "file_search_", "code_interpreter_", "computer_use_", "vector_store_"]
                .iter()
                .any(|tool| word.starts_with(tool))
    },
};
/// USD per token, as texts.
const PRICING: Shape = Shape {
    exponent: 0,
    words: &[
        ("prompt", "prompt"),
        ("input_cache_read", "cached"),
        ("input_cache_write", "cache_write"),
        ("input_cache_write_1h", "cache_write_long"),
        ("completion", "completion"),
        ("audio", "audio_prompt"),
        ("audio_output", "audio_completion"),
    ],
    same: &[("internal_reasoning", "completion")],
    unsold: |word| matches!(word, WEB_SEARCH | "discount"),
};
/// USD per million tokens.
const PER_MILLION: Shape = Shape {
    exponent: -6,
    words: &[
        ("input", "prompt"),
        ("cache_read", "cached"),
        ("cache_write", "cache_write"),
        ("output", "completion"),
        ("input_audio", "audio_prompt"),
        ("output_audio", "audio_completion"),
    ],
    same: &[("reasoning", "completion")],
    unsold: |_| false,
};

const NOTHING: PicoUsd = PicoUsd::ZERO;
/// What searching the web costs, which is not sold here.
const SEARCH: &str = "search_context_";
const WEB_SEARCH: &str = "web_search";
/// In the names of models that search for every request, whether they are asked to or not.
const SEARCHERS: [&str; 2] = ["search", "sonar"];

type Members<'a> = IndexMap<String, &'a RawValue>;

#[derive(Deserialize)]
struct Offered<'a> {
    id: String,
    #[serde(borrow)]
    pricing: Option<Members<'a>>,
}

#[derive(Deserialize)]
struct Provider<'a> {
    #[serde(borrow)]
    models: IndexMap<String, Costed<'a>>,
}

#[derive(Deserialize)]
struct Costed<'a> {
    #[serde(borrow)]
    cost: Option<Members<'a>>,
}

/// Reads a list of any shape.
///
/// # Errors
/// When it has none of them.
pub(super) fn read(text: &str) -> Result<Vec<Entry>, UnknownList> {
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

fn shaped(text: &str) -> Result<Vec<Entry>, UnknownList> {
    let top: Members<'_> = serde_json::from_str(text).map_err(UnknownList::NoObject)?;
    let offered = top.get("data").and_then(|data| serde_json::from_str::<Vec<Offered<'_>>>(data.get()).ok());
    if let Some(offered) = offered {
        let models = offered.into_iter().map(|Offered { id, pricing }| (id, pricing.unwrap_or_default()));
        return Ok(models.map(|(id, pricing)| entry(id, &PRICING, &pricing, false)).collect());
    }
    if let Ok(providers) = serde_json::from_str::<IndexMap<String, Provider<'_>>>(text)
        && !providers.is_empty()
    {
        let models = providers.into_iter().flat_map(|(provider, Provider { models })| {
            models
                .into_iter()
                .map(move |(model, costed)| (format!("{provider}/{model}"), costed.cost.unwrap_or_default()))
        });
        return Ok(models.map(|(model, cost)| entry(model, &PER_MILLION, &cost, false)).collect());
    }
    let mut entries = Vec::new();
    for (model, all) in &top {
        let Ok(mut members) = serde_json::from_str::<Members<'_>>(all.get()) else { continue };
        let embeds = members.get("mode").is_some_and(|mode| matches!(mode.get(), "\"embedding\"" | "\"moderation\""));
        members.retain(|word, _| ["cost", "pric", "multiplier"].iter().any(|part| word.contains(part)));
        // The example of a list has words where prices stand, and no model goes by that name.
        if model != "sample_spec" {
            entries.push((model, members, embeds));
        }
    }
    if entries.iter().all(|(_, members, _)| members.is_empty()) {
        return Err(UnknownList::NoShape);
    }
    Ok(entries.into_iter().map(|(model, members, embeds)| entry(model.clone(), &PER_TOKEN, &members, embeds)).collect())
}

fn entry(model: String, shape: &Shape, members: &Members<'_>, embeds: bool) -> Entry {
    let searches = SEARCHERS.iter().any(|word| model.contains(word))
        && members.keys().any(|word| word.starts_with(SEARCH) || word == WEB_SEARCH);
    let price = if searches {
        Err("it searches for every request, which has no place in our prices".to_owned())
    } else {
        priced(shape, members).and_then(|listed| whole(listed, embeds))
    };
    Entry { model, price }
}

/// The prices of a model. The reasons stand in a comment of the list that is made, so words of the other list are quoted.
fn priced(shape: &Shape, members: &Members<'_>) -> Result<Listed, String> {
    let ours = |words: &[(&str, &'static str)], word: &str| {
        words.iter().find(|(theirs, _)| *theirs == word).map(|(_, ours)| *ours)
    };
    let (mut listed, mut same) = (Listed::new(), Vec::new());
    for (word, value) in members.iter().filter(|(word, value)| value.get() != "null" && !(shape.unsold)(word)) {
        let price = PicoUsd::nearest(value.get().trim_matches('"'), shape.exponent);
        if let Some(ours) = ours(shape.words, word) {
            listed.insert(ours, price.map_err(|error| format!("{word:?} is no price: {error}"))?);
        } else if price != Ok(NOTHING) {
            match (ours(shape.same, word), price) {
                (Some(ours), Ok(price)) => same.push((word, ours, price)),
                _ => return Err(format!("{word:?} is a price that has no place in ours")),
            }
        }
    }
    for (word, ours, price) in same {
        if listed.get(ours) != Some(&price) {
            return Err(format!("{word:?} is not what {ours} costs"));
        }
    }
    Ok(listed)
}

/// The same with what a configuration needs, if nothing of it would be sold for less than it costs.
fn whole(mut listed: Listed, embeds: bool) -> Result<Listed, String> {
    let [prompt, completion] = ["prompt", "completion"].map(|key| listed.get(key).copied());
    if listed.contains_key("image_completion") {
        // In tokens is exact; for each is what the usual picture comes to.
        listed.remove("image");
    }
    let each = listed.contains_key("image") || listed.contains_key("video_second");
    match (prompt.unwrap_or(NOTHING) > NOTHING, completion) {
        (true, _) if each => return Err("what goes in costs something beside each picture or second".to_owned()),
        (true, None | Some(NOTHING)) if !embeds => return Err("nothing says what completion costs".to_owned()),
        (false, _) if !each => {
            return Err("nothing says what prompt costs, or it is free: write that by hand".to_owned());
        }
        _ => {}
    }
    for key in ["prompt", "completion"] {
        listed.entry(key).or_default();
    }
    // What writes to a cache costs at the least what goes in: less is the price of keeping it there, or of nothing beside.
    listed.retain(|key, price| !key.starts_with("cache_write") || Some(*price) >= prompt);
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each model with its prices by our keys, or with the reason why it has none.
    fn told(list: &str) -> Vec<String> {
        let shown = |Entry { model, price }| match price {
            Ok(listed) => {
                let prices: Vec<_> = listed.iter().map(|(key, price)| format!("{key} {price}")).collect();
                format!("{model}: {}", prices.join(", "))
            }
            Err(why) => format!("{model}! {why}"),
        };
        read(list).expect("a list").into_iter().map(shown).collect()
    }

    #[test]
    fn prices_by_token_are_read_beside_all_else() {
        let list = r#"{
            "sample_spec": {"input_cost_per_token": 0.0, "max_tokens": "a number"},
            "small": {"provider": "x", "max_tokens": 8192, "mode": "chat", "input_cost_per_token": 1.5e-07,
                "output_cost_per_token": 6e-07, "cache_read_input_token_cost": 7.5e-08, "output_cost_per_reasoning_token": 6e-7,
                "cache_creation_input_token_cost": null, "input_cost_per_token_batches": 7.5e-08,
                "output_cost_per_token_priority": 1e-6, "search_context_cost_per_query": {"search_context_size_low": 0.03}},
            "vectors": {"mode": "embedding", "input_cost_per_token": 2e-08},
            "painter": {"mode": "image_generation", "output_cost_per_image": 0.04},
            "long": {"mode": "chat", "input_cost_per_token": 1e-06, "output_cost_per_token": 2e-06,
                "input_cost_per_token_above_200k_tokens": 2e-06},
            "half": {"mode": "chat", "input_cost_per_token": 1e-06},
            "free": {"mode": "chat", "input_cost_per_token": 0.0, "output_cost_per_token": 0},
            "thinks": {"mode": "chat", "input_cost_per_token": 1e-6, "output_cost_per_token": 1e-6, "output_cost_per_reasoning_token": 3e-6},
            "odd\nname": {"mode": "chat", "cost\nly": 1, "input_cost_per_token": "much"},
            "unpriced": {"mode": "chat"},
            "tiers": {"mode": "chat", "tiered_pricing": [{"input_cost_per_token": 1e-6}]},
            "regions": {"input_cost_per_token": 1e-6, "output_cost_per_token": 1e-6, "regional_uplift_multiplier_eu": 1.1},
            "stored": {"input_cost_per_token": 1.5e-6, "output_cost_per_token": 2e-6,
                "cache_creation_input_token_cost": 8.333333333333334e-08, "cache_creation_input_token_cost_above_1hr": 0.0},
            "hour": {"input_cost_per_token": 1.5e-6, "output_cost_per_token": 2e-6,
                "cache_creation_input_token_cost": 1.5e-06, "cache_creation_input_token_cost_above_1hr": 3e-06},
            "draws": {"input_cost_per_token": 3e-7, "output_cost_per_token": 2.5e-6, "output_cost_per_image": 0.039,
                "output_cost_per_image_token": 3e-5},
            "half-draws": {"input_cost_per_token": 3e-7, "output_cost_per_image": 0.039, "mode": "image_generation"},
            "gives": {"mode": "chat", "input_cost_per_token": 1e-6, "output_cost_per_token": 0.0},
            "web-search-1": {"input_cost_per_token": 1e-6, "output_cost_per_token": 1e-6,
                "search_context_cost_per_query": {"search_context_size_low": 0.005}},
            "grounded": {"input_cost_per_token": 1e-6, "output_cost_per_token": 1e-6,
                "google_maps_grounding_cost_per_query": 0.03, "search_context_cost_per_query": {"search_context_size_low": 0.03}}
        }"#;
        assert_eq!(
            told(list),
            [
                "small: cached 0.075, completion 0.6, prompt 0.15",
                "vectors: completion 0, prompt 0.02",
                "painter: completion 0, image 40000, prompt 0",
                "long! \"input_cost_per_token_above_200k_tokens\" is a price that has no place in ours",
                "half! nothing says what completion costs",
                "free! nothing says what prompt costs, or it is free: write that by hand",
                "thinks! \"output_cost_per_reasoning_token\" is not what completion costs",
                "odd\nname! \"cost\\nly\" is a price that has no place in ours",
                "unpriced! nothing says what prompt costs, or it is free: write that by hand",
                "tiers! \"tiered_pricing\" is a price that has no place in ours",
                "regions! \"regional_uplift_multiplier_eu\" is a price that has no place in ours",
                "stored: completion 2, prompt 1.5",
                "hour: cache_write 1.5, cache_write_long 3, completion 2, prompt 1.5",
                "draws: completion 2.5, image_completion 30, prompt 0.3",
                "half-draws! what goes in costs something beside each picture or second",
                "gives! nothing says what completion costs",
                "web-search-1! it searches for every request, which has no place in our prices",
                "grounded: completion 1, prompt 1",
            ]
        );
    }

    #[test]
    fn prices_in_texts_are_read() {
        let list = r#"{"data": [
            {"id": "a/b", "name": "B", "pricing": {"prompt": "0.00000015", "completion": "0.0000006", "request": "0",
                "image": "0", "web_search": "0.01", "internal_reasoning": "0", "input_cache_read": "0.000000075"}},
            {"id": "a/each", "pricing": {"prompt": "0.1", "completion": "0.1", "request": "0.01"}},
            {"id": "auto", "pricing": {"prompt": "-1", "completion": "-1"}},
            {"id": "none", "pricing": null},
            {"id": "two", "pricing": {"prompt": "0.1", "completion": "0.1"}},
            {"id": "two", "pricing": {"prompt": "0.2", "completion": "0.2"}}
        ]}"#;
        assert_eq!(
            told(list),
            [
                "a/b: cached 0.075, completion 0.6, prompt 0.15",
                "a/each! \"request\" is a price that has no place in ours",
                "auto! \"prompt\" is no price: a price cannot be negative",
                "none! nothing says what prompt costs, or it is free: write that by hand",
                "two! it stands there more than once",
                "two! it stands there more than once",
            ]
        );
    }

    #[test]
    fn prices_by_million_are_read_of_each_provider() {
        let list = r#"{"one": {"id": "one", "models": {
            "m": {"id": "m", "cost": {"input": 0.15, "output": 0.6, "cache_read": 0.075, "reasoning": 0.6}},
            "t": {"id": "t", "cost": {"input": 1, "output": 2, "context_over_200k": {"input": 2, "output": 3}}},
            "n": {"id": "n"}
        }}}"#;
        assert_eq!(
            told(list),
            [
                "one/m: cached 0.075, completion 0.6, prompt 0.15",
                "one/t! \"context_over_200k\" is a price that has no place in ours",
                "one/n! nothing says what prompt costs, or it is free: write that by hand",
            ]
        );
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for text in ["", "[]", "7", "{}", r#"{"a": 1}"#, r#"{"data": {"a": 1}}"#, r#"{"a": {"b": 1}}"#] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
