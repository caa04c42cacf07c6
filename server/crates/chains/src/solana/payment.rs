//! A payment by a transaction of the payer's, in which we pay the fee: what it has to be, to the last instruction, before our
//! key signs it. Whoever signs first and looks later has given his key away.

use crate::SolanaAddress;

use super::signature::SolanaSignature;
use super::token::SolanaToken;
use super::wire::{SolanaInstruction, SolanaTransaction, TRANSACTION_BYTES_MAX, TransactionParseError};

pub(super) const COMPUTE_BUDGET: SolanaAddress = SolanaAddress::known("ComputeBudget111111111111111111111111111111");
pub(super) const MEMO: SolanaAddress = SolanaAddress::known("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");
/// The program of assertions about the end of a transaction, without which nothing is done. Some wallets add it.
const ASSERTIONS: SolanaAddress = SolanaAddress::known("L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95");

/// Limit, price, transfer and memo, and what wallets add.
const INSTRUCTIONS_MAX: usize = 7;
/// The most compute units that a payment may take.
const UNITS_MAX: u32 = 400_000;
/// The fee of each of the two signatures, in lamports.
const LAMPORTS_PER_SIGNATURE: u64 = 5000;
const MICROLAMPORTS_PER_LAMPORT: u128 = 1_000_000;
pub(super) const TRANSFER_CHECKED: u8 = 12;

/// The payment that an order asks for.
#[derive(Debug, Clone, Copy)]
pub struct SolanaRequirements<'a> {
    /// Our account that pays the fee.
    pub fee_payer: SolanaAddress,
    /// The token.
    pub token: &'a SolanaToken,
    /// The wallet whose account of the token is paid into.
    pub pay_to: SolanaAddress,
    /// The amount, in the smallest units.
    pub amount: u64,
    /// The memo by which the payment is the order's.
    pub memo: &'a str,
    /// The most that it may cost us, in lamports.
    pub fee_most: u64,
}

/// The part of a transaction that is otherwise than asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolanaPaymentPart {
    /// All of it: it is no transaction that is read here.
    Bytes,
    /// The account that pays the fee.
    FeePayer,
    /// The signers and their signatures.
    Signatures,
    /// The programs that it calls, and their order.
    Instructions,
    /// The fee that it may cost.
    Fee,
    /// The program that carries the transfer out, and the instruction.
    Transfer,
    /// The token.
    Mint,
    /// The account that is paid out of.
    Source,
    /// The account that is paid into.
    Destination,
    /// The wallet that authorises the transfer.
    Authority,
    /// The amount in base units.
    Amount,
    /// The decimals of the amount.
    Decimals,
    /// The memo that names the order.
    Memo,
}

/// The first place at which a transaction is otherwise than asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolanaPaymentMismatch {
    /// The part that differs.
    pub part: SolanaPaymentPart,
    /// The value that is asked for.
    pub expected: String,
    /// The value that was found.
    pub found: String,
}

/// A transaction that pays exactly what is asked for, does nothing else, and is signed by its payer. **Made by reading
/// alone.**
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolanaPayment {
    payer: SolanaAddress,
    fee_lamports: u64,
    blockhash: [u8; 32],
    signature: [u8; 64],
    message: Vec<u8>,
}

impl SolanaPayment {
    /// Reads a payment out of base64 and compares it, whole, with what is asked for.
    ///
    /// # Errors
    /// At the first place where it is otherwise.
    pub fn read(text: &str, ask: &SolanaRequirements<'_>) -> Result<Self, SolanaPaymentMismatch> {
        let transaction =
            decoded(text).map_err(|wrong| differs(SolanaPaymentPart::Bytes, "a transaction in base64", &wrong))?;
        let payer = payer(&transaction, ask)?;
        let fee_lamports = instructions(&transaction, ask, &payer)?;
        // Last, since it is the dearest. The first signature is ours to make, whatever stands in its place.
        let [_, signature] = transaction.signatures[..] else {
            return Err(differs(SolanaPaymentPart::Signatures, "two", &transaction.signatures.len()));
        };
        let by_payer = SolanaSignature(signature).verify(&payer, &transaction.message);
        by_payer.map_err(|wrong| differs(SolanaPaymentPart::Signatures, &format!("a signature of {payer}"), &wrong))?;
        let SolanaTransaction { blockhash, message, .. } = transaction;
        Ok(Self { payer, fee_lamports, blockhash, signature, message })
    }

