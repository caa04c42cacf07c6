//! A primary of PostgreSQL and its synchronous standby, as operators run them: streaming replication that Patroni and etcd keep, and
//! HAProxy before both, which leads to whichever is the primary.
//!
//! All of it is in a folder of its own and at an address of its own, and ends with the cluster, however the test ends.

mod place;

use std::cell::Cell;
use std::fs::File;
use std::pin::pin;
use std::process::{Child, Command, Stdio};
use std::slice;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use sqlx::{ConnectOptions, PgConnection};
use tokio::sync::Mutex;
use tokio::time::{sleep, timeout};

use crate::gateway::client;
use crate::postgres::{spawn_for_good, sweeper};
use crate::wait::until_within;
use place::Place;

const USER: &str = "test";
const STARTS_WITHIN: Duration = Duration::from_secs(120);
/// A lease has to end first, which takes ten seconds.
const PROMOTED_WITHIN: Duration = Duration::from_secs(60);
/// After which a standby that is none yet is stuck.
const STUCK_AFTER: Duration = Duration::from_secs(45);
/// A member may have to be copied from the other.
const HEALTHY_WITHIN: Duration = Duration::from_secs(120);
/// For an answer of somebody who may be frozen.
const PATIENCE: Duration = Duration::from_secs(2);
/// Between two questions to Patroni, which asks its server for each.
const ASK_EVERY: Duration = Duration::from_millis(100);
/// A commit that waits for the standby where there is one.
const WRITE: &str = "SELECT pg_logical_emit_message(true, 'test', '')";
const FOLLOWS: &str = "SELECT count(*) = 1 FROM pg_stat_replication \
    WHERE application_name = $1 AND state = 'streaming' AND sync_state = 'sync'";
/// Of each log, where a test fails.
const LINES_SHOWN: usize = 40;

/// Waits for the end of its input, ends what still runs of the cluster, and removes the folder. Those that would start servers again
/// are ended first, and each with its children. An id belongs to the cluster as long as its command names the folder.
const SWEEP: &str = r#"
trap '' HUP INT TERM
cat > /dev/null
for _ in $(seq 100); do
  for file in "$1"/*.pid "$1"/*/postmaster.pid; do
    id=$(head -n 1 "$file")
    grep -qsF -- "$1" "/proc/$id/cmdline" && kill -KILL $(ps -o pid= --ppid "$id") "$id"
  done 2> /dev/null
  rm -rf -- "$1" 2> /dev/null && exit
  sleep 0.1
done
"#;

/// One of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Member {
    /// The one.
    One,
    /// The other.
    Two,
}

impl Member {
    const BOTH: [Self; 2] = [Self::One, Self::Two];

    /// What Patroni calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Two => "two",
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }
}

/// Why a standby is promoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// An operator orders it.
    Switchover,
    /// The primary and its Patroni are killed.
    Kill,
    /// The primary and its Patroni stand still for longer than their lease, and know nothing of it when they go on.
    Freeze,
}

impl By {
    /// A word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Switchover => "switchover",
            Self::Kill => "kill",
            Self::Freeze => "freeze",
        }
    }
}

/// A promotion, as it went.
#[derive(Debug)]
pub struct Promotion {
    /// Which is the primary now.
    pub primary: Member,
    /// How long after the order, or the blow, it was a primary.
    pub promoted_after: Duration,
    /// How long after the same it had committed a write.
    pub wrote_after: Duration,
    /// When it had.
    pub wrote: Instant,
}

/// What was done to the member that was the primary.
#[derive(Debug)]
enum Down {
    Killed(Member),
    /// In the order in which its processes wake up: the server before Patroni.
    Frozen(Vec<String>),
}

/// A cluster of two members that runs.
#[derive(Debug)]
pub struct Cluster {
    place: Place,
    /// Patroni, by member.
    keepers: [Option<Child>; 2],
    /// etcd and HAProxy.
    others: Vec<Child>,
    down: Option<Down>,
    /// Its input ends with this process, however that comes to its end.
    sweeper: Child,
}

