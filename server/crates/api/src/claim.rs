//! A request's claim on its Idempotency-Key, on its way to where money is held for it.
//!
//! A request that is paid for has the row of its key written with its hold, and its reply with the receipt, each pair in one
//! transaction: a crash leaves both or neither, and neither costs a commit of its own.
//!
//! The decision on a request stands here too: it may be a claim, and a claim keeps the decision that was made on it.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use tollgate_base::{RequestId, Usd};

use super::idempotent_request::IdempotentRequest;
use super::kept_answer::{IdempotentEnd, KeptAnswer};
use super::reply::ProxyReply;

/// The claim of one request on its Idempotency-Key.
pub struct KeyClaim {
    /// The request.
    pub request: IdempotentRequest,
    since: Instant,
    state: Mutex<ClaimState>,
    /// The turn of this request, where another one has the key.
    taken: OnceLock<IdempotencyOutcome>,
    reply: OnceLock<ClaimReply>,
    /// The number of kept replies of the account, as far as this server knows.
    kept_replies: Arc<AtomicU32>,
}

/// The state of the row that a claim is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimState {
    /// There is no row yet.
    Unwritten,
    /// The request has the key, and has not ended in the ledger.
    Running,
    /// The hold was released, and the row deleted with it.
    Released,
    /// The request was charged, and its reply is not kept.
    Charged,
    /// The request was charged, and its reply is kept.
    Replied,
}

/// The reply to a request, as the ledger can keep it.
pub enum ClaimReply {
    /// The reply, by what the request was charged: small enough to be written with the receipt.
    WithReceipt(Box<dyn Fn(Usd) -> ProxyReply + Send + Sync>),
    /// It is written in a transaction of its own, after the receipt.
    Afterwards,
}

/// The decision on a request that carries a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdempotencyOutcome {
    /// It is the first: it is carried out, and [`Once::ended`](super::Once::ended) is told how that ended.
    First,
    /// It is paid for: it is carried out with this claim, and the ledger decides with its hold whether it is the first.
    Claimed(Arc<KeyClaim>),
    /// It was answered before.
    Answered(KeptAnswer),
    /// This request has the key and is under way.
    InFlight(RequestId),
    /// This request had the key and was carried out, and its answer cannot be given again.
    Done(RequestId),
    /// This request had the key and was another one.
    Other(RequestId),
}

impl KeyClaim {
    /// A claim that nothing is written of yet, whose account has so many replies kept.
    #[must_use]
    pub fn new(request: IdempotentRequest, kept_replies: Arc<AtomicU32>) -> Self {
        let state = Mutex::new(ClaimState::Unwritten);
        let since = Instant::now();
        Self { request, since, state, taken: OnceLock::new(), reply: OnceLock::new(), kept_replies }
    }

    /// The time since it was made.
    #[must_use]
    pub fn age(&self) -> Duration {
        self.since.elapsed()
    }

    /// Sets the reply. The first that is set stays; without one, no reply is kept.
    pub fn set_reply(&self, reply: ClaimReply) {
        let _ = self.reply.set(reply);
    }

    /// True where the reply is written after the receipt.
    #[must_use]
    pub fn replies_afterwards(&self) -> bool {
        matches!(self.reply.get(), Some(ClaimReply::Afterwards))
    }

    /// The reply as it is kept with a receipt of so much, if it is one that can be given again.
    #[must_use]
    pub fn reply(&self, charged: Usd) -> Option<KeptAnswer> {
        let Some(ClaimReply::WithReceipt(reply)) = self.reply.get() else { return None };
        KeptAnswer::of(reply(charged), self.request.request)
    }

    /// The number of kept replies of the account, as far as this server knows.
    #[must_use]
    pub fn kept_replies(&self) -> u32 {
        self.kept_replies.load(Ordering::Relaxed)
    }

    /// Sets the state once it is on the disk.
    pub fn set_state(&self, state: ClaimState) {
        if state == ClaimState::Replied {
            self.kept_replies.fetch_add(1, Ordering::Relaxed);
        }
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    /// The state that is on the disk.
    #[must_use]
    pub fn state(&self) -> ClaimState {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the turn of this request, where another one has the key: it is not carried out.
    pub fn set_taken(&self, turn: IdempotencyOutcome) {
        let _ = self.taken.set(turn);
    }

    /// The turn of this request, where another one has the key.
    #[must_use]
    pub fn taken(&self) -> Option<&IdempotencyOutcome> {
        self.taken.get()
    }

    /// True where the ledger has written, or will write, all that this end leaves in the row. What nothing was charged for leaves no
    /// row: the next request with the key is carried out.
    #[must_use]
    pub fn covers(&self, end: &IdempotentEnd) -> bool {
        self.state() != ClaimState::Running || *end == IdempotentEnd::Done
    }
}

impl IdempotencyOutcome {
    /// The request that has the key in the place of this one.
    #[must_use]
    pub const fn first(&self) -> Option<RequestId> {
        match self {
            Self::First | Self::Claimed(_) => None,
            Self::Answered(KeptAnswer { first, .. })
            | Self::InFlight(first)
            | Self::Done(first)
            | Self::Other(first) => Some(*first),
        }
    }
}

impl fmt::Debug for KeyClaim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { request, state, taken, .. } = self;
        let mut claim = formatter.debug_struct("KeyClaim");
        claim.field("request", request).field("state", state).field("taken", taken).finish_non_exhaustive()
    }
}

impl PartialEq for KeyClaim {
    fn eq(&self, other: &Self) -> bool {
        self.request == other.request
    }
}

impl Eq for KeyClaim {}
