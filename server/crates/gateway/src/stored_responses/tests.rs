//! Rows against a real file: whose they are, how long they last, and the key that stays.

use crate::streaming::closed_thinking::{ClientResponse, HiddenThinking};
use tollgate_base::{Clock, ManualClock};
use tollgate_store::Store;
use tollgate_store::testing::{On, on_both, temporary_on};

use super::*;

const OWNER: AccountId = AccountId(4_294_967_296);
const OTHER: AccountId = AccountId(4_294_967_297);

async fn with_accounts(store: &Store) {
    let mut transaction = store.begin().await.unwrap();
    sql::tests::account(&mut transaction, OWNER, "owner").await;
    sql::tests::account(&mut transaction, OTHER, "other").await;
    transaction.commit().await.unwrap();
}

async fn memory(on: On) -> (tempfile::TempDir, Store, ResponseStore, Clock, ManualClock) {
    let (clock, hand) = Clock::manual(1_000);
    let (folder, _, store) = temporary_on(on, &clock).await;
    with_accounts(&store).await;
    let memory = ResponseStore::open(store.clone(), clock.clone()).await.unwrap();
    (folder, store, memory, clock, hand)
}

fn row(id: &str, response: &str) -> StoredResponseRow {
    StoredResponseRow {
        id: id.into(),
        model: "m".into(),
        input: "[]".into(),
        response: response.into(),
        hidden: String::new(),
    }
}

fn told(response: &str) -> ClientResponse {
    ClientResponse { body: response.to_owned().into(), hidden: HiddenThinking::default() }
}

async fn a_response_is_its_account_s_alone(on: On) {
    let (_folder, _store, memory, _clock, _hand) = memory(on).await;
    let kept = row("resp_1", "{\"id\":\"resp_1\", \"n\":1.0}");
    memory.keep(OWNER, &kept).await.unwrap();
    assert_eq!(memory.find(OWNER, "resp_1").await.unwrap(), Some(kept.clone()));
    assert_eq!(memory.find(OTHER, "resp_1").await.unwrap(), None);
    for (account, has) in [(OWNER, true), (OTHER, false)] {
        let halves =
            (memory.input(account, "resp_1").await.unwrap(), memory.response(account, "resp_1").await.unwrap());
        assert_eq!(halves, (has.then(|| kept.input.clone()), has.then(|| kept.response.clone())));
        assert_eq!(memory.holds(account, "resp_1").await.unwrap(), has);
    }
    assert!(!memory.delete(OTHER, "resp_1").await.unwrap());
    let others = row("resp_1", "{}");
    memory.keep(OTHER, &others).await.unwrap();
    assert_eq!(memory.find(OWNER, "resp_1").await.unwrap(), Some(kept), "one name, two rows");
    assert!(memory.delete(OWNER, "resp_1").await.unwrap());
    assert!(!memory.delete(OWNER, "resp_1").await.unwrap());
    assert_eq!(memory.find(OTHER, "resp_1").await.unwrap(), Some(others));
}

async fn what_has_expired_is_gone_and_then_swept(on: On) {
    let (_folder, _store, memory, _clock, hand) = memory(on).await;
    for number in 0..1_200 {
        memory.keep(OWNER, &row(&format!("resp_{number}"), "{}")).await.unwrap();
    }
    hand.advance_ms(RETENTION_MS - 1);
    memory.keep(OWNER, &row("resp_late", "{}")).await.unwrap();
    assert!(memory.find(OWNER, "resp_7").await.unwrap().is_some());
    assert_eq!(memory.sweep().await.unwrap(), 0);
    hand.advance_ms(1);
    assert_eq!(memory.find(OWNER, "resp_7").await.unwrap(), None);
    assert_eq!(memory.input(OWNER, "resp_7").await.unwrap(), None);
    assert_eq!(memory.response(OWNER, "resp_7").await.unwrap(), None);
    assert!(!memory.holds(OWNER, "resp_7").await.unwrap());
    assert!(!memory.delete(OWNER, "resp_7").await.unwrap());
    assert_eq!(memory.sweep().await.unwrap(), 1_200, "more than one transaction takes");
    assert!(memory.find(OWNER, "resp_late").await.unwrap().is_some());
}

/// With a quota of 1000 bytes.
async fn small_memory(on: On) -> (tempfile::TempDir, Store, ResponseStore, ManualClock) {
    let (folder, store, memory, _clock, hand) = memory(on).await;
    (folder, store, ResponseStore { quota: 1_000, ..memory }, hand)
}

