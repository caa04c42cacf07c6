//! The commits of the top-ups, and what brings a server to each of them. They are those that the room names itself: a new one
//! does not build here before there is a way to it, and whoever walks these ways ends a server beside each commit on its own.

use std::os::unix::process::ExitStatusExt;
use std::panic::resume_unwind;
use std::time::Duration;

use futures_util::stream::{self, StreamExt};
use tokio::runtime;
use tokio::task::spawn_blocking;
use tollgate_store::CommitSide;
use tollgate_tests::binary::Served;
use tollgate_topup::Step;

const ARMED_BY: &str = "TOLLGATE_CRASH_AT";
const ABORTED: i32 = 6;
/// The longest way: a transaction that nobody takes is offered more after half a minute.
const PATIENCE: Duration = Duration::from_secs(120);
/// Ends that are tried at the same time.
const AT_ONCE: usize = 4;

/// What brings a server to a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Making an order, on any rail.
    Order,
    /// Making one that is paid on a provider's page.
    Page,
    /// The notice that it was paid.
    Notice,
    /// Nothing: it is paid there, and the server asks by itself.
    Time,
    /// A payment on a chain that is taken, sent, found and credited.
    Payment,
    /// One that is in a block, and does not lie deep enough yet.
    Shallow,
    /// One that certainly does not come.
    GivenUp,
    /// One that comes when its order is paid by another.
    Twice,
    /// One that no block takes for what is offered.
    Stuck,
    /// One that needs nothing more.
    Afterwards,
    /// An order that nobody pays in time.
    Lapsed,
    /// A command beside the server.
    Command,
    /// The daily comparison with chains and provider.
    Comparison,
}

pub(crate) fn way(step: Step) -> Way {
    match step {
        Step::Open => Way::Order,
        Step::Page => Way::Page,
        Step::Notice | Step::Act => Way::Notice,
        Step::Ask | Step::Answer => Way::Time,
        Step::Claim | Step::Send | Step::Credit => Way::Payment,
        Step::Seen => Way::Shallow,
        Step::GiveUp => Way::GivenUp,
        // What is credited is looked at until it is final; what is set aside is not.
        Step::SetAside | Step::Close => Way::Twice,
        Step::Sign => Way::Stuck,
        Step::Done => Way::Afterwards,
        Step::Expire => Way::Lapsed,
        Step::Reconcile => Way::Comparison,
        Step::Resolve | Step::Reverse | Step::ResetNumber => Way::Command,
    }
}

/// The ends beside the steps that are reached on one of these ways.
pub(crate) fn ends(on: impl Fn(Way) -> bool) -> impl Iterator<Item = (Step, CommitSide)> {
    let steps = Step::ALL.iter().copied().filter(move |step| on(way(*step)));
    steps.flat_map(|step| CommitSide::ALL.map(|side| (step, side)))
}

/// Tries these ends, some side by side; what each of them tells. Each has a thread and a runtime of its own: a server that
/// starts keeps the thread that waits for it, and on a busy machine so long that a request which shared the thread would sit on
/// its connection until the other side closes it.
pub(crate) async fn each<T: Send + 'static, Dying: Future<Output = T>>(
    ends: impl Iterator<Item = (Step, CommitSide)>,
    dies: impl Fn(Step, CommitSide) -> Dying + Copy + Send + 'static,
) -> Vec<T> {
    let apart = |(step, side)| {
        spawn_blocking(move || {
            let own = runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
            own.expect("a runtime").block_on(dies(step, side))
        })
    };
    let tried = stream::iter(ends).map(apart).buffer_unordered(AT_ONCE);
    let told: Vec<_> = tried.map(|told| told.unwrap_or_else(|error| resume_unwind(error.into_panic()))).collect().await;
    assert!(!told.is_empty(), "there are ends");
    told
}

/// The same where each tells its name and how long it took from the chain's answer to the end of the order.
pub(crate) async fn each_timed<Dying: Future<Output = (String, Duration)>>(
    ends: impl Iterator<Item = (Step, CommitSide)>,
    dies: impl Fn(Step, CommitSide) -> Dying + Copy + Send + 'static,
) {
    let mut told = each(ends, dies).await;
    told.sort_by_key(|(_, took)| *took);
    for (when, took) in &told {
        eprintln!("{:>6} ms from the chain's answer to the end of the order: {when}", took.as_millis());
    }
}

/// Starts a server that ends there when it comes there for the first time.
pub(crate) fn armed(step: Step, side: CommitSide, args: &[&str]) -> Served {
    Served::start_in((ARMED_BY, &format!("{}.{}:1", step.name(), side.name())), args)
}

/// Waits until it has ended there.
pub(crate) async fn ended(served: Served, when: &str) {
    let ended = spawn_blocking(move || served.ended_within(PATIENCE)).await.expect("it ends");
    assert_eq!(ended.signal(), Some(ABORTED), "{when}: it was to end there");
}

/// What to call an end.
pub(crate) fn named(step: Step, side: CommitSide) -> String {
    format!("{} {}", side.name(), step.name())
}
