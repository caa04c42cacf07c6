//! Tools that a provider runs and charges for: they have no price here, so they are not sold.

use serde::Deserialize;
use serde::de::IgnoredAny;
use std::borrow::Cow;
use std::collections::HashMap;

#[derive(Deserialize)]
struct Typed<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<Cow<'a, str>>,
}

/// The first tool of a list that is neither a function nor a tool with free text, by its place; formats A and R tell them
/// by `type`. What is no list of objects is for the provider to refuse.
pub(super) fn typed(tools: &[u8]) -> Option<String> {
    let tools: Vec<Typed<'_>> = serde_json::from_slice(tools).ok()?;
    let own = |tool: &Typed<'_>| matches!(tool.kind.as_deref(), None | Some("function" | "custom"));
    tools.iter().position(|tool| !own(tool)).map(|index| format!("tools[{index}]"))
}

/// The first tool of a list with a member beside its function declarations; format G.
pub(super) fn named(tools: &[u8]) -> Option<String> {
    let tools: Vec<HashMap<Cow<'_, str>, IgnoredAny>> = serde_json::from_slice(tools).ok()?;
    let own = |name: &Cow<'_, str>| matches!(name.as_ref(), "functionDeclarations" | "function_declarations");
    tools.iter().position(|tool| !tool.keys().all(own)).map(|index| format!("tools[{index}]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_sold_and_searches_are_not() {
        assert_eq!(typed(br#"[{"name":"f"},{"type":"custom"},{"type":"function"}]"#), None);
        assert_eq!(typed(br#"[{"name":"f"},{"type":"web_search_20250305"}]"#), Some("tools[1]".to_owned()));
        assert_eq!(named(br#"[{"functionDeclarations":[]},{"function_declarations":[]}]"#), None);
        assert_eq!(named(br#"[{"functionDeclarations":[]},{"googleSearch":{}}]"#), Some("tools[1]".to_owned()));
        assert_eq!((typed(b"3"), named(b"[3]")), (None, None));
    }
}
