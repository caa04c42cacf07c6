//! Where people return to from the checkout page: what the address shows, to whom, and how often it may be asked in vain.

use reqwest::header::HeaderMap;
use ring::digest::{SHA256, digest};
use tollgate_api::generated::limits;
use tollgate_base::OrderId;
use tollgate_tests::checkout::token_in;
use tollgate_topup::{CreditAmount, NewOrder, NewPayment, OrderFailure, PaymentRail, ResolveRequest};

use super::*;

on_both!(
    an_order_is_shown_by_its_token_and_nothing_else_of_it,
    an_order_is_shown_with_what_an_operator_has_credited,
    without_its_token_an_order_is_as_one_that_is_not_there,
    of_a_token_the_hash_is_kept,
);

/// An answer without what is its own: its ids and its time.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

impl House {
    /// The token of an order, from the address that its payer is sent back to.
    async fn token(&self, ordered: &Ordered) -> String {
        let address = self.provider.return_address(&ordered.page).await;
        let place = self.gateway.url(&format!("/topup/order/{}?token=", ordered.trade_no));
        assert!(address.starts_with(&place), "{address}");
        token_in(&address)
    }

    async fn asked(&self, trade_no: &str, query: &str) -> Told {
        let url = self.gateway.url(&format!("/api/topup/order/{trade_no}{query}"));
        let reply = client().get(url).send().await.expect("an answer");
        let (status, headers) = (reply.status().as_u16(), reply.headers().clone());
        let own = headers["x-request-id"].to_str().expect("text").to_owned();
        let body = reply.text().await.expect("a body").replace(&own, "REQUEST").replace(trade_no, "ORDER");
        Told { status, headers: plain(&headers), body }
    }

    async fn shown(&self, ordered: &Ordered, token: &str) -> Value {
        let told = self.asked(&ordered.trade_no, &format!("?token={token}")).await;
        assert_eq!(told.status, 200, "{told:?}");
        exact(&told.body)
    }
}

fn sha256(text: &str) -> String {
    data_encoding::HEXLOWER.encode(digest(&SHA256, text.as_bytes()).as_ref())
}

fn plain(headers: &HeaderMap) -> Vec<(String, String)> {
    let own = ["x-request-id", "request-id", "date", "content-length"];
    let others = headers.iter().filter(|(name, _)| !own.contains(&name.as_str()));
    others.map(|(name, value)| (name.to_string(), value.to_str().expect("text").to_owned())).collect()
}

