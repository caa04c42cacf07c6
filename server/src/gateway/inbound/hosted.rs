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

/// The first tool of a list that is neither a function nor a tool with free text, by its place; formats A, O and R tell
/// them by `type`. The whole list where it cannot be read: a kind that stands twice is read in one way here and perhaps
/// in another way by the provider.
pub(super) fn typed(tools: &[u8]) -> Option<String> {
    let Ok(tools) = serde_json::from_slice::<Option<Vec<Typed<'_>>>>(tools) else { return Some("tools".to_owned()) };
    let tools = tools.unwrap_or_default();
    let own = |tool: &Typed<'_>| matches!(tool.kind.as_deref(), None | Some("function" | "custom"));
    tools.iter().position(|tool| !own(tool)).map(|index| format!("tools[{index}]"))
}

/// The first tool of a list with a member beside its function declarations, and the whole list where it cannot be read;
/// format G.
pub(super) fn named(tools: &[u8]) -> Option<String> {
    let Ok(tools) = serde_json::from_slice::<Option<Vec<HashMap<Cow<'_, str>, IgnoredAny>>>>(tools) else {
        return Some("tools".to_owned());
    };
    let tools = tools.unwrap_or_default();
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
        assert_eq!((typed(b"null"), named(b"null")), (None, None));
    }

    #[test]
    fn what_cannot_be_read_is_not_sold() {
        for tools in ["3", "{}", "[3]", r#"[{"type":"custom","type":"web_search"}]"#, r#"[{"type":3}]"#] {
            assert_eq!(typed(tools.as_bytes()).as_deref(), Some("tools"), "{tools}");
        }
        for tools in ["3", "[3]"] {
            assert_eq!(named(tools.as_bytes()).as_deref(), Some("tools"), "{tools}");
        }
    }
}
