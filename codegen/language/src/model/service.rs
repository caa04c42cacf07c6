//! The service: names on the wire, callers, rails, limits.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{ByteCount, EntryMap, SpannedText, SpannedValue, WrittenNumber};

/// The names of the service.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Service")]
#[serde(deny_unknown_fields)]
pub struct DeclaredService {
    /// In code and packages.
    pub name: SpannedText,
    /// For readers.
    pub title: String,
    /// A paragraph on the service.
    pub doc: Option<String>,
    /// The licence of the service, as an SPDX expression.
    pub license: Option<String>,
    /// The purpose of each group of operations, by the first word of their ids.
    #[serde(default)]
    pub tags: EntryMap<String>,
    /// The documentation that fields of routed operations must have.
    #[serde(default)]
    pub docs: DocsPolicy,
    /// The examples that routed operations must have.
    #[serde(default)]
    pub examples: ExamplesPolicy,
    /// Path prefixes below which pages of any origin may call, without cookies. No operation there takes one.
    #[serde(default)]
    pub any_origin: Vec<SpannedText>,
    /// Path prefixes below which the operations of operators are. A deployment may leave out what is there, or serve nothing else.
    #[serde(default)]
    pub operator_paths: Vec<SpannedText>,
}

/// The amount of documentation that is required.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(rename = "Docs")]
#[serde(rename_all = "snake_case")]
pub enum DocsPolicy {
    /// None is required.
    #[default]
    Optional,
    /// Every field and parameter of every routed operation.
    Required,
}

/// The number of examples that is required.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(rename = "Wanted")]
#[serde(rename_all = "snake_case")]
pub enum ExamplesPolicy {
    /// None is required.
    #[default]
    Optional,
    /// One of each success and of each declared code, but for what `untold` gives a reason for.
    Required,
}

/// Every name accepted on the wire for one header, or (key beginning with `/`) for one path prefix.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "WireName")]
#[serde(deny_unknown_fields)]
pub struct DeclaredWireName {
    /// The value that the header carries, in words.
    pub doc: Option<String>,
    /// The accepted names; the first is what we send.
    #[schemars(length(min = 1))]
    pub accepts: Vec<SpannedText>,
    /// The actor that reads it, from `actors`, where no operation, scheme or family names it.
    pub read_by: Option<SpannedText>,
    /// The heading of the source that it follows.
    pub from: Option<SpannedText>,
    /// The decision behind it.
    pub fact: Option<SpannedText>,
}

/// A way to say who is calling. At least one of `header`, `query`, `cookie`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Scheme")]
#[serde(deny_unknown_fields)]
pub struct AuthScheme {
    /// The purpose of the scheme.
    pub doc: Option<String>,
    /// The header that carries the secret, by our name for it.
    pub header: Option<SpannedText>,
    /// The text before the secret in the header.
    pub prefix: Option<SpannedText>,
    /// The query parameter that carries the secret.
    pub query: Option<SpannedText>,
    /// The cookie that carries the secret.
    pub cookie: Option<SpannedText>,
    /// The beginning of every secret.
    pub key_starts: Option<SpannedText>,
    /// The callers that it admits.
    #[schemars(length(min = 1))]
    pub gives: Vec<SpannedValue<CallerKind>>,
    /// The heading of the source that it follows.
    pub from: Option<SpannedText>,
    /// The decision behind it.
    pub fact: Option<SpannedText>,
}

/// The kinds of callers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CallerKind {
    /// The holder of an account's key.
    #[default]
    Account,
    /// The holder of a registered agent's key.
    Agent,
    /// A person with a session.
    User,
    /// Somebody who runs the service, by a key or a session: a scheme gives these alone.
    Operator,
}

impl AuthScheme {
    /// True if it admits operators.
    #[must_use]
    pub fn is_of_operators(&self) -> bool {
        self.gives.iter().any(|caller| caller.value == CallerKind::Operator)
    }

    /// True if it admits a person who is signed in to an account, and so members of organisations.
    #[must_use]
    pub fn is_of_members(&self) -> bool {
        self.cookie.is_some() && !self.is_of_operators()
    }
}

/// A role of operators or of members: a set of operations that they may call.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Role")]
#[serde(deny_unknown_fields)]
pub struct DeclaredRole {
    /// The rights that it has, in a sentence.
    pub doc: String,
    /// The roles whose rights it has too, and those that these include.
    #[serde(default)]
    pub includes: Vec<SpannedText>,
    /// The heading of the source that it follows.
    pub from: Option<SpannedText>,
    /// The decision behind it.
    pub fact: Option<SpannedText>,
}

/// A second authorization: a signature of ownership, per family of chains.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Proof")]
#[serde(deny_unknown_fields)]
pub struct DeclaredProof {
    /// The statement that it proves.
    pub doc: Option<String>,
    /// On EVM chains.
    pub evm: Option<EvmProof>,
    /// On Solana.
    pub solana: Option<Ed25519Proof>,
    /// One of each that is right, for the reference; as it stands.
    pub example: Option<String>,
    /// The heading of the source that it follows.
    pub from: Option<SpannedText>,
    /// The decision behind it.
    pub fact: Option<SpannedText>,
}

/// A proof by typed structured data.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvmProof {
    /// The EIP-712 domain's name.
    pub eip712_domain: SpannedText,
    /// The domain's version.
    pub version: Option<SpannedText>,
    /// The type of what is signed, as EIP-712 encodes it.
    pub signs: Option<SpannedText>,
}

