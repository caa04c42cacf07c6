//! The generated client in use: what a program may write down and have checked, and what then happens.

use tollgate_client::calls::chat::ChatCreateCode;
use tollgate_client::calls::images::ImagesEditForm;
use tollgate_client::calls::messages::MessagesCreateParams;
use tollgate_client::calls::models::ModelsGetParams;
use tollgate_client::calls::receipts::ReceiptsListParams;
use tollgate_client::calls::videos::{VideosCreateForm, VideosDownloadParams};
use tollgate_client::types::{ChatMessage, ChatRequest, ChatRole, ContentBlock, KeyRequest, X402Payment};
use tollgate_client::{CallOptions, Error, OnResponse, Refusal, Tollgate, Upload, Usd};

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn body() -> ChatRequest {
    let message = ChatMessage {
        role: ChatRole::User,
        content: Some(Some("Say hello.".into())),
        name: None,
        tool_calls: None,
        tool_call_id: None,
        reasoning_content: None,
        further: serde_json::Map::new(),
    };
    ChatRequest { model: "sandbox".to_owned(), messages: vec![message], ..ChatRequest::default() }
}

const BUSY: &str = "HTTP/1.1 503 Busy\r\nx-should-retry: true\r\nretry-after: 0\r\ncontent-length: 2\r\n\
                    connection: close\r\n\r\n{}";

/// An answer as it goes over the wire.
fn said_200(kind: &str, body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nx-request-id: req-1\r\nconnection: close\r\n\r\n{body}")
}

/// What a scripted service was asked.
type Asked = Arc<Mutex<Vec<String>>>;

/// A service that gives these answers in turn, and a client of it; an answer that ends with `…` leaves the connection open.
async fn scripted<const N: usize>(answers: [String; N]) -> Result<(Tollgate, Asked), std::io::Error> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/", listener.local_addr()?);
    let asked = Asked::default();
    let told = Arc::clone(&asked);
    tokio::spawn(async move {
        let mut open = Vec::new();
        for answer in answers {
            let (mut taken, _) = listener.accept().await?;
            let request = request(&mut taken).await?;
            told.lock().map_err(|_| std::io::ErrorKind::Other)?.push(request);
            taken.write_all(answer.trim_end_matches('…').as_bytes()).await?;
            if answer.ends_with('…') {
                open.push(taken);
            }
        }
        std::future::pending::<std::io::Result<()>>().await
    });
    Ok((Tollgate::new(url, Some("sk-own".to_owned())), asked))
}

async fn request(taken: &mut TcpStream) -> std::io::Result<String> {
    let mut request = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&request).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return Ok(text);
            }
        }
        if taken.read_buf(&mut request).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
}

fn count(asked: &Asked) -> usize {
    asked.lock().map_or(0, |asked| asked.len())
}

async fn turns(client: &Tollgate) -> Outcome {
    let options = CallOptions::default();
    let whole = client.chat().create(&body(), &options).await?;
    let expected = whole.choices[0].message.content.clone().flatten().ok_or("no text")?;
    let mut stream = client.chat().create_stream(&body(), &options).await?;
    assert!(stream.request_id().is_some());
    let mut text = String::new();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk?;
        text += &chunk.choices.first().and_then(|choice| choice.delta.content.clone().flatten()).unwrap_or_default();
    }
    assert_eq!(text, expected);
    let request = serde_json::from_value(serde_json::json!({
        "model": "sandbox", "max_tokens": 50, "messages": [{"role": "user", "content": "Hi."}],
    }))?;
    let params = MessagesCreateParams { a_version: "2023-06-01".to_owned(), a_beta: None };
    let message = client.messages().create(&request, &params, &options).await?;
    assert!(matches!(&message.content[0], ContentBlock::Text(block) if !block.text.is_empty()));
    let mut events = client.messages().create_stream(&request, &params, &options).await?;
    let mut count = 0;
    while let Some(event) = events.next().await {
        event?;
        count += 1;
    }
    assert!(count > 3);
    Ok(())
}

