//! `POST /v1/images/edits`: the form of format O clients and both JSON bodies.

use std::io::ErrorKind;

use reqwest::RequestBuilder;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tollgate_api::generated::limits;
use tollgate_tests::TestGateway;
use tollgate_tests::fake_image_provider;
use tollgate_tests::gateway::{amount, client};
use tollgate_tests::reply::Reply;

use super::{gateway, receipt};

const FORM: &str = "multipart/form-data; boundary=xx-1";

/// A part with these words behind its name, up to the next boundary.
fn part(name: &str, rest: &str, content: &[u8]) -> Vec<u8> {
    let head = format!("--xx-1\r\nContent-Disposition: form-data; name=\"{name}\"{rest}\r\n\r\n");
    [head.as_bytes(), content, b"\r\n"].concat()
}

fn text(name: &str, content: &str) -> Vec<u8> {
    part(name, "", content.as_bytes())
}

fn file(name: &str) -> Vec<u8> {
    part(name, "; filename=\"a.png\"\r\nContent-Type: image/png", b"\x89PNG\r\n\x00\xff--xx")
}

fn whole(parts: &[Vec<u8>]) -> Vec<u8> {
    [&parts.concat()[..], b"--xx-1--\r\n"].concat()
}

/// Model, prompt and image, and these parts besides.
fn form(more: &[Vec<u8>]) -> Vec<u8> {
    whole(&[&[text("model", "painter"), text("prompt", "a hat"), file("image")], more].concat())
}

fn post(gateway: &TestGateway) -> RequestBuilder {
    client().post(gateway.url("/v1/images/edits")).bearer_auth(&gateway.key)
}

async fn answered(request: RequestBuilder) -> (u16, HeaderMap, Value) {
    let reply = request.send().await.expect("an answer");
    (reply.status().as_u16(), reply.headers().clone(), reply.json().await.expect("JSON"))
}

async fn send(gateway: &TestGateway, kind: &str, body: Vec<u8>) -> (u16, HeaderMap, Value) {
    answered(post(gateway).header("content-type", kind).body(body)).await
}

async fn charged(gateway: &TestGateway, headers: &HeaderMap) -> [String; 2] {
    let receipt = receipt(gateway, headers).await;
    [amount(&receipt["held_usd"]), amount(&receipt["charged_usd"])]
}

