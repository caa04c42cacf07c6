//! Every example through every client: what a program gets in its language is what the server answered, whole, and nothing that
//! the program said is lost on the way to the server.
//!
//! The examples, the world that they need and what is held against an answer are those of the conformance itself; each client
//! has houses and scenes of its own. Between client and server stands a tee, so that what a client tells is held against the
//! very bytes that it was told of. What a scene sends in the example's words, the client sends: a key for a request, or a
//! signature over one, is for the bytes.

mod ask;
mod calls;
mod drivers;
mod tee;
mod told;
mod unsendable;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use reqwest::RequestBuilder;
use serde_json::Value;
use tokio::task::block_in_place;
use tollgate_spec_generator::client_model::{
    ApiDocument, CallGroup, ExampleCase, FixtureValues, calls, cases, samples,
};

use super::answers::{Reply, Voice};
use super::fixtures::Scene;
use super::held;
use super::houses::{Houses, Place};
use super::{CASES_MIN, document};
use ask::Ask;
use drivers::Driver;
use tee::{Came, Tee};
use unsendable::{Unsendable, unsendable};

/// A client, as a program uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Typescript,
    Python,
    /// Python on an event loop.
    AsyncPython,
    Rust,
}

/// A client between its program and the server.
struct Client<'d> {
    way: Way,
    document: &'d ApiDocument,
    groups: &'d [CallGroup<'d>],
    tee: Tee,
    driver: RefCell<Driver>,
}

/// The examples that are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Examples {
    /// Each of them.
    All,
    /// Of each operation the first success, whole and streamed, and of each code the first refusal in each form of errors.
    OneOfEach,
}

// suite: 30s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_operation_and_code_is_green_in_typescript() {
    examples_are_green(Way::Typescript, Examples::OneOfEach).await;
}

// suite: 30s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_operation_and_code_is_green_in_python() {
    examples_are_green(Way::Python, Examples::OneOfEach).await;
}

// suite: 30s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_operation_and_code_is_green_in_python_on_an_event_loop() {
    examples_are_green(Way::AsyncPython, Examples::OneOfEach).await;
}

// suite: builds 90s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_operation_and_code_is_green_in_rust() {
    examples_are_green(Way::Rust, Examples::OneOfEach).await;
}

// suite: long 180s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_is_green_in_typescript() {
    examples_are_green(Way::Typescript, Examples::All).await;
}

// suite: long 180s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_is_green_in_python() {
    examples_are_green(Way::Python, Examples::All).await;
}

// suite: long 180s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_is_green_in_python_on_an_event_loop() {
    examples_are_green(Way::AsyncPython, Examples::All).await;
}

// suite: long builds 240s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_is_green_in_rust() {
    examples_are_green(Way::Rust, Examples::All).await;
}

impl Examples {
    /// One place after the other; within one, as they are written.
    fn of(self, document: &ApiDocument, way: Way) -> Vec<ExampleCase<'_>> {
        let mut cases = cases(document);
        cases.sort_by_key(Place::of);
        if self == Self::OneOfEach {
            let mut seen = BTreeSet::new();
            let shown = |case: &ExampleCase<'_>| match case.expect.code {
                Some(code) => (code.to_owned(), case.expect.envelope.to_owned()),
                None => (case.id.to_owned(), case.expect.stream.map(|_| "stream").unwrap_or_default().to_owned()),
            };
            cases.retain(|case| unsendable(case, way).is_none() && seen.insert(shown(case)));
        }
        cases
    }
}

