//! Bad input of every kind for every operation that is routed: refused in the right shape or answered as if it were
//! good, at once, and never paid for unless it was answered.
//!
//! The operations, their fields, parameters and bounds are read from the spec, so that a new one is under the battery as
//! soon as it is routed. Requests are written byte by byte, because no client would send them.

mod endpoint;
mod exchange;
mod forms;
mod heads;
mod places;
mod request;
mod targets;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use futures_util::{StreamExt, stream};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, Row};
use tollgate_tests::TestGateway;
use tollgate_tests::gateway::{Options, amount};
use tollgate_tests::wait::until;

use endpoint::Endpoint;
use exchange::{Answer, exchange};
use request::Request;

/// No battery is smaller.
const CASES_MIN: usize = 1000;
/// Requests at the same time.
const AT_ONCE: usize = 24;
/// What any answer takes, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(20);
/// Codes of a request that is at fault.
const FAULTS: &[&str] = &[
    "BAD_JSON",
    "BAD_FIELD",
    "MISSING_FIELD",
    "MISSING_HEADER",
    "BAD_PARAMETER",
    "BAD_CONTENT_TYPE",
    "METHOD_NOT_ALLOWED",
    "ROUTE_NOT_FOUND",
    "BODY_TOO_LARGE",
    "HEADERS_TOO_LARGE",
    "MODEL_NOT_FOUND",
    "NOT_CONVERTIBLE",
    "MEMBER_UNKNOWN",
    "NOT_OFFERED",
    "PROVIDER_STATE",
    "THREAD_UNSUPPORTED",
    "RESPONSE_NOT_FOUND",
    "RECEIPT_NOT_FOUND",
    "NOT_CANCELLABLE",
    "PREVIOUS_RESPONSE_NOT_FOUND",
    "ITEM_NOT_FOUND",
    "VIDEO_NOT_FOUND",
    "VIDEO_NOT_READY",
    "KEY_NOT_FOUND",
    "AGENT_NOT_FOUND",
    "TEAM_NOT_FOUND",
    "TEAM_NAME_TAKEN",
    "TEAM_CLOSED",
    "MEMBER_NOT_FOUND",
    "INVITATION_NOT_FOUND",
    "INVITATION_NOT_OPEN",
    "INVITATION_LIMIT",
    // Of the many that are asked for by one proof, one may be registered; what is changed in it breaks the proof.
    "AGENT_EXISTS",
    "NONCE_USED",
    "ISSUED_AT_OUT_OF_RANGE",
    "BAD_OWNERSHIP_SIG",
    // Signing out takes no key, and the battery has no session.
    "KEY_MISSING",
    // The battery registers one name over and over, signs in with one that is nobody's, and tries too often.
    "LOGIN_FAILED",
    "ACCOUNT_EXISTS",
    "RATE_LIMITED",
    // No text of the battery was given out.
    "CHALLENGE_INVALID",
    "BAD_WALLET_SIGNATURE",
    // Nor did it begin a sign-in.
    "OIDC_PROVIDER_NOT_FOUND",
    "OIDC_REFUSED",
    "OIDC_LOGOUT_REFUSED",
    // Orders wait to be paid, three at most, and what comes for them is no payment.
    "X402_INVALID_AMOUNT",
    "X402_UNSUPPORTED_ASSET",
    "X402_PENDING_CAP",
    "X402_SPEND_CAP_EXCEEDED",
    "ORDER_NOT_FOUND",
    "ORDER_NOT_PENDING",
    "ORDER_EXPIRED",
    "PAYLOAD_MISMATCH",
    "X402_PAYMENT_REJECTED",
    "INVALID_AMOUNT",
    "UNSUPPORTED_WALLET",
    // No notice of the battery is signed.
    "NOTICE_REFUSED",
    "PAYMENT_REQUIRED",
];

/// What may become of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum May {
    /// Nobody can answer it.
    Refused,
    /// It says something unusual, which the provider may know what to do with.
    Either,
    /// It is no request of HTTP, or not a whole one: the connection may also close without a word.
    Closed,
}

/// One bad request.
#[derive(Debug)]
struct Case {
    /// What kind of thing is wrong with it.
    kind: &'static str,
    /// What exactly, for people.
    what: String,
    may: May,
    request: Request,
}

impl Case {
    fn new(kind: &'static str, may: May, what: impl Into<String>, request: Request) -> Self {
        Self { kind, what: what.into(), may, request }
    }
}

