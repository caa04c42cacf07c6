//! The pages of the documentation, as the binary shows them: whole without a script, at home in a browser, their code right.

mod calls;

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Response;
use tollgate_tests::binary::Served;
use tollgate_tests::{browser, client, script};

/// What the script has cases for.
const CASES: usize = 13;

/// The binary with its sandbox.
struct House {
    served: Served,
    _folder: tempfile::TempDir,
}

impl House {
    fn open() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let served = Served::start(&["--data", &folder.path().display().to_string()]);
        Self { served, _folder: folder }
    }

    async fn get(&self, path: &str) -> Response {
        client().get(format!("{}{path}", self.served.url())).send().await.expect("an answer")
    }

    /// The pages that links lead to, by their addresses, with the links that they have.
    async fn pages(&self) -> BTreeMap<String, String> {
        let mut pages = BTreeMap::new();
        let mut open = vec!["/docs".to_owned()];
        while let Some(address) = open.pop() {
            if pages.contains_key(&address) {
                continue;
            }
            let reply = self.get(&address).await;
            assert_eq!(reply.status(), 200, "{address}");
            let text = reply.text().await.expect("a page");
            if address.starts_with("/docs") && !address.ends_with(".css") {
                open.extend(links(&text).into_iter().map(|href| led_to(&address, href).0).filter(|to| !to.is_empty()));
            }
            pages.insert(address, text);
        }
        pages
    }
}

/// Where the links of a page lead.
fn links(page: &str) -> Vec<&str> {
    attributes(page, "href").into_iter().filter(|href| *href != "data:,").collect()
}

fn attributes<'p>(page: &'p str, name: &str) -> Vec<&'p str> {
    let mark = format!(" {name}=\"");
    page.split(mark.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// The address and the heading that a link leads to from a page.
fn led_to(from: &str, href: &str) -> (String, String) {
    let base = reqwest::Url::parse("http://gateway.example").expect("an address").join(from).expect("an address");
    let to = base.join(href).expect("an address");
    assert_eq!(to.host_str(), base.host_str(), "{from} links to {href}");
    (to.path().to_owned(), to.fragment().unwrap_or_default().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_link_of_every_page_leads_somewhere() {
    let house = House::open();
    let pages = house.pages().await;
    let headings: BTreeMap<&str, BTreeSet<&str>> =
        pages.iter().map(|(address, page)| (address.as_str(), attributes(page, "id").into_iter().collect())).collect();
    let mut count = 0;
    for (address, page) in pages.iter().filter(|(_, page)| page.starts_with("<!doctype html>")) {
        for href in links(page) {
            let (to, heading) = led_to(address, href);
            let found = headings.get(to.as_str()).unwrap_or_else(|| panic!("{address} links to {href}"));
            assert!(heading.is_empty() || found.contains(heading.as_str()), "{address} links to {href}");
            count += 1;
        }
    }
    assert!(pages.len() > 30 && count > 3_000, "{} pages, {count} links", pages.len());
    // What is searched through leads somewhere too.
    let index = house.get("/docs/search.json").await.text().await.expect("a list");
    let entries: Vec<[String; 4]> = serde_json::from_str(&index).expect("a list of four texts each");
    for [_, title, place, _] in &entries {
        let (page, heading) = place.split_once('#').unwrap_or((place, ""));
        let address = if page == "index" { "/docs".to_owned() } else { format!("/docs/{page}") };
        assert!(heading.is_empty() || headings[address.as_str()].contains(heading), "{title}: {place}");
    }
    assert!(entries.iter().any(|[kind, title, ..]| (kind.as_str(), title.as_str()) == ("Error", "ORDER_EXPIRED")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_sent_once_and_may_load_nothing_else() {
    let house = House::open();
    for (path, kind) in [
        ("/docs", "text/html; charset=utf-8"),
        ("/docs/errors", "text/html; charset=utf-8"),
        ("/docs/docs.css", "text/css; charset=utf-8"),
        ("/docs/docs.js", "text/javascript; charset=utf-8"),
        ("/docs/search.json", "application/json"),
    ] {
        let reply = house.get(path).await;
        let header = |name: &str| reply.headers()[name].to_str().expect("text").to_owned();
        assert_eq!((reply.status().as_u16(), header("content-type").as_str()), (200, kind), "{path}");
        assert_eq!(
            (header("x-content-type-options").as_str(), header("cache-control").as_str()),
            ("nosniff", "no-cache")
        );
        let policy = header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'; ") && !policy.contains("unsafe"),
            "{policy}"
        );
        let tag = header("etag");
        let known = client().get(format!("{}{path}", house.served.url())).header("if-none-match", &tag);
        let known = known.send().await.expect("an answer");
        assert_eq!((known.status().as_u16(), known.headers()["etag"].as_bytes()), (304, tag.as_bytes()), "{path}");
        assert_eq!(known.bytes().await.expect("a body").len(), 0);
    }
    for path in ["/docs/index", "/docs/no-such-page", "/docs/..%2Fopenapi.json"] {
        let reply = house.get(path).await;
        assert_eq!(reply.status(), 404, "{path}");
        let told: serde_json::Value = reply.json().await.expect("an error");
        assert_eq!(told["error"]["code"], "route_not_found", "{told}");
    }
}

// suite: browser 15s
#[tokio::test(flavor = "multi_thread")]
async fn people_read_search_and_copy() {
    let house = House::open();
    let env = [
        ("GATEWAY_URL", house.served.url().to_owned()),
        ("GATEWAY_KEY", house.served.greeting["demo_key"].as_str().expect("a key").to_owned()),
        ("SCREENSHOTS", std::env::var("UPDATE_SCREENSHOTS").map(|_| screenshots()).unwrap_or_default()),
    ];
    let output = tokio::task::spawn_blocking(move || {
        let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser::run("docs.js", &env)
    });
    assert_eq!(script::held(&output.await.expect("it runs")), Ok(CASES));
}

/// Where pictures of the pages are kept.
fn screenshots() -> String {
    format!("{}/screenshots", env!("CARGO_MANIFEST_DIR"))
}
