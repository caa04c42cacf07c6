//! Floor 6: builds each room from its settings, joins them, and stops them in order.
//!
//! The only place that knows all rooms. Nothing is decided here but the order: store, ledger, accounts, upstreams,
//! gateway, listener; and back again when it stops, so that every request under way is settled before the ledger closes.

mod allocator;
mod cookies;
mod demo;
mod health;
mod listeners;
mod metrics_readers;
mod operator_side;
mod reload;
mod sandbox;
mod service;
mod sources;
mod start_error;
mod status;
mod workers;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::task::TaskTracker;

use crate::settings::{InFlightBounds, ServerMode, Settings};
use tollgate_accounts::AccountService;
use tollgate_agents::AgentService;
use tollgate_api::generated::errors::RULES;
use tollgate_api::generated::limits;
use tollgate_api::{BodyMemory, InFlightRequests, RouterBounds, RouterConfig, SessionCookies};
use tollgate_base::{Branding, Clock};
use tollgate_catalog::{CatalogService, CatalogTerms, LoadedCatalog};
use tollgate_console::{AccountPages, Console};
use tollgate_credit::{Ledger, LedgerStore, LedgerWorker, WriterEnd};
use tollgate_gateway::{Gateway, ResponseStore};
use tollgate_http::ListenerRefusals;
use tollgate_identities::IdentityService;
use tollgate_net::Mailer;
use tollgate_organisations::OrganisationService;
use tollgate_store::{CONNECTIONS_MAX, LedgerMode, ServeLock, Store, StoreConfig, StoreError};
use tollgate_telemetry::{MetricsRegistry, TraceHandle};
use tollgate_topup::Topups;
use tollgate_topup::ewallet::Checkouts;
use tollgate_topup::reconcile::Reconciler;
use tollgate_topup::x402::X402Payments;
use tollgate_video::Videos;

use cookies::cookies;
use listeners::{ListenerAddresses, Listeners};
use operator_side::{OperatorSide, OperatorTerms, SharedRooms};

pub use demo::DemoAccount;
pub use health::HealthProbes;
pub use reload::SettingsReloader;
pub use sandbox::SANDBOX_PROVIDER;
pub use service::Service;
pub use sources::{AppSources, SettingsReader};
pub use start_error::{GroupsError, StartError};
pub use status::CallerStatus;

/// Time for the last settlements once no answer is read any more. On a ledger that can be written it is a moment.
const SETTLEMENTS: Duration = Duration::from_secs(5);

/// Sees that every account's group has a ratio, before it is sold anything.
///
/// # Errors
/// When one has none and never had, or the accounts cannot be read.
async fn check_groups(accounts: &AccountService, loaded: &LoadedCatalog) -> Result<(), GroupsError> {
    for group in accounts.groups().await.map_err(GroupsError::Unreadable)? {
        if loaded.config().groups.contains_key(&group) {
            continue;
        }
        if !loaded.had_group(group).await.map_err(GroupsError::History)? {
            return Err(GroupsError::Unknown(group));
        }
        tracing::error!(
            target: "alarm", alarm = "catalog", %group,
            "accounts are in a group that operators took off: they are sold nothing until it is back, or they are in another"
        );
    }
    Ok(())
}

/// The end of a running gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunOutcome {
    /// It was told to stop, and every request was settled.
    Stopped,
    /// The ledger can no longer be written. A supervisor should start the process again: it recovers at the start.
    LedgerLost,
}

/// A running gateway.
#[derive(Debug)]
pub struct App {
    addresses: ListenerAddresses,
    demo: Option<DemoAccount>,
    service: Arc<Service>,
    stop: watch::Sender<bool>,
    /// Time within which requests under way may end once the gateway was told to stop.
    grace: Duration,
    serving: JoinHandle<()>,
    tasks: TaskTracker,
    worker: LedgerWorker,
    closing: ClosedLast,
    /// Held as long as the process serves.
    _lock: ServeLock,
}

/// The handles that are closed when nobody writes any more.
#[derive(Debug)]
struct ClosedLast {
    store: Store,
    responses: ResponseStore,
    traces: TraceHandle,
}

