//! The required form of the output.
//!
//! Providers bind an answer to a closed schema alone. JSON without a schema, and a schema that cannot be closed, are asked for in
//! words.

use serde_json::value::RawValue;

use super::schema::{self, SchemaBudget};
use crate::json::ObjectWriter;
use crate::{BlockKind, ChatRequest, ContentBlock, DropReport, LocatedValue, OutputShape, Unsupported};

const JSON: &str = "Answer with one JSON object and nothing else: no words around it, and no code fence.";
const BY_SCHEMA: &str =
    "Answer with JSON and nothing else: no words around it, and no code fence. The JSON must keep to this JSON schema:";

/// The shape of an answer as a provider is told it.
#[derive(Debug)]
pub enum EncodedShape<'a> {
    /// None.
    Any,
    /// By a member `format`, as it stands.
    Format(&'a RawValue),
    /// By a member `format` with a schema.
    Schema(Box<RawValue>),
    /// By instructions.
    Words(ContentBlock),
}

impl<'a> EncodedShape<'a> {
    /// The shape that the client asks for. One that is asked for in words binds nobody, and is noted as left out.
    ///
    /// # Errors
    /// When it is another format's own.
    pub fn of(ask: &'a ChatRequest, budget: &mut SchemaBudget, carry: &mut DropReport) -> Result<Self, Unsupported> {
        let Some(LocatedValue { at, value }) = &ask.shape else { return Ok(Self::Any) };
        Ok(match value {
            OutputShape::Text => Self::Any,
            OutputShape::Other(raw) if carry.same_format() => Self::Format(raw),
            OutputShape::Other(_) => {
                let reason = "the model's provider answers in text or JSON only; choose another model";
                return Err(Unsupported::new(at, reason));
            }
            OutputShape::JsonSchema { schema, .. } if carry.same_format() => Self::Schema(schema.clone()),
            OutputShape::JsonObject => {
                carry.drop(at);
                Self::Words(instruction(at, JSON.to_owned()))
            }
            // Schemas bind here always, and their name says nothing; the description has a place in the schema.
            OutputShape::JsonSchema { schema, description, name: _, strict: _ } => {
                let described = description.as_deref().map(|words| schema::with(schema, "description", words));
                let schema = described.as_deref().unwrap_or(schema);
                match schema::closed(schema).filter(|(_, costs)| budget.take(*costs)) {
                    Some((closed, _)) => Self::Schema(closed),
                    None => {
                        carry.drop(at);
                        Self::Words(instruction(at, format!("{BY_SCHEMA}\n{}", schema.get())))
                    }
                }
            }
        })
    }

    /// True if a member `format` states it.
    pub const fn is_written(&self) -> bool {
        matches!(self, Self::Format(_) | Self::Schema(_))
    }

    /// The instructions that tell it.
    pub const fn words(&self) -> Option<&ContentBlock> {
        match self {
            Self::Words(block) => Some(block),
            Self::Any | Self::Format(_) | Self::Schema(_) => None,
        }
    }

    /// Writes the member `format`, where it tells it.
    pub fn write(&self, config: &mut ObjectWriter<'_>) {
        match self {
            Self::Any | Self::Words(_) => {}
            Self::Format(raw) => {
                config.member("format", *raw);
            }
            Self::Schema(schema) => {
                let mut format = config.object("format");
                format.member("type", "json_schema").member("schema", schema);
                format.end();
            }
        }
    }
}

fn instruction(at: &str, words: String) -> ContentBlock {
    ContentBlock { at: at.to_owned(), kind: BlockKind::Text(words), extra: Vec::new() }
}
