//! The prices of long prompts, as each public list tells them.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::entry_members::EntryMembers;

/// A tier of a list: the tokens that a prompt has to be above, and the prices by the list's own names.
pub(super) type ListTier<'a> = (u64, EntryMembers<'a>);

#[derive(Deserialize)]
struct TierSize {
    r#type: String,
    size: u64,
}

/// The bound in the name of a price, `input_cost_per_token_above_200k_tokens`, and the name without it.
pub(super) fn in_name(word: &str) -> Option<(&str, u64)> {
    let (name, bound) = word.strip_suffix("k_tokens")?.rsplit_once("_above_")?;
    Some((name, bound.parse::<u64>().ok()?.checked_mul(1_000)?))
}

/// True if a member holds tiers, beside the prices of short prompts.
pub(super) fn has(word: &str) -> bool {
    matches!(word, "tiered_pricing" | "overrides" | "tiers" | "context_over_200k")
}

/// The tiers in a member that [`has`](has) them; `None` where it goes by something else than the length of the prompt.
pub(super) fn read<'a>(word: &str, value: &'a RawValue) -> Option<Vec<ListTier<'a>>> {
    let text = value.get();
    if word == "context_over_200k" {
        return Some(vec![(200_000, serde_json::from_str(text).ok()?)]);
    }
    let tiers: Vec<EntryMembers<'a>> = serde_json::from_str(text).ok()?;
    tiers.into_iter().map(|members| tier(word, members)).collect()
}

fn tier<'a>(word: &str, mut members: EntryMembers<'a>) -> Option<ListTier<'a>> {
    let mut take = |name: &str| members.shift_remove(name).map(RawValue::get);
    let above = match word {
        "tiered_pricing" => serde_json::from_str::<(u64, Option<u64>)>(take("range")?).ok()?.0,
        // From so many tokens on.
        "overrides" => take("min_prompt_tokens")?.parse::<u64>().ok()?.checked_sub(1)?,
        _ => {
            let TierSize { r#type, size } = serde_json::from_str(take("tier")?).ok()?;
            (r#type == "context").then_some(size)?
        }
    };
    Some((above, members))
}
