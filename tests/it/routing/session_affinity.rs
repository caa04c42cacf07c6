//! The turns of a conversation are answered where the turn before was: providers of one model that are equal, each with a
//! cache of prefixes of its own.

// suite of this file: waiting

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tollgate_tests::gateway::{Options, client};
use tollgate_tests::postgres::Postgres;
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::upstream::Received;
use tollgate_tests::{TestGateway, Upstream};

const CONVERSATIONS: usize = 20;
const TURNS: usize = 8;

/// A provider that caches what it has read: a conversation that goes on from one that it knows is told as cached.
struct Caching {
    upstream: Upstream,
    dead: Arc<AtomicBool>,
}

impl Caching {
    async fn start(name: &'static str) -> Self {
        let upstream = Upstream::start().await;
        let (seen, dead) = (Mutex::new(HashSet::new()), Arc::new(AtomicBool::new(false)));
        let died = dead.clone();
        upstream.on(move |request: &Received| {
            if died.load(Ordering::SeqCst) {
                return Reply::hang_up();
            }
            let body: Value = serde_json::from_slice(&request.body).expect("JSON");
            let turns = body["messages"].as_array().expect("a conversation");
            let prefix = |count: usize| json!(turns[..count]).to_string();
            let mut seen = seen.lock().expect("nobody panicked");
            // All but the answer to the turn before, and this turn.
            let known = turns.len().checked_sub(2).is_some_and(|count| seen.contains(&prefix(count)));
            seen.insert(prefix(turns.len()));
            let mut answer = completion(name, 9, 3);
            answer["usage"]["prompt_tokens_details"] = json!({"cached_tokens": if known { 8 } else { 0 }});
            Reply::json(200, &answer)
        });
        Self { upstream, dead }
    }
}

/// Three of them, for the model `shared`.
struct Three {
    providers: [Caching; 3],
    config: String,
}

impl Three {
    async fn start() -> Self {
        let providers = [Caching::start("one").await, Caching::start("two").await, Caching::start("three").await];
        let tables = providers.iter().enumerate().map(|(number, provider)| {
            format!("[upstreams.p{number}]\nbase_url = {:?}\n", provider.upstream.base_url())
        });
        let candidates = [0, 1, 2].map(|number| format!("{{ upstream = \"p{number}\", priority = 0 }}")).join(", ");
        let model = format!(
            "[models.shared]\ncontext_tokens = 100000\nmax_output_tokens = 100\n\
             price = {{ prompt = \"1\", cached = \"0.1\", completion = \"1\" }}\ncandidates = [{candidates}]\n"
        );
        Self { config: tables.chain([model]).collect(), providers }
    }
}

/// What a conversation has said, and who answered its turns.
#[derive(Clone)]
struct Conversation {
    /// How the session is named: nowhere, in a header, or in the body.
    named: usize,
    number: usize,
    messages: Vec<Value>,
    answered: Vec<String>,
    hits: Vec<bool>,
}

impl Conversation {
    fn new(number: usize) -> Self {
        let system = json!({"role": "system", "content": "You are the same for all."});
        Self { named: number % 3, number, messages: vec![system], answered: Vec::new(), hits: Vec::new() }
    }

    /// Says the next turn to a node.
    async fn go_on(&mut self, node: &TestGateway, key: &str) {
        let (number, turn) = (self.number, self.answered.len());
        self.messages.push(json!({"role": "user", "content": format!("conversation {number}, turn {turn}")}));
        let mut body = json!({"model": "shared", "messages": self.messages, "max_tokens": 10});
        let mut request = client().post(node.url("/v1/chat/completions")).bearer_auth(key);
        match self.named {
            0 => {}
            1 => request = request.header("x-session-id", format!("session-{number}")),
            _ => body["prompt_cache_key"] = json!(format!("session-{number}")),
        }
        let reply = request.json(&body).send().await.expect("an answer");
        assert_eq!(reply.status(), 200, "{body}");
        let reply: Value = reply.json().await.expect("JSON");
        let answer = &reply["choices"][0]["message"];
        self.answered.push(answer["content"].as_str().expect("who it was").to_owned());
        self.hits.push(reply["usage"]["prompt_tokens_details"]["cached_tokens"] == 8);
        self.messages.push(answer.clone());
    }
}

/// Turns that could be hits, and those that were.
fn hits<'c>(turns: impl Iterator<Item = &'c [bool]>) -> (usize, usize) {
    turns.fold((0, 0), |(eligible, hits), turns| {
        (eligible + turns.len(), hits + turns.iter().filter(|hit| **hit).count())
    })
}

/// All conversations, turn by turn, each next turn at the next node.
async fn talk(conversations: &mut [Conversation], nodes: &[&TestGateway], key: &str, turns: usize) {
    for turn in 0..turns {
        for (place, conversation) in conversations.iter_mut().enumerate() {
            conversation.go_on(nodes[(turn + place) % nodes.len()], key).await;
        }
    }
}