/// Headers can be read.
async fn heads(client: &Tollgate) -> Outcome {
    let heads = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&heads);
    let tell = OnResponse::new(move |head| told.lock().unwrap_or_else(|error| error.into_inner()).push(head.clone()));
    let options = CallOptions { on_response: Some(tell), ..CallOptions::default() };
    client.chat().create(&body(), &options).await?;
    let heads = heads.lock().map_err(|_| "another thread failed")?;
    assert_eq!((heads.len(), heads[0].operation, heads[0].status), (1, "chat.create", 200));
    assert_eq!(heads[0].headers["x-request-id"].to_str().ok(), heads[0].request_id.as_deref());
    Ok(())
}

async fn refusals(client: &Tollgate) -> Outcome {
    let options = CallOptions::default();
    let wrong = ChatRequest { model: "nothing".to_owned(), ..body() };
    match client.chat().create(&wrong, &options).await {
        Err(Error::Refused(refusal)) => {
            assert_eq!((&refusal.code, refusal.status), (&ChatCreateCode::ModelNotFound, 404));
            assert_eq!(refusal.details["model"], "nothing");
            assert_eq!(refusal.headers["x-request-id"].to_str().ok(), refusal.request_id.as_deref());
        }
        other => return Err(format!("{other:?}").into()),
    }
    let payment: X402Payment = serde_json::from_value(serde_json::json!({
        "x402Version": 2, "payload": {},
        "accepted": {"scheme": "exact", "network": "eip155:8453", "amount": "1", "payTo": "0x0", "asset": "0x0"},
    }))?;
    match client.x402().pay(987_654_321, &payment, &options).await {
        Err(Error::Refused(refusal)) => assert_eq!(refusal.status, 200),
        other => return Err(format!("{other:?}").into()),
    }
    Ok(())
}

async fn pages(client: &Tollgate) -> Outcome {
    let options = CallOptions::default();
    for _ in 0..3 {
        client.chat().create(&body(), &options).await?;
    }
    let params = ReceiptsListParams { limit: Some(2), ..ReceiptsListParams::default() };
    let receipts = client.receipts();
    let mut all = receipts.list_all(&params, &options);
    let mut walked = Vec::new();
    while let Some(receipt) = all.next().await {
        walked.push(receipt?);
    }
    let listed = receipts.list(&ReceiptsListParams { limit: Some(100), ..params.clone() }, &options).await?;
    assert!(walked.len() >= 3);
    assert!(listed.data.receipts.iter().all(|one| walked.iter().any(|other| other.request_id == one.request_id)));
    Ok(())
}

/// No part is waited for without end.
async fn limits() -> Outcome {
    let head = "HTTP/1.1 200 OK\r\nx-request-id: req-1\r\ncontent-length: 9999\r\ncontent-type: ";
    let chunk = r#"{"id":"1","object":"chat.completion.chunk","created":1,"model":"m","choices":[]}"#;
    let (client, _) = scripted([
        "HTTP/1.1 400 Bad\r\ncontent-length: 9\r\n\r\n{…".to_owned(),
        format!("{head}application/json\r\n\r\n{{…"),
        format!("{head}text/event-stream\r\n\r\ndata: {chunk}\n\n…"),
    ])
    .await?;
    let options = CallOptions { timeout: Some(std::time::Duration::from_millis(200)), ..CallOptions::default() };
    for _ in 0..2 {
        let lost = client.chat().create(&body(), &options).await;
        assert!(matches!(&lost, Err(Error::Connection(error)) if error.to_string().contains("0.2 s")), "{lost:?}");
    }
    let options = CallOptions { timeout: Some(std::time::Duration::from_secs(2)), ..options };
    let mut stream = client.chat().create_stream(&body(), &options).await?;
    assert!(matches!(stream.next().await, Some(Ok(_))));
    match stream.next().await {
        Some(Err(Error::Connection(error))) => {
            assert_eq!((error.operation, error.request_id.as_deref()), ("chat.create", Some("req-1")));
        }
        other => return Err(format!("{other:?}").into()),
    }
    assert!(stream.next().await.is_none());
    Ok(())
}

