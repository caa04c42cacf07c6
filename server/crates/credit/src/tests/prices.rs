//! Usage and its price.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::{ServicePrices, ToolUseCharge, UsageCharge};
use tollgate_base::MoneyError;

fn usage(prompt: u64, cached: u64, completion: u64, reasoning: u64) -> BilledUsage {
    BilledUsage { prompt, cached, completion, reasoning, ..BilledUsage::default() }
}

#[test]
fn cached_tokens_are_part_of_the_prompt_and_reasoning_is_part_of_the_answer() {
    // 1000 at 0.15, 200 at 0.075 and 400 at 0.6 USD a million.
    assert_eq!(price().charge(&usage(1_200, 200, 400, 100), &[]), Ok(usd("0.000405")));
    assert_eq!(price().charge(&usage(0, 0, 0, 0), &[]), Ok(Usd::ZERO));
    assert_eq!(price().charge(&usage(1, 1, 0, 0), &[]), Ok(usd("0.000000075")));
}

#[test]
fn written_tokens_are_parts_of_the_prompt_with_prices_of_their_own() {
    // 400 at 0.15, 200 at 0.075, 300 at 0.1875, 100 at 0.3 and 10 at 0.6 USD a million.
    let used = BilledUsage { cache_write: 300, cache_write_long: 100, ..usage(1_000, 200, 10, 0) };
    assert_eq!(price().charge(&used, &[]), Ok(usd("0.00016725")));
    // 1 at 0.1875 and 1 at 0.3: half a nano-USD once, not twice.
    let used = BilledUsage { cache_write: 1, cache_write_long: 1, ..usage(2, 0, 0, 0) };
    assert_eq!(price().charge(&used, &[]), Ok(usd("0.000000488")));
}

#[test]
fn sound_and_pictures_are_parts_with_prices_of_their_own() {
    // 700 at 0.15, 100 at 1, 200 at 0.5; 10 at 0.6, 20 at 2, 30 at 4 USD a million.
    let media = MediaTokens { audio_prompt: 100, image_prompt: 200, audio_completion: 20, image_completion: 30 };
    let used = BilledUsage { media, ..usage(1_000, 0, 60, 5) };
    assert_eq!(price().charge(&used, &[]), Ok(usd("0.000471")));
    for media in [
        MediaTokens { audio_prompt: 6, image_prompt: 5, ..MediaTokens::default() },
        MediaTokens { audio_completion: 6, image_completion: 5, ..MediaTokens::default() },
        MediaTokens { audio_prompt: u64::MAX, image_prompt: u64::MAX, ..MediaTokens::default() },
    ] {
        assert_eq!(
            price().charge(&BilledUsage { media, ..usage(10, 0, 10, 0) }, &[]),
            Err(PriceError::Absurd),
            "{media:?}"
        );
    }
}

#[test]
fn reasoning_is_the_text_of_the_answer_at_a_price_of_its_own() {
    let thinks = TokenPrices { reasoning: PicoUsd::new(3_000_000).unwrap(), ..price() };
    // 300 at 0.6 and 100 at 3 USD a million.
    assert_eq!(thinks.charge(&usage(0, 0, 400, 100), &[]), Ok(usd("0.00048")));
    assert_eq!(price().charge(&usage(0, 0, 400, 100), &[]), Ok(usd("0.00024")));
    // What was thought in sound is sound: 30 at 2, and 10 at 3 USD a million.
    let media = MediaTokens { audio_completion: 30, ..MediaTokens::default() };
    assert_eq!(thinks.charge(&BilledUsage { media, ..usage(0, 0, 40, 25) }, &[]), Ok(usd("0.00009")));
    // All of an answer may be thought.
    assert_eq!(thinks.ceiling(MediaKinds::default()).worst_case(0, 1_000), Ok(usd("0.003")));
    let cheap = TokenPrices { reasoning: PicoUsd::ZERO, ..price() };
    assert_eq!(cheap.ceiling(MediaKinds::default()).worst_case(0, 1_000), Ok(usd("0.0006")));
}

