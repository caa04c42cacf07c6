//! Names with a `*` that a price list prices: each name of the list that fits becomes a model of its own.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use tollgate_gateway::NamePattern;

use super::capabilities::ListedModel;
use super::complaint::UnplacedComplaint;
use super::tables::{CandidateEntry, ModelTable, PriceTable};

/// Adds a model for each name of a list that a pattern without a price fits, where that is the pattern which counts for the
/// name and the lengths of the model are known.
pub(super) fn expand(
    models: &mut IndexMap<String, ModelTable>,
    prices: &IndexMap<String, PriceTable>,
    known: &IndexMap<String, ListedModel>,
) {
    let patterns: Vec<String> = models.keys().filter(|name| name.contains('*')).cloned().collect();
    let taken: BTreeSet<String> = models.values().flat_map(|model| model.aliases.iter().cloned()).collect();
    for key in &patterns {
        let model = models[key].clone();
        let listed_as = model.listed_as.clone().unwrap_or_else(|| key.clone());
        let (Some(pattern), Some(theirs)) = (NamePattern::of(key), NamePattern::of(&listed_as)) else { continue };
        if model.price.is_some() {
            continue;
        }
        for listed in prices.keys() {
            let Some(star) = theirs.star(listed) else { continue };
            let name = pattern.with(star);
            if models.contains_key(&name) || taken.contains(&name) || counting(&patterns, &name) != Some(key) {
                continue;
            }
            let mut found = named(&model, key, listed, star);
            if let Some(known) = known.get(listed) {
                found.fill(known);
            }
            if found.context_tokens.is_some() && found.max_output_tokens.is_some() {
                models.insert(name, found);
            }
        }
    }
}

/// The pattern that counts for a name: of those that fit the one with the most letters, of equals the first.
fn counting<'a>(patterns: &'a [String], name: &str) -> Option<&'a String> {
    let mut most: Option<(usize, &String)> = None;
    for text in patterns {
        let Some(pattern) = NamePattern::of(text).filter(|pattern| pattern.star(name).is_some()) else { continue };
        if most.is_none_or(|(letters, _)| pattern.letters() > letters) {
            most = Some((pattern.letters(), text));
        }
    }
    most.map(|(_, text)| text)
}

/// The model of a pattern under the name in which the `*` stands for `star`.
fn named(model: &ModelTable, key: &str, listed: &str, star: &str) -> ModelTable {
    let candidates = model.candidates.iter().map(|candidate| {
        let with_star = |name: &Option<String>| {
            let theirs = name.as_deref().and_then(NamePattern::of).map(|theirs| theirs.with(star));
            theirs.or_else(|| name.clone())
        };
        let (model, answers_as) = (with_star(&candidate.model), with_star(&candidate.answers_as));
        CandidateEntry { model, answers_as, ..candidate.clone() }
    });
    ModelTable {
        pattern: Some(key.to_owned()),
        listed_as: Some(listed.to_owned()),
        candidates: candidates.collect(),
        ..model.clone()
    }
}

/// Complains about keys that a pattern cannot have, and about those that only a pattern can have.
pub(super) fn check(name: &str, model: &ModelTable, expanded: bool, found: &mut Vec<UnplacedComplaint>) {
    let mut tell = |key: &str, message: &str| found.push(UnplacedComplaint::new(&["models", name, key], message));
    if !name.contains('*') {
        if model.in_model_lists && model.pattern.is_none() {
            tell("in_model_lists", "is for names with a `*`; other models are always there");
        }
        return;
    }
    if NamePattern::of(name).is_none() {
        found.push(UnplacedComplaint::new(&["models", name], "may have one `*`"));
        return;
    }
    if !model.aliases.is_empty() {
        tell("aliases", "a name with a `*` has none");
    }
    if model.in_model_lists && model.price.is_some() {
        tell("in_model_lists", "is for prices of a price list, which has names: take price out");
    }
    if model.listed_as.as_deref().is_some_and(|listed| NamePattern::of(listed).is_none()) {
        tell("listed_as", "must have one `*`, as the name has");
    }
    if model
        .candidates
        .iter()
        .filter_map(|candidate| candidate.model.as_ref())
        .any(|theirs| theirs.matches('*').count() > 1)
    {
        tell("candidates", "a model's name there may have one `*`");
    }
    if model.price.is_none() && !expanded {
        tell(
            "price",
            "missing, and no price list has a name that it fits, with its lengths: what has no price is not sold",
        );
    }
}
