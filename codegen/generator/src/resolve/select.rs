//! Replies chosen by what the request has.

use serde::Serialize;

use super::context::ResolveContext;
use super::fields::{ResolvedField, ResolvedType};
use super::{ResolvedBounds, envelopes};
use crate::map::IndexSet;
use crate::model::{self, SpannedText, TypeExpr};
use crate::naming;

/// The choice of the format of a reply by the request; the first branch that fits decides, the last one always does.
#[derive(Debug, Serialize)]
pub struct ResolvedSelect<'s> {
    /// The branches.
    pub branches: Vec<ResolvedBranch<'s>>,
    /// The conditions of the branches, each once.
    #[serde(skip)]
    pub conditions: Vec<RequestCondition<'s>>,
    /// The outcomes of the branches, each once.
    #[serde(skip)]
    pub variants: Vec<SelectVariant<'s>>,
}

/// One branch.
#[derive(Debug, Serialize)]
pub struct ResolvedBranch<'s> {
    /// All of these must be present.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub has: Vec<&'s str>,
    /// One of these must be present.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub has_any: Vec<&'s str>,
    /// The envelope of errors.
    pub envelope: &'s str,
    /// The type of the reply.
    pub ok: &'s str,
    /// The place of its choice in [`ResolvedSelect::variants`].
    #[serde(skip)]
    pub variant: usize,
}

/// Something that a request may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RequestCondition<'s> {
    /// A header, by its canonical name.
    Header(&'s str),
    /// A query parameter.
    Query(&'s str),
}

/// One choice: an envelope and a reply.
#[derive(Debug)]
pub struct SelectVariant<'s> {
    /// The envelope of errors.
    pub envelope: &'s str,
    /// The reply.
    pub ok: ResolvedField<'s>,
    /// Its name in Rust.
    pub rust: String,
}

impl<'s> RequestCondition<'s> {
    /// The condition that a word of the spec names: a header, or with `query.` before it a parameter.
    pub(crate) fn of(word: &'s str) -> Self {
        word.strip_prefix("query.").map_or(Self::Header(word), Self::Query)
    }

    /// Its name in Rust.
    #[must_use]
    pub fn rust(&self) -> String {
        match self {
            Self::Header(name) => naming::snake(name),
            Self::Query(name) => format!("query_{}", naming::snake(name)),
        }
    }
}

pub(super) fn resolve<'s>(
    cx: &ResolveContext<'s>,
    operation: &'s model::DeclaredOperation,
) -> Option<ResolvedSelect<'s>> {
    if operation.select.is_empty() {
        return None;
    }
    let mut conditions = IndexSet::default();
    let mut choices = IndexSet::default();
    let mut branches = Vec::new();
    for branch in &operation.select {
        let (has, has_any) = (words(&branch.has), words(&branch.has_any));
        conditions.extend(has.iter().chain(&has_any).map(|word| RequestCondition::of(word)));
        let envelope = envelopes::named(cx, &branch.envelope)?;
        let (variant, _) = choices.insert_full((envelope, branch.ok.value.as_str()));
        branches.push(ResolvedBranch { has, has_any, envelope, ok: &branch.ok.value, variant });
    }
    let variants = choices.iter().map(|(envelope, ok)| variant(envelope, ok, &choices)).collect::<Option<_>>()?;
    Some(ResolvedSelect { branches, conditions: conditions.into_iter().collect(), variants })
}

/// A choice, named by its envelope, and by its reply too where one envelope has two.
fn variant<'s>(envelope: &'s str, ok: &'s str, choices: &IndexSet<(&str, &str)>) -> Option<SelectVariant<'s>> {
    let alone = choices.iter().filter(|(other, _)| *other == envelope).count() == 1;
    let rust = if alone { naming::upper_camel(envelope) } else { naming::upper_camel(&format!("{envelope} {ok}")) };
    Some(SelectVariant { envelope, ok: reply(ok)?, rust })
}

/// A reply's type expression as a field without name.
pub(super) fn reply(words: &str) -> Option<ResolvedField<'_>> {
    let expr = TypeExpr::parse(words).ok()?;
    Some(ResolvedField {
        ty: ResolvedType::of(&expr.base),
        optional: expr.optional,
        nullable: expr.nullable,
        default: None,
        bounds: ResolvedBounds::default(),
        secret: false,
        doc: None,
        from: None,
        fact: None,
        name: super::ResolvedTargetNames::default(),
        rust: String::new(),
    })
}

fn words(list: &[SpannedText]) -> Vec<&str> {
    list.iter().map(|word| word.value.as_str()).collect()
}
