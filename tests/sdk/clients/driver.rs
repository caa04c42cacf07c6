//! Calls what it is told to call, line by line, and tells what came of it. What stands here is the same for all calls; `calls`
//! is made of the operations, since there is no calling by name.

#[allow(warnings, reason = "it is made of the operations, for nobody to read")]
mod calls;

use std::io::Write;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tollgate_client::{CallOptions, Code, Error, EventStream, HeaderMap, Tollgate};

/// What came of a call, or why it could not be made.
type Outcome = Result<Value, Value>;

struct Given(Value);

impl Given {
    fn call(&self) -> &str {
        self.0["call"].as_str().unwrap_or_default()
    }

    fn streams(&self) -> bool {
        self.0["streams"] == true
    }

    fn client(&self) -> (Tollgate, CallOptions) {
        let word = |name: &str| self.0[name].as_str().map(str::to_owned);
        let mut headers = HeaderMap::new();
        for (name, value) in self.0["headers"].as_object().into_iter().flatten() {
            let name: tollgate_client::HeaderName = name.parse().expect("a name of a header");
            headers.insert(name, value.as_str().and_then(|value| value.parse().ok()).expect("a value of a header"));
        }
        let options = CallOptions {
            idempotency_key: word("once"),
            headers,
            max_retries: Some(0),
            timeout: Some(Duration::from_secs(30)),
            ..CallOptions::default()
        };
        (Tollgate::new(word("url").unwrap_or_default(), word("key")), options)
    }

    fn path<T: DeserializeOwned>(&self, index: usize) -> Result<T, Value> {
        typed("the path", &self.0["path"][index])
    }

    fn body<T: DeserializeOwned>(&self) -> Result<T, Value> {
        typed("the body", &self.0["body"])
    }

    fn param<T: DeserializeOwned>(&self, name: &str) -> Result<T, Value> {
        typed(name, &self.0["params"][name])
    }
}

fn typed<T: DeserializeOwned>(what: &str, value: &Value) -> Result<T, Value> {
    T::deserialize(value).map_err(|error| json!({"untyped": format!("{what}: {error}")}))
}

fn reply<T: Serialize, C: Code>(reply: Result<T, Error<C>>) -> Outcome {
    Ok(match reply {
        Ok(reply) => json!({"reply": reply}),
        Err(error) => refused(&error, &[]),
    })
}

fn text<C: Code>(reply: Result<Vec<u8>, Error<C>>) -> Outcome {
    self::reply(reply.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

fn bytes<C: Code>(reply: Result<Vec<u8>, Error<C>>) -> Outcome {
    Ok(match reply {
        Ok(reply) => json!({"bytes": reply.iter().map(|byte| format!("{byte:02x}")).collect::<String>()}),
        Err(error) => refused(&error, &[]),
    })
}

#[allow(dead_code, reason = "not every interface has answers without a body")]
fn nothing<C: Code>(reply: Result<Vec<u8>, Error<C>>) -> Outcome {
    Ok(match reply {
        Ok(_) => json!({"nothing": true}),
        Err(error) => refused(&error, &[]),
    })
}

async fn events<T: Serialize + DeserializeOwned, C: Code>(stream: Result<EventStream<T, C>, Error<C>>) -> Outcome {
    let mut stream = match stream {
        Ok(stream) => stream,
        Err(error) => return Ok(refused(&error, &[])),
    };
    let mut events = Vec::new();
    while let Some(event) = stream.next().await {
        match event {
            Ok(event) => events.push(json!(event)),
            Err(error) => return Ok(refused(&error, &events)),
        }
    }
    Ok(json!({"events": events}))
}

fn refused<C: Code>(error: &Error<C>, events: &[Value]) -> Value {
    let (typed, code, refusal) = match error {
        Error::Refused(refusal) => {
            (true, refusal.code.as_str(), (&refusal.kind, refusal.status, &refusal.request_id))
        }
        Error::Unexpected(refusal) => {
            (false, refusal.code.as_str(), (&refusal.kind, refusal.status, &refusal.request_id))
        }
        other => return json!({"events": events, "lost": format!("{other:?}")}),
    };
    let (kind, status, request_id) = refusal;
    let error = json!({"typed": typed, "code": code, "kind": kind, "status": status, "request_id": request_id});
    json!({"events": events, "error": error})
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in std::io::stdin().lines() {
        let given = Given(serde_json::from_str(&line?)?);
        let told = calls::call(&given).await.unwrap_or_else(|wrong| wrong);
        writeln!(std::io::stdout(), "{told}")?;
    }
    Ok(())
}
