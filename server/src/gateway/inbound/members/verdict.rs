//! What becomes of a request's findings at one model: it passes, without some tools perhaps, or is refused by name.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::api::MemberClass;

use super::super::super::exchange::Format;
use super::classes::{body, letter};
use super::{Asks, Finding, Place};

/// What a model and its providers take.
#[derive(Debug, Clone, Copy)]
pub struct Policy {
    /// The client's format.
    pub format: Format,
    /// Whether tools without a price are taken out, and not refused.
    pub drops_tools: bool,
    /// Whether some provider of the model is sent what nobody knows.
    pub forwards_unknown: bool,
}

impl Policy {
    /// Whether something that is sold is taken out of the request: a tool, and in format G what a tool has beside functions.
    fn drops(self, finding: &Finding) -> bool {
        let tool = finding.place.is_tool() || (self.format == Format::Generate && finding.place.is_of_tool());
        self.drops_tools && tool
    }
}

/// A request that passes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verdict {
    /// What is taken out of it: tools, and with the last of them what is said of all tools.
    pub dropped: Vec<Place>,
    /// Whether it holds what nobody knows, so that it goes to providers alone that are sent such.
    pub unknown: bool,
    /// Whether the provider may use more tokens than a turn of its size has.
    pub steps: bool,
}

/// Why a request does not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// A member or kind that nobody knows, and the line of the configuration that lets it through.
    Unknown {
        /// Where it stands.
        field: String,
        /// The line.
        setting: String,
    },
    /// Something that has no price at the model.
    NotOffered {
        /// Where it stands.
        field: String,
        /// What it is, in words.
        what: String,
        /// What an operator would set.
        setting: String,
    },
    /// Something kept at the provider.
    State {
        /// Where it stands.
        field: String,
    },
    /// A conversation that format A's provider would keep.
    Thread,
    /// More that needs a decision than a request may hold.
    TooMuch {
        /// The first of what is too much.
        field: String,
    },
    /// A kind that is written twice, or is no text.
    Unreadable {
        /// Where it stands.
        field: String,
    },
}

impl Verdict {
    /// Of the findings in a body at one model.
    ///
    /// # Errors
    /// Why it is refused, the first reason.
    pub fn of(findings: &[Finding], body: &[u8], policy: Policy) -> Result<Self, Refused> {
        let mut verdict = Self::default();
        let mut first_dropped = None;
        for finding in findings {
            match &finding.asks {
                Asks::Sold(_) if policy.drops(finding) => {
                    verdict.dropped.push(finding.place.clone());
                    first_dropped = first_dropped.or(Some(finding));
                }
                Asks::Tokens => verdict.steps = true,
                Asks::UnknownMember | Asks::UnknownKind if policy.forwards_unknown => verdict.unknown = true,
                _ => return Err(refused(finding, policy)),
            }
        }
        if let Some(first) = first_dropped {
            let tools: Tools<'_> =
                serde_json::from_slice(body).map_err(|_| Refused::Unreadable { field: "tools".into() })?;
            if let Some(forced) = findings.iter().find(|finding| tools.force(finding, policy.format)) {
                return Err(refused(forced, policy));
            }
            if tools.are_gone(&verdict.dropped) {
                if tools.must_call() {
                    return Err(refused(first, policy));
                }
                // Providers refuse what is said of tools where there are none.
                let said = [("tool_choice", tools.tool_choice), ("parallel_tool_calls", tools.parallel_tool_calls)];
                let said = said.into_iter().filter_map(|(name, value)| value.map(|_| name));
                verdict.dropped.extend(said.map(|name| Place::default().member(name)));
            }
        }
        Ok(verdict)
    }
}

/// What a body says of its tools.
#[derive(Deserialize)]
struct Tools<'a> {
    #[serde(borrow)]
    tools: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    tool_choice: Option<&'a RawValue>,
    #[serde(borrow)]
    parallel_tool_calls: Option<&'a RawValue>,
}

impl Tools<'_> {
    /// Whether a tool that is sold is the one that has to be called, or named among those that may be: by its kind, by
    /// another kind of the same price, or by its name.
    fn force(&self, finding: &Finding, format: Format) -> bool {
        let Asks::Sold(price) = finding.asks else { return false };
        let same_price = |word: &str| match body(format).member("tools") {
            Some(MemberClass::Holds(tool)) => matches!(tool.kind(word), Some(MemberClass::Sold(of)) if of == price),
            _ => false,
        };
        let names_it =
            |word: &str| word == finding.name || finding.tool_name.as_deref() == Some(word) || same_price(word);
        let choice = self.tool_choice.and_then(|choice| serde_json::from_str::<Value>(choice.get()).ok());
        choice.is_some_and(|choice| choice.is_object() && has_word(&choice, &names_it))
    }

    /// Whether some tool has to be called.
    fn must_call(&self) -> bool {
        let choice = self.tool_choice.map(RawValue::get).unwrap_or_default();
        ["\"required\"", "\"any\""].iter().any(|word| choice.contains(word))
    }

    /// Whether nothing is left of the body's own tools.
    fn are_gone(&self, dropped: &[Place]) -> bool {
        let whole = dropped.iter().filter(|place| place.is_in_own_tools() && place.0.len() == 2).count();
        self.tools.as_ref().is_some_and(|tools| tools.len() == whole)
    }
}

