//! The product's own handle.

use tollgate_base::{Clock, PicoUsd, PriceRatio, RequestId, RequestTags, Usd};
use tollgate_credit::{
    BilledUsage, Hold, HoldRequest, Ledger, MediaTokens, ServiceCharges, Settlement, SettlementRule, TokenPrices,
    UpstreamDelivery,
};

use super::drive::Pairs;
use super::house::Payer;
use crate::Failed;

/// The hold and the cost of a request, in nano-USD.
pub(super) const HELD: Usd = Usd::from_nanos(100_000);
pub(super) const COST: Usd = Usd::from_nanos(75_000);
/// Of the prompt and of the answer, and their prices in pico-USD: together the cost.
pub(super) const TOKENS: u64 = 100;
pub(super) const PROMPT: i64 = 150_000;
pub(super) const COMPLETION: i64 = 600_000;
/// How long after it was taken a hold expires, in milliseconds.
pub(super) const HELD_FOR_MS: i64 = 600_000;

#[derive(Debug, Clone)]
pub(crate) struct Ours {
    pub(super) credit: Ledger,
    pub(super) clock: Clock,
}

impl Pairs for Ours {
    type Held = Hold;

    async fn hold(&self, payer: Payer) -> Result<Hold, Failed> {
        let now_ms = self.clock.now_ms();
        let (prompt, completion) = (PicoUsd::new(PROMPT)?, PicoUsd::new(COMPLETION)?);
        let ask = HoldRequest {
            account: payer.account,
            key: payer.key,
            request: RequestId::mint(now_ms),
            tokens: TOKENS,
            want: HELD,
            least: HELD,
            expires_at_ms: now_ms + HELD_FOR_MS,
            model: "small".to_owned(),
            tags: RequestTags::default(),
            stream: false,
            price: TokenPrices {
                prompt,
                cached: prompt,
                cache_write: prompt,
                cache_write_long: prompt,
                completion,
                media: MediaTokens {
                    audio_prompt: prompt,
                    image_prompt: prompt,
                    audio_completion: completion,
                    image_completion: completion,
                },
                reasoning: completion,
                request: PicoUsd::ZERO,
                ratio: PriceRatio::ONE,
                version: "bench".to_owned(),
            },
            claim: None,
        };
        Ok(self.credit.hold(ask).await?)
    }

    async fn settle(&self, held: Hold) -> Result<(), Failed> {
        let usage = BilledUsage { prompt: TOKENS, completion: TOKENS, ..BilledUsage::default() };
        let delivery = UpstreamDelivery {
            upstream: Some("bench".to_owned()),
            upstream_model: Some("m".to_owned()),
            first_byte_ms: Some(300),
            duration_ms: Some(1500),
        };
        let settlement = Settlement {
            cost: COST,
            rule: SettlementRule::Reported,
            usage,
            delivery,
            fallback: None,
            tier: None,
            services: ServiceCharges::default(),
        };
        self.credit.settle(held, settlement).await?;
        Ok(())
    }
}
