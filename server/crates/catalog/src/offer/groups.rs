//! Groups of accounts, what each pays of all prices, and the bounds of its accounts.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use tollgate_api::GroupBounds;
use tollgate_base::{AccountGroup, PriceRatio};

use super::complaint::UnplacedComplaint;
use super::tables::{self, Offer};

/// The largest bound of model requests, as in the spec.
const BOUND_MAX: u32 = 1_000_000_000;

/// The ratio of each group. `default` pays the prices as they are where it is not written; no other group is known that is
/// not.
pub(super) fn ratios(
    file: &IndexMap<String, tables::GroupTable>,
    found: &mut Vec<UnplacedComplaint>,
) -> BTreeMap<AccountGroup, PriceRatio> {
    let mut ratios = BTreeMap::from([(AccountGroup::DEFAULT, PriceRatio::ONE)]);
    for (name, written) in file {
        let group = name.parse::<AccountGroup>();
        if let Err(error) = &group {
            found.push(UnplacedComplaint::new(&["groups", name], error.to_string()));
        }
        let ratio = written.ratio.parse::<PriceRatio>();
        if let Err(error) = &ratio {
            found.push(UnplacedComplaint::new(&["groups", name, "ratio"], error.to_string()));
        }
        let bounds =
            [("requests_per_minute", written.requests_per_minute), ("requests_in_flight", written.requests_in_flight)];
        for (key, bound) in bounds {
            if bound.is_some_and(|bound| !(1..=BOUND_MAX).contains(&bound)) {
                let message = format!("it must be from 1 to {BOUND_MAX}; leave it out for no bound");
                found.push(UnplacedComplaint::new(&["groups", name, key], message));
            }
        }
        if let (Ok(group), Ok(ratio)) = (group, ratio) {
            ratios.insert(group, ratio);
        }
    }
    ratios
}

impl Offer {
    /// The bounds of the accounts of each group.
    pub(crate) fn group_bounds(&self) -> BTreeMap<AccountGroup, GroupBounds> {
        let bounds = |(name, written): (&String, &tables::GroupTable)| {
            let &tables::GroupTable { requests_per_minute, requests_in_flight: in_flight, .. } = written;
            Some((name.parse().ok()?, GroupBounds { in_flight, requests_per_minute }))
        };
        self.groups.iter().filter_map(bounds).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_written_for_each_group_but_the_usual_one() {
        let read = |text: &str| {
            let mut found = Vec::new();
            let ratios = ratios(&toml::from_str(text).expect("groups"), &mut found);
            let shown: Vec<_> = ratios.iter().map(|(group, ratio)| format!("{group} {ratio}")).collect();
            (shown.join(", "), found.len())
        };
        for (text, ratios, mistakes) in [
            ("", "default 1", 0),
            ("gold = { ratio = \"0.85\" }", "default 1, gold 0.85", 0),
            ("default = { ratio = \"1.2\" }\n[gold]\nratio = \"1.000001\"", "default 1.2, gold 1.000001", 0),
            ("free = { ratio = \"0\" }", "default 1", 1),
            ("\"No Name\" = { ratio = \"x\" }", "default 1", 2),
            (
                "slow = { ratio = \"1\", requests_per_minute = 1, requests_in_flight = 1000000000 }",
                "default 1, slow 1",
                0,
            ),
            (
                "none = { ratio = \"1\", requests_per_minute = 0, requests_in_flight = 1000000001 }",
                "default 1, none 1",
                2,
            ),
        ] {
            assert_eq!(read(text), (ratios.to_owned(), mistakes), "{text}");
        }
    }
}
