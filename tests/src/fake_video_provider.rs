//! A provider that films, strict as real ones are: in format O it takes forms alone, in the second family JSON that is
//! signed. A film is done after it was asked about so often, and lies here to be read. Some prompts are orders of their own:
//! `forbidden` is refused, `endless` is never done, `unlucky` fails.

use std::sync::{Arc, Mutex, MutexGuard};

use data_encoding::BASE64URL_NOPAD;
use ring::hmac;
use serde_json::{Value, json};

use crate::gateway::{ACCESS_KEY, SECRET_KEY, UPSTREAM_KEY};
use crate::reply::Reply;
use crate::upstream::Received;

/// The file of every finished film.
pub const FILM: &[u8] = b"a film of twenty-eight bytes";

/// The provider. Cheap to clone; all clones are the same one.
#[derive(Debug, Clone)]
pub struct FakeVideoProvider(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    films: Vec<FakeVideo>,
    plan: Plan,
    address: String,
}

/// How films go.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Questions until one is over; one before that it is under way.
    pub questions: usize,
    /// Whether it is made.
    pub made: bool,
    /// The length that is reported; the ordered one where absent, none where it is 0.
    pub seconds: Option<u32>,
    /// Whether a film is known at all when it is asked about.
    pub known: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self { questions: 2, made: true, seconds: None, known: true }
    }
}

/// A film that was ordered.
#[derive(Debug, Clone)]
pub struct FakeVideo {
    /// Its name here.
    pub id: String,
    /// The orderer's name for it, in the second family.
    pub ours: Option<String>,
    /// What was ordered, by the names of the order.
    pub order: Value,
    /// How often it was asked about.
    pub asked: usize,
    /// Whether it was deleted.
    pub deleted: bool,
}

impl FakeVideoProvider {
    /// One that lies at this address, version segment included.
    #[must_use]
    pub fn at(base_url: &str) -> Self {
        let address = base_url.trim_end_matches("/v1").to_owned();
        Self(Arc::new(Mutex::new(State { films: Vec::new(), plan: Plan::default(), address })))
    }

    /// From now on films go like this.
    pub fn plan(&self, plan: Plan) {
        self.state().plan = plan;
    }

    /// What was ordered so far.
    #[must_use]
    pub fn films(&self) -> Vec<FakeVideo> {
        self.state().films.clone()
    }

    /// Answers a request.
    ///
    /// # Panics
    /// When it is one that no real provider takes.
    #[must_use]
    pub fn answer(&self, request: &Received) -> Reply {
        let (method, path) = request.line.trim_end_matches(" HTTP/1.1").split_once(' ').expect("a method and a path");
        let parts: Vec<&str> = path.split(['/', '?']).skip(1).collect();
        let mut state = self.state();
        match (method, &parts[..]) {
            ("POST", ["v1", "videos"]) => state.order_o(request),
            ("GET", ["v1", "videos", id]) => state.report_o(request, id),
            ("DELETE", ["v1", "videos", id]) => state.delete_o(request, id),
            ("GET", ["v1", "videos", id, "content", variant @ ..]) => state.content_o(request, id, variant.first()),
            ("POST", ["v1", "videos", kind @ ("text2video" | "image2video")]) => state.order_a(request, kind),
            ("GET", ["v1", "videos", kind @ ("text2video" | "image2video"), id]) => state.report_a(request, kind, id),
            ("GET", ["films", _]) => film(request),
            _ => Reply::json(404, &json!({"error": {"message": "no such path", "code": null}})),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no answer panicked")
    }
}

impl State {
    /// The film, and how it goes: as planned, unless its prompt says so.
    fn find(&mut self, id: &str) -> Option<(&mut FakeVideo, Plan)> {
        let plan = self.plan;
        let film = self.films.iter_mut().find(|film| film.id == id || film.ours.as_deref() == Some(id));
        let film = film.filter(|film| plan.known && !film.deleted)?;
        let plan = match film.order["prompt"].as_str() {
            Some("endless") => Plan { questions: usize::MAX, ..plan },
            Some("unlucky") => Plan { made: false, ..plan },
            _ => plan,
        };
        Some((film, plan))
    }

    fn add(&mut self, prefix: &str, ours: Option<String>, order: Value) -> FakeVideo {
        let id = format!("{prefix}{}", self.films.len() + 1);
        let film = FakeVideo { id, ours, order, asked: 0, deleted: false };
        self.films.push(film.clone());
        film
    }

