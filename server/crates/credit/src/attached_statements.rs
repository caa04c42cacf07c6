//! Statements of another room that are carried out with a hold or with its end: both are on the disk, or neither is.
//!
//! The room that the money is for keeps its own rows and writes its own SQL; here it is only run, and counted.

/// Statements in their order.
pub type AttachedStatements = Vec<Statement>;

/// A statement that changes one row. Where it changes none or several, the hold or ending that it is attached to is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The text, with `$1`, `$2` and so on.
    pub sql: &'static str,
    /// The values of its parameters.
    pub values: Vec<StatementValue>,
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatementValue {
    /// The number of the hold that it is attached to.
    Hold,
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
    /// NULL.
    Nothing,
}

impl StatementValue {
    /// A text, or NULL.
    #[must_use]
    pub fn maybe(text: Option<&str>) -> Self {
        text.map_or(Self::Nothing, |text| Self::Text(text.to_owned()))
    }
}

impl From<i64> for StatementValue {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for StatementValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
