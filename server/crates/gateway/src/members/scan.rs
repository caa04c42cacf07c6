//! The walk over a body: objects that the spec lists are parsed, everything else is skipped.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::RawValue;

use tollgate_api::generated::ops::chat::CreateChatCompletionHead;
use tollgate_api::{FastScanner, Head, MemberClass, RequestObject, is_kept_by_provider};
use tollgate_formats::{Format, MalformedRequest};

use super::classes::body;
use super::{FindingKind, MemberClasses, MemberFinding, MemberPath, MemberPathStep, StoredItems};

/// The longest word that is plain in a member that is not known, in bytes.
const PLAIN_WORD: usize = 32;
/// The object that servers behind us merge into the body, so that its members would be those of the body.
const MERGED: &str = "chat.extra_body";
/// A number of answers that are paid for, which servers of this format may take in a chat completion too.
const BEST_OF: &str = "best_of";
/// The most findings of a request; one with more is refused.
const FINDINGS_MAX: usize = 64;

/// The findings in the body of a request, all of which the client sent.
#[cfg(test)]
pub fn scan(format: Format, bytes: &[u8], operator: &MemberClasses) -> Result<Vec<MemberFinding>, MalformedRequest> {
    scan_beside(format, bytes, operator, &StoredItems::default())
}

/// The findings in the body of a request, which was checked as JSON before. Unknown members and kinds in `stored` items of the
/// input are ignored.
///
/// # Errors
/// When the body is no JSON object.
pub fn scan_beside(
    format: Format,
    bytes: &[u8],
    operator: &MemberClasses,
    stored: &StoredItems,
) -> Result<Vec<MemberFinding>, MalformedRequest> {
    let mut walk = BodyWalk { format, operator, stored, steps: Vec::new(), findings: Vec::new() };
    let read = std::str::from_utf8(bytes).ok().and_then(|text| {
        let mut json = FastScanner::trusting(text);
        (json.first() == Some(b'{')).then_some(())?;
        walk.value(body(format), &mut json)?;
        json.is_over().then_some(())
    });
    read.map(|()| walk.findings).ok_or_else(|| MalformedRequest {
        at: "body".to_owned(),
        expected: "a JSON object".to_owned(),
        found: "something else".to_owned(),
    })
}

/// The state of the walk: its path and its findings.
struct BodyWalk<'w> {
    format: Format,
    operator: &'w MemberClasses,
    stored: &'w StoredItems,
    steps: Vec<MemberPathStep>,
    findings: Vec<MemberFinding>,
}

