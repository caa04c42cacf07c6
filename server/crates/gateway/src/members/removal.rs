//! Removal of tools from a body, and insertion of bounds: every other byte stays as it is.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use bytes::Bytes;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use tollgate_formats::wire::splice::{JsonSplice, range_within};

use super::asked_services::ToolUsesBound;
use super::{MemberPath, MemberPathStep};

/// The ranges of a body to remove for these places, each with a comma beside it.
/// A tool that would be left empty is removed whole, and so is a list of tools, because providers refuse an empty one,
/// and an item that exists for its tools alone. The result of a tool search keeps an empty list, which means that none
/// was found.
#[must_use]
pub fn without(bytes: &[u8], places: &[MemberPath]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let paths: Vec<&[MemberPathStep]> = places.iter().map(|place| &place.0[..]).collect();
    if let Ok(raw) = serde_json::from_slice::<&RawValue>(bytes) {
        clear(bytes, raw, &paths, &mut ranges);
    }
    ranges
}

/// The body with these bounds.
#[must_use]
pub fn with_bounds(body: &Bytes, bounds: &[ToolUsesBound]) -> Bytes {
    let mut splice = JsonSplice::default();
    bounded(body, bounds).into_iter().for_each(|(range, text)| splice.replace(range, text));
    splice.apply(body)
}

/// The insertions of bounds into a body. Each becomes the last member of its object, because parsers that take the last
/// of two equal names must take ours.
#[must_use]
pub fn bounded(bytes: &[u8], bounds: &[ToolUsesBound]) -> Vec<(Range<usize>, String)> {
    let mut insertions = Vec::with_capacity(bounds.len());
    let bounds: Vec<(&[MemberPathStep], &ToolUsesBound)> =
        bounds.iter().map(|bound| (&bound.place.0[..], bound)).collect();
    if let (Ok(raw), false) = (serde_json::from_slice::<&RawValue>(bytes), bounds.is_empty()) {
        bound_within(bytes, raw, &bounds, &mut insertions);
    }
    insertions
}

/// Adds the insertions of all bounds within a value, which is parsed once.
fn bound_within(
    bytes: &[u8],
    raw: &RawValue,
    bounds: &[(&[MemberPathStep], &ToolUsesBound)],
    insertions: &mut Vec<(Range<usize>, String)>,
) {
    let here = bounds.iter().filter(|(path, _)| path.is_empty());
    let end = range_within(bytes, raw.get()).map(|range| range.end - 1);
    insertions
        .extend(here.filter_map(|(_, bound)| Some((end?..end?, format!(",\"{}\":{}", bound.member, bound.uses)))));
    if bounds.iter().all(|(path, _)| path.is_empty()) {
        return;
    }
    for item in items(bytes, raw).unwrap_or_default() {
        let below = bounds.iter().filter(|(path, _)| path.first() == Some(&item.step));
        let below: Vec<_> = below.map(|(path, bound)| (&path[1..], *bound)).collect();
        if !below.is_empty() {
            bound_within(bytes, item.value, &below, insertions);
        }
    }
}

/// One member or element of a value.
struct RawJsonItem<'a> {
    step: MemberPathStep,
    value: &'a RawValue,
    range: Range<usize>,
}

/// Adds the ranges to remove for the paths below a value; returns true if nothing of the value is left.
fn clear(bytes: &[u8], raw: &RawValue, paths: &[&[MemberPathStep]], ranges: &mut Vec<Range<usize>>) -> bool {
    let Some(items) = items(bytes, raw) else { return false };
    let mut gone = Vec::with_capacity(items.len());
    let mut inner = Vec::new();
    for item in &items {
        let below: Vec<&[MemberPathStep]> =
            paths.iter().filter(|path| path.first() == Some(&item.step)).map(|path| &path[1..]).collect();
        let goes = below.iter().any(|path| path.is_empty())
            || (!below.is_empty() && clear(bytes, item.value, &below, &mut inner));
        if goes {
            inner.clear();
        }
        ranges.append(&mut inner);
        gone.push(goes);
    }
    if gone.iter().all(|gone| *gone) {
        return !items.is_empty();
    }
    if let Some(tools) = items.iter().zip(&gone).position(|(item, gone)| *gone && is_member(item, "tools")) {
        match items.iter().find(|item| is_member(item, "type")).map(|item| item.value.get()) {
            Some("\"namespace\"" | "\"additional_tools\"") => return true,
            Some("\"tool_search_output\"") => {
                gone[tools] = false;
                ranges.extend(range_within(bytes, items[tools].value.get()).map(|list| list.start + 1..list.end - 1));
            }
            _ => {}
        }
    }
    let first_kept = gone.iter().position(|gone| !gone).unwrap_or_default();
    for (at, item) in items.iter().enumerate().filter(|(at, _)| gone[*at]) {
        ranges.push(match at < first_kept {
            true => item.range.start..items[at + 1].range.start,
            false => items[at - 1].range.end..item.range.end,
        });
    }
    false
}

fn is_member(item: &RawJsonItem<'_>, name: &str) -> bool {
    matches!(&item.step, MemberPathStep::Member(member) if member == name)
}

