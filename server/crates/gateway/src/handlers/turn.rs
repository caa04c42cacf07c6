//! The errors of all operations that ask a model: the gateway's errors as codes of the operation, rendered in the client's
//! format.

use crate::error::GatewayError;
use crate::members::MemberRefusal;
use crate::pipeline::billing::BilledRequest;
use crate::pipeline::metered_stream::StreamFault;
use crate::pipeline::rate_limit_headers;
use crate::streaming::client_error::ClientStreamError;
use tollgate_api::generated::errors::code;
use tollgate_api::{Code, Cx, Envelope, EventStream, Failure, OperationError, ProxyReply, ProxyReplyBody};
use tollgate_credit::RateLimitState;
use tollgate_formats::MalformedRequest;

/// The closed set of codes of an operation that asks a model.
pub trait TurnError: OperationError + Sized {
    /// The code for an error of the gateway.
    fn from_gateway(error: GatewayError, model: String) -> Self;
}

/// Maps the gateway's errors to the codes of an operation that declares `$proxy`.
macro_rules! turn_error {
    ($error:ident) => {
        impl $crate::TurnError for $error {
            fn from_gateway(error: $crate::GatewayError, model: String) -> Self {
                use $crate::GatewayError as Reason;
                match error {
                    Reason::NoModel => Self::ModelNotFound { model },
                    Reason::NotAllowed => Self::ModelNotAllowed { model },
                    Reason::Unpriceable | Reason::NotSold(_) | Reason::Member(_) => Self::UnknownPrice { model },
                    Reason::Insufficient($crate::CreditShortage { needed, available, held }) => {
                        Self::InsufficientCredit { needed_usd: needed, available_usd: available, held_usd: held }
                    }
                    Reason::TiedUp($crate::CreditShortage { needed, available, held }) => {
                        Self::CreditInFlight { needed_usd: needed, available_usd: available, held_usd: held }
                    }
                    Reason::OverBudget(over) if over.is_of_key() => Self::KeySpendCapExceeded {
                        cap_usd: over.budget,
                        spent_usd: over.used,
                        needed_usd: over.needed,
                        resets_at: over.resets_at(),
                    },
                    Reason::OverBudget(over) => Self::BudgetExceeded {
                        holder: over.holder.as_str().to_owned(),
                        period: over.period.word().to_owned(),
                        budget_usd: over.budget,
                        left_usd: over.left(),
                        needed_usd: over.needed,
                        resets_at: over.resets_at(),
                    },
                    Reason::BudgetTiedUp(used) => Self::BudgetInFlight {
                        holder: used.holder.as_str().to_owned(),
                        period: used.period.word().to_owned(),
                        held_usd: used.held,
                        left_usd: used.left,
                        needed_usd: used.needed,
                    },
                    Reason::TooSoon(why) => Self::RateLimited { limit: $crate::rate(&why) },
                    Reason::KeyDisabled => Self::KeyDisabled,
                    Reason::KeyExpired => Self::KeyExpired,
                    Reason::Ledger => Self::LedgerUnavailable,
                    Reason::Failed => Self::UpstreamFailed { model },
                    Reason::TooSlow => Self::UpstreamTimeout { model },
                    Reason::Overloaded { .. } | Reason::NoRoom => Self::UpstreamOverloaded { model },
                    Reason::RateLimited { .. } => Self::UpstreamRateLimited { model },
                    Reason::NotCarried(tollgate_formats::Unsupported { at, reason }) => {
                        Self::NotConvertible { field: at, model, reason }
                    }
                    Reason::Unreadable(unreadable) => Self::UpstreamRefused { reason: unreadable.to_string() },
                    Reason::Refused { status, message } => {
                        let reason = message.unwrap_or_else(|| format!("it answered with status {}", status.as_u16()));
                        Self::UpstreamRefused { reason }
                    }
                }
            }
        }
    };
}
pub(super) use turn_error;