impl BodyWalk<'_> {
    /// Walks a value that may be a request object or a list of them. The caller has bounded its depth.
    fn value(&mut self, object: &'static RequestObject, json: &mut FastScanner<'_>) -> Option<()> {
        match json.first()? {
            b'{' => self.object(object, json),
            b'[' => self.list(object, json),
            b'"' if object.text_is_state => {
                if json.text()? != "\"\"" {
                    let place = self.here();
                    self.find(place, object.name, FindingKind::State);
                }
                Some(())
            }
            _ => json.pass(),
        }
    }

    fn list(&mut self, object: &'static RequestObject, json: &mut FastScanner<'_>) -> Option<()> {
        let mut index = 0;
        json.elements(|json| {
            self.steps.push(MemberPathStep::Element(index));
            self.value(object, json)?;
            self.steps.pop();
            index += 1;
            Some(())
        })
    }

    fn object(&mut self, object: &'static RequestObject, json: &mut FastScanner<'_>) -> Option<()> {
        let first = self.findings.len();
        let (mut has_kind, mut tool_name, mut uses_max) = (false, None, None);
        let mut held = BTreeSet::new();
        json.members(|name, json| {
            let spelt = self.spelt(&name);
            if object.kind_in == Some(&*spelt) {
                self.kind(object, json.text()?, &mut has_kind);
            } else if spelt == "name" && object.kind_in.is_some() {
                tool_name = text_of(json.text()?);
            } else if spelt == "max_uses" && object.kind_in.is_some() {
                let text = json.text()?;
                uses_max = text.parse::<u64>().ok();
                if uses_max.is_none() && text != "null" {
                    self.find(self.here().member(&name), &name, FindingKind::Unreadable);
                }
            } else if let Some(class) = of_body(object, self.format, &spelt) {
                // A bound, a tier or a tool in a second place is neither held for nor priced.
                if !is_nothing(json.text()?) && (!matches!(class, MemberClass::Free) || is_read(&spelt)) {
                    self.find(self.here().member(&name), &name, FindingKind::Unreadable);
                }
            } else {
                let class = self.class(&name, object.member(&spelt));
                if let Some(MemberClass::Holds(_)) = class {
                    // Parsers differ in which of two they take.
                    match held.contains(&*spelt) {
                        true => self.find(self.here().member(&name), &name, FindingKind::Unreadable),
                        false => drop(held.insert(spelt.clone().into_owned())),
                    }
                }
                self.member(object, &name, class, json)?;
            }
            Some(())
        })?;
        let here = self.steps.len();
        for finding in self.findings[first..].iter_mut().filter(|finding| finding.place.0.len() == here) {
            finding.tool_name = tool_name.clone().map(Cow::into_owned);
            finding.uses_max = uses_max;
        }
        Some(())
    }

    /// Walks a member. Null and an empty list ask for nothing.
    fn member(
        &mut self,
        object: &RequestObject,
        name: &str,
        class: Option<MemberClass>,
        json: &mut FastScanner<'_>,
    ) -> Option<()> {
        let asks = match class {
            Some(MemberClass::Free | MemberClass::Client) => return json.pass(),
            Some(MemberClass::Holds(inner)) => {
                self.steps.push(MemberPathStep::Member(name.to_owned()));
                self.value(inner, json)?;
                self.steps.pop();
                return Some(());
            }
            class => {
                let text = json.text()?;
                match class {
                    _ if is_nothing(text) => None,
                    Some(MemberClass::Sold(_)) if is_off(name, text) => None,
                    Some(class) => asked(class, text),
                    None => {
                        let alike =
                            is_alike(name, object) || object.name == MERGED && is_alike(name, body(self.format));
                        (alike || !is_plain(text)).then_some(FindingKind::UnknownMember)
                    }
                }
            }
        };
        if let Some(asks) = asks {
            let place = self.here().member(name);
            self.find(place, name, asks);
        }
        Some(())
    }

    /// Looks up the kind of an object; `before` is true if it had one already, and is set.
    fn kind(&mut self, object: &'static RequestObject, text: &str, before: &mut bool) {
        if text == "null" {
            return;
        }
        let place = self.here();
        let member = object.kind_in.unwrap_or_default();
        let (Some(kind), false) = (text_of(text), std::mem::replace(before, true)) else {
            return self.find(place.member(member), member, FindingKind::Unreadable);
        };
        match self.class(&kind, object.kind(&kind)) {
            None => self.find(place.member(member), &kind, FindingKind::UnknownKind),
            Some(class) => {
                if let Some(asks) = asked(class, text) {
                    self.find(place, &kind, asks);
                }
            }
        }
    }

    fn find(&mut self, place: MemberPath, name: &str, asks: FindingKind) {
        if matches!(asks, FindingKind::UnknownMember | FindingKind::UnknownKind) && self.stored.reach(&place) {
            return;
        }
        let asks = if self.findings.len() < FINDINGS_MAX { asks } else { FindingKind::TooMuch };
        if self.findings.len() <= FINDINGS_MAX {
            self.findings.push(MemberFinding { place, name: name.to_owned(), tool_name: None, uses_max: None, asks });
        }
    }

    fn here(&self) -> MemberPath {
        MemberPath(self.steps.clone())
    }

    /// The name as the spec lists it: format G accepts names in snake case too.
    fn spelt<'n>(&self, name: &'n str) -> Cow<'n, str> {
        match self.format {
            Format::Generate if name.contains('_') => Cow::Owned(camel(name)),
            _ => Cow::Borrowed(name),
        }
    }

    fn class(&self, name: &str, of_spec: Option<MemberClass>) -> Option<MemberClass> {
        of_spec.or_else(|| self.operator.of(self.format, name))
    }
}

