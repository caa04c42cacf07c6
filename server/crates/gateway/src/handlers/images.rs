//! `POST /v1/images/generations` and `/v1/images/edits`

use crate::Gateway;
use crate::unary::{ImageEdit, ImageGeneration};
use tollgate_api::generated::errors::envelopes;
use tollgate_api::generated::ops::images::{
    EditImage, EditImageError, EditImageInput, GenerateImage, GenerateImageError, GenerateImageInput,
};
use tollgate_api::{Cx, ProxyReply};

use super::turn;

turn::turn_error!(GenerateImageError);
turn::turn_error!(EditImageError);

impl GenerateImage for Gateway {
    async fn generate_image(&self, cx: &Cx, input: GenerateImageInput) -> Result<ProxyReply, GenerateImageError> {
        let model = input.body.head.model.value.clone();
        let answered = match ImageGeneration::new(input.body, self.clock.now_ms() / 1000) {
            Ok(draw) => self.unary(cx, input.caller, draw).await,
            Err(error) => Err(error),
        };
        turn::answer(cx, &envelopes::O, model, answered)
    }
}

impl EditImage for Gateway {
    async fn edit_image(&self, cx: &Cx, input: EditImageInput) -> Result<ProxyReply, EditImageError> {
        let model = input.body.head.model.value.clone();
        let answered = match ImageEdit::new(input.body, self.clock.now_ms() / 1000) {
            Ok(edit) => self.unary(cx, input.caller, edit).await,
            Err(error) => Err(error),
        };
        turn::answer(cx, &envelopes::O, model, answered)
    }
}
