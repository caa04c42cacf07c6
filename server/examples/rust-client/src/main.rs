//! Asks a model, shows the answer as it comes, and tells what it cost.

use tollgate_client::calls::chat::ChatCreateCode;
use tollgate_client::{CallOptions, Error, Tollgate};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Tollgate::new(std::env::var("GATEWAY")?, Some(std::env::var("KEY")?));
    let options = CallOptions::default();
    let before = client.balance().get(&options).await?.data.available_usd;
    let request = serde_json::from_value(serde_json::json!({
        "model": std::env::var("MODEL").unwrap_or_else(|_| "sandbox".to_owned()),
        "messages": [{"role": "user", "content": "Say hello."}],
    }))?;
    let mut events = match client.chat().create_stream(&request, &options).await {
        Ok(events) => events,
        // Each call has a closed set of codes, so that what can be done about one is matched by name.
        Err(Error::Refused(refusal)) if refusal.code == ChatCreateCode::InsufficientCredit => {
            return Err("the credit does not cover this request: buy some first".into());
        }
        Err(error) => return Err(error.into()),
    };
    let id = events.request_id().ok_or("every answer names its request")?.to_owned();
    while let Some(event) = events.next().await {
        for choice in event?.choices {
            print!("{}", choice.delta.content.flatten().unwrap_or_default());
        }
    }
    // The charge is on the disk before the end of a stream is shown: the receipt is there.
    let receipt = client.receipts().get(&id, &options).await?.data;
    println!("\n{} USD of {before} USD, by price list {}", receipt.charged_usd, receipt.price_version);
    Ok(())
}
