//! The prices of a model. A price that is not written is taken from those that are, and is never less.

use tollgate_base::{MoneyError, PicoUsd, PriceRatio};
use tollgate_credit::{MediaTokens, TokenPrices};
use tollgate_formats::Format;
use tollgate_gateway::{ProviderKind, VideoTerms};

use super::complaint::UnplacedComplaint;
use super::tables;

/// Seconds that a video may have.
const LENGTHS: std::ops::RangeInclusive<u32> = 1..=600;

/// Percent of the price of the prompt for a cache write of five minutes without a price of its own. The usual prices.
const WRITE_PERCENT: u32 = 125;
/// Percent of the price of the prompt for a cache write of an hour without a price of its own.
const WRITE_LONG_PERCENT: u32 = 200;

/// The prices of a model's tokens, which stand `at` this place. `kinds` are those of its providers.
pub(super) fn tokens(
    at: &[&str],
    file: &tables::PriceTable,
    kinds: &[ProviderKind],
    found: &mut Vec<UnplacedComplaint>,
) -> Option<TokenPrices> {
    let mut read = |key: &str, text: &str| read_price(at, key, PicoUsd::from_usd_per_million(text), found);
    let prompt = read("prompt", &file.prompt);
    let completion = read("completion", &file.completion);
    // Cached input without a price of its own costs what other input costs: never less than was written down.
    let cached = file.cached.as_ref().map_or(prompt, |text| read("cached", text));
    let written = file.cache_write.as_ref().map(|text| read("cache_write", text));
    let written_long = file.cache_write_long.as_ref().map(|text| read("cache_write_long", text));
    // Sound, pictures and reasoning without a price of their own cost what text costs.
    let mut media = |key: &str, text: &Option<String>, of_text| text.as_ref().map_or(of_text, |text| read(key, text));
    let audio_prompt = media("audio_prompt", &file.audio_prompt, prompt);
    let image_prompt = media("image_prompt", &file.image_prompt, prompt);
    let audio_completion = media("audio_completion", &file.audio_completion, completion);
    let image_completion = media("image_completion", &file.image_completion, completion);
    let reasoning = media("reasoning", &file.reasoning, completion);
    let request = match &file.per_request {
        Some(text) => unit(at, "per_request", "request", text, found),
        None => Some(PicoUsd::ZERO),
    };
    let (prompt, cached) = (prompt?, cached?);
    let dearest = prompt.max(cached);
    let mut raised = |percent| read_price(at, "prompt", prompt.at_percent(percent), found);
    let cache_write = match written {
        Some(written) => written?,
        None if kinds.iter().any(reports_cache_writes) => raised(WRITE_PERCENT)?.max(dearest),
        None => dearest,
    };
    let cache_write_long = match written_long {
        Some(written) => written?,
        None if kinds.iter().any(reports_cache_hours) => raised(WRITE_LONG_PERCENT)?.max(dearest).max(cache_write),
        None => cache_write.max(dearest),
    };
    let version = file.version.clone().unwrap_or_else(|| "config".to_owned());
    let media = MediaTokens {
        audio_prompt: audio_prompt?,
        image_prompt: image_prompt?,
        audio_completion: audio_completion?,
        image_completion: image_completion?,
    };
    Some(TokenPrices {
        prompt,
        cached,
        cache_write,
        cache_write_long,
        completion: completion?,
        media,
        reasoning: reasoning?,
        request: request?,
        ratio: PriceRatio::ONE,
        version,
    })
}

/// The prices of sound and pictures that are written: true for each.
pub(super) fn media(file: &tables::PriceTable) -> MediaTokens<bool> {
    MediaTokens {
        audio_prompt: file.audio_prompt.is_some(),
        image_prompt: file.image_prompt.is_some(),
        audio_completion: file.audio_completion.is_some(),
        image_completion: file.image_completion.is_some(),
    }
}

