//! A transaction as it is sent: bytes, read in their one spelling and by what can be seen in them alone. Those that look
//! accounts up in tables of the chain are refused: what they would touch cannot be told from their bytes.

use crate::SolanaAddress;

/// The largest transaction that the chain takes.
pub const TRANSACTION_BYTES_MAX: usize = 1232;
/// The bit of a message's first byte by which it says its version.
const VERSIONED: u8 = 0x80;
/// A length takes so many bytes at most.
const LENGTH_BYTES_MAX: usize = 3;

/// The bytes are no transaction that is read here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TransactionParseError {
    /// More bytes than the chain takes.
    #[error("more than {TRANSACTION_BYTES_MAX} bytes")]
    TooLarge,
    /// It ends within something.
    #[error("it ends too early")]
    Short,
    /// Something follows its end.
    #[error("bytes behind its end")]
    Trailing,
    /// A length in more bytes than it needs, or beyond 16 bits.
    #[error("a length that is not in its one spelling")]
    Length,
    /// Neither of the two versions that are known.
    #[error("version {0}")]
    Version(u8),
    /// It takes accounts from tables.
    #[error("address lookup tables")]
    Lookups,
    /// Its parts do not fit together.
    #[error("{0}")]
    Broken(&'static str),
}

/// A transaction, not yet compared with anything. Whatever an index in it names is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SolanaTransaction {
    /// The signatures, one for each signer, in their order.
    pub(super) signatures: Vec<[u8; 64]>,
    /// Accounts; the signers come first, the first of them pays the fee.
    pub(super) keys: Vec<SolanaAddress>,
    pub(super) blockhash: [u8; 32],
    pub(super) instructions: Vec<SolanaInstruction>,
    /// The bytes that are signed.
    pub(super) message: Vec<u8>,
}

/// A call of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SolanaInstruction {
    pub(super) program: SolanaAddress,
    pub(super) accounts: Vec<SolanaAddress>,
    pub(super) data: Vec<u8>,
}

impl SolanaTransaction {
    /// Reads the bytes of one, all of them.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, TransactionParseError> {
        if bytes.len() > TRANSACTION_BYTES_MAX {
            return Err(TransactionParseError::TooLarge);
        }
        let mut reader = TransactionReader(bytes);
        let count = reader.length()?;
        let signatures = (0..count).map(|_| reader.array()).collect::<Result<Vec<[u8; 64]>, _>>()?;
        let message = reader.0;
        let is_versioned = reader.version()?;
        let [required, readonly_signers, readonly_others] = reader.array::<3>()?.map(usize::from);
        let count = reader.length()?;
        let keys = (0..count).map(|_| reader.array().map(SolanaAddress)).collect::<Result<Vec<_>, _>>()?;
        if signatures.len() != required {
            return Err(TransactionParseError::Broken("not one signature for each signer"));
        }
        if readonly_signers >= required || required + readonly_others > keys.len() {
            return Err(TransactionParseError::Broken("signers and accounts that do not fit together"));
        }
        if (1..keys.len()).any(|index| keys[..index].contains(&keys[index])) {
            return Err(TransactionParseError::Broken("the same account twice"));
        }
        let blockhash = reader.array()?;
        let count = reader.length()?;
        let instructions = (0..count).map(|_| reader.instruction(&keys)).collect::<Result<_, _>>()?;
        if is_versioned && reader.length()? > 0 {
            return Err(TransactionParseError::Lookups);
        }
        if !reader.0.is_empty() {
            return Err(TransactionParseError::Trailing);
        }
        Ok(Self { signatures, keys, blockhash, instructions, message: message.to_vec() })
    }
}

struct TransactionReader<'b>(&'b [u8]);

impl<'b> TransactionReader<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], TransactionParseError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(TransactionParseError::Short)?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, TransactionParseError> {
        self.array().map(|[byte]| byte)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], TransactionParseError> {
        self.take(N)?.try_into().map_err(|_| TransactionParseError::Short)
    }

    /// Reads a length of seven bits a byte, the lowest first.
    /// Nothing is reserved by it: what it counts is read one by one.
    fn length(&mut self) -> Result<usize, TransactionParseError> {
        let mut length = 0_usize;
        for place in 0..LENGTH_BYTES_MAX {
            let byte = self.byte()?;
            if byte == 0 && place > 0 {
                return Err(TransactionParseError::Length);
            }
            length |= usize::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                return if length <= usize::from(u16::MAX) { Ok(length) } else { Err(TransactionParseError::Length) };
            }
        }
        Err(TransactionParseError::Length)
    }

    /// True if the message says its version, which is 0 then. One without is older, and begins with a count of signers.
    fn version(&mut self) -> Result<bool, TransactionParseError> {
        match self.0.first() {
            None => Err(TransactionParseError::Short),
            Some(first) if first & VERSIONED == 0 => Ok(false),
            Some(&VERSIONED) => self.byte().map(|_| true),
            Some(first) => Err(TransactionParseError::Version(first & !VERSIONED)),
        }
    }

    fn instruction(&mut self, keys: &[SolanaAddress]) -> Result<SolanaInstruction, TransactionParseError> {
        let named = |index: u8| keys.get(usize::from(index)).copied();
        let missing = TransactionParseError::Broken("an account that it does not name");
        let program = self.byte()?;
        let count = self.length()?;
        let accounts = self.take(count)?.iter().map(|index| named(*index)).collect::<Option<Vec<_>>>();
        let count = self.length()?;
        let data = self.take(count)?.to_vec();
        Ok(SolanaInstruction { program: named(program).ok_or(missing)?, accounts: accounts.ok_or(missing)?, data })
    }
}