/// A proof by an ed25519 signature.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ed25519Proof {
    /// The name of what is signed.
    pub ed25519_over: SpannedText,
    /// The text that is signed, with what is put into it in braces.
    pub signs: Option<SpannedText>,
}

/// A way to pay.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Rail")]
#[serde(deny_unknown_fields)]
pub struct DeclaredRail {
    /// A paragraph on the rail, for the reference.
    pub doc: Option<String>,
    /// The asset that is paid with.
    pub pays: SpannedText,
    /// The signer of the payment.
    pub signer: Option<SpannedText>,
    /// The event that gives the credit.
    pub credit_on: SpannedText,
    /// The chains it is paid on.
    #[serde(default)]
    pub chains: Vec<SpannedText>,
    /// The number of wallets that it knows.
    pub wallets: Option<SpannedValue<u32>>,
    /// The time for which an order is payable, by the name of a limit.
    pub validity: Option<SpannedText>,
    /// USD of credit per unit paid.
    pub rate: Option<SpannedValue<WrittenNumber>>,
    /// The currency it is paid in.
    pub currency: Option<SpannedText>,
    /// The heading of the source that it follows.
    pub from: Option<SpannedText>,
    /// The decision behind it.
    pub fact: Option<SpannedText>,
}

/// A bound: exactly one of `count`, `seconds`, `minutes`, `bytes`, `usd`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Limit")]
#[serde(deny_unknown_fields)]
pub struct DeclaredLimit {
    /// The quantity that it bounds, in words.
    pub doc: Option<String>,
    /// At most so many.
    #[schemars(range(min = 1))]
    pub count: Option<SpannedValue<u64>>,
    /// A time in seconds.
    #[schemars(range(min = 1))]
    pub seconds: Option<SpannedValue<u64>>,
    /// A time in minutes.
    #[schemars(range(min = 1))]
    pub minutes: Option<SpannedValue<u64>>,
    /// A size: `65536`, `64 KiB`, `4 MiB`, `1 GiB`.
    pub bytes: Option<SpannedValue<ByteCount>>,
    /// An amount: least and most, null where there is no bound.
    #[schemars(length(min = 2, max = 2))]
    pub usd: Option<SpannedValue<Vec<Option<WrittenNumber>>>>,
    /// The scope over which it is counted: `user`, `account`, `key`, `order`.
    pub per: Option<SpannedText>,
    /// True for the least that there must be, false for the most that there may be. An amount has both.
    #[serde(default)]
    pub least: SpannedValue<bool>,
    /// True if a deployment may change it while running.
    #[serde(default)]
    pub live: SpannedValue<bool>,
    /// The key of the configuration by which an operator sets it: `patience.idle_seconds`. The value is its default.
    pub setting: Option<SpannedText>,
    /// The actor that keeps it, from `actors`, where no operation, body or rail names it.
    pub kept_by: Option<SpannedText>,
    /// The code that is answered when it is broken.
    pub error: Option<SpannedText>,
    /// The heading of the source that it follows.
    pub from: Option<SpannedText>,
    /// The decision behind it.
    pub fact: Option<SpannedText>,
}

/// The bound of a limit, in its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitBound<'a> {
    /// At most so many.
    Count(u64),
    /// A time in seconds (written in seconds or minutes).
    Seconds(u64),
    /// A size in bytes.
    Bytes(u64),
    /// An amount between two bounds, either of which may be missing.
    Usd(Option<&'a WrittenNumber>, Option<&'a WrittenNumber>),
}

/// The unit of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitUnit {
    /// A number of things.
    Count,
    /// A time.
    Seconds,
    /// A size.
    Bytes,
    /// An amount of money.
    Usd,
}

impl LimitUnit {
    /// The key of a limit that is written in it; a time may be in minutes too.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Seconds => "seconds",
            Self::Bytes => "bytes",
            Self::Usd => "usd",
        }
    }
}

impl LimitBound<'_> {
    /// Its unit.
    #[must_use]
    pub const fn unit(&self) -> LimitUnit {
        match self {
            Self::Count(_) => LimitUnit::Count,
            Self::Seconds(_) => LimitUnit::Seconds,
            Self::Bytes(_) => LimitUnit::Bytes,
            Self::Usd(..) => LimitUnit::Usd,
        }
    }
}

impl DeclaredLimit {
    /// The one bound; `None` where there is none or more than one (there is a diagnostic then).
    #[must_use]
    pub fn bound(&self) -> Option<LimitBound<'_>> {
        match (&self.count, &self.seconds, &self.minutes, &self.bytes, &self.usd) {
            (Some(count), None, None, None, None) => Some(LimitBound::Count(count.value)),
            (None, Some(seconds), None, None, None) => Some(LimitBound::Seconds(seconds.value)),
            (None, None, Some(minutes), None, None) => Some(LimitBound::Seconds(minutes.value.saturating_mul(60))),
            (None, None, None, Some(bytes), None) => bytes.bytes().map(LimitBound::Bytes),
            (None, None, None, None, Some(usd)) => match usd.value.as_slice() {
                [least, most] => Some(LimitBound::Usd(least.as_ref(), most.as_ref())),
                _ => None,
            },
            _ => None,
        }
    }
}