#[test]
fn a_request_is_charged_once_beside_its_tokens() {
    let each = TokenPrices { request: PicoUsd::from_usd("0.002").unwrap(), ..price() };
    assert_eq!(each.charge(&usage(1_000, 0, 0, 0), &[]), Ok(usd("0.00215")));
    assert_eq!(each.charge(&usage(0, 0, 0, 0), &[]), Ok(usd("0.002")));
    assert_eq!(each.ceiling(MediaKinds::default()).worst_case(1_000, 1_000), Ok(usd("0.0029")));
    assert_eq!(each.ceiling(MediaKinds::default()).output_bought(usd("0.0019"), 0), 0);
    assert_eq!(each.ceiling(MediaKinds::default()).output_bought(usd("0.0026"), 0), 1_000);
    // With a price for each unit of output it is once for all of them.
    let pictures = each.per_unit(PicoUsd::from_usd("0.04").unwrap());
    assert_eq!(pictures.charge(&usage(0, 0, 3, 0), &[]), Ok(usd("0.122")));
}

#[test]
fn a_ratio_is_taken_of_the_whole_sum() {
    let half = TokenPrices { request: PicoUsd::new(1).unwrap(), ratio: "0.5".parse().unwrap(), ..price() };
    // Half of 150,001 pico-USD, and half of 1: each started nano-USD whole, once.
    assert_eq!(half.charge(&usage(1, 0, 0, 0), &[]), Ok(usd("0.000000076")));
    assert_eq!(half.charge(&usage(0, 0, 0, 0), &[]), Ok(usd("0.000000001")));
    assert_eq!(half.ceiling(MediaKinds::default()).worst_case(1_000_000, 0), Ok(usd("0.150000001")));
}

/// Twice the prices above 1,000 tokens; above 5,000 the prompt is dearer still and the rest is cheap.
fn tariff() -> Tariff {
    let times = |price: PicoUsd, factor| PicoUsd::new(price.picos() * factor).unwrap();
    let prices = |prompt, completion| TokenPrices {
        prompt: times(price().prompt, prompt),
        cached: times(price().cached, prompt),
        completion: times(price().completion, completion),
        reasoning: times(price().reasoning, completion),
        ..price()
    };
    let tiers = vec![PriceTier { above: 1_000, price: prices(2, 2) }, PriceTier { above: 5_000, price: prices(3, 1) }];
    Tariff { base: price(), tiers, services: Arc::default() }
}

#[test]
fn the_whole_request_is_charged_by_the_tier_of_its_whole_prompt() {
    for (prompt, cached, completion, above, cost) in [
        (0, 0, 100, None, "0.00006"),
        (1_000, 0, 100, None, "0.00021"),
        (1_001, 0, 100, Some(1_000), "0.0004203"),
        // What came from a cache is a part of the prompt.
        (1_001, 1_001, 0, Some(1_000), "0.00015015"),
        (5_000, 0, 100, Some(1_000), "0.00162"),
        (5_001, 0, 100, Some(5_000), "0.00231045"),
    ] {
        let tariff = tariff();
        let UsageCharge { cost: charged, tier, .. } =
            tariff.charge(&usage(prompt, cached, completion, 0), &[], Vec::new()).unwrap();
        assert_eq!((charged, tier.map(|tier| tier.above)), (usd(cost), above), "{prompt}");
    }
}

/// With a class of service that costs half, two that cost more, and two tools.
fn with_services() -> Tariff {
    let classes = [("speed: fast", "1.5"), ("service_tier: flex", "0.5"), ("service_tier: priority", "2")];
    let classes = classes.map(|(class, ratio)| (class.to_owned(), ratio.parse().unwrap())).into();
    let tools = [("web_search", "0.01"), ("web_fetch", "0")];
    let tools = tools.map(|(tool, price)| (tool.to_owned(), PicoUsd::from_usd(price).unwrap())).into();
    Tariff { services: Arc::new(ServicePrices { tools, classes }), ..tariff() }
}

