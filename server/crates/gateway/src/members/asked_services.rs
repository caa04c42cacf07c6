//! Tools and service classes that a request asks for beside tokens: their names, the most uses of a tool, and the bounds that
//! providers are sent.

use std::collections::BTreeMap;

use tollgate_formats::Format;

use super::{FindingKind, MemberFinding, MemberPath};

/// Tools and service classes that a request asks for, all of which have a price.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestedServices {
    /// The service classes by their names: `service_tier: flex`.
    pub classes: Vec<String>,
    /// The most uses of each tool that are held for.
    pub tools: BTreeMap<&'static str, u64>,
    /// Bounds that the provider is sent, because the client gave none.
    pub bounds: Vec<ToolUsesBound>,
}

/// A bound of tool uses that is written into the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolUsesBound {
    /// The object that gets the bound.
    pub place: MemberPath,
    /// The name of the member.
    pub member: &'static str,
    /// The most uses.
    pub uses: u64,
}

impl RequestedServices {
    /// The services left for a provider of another format after the places `dropped` were lost in the conversion.
    #[must_use]
    pub fn converted(&self, dropped: &[String]) -> Self {
        let is_dropped = |member: &str| {
            let is = |place: &String| place == member || (place == "serviceTier" && member == "service_tier");
            dropped.iter().any(is)
        };
        let carried = |class: &&String| !is_dropped(class_member(class));
        let tools = self.tools.iter().filter(|(tool, _)| !is_dropped(tool)).map(|(tool, uses)| (*tool, *uses));
        Self {
            classes: self.classes.iter().filter(carried).cloned().collect(),
            tools: tools.collect(),
            bounds: self.bounds.clone(),
        }
    }

    /// The bounds for these tools in a body that was converted to `format`, as far as the format has bounds.
    #[must_use]
    pub fn bounds_in(&self, format: Format, findings: &[MemberFinding]) -> Vec<ToolUsesBound> {
        let sold = findings.iter().filter_map(|finding| match finding.asks {
            FindingKind::Sold(tool) => Some((finding, tool, *self.tools.get(tool)?)),
            _ => None,
        });
        match format {
            Format::Messages => sold
                .filter(|(finding, tool, _)| BOUNDED_IN_A.contains(tool) && finding.uses_max.is_none())
                .map(|(finding, _, uses)| ToolUsesBound { place: finding.place.clone(), member: "max_uses", uses })
                .collect(),
            Format::Responses => {
                let most = sold.filter(|(_, tool, _)| !is_charged_once(format, tool)).map(|(.., uses)| uses).max();
                let root = |uses| ToolUsesBound { place: MemberPath::default(), member: "max_tool_calls", uses };
                most.map(root).into_iter().collect()
            }
            Format::Chat | Format::Completions | Format::Generate => Vec::new(),
        }
    }
}

/// Tools of format A that accept a bound of their own.
pub(super) const BOUNDED_IN_A: [&str; 2] = ["web_search", "web_fetch"];

/// True if answers do not report the uses of a tool. It is then charged once where it was asked for.
#[must_use]
pub fn is_charged_once(format: Format, tool: &str) -> bool {
    match format {
        Format::Chat | Format::Completions => tool != "web_search",
        Format::Responses => tool == "moderation",
        Format::Generate => tool == "mcp",
        Format::Messages => false,
    }
}

/// The name of a service class in the prices; `None` where no such class has prices.
#[must_use]
pub fn class_key(member: &str, value: &str) -> Option<String> {
    let member = match member {
        "serviceTier" => "service_tier",
        "service_tier" | "speed" | "inference_geo" => member,
        _ => return None,
    };
    Some(format!("{member}: {}", value.to_ascii_lowercase()))
}

/// The member that asks for a service class: `service_tier` of `service_tier: flex`.
#[must_use]
pub fn class_member(class: &str) -> &str {
    class.split_once(':').map_or(class, |(member, _)| member)
}
