//! The admission of a request at one model by its findings: accepted, perhaps without some tools, or refused by name.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use tollgate_api::MemberClass;
use tollgate_base::PicoUsd;
use tollgate_credit::ServicePrices;
use tollgate_formats::Format;

use super::asked_services::{BOUNDED_IN_A, RequestedServices, ToolUsesBound, class_key, class_member, is_charged_once};
use super::classes::{body, letter};
use super::{FindingKind, MemberFinding, MemberPath};

/// The members, tools and services that a model and its providers accept.
#[derive(Debug, Clone, Copy)]
pub struct AdmissionPolicy<'a> {
    /// The client's format.
    pub format: Format,
    /// True if tools without a price are removed, and not refused.
    pub drops_tools: bool,
    /// True if some provider of the model is sent unknown members and kinds.
    pub forwards_unknown: bool,
    /// The prices of tools and service classes at the model.
    pub prices: &'a ServicePrices,
    /// The most uses of a tool, where the client does not bound them.
    pub tool_uses_max: u64,
    /// True if all providers of the model keep to a bound of tool uses. If not, at least `tool_uses_max` is held for.
    pub keeps_bounds: bool,
}

impl AdmissionPolicy<'_> {
    /// The place to remove for a tool that has no price. It is the tool, or in format G the member of a tool beside
    /// functions.
    fn taken_out(self, finding: &MemberFinding) -> Option<MemberPath> {
        let FindingKind::Sold(tool) = finding.asks else { return None };
        if !self.drops_tools || self.prices.tools.contains_key(tool) {
            return None;
        }
        let place = &finding.place;
        match self.format {
            Format::Generate => place.is_of_tool().then(|| place.clone()),
            // A member of the tool tells whether the provider runs a shell, so the whole tool is removed.
            Format::Responses => place.tool(),
            Format::Chat | Format::Completions | Format::Messages => place.is_tool().then(|| place.clone()),
        }
    }

    /// The number of uses that is held for, given the client's bound.
    fn uses(self, given: Option<u64>) -> u64 {
        match given {
            Some(given) if self.keeps_bounds => given,
            Some(given) => given.max(self.tool_uses_max),
            None => self.tool_uses_max,
        }
    }
}

/// The terms on which a request is accepted at a model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestAdmission {
    /// The places to remove: tools, and with the last of them the members that concern all tools.
    pub dropped: Vec<MemberPath>,
    /// True if it has unknown members or kinds, so that only providers that are sent such are asked.
    pub unknown: bool,
    /// True if the provider may use more tokens than a turn of its size has.
    pub steps: bool,
    /// The tools and service classes that it asks for.
    pub services: RequestedServices,
}

/// The reason for which a request is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberRefusal {
    /// An unknown member or kind, and the setting that would let it through.
    Unknown {
        /// Its place in the request.
        field: String,
        /// The line of the configuration.
        setting: String,
    },
    /// A tool or service that has no price at the model.
    NotOffered {
        /// Its place in the request.
        field: String,
        /// The tool or service, in words.
        what: String,
        /// The setting that would price it.
        setting: String,
    },
    /// A value that no model sells.
    NotSold {
        /// Its place in the request.
        field: String,
        /// The value.
        value: String,
    },
    /// State kept at the provider.
    State {
        /// Its place in the request.
        field: String,
    },
    /// A conversation that a provider of format A would store.
    Thread,
    /// More findings than a request may have.
    TooMuch {
        /// The place of the first finding beyond the limit.
        field: String,
    },
    /// A member or kind that is there twice, or has the wrong type.
    Unreadable {
        /// Its place in the request.
        field: String,
    },
}