fn uses(uses: &[(&str, u64)]) -> Vec<ToolUseCharge> {
    let prices = with_services().services.tools.clone();
    uses.iter()
        .map(|(tool, uses)| ToolUseCharge { tool: (*tool).to_owned(), uses: *uses, price: prices[*tool] })
        .collect()
}

#[test]
fn classes_multiply_the_prices_of_tokens_and_uses_of_tools_are_added() {
    let flex = "service_tier: flex";
    let (priority, fast) = ("service_tier: priority", "speed: fast");
    for (classes, tools, ratio, cost) in [
        (&[][..], &[][..], "1", "0.00021"),
        (&[flex], &[], "1", "0.000105"),
        (&[priority], &[], "1", "0.00042"),
        (&[priority, fast], &[], "1", "0.00063"),
        (&[], &[("web_search", 3), ("web_fetch", 9)], "1", "0.03021"),
        // Tools cost the same in every class, and a group pays its part of both.
        (&[flex], &[("web_search", 1)], "1", "0.010105"),
        (&[flex], &[("web_search", 1)], "0.5", "0.0050525"),
    ] {
        let tariff = with_services().at(ratio.parse().unwrap());
        let classes: Vec<String> = classes.iter().map(|class| (*class).to_owned()).collect();
        let charge = tariff.charge(&usage(1_000, 0, 100, 0), &classes, uses(tools)).unwrap();
        assert_eq!(charge.cost, usd(cost), "{classes:?} {tools:?}");
        assert_eq!(charge.services.class.map(|class| class.name), (!classes.is_empty()).then(|| classes.join(", ")));
    }
}

#[test]
fn a_price_that_is_multiplied_is_rounded_up() {
    let odd = TokenPrices { prompt: PicoUsd::new(3).unwrap(), ..price() };
    assert_eq!(odd.times("0.5".parse().unwrap()).unwrap().prompt.picos(), 2);
    assert_eq!(odd.times("0.000001".parse().unwrap()).unwrap().prompt.picos(), 1);
    let huge = TokenPrices { prompt: PicoUsd::new(i64::MAX).unwrap(), ..price() };
    assert_eq!(huge.times("1.1".parse().unwrap()), Err(MoneyError::TooLarge));
}

proptest! {
    #[test]
    fn no_class_and_no_tool_within_its_bounds_costs_more_than_is_held(
        prompt in 0..10_000_u64, completion in 0..10_000_u64, ratio in 1..3_000_000_i64,
        asked in 0..4_usize, answered in 0..2_usize, searches in 0..6_u64,
    ) {
        let tariff = with_services().at(PriceRatio::from_millionths(ratio).unwrap());
        let names: Vec<String> = tariff.services.classes.keys().cloned().collect();
        let asked: Vec<String> = names.get(asked).cloned().into_iter().collect();
        // The provider answers in the class that was asked for, or in the base one.
        let told = if answered == 0 { Vec::new() } else { asked.clone() };
        let ceiling = tariff.ceiling(prompt, MediaKinds::default(), &asked).unwrap();
        let ceiling = ceiling.with_tool(5, tariff.services.tools["web_search"]).unwrap();
        let charge = tariff.charge(&usage(prompt, 0, completion, 0), &told, uses(&[("web_search", searches.min(5))]));
        prop_assert!(charge.unwrap().cost <= ceiling.worst_case(prompt, completion).unwrap());
    }
}

#[test]
fn the_dearest_prices_within_reach_are_held_for() {
    // A million tokens of output beside the prompt, whose dearest token is one that is written to a cache for an hour until
    // those of the tiers are dearer: 0.3, 0.3, and 0.45 USD a million.
    for (bound, most) in [(1_000, "0.6003"), (1_001, "1.2003003"), (5_000, "1.2015"), (5_001, "1.20225045")] {
        let ceiling = tariff().ceiling(bound, MediaKinds::default(), &[]).unwrap();
        assert_eq!(ceiling.worst_case(bound, 1_000_000), Ok(usd(most)), "{bound}");
    }
}