/// What the provider of a model asks for a unit of usage: of tokens, or of the pictures or seconds that are sold. `None` where it is not
/// known, and where tokens are sold beside those, since the sums of usage do not tell them apart.
pub(super) fn cost(
    model: &str,
    price: &tables::PriceTable,
    kinds: &[ProviderKind],
    found: &mut Vec<UnplacedComplaint>,
) -> Option<TokenPrices> {
    let file = price.cost.as_deref()?;
    let at = ["models", model, "price", "cost"];
    let tables::PriceTable { tiers, tools, service_tiers, speeds, regions, .. } = file;
    let beside = [tools, service_tiers, speeds, regions].iter().any(|beside| !beside.is_empty()) || !tiers.is_empty();
    if beside || file.cost.is_some() || file.version.is_some() || file.video_second_large.is_some() {
        let message = "has no tiers, tools, factors, large seconds, version or cost of its own: write what each kind of token costs";
        found.push(UnplacedComplaint::new(&at, message));
    }
    let tokens = tokens(&at, file, kinds, found);
    let mut each = |key: &str, of: &str, text: &Option<String>| unit(&at, key, of, text.as_ref()?, found);
    let picture = each("image", "picture", &file.image);
    let second = each("video_second", "second of a video", &file.video_second);
    let sells_words =
        [&price.prompt, &price.completion].iter().any(|text| PicoUsd::from_usd_per_million(text) != Ok(PicoUsd::ZERO));
    match (&price.image, &price.video_second) {
        (None, None) => tokens,
        (Some(_), None) if !sells_words => Some(tokens?.per_unit(picture?)),
        (None, Some(_)) if !sells_words => Some(tokens?.per_unit(second?)),
        _ => None,
    }
}

/// True if it pays to cache a prompt unasked: both prices are written, and to read is the cheaper way.
pub(super) fn caches(file: &tables::PriceTable, price: &TokenPrices) -> bool {
    file.cache_write.is_some() && file.cached.is_some() && price.cached < price.prompt
}

/// True if a provider of this kind reports cache writes. Where none does, nothing more has to be held for them.
fn reports_cache_writes(kind: &ProviderKind) -> bool {
    match kind {
        ProviderKind::Speaks(Format::Chat | Format::Completions | Format::Responses | Format::Messages) => true,
        ProviderKind::Speaks(Format::Generate)
        | ProviderKind::Pictures
        | ProviderKind::PicturesLater
        | ProviderKind::VideoA => false,
    }
}

/// True if a provider of this kind reports for how long a cache write is kept.
fn reports_cache_hours(kind: &ProviderKind) -> bool {
    match kind {
        ProviderKind::Speaks(Format::Messages) => true,
        ProviderKind::Speaks(Format::Chat | Format::Completions | Format::Responses | Format::Generate)
        | ProviderKind::Pictures
        | ProviderKind::PicturesLater
        | ProviderKind::VideoA => false,
    }
}

/// The price of a picture.
pub(super) fn picture(model: &str, text: &str, found: &mut Vec<UnplacedComplaint>) -> Option<PicoUsd> {
    unit(&["models", model, "price"], "image", "picture", text, found)
}

/// The lengths and prices of a model's videos; `None` where its configuration does not speak of videos.
pub(super) fn video(
    name: &str,
    price: &tables::PriceTable,
    lengths: Option<&Vec<u32>>,
    found: &mut Vec<UnplacedComplaint>,
) -> Option<VideoTerms> {
    let tables::PriceTable { video_second, video_second_large, .. } = price;
    let at = ["models", name, "price"];
    let mut second = |key: &str, text: &String| unit(&at, key, "second of a video", text, found);
    let (price, large) = (
        video_second.as_ref().map(|text| second("video_second", text)),
        video_second_large.as_ref().map(|text| second("video_second_large", text)),
    );
    let mut tell =
        |key: &[&str], message: &str| found.push(UnplacedComplaint::new(&[&["models", name], key].concat(), message));
    match (price, lengths) {
        (Some(price), Some(lengths))
            if !lengths.is_empty() && lengths.iter().all(|length| LENGTHS.contains(length)) =>
        {
            let large_second = match large {
                Some(large) => Some(large?),
                None => None,
            };
            Some(VideoTerms { second: price?, large_second, lengths: lengths.clone() })
        }
        (Some(_), Some(_)) => {
            tell(&["video_seconds"], "name at least one length, each from 1 to 600 seconds");
            None
        }
        (Some(_), None) => {
            tell(
                &["video_seconds"],
                "missing: the lengths that can be ordered, as in [4, 8, 12]; the first is the usual one",
            );
            None
        }
        (None, Some(_)) => {
            tell(&["price", "video_second"], "missing: USD for each second of a video, as in \"0.10\"");
            None
        }
        (None, None) if large.is_some() => {
            tell(&["price", "video_second"], "missing beside video_second_large");
            None
        }
        (None, None) => None,
    }
}

