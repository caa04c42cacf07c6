//! Prices beside tokens: uses of tools, and classes of service.

use indexmap::IndexMap;

use tollgate_base::PicoUsd;
use tollgate_credit::ServicePrices;
use tollgate_gateway::{class_key, is_sold};

use super::complaint::UnplacedComplaint;
use super::tables;

/// The prices that stand `at` this place.
pub(super) fn prices(at: &[&str], file: &tables::PriceTable, found: &mut Vec<UnplacedComplaint>) -> ServicePrices {
    let mut prices = ServicePrices::default();
    for (tool, text) in &file.tools {
        let mut tell = |message: String| found.push(UnplacedComplaint::new(&[at, &["tools", tool]].concat(), message));
        if !is_sold(tool) {
            tell("no tool that a provider runs has this name; the reference of requests lists what is sold".to_owned());
            continue;
        }
        match PicoUsd::from_usd(text) {
            Ok(price) => drop(prices.tools.insert(tool.clone(), price)),
            Err(error) => tell(format!("{error}: write USD for each use, as in \"0.01\"; \"0\" is free")),
        }
    }
    let classes = [
        ("service_tiers", "service_tier", &file.service_tiers),
        ("speeds", "speed", &file.speeds),
        ("regions", "inference_geo", &file.regions),
    ];
    for (table, member, values) in classes {
        multipliers(&[at, &[table]].concat(), member, values, &mut prices, found);
    }
    prices
}

fn multipliers(
    at: &[&str],
    member: &str,
    values: &IndexMap<String, String>,
    prices: &mut ServicePrices,
    found: &mut Vec<UnplacedComplaint>,
) {
    for (value, text) in values {
        match (class_key(member, value), text.parse()) {
            (Some(class), Ok(ratio)) => drop(prices.classes.insert(class, ratio)),
            (_, Err(error)) => found.push(UnplacedComplaint::new(&[at, &[value]].concat(), format!("{error}"))),
            (None, Ok(_)) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (ServicePrices, Vec<UnplacedComplaint>) {
        let file: tables::PriceTable =
            toml::from_str(&format!("prompt = \"1\"\ncompletion = \"2\"\n{text}")).expect("prices");
        let mut found = Vec::new();
        let prices = prices(&["m"], &file, &mut found);
        (prices, found)
    }

    #[test]
    fn tools_cost_by_use_and_classes_multiply() {
        let (prices, found) = read(
            "tools = { web_search = \"0.01\", mcp = \"0\" }\nservice_tiers = { flex = \"0.5\" }\nspeeds = { fast = \"6\" }\nregions = { us = \"1.1\" }",
        );
        assert!(found.is_empty());
        let tools: Vec<_> = prices.tools.iter().map(|(tool, price)| format!("{tool} {}", price.usd())).collect();
        assert_eq!(tools, ["mcp 0", "web_search 0.01"]);
        let classes: Vec<_> = prices.classes.iter().map(|(class, ratio)| format!("{class} {ratio}")).collect();
        assert_eq!(classes, ["inference_geo: us 1.1", "service_tier: flex 0.5", "speed: fast 6"]);
    }

    #[test]
    fn what_is_no_tool_and_no_price_is_told() {
        for (text, count) in [
            ("tools = { web_search = \"-1\" }", 1),
            ("tools = { search = \"1\", web_fetch = \"x\" }", 2),
            ("service_tiers = { flex = \"0\" }\nspeeds = { fast = \"fast\" }", 2),
        ] {
            let (_, found) = read(text);
            assert_eq!(found.len(), count, "{text}");
        }
    }
}
