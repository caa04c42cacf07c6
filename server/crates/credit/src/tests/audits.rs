//! An audit names what somebody planted.

use super::*;
use crate::{ServiceClass, ToolUseCharge};

/// Differences that are planted, with all rules out of the way, and the lines of the report.
const PLANTED: &[(&str, &str)] = &[
    (
        "UPDATE balances SET posted = posted + 1 WHERE account_id = A",
        "has a balance of 0.750000001 USD, but its transfers and charges add up to 0.75",
    ),
    (
        "UPDATE balances SET held = held - 1 WHERE account_id = A",
        "has 0.399999999 USD held, but its open holds add up to 0.4",
    ),
    (
        "UPDATE transfers SET amount = amount + 1 WHERE kind = 'promo'",
        "its transfers and charges add up to 0.750000001",
    ),
    ("UPDATE receipts SET cost = cost - 1", "its transfers and charges add up to 0.750000001"),
    ("UPDATE receipts SET cost = cost - 1", "day of usage that is not the sum of its receipts: row 5000000001"),
    ("DELETE FROM receipts", "its transfers and charges add up to 1\n"),
    (
        "UPDATE receipts SET prompt = 1, cached = 0, cache_write = 0, cache_write_long = 0, completion = 0, reasoning = 0, \
            audio_prompt = 0, image_prompt = 0, audio_completion = 0, image_completion = 0",
        "charge above the price of its usage: row 2",
    ),
    (
        "INSERT INTO prices VALUES (FREE); UPDATE receipts SET price_id = 1",
        "charge above the price of its usage: row 2",
    ),
    (
        "INSERT INTO prices VALUES (FREE); UPDATE receipts SET fallback = 'x', fallback_price_id = 1",
        "charge above the price of its usage: row 2",
    ),
    (
        "INSERT INTO prices VALUES (FREE); UPDATE receipts SET tier_above = 1, tier_price_id = 1",
        "charge above the price of its usage: row 2",
    ),
    (
        "INSERT INTO prices VALUES (FREE); UPDATE receipts SET class = 'x', class_price_id = 1",
        "charge above the price of its usage: row 2",
    ),
    ("UPDATE receipts SET ratio_ppm = 1", "charge above the price of its usage: row 2"),
    ("UPDATE receipts SET estimated = 0", "charge below the price of its usage: row 2"),
    ("DELETE FROM holds", "has 0.4 USD held, but its open holds add up to 0\n"),
    (
        "INSERT INTO holds (id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, epoch, created_at, \
                expires_at) \
            SELECT hold_id, account_id, key_id, request_id, held, model, stream, price_id, ratio_ppm, 1, created_at, expires_at \
            FROM receipts",
        "receipt of a hold that has not ended: row 2",
    ),
    ("UPDATE holds SET kept = 1", "kept hold that is open for nothing: row 1"),
    ("FILM", "video that ended otherwise than its hold: row 2"),
    (
        "FILM; UPDATE video_task SET receipt_id = 2, status = 'failed', error_code = 'x', error_message = 'x', rev = 1",
        "video that ended otherwise than its hold: row 2",
    ),
    (
        "INSERT INTO agents VALUES (5, A, 1, 'evm', '0x00000000000000000000000000000000000000aa', 'x', 'nonce-one', 'active', 0, \
            NULL, NULL, NULL, 1); \
        INSERT INTO agent_windows VALUES (5, 'life', 0, 9, 9, 1, 0)",
        "cap of an agent that is not what it has topped up: row 5",
    ),
    ("DELETE FROM balances WHERE account_id = A", "account without a balance"),
    ("INSERT INTO transfers VALUES (99, 'topup', 5, A, 1, 'x', 7, 'x', '', 1)", "top-up without its order: row 99"),
    (
        "ORDER UPDATE payments SET state = 'paid', rev = 1, decided_at = 1",
        "payment that came and was not credited: row 4",
    ),
    (
        "ORDER UPDATE topup_order SET status = 'settling', rev = 1; UPDATE topup_order SET status = 'success', settled_at = 1, rev = 2",
        "order that succeeded without a payment: row 3",
    ),
    (
        "ORDER UPDATE topup_order SET status = 'settling', rev = 1; UPDATE topup_order SET status = 'success', settled_at = 1, rev = 2",
        "order that succeeded without its credit: row 3",
    ),
    (
        "PRAGMA ignore_check_constraints = ON; UPDATE balances SET held = posted + 1 WHERE account_id = A",
        "CHECK constraint failed in balances",
    ),
    ("REVERSE (6, 'take', A, NULL, 2, 5, 0, 5, 0, 'x', 'x', '', 1)", "debt that was not posted: row 6"),
    (
        "REVERSE (6, 'take', A, NULL, 2, 5, 0, 5, 0, 'x', 'x', '', 1)",
        "accounts owe 0.000000005 USD, but the transfers of debts add up to 0",
    ),
    ("REVERSE (6, 'take', A, NULL, 2, 5, 5, 0, 0, 'x', 'x', '', 1)", "reversal that was not posted: row 6"),
    ("REVERSE (6, 'take', A, NULL, 2, 5, 0, 5, 3, 'x', 'x', '', 1)", "debt that was not paid by its payments: row 6"),
    (
        "REVERSE (6, 'take', A, NULL, 2, 5, 0, 5, 3, 'x', 'x', '', 1); INSERT INTO debt_payments VALUES (7, 6, NULL, 3, 1)",
        "payment of a debt that was not posted: row 7",
    ),
    (
        "ORDER UPDATE payments SET state = 'surplus', rev = 1, decided_at = 1, resolution = 'credit', resolved_amount = 1, resolved_at = 1",
        "resolved payment that was not credited: row 4",
    ),
    (
        "ORDER UPDATE payments SET state = 'surplus', rev = 1, decided_at = 1, resolution = 'credit', resolved_amount = 1, resolved_at = 1",
        "payments of clearing:crypto come to 0.000000001 USD, but its transfers add up to 0",
    ),
    (
        "ORDER REVERSE (6, 'refund', A, 4, 5, 1, 0, 1, 0, 'x', 'x', '', 1)",
        "payment of which more went back than it was credited with: row 4",
    ),
    (
        "INSERT INTO transfers VALUES (99, 'refund', A, 5, 1, 'x', NULL, 'x', '', 1)",
        "refund without its reversal: row 99",
    ),
    ("SELECT 1", "not the ones this program made"),
];

