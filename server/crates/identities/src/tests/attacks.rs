//! Proofs that are not what was asked for: each is refused, and uses nothing.

use super::*;
use crate::sql::{self, ChallengeRow};
use tollgate_api::generated::limits;
use tollgate_base::draw_text;
use tollgate_chains::{ChainFamily, OwnershipProofError, SignatureParseError};
use tollgate_store::query;

/// The order of the group of the curve of EVM chains.
const EVM_ORDER: [u8; 32] = [
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe, 0xba, 0xae, 0xdc,
    0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
];
/// The order of the group of Solana's curve, little-endian.
const SOLANA_ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

impl House {
    async fn refused(&self, proof: &WalletProof) -> &'static str {
        // From an address of its own, so that what fails is not counted with the others.
        let last = draw_text::<4>().bytes().fold(0_u8, u8::wrapping_add);
        match self.identities.sign_in_by_wallet(proof, Some([198, 51, last, last].into())).await {
            Ok(_) => "in",
            Err(IdentityError::Challenge) => "challenge",
            Err(IdentityError::Proof(OwnershipProofError::Form(SignatureParseError::Form))) => "form",
            Err(IdentityError::Proof(OwnershipProofError::Form(SignatureParseError::HighS))) => "high s",
            Err(IdentityError::Proof(OwnershipProofError::Foreign(_))) => "foreign",
            Err(IdentityError::Unfit(_)) => "unfit",
            Err(error) => panic!("{error}"),
        }
    }
}

async fn a_text_counts_once(on: On) {
    let house = house(on).await;
    for holder in [Holder::evm(1), Holder::solana(1)] {
        let challenge = house.challenge(&holder).await;
        let proof = proof(&holder, &challenge);
        // Whoever asked for it and whoever signs in by it need not come from one place.
        assert_eq!(house.refused(&proof).await, "in");
        for _ in 0..2 {
            assert_eq!(house.refused(&proof).await, "challenge");
        }
        // Signed anew it is the same text.
        let again = WalletProof { signature: holder.sign_text(&challenge.message), ..proof };
        assert_eq!(house.refused(&again).await, "challenge");
    }
}

async fn a_text_is_over_after_five_minutes(on: On) {
    let house = house(on).await;
    let holder = Holder::evm(1);
    let challenge = house.challenge(&holder).await;
    house.hand.advance_ms(300_000 - 500);
    assert_eq!(house.refused(&proof(&holder, &challenge)).await, "challenge");
    let challenge = house.challenge(&holder).await;
    house.hand.advance_ms(299_999);
    assert_eq!(house.refused(&proof(&holder, &challenge)).await, "in");
}

async fn a_text_is_for_one_service_alone(on: On) {
    let house = house(on).await;
    let holder = Holder::evm(1);
    let challenge = house.challenge(&holder).await;
    for (ours, theirs) in [
        (AUDIENCE, "https://evil.example"),
        ("gateway.example wants", "evil.example wants"),
        ("Chain ID: 1\n", "Chain ID: 10\n"),
        ("Version: 1", "Version: 2"),
        (challenge.nonce.as_str(), "0123456789abcdef0123456789abcdef"),
        ("\nExpiration Time: 2026-11-21T03:05:00Z", ""),
        ("03:05:00Z", "23:05:00Z"),
        ("Sign in.", "Sign in!"),
        ("Ethereum", "Solana"),
    ] {
        assert!(challenge.message.contains(ours), "{ours}: {}", challenge.message);
        let signature = holder.sign_text(&challenge.message.replacen(ours, theirs, 1));
        assert_eq!(
            house.refused(&WalletProof { signature, ..proof(&holder, &challenge) }).await,
            "foreign",
            "{theirs}"
        );
    }
    // The service has another address since: what it said before it says no more.
    let moved = house.identities.clone().with_audience(Some("https://other.example".to_owned()));
    let refused = moved.sign_in_by_wallet(&proof(&holder, &challenge), from(1)).await.unwrap_err();
    assert!(matches!(refused, IdentityError::Challenge), "{refused}");
    assert_eq!(house.refused(&proof(&holder, &challenge)).await, "in", "nothing of that has used it");
}