impl Cluster {
    /// Starts one, and waits until its standby may take over.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn start() -> Self {
        let place = Place::find();
        let sweeper = sweeper(SWEEP, &place.folder);
        let mut cluster = Self { place, keepers: [None, None], others: Vec::new(), down: None, sweeper };
        let etcd = cluster.spawn("etcd", cluster.place.etcd());
        cluster.others.push(etcd);
        let health = format!("http://{}/health", cluster.place.at(cluster.place.etcd));
        let is_up = async || get(&health).await.filter(|(_, told)| told["health"] == "true").map(drop);
        until_within(STARTS_WITHIN, "etcd", is_up).await;
        for member in Member::BOTH {
            cluster.start_keeper(member);
        }
        let haproxy = cluster.spawn("haproxy", cluster.place.haproxy());
        cluster.others.push(haproxy);
        cluster.healthy().await;
        let leads = async || cluster.session(cluster.place.front).await.map(drop);
        until_within(STARTS_WITHIN, "the way to the primary", leads).await;
        cluster
    }

    /// The address of a database that is there, on whichever member is the primary.
    #[must_use]
    pub fn url(&self) -> String {
        format!("postgres://{USER}@{}/postgres", self.place.at(self.place.front))
    }

    /// Waits until the standby has all that the primary has committed, and may take over. Answers the primary.
    ///
    /// # Panics
    /// When that does not come to be.
    pub async fn healthy(&self) -> Member {
        let (began, is_copied) = (Instant::now(), Cell::new(false));
        let ask = async || {
            let primary = self.with_standby().await;
            if primary.is_none() && began.elapsed() > STUCK_AFTER && !is_copied.get() {
                is_copied.set(self.copy_standby().await.is_some());
            }
            if primary.is_none() {
                sleep(ASK_EVERY).await;
            }
            primary
        };
        until_within(HEALTHY_WITHIN, "a synchronous standby", ask).await
    }

    /// Has the standby copied from the primary anew, as an operator does with one that does not find its way: a server that was
    /// stopped in the middle of a line of its log now and then does not.
    async fn copy_standby(&self) -> Option<()> {
        for member in Member::BOTH {
            if self.told(member, "/primary").await.is_some_and(|(status, _)| status == 200) {
                let standby = member.other();
                eprintln!("{} is copied anew", standby.name());
                let url = format!("http://{}/reinitialize", self.place.at(self.place.keepers[standby as usize]));
                let told = client().post(&url).json(&json!({"force": true})).send().await.ok()?;
                return (told.status() == 200).then_some(());
            }
        }
        None
    }

    /// Has the standby promoted, once it may be. What was done to the primary stays so until [`Cluster::revive`].
    ///
    /// # Panics
    /// When it is not promoted.
    pub async fn promote(&mut self, by: By) -> Promotion {
        let before = self.healthy().await;
        let primary = before.other();
        // A session of a standby goes on as one of a primary.
        let session = self.session(self.place.servers[primary as usize]).await.expect("a standby that can be read");
        let began = Instant::now();
        match by {
            By::Switchover => {}
            By::Kill => self.kill(before),
            By::Freeze => self.freeze(before),
        }
        let ordered = async {
            if by == By::Switchover {
                self.order_switchover(before).await;
            }
        };
        let mut watched = pin!(watch(session, began));
        // Patroni says that an order is carried out when it looks again, which is later than that it is.
        let (promoted_after, wrote_after) = tokio::select! {
            times = &mut watched => times,
            () = ordered => watched.await,
        };
        Promotion { primary, promoted_after, wrote_after, wrote: began + wrote_after }
    }

    /// Brings back the member that was killed or frozen, as an operator does who starts it, or a machine that wakes up.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn revive(&mut self) {
        match self.down.take() {
            Some(Down::Killed(member)) => self.start_keeper(member),
            Some(Down::Frozen(processes)) => signal("CONT", &processes),
            None => {}
        }
    }

    fn start_keeper(&mut self, member: Member) {
        self.keepers[member as usize] = Some(self.spawn(member.name(), self.place.patroni(member)));
    }

    /// Starts a program, whose log and number are in the folder.
    fn spawn(&self, name: &str, mut command: Command) -> Child {
        let folder = &self.place.folder;
        let log = File::options().create(true).append(true).open(folder.join(format!("{name}.log")));
        let log = log.expect("a file of ours");
        let errors = log.try_clone().expect("a file can be opened twice");
        command.current_dir(folder).env("HOME", folder).stdin(Stdio::null()).stdout(log).stderr(errors);
        let child = spawn_for_good(command);
        std::fs::write(folder.join(format!("{name}.pid")), child.id().to_string()).expect("a file of ours");
        child
    }

    /// Orders it until the order is carried out.
    async fn order_switchover(&self, from: Member) {
        let url = format!("http://{}/switchover", self.place.at(self.place.keepers[from as usize]));
        let order = json!({"leader": from.name(), "candidate": from.other().name()});
        let ask = async || {
            let told = client().post(&url).json(&order).send().await.ok()?;
            (told.status() == 200).then_some(())
        };
        until_within(PROMOTED_WITHIN, "the end of a switchover", ask).await;
    }

    fn kill(&mut self, member: Member) {
        let mut keeper = self.keepers[member as usize].take().expect("it is kept");
        keeper.kill().and_then(|()| keeper.wait()).expect("it still runs");
        signal("KILL", &self.stop_server(member));
        self.down = Some(Down::Killed(member));
    }

    fn freeze(&mut self, member: Member) {
        let keeper = self.keepers[member as usize].as_ref().expect("it is kept").id().to_string();
        signal("STOP", slice::from_ref(&keeper));
        let mut processes = self.stop_server(member);
        processes.push(keeper);
        self.down = Some(Down::Frozen(processes));
    }

    /// Stops all processes of a server where they are: their numbers.
    fn stop_server(&self, member: Member) -> Vec<String> {
        let path = self.place.folder.join(member.name()).join("postmaster.pid");
        let written = std::fs::read_to_string(path).expect("a server that runs");
        let server = written.lines().next().unwrap_or_default().to_owned();
        // It is the parent of all others, and starts no more of them.
        signal("STOP", slice::from_ref(&server));
        let others = Command::new("ps").args(["-o", "pid=", "--ppid", &server]).output().expect("ps runs");
        let mut processes = vec![server];
        processes.extend(String::from_utf8_lossy(&others.stdout).split_whitespace().map(str::to_owned));
        signal("STOP", &processes);
        processes
    }

    /// The primary, where the standby may take over: Patroni says so, and so does the primary's server.
    async fn with_standby(&self) -> Option<Member> {
        let mut primary = None;
        for member in Member::BOTH {
            if self.told(member, "/primary").await.is_some_and(|(status, _)| status == 200) {
                primary = Some(member);
            }
        }
        let (primary, standby) = (primary?, primary?.other());
        let (_, cluster) = self.told(primary, "/cluster").await?;
        let is = |member: Member, role: &str| {
            let mut members = cluster["members"].as_array().into_iter().flatten();
            members.any(|one| one["name"] == member.name() && one["role"] == role)
        };
        if !is(primary, "leader") || !is(standby, "sync_standby") {
            return None;
        }
        let mut session = self.session(self.place.servers[primary as usize]).await?;
        let follows = sqlx::query_scalar::<_, bool>(FOLLOWS).bind(standby.name()).fetch_one(&mut session);
        timeout(PATIENCE, follows).await.ok()?.ok()?.then_some(primary)
    }

    /// What the Patroni of a member says.
    async fn told(&self, member: Member, path: &str) -> Option<(u16, Value)> {
        get(&format!("http://{}{path}", self.place.at(self.place.keepers[member as usize]))).await
    }

    async fn session(&self, port: u16) -> Option<PgConnection> {
        let options = PgConnectOptions::new().host(&self.place.address.to_string()).port(port);
        let options = options.username(USER).database("postgres").ssl_mode(PgSslMode::Disable);
        timeout(PATIENCE, options.connect()).await.ok()?.ok()
    }

    fn show_logs(&self) {
        for name in ["etcd", "haproxy", Member::One.name(), Member::Two.name()] {
            let log = std::fs::read_to_string(self.place.folder.join(format!("{name}.log"))).unwrap_or_default();
            let lines: Vec<&str> = log.lines().collect();
            eprintln!("== {name}\n{}", lines[lines.len().saturating_sub(LINES_SHOWN)..].join("\n"));
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.show_logs();
        }
        for process in self.keepers.iter_mut().flatten().chain(&mut self.others) {
            let _ = process.kill();
            let _ = process.wait();
        }
        drop(self.sweeper.stdin.take());
        let _ = self.sweeper.wait();
    }
}