proptest! {
    #[test]
    fn no_usage_within_its_bounds_costs_more_than_the_worst_case_of_its_tiers(
        prompt in 0..10_000_u64, bound in 0..10_000_u64, completion in 0..10_000_u64, ratio in 1..3_000_000_i64,
    ) {
        let tariff = tariff().at(PriceRatio::from_millionths(ratio).unwrap());
        let prompt = prompt.min(bound);
        let UsageCharge { cost: charged, tier, .. } =
            tariff.charge(&usage(prompt, 0, completion, 0), &[], Vec::new()).unwrap();
        prop_assert!(tier.is_none_or(|tier| tier.price.ratio.millionths() == ratio));
        prop_assert!(charged <= tariff.ceiling(bound, MediaKinds::default(), &[]).unwrap().worst_case(bound, completion).unwrap());
    }
}

#[test]
fn what_may_come_along_is_bounded_at_its_price() {
    for (prompt, audio, image, expected) in [
        (false, false, false, "0.0009"),
        (true, false, false, "0.0016"),
        (false, true, false, "0.0023"),
        (true, true, true, "0.005"),
    ] {
        let kinds = MediaKinds { prompt, audio, image };
        assert_eq!(price().ceiling(kinds).worst_case(1_000, 1_000), Ok(usd(expected)), "{kinds:?}");
    }
}

#[test]
fn a_started_nano_is_charged_whole_and_once() {
    let cheap = TokenPrices { prompt: PicoUsd::new(1).unwrap(), ..price() };
    assert_eq!(cheap.charge(&usage(1, 0, 0, 0), &[]), Ok(usd("0.000000001")));
    assert_eq!(cheap.charge(&usage(1_000, 0, 0, 0), &[]), Ok(usd("0.000000001")));
    assert_eq!(cheap.charge(&usage(1_001, 0, 0, 0), &[]), Ok(usd("0.000000002")));
}

#[test]
fn usage_that_contradicts_itself_has_no_price() {
    for absurd in [usage(1, 2, 0, 0), usage(0, 0, 1, 2), usage(1 << 53, 0, 0, 0), usage(0, 0, u64::MAX, 0)] {
        assert_eq!(price().charge(&absurd, &[]), Err(PriceError::Absurd), "{absurd:?}");
    }
    for (cache_write, cache_write_long) in [(9, 0), (0, 9), (5, 4), (u64::MAX, u64::MAX)] {
        let absurd = BilledUsage { cache_write, cache_write_long, ..usage(10, 2, 0, 0) };
        assert_eq!(price().charge(&absurd, &[]), Err(PriceError::Absurd), "{absurd:?}");
    }
}

#[test]
fn prices_have_a_number_by_what_the_ledger_says_of_them() {
    let picos = |picos| PicoUsd::new(picos).unwrap();
    let media = price().media;
    // Each differs from all others in one thing.
    let others = [
        price(),
        TokenPrices { version: "2026-12".to_owned(), ..price() },
        TokenPrices { prompt: picos(1), ..price() },
        TokenPrices { cached: picos(1), ..price() },
        TokenPrices { cache_write: picos(1), ..price() },
        TokenPrices { cache_write_long: picos(1), ..price() },
        TokenPrices { completion: picos(1), ..price() },
        TokenPrices { reasoning: picos(1), ..price() },
        TokenPrices { request: picos(1), ..price() },
        TokenPrices { media: MediaTokens { audio_prompt: picos(1), ..media }, ..price() },
        TokenPrices { media: MediaTokens { image_prompt: picos(1), ..media }, ..price() },
        TokenPrices { media: MediaTokens { audio_completion: picos(1), ..media }, ..price() },
        TokenPrices { media: MediaTokens { image_completion: picos(1), ..media }, ..price() },
    ];
    let numbers: BTreeSet<i64> = others.iter().map(TokenPrices::id).collect();
    assert!(numbers.len() == others.len() && numbers.iter().all(|number| *number > 0), "{numbers:?}");
    // What an account pays of them is said elsewhere.
    assert_eq!(TokenPrices { ratio: "0.5".parse().unwrap(), ..price() }.id(), price().id());
}