async fn a_text_is_for_one_wallet_alone(on: On) {
    let house = house(on).await;
    let (holder, other) = (Holder::evm(1), Holder::evm(2));
    let challenge = house.challenge(&holder).await;
    assert_eq!(house.refused(&proof(&other, &challenge)).await, "challenge");
    let by_other = WalletProof { signature: other.sign_text(&challenge.message), ..proof(&holder, &challenge) };
    assert_eq!(house.refused(&by_other).await, "foreign");
    assert_eq!(house.refused(&proof(&Holder::solana(1), &challenge)).await, "challenge");
    for chain in [ChainFamily::Evm, ChainFamily::Solana] {
        let holder = if chain == ChainFamily::Evm { Holder::solana(3) } else { Holder::evm(3) };
        let wallet = NewWalletChallenge { chain, ..wallet(&holder) };
        let refused = house.identities.challenge(&wallet, from(1)).await.unwrap_err();
        assert!(matches!(refused, IdentityError::Unfit(_)), "{refused}");
        assert_eq!(house.refused(&WalletProof { wallet, ..proof(&holder, &challenge) }).await, "unfit");
    }
    assert_eq!(house.refused(&proof(&holder, &challenge)).await, "in");
}

async fn a_text_is_for_one_purpose_and_one_account_alone(on: On) {
    let house = house(on).await;
    let (alice, bob, holder) = (house.person("alice").await, house.person("bob").await, Holder::evm(1));
    let to_sign_in = proof(&holder, &house.challenge(&holder).await);
    let to_add = house.identities.challenge_own(&alice, &wallet(&holder), from(1)).await.unwrap();
    assert!(to_add.message.contains(&format!("sign in to the account {}.", alice.account)), "{to_add:?}");
    let to_add = proof(&holder, &to_add);
    for (caller, proof) in [(&alice, &to_sign_in), (&bob, &to_sign_in), (&bob, &to_add)] {
        let refused = house.identities.link(caller, proof, from(3)).await.unwrap_err();
        assert!(matches!(refused, IdentityError::Challenge), "{refused}");
    }
    assert_eq!(house.refused(&to_add).await, "challenge");
    house.identities.link(&alice, &to_add, from(3)).await.unwrap();
    let refused = house.identities.link(&alice, &to_add, from(3)).await.unwrap_err();
    assert!(matches!(refused, IdentityError::Challenge), "{refused}");
}

/// A browser that was left open is no way in that lasts.
async fn a_session_of_long_ago_adds_no_wallet(on: On) {
    let house = house(on).await;
    let (alice, holder) = (house.person("alice").await, Holder::evm(1));
    house.hand.advance_ms(15 * 60_000 - 1);
    let in_time = house.identities.challenge_own(&alice, &wallet(&holder), from(1)).await.unwrap();
    house.hand.advance_ms(1);
    let refused = house.link(&alice, &Holder::evm(2)).await.unwrap_err();
    assert!(matches!(refused, IdentityError::SignInStale), "{refused}");
    // What was begun in time is finished within its own time.
    house.identities.link(&alice, &proof(&holder, &in_time), from(2)).await.unwrap();
}

async fn a_signature_has_one_form(on: On) {
    let house = house(on).await;
    let holder = Holder::evm(1);
    let challenge = house.challenge(&holder).await;
    let good = proof(&holder, &challenge);
    let bytes = hex(&good.signature);
    let with = |bytes: &[u8]| WalletProof { signature: written(bytes), ..good.clone() };
    // The other half of the curve.
    let mut mirrored = bytes.clone();
    mirrored[32..64].copy_from_slice(&minus(&EVM_ORDER, &bytes[32..64]));
    mirrored[64] = if bytes[64] == 27 { 28 } else { 27 };
    assert_eq!(house.refused(&with(&mirrored)).await, "high s");
    let mut other_v = bytes.clone();
    other_v[64] = mirrored[64];
    assert_eq!(house.refused(&with(&other_v)).await, "foreign");
    for v in [2, 26, 29, 37, 255] {
        let mut strange = bytes.clone();
        strange[64] = v;
        assert_eq!(house.refused(&with(&strange)).await, "form", "{v}");
    }
    // The short form of ERC-2098, what is cut off, and what contracts say (ERC-1271, ERC-6492).
    let contract = [bytes.as_slice(), &[0; 32], &[0x64, 0x92].repeat(16)].concat();
    for bytes in [&bytes[..64], &bytes[..40], &[], &contract] {
        assert_eq!(house.refused(&with(bytes)).await, "form", "{bytes:?}");
    }
    assert_eq!(house.refused(&with(&[0; 65])).await, "foreign");
    assert_eq!(house.refused(&good).await, "in");
}

