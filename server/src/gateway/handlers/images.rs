//! `POST /v1/images/generations`

use crate::api::{Cx, ProxyReply};
use crate::generated::errors::envelopes;
use crate::generated::ops::images::{GenerateImage, GenerateImageError, GenerateImageInput};

use super::super::Gateway;
use super::super::errand::Draw;
use super::super::error::GatewayError;
use super::turn;

turn::turn_error!(GenerateImageError);

impl GenerateImage for Gateway {
    async fn generate_image(&self, cx: &Cx, input: GenerateImageInput) -> Result<ProxyReply, GenerateImageError> {
        let model = input.body.head.model.value.clone();
        let answered = match Draw::new(input.body) {
            Ok(draw) => self.errand(cx, input.caller, draw).await,
            Err(unreadable) => Err(GatewayError::Unreadable(unreadable)),
        };
        turn::answer(cx, &envelopes::O, model, answered)
    }
}