#[tokio::test]
async fn a_form_goes_through_but_for_the_model_and_each_picture_is_paid_for() {
    let gateway = gateway("10").await;
    let parts = |model: &str| {
        let parts = [
            text("n", "3"),
            part("prompt", "\r\nX-Own: kept", "a hat \u{1f3a9}\r\n".as_bytes()),
            file("image[]"),
            text("model", model),
            file("image[]"),
            file("mask"),
            text("quality", "high"),
            text("user", "painter"),
        ];
        [b"for nobody\r\n".to_vec(), whole(&parts), b"for nobody".to_vec()].concat()
    };
    let kind = "Multipart/Form-Data; charset=utf-8; boundary=\"xx-1\"";
    let (status, headers, answer) = send(&gateway, kind, parts("painter")).await;
    // Three were held for, two came, and the answer is the provider's own.
    assert_eq!((status, answer), (200, super::pictures(2)));
    assert_eq!(charged(&gateway, &headers).await, ["0.12", "0.08"]);
    let received = gateway.upstream.take_received().remove(0);
    assert_eq!(received.line, "POST /v1/images/edits HTTP/1.1");
    assert_eq!(received.header("content-type"), Some("multipart/form-data; boundary=\"xx-1\""));
    assert!(received.body == parts("up"), "{}", String::from_utf8_lossy(&received.body));
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_form_without_a_count_is_held_for_one() {
    let gateway = gateway("10").await;
    for more in [vec![], vec![file("image")], vec![file("image[0]"), file("image[1]")]] {
        let (status, headers, answer) = send(&gateway, FORM, form(&more)).await;
        assert_eq!(status, 200, "{answer}");
        // Two came, and what is given is paid for.
        assert_eq!(charged(&gateway, &headers).await, ["0.04", "0.08"]);
    }
}

#[tokio::test]
async fn messages_are_carried_with_the_addresses_of_their_images() {
    let gateway = gateway("10").await;
    gateway.upstream.on(fake_image_provider::answer);
    let content =
        json!([{"image": "https://example.com/a.png"}, {"text": "a hat"}, {"image": "data:image/png;base64,AA=="}]);
    let parameters = json!({"n": 2, "negative_prompt": "dogs", "watermark": true});
    let input = json!({"messages": [{"role": "user", "content": content}]});
    let body = json!({"model": "painter", "input": input, "parameters": parameters});
    let (status, headers, answer) = answered(post(&gateway).json(&body)).await;
    let told = "up; a hat\n\nDo not show: dogs; https://example.com/a.png data:image/png;base64,AA==";
    let picture = json!({"url": "", "b64_json": "AAAA", "revised_prompt": told});
    assert_eq!((status, answer), (200, json!({"created": 7, "data": [picture, picture]})));
    assert_eq!(headers["x-tollgate-dropped"], "parameters.watermark");
    assert_eq!(charged(&gateway, &headers).await, ["0.08", "0.08"]);
}

#[tokio::test]
async fn json_that_refers_to_images_goes_through() {
    let gateway = gateway("10").await;
    let images = json!([{"image_url": "https://example.com/a.png"}, {"image_url": "data:image/png;base64,AA=="}]);
    let body = json!({"model": "painter", "prompt": "a hat", "images": images, "n": 2, "background": "opaque"});
    let (status, headers, answer) = answered(post(&gateway).json(&body)).await;
    assert_eq!((status, answer), (200, super::pictures(2)));
    assert_eq!(charged(&gateway, &headers).await, ["0.08", "0.08"]);
    let received = gateway.upstream.take_received().remove(0);
    assert_eq!(received.header("content-type"), Some("application/json"));
    assert_eq!(String::from_utf8(received.body).expect("text"), body.to_string().replace("painter", "up"));
}

#[tokio::test]
async fn a_provider_s_refusal_is_told_and_costs_nothing() {
    let gateway = gateway("10").await;
    let error =
        json!({"error": {"message": "no such size", "type": "invalid_request_error", "param": "size", "code": null}});
    gateway.upstream.answer(Reply::json(400, &error));
    let (status, headers, answer) = send(&gateway, FORM, form(&[])).await;
    assert_eq!(
        (status, &answer["error"]["message"], &answer["error"]["param"]),
        (400, &json!("no such size"), &json!("size"))
    );
    assert_eq!(charged(&gateway, &headers).await, ["0.04", "0"]);
    gateway.upstream.answer(Reply::json(500, &json!({})));
    assert_eq!(send(&gateway, FORM, form(&[])).await.0, 502);
    gateway.upstream.answer(Reply::json(200, &json!({"created": 7, "data": []})));
    assert_eq!(send(&gateway, FORM, form(&[])).await.0, 502);
    gateway.assert_books().await;
}

/// Sends a form that must be refused with this status and these words.
async fn refused(gateway: &TestGateway, kind: &str, body: Vec<u8>, status: u16, words: &str) {
    let (found, _, answer) = send(gateway, kind, body).await;
    let message = answer["error"]["message"].as_str().expect("text");
    assert!(found == status && message.contains(words), "{found}, and {words} is looked for in {answer}");
}

#[tokio::test]
async fn a_form_that_says_too_little_or_cannot_be_paid_is_not_sent() {
    let gateway = gateway("0.1").await;
    let [model, prompt, image] = [text("model", "painter"), text("prompt", "a hat"), file("image")];
    let address = text("image", "https://example.com/a.png");
    for (parts, status, words) in [
        (vec![&prompt, &image], 400, "'model' is missing"),
        (vec![&model, &image], 400, "'prompt' is missing"),
        (vec![&model, &prompt], 400, "'image' is missing"),
        (vec![&model, &prompt, &file("mask")], 400, "'image' is missing"),
        (vec![&model, &prompt, &address], 400, "'image' must be a file"),
        (vec![&model, &prompt, &image, &text("n", "3")], 402, "0.12"),
        (vec![&text("model", "small"), &prompt, &image], 400, "makes pictures"),
        (vec![&text("model", "nobody"), &prompt, &image], 404, "nobody"),
    ] {
        let parts: Vec<_> = parts.into_iter().cloned().collect();
        refused(&gateway, FORM, whole(&parts), status, words).await;
    }
    assert!(gateway.upstream.take_received().is_empty());
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_form_that_says_something_wrong_or_twice_is_not_sent() {
    let gateway = gateway("10").await;
    let hidden = b"\n--xx-1\nContent-Disposition: form-data; name=\"n\"\n\n10\n--xx-1\n".as_slice();
    for (more, words) in [
        (vec![text("mask", "x")], "'mask' must be a file"),
        (vec![file("mask"), file("mask")], "'mask' must be one file"),
        (vec![text("model", "painter")], "'model' must be one value"),
        (vec![text("n", "1"), text("n", "9")], "'n' must be one value"),
        (vec![text("n", "0")], "'n' must be a whole number of 1 to 10"),
        (vec![text("n", "11")], "'n' must be a whole number of 1 to 10"),
        (vec![text("n", "two")], "'n' must be a whole number of 1 to 10"),
        (vec![text("stream", "true")], "'stream' must be false"),
        // Some provider may read these as ten, of which one would be paid.
        (vec![part("n", "; filename=\"n\"", b"10")], "'n' must be text"),
        (vec![text("N", "10")], "'n' must be this spelling alone"),
        (vec![part("x", "; name=\"n\"", b"10")], "names one thing twice"),
        (vec![part("user", "", hidden)], "inside of a part"),
    ] {
        refused(&gateway, FORM, form(&more), 400, words).await;
    }
    assert!(gateway.upstream.take_received().is_empty());
}

#[tokio::test]
async fn a_body_that_is_neither_a_form_nor_what_json_has_to_say_is_refused() {
    let gateway = gateway("10").await;
    let open = form(&[]).strip_suffix(b"--xx-1--\r\n").expect("its end").to_vec();
    let text_only = json!({"messages": [{"role": "user", "content": [{"text": "a hat"}]}]});
    let lost = json!({"messages": [{"role": "user", "content": [{"text": "a hat"}, {"image": "a.png"}]}]});
    let json = |body: Value| ("application/json", body.to_string().into_bytes());
    for ((kind, body), status, words) in [
        (("text/plain", form(&[])), 415, "application/json or multipart/form-data"),
        (("multipart/form-data", form(&[])), 415, "with a boundary"),
        (("multipart/form-data; boundary=yy", form(&[])), 400, "without its boundary"),
        ((FORM, open), 400, "without its end"),
        (("application/json", form(&[])), 400, "JSON"),
        (json(json!({"model": "painter", "prompt": "a hat"})), 400, "'images' is missing"),
        (json(json!({"model": "painter", "prompt": "a hat", "images": []})), 400, "'images' must be"),
        (json(json!({"model": "painter", "images": [{"file_id": "f"}]})), 400, "'prompt' is missing"),
        (
            json(json!({"model": "painter", "prompt": "a", "images": [{"image_url": "https://x"}, {"file_id": "f"}]})),
            400,
            "'images[1].file_id' refers to something kept at the provider",
        ),
        (
            json(
                json!({"model": "painter", "prompt": "a", "images": [{"image_url": "https://x"}], "mask": {"file_id": "f"}}),
            ),
            400,
            "'mask.file_id' refers to something kept at the provider",
        ),
        (json(json!({"model": "painter", "input": text_only})), 400, "an image to change"),
        (json(json!({"model": "painter", "input": lost})), 400, "the address of each image"),
    ] {
        refused(&gateway, kind, body, status, words).await;
    }
    let large = part("image", "; filename=\"large\"", &vec![0; limits::MEDIA_BODY]);
    let (status, _, answer) = send(&gateway, FORM, large).await;
    assert_eq!((status, &answer["error"]["code"]), (413, &json!("body_too_large")));
    assert!(gateway.upstream.take_received().is_empty());
}

#[tokio::test]
async fn an_upload_that_is_cut_off_holds_nothing() {
    let gateway = gateway("10").await;
    let body = form(&[]);
    let mut stream = TcpStream::connect(gateway.address()).await.expect("a connection");
    let head = format!(
        "POST /v1/images/edits HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-type: {FORM}\r\n\
         content-length: {}\r\n\r\n",
        gateway.key,
        body.len() + 1
    );
    stream.write_all(&[head.as_bytes(), &body].concat()).await.expect("sent");
    stream.shutdown().await.expect("closed");
    let mut answer = Vec::new();
    if let Err(error) = stream.read_to_end(&mut answer).await {
        assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    }
    // Refused, or closed without a word.
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 400"), "{}", String::from_utf8_lossy(&answer));
    assert!(gateway.upstream.take_received().is_empty());
    let balance = gateway.balance().await;
    assert_eq!(amount(&balance["held_usd"]), "0", "{balance}");
}
