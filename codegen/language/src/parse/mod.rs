//! YAML to a tree that knows where everything stands, and the tree to typed values.
//!
//! Knows nothing of the spec language. A file that is not YAML from some place on is kept up to there; nothing here
//! panics on any input, and nothing recurses on the text (nesting is bounded by the YAML parser at 255).

mod access;
mod build;
mod decode;
mod decode_error;
mod node_deserializer;
mod open_nodes;
mod place;
mod scalar;
mod sources;
mod tree;

pub(crate) use self::scalar::{switch, switched_on};
pub use self::{
    build::YamlTree,
    decode::decode,
    decode_error::DecodeError,
    place::{FileId, SourceSpan, SpannedValue, SpecEntry},
    sources::{GuideText, SourceFile, SpecSources},
    tree::{YamlKey, YamlKind, YamlMapping, YamlNode, YamlPair},
};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::syntax;

/// Reads one file into a tree, adding what is wrong with it as text.
pub fn parse<'s>(id: FileId, source: &'s SourceFile, diagnostics: &mut Vec<Diagnostic>) -> YamlTree<'s> {
    if let Some(at) = source.not_utf8_at {
        let place = source.place_of(id, at);
        diagnostics.push(Diagnostic::error(syntax::NOT_UTF8, place, "the file is not UTF-8 from here on"));
    }
    build::build(id, source, diagnostics)
}
