//! JSON-RPC to the nodes of one chain: one question at a time, with a deadline and a bound on the answer. Nothing is filled in
//! behind our back, neither a nonce nor a price.

use std::fmt;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::base::Secret;

/// To open a connection to a node.
const CONNECT: Duration = Duration::from_secs(5);
/// For a whole answer of a node.
const ANSWER: Duration = Duration::from_secs(10);
/// Size of an answer. The largest that is asked for is a list of the events of a thousand blocks with one nonce.
const ANSWER_BYTES_MAX: usize = 1 << 20;

/// The nodes of a chain. The first that answers is believed.
#[derive(Debug, Clone)]
pub(super) struct Rpc {
    client: Client,
    nodes: Vec<Node>,
}

#[derive(Clone)]
struct Node(Url);

impl fmt::Debug for Node {
    /// Without the path, in which many providers have their key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Node({})", self.0.host_str().unwrap_or_default())
    }
}

/// Why a node did not answer what it was asked. Never carries its address.
#[derive(Debug, thiserror::Error)]
pub enum RpcError {
    /// No answer, or none that can be read. What was asked may have been done.
    #[error("the node could not be reached or did not answer properly: {0}")]
    Unreachable(String),
    /// It refused.
    #[error("the node refused: {message} (code {code})")]
    Refused {
        /// Its code.
        code: i64,
        /// Its words.
        message: String,
    },
}

#[derive(Serialize)]
struct Question<'a, P> {
    jsonrpc: &'static str,
    id: u8,
    method: &'a str,
    params: P,
}

#[derive(Deserialize)]
struct Answer {
    result: Option<Box<RawValue>>,
    error: Option<Refusal>,
}

#[derive(Deserialize)]
struct Refusal {
    code: i64,
    #[serde(default)]
    message: String,
}

impl Rpc {
    /// A client for these addresses; no connection is opened yet.
    pub(super) fn new(nodes: &[Secret]) -> Result<Self, RpcError> {
        let unusable = |what: &str| RpcError::Unreachable(what.to_owned());
        let read = |node: &Secret| Url::parse(node.reveal()).map(Node).map_err(|_| unusable("its address is no URL"));
        let client = Client::builder().connect_timeout(CONNECT).timeout(ANSWER).redirect(Policy::none()).build();
        Ok(Self {
            client: client.map_err(|_| unusable("the HTTP client could not be made"))?,
            nodes: nodes.iter().map(read).collect::<Result<_, _>>()?,
        })
    }

    /// Asks the nodes in their order until one answers. A refusal is an answer.
    pub(super) async fn ask<T: DeserializeOwned>(&self, method: &str, params: impl Serialize) -> Result<T, RpcError> {
        let mut last = RpcError::Unreachable("there is no node".to_owned());
        for node in &self.nodes {
            match self.ask_one(node, method, &params).await {
                Err(error @ RpcError::Unreachable(_)) => last = error,
                answered => return answered,
            }
        }
        Err(last)
    }

    /// How many nodes there are.
    pub(super) fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Asks one node, by its place among them.
    pub(super) async fn ask_of<T: DeserializeOwned>(
        &self,
        node: usize,
        method: &str,
        params: impl Serialize,
    ) -> Result<T, RpcError> {
        let node = self.nodes.get(node).ok_or_else(|| RpcError::Unreachable("there is no such node".to_owned()))?;
        self.ask_one(node, method, &params).await
    }

    /// Asks each node, whatever the others say: what each of them answered.
    pub(super) async fn ask_all<T: DeserializeOwned>(
        &self,
        method: &str,
        params: impl Serialize,
    ) -> Vec<Result<T, RpcError>> {
        let mut answers = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            answers.push(self.ask_one(node, method, &params).await);
        }
        answers
    }

    /// Asks each node what takes no parameters: the answers that there are, and whether all of them answered.
    ///
    /// # Errors
    /// When none answers.
    pub(super) async fn ask_any<T: DeserializeOwned>(&self, method: &str) -> Result<(Vec<T>, bool), RpcError> {
        let (mut answers, mut last) = (Vec::new(), None);
        for told in self.ask_all(method, [(); 0]).await {
            match told {
                Ok(answer) => answers.push(answer),
                Err(error) => last = Some(error),
            }
        }
        match last {
            Some(error) if answers.is_empty() => Err(error),
            last => Ok((answers, last.is_none())),
        }
    }

    async fn ask_one<T: DeserializeOwned>(
        &self,
        node: &Node,
        method: &str,
        params: &impl Serialize,
    ) -> Result<T, RpcError> {
        let question = serde_json::to_vec(&Question { jsonrpc: "2.0", id: 1, method, params });
        let question = question.map_err(|_| RpcError::Unreachable("the question cannot be written".to_owned()))?;
        let request = self.client.post(node.0.clone()).header("content-type", "application/json").body(question);
        let mut response = request.send().await.map_err(unreachable)?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
            if body.len() + chunk.len() > ANSWER_BYTES_MAX {
                return Err(RpcError::Unreachable("its answer is too large".to_owned()));
            }
            body.extend_from_slice(&chunk);
        }
        read(&body, response.status().as_u16())
    }
}

/// Some nodes send their refusals with a status that is none of success: the body decides where it can be read.
fn read<T: DeserializeOwned>(body: &[u8], status: u16) -> Result<T, RpcError> {
    let unread = |error| RpcError::Unreachable(format!("HTTP status {status}, and {error}"));
    let answer: Answer = serde_json::from_slice(body).map_err(unread)?;
    match answer {
        Answer { error: Some(Refusal { code, message }), .. } => Err(RpcError::Refused { code, message }),
        Answer { result: Some(result), .. } => serde_json::from_str(result.get()).map_err(unread),
        // `null` is an answer: there is no such receipt or block.
        Answer { result: None, error: None } if status == 200 => serde_json::from_str("null").map_err(unread),
        Answer { result: None, error: None } => Err(RpcError::Unreachable(format!("HTTP status {status}"))),
    }
}

/// Without the address, which the error of the client carries.
fn unreachable(error: reqwest::Error) -> RpcError {
    use std::error::Error as _;
    let bare = error.without_url();
    let cause = bare.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    RpcError::Unreachable(format!("{bare}{cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_told_from_no_answer() {
        assert_eq!(read::<u8>(br#"{"jsonrpc":"2.0","id":1,"result":7}"#, 200).unwrap(), 7);
        assert_eq!(read::<Option<u8>>(br#"{"jsonrpc":"2.0","id":1,"result":null}"#, 200).unwrap(), None);
        for status in [200, 400] {
            let refused = read::<u8>(br#"{"error":{"code":-32000,"message":"nonce too low"}}"#, status);
            assert!(matches!(refused, Err(RpcError::Refused { code: -32000, message }) if message == "nonce too low"));
        }
        for (body, status) in
            [(&b"<html>"[..], 502), (b"{}", 500), (b"{}", 200), (br#"{"result":"x"}"#, 200), (b"", 200)]
        {
            assert!(matches!(read::<u8>(body, status), Err(RpcError::Unreachable(_))), "{status}");
        }
    }

    #[test]
    fn the_address_of_a_node_is_not_printed() {
        crate::install_tls();
        let rpc = Rpc::new(&[Secret::new("https://node.example/v2/secret-key".to_owned())]).unwrap();
        assert!(!format!("{rpc:?}").contains("secret-key"));
    }
}
