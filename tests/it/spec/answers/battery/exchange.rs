//! What came back, and whether it may have.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::super::codes::Shape;
use super::endpoint::Endpoint;
use super::{Case, FAULTS, May};

/// All bytes of an answer, up to the end of the connection.
#[derive(Debug)]
pub(super) struct Answer {
    bytes: Vec<u8>,
    pub(super) took: Duration,
    /// Whether the connection ended.
    ended: bool,
}

/// What became of a case.
#[derive(Debug)]
pub(super) enum Verdict {
    Refused,
    /// The id of the request.
    Answered(String),
    Closed,
}

/// Sends a request and reads what comes.
pub(super) async fn exchange(address: SocketAddr, request: &[u8], ends: bool, patience: Duration) -> Answer {
    let began = Instant::now();
    let (mut read, mut write) = TcpStream::connect(address).await.expect("a connection").into_split();
    let mut bytes = Vec::new();
    let sending = async {
        // The gateway may have said enough before it has read all.
        let sent = write.write_all(request).await;
        if sent.is_ok() && ends {
            let _ = write.shutdown().await;
        }
    };
    let reading = async {
        // A connection that is reset has ended too.
        let _ = read.read_to_end(&mut bytes).await;
    };
    let ended = timeout(patience, async { tokio::join!(sending, reading) }).await.is_ok();
    Answer { bytes, took: began.elapsed(), ended }
}

/// An answer, taken apart.
struct Parts<'a> {
    status: u16,
    headers: Vec<(String, &'a str)>,
    body: Vec<u8>,
}

impl Parts<'_> {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }
}

impl Answer {
    /// What became of the case, or what is wrong with the answer.
    pub(super) fn verdict(&self, endpoint: &Endpoint, case: &Case) -> Result<Verdict, String> {
        if !self.ended {
            return Err(format!("no end after {:?}", self.took));
        }
        if self.bytes.is_empty() && case.may == May::Closed {
            return Ok(Verdict::Closed);
        }
        let parts = self.parts()?;
        let told = || format!("{} {}", parts.status, String::from_utf8_lossy(&parts.body));
        // What is no HTTP is refused before anyone knows which operation it was for.
        if parts.body.is_empty() && matches!(parts.status, 400 | 431) && case.may == May::Closed {
            return Ok(Verdict::Closed);
        }
        let id = parts.header("x-request-id").ok_or_else(|| format!("no request id: {}", told()))?;
        match parts.status {
            // Some operations of top-ups tell their refusals with HTTP 200.
            200 if ["x402.", "ewallet.", "crypto."].iter().any(|group| endpoint.id.starts_with(group))
                && is_refusal(&parts) =>
            {
                refusal(&parts, id, endpoint, case).map(|()| Verdict::Refused).map_err(|why| why + ": " + &told())
            }
            // A page that the client has already.
            304 if case.may == May::Either && parts.body.is_empty() => Ok(Verdict::Answered(id.to_owned())),
            200..300 if case.may == May::Refused => Err(format!("answered: {}", told())),
            200..300 => well_formed(&parts).map(|()| Verdict::Answered(id.to_owned())),
            400..500 => {
                refusal(&parts, id, endpoint, case).map(|()| Verdict::Refused).map_err(|why| why + ": " + &told())
            }
            _ => Err(told()),
        }
    }

    fn parts(&self) -> Result<Parts<'_>, String> {
        // Before the answer may come the word that the client may go on.
        let bytes = self.bytes.strip_prefix(b"HTTP/1.1 100 Continue\r\n\r\n").unwrap_or(&self.bytes);
        let whole = || String::from_utf8_lossy(&bytes[..bytes.len().min(300)]).into_owned();
        let end = memchr::memmem::find(bytes, b"\r\n\r\n").ok_or_else(|| format!("no head: {}", whole()))?;
        let head = std::str::from_utf8(&bytes[..end]).map_err(|_| whole())?;
        let mut lines = head.split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).ok_or_else(whole)?;
        let headers: Vec<_> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim()))
            .collect();
        let rest = &bytes[end + 4..];
        let mut parts = Parts { status, headers, body: rest.to_vec() };
        if parts.header("transfer-encoding") == Some("chunked") {
            parts.body = dechunked(rest).ok_or_else(|| format!("not a whole body: {}", whole()))?;
        } else if parts.header("content-length").is_some_and(|length| length != rest.len().to_string()) {
            return Err(format!("not a whole body: {}", whole()));
        }
        Ok(parts)
    }
}

fn dechunked(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = memchr::memmem::find(rest, b"\r\n")?;
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..end]).ok()?, 16).ok()?;
        rest = &rest[end + 2..];
        if size == 0 {
            return (rest == b"\r\n").then_some(body);
        }
        body.extend_from_slice(rest.get(..size)?);
        rest = rest.get(size..)?.strip_prefix(b"\r\n")?;
    }
}

/// Whether an answer that was granted is what it says it is.
fn well_formed(parts: &Parts<'_>) -> Result<(), String> {
    let is_json = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).is_ok();
    let sound = match parts.header("content-type").unwrap_or_default() {
        "application/json" => is_json(&parts.body),
        "text/event-stream" => String::from_utf8_lossy(&parts.body).split(['\r', '\n']).all(|line| {
            let data = line.strip_prefix("data:").map(str::trim);
            data.is_none_or(|data| data == "[DONE]" || is_json(data.as_bytes()))
        }),
        _ => true,
    };
    if sound { Ok(()) } else { Err(format!("not well formed: {}", String::from_utf8_lossy(&parts.body))) }
}

fn is_refusal(parts: &Parts<'_>) -> bool {
    serde_json::from_slice::<Value>(&parts.body).is_ok_and(|body| body["success"] == false)
}

/// Whether a refusal has the shape of the operation, the code of a request that is at fault, and no word out of place.
fn refusal(parts: &Parts<'_>, id: &str, endpoint: &Endpoint, case: &Case) -> Result<(), String> {
    let body: Value = serde_json::from_slice(&parts.body).map_err(|error| error.to_string())?;
    // Both have the same members.
    let found = Shape::found(&body).ok_or("of no shape")?;
    let shape = if (found, endpoint.shape) == (Shape::Account, Shape::Pay) { Shape::Pay } else { found };
    // Where the target or a header is what is wrong, it may be another family's.
    if shape != endpoint.shape && !matches!(case.kind, "path" | "query" | "method" | "version" | "wire") {
        return Err(format!("in the shape of {shape:?}"));
    }
    let [code, kind, told_id] = shape.read(parts.status, &body);
    // One shape has no place for the id.
    let id = if shape == Shape::VideoCreate { "" } else { id };
    if (kind.is_empty() && !matches!(shape, Shape::Account | Shape::Pay)) || told_id != id {
        return Err(format!("of kind `{kind}` and id `{told_id}`"));
    }
    // Of all that is at fault, only one try too many may be sent again as it is.
    let again = if code.eq_ignore_ascii_case("RATE_LIMITED") { "true" } else { "false" };
    if parts.header("content-type") != Some("application/json") || parts.header("x-should-retry") != Some(again) {
        return Err(format!("with the headers {:?}", parts.headers));
    }
    if FAULTS.contains(&code.to_ascii_uppercase().as_str()) {
        Ok(())
    } else {
        Err("not the request's fault".to_owned())
    }
}
