//! Request objects: every known name with its class, sorted by name.

use serde::Serialize;

use super::ResolvedOrigin;
use crate::map::IndexMap;
use crate::model::{self, DeclaredMemberClasses, Spec};

/// An object that may stand in a model request.
#[derive(Debug, Serialize)]
pub struct ResolvedRequestObject<'s> {
    /// The documentation of the object, in Markdown.
    pub doc: &'s str,
    /// The format whose whole body it is, by its letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_of: Option<&'static str>,
    /// Request types of official SDKs that it stands for, `package: Type`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sdk: Vec<&'s str>,
    /// True if a text in its place is the id of something kept at the provider.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub text_is_state: bool,
    /// Its members, by name.
    pub members: IndexMap<&'s str, ResolvedMemberClass<'s>>,
    /// The member whose text says what kind it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind_in: Option<&'s str>,
    /// Its kinds, by name; one that ends in `*` stands for all that begin so.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub kinds: IndexMap<&'s str, ResolvedMemberClass<'s>>,
    /// The source or decision that the object follows.
    #[serde(flatten)]
    pub origin: ResolvedOrigin<'s>,
}

/// The class of a member or kind: free, a tool, something sold, or something kept elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ResolvedMemberClass<'s> {
    /// Tokens of prompt and answer, which are charged.
    Free,
    /// Tokens of prompt and answer; its objects are looked into as this request object.
    Holds(&'s str),
    /// A tool that the client runs.
    Client,
    /// Something that the provider runs for tokens alone.
    Tokens,
    /// Something that is charged for by use, at the price of this name.
    Sold(&'s str),
    /// A class of service; these values cost the base price.
    Tier(Vec<&'s str>),
    /// An address; these hosts, and those below them, are the provider's own.
    Address(Vec<&'s str>),
    /// Something kept at the provider.
    State,
    /// Another model.
    Model,
}

pub(super) fn resolve(spec: &Spec) -> IndexMap<&str, ResolvedRequestObject<'_>> {
    let objects = spec.request_objects.iter().map(|(name, entry)| {
        let object = ResolvedRequestObject {
            doc: entry.doc.as_str(),
            body_of: entry.body_of.as_ref().map(|format| format.value.as_str()),
            sdk: words(&entry.sdk),
            text_is_state: entry.text_is.as_ref().is_some_and(|class| class.value == model::TextClass::State),
            members: classes(&entry.members),
            kind_in: entry.kind_in.as_ref().map(|member| member.value.as_str()),
            kinds: classes(&entry.kinds),
            origin: ResolvedOrigin::of(spec, name, entry),
        };
        (name.as_str(), object)
    });
    objects.collect()
}

fn classes(classes: &DeclaredMemberClasses) -> IndexMap<&str, ResolvedMemberClass<'_>> {
    let mut all: Vec<_> = classes.all().map(|(name, _, class)| (name, class_of(class))).collect();
    all.sort_by_key(|(name, _)| *name);
    all.into_iter().collect()
}

fn class_of(class: model::DeclaredMemberClass<'_>) -> ResolvedMemberClass<'_> {
    match class {
        model::DeclaredMemberClass::Free => ResolvedMemberClass::Free,
        model::DeclaredMemberClass::Holds(object) => ResolvedMemberClass::Holds(&object.value),
        model::DeclaredMemberClass::Client => ResolvedMemberClass::Client,
        model::DeclaredMemberClass::Tokens => ResolvedMemberClass::Tokens,
        model::DeclaredMemberClass::Sold(price) => ResolvedMemberClass::Sold(&price.value),
        model::DeclaredMemberClass::Tier(base) => ResolvedMemberClass::Tier(words(base)),
        model::DeclaredMemberClass::Address(own) => ResolvedMemberClass::Address(words(own)),
        model::DeclaredMemberClass::State => ResolvedMemberClass::State,
        model::DeclaredMemberClass::Model => ResolvedMemberClass::Model,
    }
}

fn words(texts: &[model::SpannedText]) -> Vec<&str> {
    texts.iter().map(|text| text.value.as_str()).collect()
}
