//! Places in a JSON document: walked, taken out, and spelt as complaints spell them.

use serde_json::Value;

/// One step down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Member(String),
    Element(usize),
}

/// The places of all texts, numbers, switches, nulls and empty lists and objects.
pub fn leaves(value: &Value) -> Vec<Vec<Step>> {
    let mut found = Vec::new();
    walk(value, &mut Vec::new(), &mut found);
    found
}

fn walk(value: &Value, at: &mut Vec<Step>, found: &mut Vec<Vec<Step>>) {
    let below: Vec<(Step, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, value)| (Step::Member(name.clone()), value)).collect(),
        Value::Array(elements) => elements.iter().enumerate().map(|(n, value)| (Step::Element(n), value)).collect(),
        _ => Vec::new(),
    };
    if below.is_empty() {
        found.push(at.clone());
    }
    for (step, value) in below {
        at.push(step);
        walk(value, at, found);
        at.pop();
    }
}

/// `messages[0].content`.
pub fn spelt(place: &[Step]) -> String {
    let mut text = String::new();
    for step in place {
        match step {
            Step::Element(index) => text += &format!("[{index}]"),
            Step::Member(name) if text.is_empty() => text += name,
            Step::Member(name) => text += &format!(".{name}"),
        }
    }
    text
}

/// The longest place in `value` that `text` spells, or that it lies beneath.
pub fn found(value: &Value, text: &str) -> Vec<Step> {
    let mut longest = Vec::new();
    for leaf in leaves(value) {
        for end in 1..=leaf.len() {
            let covers = is_within(text, &spelt(&leaf[..end]));
            if covers && end > longest.len() {
                longest = leaf[..end].to_vec();
            }
        }
    }
    longest
}

/// True if `text` spells `place` or something in it.
pub fn is_within(text: &str, place: &str) -> bool {
    text.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Takes out what stands at `place`.
pub fn remove(value: &mut Value, place: &[Step]) {
    let Some((last, above)) = place.split_last() else { return };
    match (get(value, above), last) {
        (Some(Value::Object(members)), Step::Member(name)) => {
            members.shift_remove(name);
        }
        (Some(Value::Array(elements)), Step::Element(index)) => {
            elements.remove(*index);
        }
        (holder, step) => panic!("no {step:?} in {holder:?}"),
    }
}

/// The value at `place`.
pub fn get<'v>(value: &'v mut Value, place: &[Step]) -> Option<&'v mut Value> {
    place.iter().try_fold(value, |value, step| match step {
        Step::Member(name) => value.get_mut(name),
        Step::Element(index) => value.get_mut(index),
    })
}
