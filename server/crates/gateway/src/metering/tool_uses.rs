//! Uses of tools that the provider ran, as its answer tells of them, by the names that tools are priced by.
//!
//! Each format tells in its own way: A counts in its usage, R brings an item for each call, G lists the searches, and O says it
//! in its usage where it says it at all.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use tollgate_formats::Format;

/// The most uses of one tool that are believed, and the most kinds of tools.
const USES_MAX: u64 = 1_000_000;
const TOOLS_MAX: usize = 64;
/// The longest name of a tool that is kept, in letters.
const NAME_MAX: usize = 64;
/// Tools that a provider runs for tokens alone.
const FREE: [&str; 2] = ["tool_search", "advisor"];

/// Uses by tool.
pub type UsesByTool = BTreeMap<String, u64>;

/// Uses of tools in an answer so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolUses {
    /// Uses by the last report in a usage.
    reported: UsesByTool,
    /// Calls that came one after the other.
    called: UsesByTool,
    /// Calls of the whole answer, once that has come.
    whole: Option<UsesByTool>,
    /// Searches of format G: it repeats them.
    searches: BTreeSet<u64>,
    /// Other tools that format G says it used.
    grounded: BTreeSet<&'static str>,
    /// True if something tells of uses and cannot be read.
    unread: bool,
}

impl ToolUses {
    /// Adds what an event or a whole reply tells outside its usage.
    pub fn event(&mut self, format: Format, json: &[u8]) {
        let says = |word: &[u8]| memchr::memmem::find(json, word).is_some();
        match format {
            Format::Messages if says(b"mcp_tool_use") || says(b"server_tool_use") => self.blocks(json),
            Format::Responses if says(b"_call\"") => self.items(json),
            Format::Generate if says(b"rounding") => self.grounding(json),
            _ => {}
        }
    }

    /// Adds what a usage object tells. The last report counts.
    pub fn usage(&mut self, format: Format, usage: &str) {
        #[derive(Deserialize)]
        struct ToolUsageCounts {
            server_tool_use: Option<BTreeMap<String, Value>>,
            num_search_queries: Option<Value>,
            num_sources_used: Option<Value>,
        }
        let of_o = matches!(format, Format::Chat | Format::Completions);
        let names: &[&str] = match format {
            Format::Chat | Format::Completions => &["server_tool_use", "num_search_queries", "num_sources_used"],
            Format::Messages => &["server_tool_use"],
            Format::Responses | Format::Generate => &[],
        };
        if !names.iter().any(|name| usage.contains(name)) {
            return;
        }
        let Ok(wire) = serde_json::from_str::<ToolUsageCounts>(usage) else {
            self.unread = true;
            return;
        };
        if let Some(tools) = wire.server_tool_use {
            self.reported = tools.iter().filter_map(|(name, uses)| reported(name, uses)).take(TOOLS_MAX).collect();
        }
        for searches in [wire.num_sources_used, wire.num_search_queries].into_iter().flatten().filter(|_| of_o) {
            self.reported.extend(reported("web_search", &searches));
        }
    }

    /// The uses by tool; one that was not used is not among them, unless the answer says so.
    #[must_use]
    pub fn all(&self) -> UsesByTool {
        let mut all = self.whole.as_ref().unwrap_or(&self.called).clone();
        // What a usage counts counts, whatever calls there are.
        all.extend(self.reported.clone());
        self.grounded.iter().for_each(|tool| add(&mut all, tool, 1));
        let searches = u64::try_from(self.searches.len()).unwrap_or(u64::MAX);
        if searches > 0 {
            all.insert("web_search".to_owned(), searches);
        }
        all
    }