/// What succeeded is not lost over its type, nor done again.
async fn strange() -> Outcome {
    let (client, asked) = scripted([
        said_200("application/json", r#"{"id":7}"#),
        said_200("text/event-stream", "data: {\"id\":7}\n\ndata: [DONE]\n\n"),
        said_200("application/json", r#"{"id":"whole"}"#),
    ])
    .await?;
    let options = CallOptions { idempotency_key: Some("key-1".to_owned()), ..CallOptions::default() };
    match client.chat().create(&body(), &options).await {
        Err(Error::Strange(strange)) => {
            assert_eq!((strange.operation, strange.request_id.as_deref()), ("chat.create", Some("req-1")));
            assert_eq!(strange.body["id"], 7);
        }
        other => return Err(format!("{other:?}").into()),
    }
    let mut stream = client.chat().create_stream(&body(), &options).await?;
    assert!(matches!(stream.next().await, Some(Err(Error::Strange(_)))));
    assert!(stream.next().await.is_none());
    match client.chat().create_stream(&body(), &options).await {
        Err(Error::Strange(strange)) => assert_eq!(strange.body["id"], "whole"),
        other => return Err(format!("{other:?}").into()),
    }
    assert_eq!(count(&asked), 3);
    Ok(())
}

/// A redirect is not followed.
async fn redirects() -> Outcome {
    let moved = |status: u16| {
        let head = format!("HTTP/1.1 {status} Moved\r\nlocation: /elsewhere\r\ncontent-type: text/html\r\n");
        format!("{head}content-length: 4\r\nconnection: close\r\n\r\n<p/>")
    };
    // One more than is asked for, so that it would be seen if it were.
    let (client, asked) = scripted([302, 308, 301, 303].map(moved)).await?;
    let options = CallOptions::default();
    let told = |refusal: &Refusal<String>| (refusal.status, refusal.message.clone());
    let wanted = |status: u16| (status, "redirected to /elsewhere, which is not followed".to_owned());
    match client.chat().create(&body(), &options).await {
        Err(Error::Unexpected(refusal)) => assert_eq!(told(&refusal), wanted(302)),
        other => return Err(format!("{other:?}").into()),
    }
    match client.chat().create_stream(&body(), &options).await {
        Err(Error::Unexpected(refusal)) => assert_eq!(told(&refusal), wanted(308)),
        other => return Err(format!("{other:?}").into()),
    }
    match client.videos().download("video_1", &VideosDownloadParams::default(), &options).await {
        Err(Error::Unexpected(refusal)) => assert_eq!(told(&refusal), wanted(301)),
        other => return Err(format!("{other:?}").into()),
    }
    let requests = asked.lock().map_err(|_| "another thread failed")?;
    let methods: Vec<_> = requests.iter().map(|request| request.split(' ').next().unwrap_or_default()).collect();
    assert_eq!(methods, ["POST", "POST", "GET"]);
    Ok(())
}

/// Of an event that comes in parts nothing is lost where the wait for it is given up in between.
async fn waits() -> Outcome {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        let (mut taken, _) = listener.accept().await?;
        request(&mut taken).await?;
        let first = said_200("text/event-stream", "data: {\"id\": \"1\", \"object\": \"chat.completion.chunk\",\n");
        taken.write_all(first.as_bytes()).await?;
        // Whoever comes says that the wait was given up.
        listener.accept().await?;
        taken.write_all(b"data: \"created\": 1, \"model\": \"m\", \"choices\": []}\n\ndata: [DONE]\n\n").await
    });
    let client = Tollgate::new(format!("http://{address}"), None);
    let mut stream = client.chat().create_stream(&body(), &CallOptions::default()).await?;
    let given_up = tokio::time::timeout(std::time::Duration::from_millis(300), stream.next()).await;
    assert!(given_up.is_err());
    TcpStream::connect(address).await?;
    match stream.next().await {
        Some(Ok(chunk)) => assert_eq!((chunk.id.as_str(), chunk.created), ("1", 1)),
        other => return Err(format!("{other:?}").into()),
    }
    assert!(stream.next().await.is_none());
    Ok(())
}

fn event(kind: &str) -> String {
    format!("event: {kind}\ndata: {{\"type\":\"{kind}\",\"sequence_number\":0}}\n\n")
}

