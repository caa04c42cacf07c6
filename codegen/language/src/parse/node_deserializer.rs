//! A node of the tree, as serde asks for it.

use super::SourceSpan;
use super::decode_error::DecodeError;
use super::tree::{YamlKind, YamlNode};
use crate::model::WrittenNumber;

/// One value, as serde asks for it.
#[derive(Clone, Copy)]
pub(super) struct NodeDeserializer<'t, 's> {
    pub(super) node: &'t YamlNode<'s>,
    pub(super) key: SourceSpan,
}

impl NodeDeserializer<'_, '_> {
    /// The complaint that something else is here than was wanted.
    pub(super) fn unexpected<T>(&self, wanted: &str) -> Result<T, DecodeError> {
        Err(DecodeError(format!("expected {wanted}, found {}", self.node.kind.name())))
    }

    /// The whole number it is.
    pub(super) fn whole<T: TryFrom<i128>>(&self) -> Result<T, DecodeError> {
        let YamlKind::Number(text) = &self.node.kind else { return self.unexpected("a number") };
        let whole = WrittenNumber::new(text.as_ref()).whole().and_then(|whole| T::try_from(whole).ok());
        whole.ok_or_else(|| DecodeError(format!("`{text}` is out of range")))
    }
}
