//! JSON-RPC to the nodes of one chain: one question at a time, with a deadline and a bound on the answer. Nothing is filled in
//! behind our back, neither a nonce nor a price.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use tollgate_base::Secret;

/// The time to open a connection to a node.
const CONNECT: Duration = Duration::from_secs(5);
/// The time for a whole answer of a node.
const ANSWER: Duration = Duration::from_secs(10);
/// The time after which the next node is asked beside one that has not answered.
const ALONE: Duration = Duration::from_secs(1);
/// The time that the other nodes have after the first answer, where each is asked.
pub(super) const BEHIND_THE_FIRST: Duration = Duration::from_millis(2500);
/// The time that the other nodes have after it where a late one is done without.
const A_MOMENT: Duration = Duration::from_millis(400);
/// The time for which a node is asked last that did not answer, or not before another one.
const AILING: Duration = Duration::from_secs(30);
/// The largest answer, in bytes. The largest that is asked for is a list of the events of a thousand blocks with one nonce.
const ANSWER_BYTES_MAX: usize = 1 << 20;
/// The largest answer about the events of one block, in bytes: these cannot be asked for in parts.
const BLOCK_BYTES_MAX: usize = 32 << 20;
/// The characters of a node's words that are passed on.
const WORDS_MAX: usize = 500;
/// The pauses before a question of a long search is asked again.
const PAUSES: [Duration; 3] = [Duration::from_millis(300), Duration::from_secs(1), Duration::from_secs(3)];
/// The codes by which nodes tell that a contract has refused.
const REVERTED: [i64; 2] = [3, -32015];
/// The status with which they refuse whoever asks too much.
const TOO_MANY: u16 = 429;

/// The nodes of a chain. Of what does not move money, the first that answers is believed.
#[derive(Debug, Clone)]
pub(super) struct RpcClient {
    client: Client,
    nodes: Arc<[RpcNode]>,
}

struct RpcNode {
    url: Url,
    /// The moment until which it is asked last.
    ailing_until: Mutex<Option<Instant>>,
}

impl fmt::Debug for RpcNode {
    /// Shows the host without the path, in which many providers have their key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Node({})", self.url.host_str().unwrap_or_default())
    }
}

impl RpcNode {
    fn is_ailing(&self) -> bool {
        self.ailing().is_some_and(|until| Instant::now() < until)
    }

    fn set_ailing(&self, ailing: bool) {
        *self.ailing() = ailing.then(|| Instant::now() + AILING);
    }

    /// A time is whole whoever held it.
    fn ailing(&self) -> MutexGuard<'_, Option<Instant>> {
        self.ailing_until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reasons why nodes did not answer what they were asked. Never carries an address.
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
    /// It answers, and has not got what others have.
    #[error("the node is behind: it does not have yet what others have")]
    Behind,
    /// The nodes' answers together do not say enough.
    #[error("the answers of the nodes together are not enough: {0}")]
    Disagreed(String),
}

impl RpcError {
    /// True if a contract has refused, so that another node would say the same.
    /// Any other refusal is of one node alone: it has not got so far, or has forgotten, or answers so many questions a
    /// second or about so many blocks at once.
    #[must_use]
    pub fn is_revert(&self) -> bool {
        let Self::Refused { code, message } = self else { return false };
        REVERTED.contains(code) || message.to_ascii_lowercase().contains("revert")
    }

    /// The error that tells more: a refusal before silence.
    /// Of two nodes, what one has said tells more than that the other said nothing.
    fn or(self, other: Self) -> Self {
        match (&self, &other) {
            (Self::Refused { .. }, Self::Unreachable(_) | Self::Behind) => self,
            _ => other,
        }
    }
}

#[derive(Serialize)]
struct RpcRequest<'a, P> {
    jsonrpc: &'static str,
    id: u8,
    method: &'a str,
    params: P,
}

#[derive(Deserialize)]
struct RpcResponse {
    result: Option<Box<RawValue>>,
    error: Option<RpcErrorObject>,
}

#[derive(Deserialize)]
struct RpcErrorObject {
    code: i64,
    #[serde(default)]
    message: String,
}