/// The answer of an operation, or its error. Some errors carry more than the closed set has: the provider's own wait or
/// status, the place of a wrong member.
pub fn answer<E: TurnError>(
    cx: &Cx,
    envelope: &'static Envelope,
    model: String,
    answered: Result<ProxyReply, GatewayError>,
) -> Result<ProxyReply, E> {
    let error = match answered {
        Ok(reply) => return Ok(reply),
        Err(error) => error,
    };
    let wait = error.retry_after_seconds();
    let standing = if let GatewayError::TooSoon(why) = &error { why.standing } else { RateLimitState::default() };
    let failure = match error {
        GatewayError::NoRoom => code::Overloaded {}.failure(),
        GatewayError::Member(refused) => member_refused(refused, model),
        GatewayError::NotSold(field) => {
            let (expected, found) = ("absent: it has no price here".to_owned(), "asked for".to_owned());
            code::BadField { field, expected, found }.failure()
        }
        GatewayError::Unreadable(MalformedRequest { at, expected, .. }) if expected == "present" => {
            code::MissingField { field: at }.failure()
        }
        GatewayError::Unreadable(MalformedRequest { at, expected, found }) => {
            code::BadField { field: at, expected, found }.failure()
        }
        GatewayError::Refused { status, message } => {
            E::from_gateway(GatewayError::Refused { status, message }, model).failure().with_status(status)
        }
        error => match wait {
            Some(seconds) => E::from_gateway(error, model).failure().with_retry_after(seconds),
            None => return Err(E::from_gateway(error, model)),
        },
    };
    let mut reply = rendered(cx, envelope, &failure);
    rate_limit_headers::insert_headers(&mut reply.headers, envelope.style == "a", &standing);
    Ok(reply)
}

/// The error for a refused member, as one of the codes of `$turn`.
fn member_refused(refused: MemberRefusal, model: String) -> Failure {
    match refused {
        MemberRefusal::Unknown { field, setting } => code::MemberUnknown { field, setting }.failure(),
        MemberRefusal::NotOffered { field, what, setting } => {
            code::NotOffered { field, what, model, setting }.failure()
        }
        MemberRefusal::NotSold { field, value } => {
            code::BadField { field, expected: "what the base price is for".to_owned(), found: value }.failure()
        }
        MemberRefusal::State { field } => code::ProviderState { field }.failure(),
        // The code that clients of the format know how to recover from.
        MemberRefusal::Thread => {
            code::ThreadUnsupported { error_code: "thread_unsupported_request".to_owned() }.failure()
        }
        MemberRefusal::TooMuch { field } => {
            let (expected, found) = ("absent: too much here has no price".to_owned(), "one more".to_owned());
            code::BadField { field, expected, found }.failure()
        }
        MemberRefusal::Unreadable { field } => {
            let (expected, found) = ("written once, and of its type".to_owned(), "something else".to_owned());
            code::BadField { field, expected, found }.failure()
        }
    }
}

/// The reply of a proxied operation for a failure.
pub fn rendered(cx: &Cx, envelope: &'static Envelope, failure: &Failure) -> ProxyReply {
    let (status, headers, body) = failure.render(envelope, &cx.request_id);
    ProxyReply { status, headers, body: ProxyReplyBody::Error(body, failure.info()) }
}

/// The error texts for a broken stream, in the client's format.
pub(super) fn render_stream_error(
    fault: StreamFault,
    tab: &BilledRequest,
    stream: EventStream,
    envelope: &'static Envelope,
) -> ClientStreamError {
    let failure = match fault {
        StreamFault::BrokeOff => code::UpstreamBrokeOff { model: tab.model.clone() }.failure(),
        StreamFault::NotRecorded => code::LedgerUnavailable {}.failure(),
    };
    let (_, _, body) = failure.render(envelope, &tab.request_id);
    let event = stream.event("error", &body);
    ClientStreamError { code: failure.name(), message: failure.say().into_owned(), body, event }
}
