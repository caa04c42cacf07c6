//! Floor 3: model requests. Finds the model, holds its worst case, forwards, meters, settles.
//!
//! May import `credit` below it, and floors 1 and 0. Cannot: write a balance (it only holds and settles), look at a
//! key (it is handed a `Principal`), or know HTTP servers. reqwest stands in `upstream` alone.
//!
//! Invariants: nothing is sent before its hold is durable; no end of an answer is shown before its charge is durable;
//! bytes of the client and of the provider are copied as they stand but for the edits named in [`inbound`],
//! [`hide`], [`closed_thinking`] and [`previous`]; every hold is settled or released by the code that took it, whoever
//! goes away meanwhile.
//!
//! Start reading at [`run`]: its steps are the path of a request. Each step has its file: [`reserve`], [`attempts`],
//! [`first_bytes`], [`deliver`]. Chat turns, unary requests and token counts share the one loop over candidates in [`attempts`].

mod answer_progress;
mod attempts;
mod breaker;
mod candidate_error;
mod catalog;
mod client_stream_error;
mod closed_thinking;
mod compaction;
mod config;
mod convert;
mod cost;
mod count;
mod counted_usage;
mod deliver;
mod disconnect;
mod error;
mod exchange;
mod first_bytes;
mod forward;
mod handlers;
mod inbound;
mod load_balance;
mod media_body;
mod metering;
mod model;
mod model_name;
mod model_offer;
mod model_pattern;
mod passthrough;
mod prepared_turn;
mod previous_response;
mod prices;
mod rate_limit_headers;
mod refusal;
mod reply;
mod reserve;
mod resolve;
mod run;
mod service_charges;
mod session;
mod settlement_policy;
mod splice;
mod sse;
mod stored_responses;
mod stream;
mod stream_chunk;
mod strip_usage;
mod tab;
mod token_bounds;
mod transcode;
mod turn;
mod unary;
mod upstream;
mod verdict;
mod video_provider;

use std::sync::Arc;

use arc_swap::ArcSwap;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::api::BodyMemory;
use crate::base::Clock;
use crate::credit::Ledger;
use crate::telemetry::TraceHandle;

use upstream::{AddressFetcher, AnswerRoom};

pub use catalog::Catalog;
pub use config::{
    CandidateConfig, Config, HostedTools, HttpVersion, KeyPair, ModelConfig, OutputBoundField, PatternConfig,
    ProviderKind, UnknownMembers, UpstreamConfig, UpstreamLimits, VideoTerms,
};
pub use deliver::add_dropped_header;
pub use error::{CreditShortage, GatewayError, rate};
pub use exchange::{Format, InputKind, MalformedRequest, ModelCapabilities, ThinkingMode, Unsupported};
pub(crate) use handlers::turn::turn_error;
pub use handlers::turn::{self as answers, TurnError};
pub use inbound::members::{MemberClasses, OperatorClass, class_key, is_sold};
pub use media_body::{check_json, check_parts};
pub use model_pattern::NamePattern;
pub use stored_responses::ResponseStore;
pub use upstream::{UpstreamError, install_tls};
pub use video_provider::{
    ForwardedForm, FrameSize, RemainingMembers, StartImage, SubmissionJournal, SubmittedVideo, VideoMeasures,
    VideoPollResult, VideoRequest, VideoSource, VideoTaskFailure as FilmFault, VideoTaskId, VideoTaskReport,
    VideoTaskState,
};

/// The room's handle. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Gateway {
    catalog: Arc<ArcSwap<Catalog>>,
    credit: Ledger,
    memory: ResponseStore,
    clock: Clock,
    patience: UpstreamLimits,
    fetcher: AddressFetcher,
    /// The memory that whole answers may take together.
    answers: BodyMemory,
    traces: TraceHandle,
    tasks: TaskTracker,
    /// Cancelled when the gateway has to end: requests whose clients have gone are not worked on any more.
    cut: CancellationToken,
}

impl Gateway {
    /// Builds the catalog and its upstream clients.
    ///
    /// # Errors
    /// When a client cannot be built.
    pub fn new(
        config: &Config,
        credit: Ledger,
        memory: ResponseStore,
        clock: Clock,
        traces: TraceHandle,
    ) -> Result<Self, UpstreamError> {
        let catalog = Arc::new(ArcSwap::from_pointee(Catalog::build(config)?));
        let fetcher = AddressFetcher::build(&config.fetch_allowed, config.patience)?;
        let answers = BodyMemory::new(config.answers_in_flight_bytes);
        let (patience, tasks, cut) = (config.patience, TaskTracker::new(), CancellationToken::new());
        Ok(Self { catalog, credit, memory, clock, patience, fetcher, answers, traces, tasks, cut })
    }

    /// Replaces the models and upstreams.
    ///
    /// Requests under way keep those that they began with, and what is the same in both configurations stays as it is.
    ///
    /// # Errors
    /// When a client cannot be built; the present catalog stays then.
    pub fn reload(&self, config: &Config) -> Result<(), UpstreamError> {
        self.catalog
            .store(Arc::new(self.catalog.load().rebuilt(&Config { patience: self.patience, ..config.clone() })?));
        Ok(())
    }

    /// Memory for one whole answer of at most `bytes_max` bytes, out of the budget of all answers.
    fn room(&self, bytes_max: usize) -> AnswerRoom<'_> {
        AnswerRoom { bytes_max, budget: &self.answers }
    }

    /// Deletes expired stored responses, again and again, until the future is dropped.
    pub async fn sweep_for_ever(&self) {
        self.memory.sweep_for_ever().await;
    }

    /// Stops work for clients that have gone: what was counted so far is charged at once.
    pub fn cut(&self) {
        self.cut.cancel();
    }

    /// Waits until every request under way has been settled. New ones must have stopped coming.
    pub async fn finish(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }
}