/// A response of so many bytes in all.
fn sized(id: &str, bytes: usize) -> StoredResponseRow {
    let row = row(id, "");
    StoredResponseRow { response: "x".repeat(bytes - row.bytes()), ..row }
}

async fn the_oldest_make_room_for_the_newest_of_their_account(on: On) {
    let (_folder, store, memory, hand) = small_memory(on).await;
    let counted = async |account| sql::tests::counted(store.readers(), account).await;
    assert!(memory.keep(OTHER, &sized("resp_other", 900)).await.unwrap());
    for number in 0..4 {
        // The first two have one time: of those, the order is the ids'.
        hand.advance_ms(i64::from(number > 1));
        assert!(memory.keep(OWNER, &sized(&format!("resp_{number}"), 250)).await.unwrap());
    }
    assert_eq!(counted(OWNER).await, 1_000, "as much as there may be");
    let there = async |ids: &[&str]| {
        for number in 0..7 {
            let id = format!("resp_{number}");
            assert_eq!(memory.find(OWNER, &id).await.unwrap().is_some(), ids.contains(&id.as_str()), "{id}");
        }
    };
    hand.advance_ms(1);
    memory.keep(OWNER, &sized("resp_4", 100)).await.unwrap();
    there(&["resp_1", "resp_2", "resp_3", "resp_4"]).await;
    assert_eq!(counted(OWNER).await, 850, "no more than has to go");
    // Told again under its old name, it counts once.
    memory.keep(OWNER, &sized("resp_1", 400)).await.unwrap();
    there(&["resp_1", "resp_2", "resp_3", "resp_4"]).await;
    assert_eq!(counted(OWNER).await, 1_000);
    // The clock was set back: what was just kept looks oldest, and stays.
    hand.advance_ms(-1_000);
    memory.keep(OWNER, &sized("resp_5", 1_000)).await.unwrap();
    there(&["resp_5"]).await;
    assert!(memory.delete(OWNER, "resp_5").await.unwrap());
    assert_eq!((counted(OWNER).await, counted(OTHER).await), (0, 900));
    assert!(memory.find(OTHER, "resp_other").await.unwrap().is_some(), "another account's are not asked");
}

async fn one_that_is_too_large_alone_is_not_kept_and_nothing_goes_for_it(on: On) {
    let (_folder, store, memory, _hand) = small_memory(on).await;
    assert!(memory.keep(OWNER, &sized("resp_0", 900)).await.unwrap());
    assert!(!memory.keep(OWNER, &sized("resp_1", 1_001)).await.unwrap());
    assert!(memory.find(OWNER, "resp_0").await.unwrap().is_some());
    assert_eq!(memory.find(OWNER, "resp_1").await.unwrap(), None);
    let keep = PendingStorage::new(memory.clone(), OWNER, "m".into(), Vec::new());
    let response = format!("{{\"id\":\"resp_2\",\"text\":\"{}\"}}", "x".repeat(1_000));
    assert!(keep.response(&told(&response)).await.unwrap().is_none());
    assert_eq!(sql::tests::counted(store.readers(), OWNER).await, 900);
}

async fn many_small_ones_make_room_for_a_large_one(on: On) {
    let (_folder, store, memory, _clock, hand) = memory(on).await;
    let memory = ResponseStore { quota: 1_200 * 40, ..memory };
    for number in 0..1_200 {
        memory.keep(OWNER, &sized(&format!("resp_{number}"), 40)).await.unwrap();
    }
    hand.advance_ms(1);
    memory.keep(OWNER, &sized("resp_large", 1_190 * 40)).await.unwrap();
    assert_eq!(sql::tests::counted(store.readers(), OWNER).await, 1_200 * 40, "ten are left beside it");
    assert!(memory.find(OWNER, "resp_large").await.unwrap().is_some());
}

async fn texts_are_counted_in_bytes(on: On) {
    let (_folder, store, memory, _hand) = small_memory(on).await;
    memory.keep(OWNER, &row("resp_\u{e9}", "{\"text\":\"\u{1f600}\"}")).await.unwrap();
    assert_eq!(sql::tests::counted(store.readers(), OWNER).await, 25);
}

/// A response with items in its input and output.
fn with_items(id: &str, input: &[&str], output: &[&str]) -> StoredResponseRow {
    let list = |ids: &[&str]| {
        format!("[{}]", ids.iter().map(|id| format!("{{\"id\":\"{id}\"}}")).collect::<Vec<_>>().join(","))
    };
    let response = format!("{{\"id\":\"{id}\",\"output\":{}}}", list(output));
    StoredResponseRow { input: list(input), ..row(id, &response) }
}

