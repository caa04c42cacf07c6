//! `POST /api/topup/ewallet/notify/{provider}`

use crate::ewallet::Checkouts;
use crate::ewallet::notices::ReceiveRefused;
use tollgate_api::generated::limits;
use tollgate_api::generated::ops::ewallet::{
    ReceiveEwalletNotice, ReceiveEwalletNoticeError, ReceiveEwalletNoticeInput,
};
use tollgate_api::{Cx, ProxyReply, ProxyReplyBody};

impl ReceiveEwalletNotice for Checkouts {
    async fn receive_ewallet_notice(
        &self,
        cx: &Cx,
        input: ReceiveEwalletNoticeInput,
    ) -> Result<ProxyReply, ReceiveEwalletNoticeError> {
        let received = self.receive(&input.provider, &cx.headers, &input.body, cx.client).await;
        let answer = received.map_err(|why| refused(cx, &input.provider, why))?;
        Ok(ProxyReply { status: answer.status, headers: answer.headers, body: ProxyReplyBody::Whole(answer.body) })
    }
}

fn refused(cx: &Cx, provider: &str, why: ReceiveRefused) -> ReceiveEwalletNoticeError {
    match why {
        ReceiveRefused::NoSuchProvider => ReceiveEwalletNoticeError::RouteNotFound {
            method: "POST".to_owned(),
            path: format!("/api/topup/ewallet/notify/{provider}"),
        },
        ReceiveRefused::Forged(_) | ReceiveRefused::Parked(_) => {
            ReceiveEwalletNoticeError::NoticeRefused { reason: why.to_string() }
        }
        ReceiveRefused::TooMany => ReceiveEwalletNoticeError::RateLimited {
            limit: format!("{} refused notices a minute from one address", limits::NOTICE_REFUSALS),
        },
        ReceiveRefused::Store(error) => {
            let (request_id, error) = (cx.request_id, &error as &dyn std::error::Error);
            tracing::error!(%request_id, error, "a notice could not be kept");
            ReceiveEwalletNoticeError::LedgerUnavailable
        }
    }
}