fn items<'a>(bytes: &[u8], raw: &'a RawValue) -> Option<Vec<RawJsonItem<'a>>> {
    let place = |raw: &RawValue| range_within(bytes, raw.get());
    if raw.get().starts_with('[') {
        let elements: Vec<&RawValue> = serde_json::from_str(raw.get()).ok()?;
        let item = |(index, value): (usize, &'a RawValue)| {
            Some(RawJsonItem { step: MemberPathStep::Element(index), value, range: place(value)? })
        };
        return elements.into_iter().enumerate().map(item).collect();
    }
    let RawJsonMembers(members) = serde_json::from_str(raw.get()).ok()?;
    let item = |(name, value): (&'a RawValue, &'a RawValue)| {
        let step = MemberPathStep::Member(serde_json::from_str::<Cow<'_, str>>(name.get()).ok()?.into_owned());
        Some(RawJsonItem { step, value, range: place(name)?.start..place(value)?.end })
    };
    members.into_iter().map(item).collect()
}

/// The members of an object in their order, as raw JSON.
struct RawJsonMembers<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for RawJsonMembers<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RawJsonMembersVisitor;
        impl<'de> Visitor<'de> for RawJsonMembersVisitor {
            type Value = RawJsonMembers<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(RawJsonMembers(members))
            }
        }
        deserializer.deserialize_map(RawJsonMembersVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FindingKind, MemberClasses, scan};
    use super::*;
    use tollgate_formats::Format;

    fn cleared(format: Format, body: &str) -> String {
        let bytes = Bytes::copy_from_slice(body.as_bytes());
        let findings = scan(format, &bytes, &MemberClasses::default()).expect("JSON");
        let sold = findings.into_iter().filter(|finding| matches!(finding.asks, FindingKind::Sold(_)));
        let places: Vec<MemberPath> = sold.map(|finding| finding.place).collect();
        let mut splice = JsonSplice::default();
        without(&bytes, &places).into_iter().for_each(|range| splice.replace(range, String::new()));
        String::from_utf8(splice.apply(&bytes).to_vec()).expect("text")
    }

    #[test]
    fn tools_go_and_everything_else_stays_byte_for_byte() {
        for (body, expected) in [
            (
                r#"{ "a":1.0, "tools": [ {"type":"web_search"} ,{"name":"f"} ] }"#,
                r#"{ "a":1.0, "tools": [ {"name":"f"} ] }"#,
            ),
            (r#"{"tools":[{"name":"f"}, {"type":"web_search"}],"b":1}"#, r#"{"tools":[{"name":"f"}],"b":1}"#),
            (
                r#"{"tools":[{"type":"mcp"},{"name":"f"},{"type":"mcp"},{"type":"web_search"},{"name":"g"}]}"#,
                r#"{"tools":[{"name":"f"},{"name":"g"}]}"#,
            ),
            (r#"{"a":1, "tools":[{"type":"web_search"}], "b":2}"#, r#"{"a":1, "b":2}"#),
            (r#"{"tools":[{"type":"web_search"}],"b":2}"#, r#"{"b":2}"#),
            (
                r#"{"input":[{"type":"additional_tools","tools":[{"type":"web_search"}]},{"role":"user"}],"b":2}"#,
                r#"{"input":[{"role":"user"}],"b":2}"#,
            ),
            (
                r#"{"tools":[{"type":"namespace","name":"n","tools":[{"type":"web_search"}]},{"name":"f"}]}"#,
                r#"{"tools":[{"name":"f"}]}"#,
            ),
            (
                r#"{"input":[{"type":"tool_search_output","call_id":"c","tools":[{"type":"web_search"}],"status":"completed"}]}"#,
                r#"{"input":[{"type":"tool_search_output","call_id":"c","tools":[],"status":"completed"}]}"#,
            ),
            (
                r#"{"input":[{"type":"additional_tools","tools":[{"type":"web_search"},{"name":"f"}]}],"b":2}"#,
                r#"{"input":[{"type":"additional_tools","tools":[{"name":"f"}]}],"b":2}"#,
            ),
        ] {
            assert_eq!(cleared(Format::Responses, body), expected);
        }
    }

    #[test]
    fn bounds_are_the_last_members_of_their_objects() {
        let body = r#"{"tools":[{"name":"f"},{"type":"web_search_20250305","max_uses":null }],"b":1}"#;
        let bytes = Bytes::from_static(body.as_bytes());
        let bound = |place: MemberPath, member, uses| ToolUsesBound { place, member, uses };
        let tool = MemberPath(vec![MemberPathStep::Member("tools".to_owned()), MemberPathStep::Element(1)]);
        let mut splice = JsonSplice::default();
        let bounds = [bound(tool, "max_uses", 7), bound(MemberPath::default(), "max_tool_calls", 9)];
        bounded(&bytes, &bounds).into_iter().for_each(|(range, text)| splice.replace(range, text));
        let expected = r#"{"tools":[{"name":"f"},{"type":"web_search_20250305","max_uses":null ,"max_uses":7}],"b":1,"max_tool_calls":9}"#;
        assert_eq!(splice.apply(&bytes), expected);
    }

    #[test]
    fn a_tool_of_format_g_loses_what_is_not_sold() {
        for (body, expected) in [
            (
                r#"{"tools":[{"functionDeclarations":[],"googleSearch":{}}]}"#,
                r#"{"tools":[{"functionDeclarations":[]}]}"#,
            ),
            (r#"{"a":1,"tools":[{"googleSearch":{},"google_maps":{}}]}"#, r#"{"a":1}"#),
            (r#"{"tools":[{"googleSearch":{}},{"codeExecution":{}}]}"#, r#"{"tools":[{"codeExecution":{}}]}"#),
        ] {
            assert_eq!(cleared(Format::Generate, body), expected);
        }
    }
}
