//! A signature of a wallet that has a key: 65 bytes, `r`, `s` and `v`.

use std::str::FromStr;

use alloy::primitives::{B256, Signature, U256};

use crate::{EvmAddress, SignatureParseError};

const BYTES: usize = 65;

/// A signature in its one encoding: `s` in the lower half, `v` 27 or 28 (read from 0 or 1 too).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvmSignature(Signature);

impl EvmSignature {
    /// Reads `r`, `s` and `v`.
    ///
    /// # Errors
    /// When `v` is none of the four, or `s` is in the upper half.
    pub fn from_bytes(bytes: &[u8; BYTES]) -> Result<Self, SignatureParseError> {
        let odd = match bytes[64] {
            0 | 27 => false,
            1 | 28 => true,
            _ => return Err(SignatureParseError::Form),
        };
        let signature = Signature::new(U256::from_be_slice(&bytes[..32]), U256::from_be_slice(&bytes[32..64]), odd);
        if signature.normalize_s().is_some() { Err(SignatureParseError::HighS) } else { Ok(Self(signature)) }
    }

    /// `r`, `s` and `v`, which is 27 or 28 as contracts want it.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; BYTES] {
        self.0.as_bytes()
    }

    /// The signer of a digest.
    /// None where the numbers are on no curve, or the address that is recovered is the zero address.
    #[must_use]
    pub fn recover(&self, digest: &[u8; 32]) -> Option<EvmAddress> {
        let address = self.0.recover_address_from_prehash(&B256::from(*digest)).ok()?;
        Some(EvmAddress(address.into())).filter(|address| *address != EvmAddress::ZERO)
    }
}

impl FromStr for EvmSignature {
    type Err = SignatureParseError;

    fn from_str(text: &str) -> Result<Self, SignatureParseError> {
        let digits =
            text.strip_prefix("0x").filter(|digits| digits.len() == 2 * BYTES).ok_or(SignatureParseError::Form)?;
        let bytes =
            data_encoding::HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).map_err(|_| SignatureParseError::Form)?;
        Self::from_bytes(&bytes.try_into().map_err(|_| SignatureParseError::Form)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order of the curve.
    const N: &str = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
    const R: &str = "2cdc55eaed853a80a8978d80662047a06cc72fb391bd2cb0d32a7c521bea9fa0";
    const S: &str = "536e0e437fd989fa10adad9c4b5eeda8dd5dd0d4eef121f202ea04b1b3204d81";

    fn read(r: &str, s: &str, v: u8) -> Result<EvmSignature, SignatureParseError> {
        format!("0x{r}{s}{v:02x}").parse()
    }

    fn number(text: &str) -> U256 {
        U256::from_str_radix(text, 16).expect("hexadecimal")
    }

    #[test]
    fn the_last_byte_has_two_ways_to_be_written() {
        for (v, written) in [(0, 27), (27, 27), (1, 28), (28, 28)] {
            let signature = read(R, S, v).unwrap();
            assert_eq!(signature.to_bytes()[64], written, "{v}");
        }
        for v in [2, 26, 29, 35, 36, 37, 38, 255] {
            assert_eq!(read(R, S, v), Err(SignatureParseError::Form), "{v}");
        }
    }

    #[test]
    fn the_upper_half_is_refused_from_its_first_number_on() {
        let mirrored = format!("{:064x}", number(N) - number(S));
        assert_eq!(read(R, &mirrored, 27), Err(SignatureParseError::HighS));
        let half = number(N) >> 1;
        assert!(read(R, &format!("{half:064x}"), 27).is_ok());
        assert_eq!(read(R, &format!("{:064x}", half + U256::ONE), 27), Err(SignatureParseError::HighS));
    }

    #[test]
    fn numbers_that_are_on_no_curve_are_nobodys() {
        let zero = "0".repeat(64);
        for (r, s) in [(zero.as_str(), S), (R, zero.as_str()), (N, S), (zero.as_str(), zero.as_str())] {
            let by = read(r, s, 27).ok().and_then(|signature| signature.recover(&[7; 32]));
            assert_eq!(by, None, "{r} {s}");
        }
    }

    #[test]
    fn other_lengths_are_none() {
        let short = format!("0x{R}{S}");
        let long = format!("0x{R}{S}1b1b");
        let bare = format!("{R}{S}1b");
        for text in ["", "0x", &short, &long, &bare, &format!("0x{R}{S}1g")] {
            assert_eq!(text.parse::<EvmSignature>(), Err(SignatureParseError::Form), "{text}");
        }
    }
}
