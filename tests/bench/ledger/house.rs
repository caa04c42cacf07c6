//! A store with one server's ledger on it, and accounts with credit.

use tempfile::TempDir;
use tollgate_accounts::{AccountService, KeyLimits, NewKey};
use tollgate_base::{AccountId, Caller, CallerCredential, Clock, KeyId, Secret, Usd};
use tollgate_credit::{GrantRequest, Ledger, LedgerStore, LedgerWorker, WriterEnd};
use tollgate_organisations::{BudgetsChange, OrganisationService};
use tollgate_store::{ServeLock, Store, StoreConfig};
use tollgate_tests::postgres::Postgres;

use super::ours::Ours;
use super::reference::Reference;
use crate::Failed;
use crate::process::{cpu_micros, family_cpu_micros};

/// Which store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum On {
    Sqlite,
    Postgres,
}

impl On {
    pub(crate) const ALL: [Self; 2] = [Self::Sqlite, Self::Postgres];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

/// Credit of each account, in nano-USD: more than any run spends.
const CREDIT: Usd = Usd::from_nanos(1_000_000_000_000_000);

/// An account, and a key of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Payer {
    pub(crate) account: AccountId,
    pub(crate) key: KeyId,
}

pub(crate) struct House {
    pub(crate) on: On,
    pub(crate) payers: Vec<Payer>,
    credit: Ledger,
    worker: LedgerWorker,
    clock: Clock,
    accounts: AccountService,
    organisations: OrganisationService,
    /// The database: a path or an address.
    place: String,
    server: Option<Postgres>,
    _lock: ServeLock,
    _folder: TempDir,
}

impl House {
    pub(crate) async fn open(on: On, accounts: usize) -> Result<Self, Failed> {
        let (clock, folder) = (Clock::system(), tempfile::tempdir()?);
        let server = (on == On::Postgres).then(|| Postgres::with(&[]));
        let (config, place) = match &server {
            None => {
                let path = folder.path().join("tollgate.db");
                (StoreConfig::Sqlite { path: path.clone() }, path.display().to_string())
            }
            Some(server) => {
                let (url, folder) = (server.database(), folder.path().to_owned());
                (StoreConfig::Postgres { address: Box::new(url.parse()?), schema: "tollgate", folder }, url)
            }
        };
        let store = Store::open(&config, &clock).await?;
        let lock = ServeLock::take(&config)?;
        let (credit, worker) = Ledger::start(LedgerStore::new(store.clone(), clock.clone()), &lock).await?;
        let room = AccountService::new(store.clone(), clock.clone());
        let organisations = OrganisationService::new(store, clock.clone(), room.clone());
        let mut made = Vec::new();
        for number in 0..accounts {
            let name = format!("account {number}");
            let account = room.create_account(&name, "bench").await?.id;
            credit
                .grant(GrantRequest { account, amount: CREDIT, idem: &name, actor: "bench".into(), note: "" })
                .await?;
            let key = NewKey { account, label: String::new(), expires_at_ms: None };
            made.push(Payer { account, key: room.create_key(key, "bench").await?.key.id });
        }
        Ok(Self {
            on,
            payers: made,
            credit,
            worker,
            clock,
            accounts: room,
            organisations,
            place,
            server,
            _lock: lock,
            _folder: folder,
        })
    }

    /// So many keys of the account of a payer. Where there are to be teams, each key is of one of them, and all of them have
    /// budgets, as their organisation has.
    pub(crate) async fn keys(&self, payer: usize, keys: usize, teams: usize) -> Result<Vec<Payer>, Failed> {
        let Payer { account, key } = self.payers[payer];
        let caller = Caller { account, by: CallerCredential::Key(key), member: None };
        let much = BudgetsChange { month: Some(Some(CREDIT)), ..BudgetsChange::default() };
        let mut of = Vec::new();
        for number in 0..teams {
            of.push(self.organisations.create_team(&caller, format!("team {number}"), much).await?.id);
        }
        if teams > 0 {
            self.organisations.change(&caller, much).await?;
        }
        let mut made = vec![self.payers[payer]];
        for number in 1..keys {
            let limits = KeyLimits { team: of.get(number % teams.max(1)).copied(), ..KeyLimits::default() };
            let key = NewKey { account, label: String::new(), expires_at_ms: None };
            let key = self.accounts.create_limited_key(key, limits, "bench").await?.key.id;
            made.push(Payer { account, key });
        }
        Ok(made)
    }

    /// Sets the password of the account of a payer, whose name is `account` and its number from 0 on.
    pub(crate) async fn set_password(&self, payer: Payer, password: &str) -> Result<(), Failed> {
        Ok(self.accounts.set_password(payer.account, Secret::new(password.to_owned()), "bench").await?)
    }

    pub(crate) fn ours(&self) -> Ours {
        Ours { credit: self.credit.clone(), clock: self.clock.clone() }
    }

    pub(crate) async fn reference(&self) -> Result<Reference, Failed> {
        Reference::connect(self.on, &self.place, self.credit.epoch()).await
    }

    /// The database: a path or an address.
    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    /// Unix time in milliseconds.
    pub(crate) fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// Of this process, and of the database server where there is one.
    pub(crate) fn cpu_micros(&self) -> Result<u64, Failed> {
        let server = self.server.as_ref().map_or(Ok(0), |server| family_cpu_micros(server.id()))?;
        Ok(cpu_micros(std::process::id())? + server)
    }

    /// Ends in order; the books have to be right, with nothing open.
    pub(crate) async fn close(self) -> Result<(), Failed> {
        self.leave().await.map(drop)
    }

    /// The same; the folder of a ledger on a file, which stays.
    pub(crate) async fn leave(self) -> Result<TempDir, Failed> {
        let report = self.credit.audit().await?;
        let end = self.worker.shutdown().await;
        if report.is_clean() && report.totals.holds_open == 0 && end == WriterEnd::Drained {
            Ok(self._folder)
        } else {
            Err(format!("{end:?}: {report}").into())
        }
    }
}
