//! The models that may answer one request: the one that was asked for, and behind it those of its configured `fallback`.

use std::sync::Arc;

use crate::credit::{Fallback, Tariff};

use super::catalog::Model;
use super::inbound::members::Admission;

/// A model that may answer, and on which terms.
#[derive(Debug)]
pub struct Offer {
    /// The model.
    pub model: Arc<Model>,
    /// What the answer costs.
    pub tariff: Arc<Tariff>,
    /// The output of one choice in tokens, where it has to be less than what the client wants or the model can.
    pub output_bound: Option<u64>,
    /// Whether it takes the place of the model that was asked for.
    pub fallback: bool,
    /// What of the request it does not offer, and what it sells beside tokens.
    pub admission: Admission,
}

impl Offer {
    /// The model that was asked for, on terms that matter to nobody: nothing is charged.
    #[must_use]
    pub fn free(model: Arc<Model>) -> Self {
        Self {
            tariff: model.tariff.clone(),
            model,
            output_bound: None,
            fallback: false,
            admission: Admission::default(),
        }
    }

    /// What the receipt is told of it, where it takes another's place.
    #[must_use]
    pub fn told(&self) -> Option<Fallback> {
        self.fallback.then(|| Fallback { model: self.model.id.clone(), price: self.tariff.base.clone() })
    }
}
