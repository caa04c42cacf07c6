//! Replies chosen by what the request has: the forms, the pure choice between them, and the reply.

use super::doc::lines;
use super::scope::{ENVELOPES, ImportScope};
use super::tokens::capitals;
use super::ty;
use crate::naming::word;
use crate::resolve::{RequestCondition, ResolvedOperation, ResolvedSelect};

/// The forms that a reply has.
pub(super) struct ReplyChoice {
    pub(super) variants: Vec<ReplyForm>,
    pub(super) asks: Vec<ConditionField>,
    /// The choice, as lines; where it is always the same, one.
    pub(super) select: Vec<String>,
}

/// A form: its name, its type and its envelope.
pub(super) struct ReplyForm {
    pub(super) docs: Vec<String>,
    pub(super) name: String,
    pub(super) reply: String,
    pub(super) envelope: String,
}

/// A property that a request may have.
pub(super) struct ConditionField {
    pub(super) docs: Vec<String>,
    pub(super) name: String,
}

impl ReplyChoice {
    pub(super) fn of(operation: &ResolvedOperation<'_>, scope: &ImportScope<'_>) -> Option<Self> {
        let select = operation.select.as_ref()?;
        let variants = select.variants.iter().map(|variant| ReplyForm {
            docs: lines(&format!("Envelope `{}`, `{}`.", variant.envelope, variant.ok.type_words())),
            name: word(&variant.rust).into_owned(),
            reply: ty::ty(&variant.ok.ty, scope),
            envelope: scope.of(ENVELOPES, capitals(variant.envelope)),
        });
        let asks = select
            .conditions
            .iter()
            .map(|condition| ConditionField { docs: lines(&asks(condition)), name: name(condition) });
        Some(Self { variants: variants.collect(), asks: asks.collect(), select: chain(branches(select)) })
    }
}

fn asks(condition: &RequestCondition<'_>) -> String {
    match condition {
        RequestCondition::Header(name) => format!("The header `{name}`, under any of its names."),
        RequestCondition::Query(name) => format!("The query parameter `{name}`."),
    }
}

fn name(condition: &RequestCondition<'_>) -> String {
    word(&condition.rust()).into_owned()
}

/// The condition of each outcome, and the outcome. The last has no condition.
fn branches(select: &ResolvedSelect<'_>) -> Vec<(Option<String>, String)> {
    let mut branches: Vec<(Option<String>, String)> = Vec::new();
    for branch in &select.branches {
        let joined = |words: &[&str], by: &str| words.iter().map(|word| has(word)).collect::<Vec<_>>().join(by);
        let (all, any) = (joined(&branch.has, " && "), joined(&branch.has_any, " || "));
        let takes = match (all.is_empty(), any.is_empty()) {
            (true, true) => None,
            (false, true) => Some(all),
            (true, false) => Some(any),
            (false, false) => Some(format!("{all} && ({any})")),
        };
        let outcome = word(&select.variants[branch.variant].rust).into_owned();
        match branches.last_mut().filter(|(_, last)| *last == outcome) {
            Some((last, _)) => *last = last.take().zip(takes).map(|(last, takes)| format!("{last} || {takes}")),
            None => branches.push((takes, outcome)),
        }
    }
    branches
}

/// One chain of `if`.
fn chain(branches: Vec<(Option<String>, String)>) -> Vec<String> {
    let mut lines = Vec::new();
    for (takes, outcome) in branches {
        let is_first = lines.is_empty();
        match takes {
            None if is_first => return vec![format!("Self::{outcome}")],
            Some(takes) if is_first => lines.push(format!("if {takes} {{")),
            Some(takes) => lines.push(format!("}} else if {takes} {{")),
            None => lines.push("} else {".to_owned()),
        }
        lines.push(format!("    Self::{outcome}"));
    }
    lines.push("}".to_owned());
    lines
}

fn has(word: &str) -> String {
    let condition = word.strip_prefix("query.").map_or(RequestCondition::Header(word), RequestCondition::Query);
    format!("has.{}", name(&condition))
}