/// The answer to a question: its status, and its body where that is JSON.
async fn get(url: &str) -> Option<(u16, Value)> {
    let reply = client().get(url).timeout(PATIENCE).send().await.ok()?;
    Some((reply.status().as_u16(), reply.json().await.unwrap_or_default()))
}

/// How long after the beginning the server of a session was a primary, and had committed a write.
async fn watch(session: PgConnection, began: Instant) -> (Duration, Duration) {
    let session = Mutex::new(session);
    let is_primary = || async {
        let asked = sqlx::query_scalar::<_, bool>("SELECT NOT pg_is_in_recovery()");
        asked.fetch_one(&mut *session.lock().await).await.unwrap_or_default().then_some(())
    };
    until_within(PROMOTED_WITHIN, "a promotion", is_primary).await;
    let promoted_after = began.elapsed();
    let writes = || async { sqlx::raw_sql(WRITE).execute(&mut *session.lock().await).await.ok().map(drop) };
    until_within(PROMOTED_WITHIN, "a write of the new primary", writes).await;
    (promoted_after, began.elapsed())
}

/// Sends it to all of them that are still there.
fn signal(name: &str, processes: &[String]) {
    let sent = Command::new("kill").arg(format!("-{name}")).args(processes).stderr(Stdio::null()).status();
    sent.expect("kill runs");
}
