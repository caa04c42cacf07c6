//! Addresses, each with the one way to write it.

use std::fmt;
use std::str::FromStr;

use alloy::primitives::Address;

const EVM_BYTES: usize = 20;
const SOLANA_BYTES: usize = 32;
const SOLANA_TEXT_MAX: usize = 44;

/// The text is no address of a wallet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WalletParseError {
    /// The text has the form of neither chain.
    #[error("a wallet is 0x and 40 hexadecimal digits, or 32 bytes in base58")]
    Form,
    /// Small and capital letters are mixed, and not as the checksum of the address has them: somebody mistyped it.
    #[error("the capital letters of the address are not those of its checksum")]
    Checksum,
}

/// An address of an EVM chain. Written in small letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EvmAddress(pub [u8; EVM_BYTES]);

impl EvmAddress {
    /// The address that nobody has, and that a failed recovery looks like.
    pub const ZERO: Self = Self([0; EVM_BYTES]);

    /// The text with the capital letters of EIP-55, as wallets and their programs show it.
    #[must_use]
    pub fn checksummed(&self) -> String {
        Address::from(self.0).to_checksum(None)
    }
}

impl FromStr for EvmAddress {
    type Err = WalletParseError;

    /// Reads small letters, capitals, or a mixture that has the checksum of EIP-55.
    fn from_str(text: &str) -> Result<Self, WalletParseError> {
        let digits =
            text.strip_prefix("0x").filter(|digits| digits.len() == 2 * EVM_BYTES).ok_or(WalletParseError::Form)?;
        let bytes = data_encoding::HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).map_err(|_| WalletParseError::Form)?;
        let address = Self(bytes.try_into().map_err(|_| WalletParseError::Form)?);
        let one_case = !digits.bytes().any(|byte| byte.is_ascii_lowercase())
            || !digits.bytes().any(|byte| byte.is_ascii_uppercase());
        if one_case || address.checksummed() == text { Ok(address) } else { Err(WalletParseError::Checksum) }
    }
}

impl fmt::Display for EvmAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{}", data_encoding::HEXLOWER.encode(&self.0))
    }
}

/// An address of Solana: of a wallet, a mint, or one that a program has derived. Written in base58, in which 32 bytes have
/// one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SolanaAddress(pub [u8; SOLANA_BYTES]);

impl SolanaAddress {
    /// An address that is written in this program. A text that is none does not compile in a constant.
    pub(super) const fn known(text: &'static str) -> Self {
        Self(bs58::decode(text.as_bytes()).into_array_const_unwrap())
    }
}

impl FromStr for SolanaAddress {
    type Err = WalletParseError;

    fn from_str(text: &str) -> Result<Self, WalletParseError> {
        // Decoding takes the square of the length.
        if text.len() > SOLANA_TEXT_MAX {
            return Err(WalletParseError::Form);
        }
        let bytes = bs58::decode(text).into_vec().map_err(|_| WalletParseError::Form)?;
        bytes.try_into().map(Self).map_err(|_| WalletParseError::Form)
    }
}

impl fmt::Display for SolanaAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&bs58::encode(self.0).into_string())
    }
}

/// A family of chains, whose wallets sign in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChainFamily {
    /// Ethereum and those like it.
    Evm,
    /// Solana.
    Solana,
}

impl ChainFamily {
    /// Its name on the wire and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Evm => "evm",
            Self::Solana => "solana",
        }
    }
}

/// An address that somebody signs for. What is written is stored and compared: one wallet, one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WalletAddress {
    /// An address of an EVM chain; the same wallet on each of them.
    Evm(EvmAddress),
    /// An address of Solana.
    Solana(SolanaAddress),
}

impl WalletAddress {
    /// The family of chains that the address belongs to.
    #[must_use]
    pub fn chain(&self) -> ChainFamily {
        match self {
            Self::Evm(_) => ChainFamily::Evm,
            Self::Solana(_) => ChainFamily::Solana,
        }
    }
}

impl FromStr for WalletAddress {
    type Err = WalletParseError;

    fn from_str(text: &str) -> Result<Self, WalletParseError> {
        // `0` is no digit of base58.
        if text.starts_with("0x") { text.parse().map(Self::Evm) } else { text.parse().map(Self::Solana) }
    }
}

impl fmt::Display for WalletAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Evm(address) => address.fmt(f),
            Self::Solana(address) => address.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(String, &'static str), WalletParseError> {
        text.parse::<WalletAddress>().map(|wallet| (wallet.to_string(), wallet.chain().as_str()))
    }

    #[test]
    fn an_evm_address_is_written_in_small_letters_however_it_came() {
        let small = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
        let capital = format!("0x{}", small[2..].to_uppercase());
        for text in [small, "0x90F79bf6EB2c4f870365E785982E1f101E93b906", &capital] {
            assert_eq!(read(text), Ok((small.to_owned(), "evm")), "{text}");
        }
        assert_eq!(read("0x90f79bF6EB2c4f870365E785982E1f101E93b906"), Err(WalletParseError::Checksum));
    }

    #[test]
    fn a_solana_address_is_its_own_text() {
        for text in ["GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB", "11111111111111111111111111111111"] {
            assert_eq!(read(text), Ok((text.to_owned(), "solana")));
        }
    }

    #[test]
    fn other_text_is_no_wallet() {
        let long = "1".repeat(45);
        for text in [
            "",
            "0x",
            "0x90f79bf6eb2c4f870365e785982e1f101e93b90",
            "0x90f79bf6eb2c4f870365e785982e1f101e93b9067",
            "0X90f79bf6eb2c4f870365e785982e1f101e93b906",
            "90f79bf6eb2c4f870365e785982e1f101e93b906",
            "0x90f79bf6eb2c4f870365e785982e1f101e93b90g",
            "0x90f79bf6eb2c4f870365e785982e1f101e93b9é",
            " GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB",
            "GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEG0",
            "GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuA",
            "1111111111111111111111111111111",
            "111111111111111111111111111111111",
            &long,
        ] {
            assert_eq!(read(text), Err(WalletParseError::Form), "{text}");
        }
    }
}