    fn order_o(&mut self, request: &Received) -> Reply {
        assert_eq!(request.header("authorization"), Some(&*format!("Bearer {UPSTREAM_KEY}")));
        let order = form(request);
        let member = |name: &str| order[name].as_str().map(str::to_owned);
        let refuse = |message: &str| {
            Reply::json(
                400,
                &json!({"error": {"message": message, "type": "invalid_request_error", "param": null, "code": null}}),
            )
        };
        match (member("model"), member("prompt"), member("seconds")) {
            (Some(_), Some(prompt), _) if prompt == "forbidden" => refuse("this is not filmed here"),
            (Some(_), Some(_), Some(seconds)) if ["4", "8", "12"].contains(&seconds.as_str()) => {
                let film = self.add("film_", None, order);
                Reply::json(200, &job(&film, "queued", 0, Some(&seconds)))
            }
            _ => refuse("model, prompt and seconds are needed"),
        }
    }

    fn report_o(&mut self, request: &Received, id: &str) -> Reply {
        assert_eq!(request.header("authorization"), Some(&*format!("Bearer {UPSTREAM_KEY}")));
        let Some((film, plan)) = self.find(id) else { return gone() };
        film.asked += 1;
        let ordered = film.order["seconds"].as_str().expect("a text").to_owned();
        let seconds = match plan.seconds {
            Some(0) => None,
            Some(seconds) => Some(seconds.to_string()),
            None => Some(ordered),
        };
        let (status, progress) = match film.asked {
            asked if asked >= plan.questions && plan.made => ("completed", 100),
            asked if asked >= plan.questions => ("failed", 50),
            asked if asked + 1 == plan.questions => ("in_progress", 50),
            _ => ("queued", 0),
        };
        Reply::json(200, &job(film, status, progress, seconds.as_deref()))
    }

    fn delete_o(&mut self, request: &Received, id: &str) -> Reply {
        assert_eq!(request.header("authorization"), Some(&*format!("Bearer {UPSTREAM_KEY}")));
        let Some((film, _)) = self.find(id) else { return gone() };
        film.deleted = true;
        Reply::json(200, &json!({"id": id, "object": "video.deleted", "deleted": true}))
    }

    fn content_o(&mut self, request: &Received, id: &str, variant: Option<&&str>) -> Reply {
        assert_eq!(request.header("authorization"), Some(&*format!("Bearer {UPSTREAM_KEY}")));
        match self.find(id) {
            Some((film, plan)) if film.asked >= plan.questions => match variant {
                None => self::film(request),
                Some(query) => picture(query),
            },
            Some(_) => Reply::json(409, &json!({"error": {"message": "it is not ready"}})),
            None => gone(),
        }
    }

    fn order_a(&mut self, request: &Received, kind: &str) -> Reply {
        assert_signed(request);
        let order: Value = serde_json::from_slice(&request.body).expect("JSON");
        // Of a name that comes twice, some servers read the one and some the other.
        let named = String::from_utf8_lossy(&request.body).to_ascii_lowercase().matches("\"model_name\":").count();
        assert_eq!(named, 1, "{order}");
        let text = |name: &str| order[name].as_str();
        let refuse = |message: &str| told(400, &json!({"code": 1201, "message": message, "request_id": "r"}));
        let duration = text("duration");
        if text("model_name").is_none() || !matches!(duration, Some("5" | "10")) {
            return refuse("model_name and duration are needed");
        }
        match (kind, text("image")) {
            ("image2video", None) => return refuse("image is needed"),
            ("image2video", Some(image)) if image.starts_with("data:") => return refuse("image is no base64"),
            ("text2video", _) if text("prompt").is_none() => return refuse("prompt is needed"),
            _ => {}
        }
        if text("prompt") == Some("forbidden") {
            return told(400, &json!({"code": 1301, "message": "this is not filmed here", "request_id": "r"}));
        }
        let ours = text("external_task_id").map(str::to_owned);
        let mut order = order;
        order["kind"] = json!(kind);
        let film = self.add("task-", ours, order);
        told(
            200,
            &json!({"code": 0, "message": "SUCCEED", "request_id": "r", "data": task(&film, "submitted", &json!(null))}),
        )
    }

