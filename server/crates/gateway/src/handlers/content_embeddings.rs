//! `POST /v1beta/models/{model}:embedContent` and `:batchEmbedContents`

use crate::Gateway;
use crate::unary::{ContentBatching, EmbeddingRequest};
use tollgate_api::generated::errors::envelopes;
use tollgate_api::generated::ops::content::{
    BatchEmbedContents, BatchEmbedContentsError, BatchEmbedContentsInput, EmbedContent, EmbedContentError,
    EmbedContentInput,
};
use tollgate_api::{Cx, ProxyReply};

use super::turn;

turn::turn_error!(EmbedContentError);
turn::turn_error!(BatchEmbedContentsError);

impl EmbedContent for Gateway {
    async fn embed_content(&self, cx: &Cx, input: EmbedContentInput) -> Result<ProxyReply, EmbedContentError> {
        let EmbedContentInput { caller, model, body } = input;
        let embed = EmbeddingRequest::contents(&model, ContentBatching::One, &body.head.content.span, body.bytes);
        turn::answer(cx, &envelopes::G, model, self.unary(cx, caller, embed).await)
    }
}

impl BatchEmbedContents for Gateway {
    async fn batch_embed_contents(
        &self,
        cx: &Cx,
        input: BatchEmbedContentsInput,
    ) -> Result<ProxyReply, BatchEmbedContentsError> {
        let BatchEmbedContentsInput { caller, model, body } = input;
        let embed = EmbeddingRequest::contents(&model, ContentBatching::Several, &body.head.requests.span, body.bytes);
        turn::answer(cx, &envelopes::G, model, self.unary(cx, caller, embed).await)
    }
}