/// An order that waits, and money that may be for it.
const ORDERED: &str = "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, rev, created_at, expires_at) \
    VALUES (3, 't3', A, 'crypto', 1, 'pending', 0, 1, 2); \
    INSERT INTO payments VALUES (4, 'eip155:8453', '0xab', 3, 'claimed', 0, '0xa', '1', NULL, NULL, 1, NULL, NULL, NULL, NULL); ";

/// A video that is held for by the hold that was settled.
const FILMED: &str = "INSERT INTO video_task (task_id, account_id, hold_id, status, model, seconds, price, price_request, ratio_ppm, prompt, \
        created_at, deadline_at) \
    VALUES ('video_0123456789abcdef', A, 2, 'queued', 'films', 4, 5, 0, 1000000, 'a cat', 1, 2)";
const FREE: &str = "1, 'free', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0";
/// The rules of a file that are in the way.
const IN_THE_WAY: [&str; 20] = [
    "transfers_no_update",
    "transfers_post",
    "payments_resolve",
    "reversals_of_payment",
    "reversals_start",
    "reversals_take",
    "reversals_owe",
    "debt_payments_post",
    "topup_matches_order",
    "topup_order_paid",
    "topup_order_credit",
    "receipts_no_update",
    "receipts_no_delete",
    "holds_once",
    "holds_reserve",
    "holds_fixed",
    "holds_by_receipt",
    "video_task_is_held",
    "agent_windows_born_empty",
    "balances_stay",
];
/// Takes the rules of a server away, its foreign keys too.
const OPENED_ON_SERVER: &str = "SET session_replication_role = replica; ALTER TABLE transfers DISABLE TRIGGER USER; \
    ALTER TABLE receipts DISABLE TRIGGER USER; ALTER TABLE holds DISABLE TRIGGER USER; ALTER TABLE balances DISABLE TRIGGER USER; \
    ALTER TABLE payments DISABLE TRIGGER USER; ALTER TABLE topup_order DISABLE TRIGGER USER; DROP TRIGGER topup_order_credit ON topup_order;";
