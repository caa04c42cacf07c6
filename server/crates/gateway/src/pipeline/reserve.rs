//! The hold for a request: the most that it can cost, before anything is sent.

use std::sync::Arc;

use crate::Gateway;
use crate::error::{BudgetInUse, BudgetOverrun, CreditShortage, GatewayError};
use crate::inbound::InboundRequest;
use crate::members::{self, MemberRefusal, RequestedServices};
use crate::routing::catalog::Catalog;
use crate::routing::model::CatalogModel;
use crate::routing::model_offer::ModelOffer;
use crate::routing::token_bounds::TokenBounds;
use tollgate_api::generated::limits;
use tollgate_api::{Cx, Principal};
use tollgate_base::{MoneyError, Usd};
use tollgate_credit::{Hold, HoldRefused, HoldRequest, PriceCeiling, Tariff};
use tollgate_formats::MalformedRequest;
use tollgate_telemetry::SpanPart;

/// The hold of a request, and the models that it pays for.
#[derive(Debug)]
pub struct ReservedRequest {
    /// The hold.
    pub hold: Hold,
    /// The models that the hold pays for, the one that was asked for first.
    pub offers: Vec<ModelOffer>,
}

/// The cost of a request, if a given model answered it.
#[derive(Debug)]
pub struct CostQuote {
    /// The prices.
    pub tariff: Arc<Tariff>,
    /// The most that it can cost.
    pub most: Usd,
    /// The least that makes a useful answer.
    pub least: Usd,
}

/// The request that a hold is for.
#[derive(Debug, Clone, Copy)]
pub struct HoldPurpose<'a> {
    /// The model as the client named it.
    pub model: &'a str,
    /// True if a stream was asked for.
    pub stream: bool,
    /// Tokens of its prompt, by their size.
    pub tokens: u64,
}

impl Gateway {
    /// Holds the worst case of a request, or what the account can pay where the client gave no bound.
    ///
    /// Models that take the place of the first are among the offers as far as the hold pays for them and they can do what is
    /// asked.
    pub(super) async fn reserve(
        &self,
        cx: &Cx,
        caller: Principal,
        inbound: &InboundRequest,
        catalog: &Catalog,
    ) -> Result<ReservedRequest, GatewayError> {
        let models = catalog.line(&caller, &inbound.model)?;
        let ratio = catalog.ratio_for(&caller)?;
        let findings = members::scan_beside(inbound.format, &inbound.bytes, catalog.members(), &inbound.stored)?;
        let quoted = quoted(models, |model, fallback| {
            let admission = inbound.admission(&findings, catalog.policy(model, inbound.format))?;
            if let Some(member) = inbound.sound_not_sold_by(model) {
                return Err(GatewayError::NotSold(member));
            }
            if model.sells_no_words() {
                return Err(GatewayError::misfit(&inbound.model, "answers in words"));
            }
            let bound = TokenBounds::of(if fallback { inbound.asked.within(model) } else { inbound.asked }, model);
            let bound = if admission.steps { bound.with_steps(model) } else { bound };
            let looks_up = !admission.services.tools.is_empty();
            let bound = if looks_up { bound.with_lookups(model) } else { bound };
            let tariff = model.tariff.clone().shared_at(ratio);
            let ceiling = ceiling(&tariff, bound, &admission.services).map_err(|_| GatewayError::Unpriceable)?;
            let cost = |output| ceiling.worst_case(bound.prompt, output).map_err(|_| GatewayError::Unpriceable);
            let (most, least) = (cost(bound.output)?, cost(bound.output_least)?);
            Ok((CostQuote { tariff, most, least }, (bound, ceiling, admission)))
        })?;
        let purpose = HoldPurpose { model: &inbound.model, stream: inbound.stream, tokens: known_tokens(inbound) };
        let hold = self.hold_for(cx, caller, purpose, quoted.iter().map(|(_, (quote, _))| quote)).await?;
        let paid = quoted.into_iter().zip([false].into_iter().chain(std::iter::repeat(true)));
        let paid = paid.filter(|((_, (quote, _)), fallback)| !fallback || quote.least <= hold.amount());
        let offers = paid.map(|((model, (CostQuote { tariff, .. }, (bound, ceiling, admission))), fallback)| {
            let bought = bound.cut_to(ceiling.output_bought(hold.amount(), bound.prompt));
            let bought = bought.filter(|tokens| *tokens < model.max_output_tokens);
            // What the client may have of the model that it asked for can be more than this one gives.
            let cut = fallback.then(|| inbound.asked.cut_for(&model)).flatten();
            ModelOffer { model, tariff, output_bound: bought.into_iter().chain(cut).min(), fallback, admission }
        });
        let offers = offers.collect();
        Ok(ReservedRequest { hold, offers })
    }

