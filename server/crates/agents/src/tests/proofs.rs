//! The conditions of a proof: in time, of this wallet, for this service, over this label and nonce.

use super::*;
use tollgate_chains::{OwnershipProofError, SignatureParseError, SignerMismatch, WalletAddress};

#[tokio::test]
async fn a_proof_is_fresh_for_five_minutes_either_way() {
    let house = house(On::File).await;
    let alice = house.person("alice").await;
    let holder = Holder::evm(1);
    for (off, fresh) in [(-301, false), (-300, true), (0, true), (300, true), (301, false)] {
        let issued_at = NOW + off;
        let nonce = format!("nonce-{}", off + 1000);
        let over = OwnershipStatement { issued_at, ..ownership("bot-1", &nonce) };
        let ownership_sig = holder.sign(&over, &holder.wallet());
        let registered =
            house.agents.register(&alice, NewAgent { issued_at, ownership_sig, ..asked(&holder, &nonce) }).await;
        match registered {
            Ok(made) => {
                assert!(fresh, "{off}");
                house.agents.revoke_own(&alice, made.agent.id).await.unwrap();
            }
            Err(refused) => {
                assert!(!fresh && matches!(refused, AgentError::IssuedAt { off_seconds: 301 }), "{off}: {refused}");
            }
        }
    }
}

#[tokio::test]
async fn times_that_are_no_times_of_now_are_refused_and_measured() {
    let house = house(On::File).await;
    let alice = house.person("alice").await;
    for (issued_at, off) in
        [(-1, NOW + 1), (0, NOW), (NOW * 1000, NOW * 999), (i64::MAX, (1 << 53) - 1), (i64::MIN, (1 << 53) - 1)]
    {
        let refused = house.agents.register(&alice, NewAgent { issued_at, ..asked(&Holder::evm(1), "nonce-01") }).await;
        let refused = refused.unwrap_err();
        assert!(
            matches!(refused, AgentError::IssuedAt { off_seconds } if off_seconds == off),
            "{issued_at}: {refused}"
        );
    }
    // The clock decides, and the second it is in.
    house.hand.advance_ms(300_999);
    house.register(&alice, &Holder::evm(1), "nonce-01").await.unwrap();
    house.hand.advance_ms(1);
    let refused = house.register(&alice, &Holder::evm(2), "nonce-02").await.unwrap_err();
    assert!(matches!(refused, AgentError::IssuedAt { off_seconds: 301 }), "{refused}");
}

#[tokio::test]
async fn a_proof_for_something_else_shows_nothing() {
    let house = house(On::File).await;
    let alice = house.person("alice").await;
    for (holder, other) in [(Holder::evm(1), Holder::evm(2)), (Holder::solana(1), Holder::solana(2))] {
        let wallet = holder.wallet();
        let nonce = format!("nonce-{}", wallet.chain().as_str());
        let right = ownership("bot-1", &nonce);
        let network = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
        let mut wrong = vec![
            other.sign(&right, &wallet),
            holder.sign(&right, &other.wallet()),
            holder.sign(&OwnershipStatement { audience: "https://other.example", ..right }, &wallet),
            holder.sign(&OwnershipStatement { label: "bot-2", ..right }, &wallet),
            holder.sign(&OwnershipStatement { nonce: "nonce-xx", ..right }, &wallet),
            holder.sign(&OwnershipStatement { issued_at: NOW + 1, ..right }, &wallet),
        ];
        if matches!(wallet, WalletAddress::Solana(_)) {
            wrong.push(holder.sign(&OwnershipStatement { solana_network: network, ..right }, &wallet));
        }
        for ownership_sig in wrong {
            let new = NewAgent { ownership_sig, ..asked(&holder, &nonce) };
            let refused = house.agents.register(&alice, new).await.unwrap_err();
            assert!(matches!(refused, AgentError::Proof(OwnershipProofError::Foreign(SignerMismatch))), "{refused}");
        }
        // Nothing of that has used the nonce.
        house.register(&alice, &holder, &nonce).await.unwrap();
    }
}

