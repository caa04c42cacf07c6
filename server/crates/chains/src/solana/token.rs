//! Tokens, the programs that keep them, and the account of a wallet in which it has them.

use ed25519_dalek::VerifyingKey;
use sha2::{Digest, Sha256};

use crate::SolanaAddress;
use tollgate_base::Usd;

/// Decimal places of a nano-USD in USD.
const NANO_PLACES: u8 = 9;
/// Put at the end of what an address of a program is derived from.
const DERIVED: &[u8] = b"ProgramDerivedAddress";

/// The CAIP-2 reference of the main network.
pub const MAIN_NETWORK: &str = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
/// The CAIP-2 reference of the network that applications are tried on.
pub const DEV_NETWORK: &str = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1";

const TOKEN: SolanaAddress = SolanaAddress::known("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
const TOKEN_2022: SolanaAddress = SolanaAddress::known("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");
const ASSOCIATED: SolanaAddress = SolanaAddress::known("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");

/// The program that keeps a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenProgram {
    /// The first one.
    Token,
    /// Its successor, whose tokens may have rules of their own.
    Token2022,
}

/// A token that is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolanaToken {
    /// The symbol that people call it by.
    pub symbol: String,
    /// Its mint.
    pub mint: SolanaAddress,
    /// Decimal places of its unit.
    pub decimals: u8,
    /// The program that keeps it.
    pub program: TokenProgram,
}

impl TokenProgram {
    /// Its address.
    #[must_use]
    pub const fn address(self) -> SolanaAddress {
        match self {
            Self::Token => TOKEN,
            Self::Token2022 => TOKEN_2022,
        }
    }
}

impl SolanaToken {
    /// The account in which a wallet has this token.
    #[must_use]
    pub fn account_of(&self, wallet: &SolanaAddress) -> SolanaAddress {
        let seeds = [wallet.0, self.program.address().0, self.mint.0];
        // The first from above that is on no curve, so that nobody has a key for it.
        let derived = (0..=u8::MAX).rev().map(|bump| {
            let mut hash = Sha256::new();
            seeds.iter().for_each(|seed| hash.update(seed));
            hash.update([bump]);
            hash.update(ASSOCIATED.0);
            hash.update(DERIVED);
            <[u8; 32]>::from(hash.finalize())
        });
        let mut off_curve = derived.filter(|address| VerifyingKey::from_bytes(address).is_err());
        SolanaAddress(
            off_curve.next().expect("that 256 hashes are all on a curve, half of all numbers, does not happen"),
        )
    }

    /// The number of its smallest units in an amount of US dollars.
    /// None where there is no unit so small, or the amount is negative or too large.
    #[must_use]
    pub fn units_of(&self, amount: Usd) -> Option<u64> {
        let nanos = u128::try_from(amount.nanos()).ok()?;
        let power = |places: u8| 10_u128.checked_pow(u32::from(places));
        if let Some(more) = self.decimals.checked_sub(NANO_PLACES) {
            return nanos.checked_mul(power(more)?)?.try_into().ok();
        }
        let unit = power(NANO_PLACES - self.decimals)?;
        nanos.is_multiple_of(unit).then_some(nanos / unit)?.try_into().ok()
    }
}

/// The tokens that are taken on a network where nothing is said, as their issuers publish them.
#[must_use]
pub fn usual_tokens(network: &str) -> Vec<SolanaToken> {
    let usual: &[(&str, SolanaAddress)] = match network {
        MAIN_NETWORK => &[
            ("USDC", SolanaAddress::known("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")),
            ("USDT", SolanaAddress::known("Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB")),
        ],
        DEV_NETWORK => &[("USDC", SolanaAddress::known("4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"))],
        _ => &[],
    };
    let token = |(symbol, mint): &(&str, SolanaAddress)| SolanaToken {
        symbol: (*symbol).to_owned(),
        mint: *mint,
        decimals: 6,
        program: TokenProgram::Token,
    };
    usual.iter().map(token).collect()
}