async fn examples_are_green(way: Way, examples: Examples) {
    let document = document();
    let groups = calls(&document);
    let driver = RefCell::new(block_in_place(|| Driver::start(way, &groups)));
    let client = Client { way, document: &document, groups: &groups, tee: Tee::open().await, driver };
    let mut houses = Houses::default();
    let (mut asked, mut met, mut wrong) = (0, Vec::new(), Vec::new());
    let cases = examples.of(&document, way);
    for case in &cases {
        let here = match unsendable(case, way) {
            Some(listed) if client.sends(case) => vec![format!("it can be sent, though {}", listed.why)],
            Some(_) => Vec::new(),
            None => {
                asked += 1;
                // What cannot be asked is told like what is answered otherwise, so that one run tells all.
                let told = AssertUnwindSafe(client.wrong(&mut houses, case)).catch_unwind().await;
                told.unwrap_or_else(|_| vec!["it could not be asked, see above".to_owned()])
            }
        };
        met.extend(unsendable(case, way).map(|listed| listed.name));
        wrong.extend(here.iter().map(|told| format!("{}: {} of {}: {told}", case.at, case.name, case.id)));
    }
    houses.close().await;
    let is_lost = |listed: &Unsendable| examples == Examples::All && !met.contains(&listed.name);
    let listed = Unsendable::of(way).filter(is_lost);
    wrong.extend(listed.map(|listed| format!("there is no example `{}` that could not be sent", listed.name)));
    println!("{} cases; {asked} asked in {way:?}", cases.len());
    let shown = wrong.len().min(200);
    assert!(wrong.is_empty(), "{} went wrong:\n{}", wrong.len(), wrong[..shown].join("\n"));
    assert!(asked >= CASES_MIN, "{asked}");
}

impl Client<'_> {
    /// All that is wrong with what comes of an example.
    async fn wrong(&self, houses: &mut Houses, case: &ExampleCase<'_>) -> Vec<String> {
        let scene = Scene::set(houses.house(Place::of(case)).await, case, self.document, self).await;
        let wrong = self.answered(&scene, case);
        scene.end().await;
        wrong
    }

    fn answered(&self, scene: &Scene<'_>, case: &ExampleCase<'_>) -> Vec<String> {
        self.tee.lead_to(Some(&scene.house.door.url));
        let request = case.request(&scene.values);
        let ask = Ask::new(self.groups, case, &scene.values, &request);
        let told = self.ask(&ask);
        let mut went = self.tee.went();
        let (Some(went), true) = (went.pop(), went.is_empty()) else {
            return vec![format!("it was not asked once: {told}")];
        };
        let mut wrong = went.came.differs(&request);
        let seen = scene.house.door.seen_of(went.reply_header("x-request-id").unwrap_or_default());
        let reply = Reply { status: went.status, headers: went.reply_headers, body: went.reply_body, seen };
        wrong.extend(held::wrong(self.document, case, &reply, &scene.values));
        wrong.extend(told::wrong(self.document, (case, ask.call), &reply, &told));
        if !wrong.is_empty() {
            wrong.push(format!("told {told}, answered {} {}", reply.status, reply.text()));
            wrong = vec![wrong.join("; ").chars().take(1_200).collect()];
        }
        wrong
    }

    /// What comes of a call.
    fn ask(&self, ask: &Ask<'_, '_>) -> Value {
        block_in_place(|| self.driver.borrow_mut().ask(&ask.told(self.way, &self.tee.url)))
    }

    /// What a call sends, kept from the server; or what the client has told instead.
    fn kept(&self, case: &ExampleCase<'_>, values: &FixtureValues) -> Result<Came, Value> {
        self.tee.lead_to(None);
        let told = self.ask(&Ask::new(self.groups, case, values, &case.request(values)));
        self.tee.went().pop().map(|went| went.came).ok_or(told)
    }

    /// Whether a program can have the client send an example, whatever would be answered.
    fn sends(&self, case: &ExampleCase<'_>) -> bool {
        let values = samples(self.document);
        self.kept(case, &values).is_ok_and(|came| came.differs(&case.request(&values)).is_empty())
    }
}

impl Voice for Client<'_> {
    fn said(&self, url: &str, case: &ExampleCase<'_>, values: &FixtureValues) -> RequestBuilder {
        let came = self.kept(case, values);
        came.unwrap_or_else(|told| panic!("{} is not sent: {told}", case.name)).on(url)
    }
}