#[tokio::test]
async fn what_is_no_signature_of_that_chain_shows_nothing() {
    let house = house(On::File).await;
    let alice = house.person("alice").await;
    let (evm, solana) = (Holder::evm(1), Holder::solana(1));
    let [by_evm, by_solana] = [&evm, &solana].map(|holder| asked(holder, "nonce-01").ownership_sig);
    let said = async |holder: &Holder, ownership_sig: &str| {
        let new = NewAgent { ownership_sig: ownership_sig.to_owned(), ..asked(holder, "nonce-01") };
        match house.agents.register(&alice, new).await.unwrap_err() {
            AgentError::Proof(bad) => bad,
            other => panic!("{other}"),
        }
    };
    let form = OwnershipProofError::Form(SignatureParseError::Form);
    assert_eq!(said(&evm, &by_solana).await, form);
    assert_eq!(said(&solana, &by_evm).await, form);
    // The short form, and one byte more.
    assert_eq!(said(&evm, &by_evm[..130]).await, form);
    assert_eq!(said(&evm, &format!("{by_evm}00")).await, form);
    assert_eq!(said(&solana, &format!("1{by_solana}")).await, form);
    // The other signature that the curve has for it.
    assert_eq!(said(&evm, &mirrored(&by_evm)).await, OwnershipProofError::Form(SignatureParseError::HighS));
    // A key of small order, for which a signature of nothing would fit: 32 bytes of zero, and the neutral point.
    for (agent_addr, bytes) in
        [("1".repeat(32), "1".repeat(64)), (NEUTRAL.to_owned(), format!("{NEUTRAL}{}", "1".repeat(32)))]
    {
        let new = NewAgent { agent_addr, ownership_sig: bytes, ..asked(&solana, "nonce-01") };
        let refused = house.agents.register(&alice, new).await.unwrap_err();
        assert!(matches!(refused, AgentError::Proof(_)), "{refused}");
    }
    house.register(&alice, &evm, "nonce-01").await.unwrap();
}

/// The point that changes no other, in base58.
const NEUTRAL: &str = "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM";

/// The other signature over the digest: with this `r`, the order of the curve less `s`, and the other `v`.
fn mirrored(signature: &str) -> String {
    const ORDER: [u8; 32] = [
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe, 0xba, 0xae,
        0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
    ];
    let mut bytes = data_encoding::HEXLOWER.decode(&signature.as_bytes()[2..]).unwrap();
    let mut borrow = false;
    for (byte, order) in bytes[32..64].iter_mut().zip(ORDER).rev() {
        let (less, first) = order.overflowing_sub(*byte);
        let (less, second) = less.overflowing_sub(borrow.into());
        (*byte, borrow) = (less, first || second);
    }
    bytes[64] = 27 + 28 - bytes[64];
    format!("0x{}", data_encoding::HEXLOWER.encode(&bytes))
}

#[tokio::test]
async fn nothing_hides_in_a_label_a_nonce_or_an_address() {
    let house = house(On::File).await;
    let alice = house.person("alice").await;
    let holder = Holder::solana(1);
    let right = || asked(&holder, "nonce-01");
    let said = async |new: NewAgent| match house.agents.register(&alice, new).await.unwrap_err() {
        AgentError::Unfit(bad) => bad.field,
        other => panic!("{other}"),
    };
    let long = "x".repeat(65);
    for label in ["", "a\nb", "a\r\nNonce: 1", "\u{0}", "\u{85}", "a\u{2028}b", "\u{7f}", &long] {
        assert_eq!(said(NewAgent { label: label.to_owned(), ..right() }).await, "label", "{label:?}");
    }
    let long = "n".repeat(129);
    for nonce in ["", "short-7", "nonce 01", "nonce-01\n", "nonce.01", "n\u{f6}nce-01", &long] {
        assert_eq!(said(NewAgent { nonce: nonce.to_owned(), ..right() }).await, "nonce", "{nonce:?}");
    }
    for wallet in ["", "0x90f79bF6EB2c4f870365E785982E1f101E93b906", "0x90f7", "not-a-wallet-0OIl-not-a-wallet-0OIl"] {
        assert_eq!(said(NewAgent { agent_addr: wallet.to_owned(), ..right() }).await, "agent_addr", "{wallet}");
    }
    house.agents.register(&alice, right()).await.unwrap();
}

#[tokio::test]
async fn an_address_is_one_wallet_however_it_is_written() {
    let house = house(On::File).await;
    let alice = house.person("alice").await;
    let holder = Holder::evm(1);
    let new = asked(&holder, "nonce-01");
    let capitals = new.agent_addr.to_uppercase().replacen("0X", "0x", 1);
    let made = house.agents.register(&alice, NewAgent { agent_addr: capitals, ..new }).await.unwrap();
    assert_eq!(made.agent.wallet, holder.wallet());
    let again = house.register(&alice, &holder, "nonce-02").await.unwrap_err();
    assert!(matches!(again, AgentError::WalletTaken), "{again}");
}

#[tokio::test]
async fn without_an_address_of_its_own_the_service_registers_nothing() {
    let house = house(On::File).await;
    let alice = house.person("alice").await;
    let (store, clock) = (house.agents.store.clone(), house.clock.clone());
    let accounts = AccountService::new(store.clone(), clock.clone());
    let off = Config { enabled: false, ..Config::default() };
    let nowhere = AgentService::new(store.clone(), clock.clone(), accounts, Config::default(), None);
    for agents in [nowhere, handle(store, clock, off)] {
        let refused = agents.register(&alice, asked(&Holder::evm(1), "nonce-01")).await.unwrap_err();
        assert!(matches!(refused, AgentError::Disabled), "{refused}");
        assert!(agents.own(&alice).await.unwrap().is_empty());
    }
}
