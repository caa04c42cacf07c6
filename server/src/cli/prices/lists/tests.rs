//! Each shape of list, and what is no list.

use tollgate_formats::{InputKind, ThinkingMode};

use super::*;

/// Each model with its prices by our keys, or with the reason why it has none.
fn told(list: &str) -> Vec<String> {
    let shown = |ListEntry { model, price, .. }| match price {
        Ok(ListedPrices { base, tiers, .. }) => {
            let shown = |prices: &PricesByKey| {
                let prices: Vec<_> = prices.iter().map(|(key, price)| format!("{key} {price}")).collect();
                prices.join(", ")
            };
            let tiers: String = tiers.iter().map(|(above, prices)| format!("; {above}: {}", shown(prices))).collect();
            format!("{model}: {}{tiers}", shown(&base))
        }
        Err(why) => format!("{model}! {why}"),
    };
    read(list).expect("a list").into_iter().map(shown).collect()
}

#[test]
fn prices_by_token_are_read_beside_all_else() {
    let list = r#"{
        "sample_spec": {"input_cost_per_token": 0.0, "max_tokens": "a number"},
        "small": {"provider": "x", "max_tokens": 8192, "mode": "chat", "input_cost_per_token": 1.5e-07,
            "output_cost_per_token": 6e-07, "cache_read_input_token_cost": 7.5e-08, "output_cost_per_reasoning_token": 6e-7,
            "cache_creation_input_token_cost": null, "input_cost_per_token_batches": 7.5e-08,
            "output_cost_per_token_priority": 1e-6, "search_context_cost_per_query": {"search_context_size_low": 0.03}},
        "vectors": {"mode": "embedding", "input_cost_per_token": 2e-08},
        "painter": {"mode": "image_generation", "output_cost_per_image": 0.04},
        "half": {"mode": "chat", "input_cost_per_token": 1e-06},
        "free": {"mode": "chat", "input_cost_per_token": 0.0, "output_cost_per_token": 0},
        "thinks": {"mode": "chat", "input_cost_per_token": 1e-6, "output_cost_per_token": 1e-6, "output_cost_per_reasoning_token": 3e-6},
        "odd\nname": {"mode": "chat", "cost\nly": 1, "input_cost_per_token": "much"},
        "unpriced": {"mode": "chat"},
        "tiers": {"mode": "chat", "tiered_pricing": [{"input_cost_per_token": 1e-6}]},
        "regions": {"input_cost_per_token": 1e-6, "output_cost_per_token": 1e-6, "regional_uplift_multiplier_eu": 1.1},
        "stored": {"input_cost_per_token": 1.5e-6, "output_cost_per_token": 2e-6,
            "cache_creation_input_token_cost": 8.333333333333334e-08, "cache_creation_input_token_cost_above_1hr": 0.0},
        "hour": {"input_cost_per_token": 1.5e-6, "output_cost_per_token": 2e-6,
            "cache_creation_input_token_cost": 1.5e-06, "cache_creation_input_token_cost_above_1hr": 3e-06},
        "draws": {"input_cost_per_token": 3e-7, "output_cost_per_token": 2.5e-6, "output_cost_per_image": 0.039,
            "output_cost_per_image_token": 3e-5},
        "half-draws": {"input_cost_per_token": 3e-7, "output_cost_per_image": 0.039, "mode": "image_generation"},
        "gives": {"mode": "chat", "input_cost_per_token": 1e-6, "output_cost_per_token": 0.0},
        "web-search-1": {"input_cost_per_token": 1e-6, "output_cost_per_token": 1e-6,
            "search_context_cost_per_query": {"search_context_size_low": 0.005}},
        "grounded": {"input_cost_per_token": 1e-6, "output_cost_per_token": 1e-6,
            "google_maps_grounding_cost_per_query": 0.03, "search_context_cost_per_query": {"search_context_size_low": 0.03}}
    }"#;
    assert_eq!(
        told(list),
        [
            "small: cached 0.075, completion 0.6, prompt 0.15",
            "vectors: completion 0, prompt 0.02",
            "painter: completion 0, image 40000, prompt 0",
            "half! nothing says what completion costs",
            "free! nothing says what prompt costs, or it is free: write that by hand",
            "thinks: completion 1, prompt 1, reasoning 3",
            "odd\nname! \"cost\\nly\" is a price that has no place in ours",
            "unpriced! nothing says what prompt costs, or it is free: write that by hand",
            "tiers! \"tiered_pricing\" is a price that has no place in ours",
            "regions! \"regional_uplift_multiplier_eu\" is a price that has no place in ours",
            "stored: completion 2, prompt 1.5",
            "hour: cache_write 1.5, cache_write_long 3, completion 2, prompt 1.5",
            "draws: completion 2.5, image_completion 30, prompt 0.3",
            "half-draws! what goes in costs something beside each picture or second",
            "gives! nothing says what completion costs",
            "web-search-1! it searches for every request, which has no place in our prices",
            "grounded: completion 1, prompt 1",
        ]
    );
}

