//! The configuration of the rail.

use serde::Deserialize;

use tollgate_base::{Secret, Usd};

use super::keys::{SigningKey, VerifyingKeys};

/// The path of notices, up to the provider's name.
const NOTIFY: &str = "/api/topup/ewallet/notify/";
/// The path of an order's page, up to its name.
const ORDER: &str = "/topup/order/";

/// The form in which we write the time of a request. The account's page at the provider shows which one it expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestTimeFormat {
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
    /// The address of the provider's interface: scheme, host and port.
    pub base_url: String,
    /// The merchant's id at the provider.
    pub client_id: String,
    /// The version of `merchant_key`.
    pub key_version: String,
    /// The key that signs our requests.
    pub merchant_key: SigningKey,
    /// The keys that verify the provider's messages, by the version that a message names.
    pub provider_keys: VerifyingKeys,
    /// The form in which the time of a request is written.
    pub request_time: RequestTimeFormat,
    /// The wallets on offer.
    pub wallets: Vec<WalletOption>,
    /// The address to which payers return from the checkout page; `{trade_no}` stands for the order. Absent: the order's page.
    pub return_url: Option<String>,
}

impl Config {
    /// The address for notices, of a service that is reached under `public_url`.
    #[must_use]
    pub fn notify_url(&self, public_url: &str) -> String {
        format!("{public_url}{NOTIFY}{}", self.provider)
    }

    /// The path of notices, as the provider calls and signs it.
    #[must_use]
    pub fn notify_path(&self, public_url: &str) -> String {
        called_path(public_url, &format!("{NOTIFY}{}", self.provider))
    }

    /// The address to which the payer of an order returns. It is the order's page, which its token opens, or the configured one.
    #[must_use]
    pub fn return_to(&self, public_url: &str, trade_no: &str, token: &Secret) -> String {
        match &self.return_url {
            Some(url) => url.replace("{trade_no}", trade_no),
            None => format!("{public_url}{ORDER}{trade_no}?token={}", token.reveal()),
        }
    }
}

/// The path that the provider called and signed for, of a request that arrived with the path `arrived`. A proxy may have taken away
/// what stands behind the host in `public_url`.
#[must_use]
pub fn called_path(public_url: &str, arrived: &str) -> String {
    let behind_scheme = public_url.split_once("://").map_or(public_url, |(_, rest)| rest);
    let before = behind_scheme.find('/').map_or("", |at| &behind_scheme[at..]);
    format!("{before}{arrived}")
}

/// An e-wallet that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletOption {
    /// Its code at the provider, and on our wire.
    pub code: String,
    /// Its name for people.
    pub name: String,
    /// The region where it is used.
    pub region: String,
    /// The least order that it pays.
    pub min_usd: Usd,
}

impl WalletOption {
    /// The least order of a wallet of which nothing else is known: one dollar.
    pub const MIN_USUAL: Usd = Usd::from_nanos(1_000_000_000);
}

/// The catalogue where the configuration has none. It has the provider's regional wallets without those that are paid later, and
/// the one of Macao.
#[must_use]
pub fn default_wallets() -> Vec<WalletOption> {
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
    let wallet = |(code, name, region): (&str, &str, &str)| WalletOption {
        code: code.to_owned(),
        name: name.to_owned(),
        region: region.to_owned(),
        min_usd: WalletOption::MIN_USUAL,
    };
    rows.into_iter().map(wallet).collect()
}