    /// Format A brings a block for each call, and counts some kinds in its usage besides.
    fn blocks(&mut self, json: &[u8]) {
        #[derive(Deserialize)]
        struct ToolBlocksEvent<'a> {
            #[serde(borrow)]
            content_block: Option<&'a RawValue>,
            #[serde(borrow)]
            content: Option<Vec<&'a RawValue>>,
        }
        #[derive(Deserialize)]
        struct ToolUseBlock<'a> {
            #[serde(borrow, rename = "type")]
            kind: Cow<'a, str>,
            #[serde(borrow)]
            name: Option<Cow<'a, str>>,
        }
        let Ok(wire) = serde_json::from_slice::<ToolBlocksEvent<'_>>(json) else { return };
        for block in wire.content_block.into_iter().chain(wire.content.unwrap_or_default()) {
            let Ok(block) = serde_json::from_str::<ToolUseBlock<'_>>(block.get()) else { continue };
            let tool = match (&*block.kind, block.name.as_deref()) {
                ("mcp_tool_use", _) => "mcp",
                // What a container runs goes by two names more.
                ("server_tool_use", Some("bash_code_execution" | "text_editor_code_execution")) => "code_execution",
                ("server_tool_use", Some(name)) if !FREE.iter().any(|free| name.starts_with(free)) => name,
                _ => continue,
            };
            if self.called.len() < TOOLS_MAX || self.called.contains_key(tool) {
                add(&mut self.called, &tool.chars().take(NAME_MAX).collect::<String>(), 1);
            }
        }
    }

    /// Format R brings an item for each call, and at the end of a stream all of them once more.
    fn items(&mut self, json: &[u8]) {
        #[derive(Deserialize)]
        struct ToolItemsEvent<'a> {
            #[serde(borrow, rename = "type")]
            kind: Option<Cow<'a, str>>,
            #[serde(borrow)]
            item: Option<&'a RawValue>,
            #[serde(borrow)]
            response: Option<ToolItemsResponse<'a>>,
            #[serde(borrow)]
            output: Option<Vec<&'a RawValue>>,
        }
        #[derive(Deserialize)]
        struct ToolItemsResponse<'a> {
            #[serde(borrow)]
            output: Option<Vec<&'a RawValue>>,
        }
        let Ok(wire) = serde_json::from_slice::<ToolItemsEvent<'_>>(json) else { return };
        let whole = match wire.kind.as_deref() {
            Some("response.output_item.done") => {
                if let Some(tool) = wire.item.and_then(|item| self.tool(item)) {
                    add(&mut self.called, tool, 1);
                }
                return;
            }
            Some("response.completed" | "response.incomplete" | "response.failed") => {
                wire.response.and_then(|response| response.output)
            }
            Some(_) => None,
            None => wire.output,
        };
        // Some leave the items out at the end of a stream; then those that came count.
        if let Some(items) = whole.filter(|items| !items.is_empty()) {
            let mut uses = UsesByTool::new();
            items.iter().filter_map(|item| self.tool(item)).for_each(|tool| add(&mut uses, tool, 1));
            self.whole = Some(uses);
        }
    }

    /// The tool that an item is a call of, if the provider ran it.
    fn tool(&mut self, item: &RawValue) -> Option<&'static str> {
        let read = serde_json::from_str::<ToolCallItem<'_>>(item.get());
        self.unread |= read.is_err();
        read.ok()?.tool()
    }

    /// True if something tells of uses that cannot be read.
    #[must_use]
    pub fn unread(&self) -> bool {
        self.unread
    }

    /// Format G says of each candidate what it looked up.
    fn grounding(&mut self, json: &[u8]) {
        #[derive(Deserialize)]
        struct GroundedReply {
            candidates: Option<Vec<GroundedCandidate>>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct GroundedCandidate {
            grounding_metadata: Option<GroundingMetadata>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct GroundingMetadata {
            web_search_queries: Option<Vec<String>>,
            image_search_queries: Option<Vec<String>>,
            grounding_chunks: Option<Vec<BTreeMap<String, serde::de::IgnoredAny>>>,
        }
        let Ok(wire) = serde_json::from_slice::<GroundedReply>(json) else {
            self.unread |= memchr::memmem::find(json, b"roundingMetadata").is_some();
            return;
        };
        let told = wire.candidates.into_iter().flatten().filter_map(|candidate| candidate.grounding_metadata);
        for GroundingMetadata { web_search_queries, image_search_queries, grounding_chunks } in told {
            let searches = web_search_queries.into_iter().flatten().map(|query| (false, query));
            let searches = searches.chain(image_search_queries.into_iter().flatten().map(|query| (true, query)));
            for search in searches.filter(|(_, query)| !query.is_empty()) {
                let mut hasher = DefaultHasher::new();
                search.hash(&mut hasher);
                if self.searches.len() < usize::try_from(USES_MAX).unwrap_or(usize::MAX) {
                    self.searches.insert(hasher.finish());
                }
            }
            let chunks = grounding_chunks.into_iter().flatten().flat_map(BTreeMap::into_keys);
            self.grounded.extend(chunks.filter_map(|chunk| match chunk.as_str() {
                // Where the searches are listed too, they count in its place.
                "web" | "image" => Some("web_search"),
                "maps" => Some("google_maps"),
                "retrievedContext" => Some("file_search"),
                _ => None,
            }));
        }
    }
}

/// A JSON object with a `type`.
#[derive(Deserialize)]
struct TypedObject<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
}