impl App {
    /// Starts everything; when it returns, the listener answers.
    ///
    /// # Errors
    /// When a room cannot be built; nothing is left running then.
    pub async fn start(settings: Settings, clock: Clock, sources: AppSources) -> Result<Self, StartError> {
        let terms = OperatorTerms::of(&settings, store_config(&settings));
        // 1. The ledger: one process a file or folder, and what an earlier start left open is closed first.
        let (lock, store) = open_ledger(&settings, &clock).await?;
        let (credit, worker) = Ledger::start(LedgerStore::new(store.clone(), clock.clone()), &lock).await?;
        let accounts = AccountService::new(store.clone(), clock.clone()).with_registration(settings.registration);
        let organisations = organisations(&settings, &store, &clock, &accounts)?;
        // 2. Providers, the sandbox among them where it is wanted, and what operators have put on offer.
        let ((stop, stopped), tasks) = (watch::channel(false), TaskTracker::new());
        let (gateway_config, topup_config) = start_providers(&settings, &clock, &tasks, &stopped).await?;
        let loaded = load_catalog(&settings, gateway_config, &store, &clock, &accounts).await?;
        let responses = ResponseStore::open(store.clone(), clock.clone()).await?;
        tollgate_net::install_tls();
        let traces = TraceHandle::start(settings.traces.as_ref(), &clock)?;
        let gateway = Gateway::new(loaded.config(), credit.clone(), responses.clone(), clock.clone(), traces.clone())?;
        let (places, bodies) = in_flight_bounds(&settings.in_flight);
        let catalog = CatalogService::new(loaded, gateway.clone(), places.clone());
        let demo = if is_demo(&settings) { Some(demo::prepare(&accounts, &credit, &clock).await?) } else { None };
        let cookies = cookies(settings.public_url.as_deref());
        let (patience, public_url) = (settings.videos, settings.public_url.clone());
        let videos = Videos::new(gateway.clone(), credit.clone(), store.clone(), clock.clone(), patience, public_url);
        let (topups, x402) = start_rails(&settings, topup_config, &store, &clock, &credit).await?;
        let console = Console::new(topups.clone(), x402.clone(), &settings.branding)?;
        // 3. The listener, last.
        let metrics = MetricsRegistry::new(metrics_readers::all(&credit, &places, &topups));
        let probes = HealthProbes::new(store.clone(), metrics, traces.clone(), settings.metrics, stopped.clone());
        let grace = settings.http.shutdown_grace;
        let listeners = Listeners::bind(settings.listen, &settings.admin, settings.http.clone()).await?;
        let addresses = listeners.addresses;
        let audience = audience(&settings, addresses.everybody);
        let checkouts = Checkouts::new(topups.clone(), clock.clone(), audience.as_deref().unwrap_or_default())?;
        let wallets = WalletRooms::of((&store, &clock, &accounts), &settings, audience.as_ref())?;
        let look = (audience, settings.branding.clone());
        let pages = account_pages((&clock, &accounts, &credit), (&gateway, &topups), (&wallets, &organisations), look);
        let reconciler = Reconciler::new(topups.clone(), x402.clone(), checkouts.clone());
        let standing = standing(&credit, &wallets.agents, &topups, &gateway);
        let seen = (&catalog, &topups, &reconciler, &places);
        let rooms = SharedRooms::of((&store, &clock), &credit, (&accounts, &wallets.agents, &gateway), seen);
        let side = OperatorSide::new(&rooms, terms, sources, lock.node(), &(tasks.clone(), stopped.clone()));
        let OperatorSide { operators, admin, alarms, jobs, reloader } = side;
        let service = Arc::new(Service {
            organisations,
            gateway,
            videos,
            credit,
            accounts,
            operators,
            admin,
            alarms,
            jobs,
            reloader,
            catalog,
            topups,
            x402,
            checkouts,
            reconciler,
            console,
            account_pages: pages,
            agents: wallets.agents,
            identities: wallets.identities,
            standing,
            probes: probes.clone(),
        });
        let refusals = ListenerRefusals { rules: &RULES, clock: clock.clone(), observer: Some(Arc::new(probes)) };
        let config = router_config(clock, (places, bodies), &refusals, (cookies, &settings.branding));
        workers::start(&service, &tasks, &stopped);
        let serving = listeners.serve(&service, &config, refusals, stopped);
        let (_lock, closing) = (lock, ClosedLast { store, responses, traces });
        Ok(Self { addresses, demo, service, stop, grace, serving, tasks, worker, closing, _lock })
    }