/// A server keeps no CHECK for later: it is gone, and the difference is found by the sums.
const UNCHECKED: (&str, &str) = (
    "ALTER TABLE balances DROP CONSTRAINT available_not_negative; UPDATE balances SET held = posted + 1 WHERE account_id = A",
    "has 0.750000001 USD held, but its open holds add up to 0.4",
);

async fn every_planted_difference_is_named(on: On) {
    for planted in PLANTED {
        let house = TestLedger::open_on(on).await;
        let (planted, expected) = match on {
            On::Server if planted.0.starts_with("PRAGMA") => &UNCHECKED,
            On::File | On::Server => planted,
        };
        let account = house.account(1, "1").await;
        let held = house.hold(account, "0.4").await;
        let paid = house.hold(account, "0.5").await;
        house.credit.settle(paid, settlement("0.25")).await.unwrap();
        house.assert_clean().await;
        let planted = planted
            .replace("ORDER ", ORDERED)
            .replace("REVERSE ", "INSERT INTO reversals VALUES ")
            .replace("FILM", FILMED)
            .replace("FREE", FREE)
            .replace("= A", &format!("= {account}"))
            .replace(" A,", &format!(" {account},"));
        let opened = match on {
            On::File => {
                let opened = IN_THE_WAY.map(|trigger| format!("DROP TRIGGER {trigger};")).concat();
                format!("PRAGMA foreign_keys = OFF; {opened}")
            }
            On::Server => OPENED_ON_SERVER.to_owned(),
        };
        raw::run(&house.store, &format!("{opened} {planted}")).await.unwrap();
        let report = house.credit.audit().await.unwrap();
        assert!(!report.is_clean());
        assert!(report.to_string().contains(expected), "{planted}\n{report}");
        assert_eq!(report.to_json()["clean"], false);
        std::mem::forget(held);
    }
}

/// A charge for what was written to a cache is above what the same tokens cost as any other input, and is right.
async fn what_was_written_to_a_cache_is_audited_at_its_own_price(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let usage = BilledUsage { prompt: 9_000, cache_write: 4_000, cache_write_long: 5_000, ..BilledUsage::default() };
    for (cost, clean) in [("0.00225", true), ("0.002250001", false)] {
        let hold = house.hold(account, "0.5").await;
        let request = hold.request();
        house.credit.settle(hold, Settlement { usage, ..settlement(cost) }).await.unwrap();
        let receipt = house.credit.receipt(account, request).await.unwrap().unwrap();
        assert_eq!((receipt.outcome.unwrap().usage, receipt.price), (Some(usage), price()));
        let report = house.credit.audit().await.unwrap();
        assert_eq!(report.is_clean(), clean, "{report}");
        assert_eq!(report.to_string().contains("charge above the price of its usage: row 2"), !clean, "{report}");
    }
}

async fn sound_and_pictures_are_audited_at_their_prices(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let media =
        MediaTokens { audio_prompt: 1_000, image_prompt: 2_000, audio_completion: 3_000, image_completion: 4_000 };
    let usage = BilledUsage { prompt: 3_000, completion: 7_000, media, ..BilledUsage::default() };
    // 0.001 + 0.001 + 0.006 + 0.016.
    for (cost, clean) in [("0.024", true), ("0.024000001", false)] {
        let hold = house.hold(account, "0.05").await;
        let (id, request) = (hold.id(), hold.request());
        house.credit.settle(hold, Settlement { usage, ..settlement(cost) }).await.unwrap();
        let receipt = house.credit.receipt(account, request).await.unwrap().unwrap();
        assert_eq!(receipt.outcome.unwrap().usage, Some(usage));
        let report = house.credit.audit().await.unwrap().to_string();
        assert_eq!(
            report.contains(&format!("charge above the price of its usage: row {id}\n")),
            !clean,
            "{cost}: {report}"
        );
    }
}