/// An item of a response.
#[derive(Deserialize)]
struct ToolCallItem<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    status: Option<Cow<'a, str>>,
    #[serde(borrow)]
    action: Option<TypedObject<'a>>,
    #[serde(borrow)]
    environment: Option<TypedObject<'a>>,
}

impl ToolCallItem<'_> {
    /// The tool that the provider ran, if it is a call of one. A page that is opened after a search is no other search, and a
    /// shell without a container is the client's.
    fn tool(&self) -> Option<&'static str> {
        let action = self.action.as_ref().and_then(|action| action.kind.as_deref());
        let place = self.environment.as_ref().and_then(|environment| environment.kind.as_deref());
        let tool = match self.kind.as_deref()? {
            "web_search_call" => matches!(action, None | Some("search")).then_some("web_search"),
            "file_search_call" => Some("file_search"),
            "code_interpreter_call" => Some("code_interpreter"),
            "image_generation_call" => Some("image_generation"),
            "mcp_call" => Some("mcp"),
            "shell_call" => place.is_some_and(|place| place.starts_with("container")).then_some("shell"),
            _ => None,
        };
        tool.filter(|_| self.status.as_deref() != Some("failed"))
    }
}

/// A count of format A's usage by the name that the tool is priced by: `web_search_requests` is `web_search`.
fn reported(name: &str, uses: &Value) -> Option<(String, u64)> {
    let tool = name.strip_suffix("_requests").unwrap_or(name);
    let uses = match uses {
        Value::Null => return None,
        // What is no count is a use that nobody can price.
        uses => uses.as_u64().unwrap_or(1).min(USES_MAX),
    };
    let tool = tool.chars().take(NAME_MAX).collect();
    (!FREE.contains(&name) && !FREE.iter().any(|free| tool == *free)).then_some((tool, uses))
}

