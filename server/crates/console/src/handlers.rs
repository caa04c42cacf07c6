//! `GET /topup/crypto`, `GET /topup/order/{trade_no}` and `GET /api/user/topup/crypto/orders/{trade_no}/code`

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use tollgate_api::generated::ops::crypto::{
    GetCryptoOrderCode, GetCryptoOrderCodeError, GetCryptoOrderCodeInput, ShowCryptoPage, ShowCryptoPageError,
    ShowCryptoPageInput,
};
use tollgate_api::generated::ops::ewallet::{ShowEwalletPage, ShowEwalletPageError, ShowEwalletPageInput};
use tollgate_api::{Cx, ProxyReply, ProxyReplyBody};
use tollgate_topup::PaymentRail;

use super::{Console, qr_code};

/// Policy of the QR code, which stays an image where it is opened by itself.
const DRAWING: &str = "default-src 'none'; sandbox";
const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
/// Windows that a wallet opens from our page can speak to it; nobody else's can.
const OPENERS: &str = "same-origin-allow-popups";

impl ShowCryptoPage for Console {
    async fn show_crypto_page(&self, _: &Cx, _: ShowCryptoPageInput) -> Result<ProxyReply, ShowCryptoPageError> {
        let page = &self.0.crypto;
        let mut reply = reply("text/html; charset=utf-8", page.policy.clone(), page.html.clone());
        reply.headers.insert(OPENER, HeaderValue::from_static(OPENERS));
        reply.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        Ok(reply)
    }
}

impl ShowEwalletPage for Console {
    async fn show_ewallet_page(&self, _: &Cx, _: ShowEwalletPageInput) -> Result<ProxyReply, ShowEwalletPageError> {
        let page = &self.0.order;
        let mut reply = reply("text/html; charset=utf-8", page.policy.clone(), page.html.clone());
        reply.headers.insert(OPENER, HeaderValue::from_static("same-origin"));
        // Its address has a secret in it, which is not to lie about in anybody's cache.
        reply.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Ok(reply)
    }
}

impl GetCryptoOrderCode for Console {
    async fn get_crypto_order_code(
        &self,
        cx: &Cx,
        input: GetCryptoOrderCodeInput,
    ) -> Result<ProxyReply, GetCryptoOrderCodeError> {
        let found = self.0.topups.find(input.caller.account, &input.trade_no).await.map_err(|error| {
            let request_id = cx.request_id;
            tracing::error!(%request_id, error = &error as &dyn std::error::Error, "an order could not be read");
            GetCryptoOrderCodeError::LedgerUnavailable
        })?;
        let found = found.filter(|order| order.rail == PaymentRail::Crypto);
        let order = found.ok_or(GetCryptoOrderCodeError::OrderNotFound { order: input.trade_no })?;
        let url = self.0.x402.page_url(&order.trade_no, &cx.headers);
        // Only where the client names a host that is longer than any.
        let drawing = qr_code::svg(&url).map_err(|_| GetCryptoOrderCodeError::BadField {
            field: "host".to_owned(),
            expected: "a name that fits into a QR code".to_owned(),
            found: format!("an address of {} bytes", url.len()),
        })?;
        let mut reply = reply("image/svg+xml", HeaderValue::from_static(DRAWING), drawing.into());
        reply.headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
        Ok(reply)
    }
}

fn reply(kind: &'static str, policy: HeaderValue, body: Bytes) -> ProxyReply {
    let headers = HeaderMap::from_iter([
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CONTENT_SECURITY_POLICY, policy),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ]);
    ProxyReply { status: StatusCode::OK, headers, body: ProxyReplyBody::Whole(body) }
}
