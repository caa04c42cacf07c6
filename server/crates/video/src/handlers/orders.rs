//! `POST /v1/videos`, `/videoA/v1/videos/text2video` and `/videoA/v1/videos/image2video`

use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Serialize;

use tollgate_api::generated::errors::{code, envelopes};
use tollgate_api::generated::limits;
use tollgate_api::generated::ops::video_a::{
    CreateImageVideo, CreateImageVideoError, CreateImageVideoInput, CreateTextVideo, CreateTextVideoError,
    CreateTextVideoInput,
};
use tollgate_api::generated::ops::videos::{CreateVideo, CreateVideoError, CreateVideoInput};
use tollgate_api::generated::types::VideoTaskCreated;
use tollgate_api::{Code, Cx, Envelope, Principal, ProxyReply, ProxyReplyBody, Rest};
use tollgate_gateway::{GatewayError, TurnError, add_dropped_header, answers};

use super::super::Videos;
use super::super::create::OrderedVideo;
use super::super::order::{VideoRequestDraft, read_form, read_image, read_text};
use super::super::render;
use super::super::sql;

impl CreateVideo for Videos {
    async fn create_video(&self, cx: &Cx, input: CreateVideoInput) -> Result<ProxyReply, CreateVideoError> {
        let named = input.body.head.model.as_ref().map(|model| model.value.clone());
        let usual = self.gateway.usual_video_model();
        let model = named.or_else(|| usual.clone()).unwrap_or_default();
        let wish = read_form(input.body, usual);
        let shown = |ordered: OrderedVideo| reply(&render::job(ordered.task), &ordered.dropped);
        self.order(cx, input.caller, model, wish, &envelopes::O, shown).await
    }
}

impl CreateTextVideo for Videos {
    async fn create_text_video(
        &self,
        cx: &Cx,
        input: CreateTextVideoInput,
    ) -> Result<ProxyReply, CreateTextVideoError> {
        let model = input.body.head.model.value.clone();
        let wish = read_text(input.body);
        self.order(cx, input.caller, model, wish, &envelopes::VIDEO_CREATE, created).await
    }
}

impl CreateImageVideo for Videos {
    async fn create_image_video(
        &self,
        cx: &Cx,
        input: CreateImageVideoInput,
    ) -> Result<ProxyReply, CreateImageVideoError> {
        let model = input.body.head.model.value.clone();
        let wish = read_image(input.body);
        self.order(cx, input.caller, model, wish, &envelopes::VIDEO_CREATE, created).await
    }
}

impl Videos {
    async fn order<E: TurnError>(
        &self,
        cx: &Cx,
        caller: Principal,
        model: String,
        wish: Result<VideoRequestDraft, GatewayError>,
        envelope: &'static Envelope,
        shown: impl FnOnce(OrderedVideo) -> ProxyReply,
    ) -> Result<ProxyReply, E> {
        let wish = match wish {
            Ok(wish) => wish,
            Err(error) => return answers::answer(cx, envelope, model, Err(error)),
        };
        let ordered = match sql::open_count(self.store.readers(), caller.account).await {
            Err(error) => {
                let (request_id, error) = (cx.request_id, &error as &dyn std::error::Error);
                tracing::error!(%request_id, error, "open videos cannot be counted");
                Err(GatewayError::Ledger)
            }
            // Orders at the same moment may go beyond it by as many as they are, which is no harm.
            Ok(open) if open >= i64::from(limits::VIDEO_OPEN) => {
                let failure =
                    code::RateLimited { limit: format!("{} videos of the account are open", limits::VIDEO_OPEN) }
                        .failure();
                return Ok(answers::rendered(cx, envelope, &failure));
            }
            Ok(_) => self.create(cx, caller, wish).await,
        };
        answers::answer(cx, envelope, model, ordered.map(shown))
    }
}

/// The second family's answer to an order.
fn created(ordered: OrderedVideo) -> ProxyReply {
    let OrderedVideo { task, dropped } = ordered;
    let created = VideoTaskCreated { status: render::status(task.state), task_id: task.id, rest: Rest::default() };
    reply(&created, &dropped)
}

fn reply(value: &impl Serialize, dropped: &[String]) -> ProxyReply {
    let mut headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    add_dropped_header(&mut headers, dropped);
    let body = serde_json::to_vec(value).expect("a type of the spec is JSON");
    ProxyReply { status: StatusCode::OK, headers, body: ProxyReplyBody::Whole(body.into()) }
}
