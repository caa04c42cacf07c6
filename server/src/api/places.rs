//! Places for requests in flight: further ones are refused at once instead of being answered too late.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, HttpBody};
use axum::response::Response;
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Operation;

/// As many requests as may be in flight at the same time. Cheap to clone; clones count together.
#[derive(Debug, Clone)]
pub struct Places {
    free: Arc<Semaphore>,
    most: usize,
}

/// One request's place; free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place(Option<OwnedSemaphorePermit>);

impl Places {
    /// So many places.
    #[must_use]
    pub fn new(most: usize) -> Self {
        let most = most.min(Semaphore::MAX_PERMITS);
        Self { free: Arc::new(Semaphore::new(most)), most }
    }

    /// How many are taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.most - self.free.available_permits()
    }

    /// A place, unless all are taken. Operations about the service itself need none.
    pub(super) fn take(&self, operation: &Operation) -> Option<Place> {
        if operation.is_about_service() {
            return Some(Place(None));
        }
        self.free.clone().try_acquire_owned().ok().map(|permit| Place(Some(permit)))
    }
}

impl Place {
    /// Keeps the place until the answer's end. An answer that is whole already only waits to be written.
    pub(super) fn kept_by(self, response: Response) -> Response {
        if self.0.is_none() || response.body().size_hint().exact().is_some() {
            return response;
        }
        response.map(|body| Body::new(Kept { body, _place: self }))
    }
}

/// A body that keeps its request's place.
struct Kept {
    body: Body,
    _place: Place,
}

impl HttpBody for Kept {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
