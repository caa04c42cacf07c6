//! Requests of each format, written for providers of each.

use serde_json::{Value, json};

use super::super::{Ask, Encoded, Format, NotCarried, read_ask, write_ask};
use super::{FORMATS, golden, name, target};

/// Everything that a fixture asks for in the path of format G.
fn read(client: Format, fixture: &str, body: &[u8]) -> Ask {
    read_ask(client, body, "m", fixture == "text").unwrap_or_else(|fault| panic!("{} {fixture}: {fault}", name(client)))
}

fn told(written: Result<Encoded, NotCarried>) -> Value {
    match written {
        Ok(Encoded { body, dropped }) => {
            let body: Value = serde_json::from_slice(&body).expect("JSON");
            json!({ "dropped": dropped, "body": body })
        }
        Err(NotCarried { at, reason }) => json!({ "refused": at, "reason": reason }),
    }
}

#[test]
fn every_request_for_every_provider() {
    for client in FORMATS {
        for (fixture, body) in golden::fixtures(&format!("asks/{}", name(client)), ".json") {
            let ask = read(client, &fixture, &body);
            let mut all = serde_json::Map::new();
            for upstream in FORMATS {
                all.insert(name(upstream).into(), told(write_ask(upstream, &ask, &target())));
            }
            let made = serde_json::to_string_pretty(&all).expect("JSON") + "\n";
            golden::check(&format!("asks/{}/{fixture}.golden.json", name(client)), &made);
        }
    }
}