/// A stream with named events that breaks off does not look complete.
async fn ends() -> Outcome {
    let said = |kinds: &[&str]| said_200("text/event-stream", &kinds.iter().map(|kind| event(kind)).collect::<String>());
    let unnamed = said_200("text/event-stream", "data: {\"type\":\"response.failed\",\"sequence_number\":0}\n\n");
    let (client, _) = scripted([
        said(&["response.created", "response.incomplete", "never read"]),
        unnamed,
        said(&["response.created", "response.output_text.delta"]),
        said(&["message_start", "content_block_delta"]),
    ])
    .await?;
    let options = CallOptions::default();
    let request = serde_json::from_value(serde_json::json!({"model": "sandbox", "input": "Hi."}))?;
    for count in [2, 1] {
        let mut stream = client.responses().create_stream(&request, &options).await?;
        for _ in 0..count {
            assert!(matches!(stream.next().await, Some(Ok(_))));
        }
        assert!(stream.next().await.is_none());
    }
    let mut stream = client.responses().create_stream(&request, &options).await?;
    for _ in 0..2 {
        assert!(matches!(stream.next().await, Some(Ok(_))));
    }
    match stream.next().await {
        Some(Err(Error::Connection(error))) => {
            assert!(error.to_string().contains("broke off"), "{error}");
            assert_eq!(error.request_id.as_deref(), Some("req-1"));
        }
        other => return Err(format!("{other:?}").into()),
    }
    let request = serde_json::from_value(serde_json::json!({"model": "sandbox", "max_tokens": 5, "messages": []}))?;
    let params = MessagesCreateParams { a_version: "2023-06-01".to_owned(), a_beta: None };
    let mut stream = client.messages().create_stream(&request, &params, &options).await?;
    let mut last = None;
    while let Some(event) = stream.next().await {
        last = Some(event);
    }
    assert!(matches!(&last, Some(Err(Error::Connection(error))) if error.to_string().contains("broke off")), "{last:?}");
    Ok(())
}

