//! An EVM chain of the tests' own: anvil, the tokens of `sdk/chain/Tokens.sol` on it, and who pays in them. What it needs comes
//! by npm, once, into a folder under the target folder.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::str::FromStr;
use std::sync::OnceLock;

use alloy::primitives::{B256, U256};
use alloy::signers::SignerSync;
use alloy::signers::local::PrivateKeySigner;
use alloy::sol_types::{SolStruct, eip712_domain};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::OnceCell;
use tollgate_base::{Clock, Secret};
use tollgate_chains::EvmAddress;
use tollgate_chains::evm::{
    ConfirmationDepth, EvmConfig, EvmMethod, EvmToken, Relayer, TransferAuthorization, permit2_spender,
};
use tollgate_topup::x402::{ChainConfig, ChainKind, ChainsConfig, FeeBounds};

use crate::gateway::client;
use crate::script::{done, installed, write_whole};
use crate::wait::until;
use typed::CancelAuthorization;

mod typed {
    #![allow(missing_docs, reason = "the macro writes items that take no documentation")]
    alloy::sol! {
        struct CancelAuthorization {
            address authorizer;
            bytes32 nonce;
        }
    }
}

/// Anvil's number.
pub const CHAIN: u64 = 31337;
/// Its CAIP-2 id.
pub const NETWORK: &str = "eip155:31337";

/// Permit2, on every chain.
pub const PERMIT2: &str = "0x000000000022d473030f116ddee9f6b43ac78ba3";

/// Runs anvil as long as somebody holds its input.
const HOLD: &str = r#""$@" & pid=$!; cat > /dev/null; kill "$pid""#;

/// How many blocks back a state is known. Without a bound anvil writes those that are older to the disk: gigabytes, where a test
/// mines thousands of blocks.
const STATES_KEPT: &str = "256";

/// An account that anvil gives money to.
#[derive(Debug, Clone)]
pub struct Account {
    /// Its private key.
    pub key: &'static str,
    /// Its address, in small letters.
    pub address: String,
}

/// Makes contracts.
pub const DEPLOYER: &str = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
/// The gateway's own.
pub const RELAYER: &str = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";
/// Is paid.
pub const PAY_TO: &str = "0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a";
/// Pays.
pub const PAYER: &str = "0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6";
/// Somebody else.
pub const STRANGER: &str = "0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a";

/// A running chain.
#[derive(Debug)]
pub struct Anvil {
    process: Child,
    /// Where it is asked.
    pub url: String,
    /// The token with EIP-3009: `USD Coin`, version 2, 6 decimals.
    pub coin: String,
    /// Anvil makes a folder for states, in the home folder if nothing else is said, and leaves it there.
    _states: TempDir,
}

/// What the payer signs for an option of a challenge, good for a while.
///
/// # Panics
/// When it is no option of ours.
#[must_use]
pub fn authorization_for(option: &Value, nonce: [u8; 32]) -> TransferAuthorization {
    let text = |name: &str| option[name].as_str().expect("a text").to_owned();
    TransferAuthorization {
        from: account(PAYER).address.parse().expect("an address"),
        to: text("payTo").parse().expect("an address"),
        value: text("amount").parse().expect("a number"),
        valid_after: "0".parse().expect("a number"),
        valid_before: soon().parse().expect("a number"),
        nonce,
    }
}

