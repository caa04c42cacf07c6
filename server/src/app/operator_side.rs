//! The rooms that operators alone use, built over those of everybody.

use std::sync::Arc;

use tokio::sync::watch;
use tokio_util::task::TaskTracker;

use super::reload::SettingsReloader;
use super::sources::AppSources;
use crate::settings::Settings;
use tollgate_accounts::AccountService;
use tollgate_accounts::operators::OperatorService;
use tollgate_admin::{Admin, AlarmRecorder, JobPlaces, JobService, LiveNumbersFeed, SettingsInForce};
use tollgate_agents::AgentService;
use tollgate_api::InFlightRequests;
use tollgate_base::{Branding, Clock};
use tollgate_catalog::CatalogService;
use tollgate_credit::Ledger;
use tollgate_gateway::Gateway;
use tollgate_store::{Store, StoreConfig};
use tollgate_topup::Topups;
use tollgate_topup::reconcile::Reconciler;

/// The settings of this side.
#[derive(Debug)]
pub(super) struct OperatorTerms {
    places: JobPlaces,
    in_force: SettingsInForce,
    sandbox: bool,
    branding: Arc<Branding>,
}

/// The rooms that operators look at.
#[derive(Debug)]
pub(super) struct SharedRooms<'a> {
    store: &'a Store,
    clock: &'a Clock,
    credit: &'a Ledger,
    accounts: &'a AccountService,
    agents: &'a AgentService,
    gateway: &'a Gateway,
    catalog: &'a CatalogService,
    topups: &'a Topups,
    reconciler: &'a Reconciler,
    in_flight: &'a InFlightRequests,
}

/// The handles of this side.
#[derive(Debug)]
pub(super) struct OperatorSide {
    pub(super) operators: OperatorService,
    pub(super) admin: Admin,
    pub(super) alarms: AlarmRecorder,
    pub(super) jobs: JobService,
    pub(super) reloader: SettingsReloader,
}

impl<'a> SharedRooms<'a> {
    pub(super) const fn of(
        (store, clock): (&'a Store, &'a Clock),
        credit: &'a Ledger,
        (accounts, agents, gateway): (&'a AccountService, &'a AgentService, &'a Gateway),
        seen: (&'a CatalogService, &'a Topups, &'a Reconciler, &'a InFlightRequests),
    ) -> Self {
        let (catalog, topups, reconciler, in_flight) = seen;
        Self { store, clock, credit, accounts, agents, gateway, catalog, topups, reconciler, in_flight }
    }
}

impl OperatorTerms {
    pub(super) fn of(settings: &Settings, ledger: StoreConfig) -> Self {
        let folder = |name: &str| settings.backup_dir.clone().unwrap_or_else(|| settings.data_dir.join(name));
        let places = JobPlaces {
            ledger,
            backups: folder("backups"),
            backups_kept: settings.backups_kept,
            archives: folder("archives"),
        };
        Self {
            places,
            in_force: SettingsInForce::new(settings.in_force.clone()),
            sandbox: settings.sandbox,
            branding: settings.branding.clone(),
        }
    }
}

impl OperatorSide {
    /// Builds it for the server of this name. Jobs end with the server's other tasks.
    pub(super) fn new(
        rooms: &SharedRooms<'_>,
        terms: OperatorTerms,
        sources: AppSources,
        node: &str,
        lifetime: &(TaskTracker, watch::Receiver<bool>),
    ) -> Self {
        let SharedRooms { store, clock, credit, accounts, agents, gateway, catalog, topups, reconciler, in_flight } =
            *rooms;
        let OperatorTerms { places, in_force, sandbox, branding } = terms;
        let open = (store.clone(), clock.clone());
        let jobs = JobService::new(open, credit.clone(), reconciler.clone(), places, lifetime.clone());
        let operators = OperatorService::new(store.clone(), clock.clone());
        Self {
            alarms: AlarmRecorder::new(store.clone(), sources.alarms, node.to_owned()),
            reloader: SettingsReloader {
                sandbox,
                read: sources.read,
                reading: Arc::default(),
                in_force: in_force.clone(),
                accounts: accounts.clone(),
                catalog: catalog.clone(),
                store: store.clone(),
                clock: clock.clone(),
            },
            admin: Admin {
                store: store.clone(),
                clock: clock.clone(),
                accounts: accounts.clone(),
                agents: agents.clone(),
                operators: operators.clone(),
                gateway: gateway.clone(),
                catalog: catalog.clone(),
                topups: topups.clone(),
                credit: credit.clone(),
                jobs: jobs.clone(),
                in_flight: in_flight.clone(),
                branding,
                settings: in_force,
                live: LiveNumbersFeed::default(),
                stopped: lifetime.1.clone(),
            },
            jobs,
            operators,
        }
    }
}
