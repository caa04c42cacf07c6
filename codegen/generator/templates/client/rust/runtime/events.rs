//! An answer as a stream of events.

use std::marker::PhantomData;

use reqwest::header::HeaderMap;
use serde::de::DeserializeOwned;

use super::codes::Code;
use super::error::Error;
use super::operation::is_marked;
use super::reading::Reading;

/// An answer as a stream of events. What is not read any more is given up by dropping it.
#[derive(Debug)]
pub struct EventStream<T, C> {
    reading: Reading,
    /// The bytes of a line that has not ended.
    rest: Vec<u8>,
    /// Number of its bytes without a line end: a long line comes in many parts.
    looked: usize,
    // The event under way stands here, and not in the future that waits for it: whoever drops that loses nothing.
    name: String,
    data: Vec<String>,
    ended: bool,
    of: PhantomData<fn() -> (T, C)>,
}

impl<T, C> EventStream<T, C> {
    pub(super) fn new(reading: Reading) -> Self {
        let (rest, data) = (Vec::new(), Vec::new());
        Self { reading, rest, looked: 0, name: String::new(), data, ended: false, of: PhantomData }
    }
}

impl<T: DeserializeOwned, C: Code> EventStream<T, C> {
    /// Id of the request, as on its receipt.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.reading.head.request_id.as_deref()
    }

    /// The headers of the answer.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        &self.reading.head.headers
    }

    /// The next event; `None` at the end. Where the wait is given up, as by a timeout or in `select!`, nothing is lost: the
    /// next wait goes on with what has come.
    pub async fn next(&mut self) -> Option<Result<T, Error<C>>> {
        if self.ended {
            return None;
        }
        let event = self.event().await.transpose();
        // A strange event does not keep the next one from coming.
        self.ended |= !matches!(event, Some(Ok(_) | Err(Error::Strange(_))));
        event
    }

    async fn event(&mut self) -> Result<Option<T>, Error<C>> {
        let operation = self.reading.operation;
        let (named, ends_with) = operation.stream.unwrap_or_default();
        let Some((name, data)) = self.block().await? else {
            if ends_with.is_empty() {
                return Ok(None);
            }
            let what = format!("the stream of {} broke off before its end", operation.id);
            return Err(Error::broken(operation, what).after(&self.reading.head));
        };
        if !named && ends_with.contains(&data.as_str()) {
            return Ok(None);
        }
        let event = self.reading.json(&data)?;
        if name == "error" || is_marked(operation.envelope, &event) {
            return Err(self.reading.failure(&event, &data));
        }
        // Some whose type is in the data leave the line for the name out.
        let kind = if name.is_empty() { event["type"].as_str().unwrap_or_default() } else { name.as_str() };
        self.ended = named && ends_with.contains(&kind);
        self.reading.typed(event).map(Some)
    }

    /// The next event's name and data.
    async fn block(&mut self) -> Result<Option<(String, String)>, Error<C>> {
        while let Some(line) = self.line().await? {
            let (field, value) = line.split_once(':').unwrap_or((&line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "" if line.is_empty() => {
                    let (name, data) = (std::mem::take(&mut self.name), std::mem::take(&mut self.data));
                    if !data.is_empty() {
                        return Ok(Some((name, data.join("\n"))));
                    }
                }
                "event" => value.clone_into(&mut self.name),
                "data" => self.data.push(value.to_owned()),
                _ => {}
            }
        }
        Ok(None)
    }

    async fn line(&mut self) -> Result<Option<String>, Error<C>> {
        loop {
            if let Some(end) = self.rest[self.looked..].iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=self.looked + end).collect();
                self.looked = 0;
                let line = String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned();
                return Ok(Some(line));
            }
            self.looked = self.rest.len();
            if !self.reading.more(&mut self.rest).await? {
                return Ok(None);
            }
        }
    }
}
