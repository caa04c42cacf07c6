//! Every example is answered as it says: its request is sent to the gateway, over the real rooms behind the real listener, with
//! what the example is given being there, and the answer is held to the example, to what OpenAPI says of it, and to the
//! operation that the router says it came from.
//!
//! Examples are data of the spec: a new operation or code has no peace before it has one, and its test is here already.

mod answers;
mod clients;
mod fixtures;
mod held;
mod houses;
mod schemas;

use std::collections::BTreeMap;
use std::fs;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::Value;
use tokio::time::timeout;
use tollgate_spec_generator::client_model::{ApiDocument, ExampleCase, cases, read};

use crate::spec::answers::root;
use answers::{Reply, Written};
use fixtures::Scene;
use houses::{Houses, Place};
use schemas::Schemas;

/// Fewer would mean that examples were lost.
const CASES_MIN: usize = 220;

/// The longest that an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The spec as it was resolved.
pub(crate) fn document() -> ApiDocument {
    let bytes = fs::read(root().join("spec/dist/resolved.json")).expect("it is committed");
    read(&bytes).expect("it is whole")
}

/// What became of the cases.
#[derive(Debug, Default)]
struct Outcome {
    held: usize,
    /// By what they show.
    of: BTreeMap<String, usize>,
    wrong: Vec<String>,
    outside: usize,
}

// suite: 70s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_is_answered_as_it_says() {
    let document = document();
    let schemas = Schemas::read();
    let mut houses = Houses::default();
    let mut outcome = Outcome::default();
    let mut cases = cases(&document);
    // One house after the other; within one, as they are written.
    cases.sort_by_key(Place::of);
    for case in &cases {
        let place = Place::of(case);
        let house = houses.house(place).await;
        let asked = async {
            let scene = Scene::set(house, case, &document, &Written).await;
            let reply = timeout(PATIENCE, scene.answered()).await.expect("an answer in time");
            (scene, reply)
        };
        // What cannot be asked is told like what is answered otherwise, so that one run tells all.
        let Ok((scene, reply)) = AssertUnwindSafe(asked).catch_unwind().await else {
            outcome.wrong.push(format!("{}: {} of {}: it could not be asked, see above", case.at, case.name, case.id));
            continue;
        };
        outcome.take(&document, &schemas, case, &reply, &scene);
        scene.end().await;
    }
    houses.close().await;
    println!("{} cases, {} held; by code: {:?}", cases.len(), outcome.held, outcome.of);
    println!("{} answers outside of what is declared", outcome.outside);
    let shown = outcome.wrong.len().min(200);
    assert!(outcome.wrong.is_empty(), "{} went wrong:\n{}", outcome.wrong.len(), outcome.wrong[..shown].join("\n"));
    assert!(outcome.outside == 0 && cases.len() >= CASES_MIN, "{} cases", cases.len());
}

impl Outcome {
    fn take(
        &mut self,
        document: &ApiDocument,
        schemas: &Schemas,
        case: &ExampleCase<'_>,
        reply: &Reply,
        scene: &Scene<'_>,
    ) {
        let mut wrong = held::wrong(document, case, reply, &scene.values);
        let outside = schemas.outside(case, reply);
        self.outside += usize::from(outside.is_some());
        wrong.extend(outside);
        *self.of.entry(case.expect.code.unwrap_or("success").to_owned()).or_default() += 1;
        if wrong.is_empty() {
            self.held += 1;
        } else {
            let told: String = reply.text().chars().take(300).collect();
            let (at, name, id, status) = (case.at, case.name, case.id, reply.status);
            self.wrong.push(format!("{at}: {name} of {id}: {}\n    answered {status}: {told}", wrong.join("; ")));
        }
    }
}

/// Whether two values are the same; numbers by what they are worth.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}