#[test]
fn prices_of_long_prompts_are_tiers() {
    let list = r#"{
        "long": {"mode": "chat", "input_cost_per_token": 1e-06, "output_cost_per_token": 2e-06,
            "input_cost_per_token_above_200k_tokens": 2e-06, "cache_read_input_token_cost": 1e-7,
            "cache_creation_input_token_cost": 1.25e-6, "output_cost_per_token_above_200k_tokens_priority": 9e-6},
        "longer": {"mode": "chat", "input_cost_per_token": 1e-06, "output_cost_per_token": 2e-06, "input_cost_per_request": 0.005,
            "input_cost_per_token_above_128k_tokens": 2e-06, "output_cost_per_token_above_128k_tokens": 3e-06,
            "output_cost_per_token_above_256k_tokens": 4e-06, "cache_creation_input_token_cost_above_1hr_above_128k_tokens": 5e-6},
        "odd-tier": {"mode": "chat", "input_cost_per_token": 1e-06, "output_cost_per_token": 2e-06,
            "input_cost_per_character_above_128k_tokens": 2e-06},
        "ranges": {"mode": "chat", "output_cost_per_reasoning_token": 4e-6, "tiered_pricing": [
            {"range": [0, 32000], "input_cost_per_token": 1e-6, "output_cost_per_token": 3e-6},
            {"range": [32000, 128000], "input_cost_per_token": 2e-6, "output_cost_per_reasoning_token": 5e-6}]},
        "twice": {"mode": "chat", "tiered_pricing": [{"range": [0, 1]}, {"range": [0, 1]}]}
    }"#;
    assert_eq!(
        told(list),
        [
            "long: cache_write 1.25, cached 0.1, completion 2, prompt 1; 200000: cached 0.1, completion 2, prompt 2",
            "longer: completion 2, per_request 5000, prompt 1; \
                128000: cache_write_long 5, completion 3, per_request 5000, prompt 2; \
                256000: cache_write_long 5, completion 4, per_request 5000, prompt 2",
            "odd-tier! \"input_cost_per_character\" is a price that has no place in ours, above 128000",
            "ranges: completion 3, prompt 1, reasoning 4; 32000: completion 3, prompt 2, reasoning 5",
            "twice! \"tiered_pricing\" tells two prices of one length",
        ]
    );
}

#[test]
fn prices_in_texts_are_read() {
    let list = r#"{"data": [
        {"id": "a/b", "name": "B", "pricing": {"prompt": "0.00000015", "completion": "0.0000006", "request": "0",
            "image": "0", "web_search": "0.01", "internal_reasoning": "0", "input_cache_read": "0.000000075"}},
        {"id": "a/each", "pricing": {"prompt": "0.1", "completion": "0.1", "request": "0.01"}},
        {"id": "a/long", "pricing": {"prompt": "0.000001", "completion": "0.000002", "internal_reasoning": "0.000003",
            "overrides": [{"min_prompt_tokens": 200001, "prompt": "0.000002"}]}},
        {"id": "a/night", "pricing": {"prompt": "0.000001", "completion": "0.000002",
            "overrides": [{"start_hour": 1, "prompt": "0.0000005"}]}},
        {"id": "a/both", "pricing": {"prompt": "0.000001", "completion": "0.000002",
            "overrides": [{"min_prompt_tokens": 9, "start_hour": "1", "prompt": "0.0000005"}]}},
        {"id": "auto", "pricing": {"prompt": "-1", "completion": "-1"}},
        {"id": "none", "pricing": null},
        {"id": "two", "pricing": {"prompt": "0.1", "completion": "0.1"}},
        {"id": "two", "pricing": {"prompt": "0.2", "completion": "0.2"}}
    ]}"#;
    assert_eq!(
        told(list),
        [
            "a/b: cached 0.075, completion 0.6, prompt 0.15",
            "a/each: completion 100000, per_request 10000, prompt 100000",
            "a/long: completion 2, prompt 1, reasoning 3; 200000: completion 2, prompt 2, reasoning 3",
            "a/night! \"overrides\" is a price that has no place in ours",
            "a/both! \"start_hour\" is a price that has no place in ours",
            "auto! \"prompt\" is no price: a price cannot be negative",
            "none! nothing says what prompt costs, or it is free: write that by hand",
            "two! it stands there more than once",
            "two! it stands there more than once",
        ]
    );
}