/// A request, reasoning and the account's ratio of all prices are audited as they were held.
async fn a_request_and_its_reasoning_are_audited_at_the_account_s_ratio(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let price = TokenPrices {
        reasoning: PicoUsd::new(3_000_000).unwrap(),
        request: PicoUsd::from_usd("0.002").unwrap(),
        ratio: "0.333333".parse().unwrap(),
        ..price()
    };
    let usage = BilledUsage { prompt: 1_001, completion: 7_000, reasoning: 1_000, ..BilledUsage::default() };
    // 0.333333 times 0.00015015 + 0.0036 + 0.003 + 0.002.
    for (cost, clean) in [("0.002916714", true), ("0.002916715", false)] {
        let hold = house.credit.hold(HoldRequest { price: price.clone(), ..house.ask(account, "0.05") }).await.unwrap();
        let (id, request) = (hold.id(), hold.request());
        house.credit.settle(hold, Settlement { usage, ..settlement(cost) }).await.unwrap();
        assert_eq!(house.credit.receipt(account, request).await.unwrap().unwrap().price, price);
        let report = house.credit.audit().await.unwrap().to_string();
        assert_eq!(
            report.contains(&format!("charge above the price of its usage: row {id}\n")),
            !clean,
            "{cost}: {report}"
        );
    }
}

/// Asserts that the prices of a receipt, and its references to them, cannot be altered.
async fn assert_fixed(house: &TestLedger, attacks: &[&str]) {
    let prices = [
        "UPDATE prices SET prompt = 99000000",
        "DELETE FROM prices",
        "INSERT INTO prices SELECT * FROM prices WHERE prompt > 0 ON CONFLICT (id) DO UPDATE SET prompt = 99000000",
        "INSERT OR REPLACE INTO prices SELECT id, version, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9 FROM prices",
    ];
    for attack in prices.iter().chain(attacks) {
        if !raw::is_file(&house.store) && attack.contains("OR REPLACE") {
            continue;
        }
        let told = raw::run(&house.store, attack).await.unwrap_err();
        assert!(told.contains("append-only"), "{attack}: {told}");
    }
}

/// Another model answered: its prices are the ones that are shown and audited, and no others can be put in later.
async fn an_answer_of_another_model_is_audited_at_that_model_s_prices(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let dear = TokenPrices { prompt: PicoUsd::new(9_000_000).unwrap(), version: "dear".to_owned(), ..price() };
    let usage = BilledUsage { prompt: 1_000, ..BilledUsage::default() };
    for (cost, clean) in [("0.009", true), ("0.009000001", false)] {
        let hold = house.hold(account, "0.05").await;
        let request = hold.request();
        let fallback = Some(FallbackModel { model: "other".to_owned(), price: dear.clone() });
        let settlement = Settlement { usage, fallback: fallback.clone(), ..settlement(cost) };
        house.credit.settle(hold, settlement).await.unwrap();
        let receipt = house.credit.receipt(account, request).await.unwrap().unwrap();
        assert_eq!((receipt.outcome.unwrap().fallback, receipt.price), (fallback, price()));
        let report = house.credit.audit().await.unwrap().to_string();
        assert_eq!(report.contains("charge above the price of its usage: row 2"), !clean, "{report}");
        assert!(!report.contains("charge above the price of its usage: row 1"), "{report}");
        assert_fixed(
            &house,
            &[
                "UPDATE receipts SET fallback_price_id = price_id",
                "UPDATE receipts SET fallback = 'x'",
                "UPDATE receipts SET fallback = NULL, fallback_price_id = NULL",
                "DELETE FROM receipts",
            ],
        )
        .await;
    }
}