/// What became of the cases of an operation.
#[derive(Debug, Default)]
struct Counts {
    refused: usize,
    answered: usize,
    closed: usize,
}

/// All that is kept of the answers.
#[derive(Debug, Default)]
struct Outcome {
    of: BTreeMap<String, Counts>,
    /// Cases that were answered, by their kinds.
    answered: BTreeMap<&'static str, usize>,
    /// Requests that were answered, by their ids.
    answered_ids: BTreeSet<String>,
    slowest: (Duration, String),
    wrong: Vec<String>,
}

impl Outcome {
    fn take(&mut self, endpoint: &Endpoint, case: &Case, answer: &Answer) {
        let what = format!("{}: {} {}", endpoint.id, case.kind, case.what);
        if answer.took > self.slowest.0 {
            self.slowest = (answer.took, what.clone());
        }
        let counts = self.of.entry(endpoint.id.clone()).or_default();
        match answer.verdict(endpoint, case) {
            Ok(exchange::Verdict::Refused) => counts.refused += 1,
            Ok(exchange::Verdict::Closed) => counts.closed += 1,
            Ok(exchange::Verdict::Answered(id)) => {
                counts.answered += 1;
                *self.answered.entry(case.kind).or_default() += 1;
                self.answered_ids.insert(id);
            }
            Err(why) => self.wrong.push(format!("{what}: {why}")),
        }
    }

    fn table(&self) -> usize {
        println!("{:32} {:>6} {:>8} {:>9} {:>7}", "operation", "cases", "refused", "answered", "closed");
        let mut all = 0;
        for (id, Counts { refused, answered, closed }) in &self.of {
            let cases = refused + answered + closed;
            println!("{id:32} {cases:6} {refused:8} {answered:9} {closed:7}");
            all += cases;
        }
        println!(
            "{all} cases; answered: {:?}; slowest {} ms: {}",
            self.answered,
            self.slowest.0.as_millis(),
            self.slowest.1
        );
        all
    }
}

fn cases(endpoint: &Endpoint) -> Vec<Case> {
    let mut cases = targets::cases(endpoint);
    cases.extend(heads::cases(endpoint));
    if endpoint.good.body.is_some() {
        cases.extend(heads::of_a_body(endpoint));
        cases.extend(texts::cases(endpoint));
        cases.extend(places::cases(endpoint));
    }
    if endpoint.takes_form {
        cases.extend(forms::cases(endpoint));
    }
    cases
}

/// The requests that something was charged for.
async fn charged(gateway: &TestGateway) -> BTreeSet<String> {
    let options = SqliteConnectOptions::new().filename(gateway.ledger()).read_only(true);
    let mut ledger = options.connect().await.expect("a connection");
    let query = "SELECT request_id FROM receipts WHERE cost > 0";
    let rows = sqlx::query(query).fetch_all(&mut ledger).await.expect("the ledger");
    ledger.close().await.expect("closed");
    rows.iter().map(|row| row.get(0)).collect()
}

// suite: 35s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_input_of_every_kind_is_refused_or_answered_by_every_operation() {
    let gateway = super::gateway(Options { credit: "100000", ..Options::default() }).await;
    let (address, key, other) = (gateway.address(), gateway.key.clone(), gateway.key_of_another().await);
    let mut outcome = Outcome::default();
    for endpoint in endpoint::all() {
        // What bounds an organisation bounds all that it asks afterwards.
        let key = if endpoint.id == "organisation.change" { &other } else { &key };
        let answers = stream::iter(cases(&endpoint))
            .map(|case| async {
                let answer = exchange(address, &case.request.bytes(key), case.request.ends, PATIENCE).await;
                (case, answer)
            })
            .buffer_unordered(AT_ONCE);
        let mut answers = std::pin::pin!(answers);
        while let Some((case, answer)) = answers.next().await {
            outcome.take(&endpoint, &case, &answer);
        }
    }
    let all = outcome.table();
    let shown = outcome.wrong.len().min(40);
    assert!(outcome.wrong.is_empty(), "{} went wrong:\n{}", outcome.wrong.len(), outcome.wrong[..shown].join("\n"));
    assert!(all >= CASES_MIN, "{all} cases");
    until("the last hold to go", || async { (amount(&gateway.balance().await["held_usd"]) == "0").then_some(()) })
        .await;
    let charged = charged(&gateway).await;
    let unanswered: Vec<&String> = charged.difference(&outcome.answered_ids).collect();
    assert!(!charged.is_empty() && unanswered.is_empty(), "charged and not answered: {unanswered:?}");
    gateway.assert_books().await;
}
