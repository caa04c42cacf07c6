//! Streaming of a finished video to the client, whole or the requested range.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use http_body::{Body, Frame};
use tokio::time::Instant;

use crate::Gateway;
use crate::error::GatewayError;
use crate::routing::candidate_error::CandidateError;
use crate::upstream::{
    AnswerBody, AnswerDeadlines, FetchError, ResourceRequest, UpstreamAnswer, UpstreamError, UpstreamPermit,
};
use tollgate_api::{BoxBody, ProxyReply, ProxyReplyBody};

use super::adapter::VideoAdapter;
use super::{VideoSource, video_adapter};

/// The request headers for ranges, which the provider is sent.
const UP: [HeaderName; 2] = [header::RANGE, header::IF_RANGE];
/// The response headers about the content, which the client is sent.
const DOWN: [HeaderName; 5] =
    [header::ACCEPT_RANGES, header::CONTENT_LENGTH, header::CONTENT_RANGE, header::ETAG, header::LAST_MODIFIED];

/// The default variant, which every provider has.
const VIDEO: &str = "video";

impl Gateway {
    /// Streams a finished video to the client, from its provider or from the `address` that the provider gave.
    ///
    /// # Errors
    /// When it cannot be fetched; nothing of it has reached the client then.
    pub async fn video_content(
        &self,
        maker: &VideoSource,
        id: &str,
        address: Option<&str>,
        variant: &str,
        client: &HeaderMap,
    ) -> Result<ProxyReply, GatewayError> {
        let whole = Instant::now() + self.patience.total;
        let deadlines = AnswerDeadlines { begin: whole.min(Instant::now() + self.patience.first_event), whole };
        let headers = pick(client, &UP);
        let answer = match address {
            // The address is of the video alone; other variants have none.
            Some(_) if variant != VIDEO => return Err(nothing_else(variant)),
            Some(address) => self.fetcher.fetch(address, &headers, deadlines).await.map_err(of_address)?,
            None => self.read_at(maker, id, variant, headers, deadlines).await?,
        };
        passed_on(answer)
    }

    async fn read_at(
        &self,
        maker: &VideoSource,
        id: &str,
        variant: &str,
        headers: HeaderMap,
        deadlines: AnswerDeadlines,
    ) -> Result<UpstreamAnswer, GatewayError> {
        let upstream = self.catalog.load().upstream(&maker.upstream).cloned().ok_or(GatewayError::Failed)?;
        let content = video_adapter(upstream.kind()).and_then(VideoAdapter::content).ok_or(GatewayError::Failed)?;
        let path = maker.path.split('/').chain([id, content]).collect();
        // The default variant is not named, because some providers have no variants.
        let range = headers.clone();
        let query = (variant != VIDEO).then(|| format!("variant={variant}"));
        let question = ResourceRequest { method: Method::GET, path, query, headers, body: Bytes::new() };
        // The permit is held until the answer begins, so that slow readers do not keep others from submitting.
        let _place = upstream.try_acquire().map_err(|_| GatewayError::Overloaded { retry_after_seconds: None })?;
        let asked = upstream.ask(question, UpstreamPermit::unbounded(), deadlines, self.clock.now_ms()).await;
        let answer = asked.map_err(|error| GatewayError::from(CandidateError::from(error)))?;
        // Some redirect to a storage service, which must not get the key.
        let location = answer.headers.get(header::LOCATION).filter(|_| answer.status.is_redirection());
        match location.and_then(|location| location.to_str().ok()) {
            Some(address) => self.fetcher.fetch(address, &range, deadlines).await.map_err(of_address),
            None => Ok(answer),
        }
    }
}

fn passed_on(answer: UpstreamAnswer) -> Result<ProxyReply, GatewayError> {
    let UpstreamAnswer { status, headers, mut body } = answer;
    match status {
        StatusCode::OK | StatusCode::PARTIAL_CONTENT => {
            body.flow();
            let body = ProxyReplyBody::Stream(BoxBody::new(VideoContentBody { body, cut: false }));
            let mut shown = pick(&headers, &DOWN);
            // The content is foreign, so browsers must not take it for a page of this service.
            shown.insert(header::CONTENT_TYPE, media_type(&headers));
            shown.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
            Ok(ProxyReply { status, headers: shown, body })
        }
        StatusCode::RANGE_NOT_SATISFIABLE => {
            let message = "the video has no such range".to_owned();
            Err(GatewayError::Refused { status, message: Some(message) })
        }
        status => Err(CandidateError::Status { status, retry_after_seconds: None }.into()),
    }
}

fn nothing_else(variant: &str) -> GatewayError {
    let message = format!("it has no {variant} of this video");
    GatewayError::Refused { status: StatusCode::BAD_REQUEST, message: Some(message) }
}

fn of_address(error: FetchError) -> GatewayError {
    match error {
        FetchError::Failed(UpstreamError::TooSlow) => GatewayError::TooSlow,
        error => {
            tracing::warn!(error = &error as &dyn std::error::Error, "a finished video could not be fetched");
            GatewayError::Failed
        }
    }
}

fn pick(from: &HeaderMap, names: &[HeaderName]) -> HeaderMap {
    names.iter().filter_map(|name| Some((name.clone(), from.get(name)?.clone()))).collect()
}

/// The content type of a video or image; anything else counts as bytes.
fn media_type(headers: &HeaderMap) -> HeaderValue {
    let told = headers.get(header::CONTENT_TYPE);
    let is_media =
        |kind: &&HeaderValue| [&b"video/"[..], b"image/"].iter().any(|start| kind.as_bytes().starts_with(start));
    let unknown = HeaderValue::from_static("application/octet-stream");
    told.filter(is_media).cloned().unwrap_or(unknown)
}

/// The provider's body, streamed. When it breaks off, so does the connection with the client, which misses bytes of the
/// announced length.
struct VideoContentBody {
    body: AnswerBody,
    cut: bool,
}

impl Body for VideoContentBody {
    type Data = Bytes;
    type Error = UpstreamError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, UpstreamError>>> {
        if self.cut {
            return Poll::Ready(None);
        }
        let polled = self.body.poll_data(cx);
        self.cut = matches!(polled, Poll::Ready(None | Some(Err(_))));
        polled.map(|piece| piece.map(|piece| piece.map(Frame::data)))
    }
}
