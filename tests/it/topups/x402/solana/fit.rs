//! A network has to be as it is written, or nothing is paid on it.

use tollgate_chains::SolanaAddress;
use tollgate_chains::solana::{
    FeePayer, MAIN_NETWORK, SolanaConfig, SolanaNetwork, SolanaSetupError, TokenMintError, TokenProgram,
};
use tollgate_tests::svm::Svm;
use tollgate_tests::wallet::Wallet;

async fn check(config: SolanaConfig) -> Result<(), SolanaSetupError> {
    let network = SolanaNetwork::new(config).expect("an address of a node");
    network.compare().await?;
    network.check().await
}

/// With another first token.
fn with(config: &SolanaConfig, change: impl FnOnce(&mut tollgate_chains::solana::SolanaToken)) -> SolanaConfig {
    let mut config = config.clone();
    change(&mut config.tokens[0]);
    config
}

#[tokio::test(flavor = "multi_thread")]
async fn each_thing_that_is_otherwise_is_found() {
    tollgate_net::install_tls();
    let svm = Svm::start();
    let good = svm.solana();
    check(good.clone()).await.expect("it is as it is written");

    let other = check(SolanaConfig { network: MAIN_NETWORK.to_owned(), ..good.clone() }).await;
    assert!(matches!(&other, Err(SolanaSetupError::OtherNetwork(found)) if *found == good.network), "{other:?}");
    let decimals = check(with(&good, |token| token.decimals = 9)).await;
    let source = TokenMintError::Decimals { found: 6, written: 9 };
    assert!(matches!(&decimals, Err(SolanaSetupError::Mint { source: told, .. }) if *told == source), "{decimals:?}");
    for wrong in [
        with(&good, |token| token.program = TokenProgram::Token2022),
        with(&good, |token| token.mint = SolanaAddress([7; 32])),
        with(&good, |token| token.mint = svm.address("payer").parse().expect("an address")),
    ] {
        let none = check(wrong).await;
        assert!(matches!(&none, Err(SolanaSetupError::Mint { source: TokenMintError::None, .. })), "{none:?}");
    }
    let pay_to = Wallet::solana(200).address().parse().expect("an address");
    let account = check(SolanaConfig { pay_to, ..good.clone() }).await;
    let expected = good.tokens[0].account_of(&pay_to);
    assert!(
        matches!(&account, Err(SolanaSetupError::NoAccount { account, .. }) if *account == expected),
        "{account:?}"
    );
    let pair = ed25519_dalek::SigningKey::from_bytes(&[201; 32]).to_keypair_bytes();
    let pair = tollgate_base::Secret::new(bs58::encode(pair).into_string());
    let fee_payer = FeePayer::new(&pair).expect("a key");
    let dry = check(SolanaConfig { fee_payer, ..good.clone() }).await;
    assert!(matches!(&dry, Err(SolanaSetupError::Dry { lamports: 0, .. })), "{dry:?}");
    svm.set(serde_json::json!({"down": true})).await;
    let unasked = check(good).await;
    assert!(matches!(&unasked, Err(SolanaSetupError::Unasked { .. })), "{unasked:?}");
}
