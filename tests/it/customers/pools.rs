//! Teams and members by their names, on the pages of who may see them: what their keys used.

use reqwest::Method;
use serde_json::{Value, json};
use tollgate_api::generated::types::MemberRole;
use tollgate_tests::gateway::hello;
use tollgate_tests::{TestGateway, client};

use super::sessions::{asked, signed_in};
use crate::spec::answers::another_member;

/// What leaves an element, as a name of a team.
const PLANTED: &str = "<b>search & rescue";
const ESCAPED: &str = "&#60;b&#62;search &#38; rescue";

/// Asks by the key that manages the account; the data.
async fn manages(gateway: &TestGateway, method: Method, path: &str, body: &Value) -> Value {
    let request = client().request(method, gateway.url(path)).bearer_auth(&gateway.key);
    let reply = request.header("content-type", "application/json").body(body.to_string()).send().await;
    let told: Value = reply.expect("an answer").json().await.expect("JSON");
    assert_eq!(told["success"], true, "{told}");
    told["data"].clone()
}

/// A new team, and a key of it: the number of the team, and the key.
async fn key_of_team(gateway: &TestGateway, name: &str) -> (i64, String) {
    let team = manages(gateway, Method::POST, "/api/user/self/teams", &json!({"name": name})).await;
    let team = team["team_id"].as_i64().expect("a number");
    let key = json!({"label": "of a team", "team_id": team});
    let key = manages(gateway, Method::POST, "/api/user/self/keys", &key).await;
    (team, key["api_key"].as_str().expect("a key").to_owned())
}

/// A request with a key, which is charged.
async fn asks(gateway: &TestGateway, key: &str) {
    let request = client().post(gateway.url("/v1/chat/completions")).bearer_auth(key);
    let request = request.header("content-type", "application/json").body(hello(false).to_string());
    let reply = request.send().await.expect("an answer");
    assert_eq!(reply.status(), 200);
    let id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    reply.bytes().await.expect("a body");
    gateway.receipt(&id).await;
}

async fn page(gateway: &TestGateway, path: &str, cookie: &str) -> String {
    let reply = client().get(gateway.url(path)).header("cookie", cookie).send().await.expect("an answer");
    assert_eq!(reply.status(), 200, "{path}");
    reply.text().await.expect("a page")
}

/// The rows of the table in the section of this heading, as their words and amounts.
fn rows(page: &str, heading: &str) -> Vec<Vec<String>> {
    let Some((_, section)) = page.split_once(&format!("<h2 id=\"by-{heading}\">")) else { return Vec::new() };
    let body = section.split("<tbody>").nth(1).expect("a table").split("</tbody>").next().expect("its end");
    let words = |cell: &str| {
        let mut text = String::new();
        let mut is_tag = false;
        for letter in cell.chars() {
            match letter {
                '<' => is_tag = true,
                '>' => is_tag = false,
                _ if !is_tag => text.push(letter),
                _ => {}
            }
        }
        text
    };
    let cells = |row: &str| {
        let cells = row.split("</td>").flat_map(|cell| cell.split("</th>")).map(words);
        cells.filter(|cell| !cell.trim().is_empty()).collect()
    };
    body.split("<tr>").skip(1).map(cells).collect()
}