pub(super) fn unit(
    at: &[&str],
    key: &str,
    unit: &str,
    text: &str,
    found: &mut Vec<UnplacedComplaint>,
) -> Option<PicoUsd> {
    let price = PicoUsd::from_usd(text);
    if let Err(error) = &price {
        let message = format!("{error}: write USD for each {unit}, as in \"0.04\"");
        found.push(UnplacedComplaint::new(&[at, &[key]].concat(), message));
    }
    price.ok()
}

fn read_price(
    at: &[&str],
    key: &str,
    price: Result<PicoUsd, MoneyError>,
    found: &mut Vec<UnplacedComplaint>,
) -> Option<PicoUsd> {
    if let Err(error) = &price {
        let message = match error {
            MoneyError::TooPrecise(places) => format!("at most {places} decimal places, in USD per million tokens"),
            error => format!("{error}: write USD per million tokens, as in \"0.15\""),
        };
        found.push(UnplacedComplaint::new(&[at, &[key]].concat(), message));
    }
    price.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(cached: Option<&str>, cache_write: Option<&str>, cache_write_long: Option<&str>) -> tables::PriceTable {
        let text = |text: Option<&str>| text.map(str::to_owned);
        tables::PriceTable {
            prompt: "1".to_owned(),
            cached: text(cached),
            cache_write: text(cache_write),
            cache_write_long: text(cache_write_long),
            completion: "2".to_owned(),
            audio_prompt: None,
            audio_completion: None,
            image_prompt: None,
            image_completion: None,
            reasoning: None,
            per_request: None,
            image: None,
            video_second: None,
            video_second_large: None,
            version: None,
            tiers: Vec::new(),
            tools: indexmap::IndexMap::new(),
            service_tiers: indexmap::IndexMap::new(),
            speeds: indexmap::IndexMap::new(),
            regions: indexmap::IndexMap::new(),
            cost: None,
        }
    }

    #[test]
    fn what_is_not_written_is_never_cheaper_than_what_is() {
        const A: &[ProviderKind] = &[ProviderKind::Speaks(Format::Chat), ProviderKind::Speaks(Format::Messages)];
        const G: &[ProviderKind] = &[
            ProviderKind::Speaks(Format::Generate),
            ProviderKind::Pictures,
            ProviderKind::PicturesLater,
            ProviderKind::VideoA,
        ];
        const O: &[ProviderKind] = &[ProviderKind::Speaks(Format::Chat), ProviderKind::Speaks(Format::Responses)];
        for (kinds, cached, write, long, expected) in [
            (A, None, None, None, ["1", "1.25", "2"]),
            (O, None, None, None, ["1", "1.25", "1.25"]),
            (G, None, None, None, ["1", "1", "1"]),
            (G, Some("3"), None, None, ["3", "3", "3"]),
            (A, Some("0.1"), None, None, ["0.1", "1.25", "2"]),
            (A, Some("1.5"), None, None, ["1.5", "1.5", "2"]),
            (A, Some("3"), None, None, ["3", "3", "3"]),
            (A, None, Some("2.5"), None, ["1", "2.5", "2.5"]),
            (A, None, Some("0.5"), None, ["1", "0.5", "2"]),
            (O, None, Some("0.5"), None, ["1", "0.5", "1"]),
            (A, None, Some("1.1"), Some("0"), ["1", "1.1", "0"]),
            (O, None, None, Some("4"), ["1", "1.25", "4"]),
        ] {
            let mut found = Vec::new();
            let price = tokens(&["m"], &file(cached, write, long), kinds, &mut found).expect("a price");
            let shown = [price.cached, price.cache_write, price.cache_write_long].map(|price| price.to_string());
            assert_eq!(shown, expected, "{kinds:?} {cached:?} {write:?} {long:?}");
            assert!(found.is_empty());
        }
    }

    /// A price that tells this cost.
    fn costing(price: tables::PriceTable, cost: tables::PriceTable) -> tables::PriceTable {
        tables::PriceTable { cost: Some(Box::new(cost)), ..price }
    }

    #[test]
    fn a_cost_is_of_what_is_sold() {
        const KINDS: &[ProviderKind] = &[ProviderKind::Speaks(Format::Chat)];
        let text = |text: &str| Some(text.to_owned());
        let free =
            || tables::PriceTable { prompt: "0".to_owned(), completion: "0".to_owned(), ..file(None, None, None) };
        let pictures = || tables::PriceTable { image: text("0.04"), ..free() };
        let videos = || tables::PriceTable { video_second: text("0.10"), ..free() };
        let cost = || tables::PriceTable {
            image: text("0.03"),
            video_second: text("0.05"),
            ..file(text("0.1").as_deref(), None, None)
        };
        for (price, expected) in [
            (file(None, None, None), None),
            (costing(file(None, None, None), cost()), Some("1 0.1 1.25 2")),
            (costing(pictures(), cost()), Some("0 0 0 30000")),
            (costing(videos(), cost()), Some("0 0 0 50000")),
            (costing(pictures(), free()), None),
            (costing(videos(), free()), None),
            (costing(tables::PriceTable { image: text("0.04"), ..file(None, None, None) }, cost()), None),
            (costing(tables::PriceTable { image: text("0.04"), ..videos() }, cost()), None),
        ] {
            let mut found = Vec::new();
            let cost = super::cost("m", &price, KINDS, &mut found);
            let told = cost.map(|cost| {
                [cost.prompt, cost.cached, cost.cache_write, cost.completion].map(|it| it.to_string()).join(" ")
            });
            assert_eq!((told.as_deref(), found.len()), (expected, 0), "{price:?}");
        }
    }

    #[test]
    fn every_mistake_in_a_cost_is_told_at_its_place() {
        let again = costing(file(None, None, None), file(None, None, None));
        let unreadable = tables::PriceTable { image: Some("x".to_owned()), ..file(Some("-1"), None, None) };
        for (cost, places) in [(again, vec!["cost"]), (unreadable, vec!["cached", "image"])] {
            let mut found = Vec::new();
            super::cost("m", &costing(file(None, None, None), cost), &[], &mut found);
            let told: Vec<_> = found.iter().map(|it| it.path.last().expect("a place").clone()).collect();
            assert_eq!(told, places);
        }
    }

    #[test]
    fn a_cache_is_asked_for_where_both_of_its_prices_are_written_and_reading_is_cheaper() {
        for (cached, write, caches) in [
            (None, None, false),
            (Some("0.1"), None, false),
            (None, Some("1.25"), false),
            (Some("1"), Some("1.25"), false),
            (Some("0.1"), Some("1.25"), true),
        ] {
            let file = file(cached, write, None);
            let price = tokens(&["m"], &file, &[], &mut Vec::new()).expect("a price");
            assert_eq!(super::caches(&file, &price), caches, "{cached:?} {write:?}");
        }
    }

    #[test]
    fn every_price_that_cannot_be_read_is_told() {
        let mut found = Vec::new();
        let unreadable = file(Some("x"), Some("-1"), Some("0.0000001"));
        assert_eq!(tokens(&["m"], &unreadable, &[], &mut found), None);
        assert_eq!(found.len(), 3);
        let too_large = tables::PriceTable { prompt: "9223372036854".to_owned(), ..file(None, None, None) };
        assert_eq!(tokens(&["m"], &too_large, &[ProviderKind::Speaks(Format::Chat)], &mut found), None);
        assert_eq!(found.len(), 4, "a price and a quarter");
    }
}
