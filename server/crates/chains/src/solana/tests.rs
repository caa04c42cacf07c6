//! Payments as the libraries of others make them: what is taken, and where each other one is otherwise than asked for. The bytes
//! are in `tests.json`, made by `tests/sdk/svm/vectors.js`.

use data_encoding::BASE64;
use serde_json::Value;

use super::wire::SolanaTransaction;
use super::{
    FeePayer, SolanaPayment, SolanaPaymentPart, SolanaRequirements, SolanaSignature, SolanaToken, TokenProgram,
    TransactionParseError,
};
use crate::SolanaAddress;
use tollgate_base::Secret;

struct Cases(Value);

impl Cases {
    fn read() -> Self {
        Self(serde_json::from_str(include_str!("tests.json")).unwrap())
    }

    fn address(&self, name: &str) -> SolanaAddress {
        self.0[name].as_str().unwrap().parse().unwrap()
    }

    fn transaction(&self, name: &str) -> &str {
        self.0["transactions"][name].as_str().unwrap_or_else(|| panic!("no transaction `{name}`"))
    }

    fn names(&self) -> Vec<&str> {
        self.0["transactions"].as_object().unwrap().keys().map(String::as_str).collect()
    }

    fn token(&self, name: &str, program: TokenProgram) -> SolanaToken {
        SolanaToken { symbol: "USDC".to_owned(), mint: self.address(name), decimals: 6, program }
    }

    fn pay(&self, text: &str) -> Result<SolanaPayment, SolanaPaymentPart> {
        self.pay_in(&self.token("coin", TokenProgram::Token), text)
    }

    fn pay_in(&self, token: &SolanaToken, text: &str) -> Result<SolanaPayment, SolanaPaymentPart> {
        let ask = SolanaRequirements {
            fee_payer: self.address("feePayer"),
            token,
            pay_to: self.address("payTo"),
            amount: 5_000_000,
            memo: "order:17",
            fee_most: 50_000,
        };
        SolanaPayment::read(text, &ask).map_err(|differs| differs.part)
    }
}

fn fee_payer() -> FeePayer {
    let pair = ed25519_dalek::SigningKey::from_bytes(&[9; 32]).to_keypair_bytes();
    FeePayer::new(&Secret::new(bs58::encode(pair).into_string())).unwrap()
}

/// The part in which each transaction differs.
const OTHERWISE: [(&str, SolanaPaymentPart); 40] = [
    ("fee payer pays money", SolanaPaymentPart::FeePayer),
    ("fee payer pays money first", SolanaPaymentPart::FeePayer),
    ("fee payer pays coins", SolanaPaymentPart::Signatures),
    ("fee payer approves", SolanaPaymentPart::FeePayer),
    ("fee payer's account is closed", SolanaPaymentPart::FeePayer),
    ("fee payer signs a memo", SolanaPaymentPart::FeePayer),
    ("fee payer's coins by another", SolanaPaymentPart::Source),
    ("another fee payer", SolanaPaymentPart::FeePayer),
    ("payer is fee payer", SolanaPaymentPart::FeePayer),
    ("an account is made", SolanaPaymentPart::Instructions),
    ("an account is made by the fee payer", SolanaPaymentPart::FeePayer),
    ("two transfers", SolanaPaymentPart::Instructions),
    ("payer pays money too", SolanaPaymentPart::Instructions),
    ("unchecked transfer", SolanaPaymentPart::Transfer),
    ("by another program", SolanaPaymentPart::Transfer),
    ("by the newer program", SolanaPaymentPart::Transfer),
    ("one unit less", SolanaPaymentPart::Amount),
    ("one unit more", SolanaPaymentPart::Amount),
    ("other decimals", SolanaPaymentPart::Decimals),
    ("another mint", SolanaPaymentPart::Mint),
    ("to a stranger", SolanaPaymentPart::Destination),
    ("to the payer", SolanaPaymentPart::Destination),
    ("by an authority that does not sign", SolanaPaymentPart::Authority),
    ("three signers", SolanaPaymentPart::Signatures),
    ("no memo", SolanaPaymentPart::Memo),
    ("two memos", SolanaPaymentPart::Memo),
    ("memo of another order", SolanaPaymentPart::Memo),
    ("memo with more", SolanaPaymentPart::Memo),
    ("dear work", SolanaPaymentPart::Fee),
    ("much work", SolanaPaymentPart::Fee),
    ("no bound on work", SolanaPaymentPart::Instructions),
    ("price before limit", SolanaPaymentPart::Instructions),
    ("eight instructions", SolanaPaymentPart::Instructions),
    ("forged signature", SolanaPaymentPart::Signatures),
    ("no signature", SolanaPaymentPart::Signatures),
    ("signature of another message", SolanaPaymentPart::Signatures),
    ("address lookup tables", SolanaPaymentPart::Bytes),
    ("trailing bytes", SolanaPaymentPart::Bytes),
    ("cut off", SolanaPaymentPart::Bytes),
    ("another version", SolanaPaymentPart::Bytes),
];

