// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `admin_providers`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// Origin of something on offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_providers.yaml: CatalogOrigin")]
pub enum CatalogOrigin {
    /// The configuration file, which alone changes it.
    #[wire(name = "file")]
    File,
    /// Operators, by this API.
    #[wire(name = "api")]
    Api,
}

/// Something that is on offer no more.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: CatalogRemoved")]
pub struct CatalogRemoved {
    /// Its name.
    pub name: String,
}

/// The kind of a provider: its task, and the shape in which it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_providers.yaml: ProviderFormat")]
pub enum ProviderFormat {
    /// Chat, in format O.
    #[wire(name = "chat")]
    Chat,
    /// Chat, in format R.
    #[wire(name = "responses")]
    Responses,
    /// Chat, in format A.
    #[wire(name = "messages")]
    Messages,
    /// Chat, in format G.
    #[wire(name = "generate")]
    Generate,
    /// Pictures at once.
    #[wire(name = "pictures")]
    Pictures,
    /// Pictures by tasks, which are polled.
    #[wire(name = "pictures_later")]
    PicturesLater,
    /// Videos, in the style of `/videoA`.
    #[wire(name = "video_a")]
    VideoA,
}

/// The version of HTTP that is spoken to a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_providers.yaml: ProviderHttp")]
pub enum ProviderHttp {
    /// The version that it prefers over TLS, else HTTP/1.1.
    #[wire(name = "auto")]
    Auto,
    /// HTTP/1.1 alone.
    #[wire(name = "http1")]
    Http1,
    /// HTTP/2 alone.
    #[wire(name = "http2")]
    Http2,
}

/// The member that bounds the output, where one has to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_providers.yaml: OutputBoundField")]
pub enum OutputBoundField {
    /// The name of today in format O.
    #[wire(name = "max_completion_tokens")]
    MaxCompletionTokens,
    /// The older name, which many compatible providers want.
    #[wire(name = "max_tokens")]
    MaxTokens,
}

/// Treatment of members of a request that no list knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_providers.yaml: UnknownMembers")]
pub enum UnknownMembers {
    /// The request is refused, and the error names the member.
    #[wire(name = "refuse")]
    Refuse,
    /// The provider is sent them, unpriced.
    #[wire(name = "forward")]
    Forward,
}

/// A provider, with the keys of the configuration file.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: ProviderSettings")]
pub struct ProviderSettings {
    /// Its address up to and including the version segment, as in `https://api.example.com/v1`.
    #[wire(min_len = 1, max_len = 1000)]
    pub base_url: String,
    /// Its kind. Absent means `chat`.
    #[wire(optional)]
    pub format: Option<ProviderFormat>,
    /// The most requests under way at once. Absent means no bound.
    #[wire(optional, min = 1)]
    pub concurrency_max: Option<i64>,
    /// The version of HTTP. Absent means `auto`.
    #[wire(optional)]
    pub http: Option<ProviderHttp>,
    /// The member that bounds the output. Absent means `max_completion_tokens`.
    #[wire(optional)]
    pub output_bound_field: Option<OutputBoundField>,
    /// Of format `chat`: true if it has `/completions` too. Absent means true.
    #[wire(optional)]
    pub completions: Option<bool>,
    /// Treatment of members that no list knows. Absent means `refuse`.
    #[wire(optional)]
    pub unknown_members: Option<UnknownMembers>,
}

