//! A network of Solana of the tests' own: the real machine behind a node's JSON-RPC (`sdk/svm/chain.js`), tokens of both
//! programs on it, and who pays in them. What it needs comes by npm, once, into a folder under the target folder.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use ed25519_dalek::SigningKey;
use serde_json::{Value, json};
use tollgate_base::Secret;
use tollgate_chains::solana::{FeePayer, SolanaConfig, SolanaDepth, SolanaToken, TokenProgram};

use crate::gateway::client;
use crate::script::installed;

/// Its CAIP-2 id: clients know three networks, and this one calls itself the one for trying things.
pub const NETWORK: &str = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
/// Blocks under which what was done is final.
pub const FINAL_BLOCKS: u64 = 33;
/// Blocks after which nothing signed now is taken any more, and that is final.
pub const LAPSED_BLOCKS: u64 = 150 + 32 + 2;

/// Whose keys these are in `sdk/svm/people.js`.
const FEE_PAYER_SEED: u8 = 9;
/// The payer's.
pub const PAYER_SEED: u8 = 11;

/// A running network.
#[derive(Debug)]
pub struct Svm {
    process: Child,
    /// Where it is asked.
    pub url: String,
    /// Addresses by name.
    people: Value,
}

impl Svm {
    /// A network that makes a block for each transaction, on which the payer has a million of both coins.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn start() -> Self {
        let mut command = Command::new("node");
        command.arg(environment().join("chain.js")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("node runs");
        let mut line = String::new();
        let mut out = BufReader::new(process.stdout.take().expect("it is piped"));
        out.read_line(&mut line).expect("a pipe can be read");
        let people: Value = serde_json::from_str(&line).expect("it says where it listens");
        let url = people["url"].as_str().expect("an address").to_owned();
        Self { process, url, people }
    }

    /// Somebody's address.
    ///
    /// # Panics
    /// When nobody has that name.
    #[must_use]
    pub fn address(&self, name: &str) -> &str {
        self.people[name].as_str().expect("a name of `sdk/svm/people.js`")
    }

    /// Asks the network, in the ways of nodes and in some that tests alone have.
    ///
    /// # Panics
    /// When it refuses.
    pub async fn ask(&self, method: &str, params: Value) -> Value {
        let question = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let answer = client().post(&self.url).json(&question).send().await.expect("it answers");
        let answer: Value = answer.json().await.expect("JSON");
        assert!(answer.get("error").is_none(), "{method} {params}: {answer}");
        answer["result"].clone()
    }

    /// Puts blocks on top.
    pub async fn mine(&self, blocks: u64) {
        self.ask("test_mine", json!([{"blocks": blocks}])).await;
    }

    /// How it behaves: `mineAtOnce`, `confirmAfter`, `deaf`, `hidden`, `down`, `firstSlot`.
    pub async fn set(&self, settings: Value) {
        self.ask("test_set", json!([settings])).await;
    }

    /// A payment of a challenge, of a kind that `sdk/svm/payments.js` has; `official` is that of the protocol's own client.
    pub async fn payment(&self, challenge: &Value, variant: &str) -> Value {
        self.payment_with(challenge, variant, json!({})).await
    }

    /// The same with more said of it.
    pub async fn payment_with(&self, challenge: &Value, variant: &str, more: Value) -> Value {
        let mut how = json!({"challenge": challenge, "variant": variant});
        how.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        self.ask("test_payment", json!([how])).await
    }

    /// How many of the smallest units of its coin an account has.
    ///
    /// # Panics
    /// When it is none.
    pub async fn units(&self, account: &str) -> u64 {
        let units = self.ask("test_units", json!([{"account": self.address(account)}])).await;
        units.as_u64().expect("a number")
    }

    /// What somebody has, in lamports.
    ///
    /// # Panics
    /// When it does not say.
    pub async fn lamports(&self, name: &str) -> u64 {
        self.ask("getBalance", json!([self.address(name)])).await["value"].as_u64().expect("a number")
    }

    /// How many transactions are in blocks.
    ///
    /// # Panics
    /// When it does not say.
    pub async fn carried_out(&self) -> u64 {
        self.ask("test_count", json!([])).await.as_u64().expect("a number")
    }

    /// How often it was asked for something.
    ///
    /// # Panics
    /// When it does not say.
    pub async fn asked(&self, method: &str) -> u64 {
        self.ask("test_asked", json!([{"method": method}])).await.as_u64().expect("a number")
    }

    /// How many transactions it was given.
    ///
    /// # Panics
    /// When it does not say.
    pub async fn given(&self) -> u64 {
        self.ask("test_sent", json!([])).await.as_u64().expect("a number")
    }

    /// What the gateway is told of it.
    #[must_use]
    pub fn config(&self, depth: &str) -> String {
        self.config_with(depth, "relayer_key_env = \"FEE_PAYER_KEY\"")
    }

    /// The same with another way to its key.
    #[must_use]
    pub fn config_with(&self, depth: &str, key: &str) -> String {
        let (url, pay_to) = (&self.url, self.address("payTo"));
        let (coin, newer) = (self.address("coin"), self.address("newCoin"));
        format!(
            r#"
[topup.x402]
enabled = true
wait_seconds = 5
[chains.svm]
network = "{NETWORK}"
rpc_urls = ["{url}"]
depth = {depth}
pay_to = "{pay_to}"
{key}
tokens = [
  {{ symbol = "USDC", address = "{coin}", decimals = 6, method = "spl" }},
  {{ symbol = "USDT", address = "{newer}", decimals = 6, method = "spl2022" }},
]
"#
        )
    }

    /// The same as a gateway has it.
    ///
    /// # Panics
    /// When an address is none.
    #[must_use]
    pub fn solana(&self) -> SolanaConfig {
        let token = |symbol: &str, name: &str, program| SolanaToken {
            symbol: symbol.to_owned(),
            mint: self.address(name).parse().expect("an address"),
            decimals: 6,
            program,
        };
        SolanaConfig {
            network: NETWORK.trim_start_matches("solana:").to_owned(),
            nodes: vec![Secret::new(self.url.clone())],
            depth: SolanaDepth::Blocks(0),
            pay_to: self.address("payTo").parse().expect("an address"),
            tokens: vec![token("USDC", "coin", TokenProgram::Token), token("USDT", "newCoin", TokenProgram::Token2022)],
            fee_payer: FeePayer::new(&Secret::new(fee_payer_key())).expect("a key"),
            fee_most: 50_000,
        }
    }
}

impl Drop for Svm {
    fn drop(&mut self) {
        // It ends when nobody holds its input any more.
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// The gateway's own key, with its address, in base58.
#[must_use]
pub fn fee_payer_key() -> String {
    bs58::encode(SigningKey::from_bytes(&[FEE_PAYER_SEED; 32]).to_keypair_bytes()).into_string()
}

fn environment() -> &'static Path {
    static PLACE: OnceLock<PathBuf> = OnceLock::new();
    PLACE.get_or_init(|| installed("svm", &[], |_| {}))
}
