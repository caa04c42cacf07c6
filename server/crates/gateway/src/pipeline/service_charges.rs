//! Tools and service classes that an answer used beside tokens, compared with the request and the prices.

use crate::members::{RequestedServices, class_member, is_charged_once};
use crate::metering::ReportedServices;
use tollgate_credit::{ServicePrices, ToolUseCharge};
use tollgate_formats::Format;

/// Tools and service classes that are charged beside tokens at their usual prices.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChargedServices {
    /// Classes of service, each with a price.
    pub classes: Vec<String>,
    /// Uses of tools at their prices.
    pub uses: Vec<ToolUseCharge>,
    /// Services that were used and have no price, as text.
    pub unpriced: Vec<String>,
}

/// Compares the services that an answer reports with those requested. A service that the answer does not mention counts
/// as requested.
#[must_use]
pub fn charged(told: ReportedServices, asked: &RequestedServices, prices: &ServicePrices) -> ChargedServices {
    let ReportedServices { format, classes, mut uses, unpriced } = told;
    let mut charged = ChargedServices { unpriced, ..ChargedServices::default() };
    let assumed = asked.classes.iter().filter(|class| !classes.contains_key(class_member(class))).cloned();
    let answered = classes.iter().filter_map(|(member, class)| Some(format!("{member}: {}", class.as_ref()?)));
    for class in answered.chain(assumed) {
        match prices.classes.contains_key(&class) {
            true => charged.classes.push(class),
            false => charged.unpriced.push(class),
        }
    }
    charged.classes.sort_unstable();
    for tool in asked.tools.keys().filter(|tool| format.is_some_and(|format| is_assumed(format, tool))) {
        uses.entry((*tool).to_owned()).or_insert(1);
    }
    for (tool, uses) in uses.into_iter().filter(|(_, uses)| *uses > 0) {
        match prices.tools.get(&tool) {
            Some(price) => charged.uses.push(ToolUseCharge { tool, uses, price: *price }),
            None => charged.unpriced.push(format!("{tool}: {uses}")),
        }
    }
    charged
}

/// True if a requested tool is charged once where the answer does not mention it.
fn is_assumed(format: Format, tool: &str) -> bool {
    // Some providers of format O search and do not say so.
    let searches = matches!(format, Format::Chat | Format::Completions) && tool == "web_search";
    searches || is_charged_once(format, tool)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollgate_base::PicoUsd;

    fn prices() -> ServicePrices {
        let tools = [("web_search", "0.01"), ("moderation", "0.001")];
        let tools = tools.map(|(tool, price)| (tool.to_owned(), PicoUsd::from_usd(price).expect("a price")));
        let classes = [("service_tier: flex", "0.5"), ("service_tier: priority", "2"), ("speed: fast", "6")];
        let classes = classes.map(|(class, ratio)| (class.to_owned(), ratio.parse().expect("a ratio")));
        ServicePrices { tools: tools.into(), classes: classes.into() }
    }

    fn check(
        told: ReportedServices,
        asked: (&[&str], &[&'static str]),
        classes: &[&str],
        uses: &str,
        unpriced: &[&str],
    ) {
        let asked = RequestedServices {
            classes: asked.0.iter().map(|class| (*class).to_owned()).collect(),
            tools: asked.1.iter().map(|tool| (*tool, 5)).collect(),
            bounds: Vec::new(),
        };
        let found = charged(told, &asked, &prices());
        let lines = found.uses.iter().map(|line| format!("{} {} {}", line.tool, line.uses, line.price.usd()));
        assert_eq!(found.classes, classes);
        assert_eq!(lines.collect::<Vec<_>>().join(", "), uses);
        assert_eq!(found.unpriced, unpriced);
    }

    fn told(class: Option<Option<&str>>, uses: &[(&str, u64)]) -> ReportedServices {
        ReportedServices {
            format: Some(Format::Chat),
            classes: class.map(|class| ("service_tier", class.map(str::to_owned))).into_iter().collect(),
            uses: uses.iter().map(|(tool, uses)| ((*tool).to_owned(), *uses)).collect(),
            unpriced: Vec::new(),
        }
    }

    #[test]
    fn the_class_that_the_answer_tells_counts_and_else_the_one_that_was_asked_for() {
        let flex: (&[&str], &[&str]) = (&["service_tier: flex"], &[]);
        check(told(None, &[]), flex, &["service_tier: flex"], "", &[]);
        check(told(Some(None), &[]), flex, &[], "", &[]);
        check(told(Some(Some("priority")), &[]), flex, &["service_tier: priority"], "", &[]);
        check(told(Some(Some("ultra")), &[]), (&[], &[]), &[], "", &["service_tier: ultra"]);
        let both = (&["service_tier: flex", "speed: fast"][..], &[][..]);
        check(told(Some(None), &[]), both, &["speed: fast"], "", &[]);
    }

    #[test]
    fn uses_are_charged_at_their_prices_and_what_has_none_rings() {
        check(
            told(None, &[("web_search", 3), ("web_fetch", 2)]),
            (&[], &[]),
            &[],
            "web_search 3 0.01",
            &["web_fetch: 2"],
        );
        // An answer of format O that says nothing of a moderation had one.
        let both = "moderation 1 0.001, web_search 1 0.01";
        check(told(None, &[]), (&[], &["moderation", "web_search"]), &[], both, &[]);
        check(told(None, &[("web_search", 0)]), (&[], &["web_search"]), &[], "", &[]);
        check(told(None, &[("moderation", 0)]), (&[], &["moderation"]), &[], "", &[]);
    }
}
