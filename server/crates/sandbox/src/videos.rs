//! Videos of the sandbox: each is finished after a few polls, and is a file of two boxes that says what it is.

use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{StatusCode, header};
use serde_json::{Value, json};

use super::unary::{answer, part};

const CREATED: u64 = 1_700_000_000;
/// Polls until a video is finished.
const QUESTIONS: u64 = 3;
/// The heads of an MP4 file, and a box for text.
const FILM: &[u8] = b"\0\0\0\x18ftypisom\0\0\x02\0isommp41\0\0\0\x1afreefilmed in the sandbox";

/// The videos that were ordered since the start.
#[derive(Debug, Clone, Default)]
pub(super) struct SandboxVideos(Arc<Mutex<Vec<SandboxVideo>>>);

#[derive(Debug)]
struct SandboxVideo {
    model: String,
    seconds: String,
    asked: u64,
}

impl SandboxVideos {
    fn with<T>(&self, work: impl FnOnce(&mut Vec<SandboxVideo>) -> T) -> T {
        // A list is whole after every step.
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn of<T>(&self, id: &str, work: impl FnOnce(&mut SandboxVideo) -> T) -> Option<T> {
        let place: usize = id.strip_prefix("sandbox-film-")?.parse().ok()?;
        self.with(|films| films.get_mut(place).map(work))
    }
}

/// `POST /v1/videos`.
pub(super) async fn order(State(films): State<SandboxVideos>, body: Bytes) -> Response {
    let film = SandboxVideo {
        model: part(&body, "model").unwrap_or_default(),
        seconds: part(&body, "seconds").unwrap_or_default(),
        asked: 0,
    };
    let place = films.with(|films| {
        films.push(film);
        films.len() - 1
    });
    report(State(films), Path(format!("sandbox-film-{place}"))).await
}

/// `GET /v1/videos/{id}`.
pub(super) async fn report(State(films): State<SandboxVideos>, Path(id): Path<String>) -> Response {
    let told = films.of(&id, |film| {
        let asked = film.asked;
        film.asked = (asked + 1).min(QUESTIONS);
        let status = match asked {
            0 => "queued",
            asked if asked < QUESTIONS => "in_progress",
            _ => "completed",
        };
        job(&id, film, status, asked * 100 / QUESTIONS)
    });
    told.map_or_else(not_found, |job| answer(&job))
}

/// `GET /v1/videos/{id}/content`.
pub(super) async fn content(State(films): State<SandboxVideos>, Path(id): Path<String>) -> Response {
    let there = films.of(&id, |film| film.asked >= QUESTIONS).unwrap_or(false);
    if there { ([(header::CONTENT_TYPE, "video/mp4")], FILM).into_response() } else { not_found() }
}

fn job(id: &str, film: &SandboxVideo, status: &str, progress: u64) -> Value {
    json!({
        "id": id, "object": "video", "created_at": CREATED, "status": status, "progress": progress,
        "model": film.model, "seconds": film.seconds, "error": null,
    })
}

fn not_found() -> Response {
    let error =
        json!({"error": {"message": "no such video", "type": "invalid_request_error", "param": null, "code": null}});
    (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, "application/json")], error.to_string()).into_response()
}
