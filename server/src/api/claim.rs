//! A request's claim on its Idempotency-Key, on its way to where money is held for it.
//!
//! A request that is paid for has its key written down with its hold and its answer with its receipt, each pair in one
//! transaction: a crash leaves both or neither, and neither costs a commit of its own.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::base::{RequestId, Usd};

use super::once::{KeptAnswer, Keyed, OnceEnd};
use super::reply::ProxyReply;

type Reply = Box<dyn Fn(Usd) -> ProxyReply + Send + Sync>;

/// What a request says of its key to the ledger, and what the ledger has written down of it.
pub struct KeyClaim {
    /// The request.
    pub request: Keyed,
    stands: Mutex<ClaimStands>,
    /// The request that has the key.
    other: OnceLock<RequestId>,
    /// The whole answer, by what it was charged.
    reply: OnceLock<Reply>,
    /// How many answers of the account are kept, as far as this server knows.
    answers: Arc<AtomicU32>,
}

/// What is written down of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimStands {
    /// Nothing.
    Unwritten,
    /// The request has its key.
    Running,
    /// It has ended: its key is free again, or its answer is not kept.
    Ended,
    /// It has ended, and its answer is kept.
    Answered,
}

impl KeyClaim {
    /// The claim of a request whose account has so many answers kept.
    #[must_use]
    pub fn new(request: Keyed, stands: ClaimStands, answers: Arc<AtomicU32>) -> Self {
        Self { request, stands: Mutex::new(stands), other: OnceLock::new(), reply: OnceLock::new(), answers }
    }

    /// The whole answer that the request gets when it has been charged. Without one, its answer is not kept with the charge.
    pub fn answers_with(&self, reply: impl Fn(Usd) -> ProxyReply + Send + Sync + 'static) {
        drop(self.reply.set(Box::new(reply)));
    }

    /// The answer as it is kept, if it is one that can be given again.
    #[must_use]
    pub fn answer(&self, charged: Usd) -> Option<KeptAnswer> {
        KeptAnswer::of(self.reply.get()?(charged), self.request.request)
    }

    /// How many answers of the account are kept, as far as this server knows.
    #[must_use]
    pub fn answers_kept(&self) -> u32 {
        self.answers.load(Ordering::Relaxed)
    }

    /// Notes what is on the disk of it.
    pub fn set_stands(&self, stands: ClaimStands) {
        if stands == ClaimStands::Answered {
            self.answers.fetch_add(1, Ordering::Relaxed);
        }
        *self.stands.lock().unwrap_or_else(PoisonError::into_inner) = stands;
    }

    /// What is on the disk of it.
    #[must_use]
    pub fn stands(&self) -> ClaimStands {
        *self.stands.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that another request has the key, so that this one is not carried out.
    pub fn lost_to(&self, other: RequestId) {
        let _ = self.other.set(other);
    }

    /// The request that has the key, where it is another.
    #[must_use]
    pub fn other(&self) -> Option<RequestId> {
        self.other.get().copied()
    }

    /// Whether nothing is left to be written down of how the request ended.
    #[must_use]
    pub fn is_settled_by(&self, end: &OnceEnd) -> bool {
        match (self.stands(), end) {
            (ClaimStands::Answered, _) => true,
            // It is released, or never was: what is told then is for this time.
            (ClaimStands::Unwritten | ClaimStands::Ended, OnceEnd::MayRunAgain | OnceEnd::Done) => true,
            // Of what is under way the ledger writes down the end.
            (ClaimStands::Running, OnceEnd::Done) => true,
            (ClaimStands::Running, OnceEnd::MayRunAgain) => false,
            (ClaimStands::Unwritten | ClaimStands::Running | ClaimStands::Ended, OnceEnd::Answered(_)) => false,
        }
    }
}

impl fmt::Debug for KeyClaim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { request, stands, other, .. } = self;
        formatter
            .debug_struct("KeyClaim")
            .field("request", request)
            .field("stands", stands)
            .field("other", other)
            .finish_non_exhaustive()
    }
}

impl PartialEq for KeyClaim {
    fn eq(&self, other: &Self) -> bool {
        self.request == other.request
    }
}

impl Eq for KeyClaim {}