impl RpcClient {
    /// A client for these addresses; no connection is opened yet.
    pub(super) fn new(nodes: &[Secret]) -> Result<Self, RpcError> {
        let unusable = |what: &str| RpcError::Unreachable(what.to_owned());
        let read = |node: &Secret| -> Result<RpcNode, RpcError> {
            let url = Url::parse(node.reveal()).map_err(|_| unusable("its address is no URL"))?;
            Ok(RpcNode { url, ailing_until: Mutex::new(None) })
        };
        let client = Client::builder().connect_timeout(CONNECT).timeout(ANSWER).redirect(Policy::none()).build();
        Ok(Self {
            client: client.map_err(|_| unusable("the HTTP client could not be made"))?,
            nodes: nodes.iter().map(read).collect::<Result<_, _>>()?,
        })
    }

    /// The number of nodes.
    pub(super) fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Asks the nodes in their order until one answers, those last that did not answer lately. That a contract refuses is an
    /// answer; what else a node refuses, the next is asked. One that takes its time is waited for beside the next.
    pub(super) async fn ask<T: DeserializeOwned>(&self, method: &str, params: impl Serialize) -> Result<T, RpcError> {
        let question = written(method, &params)?;
        let mut rest = self.in_turn().into_iter();
        let (mut under_way, mut waited_for) = (FuturesUnordered::new(), Vec::new());
        let mut last = RpcError::Unreachable("there is no node".to_owned());
        loop {
            if let Some(place) = rest.next() {
                waited_for.push(place);
                under_way.push(self.ask_with_index::<T>(place, &question));
            }
            let patience = if rest.len() > 0 { ALONE } else { ANSWER + CONNECT };
            match timeout(patience, under_way.next()).await {
                Ok(Some((place, Err(error)))) if !error.is_revert() => {
                    waited_for.retain(|other| *other != place);
                    last = last.or(error);
                }
                Ok(Some((place, answered))) => {
                    // Whoever was asked before and has not answered yet.
                    let before = waited_for.iter().take_while(|other| **other != place);
                    before.for_each(|other| self.nodes[*other].set_ailing(true));
                    return answered;
                }
                Ok(None) if rest.len() == 0 => return Err(last),
                Ok(None) | Err(_) => {}
            }
        }
    }

    /// Asks each node at the same time; the first proper answer. For what has to be known at once and not by all.
    ///
    /// # Errors
    /// When none answers.
    pub(super) async fn ask_fastest<T: DeserializeOwned>(
        &self,
        method: &str,
        params: impl Serialize,
    ) -> Result<T, RpcError> {
        let question = written(method, &params)?;
        let mut under_way: FuturesUnordered<_> =
            (0..self.nodes.len()).map(|place| self.ask_with_index::<T>(place, &question)).collect();
        let mut last = RpcError::Unreachable("there is no node".to_owned());
        while let Some((_, answer)) = under_way.next().await {
            match answer {
                Ok(answer) => return Ok(answer),
                Err(error) => last = last.or(error),
            }
        }
        Err(last)
    }

    /// Asks each node at the same time: the least of what they answer. Once one has, the others are waited for a moment.
    ///
    /// # Errors
    /// When none answers.
    pub(super) async fn ask_least<T: DeserializeOwned + Ord>(
        &self,
        method: &str,
        params: impl Serialize,
    ) -> Result<T, RpcError> {
        let mut told = Err(RpcError::Unreachable("there is no node".to_owned()));
        for answer in self.all(method, params, A_MOMENT).await {
            told = match (told, answer) {
                (Ok(least), Ok(other)) => Ok(std::cmp::min(least, other)),
                (Ok(told), Err(_)) | (Err(_), Ok(told)) => Ok(told),
                (Err(error), Err(other)) => Err(error.or(other)),
            };
        }
        told
    }

    /// Asks each node at the same time, whatever the others say: what each of them answered. Once one has, the others are waited for
    /// a moment.
    pub(super) async fn ask_promptly<T: DeserializeOwned>(
        &self,
        method: &str,
        params: impl Serialize,
    ) -> Vec<Result<T, RpcError>> {
        self.all(method, params, A_MOMENT).await
    }

    /// The places of the nodes, those last that did not answer lately.
    fn in_turn(&self) -> Vec<usize> {
        let (ailing, mut places): (Vec<usize>, Vec<usize>) =
            (0..self.nodes.len()).partition(|place| self.nodes[*place].is_ailing());
        places.extend(ailing);
        places
    }

    /// The answer of one node, with its place.
    async fn ask_with_index<T: DeserializeOwned>(&self, place: usize, question: &[u8]) -> (usize, Result<T, RpcError>) {
        (place, self.ask_one(&self.nodes[place], question).await)
    }

