//! A body that keeps its request's place. It is given out in small pieces: a piece that the connection has taken is out
//! of sight, and a client that reads nothing must not get a large answer buffered for it, and its place given back.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, HttpBody};
use axum::response::Response;
use bytes::Bytes;
use http_body::{Frame, SizeHint};

use super::in_flight::InFlightPermit;

/// The most that is handed to the connection at once.
const PIECE_BYTES: usize = 16_384;

struct PermitBody {
    body: Body,
    /// The rest of a frame that was larger than a piece.
    rest: Bytes,
    _place: InFlightPermit,
}

impl InFlightPermit {
    /// Keeps the place until the answer was handed to the connection, or was dropped.
    pub(super) fn attach_to(self, response: Response) -> Response {
        if self.is_exempt() || response.body().is_end_stream() {
            return response;
        }
        response.map(|body| PermitBody::body(body, self))
    }
}

impl PermitBody {
    /// `body`, with the place as long as it is there.
    fn body(body: Body, place: InFlightPermit) -> Body {
        Body::new(Self { body, rest: Bytes::new(), _place: place })
    }

    fn piece(&mut self) -> Frame<Bytes> {
        Frame::data(self.rest.split_to(self.rest.len().min(PIECE_BYTES)))
    }
}

impl HttpBody for PermitBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if !self.rest.is_empty() {
            return Poll::Ready(Some(Ok(self.piece())));
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        Poll::Ready(frame.map(|frame| {
            frame.map(|frame| match frame.into_data() {
                Ok(data) => {
                    self.rest = data;
                    self.piece()
                }
                Err(trailers) => trailers,
            })
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, mut hint) = (self.rest.len() as u64, self.body.size_hint());
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(hint.lower() + rest);
        hint
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::super::InFlightRequests;
    use super::super::tests::ECHO;
    use super::*;

    #[tokio::test]
    async fn a_large_answer_goes_in_pieces_and_keeps_its_place_to_the_last() {
        let places = InFlightRequests::new(1, 1);
        let whole = Bytes::from(vec![7; 2 * PIECE_BYTES + 1]);
        let mut body = PermitBody::body(whole.clone().into(), places.try_acquire(&ECHO).expect("a place"));
        let (mut taken, mut pieces) = (Vec::new(), 0);
        while let Some(frame) = body.frame().await {
            taken.extend_from_slice(&frame.expect("a frame").into_data().expect("data"));
            pieces += 1;
            let left = (whole.len() - taken.len()) as u64;
            assert_eq!((body.size_hint().exact(), body.is_end_stream()), (Some(left), left == 0));
            assert_eq!(places.taken(), 1);
        }
        assert_eq!((pieces, taken.as_slice()), (3, &whole[..]));
        drop(body);
        assert_eq!(places.taken(), 0);
    }
}
