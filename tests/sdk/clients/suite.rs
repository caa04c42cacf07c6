//! The generated client in use: what a program may write down and have checked, and what then happens.

use tollgate_client::calls::chat::ChatCreateCode;
use tollgate_client::calls::messages::MessagesCreateParams;
use tollgate_client::calls::receipts::ReceiptsListParams;
use tollgate_client::types::{ChatMessage, ChatRequest, ChatRole, ContentBlock, X402Payment};
use tollgate_client::{CallOptions, Error, Tollgate, Usd};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn body() -> ChatRequest {
    let message = ChatMessage {
        role: ChatRole::User,
        content: Some("Say hello.".into()),
        name: None,
        tool_calls: None,
        tool_call_id: None,
        reasoning_content: None,
        further: serde_json::Map::new(),
    };
    ChatRequest { model: "sandbox".to_owned(), messages: vec![message], ..ChatRequest::default() }
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

async fn refusals(client: &Tollgate) -> Outcome {
    let options = CallOptions::default();
    let wrong = ChatRequest { model: "nothing".to_owned(), ..body() };
    match client.chat().create(&wrong, &options).await {
        Err(Error::Refused(refusal)) => {
            assert_eq!((&refusal.code, refusal.status), (&ChatCreateCode::ModelNotFound, 404));
            assert_eq!(refusal.details["model"], "nothing");
            assert!(refusal.request_id.is_some());
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

fn amounts() -> Outcome {
    for (text, nanos) in [("0.1", 100_000_000), ("123456.000000001", 123_456_000_000_001), ("7", 7_000_000_000)] {
        let amount: Usd = serde_json::from_str(text)?;
        assert_eq!((amount.nanos, serde_json::to_string(&amount)?.as_str()), (nanos, text));
    }
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
    amounts()?;
    println!("ok amounts");
    Ok(())
}