    /// The payer: the wallet that has signed.
    #[must_use]
    pub const fn payer(&self) -> SolanaAddress {
        self.payer
    }

    /// The most that it costs us, in lamports.
    #[must_use]
    pub const fn fee_lamports(&self) -> u64 {
        self.fee_lamports
    }

    /// The recent block that it names: the network takes it for some blocks after that one.
    #[must_use]
    pub const fn blockhash(&self) -> &[u8; 32] {
        &self.blockhash
    }

    /// The transaction as it comes from its payer, without our signature: nobody can send it to the chain.
    #[must_use]
    pub fn unsigned(&self) -> Vec<u8> {
        self.with([0; 64])
    }

    /// The transaction with this signature of ours.
    pub(super) fn with(&self, ours: [u8; 64]) -> Vec<u8> {
        let signatures = [ours, self.signature];
        let mut raw = vec![2];
        raw.extend_from_slice(signatures.as_flattened());
        raw.extend_from_slice(&self.message);
        raw
    }

    /// The bytes that are signed.
    pub(super) fn message(&self) -> &[u8] {
        &self.message
    }
}

fn decoded(text: &str) -> Result<SolanaTransaction, TransactionParseError> {
    // Four characters stand for three bytes.
    if text.len() > TRANSACTION_BYTES_MAX.div_ceil(3) * 4 {
        return Err(TransactionParseError::TooLarge);
    }
    let bytes = data_encoding::BASE64.decode(text.as_bytes());
    SolanaTransaction::read(&bytes.map_err(|_| TransactionParseError::Broken("no base64"))?)
}

/// The payer of a transaction in which we pay the fee, one other signs, and nothing touches our account.
/// No money of our account can move then, whatever is called.
fn payer(
    transaction: &SolanaTransaction,
    ask: &SolanaRequirements<'_>,
) -> Result<SolanaAddress, SolanaPaymentMismatch> {
    let first = transaction.keys[0];
    if first != ask.fee_payer {
        return Err(differs(SolanaPaymentPart::FeePayer, &ask.fee_payer.to_string(), &first));
    }
    let [_, _] = transaction.signatures[..] else {
        return Err(differs(
            SolanaPaymentPart::Signatures,
            "those of the fee payer and the payer",
            &transaction.signatures.len(),
        ));
    };
    for instruction in &transaction.instructions {
        if instruction.program == ask.fee_payer || instruction.accounts.contains(&ask.fee_payer) {
            return Err(differs(SolanaPaymentPart::FeePayer, "an account that no instruction names", &ask.fee_payer));
        }
    }
    Ok(transaction.keys[1])
}

/// The fee that it may cost us, once its instructions fit: limit, price, transfer, then the memo and what wallets add.
fn instructions(
    transaction: &SolanaTransaction,
    ask: &SolanaRequirements<'_>,
    payer: &SolanaAddress,
) -> Result<u64, SolanaPaymentMismatch> {
    let count = transaction.instructions.len();
    let [limit, price, transfer, others @ ..] = &transaction.instructions[..] else {
        return Err(differs(SolanaPaymentPart::Instructions, "a limit, a price, a transfer and a memo", &count));
    };
    if count > INSTRUCTIONS_MAX {
        return Err(differs(SolanaPaymentPart::Instructions, &format!("at most {INSTRUCTIONS_MAX}"), &count));
    }
    let fee = fee(limit, price, ask)?;
    transferred(transfer, ask, payer)?;
    let mut memos = Vec::new();
    for other in others {
        match other.program {
            MEMO => memos.push(other),
            ASSERTIONS => {}
            program => {
                return Err(differs(
                    SolanaPaymentPart::Instructions,
                    "nothing but a memo behind the transfer",
                    &program,
                ));
            }
        }
    }
    match memos[..] {
        [memo] if memo.data == ask.memo.as_bytes() => Ok(fee),
        [memo] => Err(differs(SolanaPaymentPart::Memo, ask.memo, &String::from_utf8_lossy(&memo.data))),
        _ => Err(differs(SolanaPaymentPart::Memo, "one memo", &memos.len())),
    }
}

