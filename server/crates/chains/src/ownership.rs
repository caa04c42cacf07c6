//! The statement of ownership: what the holder of a wallet signs to make it an agent.

/// The statement that the holder of a wallet signs to make it an agent. Its names are those of the request.
#[derive(Debug, Clone, Copy)]
pub struct OwnershipStatement<'a> {
    /// Its name for people. Without line breaks, or it could add lines to the text.
    pub label: &'a str,
    /// The public address of the service, without a slash at its end: a proof for one service is none for another.
    pub audience: &'a str,
    /// The text that is used once.
    pub nonce: &'a str,
    /// The time of the signature, in unix seconds.
    pub issued_at: i64,
    /// The Solana network that the text names, the part of its CAIP-2 id after `solana:`.
    pub solana_network: &'a str,
}