#[test]
fn what_the_protocols_own_client_makes_is_a_payment() {
    let cases = Cases::read();
    for name in ["official", "good", "legacy", "with assertions of a wallet"] {
        let payment = cases.pay(cases.transaction(name)).unwrap_or_else(|part| panic!("{name}: {part:?}"));
        assert_eq!((payment.payer(), payment.fee_lamports()), (cases.address("payer"), 10_001), "{name}");
    }
    let newer = cases.token("newCoin", TokenProgram::Token2022);
    assert!(cases.pay_in(&newer, cases.transaction("newer program")).is_ok());
    assert_eq!(cases.pay(cases.transaction("newer program")).unwrap_err(), SolanaPaymentPart::Transfer);
}

#[test]
fn a_payment_is_what_is_asked_for_and_nothing_else() {
    let cases = Cases::read();
    for (name, part) in OTHERWISE {
        assert_eq!(cases.pay(cases.transaction(name)).map(|_| ()), Err(part), "{name}");
    }
    assert_eq!(cases.pay(cases.transaction("too large")).unwrap_err(), SolanaPaymentPart::Bytes);
    // What only the chain can tell.
    let only_there = ["stale blockhash", "unknown blockhash", "too poor"];
    let good = ["official", "good", "legacy", "with assertions of a wallet", "newer program", "too large"];
    let known = OTHERWISE.iter().map(|(name, _)| *name).chain(only_there).chain(good).collect::<Vec<_>>();
    let forgotten: Vec<_> = cases.names().into_iter().filter(|name| !known.contains(name)).collect();
    assert!(forgotten.is_empty(), "{forgotten:?}");
    for name in only_there {
        assert!(cases.pay(cases.transaction(name)).is_ok(), "{name}");
    }
}

#[test]
fn no_byte_of_a_payment_can_be_changed() {
    let cases = Cases::read();
    let bytes = BASE64.decode(cases.transaction("good").as_bytes()).unwrap();
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        let read = cases.pay(&BASE64.encode(&changed));
        // The first signature is ours to make, whatever stands there.
        assert_eq!(read.is_ok(), (1..65).contains(&at), "byte {at}");
        assert!(cases.pay(&BASE64.encode(&bytes[..at])).is_err(), "{at} bytes");
    }
    for text in ["", "=", "AA", "A A=", &"A".repeat(4000), &cases.transaction("good").replace('=', "")] {
        assert_eq!(cases.pay(text).unwrap_err(), SolanaPaymentPart::Bytes, "{text}");
    }
}