async fn a_signature_on_solana_has_one_form(on: On) {
    let house = house(on).await;
    let holder = Holder::solana(1);
    let challenge = house.challenge(&holder).await;
    let good = proof(&holder, &challenge);
    let short = good.signature[..good.signature.len() - 1].to_owned();
    for text in ["", "1", &"1".repeat(65), &short[..43], "0x00"] {
        let proof = WalletProof { signature: text.to_owned(), ..good.clone() };
        assert_eq!(house.refused(&proof).await, "form", "{text}");
    }
    // The number that comes beside the point, plus the order of the group: as good to a lenient reader.
    let malleated = Holder::malleated(&good.signature, &SOLANA_ORDER);
    assert_ne!(malleated, good.signature);
    assert_eq!(house.refused(&WalletProof { signature: malleated, ..good.clone() }).await, "foreign");
    assert_eq!(house.refused(&good).await, "in");
}

async fn what_fails_is_counted_by_the_address_it_comes_from(on: On) {
    let house = house(on).await;
    let holder = Holder::evm(1);
    let challenge = house.challenge(&holder).await;
    let good = proof(&holder, &challenge);
    let bad = WalletProof { signature: Holder::evm(2).sign_text(&challenge.message), ..good.clone() };
    let tried = async |proof: &WalletProof, last| house.identities.sign_in_by_wallet(proof, from(last)).await;
    for _ in 0..limits::LOGIN_ADDRESS_TRIES {
        assert!(matches!(tried(&bad, 7).await, Err(IdentityError::Proof(_))));
    }
    for proof in [&bad, &good] {
        let refused = tried(proof, 7).await.unwrap_err();
        assert!(matches!(refused, IdentityError::TooMany { wait_seconds: 60 }), "{refused}");
    }
    tried(&good, 8).await.unwrap();
}

async fn texts_are_bounded_by_address_and_in_all(on: On) {
    let house = house(on).await;
    let new = wallet(&Holder::evm(1));
    for _ in 0..limits::WALLET_CHALLENGE_TRIES {
        house.identities.challenge(&new, from(1)).await.unwrap();
    }
    let refused = house.identities.challenge(&new, from(1)).await.unwrap_err();
    assert!(matches!(refused, IdentityError::TooMany { wait_seconds: 60 }), "{refused}");
    house.identities.challenge(&new, from(2)).await.unwrap();
    assert_eq!(count(&house).await, i64::from(limits::WALLET_CHALLENGE_TRIES) + 1);
    // Beyond the bound the oldest are forgotten, more than are added.
    for number in 0..20 {
        insert(&house, NOW_MS + 1000 + number, 5).await;
    }
    assert_eq!(count(&house).await, 5);
    // Those that are over go as others come.
    house.hand.advance_ms(400_000);
    house.identities.challenge(&new, from(1)).await.unwrap();
    assert_eq!(count(&house).await, 1);
}

async fn insert(house: &House, created_at_ms: i64, most: i64) {
    let challenge = ChallengeRow {
        nonce: draw_text::<32>(),
        wallet: Holder::evm(1).wallet(),
        account: None,
        uri: AUDIENCE.to_owned(),
        chain: "1".to_owned(),
        created_at_ms,
        ends_at_ms: created_at_ms + 300_000,
    };
    let mut transaction = house.identities.store.begin().await.unwrap();
    sql::insert_challenge(&mut transaction, &challenge, most).await.unwrap();
    transaction.commit().await.unwrap();
}

async fn count(house: &House) -> i64 {
    let row = query("SELECT count(*) FROM wallet_challenges").fetch_one(house.identities.store.readers()).await;
    row.unwrap().try_get(0).unwrap()
}

fn hex(text: &str) -> Vec<u8> {
    let digits = text.strip_prefix("0x").unwrap();
    (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap()).collect()
}

fn written(bytes: &[u8]) -> String {
    bytes.iter().fold("0x".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}

/// The difference of two numbers, big-endian.
fn minus(from: &[u8], less: &[u8]) -> Vec<u8> {
    let mut borrow = 0;
    let mut digits: Vec<u8> = from
        .iter()
        .zip(less)
        .rev()
        .map(|(from, less)| {
            let digit = i16::from(*from) - i16::from(*less) - borrow;
            borrow = i16::from(digit < 0);
            u8::try_from(digit.rem_euclid(256)).unwrap()
        })
        .collect();
    digits.reverse();
    digits
}

on_both!(
    a_text_counts_once,
    a_text_is_over_after_five_minutes,
    a_text_is_for_one_service_alone,
    a_text_is_for_one_wallet_alone,
    a_text_is_for_one_purpose_and_one_account_alone,
    a_session_of_long_ago_adds_no_wallet,
    a_signature_has_one_form,
    a_signature_on_solana_has_one_form,
    what_fails_is_counted_by_the_address_it_comes_from,
    texts_are_bounded_by_address_and_in_all,
);