fn fee(
    limit: &SolanaInstruction,
    price: &SolanaInstruction,
    ask: &SolanaRequirements<'_>,
) -> Result<u64, SolanaPaymentMismatch> {
    let ours =
        |instruction: &SolanaInstruction| instruction.program == COMPUTE_BUDGET && instruction.accounts.is_empty();
    let units = match limit.data[..] {
        [2, a, b, c, d] if ours(limit) => u32::from_le_bytes([a, b, c, d]),
        _ => return Err(differs(SolanaPaymentPart::Instructions, "first, how much work it may be", &limit.program)),
    };
    let price = match price.data[..] {
        [3, a, b, c, d, e, f, g, h] if ours(price) => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => {
            return Err(differs(
                SolanaPaymentPart::Instructions,
                "second, what a unit of work may cost",
                &price.program,
            ));
        }
    };
    if units > UNITS_MAX {
        return Err(differs(SolanaPaymentPart::Fee, &format!("at most {UNITS_MAX} units"), &units));
    }
    let work = (u128::from(units) * u128::from(price)).div_ceil(MICROLAMPORTS_PER_LAMPORT);
    let whole = work + 2 * u128::from(LAMPORTS_PER_SIGNATURE);
    let fee = u64::try_from(whole).ok().filter(|fee| *fee <= ask.fee_most);
    fee.ok_or_else(|| differs(SolanaPaymentPart::Fee, &format!("at most {} lamports", ask.fee_most), &whole))
}

fn transferred(
    transfer: &SolanaInstruction,
    ask: &SolanaRequirements<'_>,
    payer: &SolanaAddress,
) -> Result<(), SolanaPaymentMismatch> {
    let SolanaRequirements { token, pay_to, amount, .. } = *ask;
    let program = token.program.address();
    if transfer.program != program {
        return Err(differs(
            SolanaPaymentPart::Transfer,
            &format!("third, TransferChecked of {program}"),
            &transfer.program,
        ));
    }
    let [TRANSFER_CHECKED, a, b, c, d, e, f, g, h, decimals] = transfer.data[..] else {
        let found = transfer.data.first().map_or_else(|| "nothing".to_owned(), |tag| format!("instruction {tag}"));
        return Err(differs(SolanaPaymentPart::Transfer, "third, TransferChecked", &found));
    };
    let [source, mint, destination, authority] = transfer.accounts[..] else {
        return Err(differs(SolanaPaymentPart::Transfer, "a transfer by one wallet", &transfer.accounts.len()));
    };
    let same = |part, expected: SolanaAddress, found: SolanaAddress| {
        if expected == found { Ok(()) } else { Err(differs(part, &expected.to_string(), &found)) }
    };
    same(SolanaPaymentPart::Mint, token.mint, mint)?;
    same(SolanaPaymentPart::Destination, token.account_of(&pay_to), destination)?;
    same(SolanaPaymentPart::Authority, *payer, authority)?;
    if source == destination || source == token.account_of(&ask.fee_payer) {
        return Err(differs(SolanaPaymentPart::Source, "an account of the payer's", &source));
    }
    let found = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
    if found != amount {
        return Err(differs(SolanaPaymentPart::Amount, &amount.to_string(), &found));
    }
    if decimals != token.decimals {
        return Err(differs(SolanaPaymentPart::Decimals, &token.decimals.to_string(), &decimals));
    }
    Ok(())
}

fn differs(part: SolanaPaymentPart, expected: &str, found: &impl ToString) -> SolanaPaymentMismatch {
    SolanaPaymentMismatch { part, expected: expected.to_owned(), found: found.to_string() }
}
