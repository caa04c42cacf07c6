//! Puts the sandbox provider among the upstreams and its model among the models, and the sandbox payment provider behind the
//! rail of checkout pages.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::sync::watch;
use tokio_util::task::TaskTracker;

use tollgate_base::{Clock, PicoUsd, PriceRatio, Secret};
use tollgate_credit::{MediaTokens, TokenPrices};
use tollgate_formats::{Format, ModelCapabilities};
use tollgate_gateway::{
    CandidateConfig, Config, HttpVersion, ModelConfig, OutputBoundField, ProviderKind, ProviderReach, UnknownMembers,
    UpstreamConfig, VideoTerms,
};
use tollgate_sandbox::{CheckoutError, CheckoutSandbox, MODEL, Options, SandboxProvider};
use tollgate_topup::RailConfig;
use tollgate_topup::ewallet::{
    self, KeyError, RequestTimeFormat, SigningKey, VerifyingKey, VerifyingKeys, default_wallets, published,
};

use super::start_error::StartError;
use super::workers::stop_signal;

const UPSTREAM: &str = "sandbox";
/// The name of the payment provider that a sandbox has, as a configuration would have it.
pub const SANDBOX_PROVIDER: &str = "sandbox";
/// So many times faster than a real one the payment provider repeats its notices.
const CHECKOUT_SPEED: u32 = 60;

/// Starts the provider and makes its model known.
pub(super) async fn start(
    config: &mut Config,
    tasks: &TaskTracker,
    stopped: watch::Receiver<bool>,
) -> Result<(), StartError> {
    let sandbox = SandboxProvider::bind().await.map_err(StartError::Sandbox)?;
    let address = sandbox.address().map_err(StartError::Sandbox)?;
    config.upstreams.insert(UPSTREAM.to_owned(), upstream(address));
    config.models.insert(MODEL.to_owned(), model());
    config.moderation_model = Some(MODEL.to_owned());
    config.video_model = Some(MODEL.to_owned());
    tasks.spawn(async move {
        if let Err(error) = sandbox.serve(stop_signal(stopped)).await {
            tracing::error!(error = %error, "the sandbox provider failed");
        }
    });
    Ok(())
}

/// Starts the payment provider, whose money is of the sandbox as the credit is, and switches the rail on.
pub(super) async fn start_checkout(
    config: &mut tollgate_topup::Config,
    clock: Clock,
    tasks: &TaskTracker,
    stopped: watch::Receiver<bool>,
) -> Result<(), CheckoutError> {
    let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let sandbox = CheckoutSandbox::bind(anywhere, Options { clock, speed: CHECKOUT_SPEED }).await?;
    config.ewallet = RailConfig { enabled: true, ..config.ewallet };
    config.checkout = Some(provider(sandbox.address())?);
    tasks.spawn(async move {
        if let Err(error) = sandbox.serve(stop_signal(stopped)).await {
            tracing::error!(error = %error, "the sandbox payment provider failed");
        }
    });
    Ok(())
}

fn provider(address: SocketAddr) -> Result<ewallet::Config, KeyError> {
    Ok(ewallet::Config {
        provider: SANDBOX_PROVIDER.to_owned(),
        base_url: format!("http://{address}"),
        client_id: published::CLIENT_ID.to_owned(),
        key_version: "1".to_owned(),
        merchant_key: SigningKey::read(&Secret::new(published::MERCHANT_PRIVATE.to_owned()))?,
        provider_keys: VerifyingKeys::one("1", VerifyingKey::read(published::PROVIDER_PUBLIC)?),
        request_time: RequestTimeFormat::default(),
        wallets: default_wallets(),
        return_url: None,
    })
}

fn upstream(address: SocketAddr) -> UpstreamConfig {
    UpstreamConfig {
        base_url: format!("http://{address}/v1"),
        kind: ProviderKind::Speaks(Format::Chat),
        api_key: None,
        key_pair: None,
        concurrency_max: None,
        http: HttpVersion::Http1,
        output_bound_field: OutputBoundField::default(),
        completions: false,
        unknown_members: UnknownMembers::Refuse,
        reach: ProviderReach::Anywhere,
    }
}

/// Priced like a small real model, so that what a receipt shows is of the usual size.
fn model() -> ModelConfig {
    let price = |text| PicoUsd::from_usd_per_million(text).expect("a price written here");
    ModelConfig {
        pattern: None,
        unlisted: false,
        aliases: vec!["sandbox".to_owned()],
        display_name: "Sandbox (deterministic, not a real model)".to_owned(),
        owned_by: "tollgate-sandbox".to_owned(),
        created: 1_700_000_000,
        context_tokens: 128_000,
        max_output_tokens: 16_384,
        tool_uses_max: 10,
        capabilities: ModelCapabilities::UNKNOWN,
        cost: None,
        asks_for_cache: false,
        tariff: TokenPrices {
            prompt: price("0.15"),
            cached: price("0.075"),
            cache_write: price("0.1875"),
            cache_write_long: price("0.3"),
            completion: price("0.6"),
            media: MediaTokens {
                audio_prompt: price("0.15"),
                image_prompt: price("0.15"),
                audio_completion: price("0.6"),
                image_completion: price("0.6"),
            },
            reasoning: price("0.6"),
            request: PicoUsd::ZERO,
            ratio: PriceRatio::ONE,
            version: "sandbox-1".to_owned(),
        }
        .into(),
        image_price: Some(PicoUsd::from_usd("0.01").expect("a price written here")),
        video: Some(VideoTerms {
            second: PicoUsd::from_usd("0.01").expect("a price written here"),
            large_second: None,
            lengths: vec![4, 5, 8, 10, 12],
        }),
        media_prices: MediaTokens::default(),
        candidates: vec![CandidateConfig {
            upstream: UPSTREAM.to_owned(),
            model: MODEL.to_owned(),
            answers_as: None,
            priority: 0,
            weight: 1,
        }],
        fallback: Vec::new(),
    }
}
