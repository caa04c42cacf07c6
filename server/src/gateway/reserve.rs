//! What a request can cost at the most, held before anything is sent.

use crate::api::{Cx, Principal};
use crate::credit::{Hold, HoldAsk, HoldRefused};

use super::Gateway;
use super::bound::Bound;
use super::catalog::Model;
use super::error::{GatewayError, Shortage};
use super::inbound::Inbound;

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
        inbound: &Inbound,
        model: &Model,
    ) -> Result<Reserved, GatewayError> {
        if let Some(member) = &inbound.not_sold {
            return Err(GatewayError::NotSold(member.clone()));
        }
        let bound = Bound::of(inbound.asked, model);
        let unpriceable = |_| GatewayError::Unpriceable;
        let ask = HoldAsk {
            account: caller.account,
            key: caller.key,
            request: cx.request_id,
            want: model.price.worst_case(bound.prompt, bound.output).map_err(unpriceable)?,
            least: model.price.worst_case(bound.prompt, bound.output_least).map_err(unpriceable)?,
            expires_at_ms: self.hold_expiry_ms(),
            model: inbound.model.clone(),
            stream: inbound.stream,
            price: model.price.clone(),
        };
        let hold = self.credit.hold(ask).await?;
        let output_bound = bought(&hold, model, bound);
        Ok(Reserved { hold, output_bound })
    }

    /// Beyond all that the request may take, with its client gone at the last moment.
    pub(super) fn hold_expiry_ms(&self) -> i64 {
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

fn bought(hold: &Hold, model: &Model, bound: Bound) -> Option<u64> {
    let output = model.price.output_bought(hold.amount(), bound.prompt);
    (output < bound.output).then(|| output / bound.choices)
}