    /// Asks one node, by its place among them.
    pub(super) async fn ask_of<T: DeserializeOwned>(
        &self,
        node: usize,
        method: &str,
        params: impl Serialize,
    ) -> Result<T, RpcError> {
        let node = self.nodes.get(node).ok_or_else(|| RpcError::Unreachable("there is no such node".to_owned()))?;
        self.ask_one(node, &written(method, &params)?).await
    }

    /// Asks one node, by its place among them, for a search that asks many questions. One that the node refuses because there were too
    /// many, or that is lost, is asked again after a pause, at most three times.
    pub(super) async fn ask_patiently<T: DeserializeOwned>(
        &self,
        node: usize,
        method: &str,
        params: impl Serialize,
    ) -> Result<T, RpcError> {
        self.ask_within(node, ANSWER_BYTES_MAX, method, params).await
    }

    /// Asks one node as patiently about a single block, whose answer may be larger.
    pub(super) async fn ask_about_block<T: DeserializeOwned>(
        &self,
        node: usize,
        method: &str,
        params: impl Serialize,
    ) -> Result<T, RpcError> {
        self.ask_within(node, BLOCK_BYTES_MAX, method, params).await
    }

    async fn ask_within<T: DeserializeOwned>(
        &self,
        node: usize,
        bytes_max: usize,
        method: &str,
        params: impl Serialize,
    ) -> Result<T, RpcError> {
        let node = self.nodes.get(node).ok_or_else(|| RpcError::Unreachable("there is no such node".to_owned()))?;
        let (question, mut pauses) = (written(method, &params)?, PAUSES.into_iter());
        loop {
            match (self.ask_one_within(node, &question, bytes_max).await, pauses.next()) {
                (Err(RpcError::Unreachable(_)), Some(pause)) => sleep(pause).await,
                (answered, _) => return answered,
            }
        }
    }

    /// Tells each node something at the same time, whatever the others say: what each of them answered. Once one has, the others
    /// are not waited for long.
    pub(super) async fn tell_all<T: DeserializeOwned>(
        &self,
        method: &str,
        params: impl Serialize,
    ) -> Vec<Result<T, RpcError>> {
        self.all(method, params, BEHIND_THE_FIRST).await
    }

    /// Asks each node at the same time, whatever the others say: what each of them answered. That one says nothing of what another
    /// has is worth something only where the other was waited for.
    pub(super) async fn ask_all<T: DeserializeOwned>(
        &self,
        method: &str,
        params: impl Serialize,
    ) -> Vec<Result<T, RpcError>> {
        self.all(method, params, CONNECT + ANSWER).await
    }

