//! The prices of a model for long prompts: whole prices of their own, in which nothing that is left out is cheaper than
//! it is for short ones.

use std::sync::Arc;

use tollgate_credit::{PriceTier, Tariff, TokenPrices};
use tollgate_gateway::ProviderKind;

use super::complaint::UnplacedComplaint;
use super::{price, services, tables};

/// The prices of a model, for short prompts and for long. `kinds` are those of its providers.
pub(super) fn tariff(
    model: &str,
    file: &tables::PriceTable,
    kinds: &[ProviderKind],
    found: &mut Vec<UnplacedComplaint>,
) -> Option<Tariff> {
    let at = ["models", model, "price"];
    let base = price::tokens(&at, file, kinds, found);
    let (mut tiers, mut below) = (Some(Vec::new()), 0);
    for (index, tier) in file.tiers.iter().enumerate() {
        let index = index.to_string();
        let at = [&at[..], &["tiers", &index]].concat();
        if tier.above <= below {
            let message = if index == "0" { "must be at least 1" } else { "must be more than in the tier before it" };
            found.push(UnplacedComplaint::new(&[&at[..], &["above"]].concat(), message));
        }
        below = tier.above;
        let price = price::tokens(&at, &tier.as_price(file.version.as_ref()), kinds, found);
        match (price, &base, &mut tiers) {
            (Some(price), Some(base), Some(tiers)) => {
                tiers.push(PriceTier { above: tier.above, price: no_cheaper(price, tier, base) });
            }
            _ => tiers = None,
        }
    }
    let services = Arc::new(services::prices(&at, file, found));
    Some(Tariff { base: base?, tiers: tiers?, services })
}

/// Complains about written prices that cannot be read.
pub(super) fn check(model: &str, file: &tables::PriceTable, found: &mut Vec<UnplacedComplaint>) {
    tariff(model, file, &[], found);
    let tables::PriceTable { image, video_second, video_second_large, .. } = file;
    let units = [
        ("image", "picture", image),
        ("video_second", "second of a video", video_second),
        ("video_second_large", "second of a video", video_second_large),
    ];
    for (key, of, text) in units {
        text.as_ref().and_then(|text| price::unit(&["models", model, "price"], key, of, text, found));
    }
    price::cost(model, file, &[], found);
}

/// The price of a tier, in which parts that it does not write are at least as dear as without the tier.
fn no_cheaper(mut price: TokenPrices, tier: &tables::TierEntry, base: &TokenPrices) -> TokenPrices {
    for (written, price, base) in [
        (&tier.cached, &mut price.cached, base.cached),
        (&tier.cache_write, &mut price.cache_write, base.cache_write),
        (&tier.cache_write_long, &mut price.cache_write_long, base.cache_write_long),
        (&tier.audio_prompt, &mut price.media.audio_prompt, base.media.audio_prompt),
        (&tier.image_prompt, &mut price.media.image_prompt, base.media.image_prompt),
        (&tier.audio_completion, &mut price.media.audio_completion, base.media.audio_completion),
        (&tier.image_completion, &mut price.media.image_completion, base.media.image_completion),
        (&tier.reasoning, &mut price.reasoning, base.reasoning),
        (&tier.per_request, &mut price.request, base.request),
    ] {
        if written.is_none() {
            *price = base.max(*price);
        }
    }
    price
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollgate_formats::Format;

    const KINDS: &[ProviderKind] = &[ProviderKind::Speaks(Format::Chat)];

    fn read(text: &str) -> (Option<Tariff>, Vec<UnplacedComplaint>) {
        let mut found = Vec::new();
        let tariff = tariff("m", &toml::from_str(text).expect("prices"), KINDS, &mut found);
        (tariff, found)
    }

    #[test]
    fn what_a_tier_leaves_out_is_no_cheaper_than_without_it() {
        let (tariff, found) = read(
            r#"prompt = "1"
            completion = "2"
            cached = "0.5"
            cache_write = "9"
            reasoning = "5"
            audio_prompt = "7"
            per_request = "0.002"
            [[tiers]]
            above = 1000
            prompt = "3"
            completion = "4"
            [[tiers]]
            above = 2000
            prompt = "6"
            completion = "8"
            cached = "0.1"
            cache_write = "6"
            reasoning = "1"
            audio_prompt = "2"
            per_request = "0"
            "#,
        );
        let tiers = tariff.expect("a tariff").tiers;
        let shown = tiers.iter().map(|PriceTier { above, price }| {
            let TokenPrices { prompt, cached, cache_write, completion, reasoning, media, request, .. } = price;
            let prices = [prompt, cached, cache_write, completion, reasoning, &media.audio_prompt, &media.image_prompt];
            (*above, prices.map(ToString::to_string).join(" "), request.usd())
        });
        let expected = [(1000, "3 3 9 4 5 7 3", "0.002"), (2000, "6 0.1 6 8 1 2 6", "0")];
        assert!(
            shown.eq(expected.map(|(above, prices, each)| (above, prices.to_owned(), each.to_owned()))),
            "{tiers:?}"
        );
        assert!(found.is_empty());
    }

    #[test]
    fn tiers_rise_and_every_mistake_in_them_is_told() {
        let tier = |above: i64, more: &str| {
            format!("[[tiers]]\nabove = {above}\nprompt = \"3\"\ncompletion = \"4\"\n{more}\n")
        };
        let base = "prompt = \"1\"\ncompletion = \"2\"\n";
        for (tiers, mistakes) in [
            ([tier(1, ""), tier(2, "")], 0),
            ([tier(2, ""), tier(2, "")], 1),
            ([tier(0, ""), tier(1, "")], 1),
            ([tier(1, "cached = \"x\""), tier(2, "per_request = \"-1\"\nreasoning = \"0.0000001\"")], 3),
        ] {
            let (tariff, found) = read(&[base, &tiers.concat()].concat());
            assert_eq!(found.len(), mistakes, "{tiers:?}");
            assert!(tariff.is_some() || mistakes > 1, "{tiers:?}");
        }
    }
}
