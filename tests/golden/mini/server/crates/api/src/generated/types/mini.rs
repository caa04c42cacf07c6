// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `mini`.

use tollgate_macros::{Wire, WireEnum, WireUnion};

use crate::api;

/// A thing.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/mini.yaml: Thing")]
pub struct Thing {
    /// Its name.
    #[wire(min_len = 1, max_len = 20)]
    pub name: String,
    /// What it is.
    pub kind: ThingKind,
    /// How large.
    #[wire(optional, nullable, min = 0)]
    pub size: Option<Option<i64>>,
    /// What it costs.
    pub price_usd: api::Usd,
    /// What it is made of.
    #[wire(max_items = 4)]
    pub parts: Vec<Part>,
    /// Anything.
    #[wire(optional)]
    pub labels: Option<api::Map<String>>,
    /// `object`.
    #[wire(literal = "thing")]
    pub object: &'static str,
}

/// A kind of thing.
#[derive(Debug, Clone, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/mini.yaml: ThingKind")]
pub enum ThingKind {
    /// It is small.
    #[wire(name = "small")]
    Small,
    /// It is large.
    #[wire(name = "large")]
    Large,
    /// A word that the spec does not know.
    #[wire(other)]
    Other(String),
}

/// A part of a thing.
#[derive(Debug, Clone, PartialEq, WireUnion)]
#[wire(by = "type", spec = "spec/mini.yaml: Part")]
pub enum Part {
    /// `type` is `text`.
    #[wire(name = "text")]
    Text(PartText),
    /// `type` is `thing`.
    #[wire(name = "thing")]
    Thing(PartThing),
    /// A kind that the spec does not know, as it came.
    #[wire(other)]
    Other(api::Unknown),
}

/// A `Part` whose `type` is `text`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/mini.yaml: Part", open)]
pub struct PartText {
    /// Its text.
    pub text: String,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// A thing within a thing.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/mini.yaml: PartThing", open)]
pub struct PartThing {
    /// Its name.
    pub name: String,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// Things.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/mini.yaml: ThingList")]
pub struct ThingList {
    /// All of them.
    pub data: Vec<Thing>,
}

/// Things for format A.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/mini.yaml: ThingListA")]
pub struct ThingListA {
    /// All of them.
    pub things: Vec<Thing>,
    /// Whether there are more.
    pub more: bool,
}

/// An operator.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/mini.yaml: Operator")]
pub struct Operator {
    /// The name.
    pub name: String,
    /// The role.
    pub role: OperatorRole,
}

/// A role of operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/mini.yaml: OperatorRole")]
pub enum OperatorRole {
    /// Sees everything.
    #[wire(name = "viewer")]
    Viewer,
    /// Keeps the things.
    #[wire(name = "keeper")]
    Keeper,
    /// May do everything.
    #[wire(name = "owner")]
    Owner,
}

/// Who signs in.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/mini.yaml: SigningIn")]
pub struct SigningIn {
    /// The name.
    #[wire(max_len = 12)]
    pub name: String,
}

/// What a thing is told.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/mini.yaml: Telling")]
pub struct Telling {
    /// The words.
    #[wire(max_len = 10)]
    pub words: String,
    /// Whether to shout.
    #[wire(default = "false")]
    pub loud: bool,
    /// In which colour.
    #[wire(optional)]
    pub colour: Option<Colour>,
}

/// A colour.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/mini.yaml: Colour", min_len = 3, max_len = 6)]
pub struct Colour(String);

/// Details.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/mini.yaml: Options", open)]
pub struct Options {
    /// How.
    #[wire(optional)]
    pub deep: Option<bool>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// What to draw.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/mini.yaml: Drawing", open)]
pub struct Drawing {
    /// Who draws.
    #[wire(min_len = 1, max_len = 20)]
    pub model: String,
    /// How many.
    #[wire(optional, min = 1, max = 4)]
    pub count: Option<i64>,
    /// Stroke by stroke.
    #[wire(optional, nullable)]
    pub stream: Option<Option<bool>>,
    /// On what.
    #[wire(optional)]
    pub ground: Option<Ground>,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// What to draw on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/mini.yaml: Ground")]
pub enum Ground {
    /// `paper`.
    #[wire(name = "paper")]
    Paper,
    /// `glass`.
    #[wire(name = "glass")]
    Glass,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/mini.yaml: Picture")]
pub struct Picture {
    /// Its name.
    pub name: String,
}

/// A picture as it grows.
#[derive(Debug, Clone, PartialEq, WireUnion)]
#[wire(by = "type", spec = "spec/mini.yaml: DrawingEvent")]
pub enum DrawingEvent {
    /// `type` is `stroke`.
    #[wire(name = "stroke")]
    Stroke(DrawingEventStroke),
    /// `type` is `done`.
    #[wire(name = "done")]
    Done,
    /// A kind that the spec does not know, as it came.
    #[wire(other)]
    Other(api::Unknown),
}

/// A `DrawingEvent` whose `type` is `stroke`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/mini.yaml: DrawingEvent", open)]
pub struct DrawingEventStroke {
    /// Where.
    pub at: i64,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}
