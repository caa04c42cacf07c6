//! Classes that an operator gives to members and kinds, beside those of the spec.

use std::collections::BTreeMap;

use tollgate_api::generated::request_objects;
use tollgate_api::{MemberClass, RequestObject};
use tollgate_formats::Format;

/// The operator's class of a member or kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OperatorClass {
    /// It costs tokens alone.
    Free,
    /// It is a tool that the client runs.
    Client,
    /// The provider runs it for tokens that its answer reports.
    Tokens,
    /// It is kept at the provider, and refused.
    State,
    /// It is another model, and refused.
    Model,
}

/// The operator's classes, by format and name, of what the spec does not list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemberClasses(pub BTreeMap<char, BTreeMap<String, OperatorClass>>);

impl MemberClasses {
    /// The operator's class of a name in requests of a format.
    #[must_use]
    pub fn of(&self, format: Format, name: &str) -> Option<MemberClass> {
        let class = self.0.get(&letter(format))?.get(name)?;
        Some(match class {
            OperatorClass::Free => MemberClass::Free,
            OperatorClass::Client => MemberClass::Client,
            OperatorClass::Tokens => MemberClass::Tokens,
            OperatorClass::State => MemberClass::State,
            OperatorClass::Model => MemberClass::Model,
        })
    }
}

/// True if a tool or service is sold by this name in requests of some format.
#[must_use]
pub fn is_sold(name: &str) -> bool {
    let sold = |(_, class): &(&str, MemberClass)| matches!(class, MemberClass::Sold(of) if *of == name);
    request_objects::ALL.iter().any(|object| object.members.iter().chain(object.kinds).any(sold))
}

/// The letter of a format, as the configuration names it.
#[must_use]
pub const fn letter(format: Format) -> char {
    match format {
        Format::Chat | Format::Completions => 'O',
        Format::Responses => 'R',
        Format::Messages => 'A',
        Format::Generate => 'G',
    }
}

/// The spec's object for the body of a request of a format.
#[must_use]
pub fn body(format: Format) -> &'static RequestObject {
    match format {
        Format::Chat => &request_objects::CHAT_REQUEST,
        Format::Completions => &request_objects::COMPLETIONS_REQUEST,
        Format::Responses => &request_objects::RESPONSES_REQUEST,
        Format::Messages => &request_objects::MESSAGES_REQUEST,
        Format::Generate => &request_objects::GENERATE_REQUEST,
    }
}