/// The class of a member that is merged into the body, where the body has it; `None` in any other object.
fn of_body(object: &RequestObject, format: Format, name: &str) -> Option<MemberClass> {
    let of_body = || if name == BEST_OF { Some(MemberClass::Free) } else { body(format).member(name) };
    (object.name == MERGED).then(of_body).flatten()
}

/// True for members of a body of format O that the gateway reads at the top level alone: for the hold, the price or the
/// stream.
fn is_read(name: &str) -> bool {
    const READ: [&str; 4] = [BEST_OF, "functions", "store", "usage"];
    CreateChatCompletionHead::NAMES.contains(&name) || READ.contains(&name)
}

/// A name in camel case: `generation_config` becomes `generationConfig`.
fn camel(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    let mut capital = false;
    for (at, letter) in name.chars().enumerate() {
        match letter {
            '_' if at > 0 => capital = true,
            letter if capital => {
                camel.push(letter.to_ascii_uppercase());
                capital = false;
            }
            letter => camel.push(letter),
        }
    }
    camel
}

/// The request for a service in a value of a class; `None` where it needs no decision.
fn asked(class: MemberClass, text: &str) -> Option<FindingKind> {
    match class {
        MemberClass::Free | MemberClass::Holds(_) | MemberClass::Client => None,
        MemberClass::Tokens => Some(FindingKind::Tokens),
        MemberClass::Sold(price) => Some(FindingKind::Sold(price)),
        MemberClass::State => Some(FindingKind::State),
        MemberClass::Model => Some(FindingKind::Model),
        MemberClass::Tier(base) => match text_of(text) {
            Some(tier) if base.contains(&&*tier) => None,
            Some(tier) => Some(FindingKind::Tier(tier.into_owned())),
            None => Some(FindingKind::Tier(text.chars().take(PLAIN_WORD).collect())),
        },
        MemberClass::Address(own) => {
            let kept = text_of(text).is_none_or(|address| is_kept_by_provider(own, &address));
            kept.then_some(FindingKind::State)
        }
    }
}

/// True if the value of a sold member switches it off, in the one form that its providers read.
fn is_off(name: &str, text: &str) -> bool {
    let switch = match name {
        "enable_search" => return text == "false",
        "search_parameters" => ("mode", "\"off\""),
        "web_search" => ("enable", "false"),
        _ => return false,
    };
    let members = serde_json::from_str::<BTreeMap<Cow<'_, str>, &RawValue>>(text);
    // With another member beside it, some parser may read the switch as on.
    members
        .is_ok_and(|members| members.len() == 1 && members.get(switch.0).is_some_and(|value| value.get() == switch.1))
}

fn is_nothing(text: &str) -> bool {
    text == "null" || text.strip_prefix('[').is_some_and(|rest| rest.trim_start() == "]")
}

/// True for a plain value, which asks for nothing: null, a boolean, a number, a short word of small letters.
fn is_plain(text: &str) -> bool {
    match text.as_bytes() {
        [b'"', word @ .., b'"'] => {
            word.len() <= PLAIN_WORD && word.iter().all(|byte| matches!(byte, b'a'..=b'z' | b'_' | b'-'))
        }
        [b'{' | b'[' | b'"', ..] => false,
        _ => true,
    }
}

/// True if an unlisted name is, or could be, a listed one in other letters: some servers read them alike.
fn is_alike(name: &str, object: &RequestObject) -> bool {
    !name.is_ascii() || object.members.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
}

