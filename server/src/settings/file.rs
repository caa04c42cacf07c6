//! The keys of the configuration file, as written.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use indexmap::IndexMap;
use serde::Deserialize;

use tollgate_catalog::{GroupTable, ModelTable, Offer, UpstreamTable};
use tollgate_gateway::{HostedTools, OperatorClass};
use tollgate_topup::ewallet::RequestTimeFormat;

/// The mode of the server: `sandbox` or `production`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerMode {
    /// Sandbox parts are allowed, and marked.
    #[default]
    Sandbox,
    /// Sandbox parts are refused.
    Production,
}

/// The form of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// A line for people.
    #[default]
    Text,
    /// A JSON object a line.
    Json,
}

/// The callers that may read the metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MetricsAccess {
    /// Programs on the same machine that come without a proxy.
    #[default]
    Loopback,
    /// Anyone who can reach the listener.
    Anyone,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ConfigFile {
    pub(super) mode: ServerMode,
    pub(super) listen: SocketAddr,
    pub(super) public_url: Option<String>,
    pub(super) data_dir: PathBuf,
    pub(super) database: DatabaseTable,
    pub(super) log: LogTable,
    pub(super) listener: ListenerTable,
    pub(super) accounts: AccountsTable,
    pub(super) admin: AdminTable,
    pub(super) console: ConsoleTable,
    pub(super) oidc: Vec<OidcTable>,
    pub(super) mail: Option<MailTable>,
    pub(super) agents: AgentsTable,
    pub(super) metrics: MetricsTable,
    pub(super) telemetry: TelemetryTable,
    pub(super) sandbox: SandboxTable,
    pub(super) patience: TimeoutsTable,
    pub(super) breaker: BreakerTable,
    pub(super) moderation: ModerationTable,
    pub(super) pictures: PicturesTable,
    pub(super) video: VideoTable,
    pub(super) fetch: FetchTable,
    pub(super) topup: TopupTable,
    pub(super) chains: IndexMap<String, ChainTable>,
    /// Absent: every model has its price beside it.
    pub(super) price_list: Option<PathBuf>,
    pub(super) hosted_tools: HostedTools,
    /// Classes of members and kinds, by the letter of a format and the name.
    pub(super) members: BTreeMap<MemberFormat, BTreeMap<String, OperatorClass>>,
    /// Beside `default`, which pays the prices as they are unless it stands here.
    pub(super) groups: IndexMap<String, GroupTable>,
    pub(super) upstreams: IndexMap<String, UpstreamTable>,
    pub(super) models: IndexMap<String, ModelTable>,
}

impl ConfigFile {
    /// What it says of providers, models and groups.
    pub(super) fn offer(&self) -> Offer {
        Offer {
            price_list: self.price_list.clone(),
            groups: self.groups.clone(),
            upstreams: self.upstreams.clone(),
            models: self.models.clone(),
            moderation_model: self.moderation.model.clone(),
            video_model: self.video.model.clone(),
        }
    }
}

/// A client format, by its letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(super) enum MemberFormat {
    A,
    G,
    O,
    R,
}

impl MemberFormat {
    pub(super) const fn letter(self) -> char {
        match self {
            Self::A => 'A',
            Self::G => 'G',
            Self::O => 'O',
            Self::R => 'R',
        }
    }
}

impl Default for ConfigFile {
    fn default() -> Self {
        Self {
            mode: ServerMode::default(),
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            public_url: None,
            data_dir: PathBuf::from("data"),
            database: DatabaseTable::default(),
            log: LogTable::default(),
            listener: ListenerTable::default(),
            accounts: AccountsTable::default(),
            admin: AdminTable::default(),
            console: ConsoleTable::default(),
            oidc: Vec::new(),
            mail: None,
            agents: AgentsTable::default(),
            metrics: MetricsTable::default(),
            telemetry: TelemetryTable::default(),
            sandbox: SandboxTable::default(),
            patience: TimeoutsTable::default(),
            breaker: BreakerTable::default(),
            moderation: ModerationTable::default(),
            pictures: PicturesTable::default(),
            video: VideoTable::default(),
            fetch: FetchTable::default(),
            topup: TopupTable::default(),
            chains: IndexMap::new(),
            price_list: None,
            hosted_tools: HostedTools::default(),
            members: BTreeMap::new(),
            groups: IndexMap::new(),
            upstreams: IndexMap::new(),
            models: IndexMap::new(),
        }
    }
}

