// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `identities`.

use tollgate_macros::{Wire, WireEnum};


/// The wallet that is to sign.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/identities.yaml: WalletChallengeRequest")]
pub struct WalletChallengeRequest {
    /// The family of chains that the wallet is of.
    pub chain: super::AgentChain,
    /// The address of the wallet.
    pub address: super::WalletAddress,
}

/// A text to sign.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/identities.yaml: WalletChallenge")]
pub struct WalletChallenge {
    /// The text. Wallets of EVM chains sign it as a message (`personal_sign`, EIP-191), those of Solana as its
    /// bytes.
    pub message: String,
    /// The number in the text, by which the signature is sent.
    pub nonce: String,
    /// Time from which the text is good no more.
    pub expires_at: i64,
}

/// The signature of a wallet over a text of the service.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/identities.yaml: WalletProof")]
pub struct WalletProof {
    /// The family of chains that the wallet is of.
    pub chain: super::AgentChain,
    /// The address of the wallet.
    pub address: super::WalletAddress,
    /// The number in the text.
    #[wire(min_len = 32, max_len = 32)]
    pub nonce: String,
    /// The signature. On EVM chains 65 bytes in hexadecimal after `0x`, with `s` in its lower half and `v` 27 or 28
    /// (0 and 1 are read as these), on Solana 64 bytes in base58.
    #[wire(min_len = 1, max_len = 4096)]
    pub signature: String,
}

/// A way to sign in beside a password.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/identities.yaml: Identity")]
pub struct Identity {
    /// Number of the identity; it never changes.
    pub identity_id: i64,
    /// Its kind.
    pub kind: IdentityKind,
    /// The provider of OpenID Connect. Absent for a wallet.
    #[wire(optional)]
    pub issuer: Option<String>,
    /// The address of the wallet, of an EVM chain in small letters; or what the provider calls the person.
    pub subject: String,
    /// Time at which it became a way to sign in.
    pub created_at: i64,
    /// Time of the latest sign-in by it. Before the first one it is `created_at`.
    pub used_at: i64,
}

/// The kind of an identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/identities.yaml: IdentityKind")]
pub enum IdentityKind {
    /// A wallet of Ethereum and chains like it. It is the same on each.
    #[wire(name = "evm")]
    Evm,
    /// A wallet of Solana.
    #[wire(name = "solana")]
    Solana,
    /// A person as a provider of OpenID Connect knows them.
    #[wire(name = "oidc")]
    Oidc,
}

/// Answer of `identities.challenge`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/identities.yaml: WalletChallengeReply")]
pub struct WalletChallengeReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The text to sign.
    pub data: WalletChallenge,
}

/// Answer of `identities.sign_in`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/identities.yaml: LoginReply")]
pub struct LoginReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The person who is signed in.
    pub data: super::SignedIn,
}

/// Answer of `identities.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/identities.yaml: IdentityListReply")]
pub struct IdentityListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The identities.
    pub data: Vec<Identity>,
}

/// Answer of `identities.link`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/identities.yaml: IdentityReply")]
pub struct IdentityReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The wallet as a way to sign in.
    pub data: Identity,
}