    /// Holds enough for whichever of the models answers, or at the least enough for the first.
    pub(crate) async fn hold_for<'q>(
        &self,
        cx: &Cx,
        caller: Principal,
        purpose: HoldPurpose<'_>,
        quotes: impl Iterator<Item = &'q CostQuote> + Clone,
    ) -> Result<Hold, GatewayError> {
        let first = quotes.clone().next().expect("the model that was asked for has been quoted");
        let ask = HoldRequest {
            account: caller.account,
            key: caller.key,
            request: cx.request_id,
            tokens: purpose.tokens,
            want: quotes.map(|quote| quote.most).max().expect("there is a first"),
            least: first.least,
            expires_at_ms: self.hold_expiry_ms(),
            model: purpose.model.to_owned(),
            stream: purpose.stream,
            price: first.tariff.base.clone(),
            tags: cx.tags.clone(),
            claim: cx.claim.clone(),
        };
        let mut span = self.traces.span(cx.request_id, SpanPart::Hold);
        span.note("tollgate.account_id", || ask.account.0);
        span.note("tollgate.key_id", || ask.key.0);
        let held = self.credit.hold(ask).await;
        match &held {
            Ok(hold) => span.note_text("tollgate.held_usd", hold.amount()),
            Err(_) => span.failed(),
        }
        Ok(held?)
    }

    /// The expiry of a hold in Unix milliseconds, beyond all that the request may take.
    ///
    /// That is with its client gone at the last moment.
    fn hold_expiry_ms(&self) -> i64 {
        let lasts = self.patience.total + self.patience.abandoned + self.patience.hold_margin;
        self.clock.now_ms().saturating_add(i64::try_from(lasts.as_millis()).unwrap_or(i64::MAX))
    }
}

/// The models with the quote of each; fallbacks without a quote are left out.
///
/// `quote` is told if the model takes another's place. The first model has to have a quote.
///
/// # Errors
/// The error of the first model's quote.
pub(crate) fn quoted<Q>(
    models: Vec<Arc<CatalogModel>>,
    quote: impl Fn(&CatalogModel, bool) -> Result<Q, GatewayError>,
) -> Result<Vec<(Arc<CatalogModel>, Q)>, GatewayError> {
    let mut quoted = Vec::with_capacity(models.len());
    for (index, model) in models.into_iter().enumerate() {
        match quote(&model, index > 0) {
            Ok(found) => quoted.push((model, found)),
            Err(error) if index == 0 => return Err(error),
            // It cannot take the other's place for this request.
            Err(_) => {}
        }
    }
    Ok(quoted)
}

impl From<MalformedRequest> for GatewayError {
    fn from(unreadable: MalformedRequest) -> Self {
        Self::Unreadable(unreadable)
    }
}

impl From<MemberRefusal> for GatewayError {
    fn from(refused: MemberRefusal) -> Self {
        Self::Member(refused)
    }
}

impl From<HoldRefused> for GatewayError {
    fn from(refused: HoldRefused) -> Self {
        match refused {
            HoldRefused::Insufficient { needed, available, held } => {
                Self::Insufficient(CreditShortage { needed, available, held })
            }
            HoldRefused::TiedUp { needed, available, held } => Self::TiedUp(CreditShortage { needed, available, held }),
            HoldRefused::OverBudget { holder, period, needed, budget, used, resets_at_ms } => {
                Self::OverBudget(BudgetOverrun { holder, period, needed, budget, used, resets_at_ms })
            }
            HoldRefused::BudgetTiedUp { holder, period, needed, left, held } => {
                Self::BudgetTiedUp(BudgetInUse { holder, period, needed, left, held })
            }
            HoldRefused::TooSoon(why) => Self::TooSoon(why),
            HoldRefused::KeyRevoked | HoldRefused::AccountFrozen => Self::KeyDisabled,
            HoldRefused::KeyExpired => Self::KeyExpired,
            HoldRefused::QueueFull
            | HoldRefused::Duplicate
            | HoldRefused::Claimed(_)
            | HoldRefused::NoSuchAccount
            | HoldRefused::Invalid(_)
            | HoldRefused::Unavailable => Self::Ledger,
        }
    }
}

/// The dearest prices that a request can come to, with the tools and in the classes of service that it asks for.
fn ceiling(tariff: &Tariff, bound: TokenBounds, services: &RequestedServices) -> Result<PriceCeiling, MoneyError> {
    let tokens = tariff.ceiling(bound.prompt, bound.kinds, &services.classes)?;
    services.tools.iter().try_fold(tokens, |ceiling, (tool, uses)| {
        let price = tariff.services.tools.get(*tool).copied().unwrap_or_default();
        ceiling.with_tool(*uses, price)
    })
}

/// The tokens of a prompt by its size, before a provider reads it; 0 where it is not text alone.
fn known_tokens(inbound: &InboundRequest) -> u64 {
    if !inbound.asked.text_alone {
        return 0;
    }
    inbound.prompt_bytes.div_ceil(limits::COUNTED_BYTES_PER_TOKEN.into())
}