/// Absent: the ledger is a file in `data_dir`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct DatabaseTable {
    pub(super) url: Option<String>,
    pub(super) url_env: Option<String>,
    pub(super) url_file: Option<PathBuf>,
}

impl fmt::Debug for DatabaseTable {
    /// Without the address, in which somebody may have written a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Database(…)")
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LogTable {
    pub(super) filter: String,
    pub(super) format: LogFormat,
}

impl Default for LogTable {
    fn default() -> Self {
        Self { filter: "info".to_owned(), format: LogFormat::default() }
    }
}

/// Absent: the spec's limit of that name; for `proxies`, the machine itself; for `trusted_proxies`, none.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ListenerTable {
    pub(super) connections_per_address: Option<usize>,
    pub(super) requests_in_flight: Option<usize>,
    pub(super) requests_in_flight_per_account: Option<usize>,
    pub(super) bodies_in_flight_mib: Option<usize>,
    pub(super) answers_in_flight_mib: Option<usize>,
    pub(super) client_read_idle_seconds: Option<u64>,
    pub(super) proxies: Option<Vec<String>>,
    pub(super) trusted_proxies: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct AccountsTable {
    /// True if people may open accounts by themselves.
    pub(super) registration: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct AdminTable {
    /// The address of its own on which operators are served.
    pub(super) listen: Option<SocketAddr>,
    /// True if operators are served on the address of everybody else too.
    pub(super) public: Option<bool>,
    /// The address at which operators reach it, where it is one of their own.
    pub(super) public_url: Option<String>,
    /// Absent, as its file: no secrets are kept.
    pub(super) secrets_key_env: Option<String>,
    pub(super) secrets_key_file: Option<PathBuf>,
    /// The key before it, while it is replaced.
    pub(super) secrets_key_former_env: Option<String>,
    pub(super) secrets_key_former_file: Option<PathBuf>,
    /// The networks besides the open internet in which providers that operators add may be.
    pub(super) provider_networks: Vec<String>,
    /// The folder of backups and archives that operators ask for; absent: in the folder of the ledger.
    pub(super) backup_dir: Option<PathBuf>,
    /// The most backups that stay there; absent: 10.
    pub(super) backups_kept: Option<NonZeroU32>,
}

/// What the pages for people bear. Absent: the name of the program, no logo, and the colour of the style.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ConsoleTable {
    pub(super) name: Option<String>,
    /// SVG or PNG, in a file beside the configuration.
    pub(super) logo_file: Option<PathBuf>,
    /// As `#rrggbb`.
    pub(super) accent: Option<String>,
}

/// Amounts in USD, written as text. Absent: without limit.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct AgentsTable {
    /// Absent: on where the address of the service is known.
    pub(super) enabled: Option<bool>,
    /// Absent: the main network.
    pub(super) solana_network: Option<String>,
    pub(super) cap_order_usd: Option<String>,
    pub(super) cap_day_usd: Option<String>,
    pub(super) cap_usd: Option<String>,
    pub(super) budget_day_usd: Option<String>,
    pub(super) budget_week_usd: Option<String>,
    pub(super) budget_month_usd: Option<String>,
    pub(super) budget_usd: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct MetricsTable {
    pub(super) open_to: MetricsAccess,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TelemetryTable {
    /// Absent: nothing is traced.
    pub(super) traces: Option<String>,
    /// The share of requests that are traced, as text: an exact decimal.
    pub(super) traces_ratio: String,
}

impl Default for TelemetryTable {
    fn default() -> Self {
        Self { traces: None, traces_ratio: "0.1".to_owned() }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SandboxTable {
    /// Absent: on when there is no configuration file, off otherwise.
    pub(super) enabled: Option<bool>,
}

/// Absent: the spec's limit of that name.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TimeoutsTable {
    pub(super) connect_seconds: Option<u64>,
    pub(super) first_event_seconds: Option<u64>,
    pub(super) first_content_milliseconds: Option<u64>,
    pub(super) idle_seconds: Option<u64>,
    pub(super) total_seconds: Option<u64>,
    pub(super) abandoned_seconds: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ModerationTable {
    /// Absent: a request has to name its model.
    pub(super) model: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PicturesTable {
    /// Absent: the spec's limit of that name.
    pub(super) poll_first_milliseconds: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct VideoTable {
    /// Absent: a request has to name its model.
    pub(super) model: Option<String>,
    /// Absent: the spec's limit of that name.
    pub(super) deadline_seconds: Option<u64>,
    pub(super) poll_first_milliseconds: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct FetchTable {
    pub(super) allowed: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TopupTable {
    pub(super) crypto: CryptoTable,
    pub(super) x402: X402Table,
    pub(super) ewallet: EwalletTable,
}

/// The mail server that invitations are sent through.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct MailTable {
    pub(super) host: Option<String>,
    /// Absent: the usual one of `tls`.
    pub(super) port: Option<u16>,
    pub(super) tls: MailProtection,
    pub(super) from: Option<String>,
    /// Absent: the mail server asks for none.
    pub(super) username: Option<String>,
    pub(super) password_env: Option<String>,
    pub(super) password_file: Option<PathBuf>,
    /// Absent: 1000.
    pub(super) per_day: Option<u32>,
}

/// The protection of connections to the mail server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum MailProtection {
    #[default]
    Starttls,
    Implicit,
    Off,
}

/// A provider of OpenID Connect that people sign in by.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OidcTable {
    pub(super) name: String,
    /// Absent: the name.
    pub(super) label: Option<String>,
    pub(super) issuer: String,
    pub(super) client_id: String,
    /// Absent: a public client.
    pub(super) client_secret_env: Option<String>,
    pub(super) client_secret_file: Option<PathBuf>,
    /// Beside `openid`. Absent: `email` and `profile`.
    pub(super) scopes: Option<Vec<String>>,
    /// Absent: `groups`.
    pub(super) groups_claim: Option<String>,
    /// Absent: as `accounts.registration`.
    pub(super) registration: Option<bool>,
    /// Absent: without an end.
    pub(super) sign_in_within_days: Option<u32>,
    #[serde(default)]
    pub(super) roles: Vec<OidcRoleEntry>,
}

/// The role of a group in an organisation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OidcRoleEntry {
    pub(super) group: String,
    /// The number of its account.
    pub(super) organisation: i64,
    pub(super) role: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CryptoTable {
    pub(super) enabled: bool,
    /// See [`X402Table`].
    pub(super) min_usd: Option<String>,
    pub(super) max_usd: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct X402Table {
    pub(super) enabled: bool,
    /// Absent: the spec's bounds. As text: binary floats cannot hold `0.10`.
    pub(super) min_usd: Option<String>,
    pub(super) max_usd: Option<String>,
    pub(super) wait_seconds: Option<u64>,
}

/// A chain on which can be paid.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChainTable {
    pub(super) network: String,
    #[serde(default)]
    pub(super) rpc_urls: Vec<String>,
    pub(super) rpc_urls_env: Option<String>,
    pub(super) rpc_urls_file: Option<PathBuf>,
    pub(super) depth: DepthSetting,
    pub(super) pay_to: String,
    pub(super) relayer_key_env: Option<String>,
    pub(super) relayer_key_file: Option<PathBuf>,
    /// Of an EVM chain. Absent: far above what the usual chains ask, and far below what would empty an account by mistake.
    pub(super) fee_gwei_max: Option<u32>,
    /// Of Solana, in lamports. Absent: many times what the usual clients ask for.
    pub(super) fee_lamports_max: Option<u64>,
    /// Most USD credited in an hour on the word of one node, as text.
    pub(super) one_node_usd_per_hour: Option<String>,
    /// Price in USD of a whole coin of the chain, by which fees are reckoned, as text.
    pub(super) coin_usd: Option<String>,
    /// Most USD of fees in an hour for payments that come to nothing, as text.
    pub(super) relayer_usd_per_hour: Option<String>,
    /// Absent: the least of the rails.
    pub(super) min_usd: Option<String>,
    /// A node that wallets are offered, which everybody is shown.
    pub(super) wallet_rpc_url: Option<String>,
    /// The symbol of the chain's own coin, for wallets. Absent: the usual one.
    pub(super) coin_symbol: Option<String>,
    /// A site that shows transactions.
    pub(super) explorer_url: Option<String>,
    #[serde(default)]
    pub(super) tokens: Vec<TokenEntry>,
}

impl fmt::Debug for ChainTable {
    /// Without the addresses of nodes, in which somebody may have written a key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Chain({}, …)", self.network)
    }
}

/// Blocks, or the chain's own word.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum DepthSetting {
    Blocks(u64),
    Tag(String),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TokenEntry {
    pub(super) symbol: String,
    pub(super) address: String,
    pub(super) decimals: u8,
    pub(super) method: TokenMethod,
    /// For `eip3009`.
    pub(super) name: Option<String>,
    /// For `eip3009`.
    pub(super) version: Option<String>,
}

/// The method by which payments in a token are signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TokenMethod {
    Eip3009,
    Spl,
    Spl2022,
    Permit2,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct EwalletTable {
    /// Absent: on where the merchant's key is named.
    pub(super) enabled: Option<bool>,
    pub(super) provider: String,
    pub(super) base_url: Option<String>,
    pub(super) client_id: Option<String>,
    pub(super) key_version: String,
    pub(super) merchant_key_env: Option<String>,
    pub(super) merchant_key_file: Option<PathBuf>,
    pub(super) provider_key_env: Option<String>,
    pub(super) provider_key_file: Option<PathBuf>,
    /// Beside the one above, whose version is `key_version`.
    pub(super) provider_keys: Vec<ProviderKeyEntry>,
    pub(super) request_time: RequestTimeFormat,
    /// Absent: the spec's.
    pub(super) min_usd: Option<String>,
    /// Absent: no bound.
    pub(super) max_usd: Option<String>,
    pub(super) return_url: Option<String>,
    /// Absent: the fourteen of the catalogue.
    pub(super) wallets: Option<Vec<WalletEntry>>,
}

/// A public key of the provider.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProviderKeyEntry {
    pub(super) version: String,
    pub(super) key_env: Option<String>,
    pub(super) key_file: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WalletEntry {
    pub(super) code: String,
    pub(super) name: String,
    pub(super) region: String,
    /// Absent: one dollar.
    pub(super) min_usd: Option<String>,
}

impl Default for EwalletTable {
    fn default() -> Self {
        Self {
            enabled: None,
            provider: "antom".to_owned(),
            base_url: None,
            client_id: None,
            key_version: "1".to_owned(),
            merchant_key_env: None,
            merchant_key_file: None,
            provider_key_env: None,
            provider_key_file: None,
            provider_keys: Vec::new(),
            request_time: RequestTimeFormat::default(),
            min_usd: None,
            max_usd: None,
            return_url: None,
            wallets: None,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct BreakerTable {
    pub(super) failures: u32,
}

impl Default for BreakerTable {
    fn default() -> Self {
        Self { failures: 5 }
    }
}
