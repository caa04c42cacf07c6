//! Texts that are markup and script, planted in every place of an operation that takes a text, and the pages on which a browser
//! reads them.
//!
//! Places are read from the spec: one that is new is planted in without a word here, and has to be seen on a page, or be
//! listed as shown on none.

mod slots;

use std::collections::{BTreeMap, BTreeSet};

use reqwest::{RequestBuilder, Url};
use serde_json::{Value, json};
use tollgate_spec_generator::client_model::ApiDocument;
use tollgate_tests::{TestGateway, browser, client, script};

use crate::operators::admin_client::AdminClient;
pub(crate) use slots::{Draft, Slot, slots};

/// Cases of the scripts.
const CASES: usize = 6;

/// The planted texts: `N` is a number of its own, `planted` a function of the script that reports who called it.
pub(crate) const PAYLOADS: [&str; 8] = [
    "<script>planted(N)</script>",
    "\"><img src=//evil.example/N onerror=planted(N)>",
    "'><svg onload=planted(N)>",
    "\" autofocus onfocus=planted(N) x=\"",
    "javascript:planted(N)",
    "</textarea></title><svg onload=planted(N)>",
    "{{planted(N)}}${planted(N)}{name}",
    "\u{2028}planted(N)\u{2029}<!--",
];

/// Whoever sends the requests in which texts are planted.
pub(crate) trait Planting {
    /// The place of its operations.
    const BELOW: &'static str;

    fn gateway(&self) -> &TestGateway;

    fn texts(&mut self) -> &mut PlantedTexts;

    /// The request of an operation that would be answered, had nothing been planted in it; whatever it is about is there. `serial`
    /// is in no other.
    async fn draft(&mut self, operation: &str, serial: usize) -> Draft;

    /// With what shows who asks.
    fn signed(&self, operation: &str, request: RequestBuilder) -> RequestBuilder;

    /// True if the answer to a draft shows that its request is refused for what is planted in it alone.
    fn fits(operation: &str, answer: &Answer) -> bool;

    /// A text as its place has it: some hold it inside something else.
    fn within(&self, place: &str, text: &str) -> String;
}

/// The answer to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    body: String,
}

impl Answer {
    /// Some operations tell their refusals with HTTP 200.
    pub(crate) fn is_granted(&self) -> bool {
        (200..300).contains(&self.status) && !self.body.contains("\"success\":false")
    }
}

/// The texts that were taken, and the places that were tried.
#[derive(Debug, Default)]
pub(crate) struct PlantedTexts {
    /// The place and the text, by number.
    stored: BTreeMap<usize, (String, String)>,
    /// The places that were planted in.
    tried: BTreeSet<String>,
    last: usize,
}

impl PlantedTexts {
    /// A text that nobody else has, with its number.
    pub(crate) fn text(&mut self, payload: &str) -> (usize, String) {
        self.last += 1;
        (self.last, payload.replace('N', &self.last.to_string()))
    }

    pub(crate) fn taken(&mut self, place: &str, serial: usize, text: String) {
        self.tried.insert(place.to_owned());
        self.stored.insert(serial, (place.to_owned(), text));
    }

    pub(crate) fn taken_count(&self) -> usize {
        self.stored.len()
    }

    /// The report of the script: `visible`, the numbers of texts that stand on a page, and `reflected`, parameters that do. `starts` are
    /// addresses to begin at that no page leads to.
    pub(crate) async fn in_browser(
        &self,
        script_name: &'static str,
        gateway: &TestGateway,
        session: String,
        (pages, starts): (&Value, &[String]),
    ) -> Value {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (plan, report) = (folder.path().join("plan"), folder.path().join("report"));
        let texts: BTreeMap<String, &str> =
            self.stored.iter().map(|(serial, (_, text))| (serial.to_string(), text.as_str())).collect();
        let planted = json!({"texts": texts, "pages": pages, "payloads": PAYLOADS, "starts": starts});
        std::fs::write(&plan, planted.to_string()).expect("a file of ours");
        let env = [
            ("GATEWAY_URL", gateway.url("")),
            ("GATEWAY_KEY", gateway.key.clone()),
            ("SESSION", session),
            ("PLAN", plan.display().to_string()),
            ("REPORT", report.display().to_string()),
        ];
        let output = tokio::task::spawn_blocking(move || {
            let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
            browser::run(script_name, &env)
        });
        assert_eq!(script::held(&output.await.expect("it runs")), Ok(CASES));
        let report = std::fs::read(report).expect("the script reports");
        serde_json::from_slice(&report).expect("JSON")
    }