impl RequestAdmission {
    /// Decides on the findings in a body at one model.
    ///
    /// # Errors
    /// The first reason for a refusal.
    pub fn of(findings: &[MemberFinding], body: &[u8], policy: AdmissionPolicy<'_>) -> Result<Self, MemberRefusal> {
        let mut admission = Self::default();
        let dropped: Vec<(MemberPath, &MemberFinding)> =
            findings.iter().filter_map(|finding| Some((policy.taken_out(finding)?, finding))).collect();
        // Findings within a tool that is removed are removed with it.
        let stays = |finding: &&MemberFinding| !dropped.iter().any(|(place, _)| finding.place.is_within(place));
        for finding in findings.iter().filter(stays) {
            match &finding.asks {
                FindingKind::Sold(tool) => {
                    let counts = !is_counted_by_toolsets(finding, findings);
                    admission.sell(finding, tool, policy, counts)?;
                }
                FindingKind::Tier(value) => admission.serve(finding, value, policy)?,
                FindingKind::Tokens => admission.steps = true,
                FindingKind::UnknownMember | FindingKind::UnknownKind if policy.forwards_unknown => {
                    admission.unknown = true;
                }
                _ => return Err(refused(finding, policy)),
            }
        }
        if dropped.is_empty() && admission.services.tools.is_empty() {
            return Ok(admission);
        }
        let tools: ToolMembers<'_> =
            serde_json::from_slice(body).map_err(|_| MemberRefusal::Unreadable { field: "tools".into() })?;
        admission.bound(&tools, policy);
        admission.take_out(&dropped, &tools, policy)?;
        Ok(admission)
    }

    /// Admits a tool, or another service that is charged by use. It `counts` unless its uses are those of another.
    fn sell(
        &mut self,
        finding: &MemberFinding,
        tool: &'static str,
        policy: AdmissionPolicy<'_>,
        counts: bool,
    ) -> Result<(), MemberRefusal> {
        let Some(price) = policy.prices.tools.get(tool) else { return Err(refused(finding, policy)) };
        let takes_bound = policy.format == Format::Messages && BOUNDED_IN_A.contains(&tool);
        let given = finding.uses_max.filter(|_| takes_bound);
        let uses = if is_charged_once(policy.format, tool) { 1 } else { policy.uses(given) };
        let all = self.services.tools.entry(tool).or_default();
        *all = all.saturating_add(if counts { uses } else { 0 });
        if takes_bound && finding.uses_max.is_none() && *price > PicoUsd::ZERO {
            self.services.bounds.push(ToolUsesBound { place: finding.place.clone(), member: "max_uses", uses });
        }
        Ok(())
    }

    /// Admits a service class.
    fn serve(
        &mut self,
        finding: &MemberFinding,
        value: &str,
        policy: AdmissionPolicy<'_>,
    ) -> Result<(), MemberRefusal> {
        let class = class_key(&finding.name, value).filter(|class| policy.prices.classes.contains_key(class));
        let class = class.ok_or_else(|| refused(finding, policy))?;
        // Parsers differ in which of two they take.
        if self.services.classes.iter().any(|other| class_member(other) == class_member(&class)) {
            return Err(MemberRefusal::Unreadable { field: finding.place.to_string() });
        }
        self.services.classes.push(class);
        Ok(())
    }

    /// Applies format R's single bound to the calls of all tools that the provider runs.
    fn bound(&mut self, tools: &ToolMembers<'_>, policy: AdmissionPolicy<'_>) {
        if policy.format != Format::Responses {
            return;
        }
        let uses = policy.uses(tools.max_tool_calls);
        let called = self.services.tools.iter_mut().filter(|(tool, _)| !is_charged_once(policy.format, tool));
        let mut costs = false;
        for (tool, most) in called {
            *most = uses;
            costs |= policy.prices.tools.get(*tool).is_some_and(|price| *price > PicoUsd::ZERO);
        }
        if costs && tools.max_tool_calls.is_none() {
            self.services.bounds.push(ToolUsesBound { place: MemberPath::default(), member: "max_tool_calls", uses });
        }
    }