fn add(uses: &mut UsesByTool, tool: &str, more: u64) {
    if more > 0 {
        let sum = uses.entry(tool.to_owned()).or_default();
        *sum = sum.saturating_add(more).min(USES_MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(format: Format, events: &[&str]) -> String {
        let mut uses = ToolUses::default();
        for event in events {
            uses.event(format, event.as_bytes());
            uses.usage(format, event);
        }
        uses.all().iter().map(|(tool, uses)| format!("{tool} {uses}")).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn each_format_tells_in_its_own_way() {
        const CALL: &str = r#"{"type":"response.output_item.done","item":{"type":"web_search_call","status":"completed",
            "action":{"type":"search"}}}"#;
        const END: &str = r#"{"type":"response.completed","response":{"output":[
            {"type":"web_search_call","action":{"type":"search"}},{"type":"web_search_call","action":{"type":"open_page"}},
            {"type":"web_search_call","status":"failed"},{"type":"function_call"},{"type":"shell_call"},
            {"type":"shell_call","environment":{"type":"container_reference"}},{"type":"code_interpreter_call"}]}}"#;
        const GROUNDED: &str = r#"{"candidates":[{"groundingMetadata":{"webSearchQueries":["a","b",""],
            "groundingChunks":[{"web":{"uri":"u"}},{"maps":{}}]}}]}"#;
        for (format, events, expected) in [
            (
                Format::Messages,
                &[r#"{"server_tool_use":{"web_search_requests":2,"web_fetch_requests":0}}"#][..],
                "web_fetch 0, web_search 2",
            ),
            (
                Format::Messages,
                &[
                    r#"{"server_tool_use":{"web_search_requests":1}}"#,
                    r#"{"server_tool_use":{"web_search_requests":3,"tool_search_requests":4}}"#,
                ],
                "web_search 3",
            ),
            (Format::Messages, &[r#"{"server_tool_use":{"new_requests":true}}"#], "new 1"),
            (
                Format::Messages,
                &[
                    r#"{"type":"content_block_start","content_block":{"type":"mcp_tool_use"}}"#,
                    r#"{"type":"content_block_delta","delta":{"text":"mcp_tool_use"}}"#,
                ],
                "mcp 1",
            ),
            (
                Format::Messages,
                &[
                    r#"{"type":"content_block_start","content_block":{"type":"server_tool_use","name":"web_search"}}"#,
                    r#"{"type":"content_block_start","content_block":{"type":"server_tool_use","name":"bash_code_execution"}}"#,
                    r#"{"type":"content_block_start","content_block":{"type":"server_tool_use","name":"tool_search_tool_regex"}}"#,
                ],
                "code_execution 1, web_search 1",
            ),
            // The usage counts, where it says something of a tool.
            (
                Format::Messages,
                &[
                    r#"{"type":"content_block_start","content_block":{"type":"server_tool_use","name":"web_search"}}"#,
                    r#"{"server_tool_use":{"web_search_requests":0}}"#,
                ],
                "web_search 0",
            ),
            (Format::Chat, &[r#"{"num_search_queries":2,"num_sources_used":5}"#], "web_search 2"),
            (Format::Responses, &[CALL, CALL], "web_search 2"),
            (Format::Responses, &[CALL, CALL, END], "code_interpreter 1, shell 1, web_search 1"),
            (
                Format::Responses,
                &[CALL, r#"{"type":"response.completed","response":{"output":[],"x":"_call"}}"#],
                "web_search 1",
            ),
            (Format::Responses, &[r#"{"output":[{"type":"mcp_call"},{"type":"mcp_list_tools"}]}"#], "mcp 1"),
            (Format::Generate, &[GROUNDED, GROUNDED], "google_maps 1, web_search 2"),
            (
                Format::Generate,
                &[r#"{"candidates":[{"groundingMetadata":{"groundingChunks":[{"web":{}},{"web":{}}]}}]}"#],
                "web_search 1",
            ),
            (Format::Chat, &[r#"{"prompt_tokens":1,"num_search_queries":3}"#], "web_search 3"),
            (Format::Chat, &[r#"{"prompt_tokens":1,"server_tool_use":{"web_search_requests":1}}"#], "web_search 1"),
        ] {
            assert_eq!(told(format, events), expected, "{events:?}");
        }
    }

    #[test]
    fn what_cannot_be_read_tells_nothing_and_harms_nothing() {
        for format in [Format::Messages, Format::Responses, Format::Generate, Format::Chat] {
            for event in
                ["", "mcp_tool_use _call\" rounding", r#"{"item":7,"type":"response.output_item.done","x":"_call"}"#]
            {
                assert_eq!(told(format, &[event]), "", "{format:?} {event}");
            }
        }
    }

    #[test]
    fn a_report_that_cannot_be_read_is_noticed() {
        let unread = |format, event: &str| {
            let mut uses = ToolUses::default();
            uses.event(format, event.as_bytes());
            uses.usage(format, event);
            uses.unread()
        };
        assert!(unread(Format::Chat, r#"{"server_tool_use":7}"#));
        assert!(unread(Format::Responses, r#"{"output":[{"type":"web_search_call","status":7}]}"#));
        assert!(unread(Format::Generate, r#"{"candidates":[{"groundingMetadata":7}]}"#));
        assert!(!unread(Format::Chat, r#"{"prompt_tokens":7}"#));
    }
}