impl Anvil {
    /// A chain that makes a block for each transaction, on which the payer has a million coins.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn start() -> Self {
        let binary = environment().join("node_modules/@foundry-rs").join(platform()).join("bin/anvil");
        let states = TempDir::new().expect("a temporary folder");
        let mut command = Command::new("sh");
        command.args(["-c", HOLD, "sh"]).arg(binary).args(["--port", "0", "--prune-history", STATES_KEPT]);
        command.arg("--cache-path").arg(states.path());
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("sh runs");
        let out = BufReader::new(process.stdout.take().expect("it is piped"));
        let listening = out
            .lines()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("Listening on ").map(|address| format!("http://{address}")));
        let url = listening.expect("anvil says where it listens");
        let mut anvil = Self { process, url, coin: String::new(), _states: states };
        anvil.coin = anvil.deploy("Coin", "").await;
        anvil.mint(&account(PAYER).address, 1_000_000_000_000).await;
        anvil
    }

    /// The chain of this process, for whoever shares one, started at the first call.
    pub async fn shared() -> &'static Self {
        static CHAIN: OnceCell<Anvil> = OnceCell::const_new();
        CHAIN.get_or_init(Self::start).await
    }

    /// Asks the chain.
    ///
    /// # Panics
    /// When it refuses.
    pub async fn ask(&self, method: &str, params: Value) -> Value {
        let question = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let answer = client().post(&self.url).json(&question).send().await.expect("anvil answers");
        let answer: Value = answer.json().await.expect("JSON");
        assert!(answer.get("error").is_none(), "{method} {params}: {answer}");
        answer["result"].clone()
    }

    /// Makes a contract of `Tokens.sol`, with the words of its constructor in hexadecimal digits; its address.
    ///
    /// # Panics
    /// When it cannot be made.
    pub async fn deploy(&self, name: &str, words: &str) -> String {
        let code = contracts()[name].as_str().expect("a contract of that name").to_owned();
        let call = json!({"from": account(DEPLOYER).address, "data": format!("0x{code}{words}"), "gas": "0x2dc6c0"});
        self.carry_out(call).await["contractAddress"].as_str().expect("an address").to_owned()
    }

    /// Gives somebody coins.
    pub async fn mint(&self, to: &str, units: u64) {
        self.call_coin("40c10f19", &[&word(to), &format!("{units:064x}")]).await;
    }

    /// Calls the coin from the deployer: the selector and the words, in hexadecimal digits.
    pub async fn call_coin(&self, selector: &str, words: &[&str]) -> Value {
        let data = format!("0x{selector}{}", words.concat());
        self.carry_out(json!({"from": account(DEPLOYER).address, "to": self.coin, "data": data, "gas": "0x7a120"}))
            .await
    }

    /// Who has how many coins.
    ///
    /// # Panics
    /// When they are more than a test gives.
    pub async fn coins(&self, of: &str) -> u64 {
        let call = json!({"to": self.coin, "data": format!("0x70a08231{}", word(of))});
        let answer = self.ask("eth_call", json!([call, "latest"])).await;
        let digits = answer.as_str().expect("a word")[2..].to_owned();
        u64::from_str_radix(&digits, 16).expect("a small number")
    }

    /// Puts Permit2 and the protocol's contract where they are on every chain, and makes a token without EIP-3009 and with 18
    /// decimals, of which the payer has so many.
    ///
    /// # Panics
    /// When that cannot be done.
    pub async fn plain_token(&self, tokens: u128) -> EvmToken {
        self.permit2_token("Plain", "USDC", tokens).await
    }

    /// The same of another contract of `Tokens.sol`.
    ///
    /// # Panics
    /// When that cannot be done.
    pub async fn permit2_token(&self, contract: &str, symbol: &str, tokens: u128) -> EvmToken {
        let code = contracts()["Permit2"].as_str().expect("its code").to_owned();
        self.ask("anvil_setCode", json!([PERMIT2, format!("0x{code}")])).await;
        let proxy = self.deploy("ExactProxy", "").await;
        let code = self.ask("eth_getCode", json!([proxy, "latest"])).await;
        self.ask("anvil_setCode", json!([permit2_spender().to_string(), code])).await;
        let address = self.deploy(contract, "").await;
        let words = format!("40c10f19{}{:064x}", word(&account(PAYER).address), tokens * 1_000_000_000_000_000_000);
        self.call(DEPLOYER, &address, &words).await;
        let address = address.parse().expect("an address");
        EvmToken { symbol: symbol.to_owned(), address, decimals: 18, method: EvmMethod::Permit2 }
    }

    /// Lets Permit2 move a token of an account that anvil knows.
    pub async fn approve_permit2(&self, key: &'static str, token: &EvmToken, most: &str) {
        self.call(key, &token.address.to_string(), &format!("095ea7b3{}{most}", word(PERMIT2))).await;
    }

    /// Calls a contract from an account that anvil knows: the selector and the words, in hexadecimal digits.
    pub async fn call(&self, key: &'static str, contract: &str, data: &str) -> Value {
        let call = json!({"from": account(key).address, "to": contract, "data": format!("0x{data}"), "gas": "0x7a120"});
        self.carry_out(call).await
    }

    /// The same by a transaction that comes before all others of the next block, and is not waited for.
    pub async fn call_first(&self, key: &'static str, contract: &str, data: &str) {
        let call = json!({
            "from": account(key).address, "to": contract, "data": format!("0x{data}"), "gas": "0x7a120",
            "maxFeePerGas": "0x2540be40000", "maxPriorityFeePerGas": "0x2540be400",
        });
        self.ask("eth_sendTransaction", json!([call])).await;
    }

    /// Who has how much of a token.
    ///
    /// # Panics
    /// When it is more than a test gives.
    pub async fn units_of(&self, token: &EvmToken, of: &str) -> u128 {
        let call = json!({"to": token.address.to_string(), "data": format!("0x70a08231{}", word(of))});
        let answer = self.ask("eth_call", json!([call, "latest"])).await;
        u128::from_str_radix(&answer.as_str().expect("a word")[2..], 16).expect("a small number")
    }

    /// Puts blocks on top.
    pub async fn mine(&self, blocks: u64) {
        self.ask("anvil_mine", json!([format!("{blocks:#x}")])).await;
    }

    /// Its newest block.
    ///
    /// # Panics
    /// When it does not say.
    pub async fn head(&self) -> u64 {
        let number = self.ask("eth_blockNumber", json!([])).await;
        u64::from_str_radix(&number.as_str().expect("a number")[2..], 16).expect("a number")
    }

    /// Lets two hours go by, and as many blocks come as make that final.
    pub async fn age(&self) {
        self.ask("evm_increaseTime", json!([7200])).await;
        self.mine(10).await;
    }

    /// Whether a transaction makes a block at once.
    pub async fn mine_at_once(&self, at_once: bool) {
        self.ask("evm_setAutomine", json!([at_once])).await;
    }

    /// The payer takes an authorization back, by a transaction that comes before all others of the next block.
    ///
    /// # Panics
    /// When it cannot be signed.
    pub async fn cancel_first(&self, nonce: &[u8; 32]) {
        let data = CancelAuthorization {
            authorizer: account(PAYER).address.parse().expect("an address"),
            nonce: B256::from(*nonce),
        };
        let coin = self.coin.parse().expect("an address");
        let domain = eip712_domain! { name: "USD Coin", version: "2", chain_id: CHAIN, verifying_contract: coin, };
        let signer = PrivateKeySigner::from_str(PAYER).expect("a key");
        let bytes = signer.sign_hash_sync(&data.eip712_signing_hash(&domain)).expect("a signature").as_bytes();
        let (digits, v) = (data_encoding::HEXLOWER.encode(&bytes[..64]), bytes[64]);
        let nonce = data_encoding::HEXLOWER.encode(nonce);
        let words = format!("{}{nonce}{v:064x}{digits}", word(&account(PAYER).address));
        let call = json!({
            "from": account(STRANGER).address, "to": self.coin, "data": format!("0x5a049a70{words}"), "gas": "0x7a120",
            "maxFeePerGas": "0x2540be40000", "maxPriorityFeePerGas": "0x2540be400",
        });
        self.ask("eth_sendTransaction", json!([call])).await;
    }

    /// The payer uses up the name of a permit, by a transaction that comes before all others of the next block.
    pub async fn invalidate_first(&self, nonce: &[u8; 32]) {
        let number = U256::from_be_bytes(*nonce);
        let (place, mask) = (number >> 8, U256::from(1) << (number & U256::from(0xff)));
        let call = json!({
            "from": account(PAYER).address, "to": PERMIT2, "data": format!("0x3ff9dcb1{place:064x}{mask:064x}"),
            "gas": "0x7a120", "maxFeePerGas": "0x2540be40000", "maxPriorityFeePerGas": "0x2540be400",
        });
        self.ask("eth_sendTransaction", json!([call])).await;
    }

    /// Forgets what is in no block yet.
    pub async fn forget_pending(&self) {
        self.ask("anvil_dropAllTransactions", json!([])).await;
    }

    /// Sends a transaction of an account that anvil knows; its receipt.
    ///
    /// # Panics
    /// When it was not carried out.
    pub async fn carry_out(&self, call: Value) -> Value {
        let hash = self.ask("eth_sendTransaction", json!([call])).await;
        let receipt = until("the block", async || {
            Some(self.ask("eth_getTransactionReceipt", json!([hash])).await).filter(|receipt| !receipt.is_null())
        });
        let receipt = receipt.await;
        assert_eq!(receipt["status"], "0x1", "{call}");
        receipt
    }

    /// What the gateway is told of it.
    #[must_use]
    pub fn config(&self, depth: &str) -> String {
        self.config_with(depth, &[self.token()])
    }

    /// The same with other tokens.
    #[must_use]
    pub fn config_with(&self, depth: &str, tokens: &[EvmToken]) -> String {
        let (url, pay_to) = (&self.url, account(PAY_TO).address);
        let written = tokens.iter().map(|token| {
            let EvmToken { symbol, address, decimals, method } = token;
            let method = match method {
                EvmMethod::Eip3009 { name, version } => {
                    format!("method = \"eip3009\", name = \"{name}\", version = \"{version}\"")
                }
                EvmMethod::Permit2 => "method = \"permit2\"".to_owned(),
            };
            format!("{{ symbol = \"{symbol}\", address = \"{address}\", decimals = {decimals}, {method} }}")
        });
        let tokens = written.collect::<Vec<_>>().join(", ");
        format!(
            r#"
[topup.x402]
enabled = true
wait_seconds = 5
[chains.anvil]
network = "{NETWORK}"
rpc_urls = ["{url}"]
depth = {depth}
pay_to = "{pay_to}"
relayer_key_env = "RELAYER_KEY"
coin_usd = "1"
tokens = [{tokens}]
"#
        )
    }

    /// The same as the gateway has it, with an account of its own for the fees: several ledgers must not count one's numbers.
    ///
    /// # Panics
    /// When an address is none.
    pub async fn chains(&self, depth: u64) -> ChainsConfig {
        let key = data_encoding::HEXLOWER.encode(PrivateKeySigner::random().to_bytes().as_slice());
        let relayer = Relayer::new(&Secret::new(key)).expect("a key");
        self.ask("anvil_setBalance", json!([relayer.address().to_string(), "0xde0b6b3a7640000"])).await;
        let evm = EvmConfig {
            chain: CHAIN,
            nodes: vec![Secret::new(self.url.clone())],
            depth: ConfirmationDepth::Blocks(depth),
            pay_to: account(PAY_TO).address.parse().expect("an address"),
            tokens: vec![self.token()],
            relayer,
            fee_most: 500_000_000_000,
        };
        let chain = ChainConfig { fees: cheap(), ..ChainConfig::usual("anvil", ChainKind::Evm(evm)) };
        ChainsConfig { chains: vec![chain], ..ChainsConfig::default() }
    }

    /// The payment of a challenge by the payer, as a client sends it. A number makes it one of its own.
    ///
    /// # Panics
    /// When it is no challenge of ours.
    #[must_use]
    pub fn payment(&self, challenge: &Value, number: u8) -> Value {
        self.payment_by(challenge, [number; 32])
    }

    /// The same by a nonce.
    ///
    /// # Panics
    /// When it is no challenge of ours.
    #[must_use]
    pub fn payment_by(&self, challenge: &Value, nonce: [u8; 32]) -> Value {
        let option = &challenge["accepts"][0];
        let signed = authorization_for(option, nonce);
        json!({
            "x402Version": 2, "accepted": option,
            "payload": {"signature": sign(PAYER, &signed, &self.token(), CHAIN), "authorization": {
                "from": signed.from.to_string(), "to": signed.to.to_string(), "value": signed.value.to_string(),
                "validAfter": "0", "validBefore": signed.valid_before.to_string(),
                "nonce": format!("0x{}", data_encoding::HEXLOWER.encode(&signed.nonce)),
            }},
        })
    }

    /// The coin as the gateway has it.
    ///
    /// # Panics
    /// When its address is none.
    #[must_use]
    pub fn token(&self) -> EvmToken {
        let method = EvmMethod::Eip3009 { name: "USD Coin".to_owned(), version: "2".to_owned() };
        EvmToken { symbol: "USDC".to_owned(), address: self.coin.parse().expect("an address"), decimals: 6, method }
    }
}

