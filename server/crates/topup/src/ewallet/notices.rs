//! Notices of the provider: proven, kept, acted on, acknowledged.

use std::net::IpAddr;

use bytes::Bytes;
use http::HeaderMap;
use sha2::{Digest, Sha256};

use crate::orders::sql as orders;
use tollgate_store::StoreError;

use super::super::commit::{Step, commit};
use super::outcome::{PaymentReport, ReportOutcome, failed};
use super::provider::{
    AuthenticityError, CheckoutProvider, NoticeOutcome, NoticeRefused, PaymentNotice, RawRequest, RawResponse,
    UnusableNotice, reread,
};
use super::sql::{self, NewNotice, StoredNotice};
use super::{Checkouts, ProviderConnection};

/// The reason for which a notice is not acknowledged.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReceiveRefused {
    /// The configuration has no provider of that name.
    #[error("there is no such provider")]
    NoSuchProvider,
    /// It is not proven to be the provider's.
    #[error(transparent)]
    Forged(#[from] AuthenticityError),
    /// Too many notices of that address within a minute were not the provider's.
    #[error("too many notices that were not the provider's")]
    TooMany,
    /// It is the provider's, and cannot be booked. It is kept, and an operator is told.
    #[error("{0}")]
    Parked(String),
    /// It could not be kept, so the provider has to repeat it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Checkouts {
    /// Receives a notice. Returns the answer for the provider.
    pub(super) async fn receive(
        &self,
        provider: &str,
        headers: &HeaderMap,
        body: &Bytes,
        client: Option<IpAddr>,
    ) -> Result<RawResponse, ReceiveRefused> {
        let desk = self.desk().filter(|desk| desk.name() == provider).ok_or(ReceiveRefused::NoSuchProvider)?;
        let request = RawRequest { path: &desk.notify_path, headers, body };
        let unfit = match desk.provider.verify(&request, self.topups().now_ms()) {
            Ok(_) => None,
            Err(NoticeRefused::Unfit(unfit)) => Some(unfit),
            Err(NoticeRefused::Forged(forged)) => return Err(self.forged(provider, forged, client)),
        };
        let kept = self.keep(desk, body, unfit.as_ref()).await?;
        match self.act_on(desk, &kept).await {
            Ok(ReportOutcome::Done) => {}
            Ok(ReportOutcome::Unfit(why)) => return Err(ReceiveRefused::Parked(why)),
            // It is on the disk: the worker acts on it.
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(
                    notice = kept.id,
                    error,
                    "a notice was kept and could not be acted on; again in a moment"
                );
            }
        }
        Ok(desk.provider.acknowledge(&desk.notify_path))
    }

    /// The refusal of a notice that is not the provider's. The log has a bounded number of them a minute.
    fn forged(&self, provider: &str, forged: AuthenticityError, client: Option<IpAddr>) -> ReceiveRefused {
        if self.0.refused.count_from(client, self.topups().now_ms()).is_err() {
            return ReceiveRefused::TooMany;
        }
        let client = client.map(|client| client.to_string());
        tracing::warn!(provider, client, why = %forged, "a notice was refused: it is not the payment provider's");
        forged.into()
    }

    /// Keeps a notice. Returns the row that is kept, the earlier one if it came before.
    async fn keep(
        &self,
        desk: &ProviderConnection,
        body: &[u8],
        unfit: Option<&UnusableNotice>,
    ) -> Result<StoredNotice, StoreError> {
        let (provider, sha256) = (desk.name(), Sha256::digest(body).into());
        let parked = unfit.map(ToString::to_string);
        let arrived = NewNotice { provider, sha256: &sha256, body, parked: parked.as_deref() };
        let mut transaction = self.topups().store.begin().await?;
        let is_new = sql::keep(&mut transaction, arrived, self.topups().now_ms()).await?;
        let kept = sql::kept(&mut transaction, provider, &sha256).await?;
        if let Some(why) = parked.filter(|_| is_new) {
            self.report_mismatch(&mut transaction, desk, None, "a notice", why).await?;
        }
        commit(transaction, Step::Notice, "a notice").await?;
        Ok(kept)
    }

    /// Acts on a notice that is kept, once.
    pub(super) async fn act_on(
        &self,
        desk: &ProviderConnection,
        kept: &StoredNotice,
    ) -> Result<ReportOutcome, StoreError> {
        if kept.is_acted_on {
            return Ok(ReportOutcome::Done);
        }
        if let Some(why) = &kept.parked {
            return Ok(ReportOutcome::Unfit(why.clone()));
        }
        let mut transaction = self.topups().store.begin().await?;
        let acted = match reread(&kept.body, kept.received_at_ms) {
            Err(unfit) => ReportOutcome::Unfit(unfit.to_string()),
            Ok(notice) => {
                let found = match sql::order_of(&mut transaction, desk.name(), &notice.trade_no).await? {
                    Some(id) => orders::find(&mut transaction, id).await?,
                    None => None,
                };
                let payment = notice.payment_id.as_str();
                match found {
                    Some(order) => self.act_on_notice(&mut transaction, desk, order, &certain_report(&notice)).await?,
                    None => {
                        let why = "no order is known by that name".to_owned();
                        self.report_mismatch(&mut transaction, desk, None, payment, why).await?
                    }
                }
            }
        };
        let ended = match &acted {
            ReportOutcome::Done => sql::acted(&mut transaction, kept.id, self.topups().now_ms()).await?,
            ReportOutcome::Unfit(why) => sql::park(&mut transaction, kept.id, why).await?,
        };
        // If another server has ended it meanwhile, its acts were done before, and are not to be told twice.
        if ended {
            commit(transaction, Step::Act, "what a notice reports").await?;
        }
        Ok(acted)
    }
}

/// The certain part of a notice.
fn certain_report(notice: &PaymentNotice) -> PaymentReport {
    match &notice.outcome {
        NoticeOutcome::Paid { amount, .. } => {
            PaymentReport::Paid { payment_id: notice.payment_id.clone(), amount: *amount }
        }
        NoticeOutcome::Pending => PaymentReport::InProgress(Some(notice.payment_id.clone())),
        NoticeOutcome::Failed { code } => PaymentReport::Over(failed(code)),
    }
}
