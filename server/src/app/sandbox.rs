//! Puts the sandbox provider among the upstreams and its model among the models.

use std::net::SocketAddr;

use tokio::sync::watch;
use tokio_util::task::TaskTracker;

use crate::base::{PicoUsd, Ratio};
use crate::credit::{Media, Price};
use crate::gateway::{
    CandidateConfig, Config, Format, HttpVersion, Kind, ModelConfig, OutputBoundField, UpstreamConfig, VideoTerms,
};
use crate::sandbox::{MODEL, Sandbox};

use super::StartError;
use super::workers::told;

const UPSTREAM: &str = "sandbox";

/// Starts the provider and makes its model known.
pub(super) async fn start(
    config: &mut Config,
    tasks: &TaskTracker,
    stopped: watch::Receiver<bool>,
) -> Result<(), StartError> {
    let sandbox = Sandbox::bind().await.map_err(StartError::Sandbox)?;
    let address = sandbox.address().map_err(StartError::Sandbox)?;
    config.upstreams.insert(UPSTREAM.to_owned(), upstream(address));
    config.models.insert(MODEL.to_owned(), model());
    config.moderation_model = Some(MODEL.to_owned());
    config.video_model = Some(MODEL.to_owned());
    tasks.spawn(async move {
        if let Err(error) = sandbox.serve(told(stopped)).await {
            tracing::error!(error = %error, "the sandbox provider failed");
        }
    });
    Ok(())
}

fn upstream(address: SocketAddr) -> UpstreamConfig {
    UpstreamConfig {
        base_url: format!("http://{address}/v1"),
        kind: Kind::Speaks(Format::Chat),
        api_key: None,
        key_pair: None,
        concurrency_max: None,
        http: HttpVersion::Http1,
        output_bound_field: OutputBoundField::default(),
        completions: false,
    }
}

/// Priced like a small real model, so that what a receipt shows is of the usual size.
fn model() -> ModelConfig {
    let price = |text| PicoUsd::from_usd_per_million(text).expect("a price written here");
    ModelConfig {
        aliases: vec!["sandbox".to_owned()],
        display_name: "Sandbox (deterministic, not a real model)".to_owned(),
        owned_by: "tollgate-sandbox".to_owned(),
        created: 1_700_000_000,
        context_tokens: 128_000,
        max_output_tokens: 16_384,
        tariff: Price {
            prompt: price("0.15"),
            cached: price("0.075"),
            cache_write: price("0.1875"),
            cache_write_long: price("0.3"),
            completion: price("0.6"),
            media: Media {
                audio_prompt: price("0.15"),
                image_prompt: price("0.15"),
                audio_completion: price("0.6"),
                image_completion: price("0.6"),
            },
            reasoning: price("0.6"),
            request: PicoUsd::ZERO,
            ratio: Ratio::ONE,
            version: "sandbox-1".to_owned(),
        }
        .into(),
        image_price: Some(PicoUsd::from_usd("0.01").expect("a price written here")),
        video: Some(VideoTerms {
            second: PicoUsd::from_usd("0.01").expect("a price written here"),
            large_second: None,
            lengths: vec![4, 5, 8, 10, 12],
        }),
        media_prices: Media::default(),
        candidates: vec![CandidateConfig {
            upstream: UPSTREAM.to_owned(),
            model: MODEL.to_owned(),
            priority: 0,
            weight: 1,
        }],
        fallback: Vec::new(),
    }
}