    fn report_a(&mut self, request: &Received, kind: &str, id: &str) -> Reply {
        assert_signed(request);
        let address = self.address.clone();
        let Some((film, plan)) = self.find(id).filter(|(film, _)| film.order["kind"] == kind) else {
            return told(404, &json!({"code": 1203, "message": "no such task", "request_id": "r"}));
        };
        film.asked += 1;
        let seconds = match plan.seconds {
            Some(0) => json!(null),
            Some(seconds) => json!(format!("{seconds}.1")),
            None => film.order["duration"].clone(),
        };
        let video =
            json!({"videos": [{"id": "v", "url": format!("{address}/films/{}.mp4", film.id), "duration": seconds}]});
        let (status, result) = match film.asked {
            asked if asked >= plan.questions && plan.made => ("succeed", video),
            asked if asked >= plan.questions => ("failed", json!(null)),
            asked if asked + 1 == plan.questions => ("processing", json!(null)),
            _ => ("submitted", json!(null)),
        };
        told(200, &json!({"code": 0, "message": "SUCCEED", "request_id": "r", "data": task(film, status, &result)}))
    }
}

fn told(status: u16, body: &Value) -> Reply {
    Reply::json(status, body)
}

fn gone() -> Reply {
    Reply::json(
        404,
        &json!({"error": {"message": "no such video", "type": "invalid_request_error", "param": null, "code": null}}),
    )
}

fn job(film: &FakeVideo, status: &str, progress: u8, seconds: Option<&str>) -> Value {
    let error = (status == "failed").then(|| json!({"code": "moderation_blocked", "message": "it was not made"}));
    json!({
        "id": film.id, "object": "video", "created_at": 7, "status": status, "progress": progress,
        "model": film.order["model"], "seconds": seconds, "size": film.order.get("size"), "error": error,
    })
}

fn task(film: &FakeVideo, status: &str, result: &Value) -> Value {
    let message = if status == "failed" { "it was not made" } else { "" };
    json!({
        "task_id": film.id, "task_status": status, "task_status_msg": message, "task_result": result,
        "task_info": {"external_task_id": film.ours}, "created_at": 7000, "updated_at": 7000,
    })
}

/// The film, or the part of it that is asked for.
fn film(request: &Received) -> Reply {
    let Some(range) = request.header("range") else {
        return Reply::raw(200, "video/mp4", FILM.to_vec()).header("accept-ranges", "bytes");
    };
    let (first, last) = range.strip_prefix("bytes=").and_then(|range| range.split_once('-')).expect("one range");
    let first: usize = first.parse().expect("a number");
    let last = last.parse().unwrap_or(FILM.len() - 1).min(FILM.len() - 1);
    if first > last {
        return Reply::raw(416, "text/plain", Vec::new()).header("content-range", &format!("bytes */{}", FILM.len()));
    }
    let told = format!("bytes {first}-{last}/{}", FILM.len());
    Reply::raw(206, "video/mp4", FILM[first..=last].to_vec()).header("content-range", &told)
}

/// What else there is of a film, in words.
fn picture(query: &str) -> Reply {
    let variant = query.strip_prefix("variant=").expect("one parameter");
    assert!(matches!(variant, "thumbnail" | "spritesheet"), "{query}");
    Reply::raw(200, "image/webp", [variant.as_bytes(), b" of ", FILM].concat())
}

/// The parts of a form by their names; of a file, its bytes as letters.
fn form(request: &Received) -> Value {
    let kind = request.header("content-type").expect("a type");
    let boundary = kind.strip_prefix("multipart/form-data; boundary=").expect("a form").trim_matches('"');
    // Any bytes are letters here.
    let text: String = request.body.iter().map(|byte| char::from(*byte)).collect();
    let mut parts: Vec<&str> = text.split(&format!("--{boundary}")).collect();
    assert_eq!((parts.remove(0), parts.pop().map(str::trim_end)), ("", Some("--")), "{text}");
    let part = |part: &str| {
        let (head, content) = part.split_once("\r\n\r\n").expect("headers and content");
        let name = head.split_once("; name=\"").and_then(|(_, rest)| rest.split('"').next()).expect("a name");
        (name.to_owned(), Value::from(content.strip_suffix("\r\n").expect("a line's end")))
    };
    Value::Object(parts.into_iter().map(part).collect())
}

/// A token of the one key that is known here, good now.
fn assert_signed(request: &Received) {
    let token = request.header("authorization").and_then(|value| value.strip_prefix("Bearer ")).expect("a token");
    let (signed, signature) = token.rsplit_once('.').expect("three parts");
    let key = hmac::Key::new(hmac::HMAC_SHA256, SECRET_KEY.as_bytes());
    let signature = BASE64URL_NOPAD.decode(signature.as_bytes()).expect("base64");
    hmac::verify(&key, signed.as_bytes(), &signature).expect("a true signature");
    let (header, claims) = signed.split_once('.').expect("two parts");
    let json = |part: &str| -> Value {
        serde_json::from_slice(&BASE64URL_NOPAD.decode(part.as_bytes()).expect("base64")).expect("JSON")
    };
    assert_eq!(json(header), json!({"alg": "HS256", "typ": "JWT"}));
    let claims = json(claims);
    assert_eq!(claims["iss"], ACCESS_KEY);
    let (from, until) = (claims["nbf"].as_i64().expect("a number"), claims["exp"].as_i64().expect("a number"));
    assert!((0..=1805).contains(&(until - from)), "{claims}");
}