    /// Sees that what was taken stands on a page, but for places whose texts stand on none, each with the reason.
    pub(crate) fn assert_seen(&self, report: &Value, shown_nowhere: &[(&str, &str)]) {
        let visible: BTreeSet<usize> =
            texts_of(&report["visible"]).map(|text| text.parse().expect("a number")).collect();
        let hidden: BTreeSet<&str> = shown_nowhere.iter().map(|(place, _)| *place).collect();
        let mut wrong = BTreeSet::new();
        for (serial, (place, text)) in &self.stored {
            match (visible.contains(serial), hidden.contains(place.as_str())) {
                (true, false) | (false, true) => {}
                (false, false) => drop(wrong.insert(format!("{place} is on no page: {text:?}"))),
                (true, true) => drop(wrong.insert(format!("{place} is on a page now"))),
            }
        }
        let unknown = hidden.iter().filter(|place| !self.tried.contains(**place));
        wrong.extend(unknown.map(|place| format!("{place} is no place")));
        assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
    }
}

/// Plants each text in each of these places.
pub(crate) async fn plant_all<P: Planting>(planting: &mut P, slots: &[Slot]) {
    for slot in slots {
        let place = slot.name();
        planting.texts().tried.insert(place.clone());
        for payload in PAYLOADS {
            let (serial, text) = planting.texts().text(payload);
            let mut draft = planting.draft(&slot.operation, serial).await;
            slot.plant(&mut draft, &planting.within(&place, &text));
            let answer = send(planting, slot, draft).await;
            assert!((200..500).contains(&answer.status), "{place}: {answer:?}");
            if answer.is_granted() {
                planting.texts().taken(&place, serial, text);
            }
        }
    }
}

/// Sees that requests are refused for what is planted in them alone.
pub(crate) async fn assert_drafts<P: Planting>(planting: &mut P, slots: &[Slot]) {
    let by_operation: BTreeMap<&str, &Slot> = slots.iter().map(|slot| (slot.operation.as_str(), slot)).collect();
    for (operation, slot) in by_operation {
        let (serial, _) = planting.texts().text("");
        let draft = planting.draft(operation, serial).await;
        let answer = send(planting, slot, draft).await;
        assert!(P::fits(operation, &answer), "{operation}: {answer:?}");
    }
}

async fn send<P: Planting>(planting: &P, slot: &Slot, draft: Draft) -> Answer {
    let Draft { path, body, query, headers } = draft;
    let mut address = Url::parse(&planting.gateway().url(&path)).expect("an address");
    if !query.is_empty() {
        address.query_pairs_mut().extend_pairs(query);
    }
    let mut request = planting.signed(&slot.operation, client().request(slot.method.clone(), address));
    for (name, value) in headers {
        request = request.header(name, value.as_bytes());
    }
    if let Some(body) = body {
        request = request.header("content-type", "application/json").body(body.to_string());
    }
    let reply = request.send().await.expect("an answer");
    Answer { status: reply.status().as_u16(), body: reply.text().await.expect("a body") }
}

/// Pages: their paths as the spec has them, with their parameters.
pub(crate) fn pages(document: &ApiDocument, is_page: impl Fn(&str) -> bool) -> Value {
    let pages = document.operations.iter().filter(|(id, _)| is_page(id));
    let page = |route: &str, query: Vec<&String>| json!({"path": route, "query": query});
    let pages = pages.flat_map(|(_, operation)| {
        operation.routes.iter().map(move |route| page(&route.path, operation.query.keys().collect()))
    });
    pages.collect()
}

/// Asks for a model of that name, which an operator has put on offer: a receipt has the name that the client wrote. True if it may be
/// one.
pub(crate) async fn ask_for_a_model(gateway: &TestGateway, admin: &AdminClient, text: &str) -> bool {
    let candidates = json!([{"upstream": "alpha", "model": "upstream-model"}]);
    let settings =
        json!({"context_tokens": 1000, "max_output_tokens": 100, "listed_as": "swift", "candidates": candidates});
    let (status, told) = admin.post("models", &json!({"name": text, "settings": settings})).await;
    if status != 200 {
        assert!((400..500).contains(&status), "{told}");
        return false;
    }
    let body = json!({"model": text, "messages": [{"role": "user", "content": text}], "user": text});
    let reply = gateway.chat(body.to_string()).send().await.expect("an answer");
    assert_eq!(reply.status(), 200, "{text}");
    true
}

pub(crate) fn texts_of(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text"))
}
