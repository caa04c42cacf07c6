//! Places of the spec language where the writer may choose between shapes.
//!
//! The choice is made by the kind of the YAML node and by nothing else, so a mistake inside one shape is reported
//! there and never as "matches no variant". An enum whose variants are all called `$word`, `$list`, `$mapping`,
//! `$number`, `$bool` or `$null` is such a choice: the tree's deserializer picks the variant, and the schema is an
//! `anyOf` of shapes of different kinds.

mod body;
mod field;
mod lists;
mod number;
mod session;
mod value;
mod word_or;

pub use self::{
    body::{DeclaredBody, OperationAuth, PublicWord},
    field::{DeclaredField, DeclaredFields, DeclaredVariant},
    lists::{DeclaredStates, EnumWords, OneOrMore},
    number::{ByteCount, WrittenNumber},
    session::{BegunSession, DeclaredSession},
    value::SpannedJson,
    word_or::WordOr,
};
