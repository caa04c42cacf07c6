//! A price list as it is printed.

use serde_json::{Map, Value, json};

use tollgate_formats::InputKind;

use super::lists::{ListEntry, ListedPrices, ModelFacts, PricesByKey};

/// The keys of a price in the order that people read them in, and whether it is of one thing and not of a million tokens.
const KEYS: [(&str, bool); 13] = [
    ("prompt", false),
    ("cached", false),
    ("cache_write", false),
    ("cache_write_long", false),
    ("completion", false),
    ("reasoning", false),
    ("audio_prompt", false),
    ("audio_completion", false),
    ("image_prompt", false),
    ("image_completion", false),
    ("per_request", true),
    ("image", true),
    ("video_second", true),
];

/// The price list that is printed.
pub(super) struct PriceListText<'a> {
    pub(super) version: &'a str,
    pub(super) entries: &'a [ListEntry],
}

impl PriceListText<'_> {
    /// The list as TOML, for the file that `price_list` names.
    pub(super) fn toml(&self) -> String {
        let mut text = format!(
            "# USD per million tokens; per_request, image and video_second: USD each.\n# Tiers are for prompts that are longer than so many tokens.\nversion = {}\n",
            quoted(self.version)
        );
        for (model, price) in self.priced() {
            text.push_str(&format!("\n[prices.{}]\n", quoted(model)));
            text.push_str(&lines(&price.base));
            if !price.cost.is_empty() {
                text.push_str(&format!("[prices.{}.cost]\n{}", quoted(model), lines(&price.cost)));
            }
            for (above, prices) in &price.tiers {
                let head = format!("[[prices.{}.tiers]]\nabove = {above}\n", quoted(model));
                text.push_str(&[&head, &*lines(prices)].concat());
            }
        }
        for (model, facts) in self.known() {
            let lines: String = facts_of(facts).map(|(key, value)| format!("{key} = {value}\n")).collect();
            text.push_str(&format!("\n[models.{}]\n{lines}", quoted(model)));
        }
        let left_out: Vec<_> = self.left_out().map(|(model, why)| format!("#   {}: {why}\n", quoted(model))).collect();
        if !left_out.is_empty() {
            text.push_str(&format!(
                "\n# Left out, because something in their price has no place here:\n{}",
                left_out.concat()
            ));
        }
        text.trim_end().to_owned()
    }

    /// The list as JSON, for programs.
    pub(super) fn json(&self) -> Value {
        let prices: Map<_, _> = self
            .priced()
            .map(|(model, price)| {
                let mut base = members(&price.base);
                let tiers = price.tiers.iter().map(|(above, prices)| {
                    let mut tier = members(prices);
                    tier.insert("above".to_owned(), json!(above));
                    Value::from(tier)
                });
                if !price.cost.is_empty() {
                    base.insert("cost".to_owned(), members(&price.cost).into());
                }
                if !price.tiers.is_empty() {
                    base.insert("tiers".to_owned(), tiers.collect());
                }
                (model.to_owned(), Value::from(base))
            })
            .collect();
        let left_out: Map<_, _> = self.left_out().map(|(model, why)| (model.to_owned(), json!(why))).collect();
        let models: Map<_, _> = self
            .known()
            .map(|(model, facts)| {
                let members: Map<_, _> = facts_of(facts).map(|(key, value)| (key.to_owned(), value)).collect();
                (model.to_owned(), unflattened(members))
            })
            .collect();
        json!({"version": self.version, "prices": prices, "models": models, "left_out": left_out})
    }

    /// The facts about the models that have a price.
    fn known(&self) -> impl Iterator<Item = (&str, &ModelFacts)> {
        let priced = self.entries.iter().filter(|entry| entry.price.is_ok() && entry.facts.any());
        priced.map(|entry| (entry.model.as_str(), &entry.facts))
    }

    fn priced(&self) -> impl Iterator<Item = (&str, &ListedPrices)> {
        self.entries.iter().filter_map(|entry| Some((entry.model.as_str(), entry.price.as_ref().ok()?)))
    }

    fn left_out(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().filter_map(|entry| Some((entry.model.as_str(), entry.price.as_ref().err()?.as_str())))
    }
}

/// The facts about a model by their keys in a price list. TOML writes these values as JSON does.
fn facts_of(facts: &ModelFacts) -> impl Iterator<Item = (&'static str, Value)> {
    let ModelFacts { context_tokens, max_output_tokens, thinking, sampling, input, structured_output, tools } = facts;
    let input: Vec<_> = input.iter().copied().map(InputKind::word).collect();
    let keys = [
        ("context_tokens", context_tokens.map(Value::from)),
        ("max_output_tokens", max_output_tokens.map(Value::from)),
        ("capabilities.thinking", thinking.map(|mode| mode.word().into())),
        ("capabilities.sampling", sampling.map(Value::from)),
        ("capabilities.input", (!input.is_empty()).then(|| json!(input))),
        ("capabilities.structured_output", structured_output.map(Value::from)),
        ("capabilities.tools", tools.map(Value::from)),
    ];
    keys.into_iter().filter_map(|(key, value)| Some((key, value?)))
}

/// The members with those below `capabilities` in an object of their own, as TOML's dotted keys mean it.
fn unflattened(members: Map<String, Value>) -> Value {
    let (mut outer, mut inner) = (Map::new(), Map::new());
    for (key, value) in members {
        match key.strip_prefix("capabilities.") {
            Some(key) => inner.insert(key.to_owned(), value),
            None => outer.insert(key, value),
        };
    }
    if !inner.is_empty() {
        outer.insert("capabilities".to_owned(), inner.into());
    }
    outer.into()
}

fn lines(prices: &PricesByKey) -> String {
    shown(prices).map(|(key, price)| format!("{key} = \"{price}\"\n")).collect()
}

fn members(prices: &PricesByKey) -> Map<String, Value> {
    shown(prices).map(|(key, price)| (key.to_owned(), json!(price))).collect()
}

/// The prices by their keys.
fn shown(listed: &PricesByKey) -> impl Iterator<Item = (&'static str, String)> {
    KEYS.iter().filter_map(|(key, each)| {
        let price = listed.get(key)?;
        Some((*key, if *each { price.usd() } else { price.to_string() }))
    })
}

/// A name as TOML quotes it, which is as JSON does but for one character.
fn quoted(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}