    async fn all<T: DeserializeOwned>(
        &self,
        method: &str,
        params: impl Serialize,
        behind_the_first: Duration,
    ) -> Vec<Result<T, RpcError>> {
        let Ok(question) = written(method, &params) else { return Vec::new() };
        let mut answers: Vec<Result<T, RpcError>> = Vec::with_capacity(self.nodes.len());
        answers.extend(self.nodes.iter().map(|_| Err(RpcError::Unreachable("it did not answer in time".to_owned()))));
        let mut under_way: FuturesUnordered<_> =
            (0..self.nodes.len()).map(|place| self.ask_with_index::<T>(place, &question)).collect();
        let mut until = Instant::now() + CONNECT + ANSWER;
        while let Ok(Some((place, answer))) = timeout_at(until, under_way.next()).await {
            if answer.is_ok() {
                until = until.min(Instant::now() + behind_the_first);
            }
            answers[place] = answer;
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

    /// Asks one node, and notes if it has answered.
    async fn ask_one<T: DeserializeOwned>(&self, node: &RpcNode, question: &[u8]) -> Result<T, RpcError> {
        self.ask_one_within(node, question, ANSWER_BYTES_MAX).await
    }

    async fn ask_one_within<T: DeserializeOwned>(
        &self,
        node: &RpcNode,
        question: &[u8],
        bytes_max: usize,
    ) -> Result<T, RpcError> {
        let answered = self.answer_of(node, question, bytes_max).await;
        let is_unreachable = matches!(answered, Err(RpcError::Unreachable(_)));
        if is_unreachable || node.is_ailing() {
            node.set_ailing(is_unreachable);
        }
        answered
    }

    async fn answer_of<T: DeserializeOwned>(
        &self,
        node: &RpcNode,
        question: &[u8],
        bytes_max: usize,
    ) -> Result<T, RpcError> {
        let request = self.client.post(node.url.clone()).header("content-type", "application/json");
        let mut response = request.body(question.to_vec()).send().await.map_err(unreachable)?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
            if body.len() + chunk.len() > bytes_max {
                return Err(RpcError::Refused { code: 0, message: "its answer is too large".to_owned() });
            }
            body.extend_from_slice(&chunk);
        }
        read(&body, response.status().as_u16())
    }
}

fn written(method: &str, params: &impl Serialize) -> Result<Vec<u8>, RpcError> {
    let question = serde_json::to_vec(&RpcRequest { jsonrpc: "2.0", id: 1, method, params });
    question.map_err(|_| RpcError::Unreachable("the question cannot be written".to_owned()))
}

/// Reads an answer. Some nodes send refusals with a status that is none of success: the body decides where it can be read.
fn read<T: DeserializeOwned>(body: &[u8], status: u16) -> Result<T, RpcError> {
    // Whatever it says with it, it has enough of us.
    if status == TOO_MANY {
        return Err(RpcError::Unreachable(format!("HTTP status {status}")));
    }
    let unread =
        |error: serde_json::Error| RpcError::Unreachable(printable(&format!("HTTP status {status}, and {error}")));
    let answer: RpcResponse = serde_json::from_slice(body).map_err(unread)?;
    match answer {
        RpcResponse { error: Some(RpcErrorObject { code, message }), .. } => {
            Err(RpcError::Refused { code, message: printable(&message) })
        }
        RpcResponse { result: Some(result), .. } => serde_json::from_str(result.get()).map_err(unread),
        // `null` is an answer: there is no such receipt or block.
        RpcResponse { result: None, error: None } if status == 200 => serde_json::from_str("null").map_err(unread),
        RpcResponse { result: None, error: None } => Err(RpcError::Unreachable(format!("HTTP status {status}"))),
    }
}

/// The beginning of what a node says, with question marks for what moves a terminal or turns a line around.
pub(super) fn printable(words: &str) -> String {
    let is_printable = |letter: char| letter == ' ' || letter.is_ascii_graphic() || letter.is_alphanumeric();
    words.chars().take(WORDS_MAX).map(|letter| if is_printable(letter) { letter } else { '?' }).collect()
}

/// An error of the client without the address, which it carries.
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
    fn what_a_contract_refuses_is_told_from_what_a_node_refuses() {
        let refused = |code, message: &str| RpcError::Refused { code, message: message.to_owned() };
        for (code, message) in [(3, "paused"), (-32000, "execution reverted: paused"), (-32015, "VM execution error")] {
            assert!(refused(code, message).is_revert(), "{message}");
        }
        for (code, message) in [
            (-32005, "limit exceeded"),
            (-32000, "header not found"),
            (-32000, "missing trie node"),
            (-32602, "query exceeds max block range 1000"),
            (-32016, "Minimum context slot has not been reached"),
        ] {
            assert!(!refused(code, message).is_revert(), "{message}");
        }
        let limited = read::<u8>(br#"{"error":{"code":-32005,"message":"limit exceeded"}}"#, 429);
        assert!(matches!(limited, Err(RpcError::Unreachable(_))), "{limited:?}");
    }

    #[test]
    fn what_a_node_says_is_short_and_printable() {
        let words = format!("\u{1b}[2Jok \u{202e}é\n{}", "x".repeat(10_000));
        let body = serde_json::to_vec(&serde_json::json!({"error": {"code": 1, "message": words}})).unwrap();
        let Err(RpcError::Refused { message, .. }) = read::<u8>(&body, 200) else { panic!("a refusal") };
        assert!(message.starts_with("?[2Jok ?é?xxx") && message.chars().count() == WORDS_MAX, "{message}");
        let body = serde_json::to_vec(&serde_json::json!({"result": words})).unwrap();
        let Err(RpcError::Unreachable(why)) = read::<u8>(&body, 200) else { panic!("no number") };
        assert!(why.chars().count() <= WORDS_MAX && !why.contains('\u{202e}'), "{why}");
    }

    #[test]
    fn the_address_of_a_node_is_not_printed() {
        tollgate_net::install_tls();
        let rpc = RpcClient::new(&[Secret::new("https://node.example/v2/secret-key".to_owned())]).unwrap();
        assert!(!format!("{rpc:?}").contains("secret-key"));
    }
}