#[test]
fn rules_read_back_from_their_text() {
    for rule in SettlementRule::ALL {
        assert_eq!(rule.as_str().parse().ok(), Some(*rule));
    }
    assert!("free".parse::<SettlementRule>().is_err());
}

proptest! {
    #[test]
    fn what_is_bought_is_the_most_that_fits(
        nanos in 0..1_000_000_000_000_i64, prompt in 0..1_000_000_u64,
        [fresh, cached, write, long] in [0..10_000_000_i64, 0..10_000_000, 0..10_000_000, 0..10_000_000],
        [completion, reasoning, request] in [1..100_000_000_i64, 0..100_000_000, 0..1_000_000_000],
        ratio in 1..3_000_000_i64,
    ) {
        let picos = |picos| PicoUsd::new(picos).unwrap();
        let price = TokenPrices {
            prompt: picos(fresh), cached: picos(cached), cache_write: picos(write), cache_write_long: picos(long),
            completion: picos(completion), media: MediaTokens::default(), reasoning: picos(reasoning),
            request: picos(request), ratio: PriceRatio::from_millionths(ratio).unwrap(), version: String::new(),
        };
        let amount = Usd::from_nanos(nanos);
        let ceiling = price.ceiling(MediaKinds::default());
        let bought = ceiling.output_bought(amount, prompt);
        let cost = |output| ceiling.worst_case(prompt, output).unwrap();
        prop_assert!(bought == 0 || cost(bought) <= amount);
        prop_assert!(cost(bought + 1) > amount);
    }

    #[test]
    fn no_usage_within_its_bounds_costs_more_than_the_worst_case(
        parts in [0..100_000_u64, 0..100_000, 0..100_000, 0..100_000], completion in 0..100_000_u64,
        picos in [0..300_000_i64, 0..300_000, 0..300_000, 0..300_000],
    ) {
        let [prompt, cached, cache_write, cache_write_long] = picos.map(|picos| PicoUsd::new(picos).unwrap());
        let price = TokenPrices { prompt, cached, cache_write, cache_write_long, ..price() };
        let used = BilledUsage {
            cache_write: parts[2], cache_write_long: parts[3], ..usage(parts.iter().sum(), parts[1], completion, 0)
        };
        let charged = price.charge(&used, &[]).unwrap();
        prop_assert!(charged <= price.ceiling(MediaKinds::default()).worst_case(used.prompt, completion).unwrap());
        // Each part at its own price, added up apart from the code above.
        let exact: i64 = parts.iter().zip(picos).map(|(tokens, picos)| i64::try_from(*tokens).unwrap() * picos).sum();
        let exact = exact + i64::try_from(completion).unwrap() * 600_000;
        prop_assert_eq!(charged.nanos(), (exact + 999) / 1000);
    }
}

#[test]
fn free_output_is_bought_without_end_and_a_prompt_that_is_too_dear_buys_none() {
    let free = TokenPrices { completion: PicoUsd::ZERO, reasoning: PicoUsd::ZERO, ..price() };
    assert_eq!(free.ceiling(MediaKinds::default()).output_bought(usd("1"), 10), u64::MAX);
    assert_eq!(free.ceiling(MediaKinds::default()).output_bought(usd("0.000001"), 10_000), 0);
    assert_eq!(price().ceiling(MediaKinds::default()).output_bought(usd("-1"), 0), 0);
    assert_eq!(price().ceiling(MediaKinds::default()).output_bought(Usd::MAX, u64::MAX), 0);
}
