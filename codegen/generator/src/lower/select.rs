//! Replies chosen by what the request has.

use serde::Serialize;

use super::envelopes;
use super::fields::{Field, Ty};
use super::{Bounds, Cx};
use crate::map::IndexSet;
use crate::model::{self, Text, TypeExpr};
use crate::naming;

/// The choice of the format of a reply by the request; the first branch that fits decides, the last one always does.
#[derive(Debug, Serialize)]
pub struct Select<'s> {
    /// The branches.
    pub branches: Vec<Branch<'s>>,
    /// The conditions of the branches, each once.
    #[serde(skip)]
    pub conditions: Vec<Condition<'s>>,
    /// The outcomes of the branches, each once.
    #[serde(skip)]
    pub variants: Vec<SelectVariant<'s>>,
}

/// One branch.
#[derive(Debug, Serialize)]
pub struct Branch<'s> {
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
    /// The place of its choice in [`Select::variants`].
    #[serde(skip)]
    pub variant: usize,
}

/// Something that a request may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Condition<'s> {
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
    pub ok: Field<'s>,
    /// Its name in Rust.
    pub rust: String,
}

impl<'s> Condition<'s> {
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

pub(super) fn lower<'s>(cx: &Cx<'s>, operation: &'s model::Operation) -> Option<Select<'s>> {
    if operation.select.is_empty() {
        return None;
    }
    let mut conditions = IndexSet::default();
    let mut choices = IndexSet::default();
    let mut branches = Vec::new();
    for branch in &operation.select {
        let (has, has_any) = (words(&branch.has), words(&branch.has_any));
        conditions.extend(has.iter().chain(&has_any).map(|word| Condition::of(word)));
        let envelope = envelopes::named(cx, &branch.envelope)?;
        let (variant, _) = choices.insert_full((envelope, branch.ok.value.as_str()));
        branches.push(Branch { has, has_any, envelope, ok: &branch.ok.value, variant });
    }
    let variants = choices.iter().map(|(envelope, ok)| variant(envelope, ok, &choices)).collect::<Option<_>>()?;
    Some(Select { branches, conditions: conditions.into_iter().collect(), variants })
}

/// A choice, named by its envelope, and by its reply too where one envelope has two.
fn variant<'s>(envelope: &'s str, ok: &'s str, choices: &IndexSet<(&str, &str)>) -> Option<SelectVariant<'s>> {
    let alone = choices.iter().filter(|(other, _)| *other == envelope).count() == 1;
    let rust = if alone { naming::upper_camel(envelope) } else { naming::upper_camel(&format!("{envelope} {ok}")) };
    Some(SelectVariant { envelope, ok: reply(ok)?, rust })
}

/// A reply's type expression as a field without name.
pub(super) fn reply(words: &str) -> Option<Field<'_>> {
    let expr = TypeExpr::parse(words).ok()?;
    Some(Field {
        ty: Ty::of(&expr.base),
        optional: expr.optional,
        nullable: expr.nullable,
        default: None,
        bounds: Bounds::default(),
        secret: false,
        doc: None,
        from: None,
        fact: None,
        name: super::Named::default(),
        rust: String::new(),
    })
}

fn words(list: &[Text]) -> Vec<&str> {
    list.iter().map(|word| word.value.as_str()).collect()
}
