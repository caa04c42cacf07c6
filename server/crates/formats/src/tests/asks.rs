//! Requests of each format, written for providers of each.

use serde_json::{Value, json};

use super::super::{ChatRequest, EncodedRequest, Format, Unsupported, decode_request, encode_request};
use super::{FORMATS, golden, name, target};

/// Everything that a fixture asks for in the path of format G.
fn read(client: Format, fixture: &str, body: &[u8]) -> ChatRequest {
    decode_request(client, body, "m", fixture == "text")
        .unwrap_or_else(|fault| panic!("{} {fixture}: {fault}", name(client)))
}

fn told(written: Result<EncodedRequest, Unsupported>) -> Value {
    match written {
        Ok(EncodedRequest { body, dropped }) => {
            let body: Value = serde_json::from_slice(&body).expect("JSON");
            json!({ "dropped": dropped, "body": body })
        }
        Err(Unsupported { at, reason }) => json!({ "refused": at, "reason": reason }),
    }
}

#[test]
fn every_request_for_every_provider() {
    for client in FORMATS {
        for (fixture, body) in golden::fixtures(&format!("asks/{}", name(client)), ".json") {
            let ask = read(client, &fixture, &body);
            let mut all = serde_json::Map::new();
            for upstream in FORMATS {
                all.insert(name(upstream).into(), told(encode_request(upstream, &ask, &target())));
            }
            let made = serde_json::to_string_pretty(&all).expect("JSON") + "\n";
            golden::check(&format!("asks/{}/{fixture}.golden.json", name(client)), &made);
        }
    }
}