/// Whether one of the texts in a value is such a word.
fn has_word(value: &Value, is_it: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::String(word) => is_it(word),
        Value::Array(elements) => elements.iter().any(|element| has_word(element, is_it)),
        Value::Object(members) => members.values().any(|member| has_word(member, is_it)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn refused(finding: &Finding, policy: Policy) -> Refused {
    let Finding { place, name, asks, .. } = finding;
    let field = place.to_string();
    let line = |class: &str| {
        let name = Value::from(name.as_str());
        format!("`{name} = \"{class}\"` under `[members.{}]`", letter(policy.format))
    };
    match asks {
        Asks::UnknownMember => Refused::Unknown { field, setting: line("free") },
        Asks::UnknownKind if place.is_of_tool() => Refused::Unknown { field, setting: line("client") },
        Asks::UnknownKind => Refused::Unknown { field, setting: line("free") },
        Asks::Unreadable | Asks::Tokens => Refused::Unreadable { field },
        Asks::TooMuch => Refused::TooMuch { field },
        Asks::Sold(price) => {
            let what = if place.is_of_tool() { format!("tool `{name}`") } else { format!("`{price}`") };
            Refused::NotOffered { field, what, setting: format!("a price `tools.{price}` of the model") }
        }
        Asks::Tier(tier) => Refused::NotOffered {
            field,
            what: format!("`{tier}`"),
            setting: format!("a price for {name} `{tier}` of the model"),
        },
        Asks::State if policy.format == Format::Messages && field == "thread" => Refused::Thread,
        Asks::State => Refused::State { field },
        Asks::Model => Refused::NotOffered { field, what: "another model".to_owned(), setting: line("free") },
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MemberClasses, scan};
    use super::*;

    fn verdict(body: &str, drops_tools: bool) -> Result<Vec<String>, Refused> {
        let findings = scan(Format::Responses, body.as_bytes(), &MemberClasses::default()).expect("JSON");
        let policy = Policy { format: Format::Responses, drops_tools, forwards_unknown: false };
        let verdict = Verdict::of(&findings, body.as_bytes(), policy)?;
        Ok(verdict.dropped.iter().map(ToString::to_string).collect())
    }

    /// A request with a function and a search, or with the search alone.
    fn search(function: bool, choice: &str) -> String {
        let function = if function { r#"{"type":"function","name":"f"},"# } else { "" };
        format!(r#"{{"tools":[{function}{{"type":"web_search"}}],"tool_choice":{choice},"parallel_tool_calls":true}}"#)
    }

    #[test]
    fn a_tool_without_a_price_is_taken_out_unless_it_is_forced() {
        let refused = |field: &str| {
            Err(Refused::NotOffered {
                field: field.to_owned(),
                what: "tool `web_search`".to_owned(),
                setting: "a price `tools.web_search` of the model".to_owned(),
            })
        };
        for choice in ["null", "\"auto\"", "\"required\"", r#"{"type":"function","name":"f"}"#] {
            assert_eq!(verdict(&search(true, choice), true), Ok(vec!["tools[1]".to_owned()]), "{choice}");
        }
        for forced in [r#"{"type":"web_search"}"#, r#"{"type":"web_search_preview"}"#, r#"{"type":"web\u005fsearch"}"#]
        {
            assert_eq!(verdict(&search(true, forced), true), refused("tools[1]"), "{forced}");
        }
        assert_eq!(verdict(&search(true, "null"), false), refused("tools[1]"));
        let all = ["tools[0]", "tool_choice", "parallel_tool_calls"].map(str::to_owned).to_vec();
        assert_eq!(verdict(&search(false, "\"auto\""), true), Ok(all));
        assert_eq!(verdict(&search(false, "\"required\""), true), refused("tools[0]"));
    }

    #[test]
    fn a_refusal_prints_the_line_that_lets_it_through() {
        let unknown =
            |field: &str, setting: &str| Err(Refused::Unknown { field: field.to_owned(), setting: setting.to_owned() });
        assert_eq!(verdict(r#"{"new":{}}"#, true), unknown("new", r#"`"new" = "free"` under `[members.R]`"#));
        let kind = r#"{"tools":[{"type":"new kind"}]}"#;
        assert_eq!(verdict(kind, true), unknown("tools[0].type", r#"`"new kind" = "client"` under `[members.R]`"#));
    }
}
