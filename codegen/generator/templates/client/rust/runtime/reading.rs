//! An answer whose head has come.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::codes::Code;
use super::error::{Error, Strange, failure};
use super::head::ResponseHead;
use super::operation::{Operation, is_marked};

/// An answer whose head has come.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(super) operation: &'static Operation,
    pub(super) head: ResponseHead,
    pub(super) response: reqwest::Response,
    pub(super) limit: Duration,
}

impl Reading {
    /// Waits for the next part of the body, but not for ever; false at its end.
    pub(super) async fn more<C>(&mut self, bytes: &mut Vec<u8>) -> Result<bool, Error<C>> {
        let part = tokio::time::timeout(self.limit, self.response.chunk())
            .await
            .map_err(|_| Error::broken(self.operation, format!("nothing came within {} s", self.limit.as_secs_f32())))
            .and_then(|part| part.map_err(|error| Error::lost(self.operation, error)))
            .map_err(|error| error.after(&self.head))?;
        bytes.extend_from_slice(part.as_deref().unwrap_or_default());
        Ok(part.is_some())
    }

    pub(super) async fn whole<C>(&mut self) -> Result<Vec<u8>, Error<C>> {
        let mut bytes = Vec::new();
        while self.more(&mut bytes).await? {}
        Ok(bytes)
    }

    pub(super) fn json<C>(&self, text: &str) -> Result<Value, Error<C>> {
        serde_json::from_str(text).map_err(|error| self.strange(text.into(), error.to_string()))
    }

    pub(super) fn typed<T: DeserializeOwned, C>(&self, body: Value) -> Result<T, Error<C>> {
        T::deserialize(&body).map_err(|error| self.strange(body, error.to_string()))
    }

    fn strange<C>(&self, body: Value, why: String) -> Error<C> {
        let request_id = self.head.request_id.clone();
        Error::Strange(Box::new(Strange { operation: self.operation.id, request_id, body, why }))
    }

    /// The error of an answer that came whole, though a stream was asked for.
    pub(super) async fn instead_of_a_stream<C: Code>(mut self) -> Error<C> {
        let bytes = match self.whole().await {
            Ok(bytes) => bytes,
            Err(error) => return error,
        };
        let text = String::from_utf8_lossy(&bytes);
        let body = serde_json::from_str(&text).unwrap_or_else(|_| Value::from(text.as_ref()));
        if self.operation.fails_with_success && is_marked(self.operation.envelope, &body) {
            return self.failure(&body, "");
        }
        self.strange(body, "a stream was asked for, and it came whole".to_owned())
    }

    pub(super) fn failure<C: Code>(&self, body: &Value, text: &str) -> Error<C> {
        failure(self.operation, &self.head, body, text)
    }
}
