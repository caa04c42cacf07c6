//! The models that may answer one request: the one that was asked for, and behind it those of its configured `fallback`;
//! each with its candidates.

use std::sync::Arc;

use crate::members::RequestAdmission;
use tollgate_credit::{FallbackModel, Tariff};

use super::model::{Candidate, CatalogModel};

/// A model that may answer, and on which terms.
#[derive(Debug)]
pub struct ModelOffer {
    /// The model.
    pub model: Arc<CatalogModel>,
    /// The prices of the answer.
    pub tariff: Arc<Tariff>,
    /// The output of one choice in tokens, where it has to be less than what the client wants or the model can.
    pub output_bound: Option<u64>,
    /// True if it takes the place of the model that was asked for.
    pub fallback: bool,
    /// The parts of the request that it does not offer, and the services that it sells beside tokens.
    pub admission: RequestAdmission,
}

impl ModelOffer {
    /// An offer of the model that was asked for, without terms: nothing is charged.
    #[must_use]
    pub fn free(model: Arc<CatalogModel>) -> Self {
        Self {
            tariff: model.tariff.clone(),
            model,
            output_bound: None,
            fallback: false,
            admission: RequestAdmission::default(),
        }
    }

    /// The fallback on the receipt, where it takes another's place.
    #[must_use]
    pub fn receipt_fallback(&self) -> Option<FallbackModel> {
        self.fallback.then(|| FallbackModel { model: self.model.id.clone(), price: self.tariff.base.clone() })
    }
}

/// A model and one of its candidates, to be tried.
#[derive(Debug, Clone, Copy)]
pub struct AttemptTarget<'a> {
    /// The model that may answer.
    pub offer: &'a ModelOffer,
    /// The candidate of the model.
    pub candidate: &'a Candidate,
}