/// A form with files.
async fn forms(client: &Tollgate) -> Outcome {
    let picture = Upload::new(b"\x89PNG\r\n\x00\xff".as_slice(), "a \"hat\".png", "image/png");
    let options = CallOptions::default();
    let form = ImagesEditForm {
        model: "sandbox".to_owned(),
        prompt: "a hat \u{1f3a9}".to_owned(),
        image: vec![picture.clone(), picture.clone()],
        mask: Some(picture.clone()),
        n: Some(2),
        further: vec![("user".to_owned(), "me".into())],
        ..ImagesEditForm::default()
    };
    assert_eq!(client.images().edit_form(&form, &options).await?.data.len(), 2);
    let form = VideosCreateForm {
        model: Some("sandbox".to_owned()),
        prompt: "a cat".to_owned(),
        seconds: Some("4".into()),
        input_reference: Some(picture.into()),
        ..VideosCreateForm::default()
    };
    assert_eq!(client.videos().create_form(&form, &options).await?.seconds, "4");
    let (client, asked) =
        scripted([BUSY.to_owned(), said_200("application/json", r#"{"created": 1, "data": []}"#)]).await?;
    let form = ImagesEditForm {
        model: "m".to_owned(),
        prompt: "p".to_owned(),
        image: vec![Upload::new("what is in it", "a \"hat\".txt", "text/plain")],
        n: Some(2),
        ..ImagesEditForm::default()
    };
    let key = CallOptions { idempotency_key: Some("key-1".to_owned()), ..CallOptions::default() };
    client.images().edit_form(&form, &key).await?;
    let requests = asked.lock().map_err(|_| "another thread failed")?;
    let (head, body) = requests[1].split_once("\r\n\r\n").ok_or("no body")?;
    let boundary = head.split("boundary=").nth(1).and_then(|rest| rest.split("\r\n").next()).ok_or("no boundary")?;
    let parts: Vec<&str> = body.split(&format!("--{boundary}")).collect();
    let names: Vec<Option<&str>> =
        parts[1..parts.len() - 1].iter().map(|part| part.split("; name=\"").nth(1)?.split('"').next()).collect();
    assert_eq!(names, [Some("model"), Some("prompt"), Some("image"), Some("n")]);
    let wanted = "filename=\"a %22hat%22.txt\"\r\nContent-Type: text/plain\r\n\r\nwhat is in it\r\n";
    assert!(parts[3].ends_with(wanted), "{}", parts[3]);
    Ok(())
}

/// A value stays in its place of the path.
async fn paths() -> Outcome {
    let (client, asked) = scripted([said_200("application/json", "{}")]).await?;
    let options = CallOptions::default();
    for wrong in ["", ".", "..", "a/../b", "a/."] {
        let unsent = client.models().get(wrong, &ModelsGetParams::default(), &options).await;
        assert!(matches!(&unsent, Err(Error::Unsent(_))), "{unsent:?}");
    }
    let _ = client.models().get("a/b..c?d", &ModelsGetParams::default(), &options).await;
    let requests = asked.lock().map_err(|_| "another thread failed")?;
    assert_eq!((requests.len(), requests[0].split(' ').nth(1)), (1, Some("/v1/models/a/b..c%3Fd")));
    Ok(())
}

/// Keys are not shown.
fn secrets(client: &Tollgate) -> Outcome {
    let client = client.clone();
    let shown = format!("{client:?} {:?}", client.chat());
    assert!(shown.contains("http://") && !shown.contains("sk-"), "{shown}");
    let login: tollgate_client::types::LoginRequest =
        serde_json::from_value(serde_json::json!({"email": "someone", "password": "hidden"}))?;
    let shown = format!("{login:?}");
    assert!(shown.contains("someone") && !shown.contains("hidden"), "{shown}");
    Ok(())
}

fn amounts() -> Outcome {
    for (text, nanos) in [("0.1", 100_000_000), ("123456.000000001", 123_456_000_000_001), ("7", 7_000_000_000)] {
        let amount: Usd = serde_json::from_str(text)?;
        assert_eq!((amount.nanos, serde_json::to_string(&amount)?.as_str()), (nanos, text));
    }
    Ok(())
}

/// What a key does not cover is not sent again.
async fn keys() -> Outcome {
    let (client, asked) =
        scripted([BUSY.to_owned(), BUSY.to_owned(), said_200("application/json", r#"{"object":"list","data":[]}"#)])
            .await?;
    let key = CallOptions { idempotency_key: Some("key-1".to_owned()), ..CallOptions::default() };
    let named = KeyRequest { label: "one".to_owned(), ..KeyRequest::default() };
    match client.keys().create(&named, &key).await {
        Err(Error::Unsent(unsent)) => assert_eq!(unsent.operation, "keys.create"),
        other => return Err(format!("{other:?}").into()),
    }
    assert_eq!(count(&asked), 0);
    let refused = client.keys().create(&named, &CallOptions::default()).await;
    assert!(matches!(&refused, Err(Error::Unexpected(refusal)) if refusal.should_retry), "{refused:?}");
    assert_eq!(count(&asked), 1);
    // Where the service looks at the key, it makes sending again safe.
    let _ = client.chat().create(&body(), &key).await;
    let requests = asked.lock().map_err(|_| "another thread failed")?;
    assert_eq!(requests.iter().filter(|request| request.contains("idempotency-key: key-1\r\n")).count(), 2);
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome {
    let client = Tollgate::new(std::env::var("GATEWAY_URL")?, std::env::var("GATEWAY_KEY").ok());
    turns(&client).await?;
    println!("ok turns");
    refusals(&client).await?;
    println!("ok refusals");
    pages(&client).await?;
    println!("ok pages");
    keys().await?;
    println!("ok keys");
    secrets(&client)?;
    println!("ok secrets");
    paths().await?;
    println!("ok paths");
    limits().await?;
    println!("ok limits");
    heads(&client).await?;
    println!("ok heads");
    strange().await?;
    println!("ok strange");
    redirects().await?;
    println!("ok redirects");
    waits().await?;
    println!("ok waits");
    amounts()?;
    println!("ok amounts");
    ends().await?;
    println!("ok ends");
    forms(&client).await?;
    println!("ok forms");
    Ok(())
}
