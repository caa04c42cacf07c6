//! What only operators use: built over the rooms that everybody uses.

use tokio::sync::watch;
use tokio_util::task::TaskTracker;

use super::configuration::Configuration;
use super::sources::AppSources;
use crate::settings::{SettingInForce, SettingOrigin, Settings};
use tollgate_accounts::AccountService;
use tollgate_accounts::operators::OperatorService;
use tollgate_admin::{Admin, AlarmRecorder, JobPlaces, JobService};
use tollgate_api::InFlightRequests;
use tollgate_api::generated::types::{self, Setting};
use tollgate_base::Clock;
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
    in_force: Vec<SettingInForce>,
    sandbox: bool,
}

/// The rooms that operators look at.
#[derive(Debug)]
pub(super) struct SharedRooms<'a> {
    store: &'a Store,
    clock: &'a Clock,
    credit: &'a Ledger,
    accounts: &'a AccountService,
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
    pub(super) configuration: Configuration,
}

impl<'a> SharedRooms<'a> {
    pub(super) const fn of(
        (store, clock): (&'a Store, &'a Clock),
        credit: &'a Ledger,
        (accounts, gateway): (&'a AccountService, &'a Gateway),
        seen: (&'a CatalogService, &'a Topups, &'a Reconciler, &'a InFlightRequests),
    ) -> Self {
        let (catalog, topups, reconciler, in_flight) = seen;
        Self { store, clock, credit, accounts, gateway, catalog, topups, reconciler, in_flight }
    }
}

impl OperatorTerms {
    pub(super) fn of(settings: &Settings, ledger: StoreConfig) -> Self {
        let folder = |name: &str| settings.backup_dir.clone().unwrap_or_else(|| settings.data_dir.join(name));
        let places = JobPlaces { ledger, backups: folder("backups"), archives: folder("archives") };
        Self { places, in_force: settings.in_force.clone(), sandbox: settings.sandbox }
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
        let SharedRooms { store, clock, credit, accounts, gateway, catalog, topups, reconciler, in_flight } = *rooms;
        let OperatorTerms { places, in_force, sandbox } = terms;
        let open = (store.clone(), clock.clone());
        let jobs = JobService::new(open, credit.clone(), reconciler.clone(), places, lifetime.clone());
        let operators = OperatorService::new(store.clone(), clock.clone());
        Self {
            alarms: AlarmRecorder::new(store.clone(), sources.alarms, node.to_owned()),
            configuration: Configuration {
                sandbox,
                read: sources.read,
                accounts: accounts.clone(),
                catalog: catalog.clone(),
                store: store.clone(),
                clock: clock.clone(),
            },
            admin: Admin {
                store: store.clone(),
                clock: clock.clone(),
                accounts: accounts.clone(),
                operators: operators.clone(),
                gateway: gateway.clone(),
                catalog: catalog.clone(),
                topups: topups.clone(),
                credit: credit.clone(),
                jobs: jobs.clone(),
                in_flight: in_flight.clone(),
                settings: in_force.iter().map(told).collect(),
                stopped: lifetime.1.clone(),
            },
            jobs,
            operators,
        }
    }
}

/// A setting in the words of the spec.
fn told(setting: &SettingInForce) -> Setting {
    Setting {
        key: setting.key.clone(),
        value: setting.value.clone(),
        origin: match setting.origin {
            SettingOrigin::Default => types::SettingOrigin::Default,
            SettingOrigin::File => types::SettingOrigin::File,
            SettingOrigin::Environment => types::SettingOrigin::Environment,
            SettingOrigin::CommandLine => types::SettingOrigin::CommandLine,
        },
    }
}