async fn an_order_is_shown_by_its_token_and_nothing_else_of_it(on: On) {
    let house = House::on(on).await;
    let ordered = house.order().await;
    let token = house.token(&ordered).await;
    let waits = house.shown(&ordered, &token).await;
    assert_eq!(waits, exact(r#"{"success":true,"message":"","data":{"status":"pending","amount_usd":5}}"#));
    house.provider.press(&ordered.page, "pay").await;
    house.status_is(&ordered, "success").await;
    assert_eq!(house.shown(&ordered, &token).await["data"]["status"], "success");
    let given_up = house.order().await;
    let token = house.token(&given_up).await;
    house.provider.press(&given_up.page, "fail").await;
    house.status_is(&given_up, "failed").await;
    assert_eq!(house.shown(&given_up, &token).await["data"]["status"], "failed");
    // Over is over, before anybody has written it down.
    let late = house.unreported().await;
    let token = house.token(&late).await;
    house.hand.advance_ms(10 * MINUTE_MS);
    assert_eq!(house.shown(&late, &token).await["data"]["status"], "expired");
    house.gateway.assert_books().await;
}

async fn an_order_is_shown_with_what_an_operator_has_credited(on: On) {
    let house = House::on(on).await;
    let topups = &house.gateway.service().topups;
    let ordered = house.order().await;
    let token = house.token(&ordered).await;
    let order = OrderId(house.found(&ordered).await["order_id"].to_string().parse().expect("a number"));
    let new = NewPayment {
        source: "elsewhere".to_owned(),
        reference: "n1".to_owned(),
        asset: "USD".to_owned(),
        amount: "450".to_owned(),
        payer: None,
        receipt: None,
    };
    let claimed = topups.claim(order, &new, async |_, _| Ok(())).await.expect("it is taken");
    let why = OrderFailure { code: "PAYMENT_FAILED".to_owned(), detail: "nobody knows of it".to_owned() };
    topups.give_up("elsewhere", "n1", &why).await.expect("it is given up");
    let credit = Some(CreditAmount::Exactly("4.5".parse().expect("an amount")));
    let ask = ResolveRequest { payment: claimed.payment.id, credit, actor: "test".into(), reason: "found" };
    topups.resolve(ask).await.expect("it is decided");
    let told = house.shown(&ordered, &token).await;
    assert_eq!(told["data"], exact(r#"{"status":"success","amount_usd":4.5}"#), "{told}");
    house.gateway.assert_books().await;
}

async fn without_its_token_an_order_is_as_one_that_is_not_there(on: On) {
    let house = House::on(on).await;
    let (ordered, other) = (house.order().await, house.order().await);
    let (token, others) = (house.token(&ordered).await, house.token(&other).await);
    let amount = "5".parse().expect("an amount");
    let new = NewOrder { account: house.gateway.account, agent: None, rail: PaymentRail::Crypto, amount };
    let untold = house.gateway.service().topups.open(new).await.expect("an order");
    let nobodys = house.asked("tg00000000000000000000000000", &format!("?token={token}")).await;
    assert_eq!((nobodys.status, &exact(&nobodys.body)["code"]), (404, &json!("ORDER_NOT_FOUND")), "{nobodys:?}");
    assert!(nobodys.headers.contains(&("cache-control".to_owned(), "no-store".to_owned())), "{nobodys:?}");
    let number = house.found(&ordered).await["order_id"].to_string();
    let cut = format!("?token={}", &token[1..]);
    let more = format!("?token={token}0");
    let upper = format!("?token={}", token.to_uppercase());
    let hash = format!("?token={}", sha256(&token));
    for query in ["", "?token=", &format!("?token={others}"), &cut, &more, &upper, &hash, "?token=%00", "?key=x"] {
        assert_eq!(house.asked(&ordered.trade_no, query).await, nobodys, "{query}");
    }
    assert_eq!(house.asked(&untold.trade_no, "?token=").await, nobodys, "an order that has none");
    // By its number it is known to nobody here.
    assert_eq!(house.asked(&number, &format!("?token={token}")).await, nobodys);
    assert_eq!(house.shown(&ordered, &token).await["data"]["status"], "pending");
}

async fn of_a_token_the_hash_is_kept(on: On) {
    let house = House::on(on).await;
    let ordered = house.order().await;
    let token = house.token(&ordered).await;
    assert!(token.len() == 26 && token.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{token}");
    // In words that both databases read.
    let hash = sha256(&token);
    let hex = match on {
        On::File => "lower(hex(token_sha256))",
        On::Server => "encode(token_sha256, 'hex')",
    };
    assert_eq!(house.value(&format!("SELECT {hex} FROM checkouts")).await, hash);
    // The account that made it learns no token by asking.
    assert!(!house.found(&ordered).await.to_string().contains(&token));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_without_a_token_is_stopped_and_who_has_one_is_not() {
    let house = House::open().await;
    let ordered = house.order().await;
    let token = house.token(&ordered).await;
    for _ in 0..limits::ORDER_TOKEN_REFUSALS {
        assert_eq!(house.asked("tg0", "?token=0").await.status, 404);
    }
    let stopped = house.asked(&ordered.trade_no, "?token=0").await;
    assert_eq!((stopped.status, &exact(&stopped.body)["code"]), (429, &json!("RATE_LIMITED")), "{stopped:?}");
    assert!(stopped.headers.iter().any(|(name, _)| name == "retry-after"), "{stopped:?}");
    assert_eq!(house.shown(&ordered, &token).await["data"]["status"], "pending");
    house.hand.advance_ms(MINUTE_MS);
    assert_eq!(house.asked("tg0", "?token=0").await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_everybodys_and_for_no_cache() {
    let house = House::open().await;
    let ordered = house.order().await;
    let address = house.provider.return_address(&ordered.page).await;
    let get = async |url: &str| {
        let reply = client().get(url).send().await.expect("an answer");
        assert_eq!(reply.status(), 200, "{url}");
        (plain(reply.headers()), reply.text().await.expect("a body"))
    };
    let (headers, html) = get(&address).await;
    assert_eq!((headers.clone(), html.clone()), get(&house.gateway.url("/topup/order/tg0")).await);
    assert!(!html.contains(&ordered.trade_no) && !html.contains(&token_in(&address)), "{html}");
    let header = |name: &str| headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    assert_eq!(header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!((header("cache-control"), header("referrer-policy")), (Some("no-store"), Some("no-referrer")));
    assert_eq!(header("x-content-type-options"), Some("nosniff"));
    let policy = header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-") && !policy.contains("unsafe"), "{policy}");
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
}
