//! A thousand keys of fifty teams spend one budget at two servers, one of which is killed meanwhile: never a billionth of a dollar
//! more than it is.

mod period_ends;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tollgate_base::Usd;
use tollgate_tests::random::Random;

use super::*;

const TEAMS: usize = 50;
/// As many as an account may have beside the one that manages them.
const KEYS: usize = 999;
const CLIENTS: usize = 32;
/// Requests that a run lets through, and what of the last one is not let in.
const ROOM: i64 = 60;
const UNEVEN: i64 = 7;
/// Refusals for the moment after which a client asks no more.
const WAITS: usize = 10;
const RUNS: usize = 3;
/// With time for it.
const MANY_RUNS: usize = 100;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooled_budget_is_kept_whichever_server_is_killed() {
    killed_within_a_budget(RUNS).await;
}

// suite: long 60s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooled_budget_is_kept_through_a_hundred_kills() {
    killed_within_a_budget(MANY_RUNS).await;
}

async fn killed_within_a_budget(runs: usize) {
    let shared = Shared::new().await;
    let owner = shared.account("100");
    let start = |number: usize| Served::start(&shared.args(u8::try_from(number + 1).expect("the first or the second")));
    let mut servers = [0, 1].map(|number| Some(start(number)));
    let served =
        |servers: &[Option<Served>; 2], number: usize| servers[number].as_ref().expect("it runs").url().to_owned();
    let keys = Arc::new(keys(&served(&servers, 0), &owner).await);
    let (mut random, mut complete) = (Random::new(29), 0);
    for run in 0..runs {
        let (killed, left) = (run % 2, served(&servers, 1 - run % 2));
        // A budget that has room for some requests of the many, and for a part of one.
        let (spent, ..) = life(&left, &owner).await;
        let budget = Usd::from_nanos(spent + ROOM * nanos(COST) + UNEVEN);
        change(&left, &owner, &format!("{{\"budget_usd\": {budget}}}")).await;
        let answered = Arc::new(AtomicUsize::new(0));
        let mut clients = JoinSet::new();
        for client in 0..CLIENTS {
            let url = served(&servers, client % 2);
            let (keys, answered, first) = (keys.clone(), answered.clone(), random.below(KEYS));
            clients.spawn(async move { spend(&url, &keys, first, &answered).await });
        }
        let enough = random.below(usize::try_from(ROOM).expect("a few") / 2);
        until("some answers", || async { (answered.load(Ordering::Relaxed) >= enough).then_some(()) }).await;
        servers[killed].take().expect("it runs").kill();
        complete += clients.join_all().await.into_iter().sum::<usize>();
        let meanwhile = life(&left, &owner).await;
        // What the killed one held is given back when it starts again.
        servers[killed] = Some(start(killed));
        for (spent, held, told) in [meanwhile, life(&left, &owner).await] {
            assert_eq!(told, budget.nanos(), "run {run}");
            assert!(spent + held <= told, "run {run}: {spent} spent and {held} held of {told}");
        }
    }
    assert!(complete > runs, "the load was real: {complete}");
    assert!(servers.into_iter().flatten().all(Served::terminate), "told to stop, they end well");
    let report = shared.audited();
    assert_eq!(report["holds_open"], json!(0), "{report}");
    let settled = usize::try_from(report["settled"].as_u64().expect("a count")).expect("a count");
    assert!(settled >= complete, "what a client saw complete is charged: {settled} of {complete}");
    eprintln!("{runs} kills, {complete} requests seen complete, {settled} settled, none beyond its budget");
}

/// Asks with one key after another until the budget lets nothing in any more, or the server is gone; the number of answers.
async fn spend(url: &str, keys: &[String], first: usize, answered: &AtomicUsize) -> usize {
    let (mut complete, mut waited) = (0, 0);
    for key in keys.iter().cycle().skip(first).take(KEYS) {
        let request = client().post(format!("{url}/v1/chat/completions")).bearer_auth(key);
        let request = request.header("content-type", "application/json").body(hello(false).to_string());
        let Ok(reply) = request.send().await else { return complete };
        match (reply.status().as_u16(), reply.bytes().await) {
            (200, Ok(_)) => complete += 1,
            (402, _) => return complete,
            // Others hold what is left, for the moment; or the server that was killed does until it starts again.
            (429, _) if waited == WAITS => return complete,
            (429, _) => waited += 1,
            (_, Err(_)) => return complete,
            (status, Ok(body)) => panic!("{status}: {}", String::from_utf8_lossy(&body)),
        }
        answered.fetch_add(1, Ordering::Relaxed);
    }
    complete
}

/// The keys of the teams, in turn.
async fn keys(served: &str, owner: &str) -> Vec<String> {
    let made = async |path: &str, body: Value| {
        let request = client().post(format!("{served}{path}")).bearer_auth(owner);
        let reply = request.header("content-type", "application/json").body(body.to_string()).send().await;
        reply.expect("an answer").json::<Value>().await.expect("JSON")
    };
    let mut teams = Vec::new();
    for number in 0..TEAMS {
        let team = made("/api/user/self/teams", json!({"name": format!("team {number}")})).await;
        teams.push(team["data"]["team_id"].as_i64().unwrap_or_else(|| panic!("{team}")));
    }
    let mut keys = Vec::new();
    for number in 0..KEYS {
        let key = made("/api/user/self/keys", json!({"label": "one of many", "team_id": teams[number % TEAMS]})).await;
        keys.push(key["data"]["api_key"].as_str().unwrap_or_else(|| panic!("{key}")).to_owned());
    }
    keys
}

/// Changes the budgets of the organisation.
async fn change(served: &str, owner: &str, body: &str) {
    let request = client().patch(format!("{served}/api/user/self/organisation")).bearer_auth(owner);
    let request = request.header("content-type", "application/json").body(body.to_owned());
    let reply = request.send().await.expect("an answer");
    assert_eq!(reply.status(), 200, "{}", reply.text().await.unwrap_or_default());
}

/// What of the organisation's budget for all time is spent and held, and the budget, in billionths of a dollar. Nothing where it
/// has none yet.
async fn life(served: &str, owner: &str) -> (i64, i64, i64) {
    let request = client().get(format!("{served}/api/user/self/organisation")).bearer_auth(owner);
    let told = exact(&request.send().await.expect("an answer").text().await.expect("a body"));
    let uses = told["data"]["use"].as_array().unwrap_or_else(|| panic!("{told}"));
    let Some(life) = uses.iter().find(|each| each["period"] == "life") else { return (0, 0, 0) };
    let of = |name: &str| nanos(&amount(&life[name]));
    (of("spent_usd"), of("held_usd"), of("budget_usd"))
}
