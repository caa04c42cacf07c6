//! The members of a price, as its pages show them.

use serde_json::Value;

use super::texts::Texts;
use tollgate_api::generated::types::PriceSettings;

/// The members of a price, amounts first, those that most prices have before the others.
pub(super) const MEMBERS: [&str; 20] = [
    "prompt",
    "completion",
    "cached",
    "cache_write",
    "cache_write_long",
    "reasoning",
    "audio_prompt",
    "audio_completion",
    "image_prompt",
    "image_completion",
    "per_request",
    "image",
    "video_second",
    "video_second_large",
    "tiers",
    "tools",
    "service_tiers",
    "speeds",
    "regions",
    "cost",
];
/// Those that are one amount, for which a form has a field.
pub(super) const AMOUNTS: &[&str] = MEMBERS.split_at(14).0;
/// The costs that a form has a field for, by their paths. Others stay as they are.
pub(super) const COSTS: [&str; 9] = [
    "cost.prompt",
    "cost.completion",
    "cost.cached",
    "cost.cache_write",
    "cost.cache_write_long",
    "cost.reasoning",
    "cost.per_request",
    "cost.image",
    "cost.video_second",
];

/// A member of a price.
#[derive(Debug)]
pub(super) struct PriceMember {
    /// Its path, as the API has it.
    pub(super) name: &'static str,
    /// For people.
    pub(super) words: &'static str,
    /// Empty where the price has none.
    pub(super) value: String,
}

impl PriceMember {
    /// Those of a price.
    pub(super) fn of(t: &'static Texts, names: &[&'static str], price: &PriceSettings) -> Vec<Self> {
        let written = serde_json::to_value(price).expect("a price has texts as names");
        let member = |name: &&'static str| Self {
            name,
            words: t.price_member(name),
            value: written
                .pointer(&format!("/{}", name.replace('.', "/")))
                .map(|value| told(t, value))
                .unwrap_or_default(),
        };
        names.iter().map(member).collect()
    }
}

/// A price in one line: `Prompt 0.15, Output 0.60`.
pub(super) fn price_line(t: &'static Texts, price: &PriceSettings) -> String {
    let members = PriceMember::of(t, &MEMBERS, price).into_iter().filter(|member| !member.value.is_empty());
    members.map(|member| format!("{} {}", member.words, member.value)).collect::<Vec<_>>().join(", ")
}

fn told(t: &'static Texts, value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(|item| told(t, item)).collect::<Vec<_>>().join("; "),
        Value::Object(members) => {
            let given = members.iter().map(|(name, value)| (name.as_str(), told(t, value)));
            let given = given.filter(|(_, value)| !value.is_empty());
            let member = |(name, value): (&str, String)| match t.price_member(name) {
                "" => format!("{name} {value}"),
                words => format!("{words} {value}"),
            };
            given.map(member).collect::<Vec<_>>().join(", ")
        }
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::texts::ENGLISH;
    use super::*;
    use serde_json::json;

    #[test]
    fn a_price_is_told_in_one_line() {
        let written = json!({"prompt": "1", "completion": "2.50", "tiers": [{"above": 1000, "prompt": "2", "completion": "5"}],
            "tools": {"web_search": "0.01"}, "cost": {"prompt": "0.5", "completion": "2"}});
        let price: PriceSettings = serde_json::from_value(written).expect("a price");
        assert_eq!(
            price_line(&ENGLISH, &price),
            "Prompt 1, Output 2.50, Longer prompts above 1000, Prompt 2, Output 5, Tools web_search 0.01, \
            Cost at the provider Prompt 0.5, Output 2"
        );
        let costs = PriceMember::of(&ENGLISH, &COSTS, &price).into_iter().map(|cost| (cost.words, cost.value));
        let costs: Vec<_> = costs.filter(|(_, value)| !value.is_empty()).collect();
        assert_eq!(costs, [("Cost of the prompt", "0.5".to_owned()), ("Cost of the output", "2".to_owned())]);
    }
}