    /// The address that it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.addresses.everybody
    }

    /// The address on which operators are served, where it is one of their own.
    #[must_use]
    pub fn operator_address(&self) -> Option<SocketAddr> {
        self.addresses.operators
    }

    /// The demo account, where there is a sandbox.
    #[must_use]
    pub fn demo(&self) -> Option<&DemoAccount> {
        self.demo.as_ref()
    }

    /// The rooms' handles.
    #[must_use]
    pub fn service(&self) -> &Service {
        &self.service
    }

    /// Runs until `stop` resolves or the ledger is lost, then stops.
    pub async fn run(mut self, stop: impl Future<Output = ()>) -> RunOutcome {
        let lost = tokio::select! {
            () = stop => None,
            end = self.worker.stopped() => Some(end),
        };
        if let Some(end) = &lost {
            tracing::error!(?end, "the ledger can no longer be written; stopping");
        }
        match (lost, self.stop().await) {
            (None, WriterEnd::Drained) => RunOutcome::Stopped,
            (Some(_), _)
            | (None, WriterEnd::Undrained | WriterEnd::DiskFault | WriterEnd::Superseded | WriterEnd::Panicked) => {
                RunOutcome::LedgerLost
            }
        }
    }

    /// Stops in order: no new requests, those under way settled, the ledger closed. What is under way has the grace to end;
    /// after it everything that is left is charged by what was counted, at once. Answers how the ledger ended.
    pub async fn stop(self) -> WriterEnd {
        let grace_ends = Instant::now() + self.grace;
        // Fails only when every listener of it has ended already.
        let _ = self.stop.send(true);
        if let Err(error) = self.serving.await {
            tracing::error!(error = %error, "the listener ended badly");
        }
        // Clients that had left before have no connection that the listener could have waited for.
        let Service { gateway, videos, credit, .. } = &*self.service;
        videos.stop_watching();
        let finish = async || {
            gateway.finish().await;
            videos.finish().await;
            credit.idempotency().finish().await;
        };
        if timeout_at(grace_ends, finish()).await.is_err() {
            gateway.cut();
            videos.cut();
            if timeout(SETTLEMENTS, finish()).await.is_err() {
                tracing::error!("some requests could not be settled in time: the next start gives back what they hold");
            }
        }
        self.tasks.close();
        self.tasks.wait().await;
        if let Err(error) = self.service.alarms.record().await {
            tracing::warn!(error = &error as &dyn std::error::Error, "the last alarms are in the log alone");
        }
        let end = self.worker.shutdown().await;
        self.closing.responses.close().await;
        self.closing.store.close().await;
        self.closing.traces.finish().await;
        end
    }
}

/// Opens the ledger to serve it. The lock is held as long as the process serves.
async fn open_ledger(settings: &Settings, clock: &Clock) -> Result<(ServeLock, Store), StoreError> {
    let config = store_config(settings);
    let lock = ServeLock::take(&config)?;
    let store = Store::open_to_serve(&config, ledger_mode(settings), clock).await?;
    log_connections(settings);
    Ok((lock, store))
}

/// Logs the number of connections that the database has to have for this server.
fn log_connections(settings: &Settings) {
    if settings.database.is_some() {
        let connections = CONNECTIONS_MAX;
        tracing::info!(connections, "this server opens at most so many connections to the database of the ledger");
    }
}

/// The configuration of models and rails. Starts the sandbox providers, and adds them, where they are wanted.
async fn start_providers(
    settings: &Settings,
    clock: &Clock,
    tasks: &TaskTracker,
    stopped: &watch::Receiver<bool>,
) -> Result<(tollgate_gateway::Config, tollgate_topup::Config), StartError> {
    let (mut models, mut rails) = (settings.gateway.clone(), settings.topup.clone());
    if settings.sandbox {
        sandbox::start(&mut models, tasks, stopped.clone()).await?;
        sandbox::start_checkout(&mut rails, clock.clone(), tasks, stopped.clone()).await?;
    }
    Ok((models, rails))
}

/// What is on offer: what the configuration says, and what operators have added.
async fn load_catalog(
    settings: &Settings,
    config: tollgate_gateway::Config,
    store: &Store,
    clock: &Clock,
    accounts: &AccountService,
) -> Result<LoadedCatalog, StartError> {
    let terms = CatalogTerms { sandbox: settings.sandbox, ..settings.catalog.clone() };
    let loaded = LoadedCatalog::open(store.clone(), clock.clone(), settings.offer.clone(), config, terms).await?;
    check_groups(accounts, &loaded).await?;
    Ok(loaded)
}

/// Orders, and payments for them on chains, which have to be reached.
async fn start_rails(
    settings: &Settings,
    config: tollgate_topup::Config,
    store: &Store,
    clock: &Clock,
    credit: &Ledger,
) -> Result<(Topups, X402Payments), StartError> {
    let topups = Topups::new(store.clone(), clock.clone(), config);
    let x402 = X402Payments::new(topups.clone(), LedgerStore::clone(credit), settings.public_url.clone())?;
    x402.check_reachable().await?;
    Ok((topups, x402))
}

/// The bounds on what is under way, and on the memory of its bodies.
fn in_flight_bounds(bounds: &InFlightBounds) -> (InFlightRequests, BodyMemory) {
    let requests = InFlightRequests::new(bounds.requests, bounds.requests_per_account);
    (requests, BodyMemory::new(bounds.body_bytes))
}

/// The rooms to which somebody shows that a wallet is theirs.
struct WalletRooms {
    agents: AgentService,
    identities: IdentityService,
}