/// A long prompt has prices of its own: they are shown and audited, fixed with the receipt, and only for such a prompt.
async fn a_long_prompt_is_audited_at_the_prices_of_its_tier(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let ratio = "0.5".parse().unwrap();
    let held = TokenPrices { ratio, ..price() };
    let prompt = PicoUsd::new(9_000_000).unwrap();
    let dear =
        TokenPrices { prompt, request: PicoUsd::new(5_000).unwrap(), version: "dear".to_owned(), ..held.clone() };
    let usage = BilledUsage { prompt: 1_000, ..BilledUsage::default() };
    let tier = Some(PriceTier { above: 999, price: dear });
    for (other, cost, clean) in [
        (None, "0.004500003", true),
        (None, "0.004500004", false),
        // In the place of what a fallback costs for short prompts.
        (Some("other"), "0.004500003", true),
        (Some("other"), "0.004500004", false),
    ] {
        let hold = house.credit.hold(HoldRequest { price: held.clone(), ..house.ask(account, "0.05") }).await.unwrap();
        let (id, request) = (hold.id(), hold.request());
        let price = TokenPrices { version: "other".to_owned(), ..held.clone() };
        let fallback = other.map(|model| FallbackModel { model: model.to_owned(), price });
        let settlement = Settlement { usage, fallback: fallback.clone(), tier: tier.clone(), ..settlement(cost) };
        house.credit.settle(hold, settlement).await.unwrap();
        let outcome = house.credit.receipt(account, request).await.unwrap().unwrap().outcome.unwrap();
        assert_eq!((&outcome.fallback, &outcome.tier), (&fallback, &tier));
        let report = house.credit.audit().await.unwrap().to_string();
        assert_eq!(
            report.contains(&format!("charge above the price of its usage: row {id}\n")),
            !clean,
            "{cost}: {report}"
        );
        assert_fixed(
            &house,
            &[
                "UPDATE receipts SET tier_above = 1",
                "UPDATE receipts SET tier_price_id = price_id",
                "UPDATE receipts SET tier_above = NULL, tier_price_id = NULL",
                "DELETE FROM receipts",
            ],
        )
        .await;
    }
    // A prompt that does not come to the tier is not charged by it, whoever says so.
    let hold = house.hold(account, "0.05").await;
    let short = BilledUsage { prompt: 999, ..usage };
    let settlement = Settlement { usage: short, tier, ..settlement("0.001") };
    let refused = house.credit.settle(hold, settlement).await;
    assert!(matches!(refused, Err(SettleFailed::Unavailable)), "{refused:?}");
    assert_eq!(raw::number(&house.store, "SELECT count(*) FROM receipts WHERE tier_above = 999").await, 4);
}

/// Charges beside tokens are shown and audited, and fixed with the receipt.
async fn a_class_of_service_and_uses_of_tools_are_audited_at_their_prices(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let ratio = "0.5".parse().unwrap();
    let held = TokenPrices { ratio, ..price() };
    let class = ServiceClass {
        name: "service_tier: priority".to_owned(),
        price: TokenPrices { prompt: PicoUsd::new(4_000_000).unwrap(), ..held.clone() },
    };
    let line =
        |tool: &str, uses, picos| ToolUseCharge { tool: tool.to_owned(), uses, price: PicoUsd::new(picos).unwrap() };
    let uses = vec![line("web_fetch", 3, 0), line("web_search", 2, 10_000_000_000)];
    let usage = BilledUsage { prompt: 1_000, ..BilledUsage::default() };
    // Of a tier that the class is multiplied from.
    let dear = TokenPrices { prompt: PicoUsd::new(2_000_000).unwrap(), ..held.clone() };
    let tier = Some(PriceTier { above: 999, price: dear });
    for (class, uses, cost, clean) in [
        (Some(class.clone()), Vec::new(), "0.002", true),
        (Some(class.clone()), Vec::new(), "0.002000001", false),
        (None, uses.clone(), "0.011", true),
        (None, uses.clone(), "0.010999999", false),
        (Some(class), uses, "0.012", true),
    ] {
        let hold = house.credit.hold(HoldRequest { price: held.clone(), ..house.ask(account, "0.05") }).await.unwrap();
        let (id, request) = (hold.id(), hold.request());
        let services = ServiceCharges { class, uses };
        let settlement = Settlement { usage, tier: tier.clone(), services: services.clone(), ..settlement(cost) };
        house.credit.settle(hold, settlement).await.unwrap();
        let outcome = house.credit.receipt(account, request).await.unwrap().unwrap().outcome.unwrap();
        assert_eq!(outcome.services, services);
        let report = house.credit.audit().await.unwrap().to_string();
        assert_eq!(report.contains(&format!(" the price of its usage: row {id}\n")), !clean, "{cost}: {report}");
        assert_fixed(&house, &["UPDATE receipts SET class_price_id = price_id", "UPDATE receipts SET tools = '[]'"])
            .await;
    }
}