    fn take_out(
        &mut self,
        dropped: &[(MemberPath, &MemberFinding)],
        tools: &ToolMembers<'_>,
        policy: AdmissionPolicy<'_>,
    ) -> Result<(), MemberRefusal> {
        let Some((_, first)) = dropped.first() else { return Ok(()) };
        let choice = tools.tool_choice.and_then(|choice| serde_json::from_str::<Value>(choice.get()).ok());
        if let Some(choice) = choice.filter(Value::is_object)
            && let Some((_, forced)) = dropped.iter().find(|(_, finding)| forces(&choice, finding, policy.format))
        {
            return Err(refused(forced, policy));
        }
        self.dropped = dropped.iter().map(|(place, _)| place.clone()).collect();
        self.dropped.dedup();
        if tools.are_gone(&self.dropped) {
            if tools.must_call() {
                return Err(refused(first, policy));
            }
            // Providers refuse these members where there are no tools.
            let said = [("tool_choice", tools.tool_choice), ("parallel_tool_calls", tools.parallel_tool_calls)];
            let said = said.into_iter().filter_map(|(name, value)| value.map(|_| name));
            self.dropped.extend(said.map(|name| MemberPath::default().member(name)));
        }
        Ok(())
    }
}

/// The members of a body that concern its tools.
#[derive(Deserialize)]
struct ToolMembers<'a> {
    #[serde(borrow)]
    tools: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    tool_choice: Option<&'a RawValue>,
    #[serde(borrow)]
    parallel_tool_calls: Option<&'a RawValue>,
    max_tool_calls: Option<u64>,
}

impl ToolMembers<'_> {
    /// True if some tool has to be called.
    fn must_call(&self) -> bool {
        let choice = self.tool_choice.map(RawValue::get).unwrap_or_default();
        ["\"required\"", "\"any\""].iter().any(|word| choice.contains(word))
    }

    /// True if `dropped` has all tools of the body's own list.
    fn are_gone(&self, dropped: &[MemberPath]) -> bool {
        let whole = dropped.iter().filter(|place| place.is_in_own_tools() && place.0.len() == 2).count();
        self.tools.as_ref().is_some_and(|tools| tools.len() == whole)
    }
}

/// True for a list of MCP servers of format A whose tools are requested by toolsets, which are counted instead.
fn is_counted_by_toolsets(finding: &MemberFinding, findings: &[MemberFinding]) -> bool {
    let is_toolset = |other: &MemberFinding| other.asks == finding.asks && other.place.is_tool();
    finding.name == "mcp_servers" && findings.iter().any(is_toolset)
}

/// True if `choice` forces a sold tool, or names it among the allowed ones. It may name its kind, another kind of the
/// same price, or its name.
fn forces(choice: &Value, finding: &MemberFinding, format: Format) -> bool {
    let FindingKind::Sold(price) = finding.asks else { return false };
    let same_price = |word: &str| match body(format).member("tools") {
        Some(MemberClass::Holds(tool)) => matches!(tool.kind(word), Some(MemberClass::Sold(of)) if of == price),
        _ => false,
    };
    // A kind that the client may run too is found by one of its members, and priced by the name of the kind.
    let by_member = |word: &str| !finding.place.is_tool() && word == price;
    let names_it = |word: &str| {
        word == finding.name || finding.tool_name.as_deref() == Some(word) || same_price(word) || by_member(word)
    };
    has_word(choice, &names_it)
}