impl WalletRooms {
    /// Texts of both for Solana name the same network.
    fn of(
        (store, clock, accounts): (&Store, &Clock, &AccountService),
        settings: &Settings,
        audience: Option<&String>,
    ) -> Result<Self, StartError> {
        let (store, clock, accounts) = (store.clone(), clock.clone(), accounts.clone());
        let config = settings.agents.clone();
        let network = config.solana_network.clone();
        let identities =
            IdentityService::new(store.clone(), clock.clone(), accounts.clone(), audience.cloned(), &network);
        let identities = identities.with_providers(settings.oidc.clone()).map_err(StartError::SignInProvider)?;
        Ok(Self { agents: AgentService::new(store, clock, accounts, config, audience.cloned()), identities })
    }
}

/// The room of organisations, which knows where people find the pages and how they are written to.
fn organisations(
    settings: &Settings,
    store: &Store,
    clock: &Clock,
    accounts: &AccountService,
) -> Result<OrganisationService, StartError> {
    let organisations = OrganisationService::new(store.clone(), clock.clone(), accounts.clone());
    let organisations = organisations.with_public_url(settings.public_url.clone());
    Ok(match settings.mail.clone() {
        Some(config) => organisations.with_mailer(Mailer::new(config)?, settings.branding.name.to_string()),
        None => organisations,
    })
}

/// The pages of accounts, over these rooms.
fn account_pages(
    (clock, accounts, credit): (&Clock, &AccountService, &Ledger),
    (gateway, topups): (&Gateway, &Topups),
    (wallets, organisations): (&WalletRooms, &OrganisationService),
    (address, branding): (Option<String>, Arc<Branding>),
) -> AccountPages {
    AccountPages {
        clock: clock.clone(),
        accounts: accounts.clone(),
        credit: credit.clone(),
        gateway: gateway.clone(),
        topups: topups.clone(),
        organisations: organisations.clone(),
        agents: wallets.agents.clone(),
        identities: wallets.identities.clone(),
        address,
        branding,
    }
}

/// The status of callers, over these rooms.
fn standing(credit: &Ledger, agents: &AgentService, topups: &Topups, gateway: &Gateway) -> CallerStatus {
    CallerStatus {
        books: LedgerStore::clone(credit),
        agents: agents.clone(),
        topups: topups.clone(),
        gateway: gateway.clone(),
    }
}

/// True if the server makes a demo account with a key.
fn is_demo(settings: &Settings) -> bool {
    settings.sandbox && settings.mode == ServerMode::Sandbox
}

/// The place of the ledger. The sandbox provider has a ledger of its own, so that its credit and keys buy nothing elsewhere. That real
/// money and payments for trying out are never in one ledger is not left to the place: the ledger has its mode.
#[must_use]
pub fn store_config(settings: &Settings) -> StoreConfig {
    let folder = settings.data_dir.clone();
    match &settings.database {
        None => {
            let name = if settings.sandbox { "sandbox.db" } else { "tollgate.db" };
            StoreConfig::Sqlite { path: folder.join(name) }
        }
        Some(address) => {
            let schema = if settings.sandbox { "tollgate_sandbox" } else { "tollgate" };
            StoreConfig::Postgres { address: address.clone(), schema, folder }
        }
    }
}

/// The mode of the ledger.
#[must_use]
pub fn ledger_mode(settings: &Settings) -> LedgerMode {
    match settings.mode {
        ServerMode::Sandbox => LedgerMode::Sandbox,
        ServerMode::Production => LedgerMode::Production,
    }
}

/// The address that proofs for this service have to name: the public one. In a sandbox without one, it is the address that it
/// listens on.
fn audience(settings: &Settings, address: SocketAddr) -> Option<String> {
    let public_url = settings.public_url.clone();
    match settings.mode {
        ServerMode::Sandbox => public_url.or_else(|| Some(format!("http://{address}"))),
        ServerMode::Production => public_url,
    }
}

fn router_config(
    clock: Clock,
    (places, bodies): (InFlightRequests, BodyMemory),
    refusals: &ListenerRefusals,
    (cookies, branding): (SessionCookies, &Arc<Branding>),
) -> RouterConfig {
    let (request_own, retry_after_max) = (limits::REQUEST_OWN, limits::RETRY_AFTER_MAX);
    let bounds = RouterBounds { request_own, retry_after_max, places, bodies };
    RouterConfig {
        observer: refusals.observer.clone(),
        cookies: Arc::new(cookies),
        pages: [tollgate_admin::signed_in_pages, tollgate_console::signed_in_pages]
            .map(|of| of(branding.clone()))
            .into(),
        ..RouterConfig::new(clock, &RULES, bounds)
    }
}
