//! `POST /v1/embeddings` and `POST /v1/engines/{model}/embeddings`

use crate::Gateway;
use crate::error::GatewayError;
use crate::unary::EmbeddingRequest;
use tollgate_api::generated::errors::envelopes;
use tollgate_api::generated::ops::embeddings::{
    CreateEmbedding, CreateEmbeddingError, CreateEmbeddingInput, CreateEngineEmbedding, CreateEngineEmbeddingError,
    CreateEngineEmbeddingInput,
};
use tollgate_api::{Cx, ProxyReply};

use super::turn;

turn::turn_error!(CreateEmbeddingError);
turn::turn_error!(CreateEngineEmbeddingError);

impl CreateEmbedding for Gateway {
    async fn create_embedding(&self, cx: &Cx, input: CreateEmbeddingInput) -> Result<ProxyReply, CreateEmbeddingError> {
        let model = input.body.head.model.value.clone();
        let answered = match EmbeddingRequest::list(input.body) {
            Ok(embed) => self.unary(cx, input.caller, embed).await,
            Err(unreadable) => Err(GatewayError::Unreadable(unreadable)),
        };
        turn::answer(cx, &envelopes::O, model, answered)
    }
}

impl CreateEngineEmbedding for Gateway {
    async fn create_engine_embedding(
        &self,
        cx: &Cx,
        input: CreateEngineEmbeddingInput,
    ) -> Result<ProxyReply, CreateEngineEmbeddingError> {
        let answered = match EmbeddingRequest::engine(input.model.clone(), input.body) {
            Ok(embed) => self.unary(cx, input.caller, embed).await,
            Err(unreadable) => Err(GatewayError::Unreadable(unreadable)),
        };
        turn::answer(cx, &envelopes::O, input.model, answered)
    }
}