/// True if `is_it` holds for one of the texts in a value.
fn has_word(value: &Value, is_it: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::String(word) => is_it(word),
        Value::Array(elements) => elements.iter().any(|element| has_word(element, is_it)),
        Value::Object(members) => members.values().any(|member| has_word(member, is_it)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn refused(finding: &MemberFinding, policy: AdmissionPolicy<'_>) -> MemberRefusal {
    let MemberFinding { place, name, asks, .. } = finding;
    let field = place.to_string();
    let line = |class: &str| {
        let name = Value::from(name.as_str());
        format!("`{name} = \"{class}\"` under `[members.{}]`", letter(policy.format))
    };
    match asks {
        FindingKind::UnknownMember => MemberRefusal::Unknown { field, setting: line("free") },
        FindingKind::UnknownKind if place.is_of_tool() => MemberRefusal::Unknown { field, setting: line("client") },
        FindingKind::UnknownKind => MemberRefusal::Unknown { field, setting: line("free") },
        FindingKind::Unreadable | FindingKind::Tokens => MemberRefusal::Unreadable { field },
        FindingKind::TooMuch => MemberRefusal::TooMuch { field },
        FindingKind::Sold(price) => {
            let what = if place.is_of_tool() { format!("tool `{name}`") } else { format!("`{price}`") };
            MemberRefusal::NotOffered { field, what, setting: format!("`price.tools.{price}` of the model") }
        }
        FindingKind::Tier(value) => match class_key(name, value) {
            Some(class) => {
                let table = class.replacen("service_tier: ", "service_tiers.", 1).replacen("speed: ", "speeds.", 1);
                let key = table.replacen("inference_geo: ", "regions.", 1);
                MemberRefusal::NotOffered {
                    field,
                    what: format!("`{class}`"),
                    setting: format!("`price.{key}` of the model"),
                }
            }
            None => MemberRefusal::NotSold { field, value: value.clone() },
        },
        FindingKind::State if policy.format == Format::Messages && field == "thread" => MemberRefusal::Thread,
        FindingKind::State => MemberRefusal::State { field },
        FindingKind::Model => {
            let setting = "`fallback` in the configuration of the model".to_owned();
            MemberRefusal::NotOffered { field, what: "another model".to_owned(), setting }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MemberClasses, scan};
    use super::*;

    fn admission(
        format: Format,
        body: &str,
        drops_tools: bool,
        prices: &ServicePrices,
    ) -> Result<RequestAdmission, MemberRefusal> {
        let findings = scan(format, body.as_bytes(), &MemberClasses::default()).expect("JSON");
        let policy = AdmissionPolicy {
            format,
            drops_tools,
            forwards_unknown: false,
            prices,
            tool_uses_max: 10,
            keeps_bounds: true,
        };
        RequestAdmission::of(&findings, body.as_bytes(), policy)
    }

    fn dropped(body: &str, drops_tools: bool) -> Result<Vec<String>, MemberRefusal> {
        let admission = admission(Format::Responses, body, drops_tools, &ServicePrices::default())?;
        Ok(admission.dropped.iter().map(ToString::to_string).collect())
    }

    fn prices() -> ServicePrices {
        let price = |text| PicoUsd::from_usd(text).expect("a price");
        let tools = [("web_search", price("0.01")), ("code_execution", price("0")), ("moderation", price("0.001"))];
        let classes = [("service_tier: flex", "0.5"), ("speed: fast", "6")];
        ServicePrices {
            tools: tools.map(|(tool, price)| (tool.to_owned(), price)).into(),
            classes: classes.map(|(class, ratio)| (class.to_owned(), ratio.parse().expect("a ratio"))).into(),
        }
    }

    /// A request with a function and a search, or with the search alone.
    fn search(function: bool, choice: &str) -> String {
        let function = if function { r#"{"type":"function","name":"f"},"# } else { "" };
        format!(r#"{{"tools":[{function}{{"type":"web_search"}}],"tool_choice":{choice},"parallel_tool_calls":true}}"#)
    }

    #[test]
    fn a_tool_without_a_price_is_taken_out_unless_it_is_forced() {
        let refused = |field: &str| {
            Err(MemberRefusal::NotOffered {
                field: field.to_owned(),
                what: "tool `web_search`".to_owned(),
                setting: "`price.tools.web_search` of the model".to_owned(),
            })
        };
        for choice in ["null", "\"auto\"", "\"required\"", r#"{"type":"function","name":"f"}"#] {
            assert_eq!(dropped(&search(true, choice), true), Ok(vec!["tools[1]".to_owned()]), "{choice}");
        }
        for forced in [r#"{"type":"web_search"}"#, r#"{"type":"web_search_preview"}"#, r#"{"type":"web\u005fsearch"}"#]
        {
            assert_eq!(dropped(&search(true, forced), true), refused("tools[1]"), "{forced}");
        }
        assert_eq!(dropped(&search(true, "null"), false), refused("tools[1]"));
        let all = ["tools[0]", "tool_choice", "parallel_tool_calls"].map(str::to_owned).to_vec();
        assert_eq!(dropped(&search(false, "\"auto\""), true), Ok(all));
        assert_eq!(dropped(&search(false, "\"required\""), true), refused("tools[0]"));
    }

    #[test]
    fn a_shell_of_the_provider_s_is_taken_out_whole_and_one_of_the_client_s_stays() {
        let body = |place: &str, choice: &str| {
            format!(r#"{{"tools":[{{"environment":{{"type":"{place}"}},"type":"shell"}}],"tool_choice":{choice}}}"#)
        };
        let all = ["tools[0]", "tool_choice"].map(str::to_owned).to_vec();
        assert_eq!(dropped(&body("container_auto", "\"auto\""), true), Ok(all));
        let forced = dropped(&body("container_auto", r#"{"type":"shell"}"#), true);
        assert!(matches!(forced, Err(MemberRefusal::NotOffered { .. })), "{forced:?}");
        assert_eq!(dropped(&body("local", r#"{"type":"shell"}"#), true), Ok(Vec::new()));
    }

    #[test]
    fn servers_that_are_reached_by_toolsets_are_held_for_once() {
        const SERVERS: &str = r#""mcp_servers":[{"type":"url","url":"u","name":"a"}]"#;
        const TOOLSET: &str = r#""tools":[{"type":"mcp_toolset","mcp_server_name":"a"}]"#;
        let prices = ServicePrices { tools: [("mcp".to_owned(), PicoUsd::default())].into(), ..prices() };
        for members in [format!("{SERVERS},{TOOLSET}"), format!("{TOOLSET},{SERVERS}"), SERVERS.to_owned()] {
            let found = admission(Format::Messages, &format!("{{{members}}}"), true, &prices).expect("it passes");
            assert_eq!(found.services.tools, [("mcp", 10)].into(), "{members}");
        }
    }

    #[test]
    fn a_refusal_prints_the_line_that_lets_it_through() {
        let unknown = |field: &str, setting: &str| {
            Err(MemberRefusal::Unknown { field: field.to_owned(), setting: setting.to_owned() })
        };
        assert_eq!(dropped(r#"{"new":{"a":1}}"#, true), unknown("new", r#"`"new" = "free"` under `[members.R]`"#));
        let kind = r#"{"tools":[{"type":"new kind"}]}"#;
        assert_eq!(dropped(kind, true), unknown("tools[0].type", r#"`"new kind" = "client"` under `[members.R]`"#));
    }

    #[test]
    fn what_stands_within_a_tool_that_is_taken_out_goes_with_it() {
        for tool in [
            r#"{"type":"file_search","vector_store_ids":["vs_1"]}"#,
            r#"{"type":"image_generation","model":"x"}"#,
            r#"{"type":"mcp","connector_id":"c"}"#,
            r#"{"type":"shell","environment":{"type":"container_auto","file_ids":["f"]}}"#,
        ] {
            let body = format!(r#"{{"tools":[{{"type":"function","name":"f"}},{tool}]}}"#);
            assert_eq!(dropped(&body, true), Ok(vec!["tools[1]".to_owned()]), "{tool}");
            assert!(dropped(&body, false).is_err(), "{tool}");
        }
        let body =
            r#"{"tools":[{"type":"function","function":{}},{"type":"web_search","web_search":{"enable":true}}]}"#;
        let found = admission(Format::Chat, body, true, &ServicePrices::default()).expect("it passes");
        assert_eq!(found.dropped.iter().map(ToString::to_string).collect::<Vec<_>>(), ["tools[1]"]);
    }

    #[test]
    fn what_is_sold_is_held_for_by_the_bound_of_the_client_or_of_the_model() {
        let tools = |format, body| {
            let RequestAdmission { dropped, services, .. } =
                admission(format, body, true, &prices()).expect("it passes");
            assert!(dropped.is_empty(), "{body}");
            let bounds = services.bounds.iter().map(|bound| format!("{}:{}={}", bound.place, bound.member, bound.uses));
            (services.tools.into_iter().collect::<Vec<_>>(), bounds.collect::<Vec<_>>().join(" "))
        };
        for (format, body, held, bounds) in [
            (
                Format::Messages,
                r#"{"tools":[{"type":"web_search_20250305","name":"web_search","max_uses":3}]}"#,
                vec![("web_search", 3)],
                "",
            ),
            (
                Format::Messages,
                r#"{"tools":[{"type":"web_search_20250305","name":"web_search"},{"type":"code_execution_20250825"}]}"#,
                vec![("code_execution", 10), ("web_search", 10)],
                "tools[0]:max_uses=10",
            ),
            (Format::Responses, r#"{"tools":[{"type":"web_search"}]}"#, vec![("web_search", 10)], ":max_tool_calls=10"),
            (Format::Responses, r#"{"tools":[{"type":"web_search"}],"max_tool_calls":2}"#, vec![("web_search", 2)], ""),
            (
                Format::Responses,
                r#"{"tools":[{"type":"web_search"}],"moderation":{}}"#,
                vec![("moderation", 1), ("web_search", 10)],
                ":max_tool_calls=10",
            ),
            (Format::Chat, r#"{"web_search_options":{}}"#, vec![("web_search", 10)], ""),
            (Format::Generate, r#"{"tools":[{"googleSearch":{}}]}"#, vec![("web_search", 10)], ""),
        ] {
            assert_eq!(tools(format, body), (held, bounds.to_owned()), "{body}");
        }
    }

    #[test]
    fn a_bound_that_nobody_keeps_to_holds_for_no_less_than_ours() {
        const SEARCH: &str = r#"{"tools":[{"type":"web_search_20250305","name":"web_search","max_uses":0}]}"#;
        let prices = prices();
        for (format, body, keeps_bounds, held) in [
            (Format::Messages, SEARCH, true, 0),
            (Format::Messages, SEARCH, false, 10),
            (Format::Messages, r#"{"tools":[{"type":"code_execution_20250825","max_uses":0}]}"#, true, 10),
            (Format::Chat, r#"{"tools":[{"type":"web_search","max_uses":0}]}"#, true, 10),
            (Format::Responses, r#"{"tools":[{"type":"web_search"}],"max_tool_calls":0}"#, false, 10),
        ] {
            let findings = scan(format, body.as_bytes(), &MemberClasses::default()).expect("JSON");
            let policy = AdmissionPolicy {
                format,
                drops_tools: true,
                forwards_unknown: false,
                prices: &prices,
                tool_uses_max: 10,
                keeps_bounds,
            };
            let admission = RequestAdmission::of(&findings, body.as_bytes(), policy).expect("it passes");
            assert_eq!(admission.services.tools.into_values().sum::<u64>(), held, "{body}");
        }
    }

    #[test]
    fn a_class_of_service_passes_where_it_has_a_price() {
        let classes = |format, body: &str| admission(format, body, true, &prices()).map(|found| found.services.classes);
        let flex = Ok(vec!["service_tier: flex".to_owned()]);
        assert_eq!(classes(Format::Chat, r#"{"service_tier":"flex"}"#), flex);
        assert_eq!(classes(Format::Generate, r#"{"serviceTier":"FLEX"}"#), flex);
        assert_eq!(classes(Format::Messages, r#"{"speed":"fast"}"#), Ok(vec!["speed: fast".to_owned()]));
        for twice in
            [r#"{"serviceTier":"flex","serviceTier":"flex"}"#, r#"{"serviceTier":"flex","service_tier":"FLEX"}"#]
        {
            let refused = classes(Format::Generate, twice);
            assert!(matches!(refused, Err(MemberRefusal::Unreadable { .. })), "{twice}: {refused:?}");
        }
        let refused = |field: &str, what: &str, setting: &str| {
            let [field, what, setting] = [field, what, setting].map(str::to_owned);
            Err(MemberRefusal::NotOffered { field, what, setting })
        };
        assert_eq!(
            classes(Format::Chat, r#"{"service_tier":"priority"}"#),
            refused("service_tier", "`service_tier: priority`", "`price.service_tiers.priority` of the model")
        );
        assert_eq!(
            classes(Format::Messages, r#"{"inference_geo":"us"}"#),
            refused("inference_geo", "`inference_geo: us`", "`price.regions.us` of the model")
        );
        assert_eq!(
            classes(Format::Chat, r#"{"prompt_cache_options":{"ttl":"12h"}}"#),
            Err(MemberRefusal::NotSold { field: "prompt_cache_options.ttl".to_owned(), value: "12h".to_owned() })
        );
    }
}