/// Archived receipts are in the sums still, and it shows where the sums are not what they came to.
async fn what_was_put_away_is_carried_forward(on: On) {
    for (more, clean) in [(0, true), (1, false)] {
        let house = TestLedger::open_on(on).await;
        let account = house.account(1, "2").await;
        let key = house.key(1, account, &[("budget_day", 1_000_000_000), ("budget_life", 2_000_000_000)]).await;
        for settled in ["0.25", "0.5"] {
            let hold = house.credit.hold(house.ask_with(account, key, "0.5")).await.unwrap();
            house.credit.settle(hold, settlement(settled)).await.unwrap();
        }
        let (unpaid, gone, held) =
            (house.hold(account, "0").await, house.hold(account, "0.3").await, house.hold(account, "0.95").await);
        house.credit.settle(unpaid, settlement("0.1")).await.unwrap();
        house.credit.release(gone, SettlementRule::NotSent, UpstreamDelivery::default()).await.unwrap();
        let before = house.credit.audit().await.unwrap();
        assert!(before.is_clean() && before.totals.shortfall > 0, "{before}");
        raw::put_away(&house.store, MONTH, more).await;
        let report = house.credit.audit().await.unwrap();
        assert_eq!(report.totals, before.totals);
        assert_eq!(report.is_clean(), clean, "{report}");
        if clean {
            assert_eq!(report, before);
        }
        drop(held);
    }
}

async fn a_clean_audit_tells_the_sums(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let held = house.hold(account, "0.4").await;
    let paid = house.hold(account, "0.5").await;
    house.credit.settle(paid, settlement("0.25")).await.unwrap();
    let report = house.credit.audit().await.unwrap();
    let json = report.to_json();
    let expected = [("posted_usd", "0.75"), ("held_usd", "0.4"), ("shortfall_usd", "0")];
    for (field, amount) in expected {
        assert_eq!(json[field], amount, "{field}");
    }
    assert_eq!(
        (json["house_usd"]["promo"].as_str(), json["house_usd"]["revenue"].as_str()),
        (Some("-1"), Some("0.25"))
    );
    assert_eq!(
        (report.totals.transfers, report.totals.holds, report.totals.holds_open, report.totals.settled),
        (1, 2, 1, 1)
    );
    assert!(report.to_string().ends_with("the books are right"), "{report}");
    drop(held);
}

on_both!(
    every_planted_difference_is_named,
    what_was_written_to_a_cache_is_audited_at_its_own_price,
    sound_and_pictures_are_audited_at_their_prices,
    a_request_and_its_reasoning_are_audited_at_the_account_s_ratio,
    an_answer_of_another_model_is_audited_at_that_model_s_prices,
    a_long_prompt_is_audited_at_the_prices_of_its_tier,
    a_class_of_service_and_uses_of_tools_are_audited_at_their_prices,
    what_was_put_away_is_carried_forward,
    a_clean_audit_tells_the_sums,
);
