//! `POST /v1beta/models/{model}:embedContent` and `:batchEmbedContents`

use crate::api::{Cx, ProxyReply};
use crate::gateway::Gateway;
use crate::gateway::unary::{ContentBatching, EmbeddingRequest};
use crate::generated::errors::envelopes;
use crate::generated::ops::content::{
    BatchEmbedContents, BatchEmbedContentsError, BatchEmbedContentsInput, EmbedContent, EmbedContentError,
    EmbedContentInput,
};

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
