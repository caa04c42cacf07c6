//! Usage and its price.

use proptest::prelude::*;

use super::*;

fn usage(prompt: u64, cached: u64, completion: u64, reasoning: u64) -> Usage {
    Usage { prompt, cached, completion, reasoning, estimated: false }
}

#[test]
fn cached_tokens_are_part_of_the_prompt_and_reasoning_is_part_of_the_answer() {
    // 1000 at 0.15, 200 at 0.075 and 400 at 0.6 USD a million.
    assert_eq!(price().charge(&usage(1_200, 200, 400, 100)), Ok(usd("0.000405")));
    assert_eq!(price().charge(&usage(0, 0, 0, 0)), Ok(Usd::ZERO));
    assert_eq!(price().charge(&usage(1, 1, 0, 0)), Ok(usd("0.000000075")));
}

#[test]
fn a_started_nano_is_charged_whole_and_once() {
    let cheap = Price { prompt: PicoUsd::new(1).unwrap(), ..price() };
    assert_eq!(cheap.charge(&usage(1, 0, 0, 0)), Ok(usd("0.000000001")));
    assert_eq!(cheap.charge(&usage(1_000, 0, 0, 0)), Ok(usd("0.000000001")));
    assert_eq!(cheap.charge(&usage(1_001, 0, 0, 0)), Ok(usd("0.000000002")));
}

#[test]
fn usage_that_contradicts_itself_has_no_price() {
    for absurd in [usage(1, 2, 0, 0), usage(0, 0, 1, 2), usage(1 << 53, 0, 0, 0), usage(0, 0, u64::MAX, 0)] {
        assert_eq!(price().charge(&absurd), Err(PriceError::Absurd), "{absurd:?}");
    }
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
        fresh in 0..10_000_000_i64, cached in 0..10_000_000_i64, completion in 1..100_000_000_i64,
    ) {
        let picos = |picos| PicoUsd::new(picos).unwrap();
        let price = Price { prompt: picos(fresh), cached: picos(cached), completion: picos(completion), version: String::new() };
        let amount = Usd::from_nanos(nanos);
        let bought = price.output_bought(amount, prompt);
        let cost = |output| price.worst_case(prompt, output).unwrap();
        prop_assert!(bought == 0 || cost(bought) <= amount);
        prop_assert!(cost(bought + 1) > amount);
    }

    #[test]
    fn no_usage_within_its_bounds_costs_more_than_the_worst_case(
        prompt in 0..100_000_u64, cached in 0..100_000_u64, completion in 0..100_000_u64, cached_picos in 0..300_000_i64,
    ) {
        let price = Price { cached: PicoUsd::new(cached_picos).unwrap(), ..price() };
        let used = usage(prompt, cached.min(prompt), completion, 0);
        prop_assert!(price.charge(&used).unwrap() <= price.worst_case(prompt, completion).unwrap());
    }
}

#[test]
fn free_output_is_bought_without_end_and_a_prompt_that_is_too_dear_buys_none() {
    let free = Price { completion: PicoUsd::new(0).unwrap(), ..price() };
    assert_eq!(free.output_bought(usd("1"), 10), u64::MAX);
    assert_eq!(free.output_bought(usd("0.000001"), 10_000), 0);
    assert_eq!(price().output_bought(usd("-1"), 0), 0);
    assert_eq!(price().output_bought(Usd::MAX, u64::MAX), 0);
}