#[test]
fn prices_by_million_are_read_of_each_provider() {
    let list = r#"{"one": {"id": "one", "models": {
        "m": {"id": "m", "cost": {"input": 0.15, "output": 0.6, "cache_read": 0.075, "reasoning": 0.6}},
        "t": {"id": "t", "cost": {"input": 1, "output": 2, "context_over_200k": {"input": 2, "output": 3}}},
        "u": {"id": "u", "cost": {"input": 1, "output": 2, "reasoning": 4, "context_over_200k": {"input": 2, "output": 3},
            "tiers": [{"input": 2, "output": 3, "tier": {"type": "context", "size": 272000}}]}},
        "v": {"id": "v", "cost": {"input": 1, "output": 2, "tiers": [{"input": 2, "tier": {"type": "hour", "size": 2}}]}},
        "n": {"id": "n"}
    }}}"#;
    assert_eq!(
        told(list),
        [
            "one/m: cached 0.075, completion 0.6, prompt 0.15",
            "one/t: completion 2, prompt 1; 200000: completion 3, prompt 2",
            "one/u: completion 2, prompt 1, reasoning 4; 272000: completion 3, prompt 2, reasoning 4",
            "one/v! \"tiers\" is a price that has no place in ours",
            "one/n! nothing says what prompt costs, or it is free: write that by hand",
        ]
    );
}

/// The facts about each model beside its price.
fn known(list: &str) -> Vec<ModelFacts> {
    read(list).expect("a list").into_iter().map(|entry| entry.facts).collect()
}

#[test]
fn what_models_can_do_is_read_of_each_shape_and_never_guessed() {
    let by_columns = r#"{
        "newer": {"input_cost_per_token": 1e-6, "max_input_tokens": 200000, "max_output_tokens": 64000.0, "max_tokens": 1,
            "supports_reasoning": true, "supports_adaptive_thinking": true, "supports_sampling_params": false,
            "supports_vision": true, "supports_pdf_input": true, "supports_audio_input": false,
            "supports_response_schema": true, "supports_function_calling": true},
        "older": {"input_cost_per_token": 1e-6, "supports_reasoning": true, "supports_legacy_thinking": true},
        "either": {"input_cost_per_token": 1e-6, "supports_reasoning": true, "max_input_tokens": 10, "max_output_tokens": 20},
        "plain": {"input_cost_per_token": 1e-6, "supports_reasoning": false, "supports_vision": "yes", "max_input_tokens": 0}
    }"#;
    let nothing = ModelFacts::default();
    let newer = ModelFacts {
        context_tokens: Some(200_000),
        max_output_tokens: Some(64_000),
        thinking: Some(ThinkingMode::Adaptive),
        sampling: Some(false),
        input: vec![InputKind::Text, InputKind::Image, InputKind::Pdf],
        structured_output: Some(true),
        tools: Some(true),
    };
    let thinks = |mode| ModelFacts { thinking: Some(mode), ..ModelFacts::default() };
    let either = ModelFacts { context_tokens: Some(10), ..nothing.clone() };
    assert_eq!(known(by_columns), [newer, thinks(ThinkingMode::Budget), either, thinks(ThinkingMode::None)]);
    let by_parameters = r#"{"data": [
        {"id": "a", "pricing": {"prompt": "1"}, "context_length": 9, "top_provider": {"max_completion_tokens": 8},
            "architecture": {"input_modalities": ["file", "text", "smell"]}, "supported_parameters": ["tools", "temperature"]},
        {"id": "b", "pricing": {"prompt": "1"}, "supported_parameters": ["reasoning", "structured_outputs"]},
        {"id": "c", "pricing": {"prompt": "1"}, "supported_parameters": [], "architecture": 7}
    ]}"#;
    let first = ModelFacts {
        context_tokens: Some(9),
        max_output_tokens: Some(8),
        thinking: Some(ThinkingMode::None),
        sampling: Some(true),
        input: vec![InputKind::Text, InputKind::Pdf],
        structured_output: Some(false),
        tools: Some(true),
    };
    let second = ModelFacts {
        sampling: Some(false),
        structured_output: Some(true),
        tools: Some(false),
        ..ModelFacts::default()
    };
    assert_eq!(known(by_parameters), [first, second, nothing]);
    let by_provider = r#"{"p": {"models": {
        "m": {"cost": {"input": 1}, "limit": {"context": 9, "output": 8}, "reasoning": false, "temperature": true,
            "tool_call": false, "structured_output": true, "modalities": {"input": ["text", "video"]}},
        "n": {"reasoning": true}
    }}}"#;
    let of_provider = ModelFacts {
        context_tokens: Some(9),
        max_output_tokens: Some(8),
        thinking: Some(ThinkingMode::None),
        sampling: Some(true),
        input: vec![InputKind::Text, InputKind::Video],
        structured_output: Some(true),
        tools: Some(false),
    };
    assert_eq!(known(by_provider), [of_provider, ModelFacts::default()]);
}

#[test]
fn what_is_no_list_is_refused() {
    for text in ["", "[]", "7", "{}", r#"{"a": 1}"#, r#"{"data": {"a": 1}}"#, r#"{"a": {"b": 1}}"#] {
        assert!(read(text).is_err(), "{text}");
    }
}