fn assert_hit(conversations: &[Conversation], what: &str) {
    let (eligible, hits) = hits(conversations.iter().map(|one| &one.hits[1..]));
    assert_eq!(eligible, CONVERSATIONS * (TURNS - 1), "{what}");
    assert!(hits * 100 >= eligible * 99, "{what}: {hits} of {eligible}");
    let by: BTreeMap<_, usize> = conversations.iter().fold(BTreeMap::new(), |mut by, one| {
        *by.entry(&one.answered[0]).or_default() += 1;
        by
    });
    assert_eq!(by.len(), 3, "{what}: all of them are used: {by:?}");
}

#[tokio::test]
async fn a_conversation_stays_where_its_cache_is() {
    let three = Three::start().await;
    let node = TestGateway::with(Options { config: three.config.clone(), ..Options::default() }).await;
    let mut conversations: Vec<_> = (0..CONVERSATIONS).map(Conversation::new).collect();
    talk(&mut conversations, &[&node], &node.key, TURNS).await;
    assert_hit(&conversations, "one node");
    node.assert_books().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_send_a_conversation_to_the_same_provider() {
    let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts");
    let three = Three::start().await;
    let config = format!("[database]\nurl = {url:?}\n{}", three.config);
    let one = TestGateway::with(Options { config: config.clone(), ..Options::default() }).await;
    let two = one.beside(&config).await;
    let mut conversations: Vec<_> = (0..CONVERSATIONS).map(Conversation::new).collect();
    talk(&mut conversations, &[&one, &two], &one.key, TURNS).await;
    assert_hit(&conversations, "two nodes");
    one.assert_books().await;
}

/// Its sessions are answered elsewhere from the next turn on, each at one place; those of the others do not move.
#[tokio::test]
async fn the_sessions_of_a_dead_provider_move_at_once_and_stay() {
    let three = Three::start().await;
    let config = format!("[breaker]\nfailures = 2\n{}", three.config);
    let node = TestGateway::with(Options { config, ..Options::default() }).await;
    let mut conversations: Vec<_> = (0..CONVERSATIONS).map(Conversation::new).collect();
    talk(&mut conversations, &[&node], &node.key, TURNS / 2).await;
    three.providers[0].dead.store(true, Ordering::SeqCst);
    talk(&mut conversations, &[&node], &node.key, TURNS / 2).await;
    let mut moved = 0;
    for one in &conversations {
        let (before, after) = one.answered.split_at(TURNS / 2);
        assert!(after.iter().all(|name| *name == after[0] && name != "one"), "{:?}", one.answered);
        if before[0] == "one" {
            moved += 1;
        } else {
            assert_eq!(before[0], after[0], "it had no reason to move");
        }
        assert!(one.hits[TURNS / 2 + 1..].iter().all(|hit| *hit), "{:?} {:?}", one.answered, one.hits);
    }
    assert!(moved > 0, "it had some");
    node.assert_books().await;
}

/// Each of the ways in which programs name a session leads all that it says to one provider, however differently it begins.
#[tokio::test]
async fn each_name_of_a_session_counts() {
    const SESSIONS: usize = 12;
    let three = Three::start().await;
    let node = TestGateway::with(Options { config: three.config.clone(), ..Options::default() }).await;
    for way in ["x-session-id", "session_id", "x-session-affinity", "prompt_cache_key", "metadata"] {
        let mut used = HashSet::new();
        for session in 0..SESSIONS {
            let name = format!("session-{session}");
            let mut answered = HashSet::new();
            for turn in 0..4 {
                let messages = json!([{"role": "user", "content": format!("{turn} of {session} begins anew")}]);
                let mut body = json!({"model": "shared", "messages": messages, "max_tokens": 10});
                let (path, at) = match way {
                    "metadata" => ("/v1/messages", "/content/0/text"),
                    _ => ("/v1/chat/completions", "/choices/0/message/content"),
                };
                let mut request = client().post(node.url(path)).bearer_auth(&node.key).header("anthropic-version", "1");
                match way {
                    "metadata" => body["metadata"] = json!({"user_id": name}),
                    "prompt_cache_key" => body["prompt_cache_key"] = json!(name),
                    header => request = request.header(header, &name),
                }
                let reply: Value = request.json(&body).send().await.expect("an answer").json().await.expect("JSON");
                answered.insert(reply.pointer(at).unwrap_or_else(|| panic!("{reply}")).clone());
            }
            assert_eq!(answered.len(), 1, "{way}: {name} went to {answered:?}");
            used.extend(answered);
        }
        assert!(used.len() > 1, "{way}: not all sessions are one");
    }
    node.assert_books().await;
}
