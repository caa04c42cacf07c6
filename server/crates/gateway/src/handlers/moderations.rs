//! `POST /v1/moderations`

use crate::Gateway;
use crate::error::GatewayError;
use crate::unary::{ModerationRequest, UnaryRequest};
use tollgate_api::generated::errors::envelopes;
use tollgate_api::generated::ops::moderations::{CreateModeration, CreateModerationError, CreateModerationInput};
use tollgate_api::{Cx, ProxyReply};

use super::turn;

turn::turn_error!(CreateModerationError);

impl CreateModeration for Gateway {
    async fn create_moderation(
        &self,
        cx: &Cx,
        input: CreateModerationInput,
    ) -> Result<ProxyReply, CreateModerationError> {
        let usual = self.catalog.load().moderation_model().map(str::to_owned);
        match ModerationRequest::new(input.body, usual.as_deref()) {
            Ok(moderate) => {
                let model = moderate.model().to_owned();
                turn::answer(cx, &envelopes::O, model, self.unary(cx, input.caller, moderate).await)
            }
            Err(unreadable) => {
                turn::answer(cx, &envelopes::O, String::new(), Err(GatewayError::Unreadable(unreadable)))
            }
        }
    }
}
