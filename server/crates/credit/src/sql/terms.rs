//! Columns that several statements name: the terms of a hold, which its receipt has too, the outcome that a receipt adds, and prices.

/// The columns that a receipt takes from its hold, by their names in receipts.
macro_rules! receipt_terms {
    () => {
        "hold_id, account_id, key_id, request_id, held, model, stream, price_id, ratio_ppm, created_at, expires_at, day_at, \
         week_at, month_at, life_at, pools, tags"
    };
}

/// The columns that a receipt takes from its hold `h`, by their names in holds.
macro_rules! hold_terms {
    () => {
        "h.id, h.account_id, h.key_id, h.request_id, h.amount, h.model, h.stream, h.price_id, h.ratio_ppm, h.created_at, \
         h.expires_at, h.day_at, h.week_at, h.month_at, h.life_at, h.pools, h.tags"
    };
}

/// The columns that a receipt has beside the terms of its hold, up to the time when it was written.
macro_rules! outcome_columns {
    () => {
        "state, cost, shortfall, rule, prompt, cached, cache_write, cache_write_long, completion, reasoning, audio_prompt, \
         image_prompt, audio_completion, image_completion, estimated, upstream, upstream_model, first_byte_ms, duration_ms, \
         fallback, fallback_price_id, tier_above, tier_price_id, class, class_price_id, tools"
    };
}

/// The columns of the table of prices, in the order of [`Price::picos`](crate::Price).
macro_rules! price_columns {
    () => {
        "id, version, prompt, cached, cache_write, cache_write_long, completion, audio_prompt, image_prompt, audio_completion, \
         image_completion, request, reasoning"
    };
}

/// The sums of a group, which are the columns of a row from the fourth on.
macro_rules! summed {
    () => {
        "CAST(sum(requests) AS BIGINT), CAST(sum(released) AS BIGINT), CAST(sum(charged) AS BIGINT), \
                CAST(sum(shortfall) AS BIGINT), CAST(sum(prompt) AS BIGINT), CAST(sum(cached) AS BIGINT), \
                CAST(sum(cache_write) AS BIGINT), CAST(sum(cache_write_long) AS BIGINT), CAST(sum(completion) AS BIGINT), \
                CAST(sum(reasoning) AS BIGINT), CAST(sum(audio_prompt) AS BIGINT), CAST(sum(image_prompt) AS BIGINT), \
                CAST(sum(audio_completion) AS BIGINT), CAST(sum(image_completion) AS BIGINT)"
    };
}

/// True where no tag is looked for, and of rows that have the one that is: between commas, so that it is no part of another.
macro_rules! tagged {
    ($tags:literal, $tag:literal) => {
        concat!(
            "(",
            $tag,
            " IS NULL OR (CAST(",
            $tag,
            " AS TEXT) NOT LIKE '%,%' AND replace(',' || ",
            $tags,
            " || ',', ',' || CAST(",
            $tag,
            " AS TEXT) || ',', '') <> ',' || ",
            $tags,
            " || ','))"
        )
    };
}

pub(super) use {hold_terms, outcome_columns, price_columns, receipt_terms, summed, tagged};