async fn an_item_is_found_in_the_newest_response_of_its_account(on: On) {
    let (_folder, store, memory, hand) = small_memory(on).await;
    let holders = async |account, items: &[&str]| {
        let items = items.iter().map(|item| (*item).to_owned()).collect();
        let mut holders = memory.holders(account, &items).await.unwrap();
        holders.sort();
        holders
    };
    memory.keep(OWNER, &with_items("resp_1", &["a", "b"], &["c", "c"])).await.unwrap();
    memory.keep(OTHER, &with_items("resp_2", &["a"], &["z"])).await.unwrap();
    assert_eq!(holders(OWNER, &["a", "c", "z", "y"]).await, ["resp_1"]);
    assert_eq!(holders(OTHER, &["a", "b"]).await, ["resp_2"]);
    hand.advance_ms(1);
    memory.keep(OWNER, &with_items("resp_3", &["a", "c"], &["d"])).await.unwrap();
    assert_eq!(holders(OWNER, &["a", "c", "d"]).await, ["resp_3"]);
    assert_eq!(holders(OWNER, &["a", "b"]).await, ["resp_1", "resp_3"]);
    // They go with their response, whether it is forgotten, makes room or has expired.
    memory.delete(OWNER, "resp_3").await.unwrap();
    assert_eq!(holders(OWNER, &["a", "b", "c", "d"]).await, ["resp_1"]);
    memory.keep(OWNER, &sized("resp_4", 1_000)).await.unwrap();
    assert!(holders(OWNER, &["a", "b", "c", "d"]).await.is_empty());
    hand.advance_ms(RETENTION_MS);
    memory.sweep().await.unwrap();
    assert!(holders(OTHER, &["a", "z"]).await.is_empty());
    assert_eq!(sql::tests::items(store.readers()).await, 0, "none is left behind");
}

async fn the_newest_items_of_a_long_conversation_are_found(on: On) {
    let (_folder, store, memory, _clock, _hand) = memory(on).await;
    let ids: Vec<String> = (0..ITEMS + 10).map(|number| format!("item_{number}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let long = "x".repeat(257);
    memory.keep(OWNER, &with_items("resp_1", &ids, &["out", &long, "two words", "\u{e9}"])).await.unwrap();
    assert_eq!(sql::tests::items(store.readers()).await, i64::try_from(ITEMS).unwrap());
    for (item, found) in [("out", true), (ids[11], true), (ids[10], false)] {
        let holders = memory.holders(OWNER, &BTreeSet::from([item.to_owned()])).await.unwrap();
        assert_eq!(!holders.is_empty(), found, "{item}");
    }
}

async fn the_key_is_made_once(on: On) {
    let (_folder, store, memory, clock, _hand) = memory(on).await;
    let closed = memory.seal().close(OWNER, "m", "said");
    let again = ResponseStore::open(store, clock).await.unwrap();
    assert_eq!(again.seal().open(OWNER, &closed).as_deref(), Ok("said"));
}

async fn a_response_without_a_name_is_not_kept(on: On) {
    let (_folder, _store, memory, _clock, _hand) = memory(on).await;
    for response in ["{}", "{\"id\":\"\"}", "{\"id\":7}", "no"] {
        let keep = PendingStorage::new(memory.clone(), OWNER, "m".into(), Vec::new());
        assert!(keep.response(&told(response)).await.unwrap().is_none());
    }
    let keep = PendingStorage::new(memory.clone(), OWNER, "m".into(), Vec::new());
    let kept = keep.response(&told("{\"id\":\"resp_\\u0031\"}")).await.unwrap().unwrap();
    assert!(memory.find(OWNER, "resp_1").await.unwrap().is_some());
    kept.undo().await;
    assert!(memory.find(OWNER, "resp_1").await.unwrap().is_none());
}

on_both!(
    a_response_is_its_account_s_alone,
    what_has_expired_is_gone_and_then_swept,
    the_oldest_make_room_for_the_newest_of_their_account,
    one_that_is_too_large_alone_is_not_kept_and_nothing_goes_for_it,
    many_small_ones_make_room_for_a_large_one,
    texts_are_counted_in_bytes,
    an_item_is_found_in_the_newest_response_of_its_account,
    the_newest_items_of_a_long_conversation_are_found,
    the_key_is_made_once,
    a_response_without_a_name_is_not_kept,
);
