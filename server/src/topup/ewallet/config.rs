//! What the rail is configured with.

use serde::Deserialize;

use crate::base::Usd;

use super::keys::{SigningKey, VerifyingKey};

/// How we write the time of a request; which one it is, the account's page at the provider shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestTime {
    /// `2026-11-21T08:30:00.125Z`
    #[default]
    Iso,
    /// Milliseconds since 1970.
    Milliseconds,
}

/// The rail, switched on.
#[derive(Debug, Clone)]
pub struct Config {
    /// The provider's name, as it stands in the path that it reports to.
    pub provider: String,
    /// Where the provider is called: scheme, host and port.
    pub base_url: String,
    /// The merchant's id at the provider.
    pub client_id: String,
    /// Which of the keys it is that both sides sign with.
    pub key_version: String,
    /// Signs what we send.
    pub merchant_key: SigningKey,
    /// Verifies what the provider sends.
    pub provider_key: VerifyingKey,
    /// How the time is written.
    pub request_time: RequestTime,
    /// The wallets on offer.
    pub wallets: Vec<Wallet>,
    /// Where people go from the checkout page; `{trade_no}` stands for the order. Absent: to the order itself.
    pub return_url: Option<String>,
}

/// An e-wallet that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wallet {
    /// Its code at the provider, and on our wire.
    pub code: String,
    /// Its name for people.
    pub name: String,
    /// Where it is used.
    pub region: String,
    /// The least order that it pays.
    pub min_usd: Usd,
}

impl Wallet {
    /// The least order of a wallet of which nothing else is known: one dollar.
    pub const MIN_USUAL: Usd = Usd::from_nanos(1_000_000_000);
}

/// The catalogue where the configuration has none: the provider's regional wallets without those that are paid later, and
/// the one of Macao.
#[must_use]
pub fn default_wallets() -> Vec<Wallet> {
    let rows = [
        ("ALIPAY_CN", "Alipay", "CN"),
        ("ALIPAY_HK", "AlipayHK", "HK"),
        ("KAKAOPAY", "Kakao Pay", "KR"),
        ("NAVERPAY", "Naver Pay", "KR"),
        ("TOSSPAY", "Toss Pay", "KR"),
        ("DANA", "DANA", "ID"),
        ("GCASH", "GCash", "PH"),
        ("MAYA", "Maya", "PH"),
        ("BPI", "BPI", "PH"),
        ("TNG", "Touch 'n Go eWallet", "MY"),
        ("BOOST", "Boost", "MY"),
        ("TRUEMONEY", "TrueMoney", "TH"),
        ("RABBIT_LINE_PAY", "Rabbit LINE Pay", "TH"),
        ("MPAY", "MPay", "MO"),
    ];
    let wallet = |(code, name, region): (&str, &str, &str)| Wallet {
        code: code.to_owned(),
        name: name.to_owned(),
        region: region.to_owned(),
        min_usd: Wallet::MIN_USUAL,
    };
    rows.into_iter().map(wallet).collect()
}