/// A new provider.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: ProviderRequest")]
pub struct ProviderRequest {
    /// Its name, by which models name it: no line breaks, no outer spaces.
    #[wire(min_len = 1, max_len = 64)]
    pub name: String,
    /// Its settings.
    pub settings: ProviderSettings,
    /// Its key, where it has one.
    #[wire(optional, min_len = 1, max_len = 4000)]
    pub api_key: Option<api::ShownOnce>,
    /// Of format `video_a`: the half of its pair of keys that names us.
    #[wire(optional, min_len = 1, max_len = 4000)]
    pub access_key: Option<api::ShownOnce>,
    /// Of format `video_a`: the half of its pair of keys that signs.
    #[wire(optional, min_len = 1, max_len = 4000)]
    pub secret_key: Option<api::ShownOnce>,
    /// The reason, for the log of changes.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// New settings of a provider.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: ProviderUpdate")]
pub struct ProviderUpdate {
    /// Its settings from now on.
    pub settings: ProviderSettings,
    /// A new key.
    #[wire(optional, min_len = 1, max_len = 4000)]
    pub api_key: Option<api::ShownOnce>,
    /// A new half of its pair of keys that names us, beside the other.
    #[wire(optional, min_len = 1, max_len = 4000)]
    pub access_key: Option<api::ShownOnce>,
    /// A new half of its pair of keys that signs, beside the other.
    #[wire(optional, min_len = 1, max_len = 4000)]
    pub secret_key: Option<api::ShownOnce>,
    /// True to take its secret away. Absent means false.
    #[wire(optional)]
    pub drop_secret: Option<bool>,
    /// The reason, for the log of changes.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// The state of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_providers.yaml: ProviderState")]
pub enum ProviderState {
    /// It is sent requests.
    #[wire(name = "serving")]
    Serving,
    /// It is sent no new ones; those under way end.
    #[wire(name = "draining")]
    Draining,
    /// It cannot be used, as `fault` tells, and no model that needs it is sold.
    #[wire(name = "left_out")]
    LeftOut,
}

/// The breaker of a model at a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_providers.yaml: CandidateState")]
pub enum CandidateState {
    /// Requests are sent.
    #[wire(name = "closed")]
    Closed,
    /// None is sent for a while: it failed, or asked to be left alone.
    #[wire(name = "open")]
    Open,
}

/// A model at a provider, as the server that answers has seen it.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: CandidateHealth")]
pub struct CandidateHealth {
    /// The model on offer.
    pub model: String,
    /// Its name there.
    pub upstream_model: String,
    /// Its breaker.
    pub state: CandidateState,
    /// Usual time to the first byte, in milliseconds. Null while nothing is known.
    #[wire(nullable)]
    pub latency_ms: Option<i64>,
}

/// One page of the list of providers.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: ProviderPage")]
pub struct ProviderPage {
    /// The providers.
    pub providers: Vec<Provider>,
    /// Value of `after` for the next page. Null on the last one.
    #[wire(nullable)]
    pub next: Option<String>,
}

/// A provider.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: Provider")]
pub struct Provider {
    /// Its name.
    pub name: String,
    /// Origin: the configuration file, or operators.
    pub origin: CatalogOrigin,
    /// Its state.
    pub state: ProviderState,
    /// Reason that it cannot be used. Null where it can.
    #[wire(nullable)]
    pub fault: Option<String>,
    /// Its settings.
    pub settings: ProviderSettings,
    /// True if it is sent a key of ours.
    pub has_secret: bool,
    /// The key that seals its secret, by its id. Null where the secret is not kept here.
    #[wire(nullable)]
    pub secret_key_id: Option<String>,
    /// Time at which its secret was set. Null where it is not kept here.
    #[wire(nullable)]
    pub secret_set_at: Option<String>,
    /// The models that it has, as the server that answers has seen them.
    pub models: Vec<CandidateHealth>,
    /// Time of its last change. Null where the file has it.
    #[wire(nullable)]
    pub changed_at: Option<String>,
    /// Actor of its last change, as in the log of changes. Null where the file has it.
    #[wire(nullable)]
    pub changed_by: Option<String>,
    /// Changes with its settings; for `If-Match`.
    pub version: String,
}

/// The requests to a provider that ended in one minute.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: ProviderMinute")]
pub struct ProviderMinute {
    /// The start of the minute.
    pub at: String,
    /// Requests that were sent to it and answered, failed or turned away. A request of a customer that is tried
    /// again counts again.
    pub requests: i64,
    /// Those that failed.
    pub failures: i64,
    /// Those that it turned away, because it takes no more for now.
    pub limited: i64,
    /// Mean time to the first byte of those that were answered, in milliseconds. Null where none was.
    #[wire(nullable)]
    pub first_byte_ms: Option<i64>,
    /// Times that the breaker of one of its models opened.
    pub breaker_openings: i64,
}

/// The last hour of a provider.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: ProviderHealth")]
pub struct ProviderHealth {
    /// The last 60 minutes, the oldest first, the present one included. Empty where the provider cannot be used.
    pub minutes: Vec<ProviderMinute>,
}

/// A test of a provider.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: ProviderTestRequest")]
pub struct ProviderTestRequest {
    /// The model by its name at the provider.
    #[wire(min_len = 1, max_len = 256)]
    pub model: String,
}

/// The answer of a provider to a test.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: ProviderTest")]
pub struct ProviderTest {
    /// True if it answered the text.
    pub answered: bool,
    /// The status of HTTP. Null where none came.
    #[wire(nullable)]
    pub status: Option<i64>,
    /// Time to the end of the answer, in milliseconds.
    pub duration_ms: i64,
    /// The text of the answer, or of the refusal, up to 500 letters; else what happened. Secrets are not in it.
    pub answer: String,
}

/// Secrets that were sealed anew.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: SecretsResealed")]
pub struct SecretsResealed {
    /// Number of secrets that were under another key.
    pub resealed: i64,
    /// The key under which all are now, by its id.
    pub key_id: String,
}

/// Answer of `admin_providers.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: ProviderListReply")]
pub struct ProviderListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The page.
    pub data: ProviderPage,
}

/// Answer of `admin_providers.get`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: ProviderReply")]
pub struct ProviderReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The provider.
    pub data: Provider,
}

/// Answer of `admin_providers.health`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: ProviderHealthReply")]
pub struct ProviderHealthReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The last hour.
    pub data: ProviderHealth,
}

/// Answer of `admin_providers.remove`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: CatalogRemovedReply")]
pub struct CatalogRemovedReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The entry that was taken off.
    pub data: CatalogRemoved,
}

/// Answer of `admin_providers.test`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: ProviderTestReply")]
pub struct ProviderTestReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The answer of the provider.
    pub data: ProviderTest,
}

/// Answer of `admin_providers.reseal`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_providers.yaml: SecretsResealedReply")]
pub struct SecretsResealedReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The outcome.
    pub data: SecretsResealed,
}
