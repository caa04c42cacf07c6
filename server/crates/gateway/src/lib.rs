//! Floor 3: model requests. Finds the model, holds its worst case, forwards, meters, settles.
//!
//! May import `credit` below it, and floors 1 and 0. Cannot: write a balance (it only holds and settles), look at a
//! key (it is handed a `Principal`), or know HTTP servers. Connections to providers are opened in `upstream` alone.
//!
//! Invariants: nothing is sent before its hold is durable; no end of an answer is shown before its charge is durable;
//! bytes of the client and of the provider are copied as they stand but for the edits named in [`inbound`]
//! and [`streaming`]; every hold is settled or released by the code that took it, whoever goes away meanwhile.
//!
//! Start reading at [`pipeline`]: its steps are the path of a request. The folders by their levels, each of which imports
//! those before it alone: [`members`] and [`metering`]; [`streaming`]; [`stored_responses`] and
//! [`upstream`]; [`routing`] with [`prices`]; [`inbound`]; [`pipeline`]; [`unary`], [`video_provider`] and [`count`]; [`handlers`].

mod config;
mod count;
mod error;
mod handlers;
mod inbound;
mod members;
mod metering;
mod pipeline;
mod prices;
mod provider_test;
mod routing;
mod stored_responses;
mod streaming;
mod unary;
mod upstream;
mod video_provider;

use std::sync::Arc;

use arc_swap::ArcSwap;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use tollgate_api::BodyMemory;
use tollgate_base::{AccountGroup, Clock};
use tollgate_credit::Ledger;
use tollgate_telemetry::TraceHandle;

use upstream::{AddressFetcher, AnswerRoom};

pub use config::{
    CandidateConfig, Config, HostedTools, HttpVersion, KeyPair, ModelConfig, OutputBoundField, PatternConfig,
    ProviderKind, ProviderReach, UnknownMembers, UpstreamConfig, UpstreamLimits, VideoTerms,
};
pub use error::{CreditShortage, GatewayError, rate};
pub use handlers::turn::{self as answers, TurnError};
pub use inbound::{check_json, check_parts};
pub use members::{MemberClasses, OperatorClass, class_key, is_sold};
pub use pipeline::deliver::add_dropped_header;
pub use provider_test::ProviderTestResult;
pub use routing::catalog::{CandidateReport, Catalog};
pub use routing::model_pattern::NamePattern;
pub use routing::provider_history::ProviderMinute;
pub use stored_responses::ResponseStore;
pub use upstream::{ForbiddenAddress, UpstreamError, check_provider_address, is_header_value};
pub use video_provider::{
    ForwardedForm, FrameSize, RemainingMembers, StartImage, SubmissionJournal, SubmittedVideo, VideoMeasures,
    VideoPollResult, VideoRequest, VideoSource, VideoTaskFailure, VideoTaskId, VideoTaskReport, VideoTaskState,
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
        let catalog = Arc::new(ArcSwap::from_pointee(Catalog::build(config, &clock)?));
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

    /// True if the configuration has a ratio for the group.
    #[must_use]
    pub fn has_group(&self, group: AccountGroup) -> bool {
        self.catalog.load().ratio(group).is_some()
    }

    /// The groups that the configuration has a ratio for, by name.
    #[must_use]
    pub fn groups(&self) -> Vec<AccountGroup> {
        self.catalog.load().groups().collect()
    }

    /// The models at a provider, as this server has seen them. Names that a pattern fits are there once they were asked for.
    #[must_use]
    pub fn candidates_at(&self, provider: &str) -> Vec<CandidateReport> {
        self.catalog.load().candidates_at(provider, tokio::time::Instant::now())
    }

    /// The last hour of a provider, by the minute, the oldest first, as this server has seen it; `None` where there is none of the
    /// name.
    #[must_use]
    pub fn provider_minutes(&self, provider: &str) -> Option<Vec<ProviderMinute>> {
        self.catalog.load().minutes_of(provider)
    }

    /// The tariff of a model, for the accounts of a group; `None` where there is no such model, or the group has no ratio.
    #[must_use]
    pub fn tariff(
        &self,
        model: &str,
        group: AccountGroup,
    ) -> Option<(Arc<tollgate_credit::Tariff>, tollgate_base::PriceRatio)> {
        let catalog = self.catalog.load();
        let ratio = catalog.ratio(group)?;
        Some((catalog.find(model)?.tariff.clone().shared_at(ratio), ratio))
    }

    /// What the provider of a model asks for a unit of usage, for operators alone; `None` where it is not known.
    #[must_use]
    pub fn cost(&self, model: &str) -> Option<tollgate_credit::TokenPrices> {
        self.catalog.load().find(model)?.cost.clone()
    }

    /// The number of providers that are configured.
    #[must_use]
    pub fn provider_count(&self) -> usize {
        self.catalog.load().provider_count()
    }

    /// The number of models on offer, each with a price. A pattern counts once.
    #[must_use]
    pub fn model_count(&self) -> usize {
        self.catalog.load().model_count()
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