impl Drop for Anvil {
    fn drop(&mut self) {
        // The shell ends anvil when nobody holds its input any more.
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// The account of a key.
///
/// # Panics
/// When it is no key.
#[must_use]
pub fn account(key: &'static str) -> Account {
    let signer = PrivateKeySigner::from_str(key).expect("a key");
    Account { key, address: EvmAddress(signer.address().into()).to_string() }
}

/// Signs an authorization, as 0x and 65 bytes.
///
/// # Panics
/// When it is no key.
#[must_use]
pub fn sign(key: &str, authorization: &TransferAuthorization, token: &EvmToken, chain: u64) -> String {
    let signer = PrivateKeySigner::from_str(key).expect("a key");
    let digest = B256::from(authorization.digest(token, chain));
    let signature = signer.sign_hash_sync(&digest).expect("a signature");
    format!("0x{}", data_encoding::HEXLOWER.encode(&signature.as_bytes()))
}

/// An address as a word of a call.
#[must_use]
pub fn word(address: &str) -> String {
    format!("{:0>64}", address.trim_start_matches("0x"))
}

/// Runs a script of `sdk/chain` and gives back what it printed.
///
/// # Panics
/// When Node is not there.
#[must_use]
pub fn run(script: &str, env: &[(&str, &str)]) -> Output {
    Command::new("node").arg(environment().join(script)).envs(env.iter().copied()).output().expect("node runs")
}

/// Runs a program in TypeScript, as its text stands, and gives back what it printed.
///
/// # Panics
/// When Node is not there.
#[must_use]
pub fn run_typescript(name: &str, text: &str, env: &[(&str, &str)]) -> Output {
    // Packages are looked for beside the program.
    let program = environment().join(name);
    write_whole(&program, text.as_bytes());
    let mut node = Command::new("node");
    node.args(["--import", "tsx"]).arg(program).current_dir(environment());
    node.envs(env.iter().copied()).output().expect("node runs")
}

fn contracts() -> Value {
    let text = std::fs::read_to_string(environment().join("contracts.json")).expect("the compiled contracts");
    serde_json::from_str(&text).expect("JSON")
}

fn platform() -> &'static str {
    if cfg!(target_arch = "aarch64") { "anvil-linux-arm64" } else { "anvil-linux-amd64" }
}

/// The packages with the scripts beside them; both stay while the list of packages and the contracts do.
fn environment() -> &'static Path {
    static PLACE: OnceLock<PathBuf> = OnceLock::new();
    PLACE.get_or_init(|| {
        installed("chain", &["Tokens.sol", "compile.js"], |place| {
            done(Command::new("node").arg(place.join("compile.js")), "compiling the tokens");
        })
    })
}

/// An hour from now, in unix seconds: authorizations are good for about as long.
#[must_use]
pub fn soon() -> String {
    (Clock::system().now_ms() / 1000 + 3600).to_string()
}

/// Bounds in which any fee has room: a coin is worth a dollar.
#[must_use]
pub fn cheap() -> FeeBounds {
    let dollars = |text: &str| text.parse().expect("an amount");
    FeeBounds { coin: dollars("1"), per_hour: dollars("5") }
}
