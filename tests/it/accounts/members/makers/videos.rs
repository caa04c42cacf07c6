//! A key of a member or of a team finds the videos that keys of that member or team ordered, and nobody else's.

use tollgate_tests::fake_video_provider::{FakeVideoProvider, Plan};
use tollgate_tests::postgres::Postgres;
use tollgate_tests::wait::until;

use super::*;
use crate::formats::videos::STUDIOS;

const VIDEOS: &str = "/v1/videos";

#[derive(Debug, Clone, Copy)]
enum On {
    File,
    Server,
}

impl On {
    async fn house(self) -> (House, FakeVideoProvider) {
        let database = match self {
            Self::File => "[database]\n".to_owned(),
            Self::Server => {
                let url =
                    tokio::task::spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts");
                format!("[database]\nurl = {url:?}\n")
            }
        };
        let house = House::new(&format!("[accounts]\nregistration = true\n{database}{STUDIOS}")).await;
        let studio = FakeVideoProvider::at(&house.gateway.upstream.base_url());
        let answering = studio.clone();
        house.gateway.upstream.on(move |request| answering.answer(request));
        (house, studio)
    }
}

impl House {
    async fn status(&self, key: &str, method: Method, path: &str) -> u16 {
        self.by_key(key, method, path, None).await.status().as_u16()
    }

    /// Orders a video, later than any other.
    async fn order(&self, key: &str) -> String {
        self.hand.advance_ms(1);
        let ordered = self.by_key(key, Method::POST, VIDEOS, Some(json!({"model": "film-o", "prompt": "a cat"}))).await;
        let job: Value = ordered.json().await.expect("JSON");
        job["id"].as_str().unwrap_or_else(|| panic!("{job}")).to_owned()
    }

    /// The ids of a page, and whether there is a further one.
    async fn page(&self, key: &str, query: &str) -> (Vec<String>, bool) {
        let page: Value =
            self.by_key(key, Method::GET, &format!("{VIDEOS}{query}"), None).await.json().await.expect("JSON");
        let jobs = page["data"].as_array().unwrap_or_else(|| panic!("{page}"));
        let ids = jobs.iter().map(|job| job["id"].as_str().expect("an id").to_owned());
        (ids.collect(), page["has_more"] == true)
    }

    /// Sees that a key lists its own videos, page by page, and reads and fetches these alone.
    async fn assert_finds(&self, key: &str, own: &[String], others: &[String], content: u16) {
        let (newest, oldest): (Vec<String>, _) = (own.iter().rev().cloned().collect(), own.to_vec());
        assert_eq!(self.page(key, "").await, (newest.clone(), false));
        assert_eq!(self.page(key, "?order=asc").await, (oldest.clone(), false));
        assert_eq!(self.page(key, "?limit=1").await, (newest[..1].to_vec(), true));
        assert_eq!(self.page(key, &format!("?after={}", newest[0])).await, (newest[1..].to_vec(), false));
        assert_eq!(self.page(key, &format!("?order=asc&after={}", own[0])).await, (oldest[1..].to_vec(), false));
        let paths = |id: &str| {
            [
                (format!("{VIDEOS}/{id}"), 200),
                (format!("/v1/video/generations/{id}"), 200),
                (format!("/videoA/v1/videos/text2video/{id}"), 200),
                (format!("/videoA/v1/videos/image2video/{id}"), 200),
                (format!("{VIDEOS}/{id}/content"), content),
            ]
        };
        for (path, status) in own.iter().flat_map(|id| paths(id)) {
            assert_eq!(self.status(key, Method::GET, &path).await, status, "{path}");
        }
        for id in others {
            for (path, _) in paths(id).into_iter().chain([(format!("{VIDEOS}?after={id}"), 404)]) {
                self.assert_hidden(key, Method::GET, &path, id).await;
            }
            self.assert_hidden(key, Method::DELETE, &format!("{VIDEOS}/{id}"), id).await;
        }
    }

    /// Sees that a video is told apart from one that never was by nothing.
    async fn assert_hidden(&self, key: &str, method: Method, path: &str, id: &str) {
        let told = async |id_told: &str| {
            let reply = self.by_key(key, method.clone(), &path.replace(id, id_told), None).await;
            let (status, mut body) = (reply.status().as_u16(), reply.json::<Value>().await.expect("JSON"));
            body["error"].as_object_mut().expect("an error").remove("request_id");
            (status, body.to_string().replace(id_told, "video_x"))
        };
        let (hidden, nobodys) = (told(id).await, told("video_x").await);
        assert_eq!((hidden.0, &hidden), (404, &nobodys), "{method} {path}");
    }
}

async fn a_key_of_a_member_or_of_a_team_finds_the_videos_of_these(on: On) {
    let (house, studio) = on.house().await;
    let (owner, _) = house.organisation("acme").await;
    let (dev, _) = house.joined(&owner, "dev@example.org", "developer").await;
    let team = house.post(&owner, TEAMS, json!({"name": "search"})).await["team_id"].clone();
    let (of_member, _) = house.key(&dev, json!({"label": "mine"})).await;
    let (of_team, _) = house.key(&owner, json!({"label": "team", "team_id": team})).await;
    let (of_all, all_key) = house.key(&owner, json!({"label": "all"})).await;
    studio.plan(Plan { questions: usize::MAX, ..Plan::default() });
    let mut ordered = [vec![], vec![], vec![]];
    for _ in 0..2 {
        for (of_key, key) in ordered.iter_mut().zip([&of_member, &of_team, &of_all]) {
            of_key.push(house.order(key).await);
        }
    }
    let [members, teams, others] = ordered;
    let not = |own: &[String]| -> Vec<String> {
        [&members[..], &teams[..], &others[..]].into_iter().filter(|each| *each != own).flatten().cloned().collect()
    };
    let whole: Vec<String> = (0..2).flat_map(|at| [&members, &teams, &others].map(|each| each[at].clone())).collect();
    // By the holds that are open, and by the receipts once these have ended.
    for content in [409, 200] {
        house.assert_finds(&of_member, &members, &not(&members), content).await;
        house.assert_finds(&of_team, &teams, &not(&teams), content).await;
        house.assert_finds(&of_all, &whole, &[], content).await;
        studio.plan(Plan::default());
        for id in &whole {
            until("the end of a video", async || {
                let job = house.by_key(&of_all, Method::GET, &format!("{VIDEOS}/{id}"), None).await;
                (job.json::<Value>().await.ok()?["status"] == "completed").then_some(())
            })
            .await;
        }
    }
    // The team is the one that a key has now.
    let body = Some(json!({"team_id": team}));
    data(house.send(Some(&owner), Method::PATCH, &format!("{KEYS}/{all_key}"), body).await).await;
    let both = [&teams[0], &others[0], &teams[1], &others[1]].map(Clone::clone);
    house.assert_finds(&of_all, &both, &members, 200).await;
    assert_eq!(house.status(&of_team, Method::DELETE, &format!("{VIDEOS}/{}", others[1])).await, 200);
    assert_eq!(house.page(&of_all, "").await.0, [&teams[1], &others[0], &teams[0]].map(Clone::clone));
    let after = house.page(&of_team, &format!("?after={}", others[1])).await.0;
    assert_eq!(after, [&teams[1], &others[0], &teams[0]].map(Clone::clone), "a page may end at what is deleted since");
    house.gateway.assert_books().await;
}

on_both!(a_key_of_a_member_or_of_a_team_finds_the_videos_of_these);