#[test]
fn lengths_have_one_spelling_and_a_bound() {
    let cases = Cases::read();
    let bytes = BASE64.decode(cases.transaction("good").as_bytes()).unwrap();
    let with = |length: &[u8]| SolanaTransaction::read(&[length, &bytes[1..]].concat()).map(|_| ());
    assert_eq!(with(&[2]), Ok(()));
    for length in [&[0x82, 0][..], &[0x82, 0x80, 0], &[0xff, 0xff, 0x7f], &[0x82, 0x80, 0x80, 0]] {
        assert_eq!(with(length), Err(TransactionParseError::Length), "{length:?}");
    }
    assert_eq!(with(&[0xff, 0xff, 3]), Err(TransactionParseError::Short), "no room is made for what is not there");
    assert_eq!(SolanaTransaction::read(&[0; 1233]), Err(TransactionParseError::TooLarge));
    assert!(with(&[1]).is_err() && with(&[3]).is_err());
}

#[test]
fn our_signature_is_the_first_and_always_the_same() {
    let cases = Cases::read();
    let (ours, payment) = (fee_payer(), cases.pay(cases.transaction("good")).unwrap());
    assert_eq!(ours.address(), cases.address("feePayer"));
    let signed = ours.sign(&payment);
    assert_eq!(signed, ours.sign(&payment));
    let sent = SolanaTransaction::read(&signed.raw).unwrap();
    let came = BASE64.decode(cases.transaction("good").as_bytes()).unwrap();
    assert_eq!(sent.message, came[129..]);
    assert_eq!(sent.signatures[0], signed.signature.0);
    for (signature, name) in sent.signatures.iter().zip(["feePayer", "payer"]) {
        assert_eq!(SolanaSignature(*signature).verify(&cases.address(name), &sent.message), Ok(()), "{name}");
    }
    // What another has put in our place changes nothing.
    let mut other = came;
    other[1..65].fill(7);
    let other = cases.pay(&BASE64.encode(&other)).unwrap();
    assert_eq!(ours.sign(&other), signed);
}

#[test]
fn a_wallets_account_is_found_by_its_token() {
    let cases = Cases::read();
    let pay_to = cases.address("payTo");
    let (coin, newer) = (cases.token("coin", TokenProgram::Token), cases.token("newCoin", TokenProgram::Token2022));
    assert_eq!(coin.account_of(&pay_to), cases.address("coinAccount"));
    assert_eq!(newer.account_of(&pay_to), cases.address("newCoinAccount"));
}

#[test]
fn an_amount_is_exact_or_none() {
    let of = |usd: &str, decimals| {
        let token = SolanaToken { decimals, ..Cases::read().token("coin", TokenProgram::Token) };
        token.units_of(usd.parse().unwrap())
    };
    assert_eq!((of("5", 6), of("5.000001", 6), of("5.0000001", 6)), (Some(5_000_000), Some(5_000_001), None));
    assert_eq!((of("1000", 15), of("0.000000001", 9)), (Some(1_000_000_000_000_000_000), Some(1)));
    assert_eq!((of("3", 0), of("3.5", 0), of("20000", 15)), (Some(3), None, None));
}

#[test]
fn a_key_pair_is_read_in_two_forms_and_never_printed() {
    let pair = ed25519_dalek::SigningKey::from_bytes(&[9; 32]).to_keypair_bytes();
    let list = serde_json::to_string(&pair.to_vec()).unwrap();
    let ours = FeePayer::new(&Secret::new(format!("{list}\n"))).unwrap();
    assert_eq!(ours.address(), fee_payer().address());
    assert_eq!(format!("{ours:?}"), format!("FeePayer({})", ours.address()));
    let mut others = pair;
    others[63] ^= 1;
    let seed = bs58::encode([9; 32]).into_string();
    let foreign = bs58::encode(others).into_string();
    for text in ["", "[", "[1,2]", "[256]", &seed, &foreign, &"1".repeat(500), "0x7c852118"] {
        assert!(FeePayer::new(&Secret::new(text.to_owned())).is_err(), "{text}");
    }
}