#[tokio::test]
async fn usage_is_told_by_team_and_by_member_in_their_names() {
    let gateway = TestGateway::start().await;
    let owner = signed_in(&gateway).await;
    asks(&gateway, &gateway.key.clone()).await;
    let without = page(&gateway, "/console/usage", &owner).await;
    assert!(!without.contains("by-team_id") && !without.contains("name=\"team_id\""), "there is no team: {without}");
    assert!(!without.contains("by-member_id") && !without.contains("name=\"member_id\""), "and no member");
    assert!(without.contains("group_by=day%2Cmodel%2Ckey&#38;"), "{without}");

    let (team, of_team) = key_of_team(&gateway, PLANTED).await;
    let (developer, member) = another_member(&gateway, MemberRole::Developer).await;
    let made = asked(&gateway, Method::POST, "/api/user/self/keys", &developer, Some(json!({"label": "own"}))).await;
    let of_member = made.2["api_key"].as_str().unwrap_or_else(|| panic!("{made:?}")).to_owned();
    for key in [&of_team, &of_team, &of_member] {
        asks(&gateway, key).await;
    }
    let whole = page(&gateway, "/console/usage", &owner).await;
    let counted = |heading: &str| -> Vec<(String, String)> {
        rows(&whole, heading).into_iter().map(|row| (row[0].clone(), row[1].clone())).collect()
    };
    let pair = |name: &str, count: &str| (name.to_owned(), count.to_owned());
    let mut teams = counted("team_id");
    teams.sort();
    assert_eq!(teams, [pair(ESCAPED, "2"), pair("Keys of no team", "2")]);
    let members = counted("member_id");
    assert_eq!(members.len(), 2, "{members:?}");
    assert_eq!(members[0], pair("Keys of no member", "3"));
    assert!(members[1].0.starts_with("member ") && members[1].1 == "1", "{members:?}");
    assert!(whole.contains("group_by=day%2Cmodel%2Ckey%2Cteam%2Cmember"), "{whole}");

    // One team or member alone, on the page and as CSV.
    let narrowed = page(&gateway, &format!("/console/usage?team_id={team}"), &owner).await;
    assert_eq!(rows(&narrowed, "team_id").len(), 1);
    assert!(narrowed.contains(&format!("<option value=\"{team}\" selected>{ESCAPED}</option>")), "{narrowed}");
    let csv = narrowed.split("href=\"/api/user/self/usage").nth(1).expect("a link").split('"').next().expect("its end");
    let csv = page(&gateway, &format!("/api/user/self/usage{}", csv.replace("&#38;", "&")), &owner).await;
    let (head, lines) = csv.split_once('\n').expect("lines");
    assert!(head.contains("team_id") && head.contains("member_id"), "{csv}");
    assert!(!lines.is_empty() && lines.lines().all(|line| line.contains(&team.to_string())), "{csv}");
    for (search, count) in [(format!("team_id={team}"), 2), (format!("member_id={member}"), 1), ("team_id=x".into(), 4)]
    {
        let listed = page(&gateway, &format!("/console/receipts?{search}"), &owner).await;
        assert_eq!(listed.matches("href=\"/console/receipts/req").count(), count, "{search}: {listed}");
    }
    let organisation = page(&gateway, "/console/organisation", &owner).await;
    for of in [format!("team_id={team}"), format!("member_id={member}")] {
        for to in ["usage", "receipts"] {
            assert!(organisation.contains(&format!("href=\"/console/{to}?{of}\"")), "{to} {of}: {organisation}");
        }
    }

    // The overview tells the sums of this month by team, to each what the role shows.
    let month = async |cookie: &str| {
        let overview = page(&gateway, "/console/overview", cookie).await;
        let (_, teams) = overview.split_once("By team</h3>").unwrap_or_else(|| panic!("{overview}"));
        teams.split("</table>").next().unwrap_or_default().contains(ESCAPED)
    };
    assert!(month(&owner).await && !month(&developer).await);

    // A developer sees the own keys alone, and nobody's name.
    let seen = page(&gateway, "/console/usage", &developer).await;
    assert_eq!(rows(&seen, "team_id").len(), 1, "{seen}");
    assert!(!seen.contains("by-member_id") && !seen.contains("name=\"member_id\""), "{seen}");
    assert!(seen.contains("group_by=day%2Cmodel%2Ckey%2Cteam&#38;"), "{seen}");
    // A viewer may see all of it.
    let (viewer, _) = another_member(&gateway, MemberRole::Viewer).await;
    let seen = page(&gateway, "/console/usage", &viewer).await;
    assert_eq!((rows(&seen, "team_id").len(), rows(&seen, "member_id").len()), (2, 2), "{seen}");
    gateway.assert_books().await;
}
