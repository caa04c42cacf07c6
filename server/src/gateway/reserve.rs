//! What a request can cost at the most, held before anything is sent.

use crate::api::{Cx, Principal, ProxyBody, Spanned};
use crate::credit::{Hold, HoldAsk, HoldRefused};
use crate::generated::ops::chat::CreateChatCompletionHead;

use super::Gateway;
use super::bound::{Asked, Bound};
use super::catalog::Model;
use super::error::{GatewayError, Shortage};
use super::outgoing::flag;

/// A request that is paid for.
#[derive(Debug)]
pub struct Reserved {
    /// What is held for it.
    pub hold: Hold,
    /// The output of one choice that the hold buys, in tokens, where that is less than was wanted.
    pub output_bound: Option<u64>,
}

impl Gateway {
    /// Holds the worst case of a request, or as much of it as the account can pay where the client gave no bound.
    pub(super) async fn reserve(
        &self,
        cx: &Cx,
        caller: Principal,
        body: &ProxyBody<CreateChatCompletionHead>,
        model: &Model,
    ) -> Result<Reserved, GatewayError> {
        unpriced(&body.head)?;
        let bound = Bound::of(asked(body), model);
        let unpriceable = |_| GatewayError::Unpriceable;
        let ask = HoldAsk {
            account: caller.account,
            key: caller.key,
            request: cx.request_id,
            want: model.price.worst_case(bound.prompt, bound.output).map_err(unpriceable)?,
            least: model.price.worst_case(bound.prompt, bound.output_least).map_err(unpriceable)?,
            expires_at_ms: self.hold_expiry_ms(),
            model: body.head.model.value.clone(),
            stream: flag(body.head.stream.as_ref()),
            price: model.price.clone(),
        };
        let hold = self.credit.hold(ask).await?;
        let output_bound = bought(&hold, model, bound);
        Ok(Reserved { hold, output_bound })
    }

    /// Beyond all that the request may take, with its client gone at the last moment.
    fn hold_expiry_ms(&self) -> i64 {
        let lasts = self.patience.total + self.patience.abandoned + self.patience.hold_margin;
        self.clock.now_ms().saturating_add(i64::try_from(lasts.as_millis()).unwrap_or(i64::MAX))
    }
}

impl From<HoldRefused> for GatewayError {
    fn from(refused: HoldRefused) -> Self {
        match refused {
            HoldRefused::Insufficient { needed, available, held } => {
                Self::Insufficient(Shortage { needed, available, held })
            }
            HoldRefused::TiedUp { needed, available, held } => Self::TiedUp(Shortage { needed, available, held }),
            HoldRefused::QueueFull
            | HoldRefused::Duplicate
            | HoldRefused::NoSuchAccount
            | HoldRefused::Invalid(_)
            | HoldRefused::Unavailable => Self::Ledger,
        }
    }
}

fn asked(body: &ProxyBody<CreateChatCompletionHead>) -> Asked {
    let head = &body.head;
    let tokens = |member: &Option<Spanned<Option<i64>>>| {
        member.as_ref().and_then(|member| member.value).and_then(|value| u64::try_from(value).ok())
    };
    let bounds = [tokens(&head.max_completion_tokens), tokens(&head.max_tokens)];
    Asked {
        body_bytes: body.bytes.len(),
        // Which of the two a provider goes by is its own affair: the worst case is the larger.
        output_tokens: bounds.into_iter().flatten().max(),
        choices: tokens(&head.n).unwrap_or(1),
        text_alone: text_alone(&body.bytes[head.messages.span.clone()]),
    }
}

/// Whether the conversation carries nothing but text. A picture or a file may stand for any number of tokens, however
/// short its address is.
fn text_alone(messages: &[u8]) -> bool {
    let parts: [&[u8]; 3] = [b"\"image_url\"", b"\"input_audio\"", b"\"file\""];
    parts.iter().all(|part| memchr::memmem::find(messages, part).is_none())
}

/// Refuses what a provider charges extra for and our prices do not know: it would be sold below its cost.
fn unpriced(head: &CreateChatCompletionHead) -> Result<(), GatewayError> {
    let tier = head.service_tier.as_ref().and_then(|tier| tier.value.as_deref());
    if tier.is_some_and(|tier| !matches!(tier, "auto" | "default")) {
        return Err(GatewayError::NotSold("service_tier"));
    }
    if head.web_search_options.is_some() {
        return Err(GatewayError::NotSold("web_search_options"));
    }
    if head.audio.is_some() {
        return Err(GatewayError::NotSold("audio"));
    }
    Ok(())
}

fn bought(hold: &Hold, model: &Model, bound: Bound) -> Option<u64> {
    let output = model.price.output_bought(hold.amount(), bound.prompt);
    (output < bound.output).then(|| output / bound.choices)
}
