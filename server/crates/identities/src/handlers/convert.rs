//! Identities between the words of the spec and those of this room.

use crate::{Identity, NewWalletChallenge, OidcAnswer, OidcStart, WalletChallenge, WalletProof};
use tollgate_api::generated::types::{self, AgentChain};
use tollgate_base::Secret;
use tollgate_chains::ChainFamily;

/// The wallet that a request names.
pub(super) fn wallet(chain: &AgentChain, address: types::WalletAddress) -> NewWalletChallenge {
    let chain = match chain {
        AgentChain::Evm => ChainFamily::Evm,
        AgentChain::Solana => ChainFamily::Solana,
    };
    NewWalletChallenge { chain, address: address.into_inner() }
}

/// The proof that a request brings.
pub(super) fn proof(body: types::WalletProof) -> WalletProof {
    let types::WalletProof { chain, address, nonce, signature } = body;
    WalletProof { wallet: wallet(&chain, address), nonce, signature }
}

/// A text to sign in the words of the spec.
pub(super) fn challenge_reply(challenge: WalletChallenge) -> types::WalletChallengeReply {
    let WalletChallenge { message, nonce, expires_at_ms } = challenge;
    let data = types::WalletChallenge { message, nonce, expires_at: expires_at_ms / 1000 };
    types::WalletChallengeReply { success: true, message: String::new(), data }
}

/// The answer of a sign-in provider that a request brings.
pub(super) fn answer(body: types::OidcAnswer) -> OidcAnswer {
    let types::OidcAnswer { provider, secret, state, code, issuer } = body;
    OidcAnswer { provider, secret: Secret::new(secret.0), state, code: Secret::new(code.0), issuer }
}

/// A sign-in that has begun, in the words of the spec.
pub(super) fn start_reply(start: OidcStart) -> types::OidcStartReply {
    let OidcStart { url, secret, expires_at_ms } = start;
    let data = types::OidcStart { url, secret: secret.reveal().to_owned().into(), expires_at: expires_at_ms / 1000 };
    types::OidcStartReply { success: true, message: String::new(), data }
}

/// An identity in the words of the spec.
pub(super) fn identity(identity: Identity) -> types::Identity {
    types::Identity {
        identity_id: identity.id,
        kind: identity.kind,
        issuer: Some(identity.issuer).filter(|issuer| !issuer.is_empty()),
        subject: identity.subject,
        created_at: identity.created_at_ms / 1000,
        used_at: identity.used_at_ms / 1000,
    }
}
