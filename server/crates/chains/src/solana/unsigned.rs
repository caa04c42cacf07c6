//! A payment that nobody has signed yet, as a wallet is given it. What comes back is read and compared like any other.

use data_encoding::BASE64;

use crate::SolanaAddress;

use super::SolanaRequirements;
use super::payment::{COMPUTE_BUDGET, MEMO, TRANSFER_CHECKED};

/// The most compute units that it may take: a transfer takes 6000, of the newer program more, and a memo as much again.
const UNITS: u32 = 60_000;
/// The price of a compute unit, beyond what each signature costs.
const MICROLAMPORTS: u64 = 1;
/// The first byte of a message of version 0.
const VERSION: u8 = 0x80;
/// The bytes in the place of a signature that is still to come.
const UNSIGNED: [u8; 64] = [0; 64];

// Where each account stands.
const AUTHORITY: u8 = 1;
const SOURCE: u8 = 2;
const DESTINATION: u8 = 3;
const MINT: u8 = 4;
const TOKEN_PROGRAM: u8 = 5;
const BUDGET_PROGRAM: u8 = 6;
const MEMO_PROGRAM: u8 = 7;

impl SolanaRequirements<'_> {
    /// The transaction by which a wallet pays what is asked for, out of its account of the token, in base64. It is good as long
    /// as the block is a recent one. None for a wallet that would pay itself, or us out of our own.
    #[must_use]
    pub fn unsigned(&self, payer: &SolanaAddress, blockhash: &[u8; 32]) -> Option<String> {
        let Self { fee_payer, token, pay_to, amount, memo, .. } = *self;
        if *payer == pay_to || *payer == fee_payer {
            return None;
        }
        let (source, destination) = (token.account_of(payer), token.account_of(&pay_to));
        let keys = [fee_payer, *payer, source, destination, token.mint, token.program.address(), COMPUTE_BUDGET, MEMO];
        let mut bytes = vec![2];
        bytes.extend([UNSIGNED, UNSIGNED].concat());
        // Two sign; of them the second changes nothing of its own account, and of the others those behind the two accounts.
        bytes.extend([VERSION, 2, 1, 4]);
        bytes.push(length(keys.len())?);
        keys.iter().for_each(|key| bytes.extend(key.0));
        bytes.extend(blockhash);
        bytes.push(4);
        instruction(&mut bytes, BUDGET_PROGRAM, &[], &[&[2], &UNITS.to_le_bytes()[..]].concat())?;
        instruction(&mut bytes, BUDGET_PROGRAM, &[], &[&[3], &MICROLAMPORTS.to_le_bytes()[..]].concat())?;
        let transfer = [&[TRANSFER_CHECKED], &amount.to_le_bytes()[..], &[token.decimals]].concat();
        instruction(&mut bytes, TOKEN_PROGRAM, &[SOURCE, MINT, DESTINATION, AUTHORITY], &transfer)?;
        instruction(&mut bytes, MEMO_PROGRAM, &[], memo.as_bytes())?;
        // No tables of accounts.
        bytes.push(0);
        Some(BASE64.encode(&bytes))
    }
}

fn instruction(bytes: &mut Vec<u8>, program: u8, accounts: &[u8], data: &[u8]) -> Option<()> {
    bytes.push(program);
    bytes.push(length(accounts.len())?);
    bytes.extend(accounts);
    bytes.push(length(data.len())?);
    bytes.extend(data);
    Some(())
}

/// A length that takes one byte, as all here do.
fn length(count: usize) -> Option<u8> {
    u8::try_from(count).ok().filter(|count| *count < 0x80)
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::{Signer, SigningKey};

    use super::*;
    use crate::solana::{SolanaPayment, SolanaToken, TokenProgram};

    /// The place of the payer's signature.
    const SECOND: std::ops::Range<usize> = 65..129;

    #[test]
    fn what_a_wallet_is_given_is_what_is_asked_for_once_it_is_signed() {
        let key = SigningKey::from_bytes(&[11; 32]);
        let payer = SolanaAddress(key.verifying_key().to_bytes());
        for program in [TokenProgram::Token, TokenProgram::Token2022] {
            let mint = SolanaAddress([14; 32]);
            let token = SolanaToken { symbol: "USDC".to_owned(), mint, decimals: 6, program };
            let (fee_payer, pay_to) = (SolanaAddress([9; 32]), SolanaAddress([10; 32]));
            let ask = SolanaRequirements {
                fee_payer,
                token: &token,
                pay_to,
                amount: 5_000_000,
                memo: "order:17",
                fee_most: 10_001,
            };
            let mut bytes = BASE64.decode(ask.unsigned(&payer, &[7; 32]).unwrap().as_bytes()).unwrap();
            assert!(SolanaPayment::read(&BASE64.encode(&bytes), &ask).is_err(), "nobody has signed it");
            let signature = key.sign(&bytes[129..]).to_bytes();
            bytes[SECOND].copy_from_slice(&signature);
            let payment = SolanaPayment::read(&BASE64.encode(&bytes), &ask).unwrap();
            assert_eq!((payment.payer(), payment.fee_lamports()), (payer, 10_001));
            let other = SolanaRequirements { amount: 5_000_001, ..ask };
            assert!(SolanaPayment::read(&BASE64.encode(&bytes), &other).is_err());
            assert_eq!((ask.unsigned(&pay_to, &[7; 32]), ask.unsigned(&fee_payer, &[7; 32])), (None, None));
            let long = "x".repeat(128);
            assert_eq!(SolanaRequirements { memo: &long, ..ask }.unsigned(&payer, &[7; 32]), None);
        }
    }
}
