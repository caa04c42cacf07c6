//! The objects of model requests, member by member: what each asks for, and who pays for it.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{EntryMap, SourceSpan, SpannedText, SpannedValue};

/// An object that may stand in a model request, with every member that the service knows in it. What is not listed is an
/// unknown member: it is refused by name unless its value is plain.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "RequestObject")]
#[serde(deny_unknown_fields)]
pub struct DeclaredRequestObject {
    /// One line on the object.
    pub doc: String,
    /// The client format whose whole body it is; absent for an object within another.
    pub body_of: Option<SpannedValue<FormatName>>,
    /// Request types of official SDKs that it stands for, `package: Type`; a test compares their members with these.
    #[serde(default)]
    pub sdk: Vec<SpannedText>,
    /// The class of a text that stands in its place; `free` where nothing is said.
    pub text_is: Option<SpannedValue<TextClass>>,
    /// Its members.
    #[serde(default)]
    pub members: SpannedValue<DeclaredMemberClasses>,
    /// The member whose text says what kind of object it is.
    pub kind_in: Option<SpannedText>,
    /// The kinds. A name that ends in `*` stands for all that begin so.
    #[serde(default)]
    pub kinds: SpannedValue<DeclaredMemberClasses>,
    /// The heading of the source that it follows.
    pub from: Option<SpannedText>,
    /// The decision behind it.
    pub fact: Option<SpannedText>,
}

/// A client format, by its letter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, JsonSchema)]
pub enum FormatName {
    /// Messages.
    #[default]
    A,
    /// Generate-content.
    G,
    /// Chat completions.
    O,
    /// Responses.
    R,
}

impl FormatName {
    /// The letter.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::G => "G",
            Self::O => "O",
            Self::R => "R",
        }
    }
}

/// The class of a text in the place of an object.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TextClass {
    /// Nothing beyond tokens.
    #[default]
    Free,
    /// Something kept at the provider, whose id it is.
    State,
}

/// Names of members or kinds by what they ask for. A name stands in one class.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "Classes")]
#[serde(deny_unknown_fields)]
pub struct DeclaredMemberClasses {
    /// Nothing beyond the tokens of prompt and answer, which are charged.
    #[serde(default)]
    pub free: Vec<SpannedText>,
    /// Nothing beyond tokens; the objects in it are request objects themselves, which are looked into.
    #[serde(default)]
    pub holds: EntryMap<SpannedText>,
    /// A tool that the client runs.
    #[serde(default)]
    pub client: Vec<SpannedText>,
    /// Something that the provider runs for tokens alone, all of which its answer reports.
    #[serde(default)]
    pub tokens: Vec<SpannedText>,
    /// Something that the provider runs and charges for by use: the name of its price.
    #[serde(default)]
    pub sold: EntryMap<SpannedText>,
    /// A class of service: the values that cost the base price.
    #[serde(default)]
    pub tier: EntryMap<Vec<SpannedText>>,
    /// An address that the provider fetches from, and the hosts (those below them too) of what it keeps itself.
    #[serde(default)]
    pub address: EntryMap<Vec<SpannedText>>,
    /// Something kept at the provider under the operator's name, which no account may reach of another.
    #[serde(default)]
    pub state: Vec<SpannedText>,
    /// Another model than the one that the request names.
    #[serde(default)]
    pub model: Vec<SpannedText>,
}

/// The class of a member or kind: free, a tool, something sold, or something kept elsewhere.
#[derive(Debug, Clone, Copy)]
pub enum DeclaredMemberClass<'a> {
    /// See [`DeclaredMemberClasses::free`].
    Free,
    /// See [`DeclaredMemberClasses::holds`]; the name of the object.
    Holds(&'a SpannedText),
    /// See [`DeclaredMemberClasses::client`].
    Client,
    /// See [`DeclaredMemberClasses::tokens`].
    Tokens,
    /// See [`DeclaredMemberClasses::sold`]; the name of the price.
    Sold(&'a SpannedText),
    /// See [`DeclaredMemberClasses::tier`]; the values that cost the base price.
    Tier(&'a [SpannedText]),
    /// See [`DeclaredMemberClasses::address`]; the provider's own hosts.
    Address(&'a [SpannedText]),
    /// See [`DeclaredMemberClasses::state`].
    State,
    /// See [`DeclaredMemberClasses::model`].
    Model,
}

impl DeclaredMemberClass<'_> {
    /// The key of the class in the spec.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Holds(_) => "holds",
            Self::Client => "client",
            Self::Tokens => "tokens",
            Self::Sold(_) => "sold",
            Self::Tier(_) => "tier",
            Self::Address(_) => "address",
            Self::State => "state",
            Self::Model => "model",
        }
    }
}

impl DeclaredMemberClasses {
    /// Every name with its place and class, in the order of the classes.
    pub fn all(&self) -> impl Iterator<Item = (&str, SourceSpan, DeclaredMemberClass<'_>)> {
        let Self { free, holds, client, tokens, sold, tier, address, state, model } = self;
        let mut all: Vec<(&str, SourceSpan, DeclaredMemberClass<'_>)> =
            listed(free, DeclaredMemberClass::Free).collect();
        all.extend(holds.iter().map(|(name, of)| (name.as_str(), of.place, DeclaredMemberClass::Holds(&of.value))));
        all.extend(listed(client, DeclaredMemberClass::Client));
        all.extend(listed(tokens, DeclaredMemberClass::Tokens));
        all.extend(
            sold.iter().map(|(name, price)| (name.as_str(), price.place, DeclaredMemberClass::Sold(&price.value))),
        );
        all.extend(tier.iter().map(|(name, base)| (name.as_str(), base.place, DeclaredMemberClass::Tier(&base.value))));
        all.extend(
            address.iter().map(|(name, own)| (name.as_str(), own.place, DeclaredMemberClass::Address(&own.value))),
        );
        all.extend(listed(state, DeclaredMemberClass::State));
        all.extend(listed(model, DeclaredMemberClass::Model));
        all.into_iter()
    }
}

/// Names that are a list, all of one class.
fn listed<'n>(
    names: &'n [SpannedText],
    class: DeclaredMemberClass<'n>,
) -> impl Iterator<Item = (&'n str, SourceSpan, DeclaredMemberClass<'n>)> {
    names.iter().map(move |name| (name.value.as_str(), name.place, class))
}
