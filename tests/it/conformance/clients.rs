//! Every example through every client: what a program gets in its language is what the server answered, whole, and nothing that
//! the program said is lost on the way to the server.
//!
//! The examples, the world that they need and what is held against an answer are those of the conformance itself. Between a
//! client and the server stands a tee, so that what a client tells is held against the very bytes that it was told of.

mod ask;
mod calls;
mod drivers;
mod tee;
mod told;

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use tollgate_codegen::interface::{Case, Document, Group, calls, cases};

use super::answers::Reply;
use super::fixtures::Scene;
use super::held;
use super::houses::{Houses, Place};
use super::{CASES_MIN, document};
use ask::{Ask, unsendable};
use drivers::Drivers;
use tee::Tee;

/// A client, as a program uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Typescript,
    Python,
    /// Python on an event loop.
    AsyncPython,
    Rust,
}

const WAYS: [Way; 4] = [Way::Typescript, Way::Python, Way::AsyncPython, Way::Rust];

/// Where all that is asked goes by.
struct Road<'d> {
    document: &'d Document,
    groups: &'d [Group<'d>],
    tee: Tee,
    drivers: Drivers,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_is_green_through_every_client() {
    let document = document();
    let groups = calls(&document);
    let drivers = tokio::task::block_in_place(|| Drivers::start(&groups));
    let mut road = Road { document: &document, groups: &groups, tee: Tee::open().await, drivers };
    let mut houses = Houses::default();
    let (mut sendable, mut asked, mut wrong) = ([0; WAYS.len()], 0, Vec::new());
    let mut cases = cases(&document);
    cases.sort_by_key(Place::of);
    for case in &cases {
        let ways: Vec<Way> = WAYS.into_iter().filter(|way| unsendable(case, *way).is_none()).collect();
        for (count, way) in sendable.iter_mut().zip(WAYS) {
            *count += usize::from(ways.contains(&way));
        }
        // What cannot be asked is told like what is answered otherwise, so that one run tells all.
        match AssertUnwindSafe(road.all(&mut houses, case, &ways)).catch_unwind().await {
            Ok(told) => {
                asked += ways.len();
                wrong.extend(told.iter().map(|told| format!("{}: {} of {}: {told}", case.at, case.name, case.id)));
            }
            Err(_) => wrong.push(format!("{}: {} of {}: it could not be asked", case.at, case.name, case.id)),
        }
    }
    houses.close().await;
    let shown = wrong.len().min(200);
    println!("{} cases; sendable by {WAYS:?}: {sendable:?}", cases.len());
    assert!(wrong.is_empty(), "{} went wrong:\n{}", wrong.len(), wrong[..shown].join("\n"));
    assert_eq!(asked, sendable.iter().sum::<usize>(), "each was asked by each who can ask it");
    assert!(sendable.iter().all(|count| *count >= CASES_MIN), "{sendable:?}");
}

impl Road<'_> {
    /// Asks one example in all these ways, and tells what is wrong with what came of it. They share a scene, as long as it is
    /// what the example needs: what was there and was used up by one of them is there again for the next.
    async fn all(&mut self, houses: &mut Houses, case: &Case<'_>, ways: &[Way]) -> Vec<String> {
        let (mut wrong, mut at) = (Vec::new(), 0);
        while at < ways.len() {
            let place = Place::of(case);
            if place.is_used_up() {
                houses.close().await;
            }
            let scene = Scene::set(houses.house(place).await, case, self.document).await;
            let mut fresh = true;
            while let Some(way) = ways.get(at) {
                let here = self.one(&scene, case, *way).await;
                if !here.is_empty() && !fresh {
                    break;
                }
                wrong.extend(here.into_iter().map(|what| format!("{way:?}: {what}")));
                (fresh, at) = (false, at + 1);
            }
            scene.end().await;
        }
        wrong
    }

    async fn one(&mut self, scene: &Scene<'_>, case: &Case<'_>, way: Way) -> Vec<String> {
        self.tee.lead_to(&scene.house.door.url);
        let request = scene.request();
        let ask = Ask::new(self.groups, case, &scene.values, &request);
        let told = tokio::task::block_in_place(|| self.drivers.ask(way, &ask.told(way, &self.tee.url)));
        let mut went = self.tee.went();
        let (Some(went), true) = (went.pop(), went.is_empty()) else {
            return vec![format!("it was not asked once: {told}")];
        };
        let mut wrong = went.differs(&request);
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
}