/// The text in a JSON string, borrowed where it has no escapes; `None` for another value.
fn text_of(text: &str) -> Option<Cow<'_, str>> {
    let inside = text.strip_prefix('"')?.strip_suffix('"')?;
    match inside.contains('\\') {
        true => serde_json::from_str::<String>(text).ok().map(Cow::Owned),
        false => Some(Cow::Borrowed(inside)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::OperatorClass;
    use super::*;

    fn found(format: Format, body: &str) -> Vec<(String, FindingKind)> {
        found_with(format, body, &MemberClasses::default())
    }

    fn found_with(format: Format, body: &str, operator: &MemberClasses) -> Vec<(String, FindingKind)> {
        let findings = scan(format, body.as_bytes(), operator).expect("JSON");
        findings.into_iter().map(|finding| (finding.place.to_string(), finding.asks)).collect()
    }

    fn check(format: Format, body: &str, expected: &[(&str, FindingKind)]) {
        let expected: Vec<_> = expected.iter().map(|(at, asks)| ((*at).to_owned(), asks.clone())).collect();
        assert_eq!(found(format, body), expected, "{body}");
    }

    #[test]
    fn tools_are_found_wherever_they_may_stand() {
        let search = |at| [(at, FindingKind::Sold("web_search"))];
        check(Format::Responses, r#"{"tools":[{"type":"function"},{"type":"web_search"}]}"#, &search("tools[1]"));
        check(
            Format::Responses,
            r#"{"input":[{"type":"additional_tools","tools":[{"type":"namespace","name":"n","tools":[{"type":"web_search"}]}]}]}"#,
            &search("input[0].tools[0].tools[0]"),
        );
        check(
            Format::Responses,
            r#"{"input":[{"type":"tool_search_output","tools":[{"tools":[],"type":"web_search_preview"}]}]}"#,
            &search("input[0].tools[0]"),
        );
        check(
            Format::Messages,
            r#"{"messages":[{"role":"system","content":[{"type":"tool_addition","tool":{"type":"tool_definition",
                "definition":{"name":"web_search","type":"web_search_20260318"}}}]}]}"#,
            &search("messages[0].content[0].tool.definition"),
        );
        check(
            Format::Generate,
            r#"{"tools":[{"functionDeclarations":[]},{"google_search":{}}]}"#,
            &search("tools[1].google_search"),
        );
        check(Format::Chat, r#"{"tools":[{"name":"f"},{"type":"\u0077eb_search"}]}"#, &search("tools[1]"));
        check(
            Format::Messages,
            r#"{"tools":[{"type":"bash_20250124"},{"type":"computer_toolset_20260801"},{"name":"a"}]}"#,
            &[],
        );
    }

    #[test]
    fn state_and_other_models_are_found() {
        check(
            Format::Messages,
            r#"{"thread":{"type":"create"},"fallbacks":[{"model":"x"}],"container":null,"mcp_servers":[],
                "messages":[{"content":[{"type":"image","source":{"type":"file","file_id":"f"}}]}]}"#,
            &[
                ("thread", FindingKind::State),
                ("fallbacks", FindingKind::Model),
                ("messages[0].content[0].source", FindingKind::State),
                ("messages[0].content[0].source.file_id", FindingKind::State),
            ],
        );
        check(
            Format::Generate,
            r#"{"cached_content":"c","contents":[{"parts":[{"file_data":{"file_uri":"files/abc"}},
                {"fileData":{"fileUri":"https://storage.googleapis.com/bucket/a.png?X-Goog-Signature=1"}},
                {"fileData":{"fileUri":"HTTPS://us-generativelanguage.googleapis.com:443/v1beta/files/a"}}]}]}"#,
            &[
                ("cached_content", FindingKind::State),
                ("contents[0].parts[0].file_data.file_uri", FindingKind::State),
                ("contents[0].parts[2].fileData.fileUri", FindingKind::State),
            ],
        );
        check(
            Format::Responses,
            r#"{"tools":[{"type":"function","container":"cntr_1"}],"conversation":{"id":"conv_1"}}"#,
            &[("tools[0].container", FindingKind::State), ("conversation", FindingKind::State)],
        );
    }

    #[test]
    fn tiers_ask_for_what_is_not_the_base() {
        let tier = |at: &'static str, word: &str| (at, FindingKind::Tier(word.to_owned()));
        check(Format::Chat, r#"{"service_tier":"auto"}"#, &[]);
        check(Format::Chat, r#"{"deferred":true}"#, &[("deferred", FindingKind::State)]);
        check(Format::Chat, r#"{"search_parameters":{"mode":"off"},"enable_search":false}"#, &[]);
        for on in [
            r#"{"search_parameters":{"mode":"off","enabled":true}}"#,
            r#"{"search_parameters":{"mode":"off","Mode":"on"}}"#,
            r#"{"search_parameters":{"enabled":false}}"#,
            r#"{"enable_search":{"mode":"off"}}"#,
            r#"{"web_search_options":{"mode":"off"}}"#,
            r#"{"web_search_options":false}"#,
            r#"{"web_search_options":{}}"#,
        ] {
            assert_eq!(found(Format::Chat, on).len(), 1, "{on}");
        }
        check(
            Format::Generate,
            r#"{"tools":[{"newSearch":{}}]}"#,
            &[("tools[0].newSearch", FindingKind::UnknownMember)],
        );
        check(
            Format::Generate,
            r#"{"tools":[],"tools":[{"googleSearch":{}}]}"#,
            &[("tools", FindingKind::Unreadable), ("tools[0].googleSearch", FindingKind::Sold("web_search"))],
        );
        check(
            Format::Chat,
            r#"{"search_parameters":{"mode":"on"}}"#,
            &[("search_parameters", FindingKind::Sold("web_search"))],
        );
        check(Format::Chat, r#"{"service_tier":"flex"}"#, &[tier("service_tier", "flex")]);
        check(Format::Messages, r#"{"speed":"fast","inference_geo":null}"#, &[tier("speed", "fast")]);
        check(Format::Chat, r#"{"prompt_cache_options":{"ttl":"12h"}}"#, &[tier("prompt_cache_options.ttl", "12h")]);
    }

    #[test]
    fn what_is_unknown_passes_where_it_is_plain() {
        for plain in ["null", "true", "-1.5e3", r#""a-short_word""#, "[ ]"] {
            check(Format::Chat, &format!(r#"{{"new_member":{plain}}}"#), &[]);
        }
        let long = "x".repeat(33);
        for value in [r#""Two words""#, r#""a1""#, "{}", r#"{"a":1}"#, "[1]", r#""\u0061""#, &format!(r#""{long}""#)] {
            check(Format::Chat, &format!(r#"{{"new_member":{value}}}"#), &[("new_member", FindingKind::UnknownMember)]);
        }
        check(Format::Chat, r#"{"tools":[{"type":"new_kind"}]}"#, &[("tools[0].type", FindingKind::UnknownKind)]);
        check(
            Format::Messages,
            r#"{"messages":[{"content":[{"type":"new_block"}]}]}"#,
            &[("messages[0].content[0].type", FindingKind::UnknownKind)],
        );
    }

    #[test]
    fn a_kind_that_readers_may_read_in_two_ways_is_found() {
        check(
            Format::Chat,
            r#"{"tools":[{"type":"function","type":"web_search"},{"type":3}]}"#,
            &[("tools[0].type", FindingKind::Unreadable), ("tools[1].type", FindingKind::Unreadable)],
        );
    }

    #[test]
    fn schemas_arguments_and_metadata_are_not_looked_into() {
        check(
            Format::Messages,
            r#"{"metadata":{"thread":{}},"tools":[{"name":"t","input_schema":{"type":"web_search_1","fallbacks":[{}]}}],
                "messages":[{"content":[{"type":"tool_use","input":{"type":"web_search","container":"c"}}]}]}"#,
            &[],
        );
    }

    #[test]
    fn the_operator_classes_what_is_not_listed_and_nothing_else() {
        let names = ["new_member", "new_kind", "thread", "tools"];
        let classes = names.map(|name| (name.to_owned(), OperatorClass::Free)).into();
        let operator = MemberClasses(BTreeMap::from([('A', classes)]));
        let body =
            r#"{"new_member":{"a":1},"thread":{"type":"create"},"tools":[{"type":"new_kind"},{"type":"mcp_toolset"}]}"#;
        let expected = [("thread".to_owned(), FindingKind::State), ("tools[1]".to_owned(), FindingKind::Sold("mcp"))];
        assert_eq!(found_with(Format::Messages, body, &operator), expected);
        assert_eq!(found_with(Format::Responses, r#"{"new_member":{"a":1}}"#, &operator).len(), 1);
    }

    #[test]
    fn a_listed_name_in_other_letters_is_not_plain() {
        for body in
            [r#"{"SERVICE_TIER":"priority"}"#, r#"{"Service_tier":"flex"}"#, "{\"\u{17f}ervice_tier\":\"flex\"}"]
        {
            assert_eq!(found(Format::Chat, body).len(), 1, "{body}");
        }
    }

    #[test]
    fn nothing_hides_in_members_that_are_merged_into_the_body() {
        let at = |name: &str, asks| (format!("extra_body.{name}"), asks);
        let body = r#"{"n":1,"extra_body":{"n":64,"max_tokens":100000,"service_tier":"priority","best_of":8,"stream":true,
            "prediction":{},"speed":"fast","tools":[{}],"models":["m"],"store":true,"usage":{},"web_search_options":{},
            "N":64,"fast":"As You Like","stream_options":null}}"#;
        let twice = [
            "n",
            "max_tokens",
            "service_tier",
            "best_of",
            "stream",
            "prediction",
            "speed",
            "tools",
            "models",
            "store",
            "usage",
            "web_search_options",
        ];
        let twice = twice.map(|name| at(name, FindingKind::Unreadable));
        let unknown = ["N", "fast"].map(|name| at(name, FindingKind::UnknownMember));
        assert_eq!(found(Format::Chat, body), [&twice[..], &unknown].concat());
        // What only changes the words of the answer passes, and what is not known as it does in the body.
        let body = r#"{"extra_body":{"top_k":5,"enable_thinking":true,"thinking":{"type":"enabled"},"fast":true,
            "chat_template_kwargs":{"a":[1]},"google":{"thinking_config":{"thinking_budget":1}}}}"#;
        assert_eq!(found(Format::Chat, body), []);
        // An operator may class what no list has, and nothing else.
        let classes = ["fast", "n"].map(|name| (name.to_owned(), OperatorClass::Free)).into();
        let operator = MemberClasses(BTreeMap::from([('O', classes)]));
        let body = r#"{"extra_body":{"n":64,"fast":{"a":"As You Like"}}}"#;
        assert_eq!(found_with(Format::Chat, body, &operator), [at("n", FindingKind::Unreadable)]);
    }

    #[test]
    fn speeds_and_regions_are_tiers_in_formats_o_and_r_too() {
        for format in [Format::Chat, Format::Completions, Format::Responses] {
            check(
                format,
                r#"{"speed":"fast","inference_geo":"us"}"#,
                &[
                    ("speed", FindingKind::Tier("fast".to_owned())),
                    ("inference_geo", FindingKind::Tier("us".to_owned())),
                ],
            );
            check(format, r#"{"speed":"standard","inference_geo":"global"}"#, &[]);
        }
    }

    #[test]
    fn nothing_hides_behind_many_findings() {
        let tools = vec![r#"{"type":"web_search"}"#; 70].join(",");
        let found = found(Format::Chat, &format!(r#"{{"tools":[{tools}],"thread":{{}}}}"#));
        assert_eq!((found.len(), &found[64].1), (65, &FindingKind::TooMuch));
    }

    #[test]
    fn a_sold_tool_tells_its_name() {
        let body = br#"{"tools":[{"type":"web_search_20250305","name":"search"}]}"#;
        let findings = scan(Format::Messages, body, &MemberClasses::default()).expect("JSON");
        assert_eq!(findings[0].tool_name.as_deref(), Some("search"));
    }
}
