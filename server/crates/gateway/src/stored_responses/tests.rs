//! Rows against a real file: whose they are, how long they last, and the key that stays.

use futures_util::future::join_all;
use serde_json::value::RawValue;

use crate::streaming::closed_thinking::{ClientResponse, HiddenThinking};
use tollgate_base::{Clock, ManualClock};
use tollgate_store::Store;
use tollgate_store::testing::{On, on_both, temporary_on};

use super::writer::RETENTION_MS;
use super::*;

const OWNER: AccountId = AccountId(4_294_967_296);
const OTHER: AccountId = AccountId(4_294_967_297);

async fn memory(on: On) -> (tempfile::TempDir, Store, ResponseStore, Clock, ManualClock) {
    let (clock, hand) = Clock::manual(1_000);
    let (folder, _, store) = temporary_on(on, &clock).await;
    let memory = ResponseStore::open(store.clone(), clock.clone()).await.unwrap();
    (folder, store, memory, clock, hand)
}

fn new(id: &str, response: &str) -> NewResponse {
    let (response, hidden) = (response.to_owned(), String::new());
    NewResponse { id: id.into(), model: "m".into(), input: Vec::new(), parent: None, response, hidden }
}

fn told(response: &str) -> ClientResponse {
    ClientResponse { body: response.to_owned().into(), hidden: HiddenThinking::default() }
}

/// Waits until the writer has done all that it was asked before.
async fn written(memory: &ResponseStore) {
    assert!(!memory.delete(OTHER, "nobody's").await.unwrap());
}

async fn counted(memory: &ResponseStore, account: AccountId) -> i64 {
    written(memory).await;
    sql::tests::counted(memory.readers(), account).await
}

/// The response of that id, if the account has it; read by each way, when the writer is done with what came before.
async fn found(memory: &ResponseStore, account: AccountId, id: &str) -> Option<String> {
    written(memory).await;
    let response = memory.response(account, id).await.unwrap();
    let conversation = memory.find(account, id).await.unwrap();
    let last = conversation.as_ref().and_then(|conversation| conversation.rows.last());
    assert_eq!(last.map(|row| row.response.clone()), response);
    assert_eq!(memory.holds(account, id).await.unwrap(), response.is_some());
    response
}

async fn a_response_is_its_account_s_alone(on: On) {
    let (_folder, _store, memory, _clock, _hand) = memory(on).await;
    let text = "{\"id\":\"resp_1\", \"n\":1.0}";
    memory.keep(OWNER, new("resp_1", text)).await.unwrap();
    assert_eq!(found(&memory, OWNER, "resp_1").await.as_deref(), Some(text));
    assert_eq!(found(&memory, OTHER, "resp_1").await, None);
    assert!(!memory.delete(OTHER, "resp_1").await.unwrap());
    memory.keep(OTHER, new("resp_1", "{}")).await.unwrap();
    assert_eq!(found(&memory, OWNER, "resp_1").await.as_deref(), Some(text), "one name, two rows");
    assert!(memory.delete(OWNER, "resp_1").await.unwrap());
    assert!(!memory.delete(OWNER, "resp_1").await.unwrap());
    assert_eq!(found(&memory, OTHER, "resp_1").await.as_deref(), Some("{}"));
}

async fn what_has_expired_is_gone_and_then_swept(on: On) {
    let (_folder, _store, memory, _clock, hand) = memory(on).await;
    let keeping = (0..1_200).map(|number| memory.keep(OWNER, new(&format!("resp_{number}"), "{}")));
    for kept in join_all(keeping.collect::<Vec<_>>()).await {
        assert!(kept.unwrap());
    }
    hand.advance_ms(RETENTION_MS - 1);
    memory.keep(OWNER, new("resp_late", "{}")).await.unwrap();
    assert!(found(&memory, OWNER, "resp_7").await.is_some());
    assert_eq!(memory.sweep().await.unwrap(), 0);
    hand.advance_ms(1);
    assert_eq!(found(&memory, OWNER, "resp_7").await, None);
    assert!(!memory.delete(OWNER, "resp_7").await.unwrap());
    assert_eq!(memory.sweep().await.unwrap(), 1_200, "more than one transaction takes");
    assert!(found(&memory, OWNER, "resp_late").await.is_some());
}

/// With a quota of 1000 bytes.
async fn small_memory(on: On) -> (tempfile::TempDir, Store, ResponseStore, ManualClock) {
    let (folder, store, memory, _clock, hand) = memory(on).await;
    (folder, store, ResponseStore { quota: 1_000, ..memory }, hand)
}

/// A response of so many bytes in all.
fn sized(id: &str, bytes: usize) -> NewResponse {
    let least = id.len() + "m".len() + "[]".len();
    new(id, &"x".repeat(bytes - least))
}

async fn the_oldest_make_room_for_the_newest_of_their_account(on: On) {
    let (_folder, _store, memory, hand) = small_memory(on).await;
    let counted = async |account| counted(&memory, account).await;
    assert!(memory.keep(OTHER, sized("resp_other", 900)).await.unwrap());
    for number in 0..4 {
        assert!(memory.keep(OWNER, sized(&format!("resp_{number}"), 250)).await.unwrap());
    }
    assert_eq!(counted(OWNER).await, 1_000, "as much as there may be");
    let there = async |ids: &[&str]| {
        for number in 0..7 {
            let id = format!("resp_{number}");
            assert_eq!(found(&memory, OWNER, &id).await.is_some(), ids.contains(&id.as_str()), "{id}");
        }
    };
    hand.advance_ms(1);
    memory.keep(OWNER, sized("resp_4", 100)).await.unwrap();
    there(&["resp_1", "resp_2", "resp_3", "resp_4"]).await;
    assert_eq!(counted(OWNER).await, 850, "no more than has to go");
    // Told again under its old name, it counts once, and is the newest.
    memory.keep(OWNER, sized("resp_1", 400)).await.unwrap();
    there(&["resp_1", "resp_2", "resp_3", "resp_4"]).await;
    assert_eq!(counted(OWNER).await, 1_000);
    memory.keep(OWNER, sized("resp_6", 250)).await.unwrap();
    there(&["resp_1", "resp_3", "resp_4", "resp_6"]).await;
    memory.keep(OWNER, sized("resp_5", 1_000)).await.unwrap();
    there(&["resp_5"]).await;
    assert!(memory.delete(OWNER, "resp_5").await.unwrap());
    assert_eq!((counted(OWNER).await, counted(OTHER).await), (0, 900));
    assert!(found(&memory, OTHER, "resp_other").await.is_some(), "another account's are not asked");
}

async fn one_that_is_too_large_alone_is_not_kept_and_nothing_goes_for_it(on: On) {
    let (_folder, _store, memory, _hand) = small_memory(on).await;
    assert!(memory.keep(OWNER, sized("resp_0", 900)).await.unwrap());
    assert!(!memory.keep(OWNER, sized("resp_1", 1_001)).await.unwrap());
    assert!(found(&memory, OWNER, "resp_0").await.is_some());
    assert_eq!(found(&memory, OWNER, "resp_1").await, None);
    let keep = PendingStorage::new(memory.clone(), OWNER, "m".into(), Vec::new(), None);
    let response = format!("{{\"id\":\"resp_2\",\"text\":\"{}\"}}", "x".repeat(1_000));
    assert!(keep.response(&told(&response)).await.unwrap().is_none());
    assert_eq!(counted(&memory, OWNER).await, 900);
}

async fn many_small_ones_make_room_for_a_large_one(on: On) {
    let (_folder, _store, memory, _clock, hand) = memory(on).await;
    let memory = ResponseStore { quota: 1_200 * 40, ..memory };
    for number in 0..1_200 {
        memory.keep(OWNER, sized(&format!("resp_{number}"), 40)).await.unwrap();
    }
    hand.advance_ms(1);
    memory.keep(OWNER, sized("resp_large", 1_190 * 40)).await.unwrap();
    assert_eq!(counted(&memory, OWNER).await, 1_200 * 40, "ten are left beside it");
    assert!(found(&memory, OWNER, "resp_large").await.is_some());
}

async fn texts_are_counted_in_bytes(on: On) {
    let (_folder, _store, memory, _hand) = small_memory(on).await;
    memory.keep(OWNER, new("resp_\u{e9}", "{\"text\":\"\u{1f600}\"}")).await.unwrap();
    assert_eq!(counted(&memory, OWNER).await, 25);
}

fn items(ids: &[&str]) -> Vec<Box<RawValue>> {
    let item = |id: &&str| RawValue::from_string(format!("{{\"id\":\"{id}\"}}")).unwrap();
    ids.iter().map(item).collect()
}

/// A response with items in its input and output.
fn with_items(id: &str, input: &[&str], output: &[&str]) -> NewResponse {
    let output = serde_json::to_string(&items(output)).unwrap();
    NewResponse { input: items(input), ..new(id, &format!("{{\"id\":\"{id}\",\"output\":{output}}}")) }
}

/// The same that goes on from a stored one.
async fn going_on(memory: &ResponseStore, from: &str, id: &str, input: &[&str], output: &[&str]) -> NewResponse {
    let from = memory.find(OWNER, from).await.unwrap().unwrap();
    let mut whole = from.items().unwrap();
    let parent = from.as_parent(&whole);
    whole.extend(items(input));
    NewResponse { input: whole, parent, ..with_items(id, &[], output) }
}

fn ids(items: &[Box<RawValue>]) -> Vec<String> {
    items.iter().map(|item| item.get().replace("{\"id\":\"", "").replace("\"}", "")).collect()
}

async fn an_item_is_found_in_the_newest_response_of_its_account(on: On) {
    let (_folder, _store, memory, hand) = small_memory(on).await;
    let holders = async |account, items: &[&str]| {
        let mut found = BTreeSet::new();
        written(&memory).await;
        for row in memory.holders(account, &items.iter().map(|item| (*item).to_owned()).collect()).await.unwrap() {
            let row = memory.row(account, row).await.unwrap().unwrap();
            found.insert(row.response[7..13].to_owned());
            let other = if account == OWNER { OTHER } else { OWNER };
            assert_eq!(memory.row(other, row.seq).await.unwrap(), None);
        }
        Vec::from_iter(found)
    };
    memory.keep(OWNER, with_items("resp_1", &["a", "b"], &["c", "c"])).await.unwrap();
    memory.keep(OTHER, with_items("resp_2", &["a"], &["z"])).await.unwrap();
    assert_eq!(holders(OWNER, &["a", "c", "z", "y"]).await, ["resp_1"]);
    assert_eq!(holders(OTHER, &["a", "b"]).await, ["resp_2"]);
    memory.keep(OWNER, with_items("resp_3", &["a", "c"], &["d"])).await.unwrap();
    assert_eq!(holders(OWNER, &["a", "c", "d"]).await, ["resp_3"]);
    assert_eq!(holders(OWNER, &["a", "b"]).await, ["resp_1", "resp_3"]);
    // They go with their response, whether it is forgotten, makes room or has expired.
    memory.delete(OWNER, "resp_3").await.unwrap();
    assert_eq!(holders(OWNER, &["a", "b", "c", "d"]).await, ["resp_1"]);
    memory.keep(OWNER, sized("resp_4", 1_000)).await.unwrap();
    assert!(holders(OWNER, &["a", "b", "c", "d"]).await.is_empty());
    hand.advance_ms(RETENTION_MS);
    memory.sweep().await.unwrap();
    assert!(holders(OTHER, &["a", "z"]).await.is_empty());
    assert_eq!(sql::tests::rows(memory.readers()).await, (0, 0), "none is left behind");
}

async fn a_conversation_is_stored_once_and_read_whole(on: On) {
    let (_folder, _store, memory, _clock, _hand) = memory(on).await;
    memory.keep(OWNER, with_items("resp_1", &["a"], &["b"])).await.unwrap();
    for (from, id, input, output) in
        [("resp_1", "resp_2", "c", "d"), ("resp_2", "resp_3", "e", "f"), ("resp_1", "resp_x", "x", "y")]
    {
        let response = going_on(&memory, from, id, &[input], &[output]).await;
        assert!(memory.keep(OWNER, response).await.unwrap());
    }
    let found = memory.find(OWNER, "resp_3").await.unwrap().unwrap();
    assert_eq!(ids(&found.items().unwrap()), ["a", "b", "c", "d", "e", "f"]);
    assert_eq!(ids(&found.input().unwrap()), ["a", "b", "c", "d", "e"]);
    let own: Vec<&str> = found.rows.iter().map(|row| row.input.as_str()).collect();
    assert_eq!(own, ["[{\"id\":\"a\"}]", "[{\"id\":\"c\"}]", "[{\"id\":\"e\"}]"], "each row has its own alone");
    let branch = memory.find(OWNER, "resp_x").await.unwrap().unwrap();
    assert_eq!(ids(&branch.items().unwrap()), ["a", "b", "x", "y"]);
    let counted = counted(&memory, OWNER).await;
    assert!(counted < 4 * 80, "{counted}");
}

async fn what_others_go_on_from_stays_until_they_are_gone(on: On) {
    let (_folder, _store, memory, _clock, hand) = memory(on).await;
    memory.keep(OWNER, with_items("resp_1", &["a"], &["b"])).await.unwrap();
    hand.advance_ms(RETENTION_MS - 1);
    memory.keep(OWNER, going_on(&memory, "resp_1", "resp_2", &["c"], &["d"]).await).await.unwrap();
    memory.keep(OWNER, going_on(&memory, "resp_2", "resp_3", &["e"], &["f"]).await).await.unwrap();
    let whole = ["a", "b", "c", "d", "e", "f"];
    let read = async || ids(&memory.find(OWNER, "resp_3").await.unwrap().unwrap().items().unwrap());
    // One has expired, one was deleted: nobody finds them, and the last one has them.
    hand.advance_ms(1);
    assert_eq!(memory.sweep().await.unwrap(), 0, "it is forgotten and there");
    assert!(memory.delete(OWNER, "resp_2").await.unwrap());
    assert!(!memory.delete(OWNER, "resp_2").await.unwrap());
    assert_eq!((found(&memory, OWNER, "resp_1").await, found(&memory, OWNER, "resp_2").await), (None, None));
    assert_eq!(read().await, whole);
    let holders = memory.holders(OWNER, &BTreeSet::from(["a".to_owned()])).await.unwrap();
    assert_eq!(ids(&memory.row(OWNER, holders[0]).await.unwrap().unwrap().items().unwrap()), ["a", "b"]);
    // Their names are free, and another of such a name is another one.
    memory.keep(OWNER, with_items("resp_2", &["other"], &[])).await.unwrap();
    assert_eq!(read().await, whole);
    assert_eq!(sql::tests::rows(memory.readers()).await.0, 4);
    assert!(memory.delete(OWNER, "resp_3").await.unwrap());
    assert_eq!(sql::tests::rows(memory.readers()).await, (1, 1), "all three are gone with their items");
    counted(&memory, OWNER).await;
}

async fn one_that_goes_on_from_what_is_gone_is_stored_whole(on: On) {
    let (_folder, _store, memory, _clock, _hand) = memory(on).await;
    memory.keep(OWNER, with_items("resp_1", &["a"], &["b"])).await.unwrap();
    let next = going_on(&memory, "resp_1", "resp_2", &["c"], &["d"]).await;
    assert!(memory.delete(OWNER, "resp_1").await.unwrap());
    assert_eq!(sql::tests::rows(memory.readers()).await, (0, 0));
    // Beside others that share its transaction.
    let others = (0..3).map(|number| with_items(&format!("resp_o{number}"), &["o"], &[])).chain([next]);
    let keeping = others.map(|response| memory.keep(OWNER, response));
    for kept in join_all(keeping.collect::<Vec<_>>()).await {
        assert!(kept.unwrap());
    }
    let found = memory.find(OWNER, "resp_2").await.unwrap().unwrap();
    assert_eq!((found.rows.len(), ids(&found.items().unwrap())), (1, ["a", "b", "c", "d"].map(str::to_owned).to_vec()));
    let holders = memory.holders(OWNER, &BTreeSet::from(["a".to_owned(), "o".to_owned()])).await.unwrap();
    assert_eq!(holders.len(), 2);
    counted(&memory, OWNER).await;
}

/// A server that lost its last commits may give their numbers again.
async fn one_goes_on_from_no_other_row_that_has_the_number_of_its_own(on: On) {
    let (_folder, _store, memory, _clock, _hand) = memory(on).await;
    memory.keep(OTHER, with_items("resp_1", &["theirs"], &[])).await.unwrap();
    memory.keep(OWNER, with_items("resp_0", &["a"], &["b"])).await.unwrap();
    let theirs = memory.find(OTHER, "resp_1").await.unwrap().unwrap().rows[0].seq;
    for (seq, id) in [(theirs, "resp_1"), (theirs, "resp_0")] {
        let mut next = going_on(&memory, "resp_0", "resp_2", &["c"], &["d"]).await;
        let parent = next.parent.take().unwrap();
        next.parent = Some(ParentResponse { seq, id: id.to_owned(), ..parent });
        assert!(memory.keep(OWNER, next).await.unwrap());
        let found = memory.find(OWNER, "resp_2").await.unwrap().unwrap();
        let whole = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        assert_eq!((found.rows.len(), ids(&found.items().unwrap())), (1, whole));
    }
}

async fn a_long_conversation_goes_with_its_last_turn_up_to_a_branch(on: On) {
    let (_folder, _store, memory, _clock, _hand) = memory(on).await;
    memory.keep(OWNER, with_items("resp_0", &["i"], &[])).await.unwrap();
    for number in 1..120 {
        let (from, id) = (format!("resp_{}", number - 1), format!("resp_{number}"));
        memory.keep(OWNER, going_on(&memory, &from, &id, &[&format!("i{number}")], &[]).await).await.unwrap();
    }
    memory.keep(OWNER, going_on(&memory, "resp_9", "resp_x", &["x"], &[]).await).await.unwrap();
    for number in 0..120 {
        assert!(memory.delete(OWNER, &format!("resp_{number}")).await.unwrap());
    }
    assert_eq!(sql::tests::rows(memory.readers()).await, (11, 11), "what the branch goes on from, and it");
    assert_eq!(memory.find(OWNER, "resp_x").await.unwrap().unwrap().rows.len(), 11);
    assert!(memory.delete(OWNER, "resp_x").await.unwrap());
    assert_eq!(sql::tests::rows(memory.readers()).await, (0, 0));
    assert_eq!(counted(&memory, OWNER).await, 0);
}

async fn two_of_one_name_at_once_are_one(on: On) {
    let (_folder, _store, memory, _clock, _hand) = memory(on).await;
    let keeping = (0..40).map(|number| memory.keep(OWNER, with_items("resp_1", &[&format!("i{number}")], &[])));
    for kept in join_all(keeping.collect::<Vec<_>>()).await {
        assert!(kept.unwrap());
    }
    assert_eq!(sql::tests::rows(memory.readers()).await, (1, 1));
    counted(&memory, OWNER).await;
}

async fn one_may_have_the_name_of_what_it_goes_on_from(on: On) {
    let (_folder, _store, memory, _clock, _hand) = memory(on).await;
    memory.keep(OWNER, with_items("resp_1", &["a"], &["b"])).await.unwrap();
    for _ in 0..2 {
        let next = going_on(&memory, "resp_1", "resp_1", &["c"], &["d"]).await;
        assert!(memory.keep(OWNER, next).await.unwrap());
    }
    let found = memory.find(OWNER, "resp_1").await.unwrap().unwrap();
    assert_eq!(ids(&found.items().unwrap()), ["a", "b", "c", "d", "c", "d"]);
    counted(&memory, OWNER).await;
    assert!(memory.delete(OWNER, "resp_1").await.unwrap());
    assert_eq!(sql::tests::rows(memory.readers()).await, (0, 0));
}

async fn a_conversation_above_the_quota_is_not_kept_and_one_below_it_drops_the_rest(on: On) {
    let (_folder, _store, memory, _hand) = small_memory(on).await;
    let long = "i".repeat(200);
    memory.keep(OWNER, with_items("resp_0", &[&long], &[])).await.unwrap();
    memory.keep(OWNER, with_items("resp_1", &["a"], &[&long])).await.unwrap();
    for number in 2..4 {
        let (from, id) = (format!("resp_{}", number - 1), format!("resp_{number}"));
        assert!(memory.keep(OWNER, going_on(&memory, &from, &id, &["b"], &[&long]).await).await.unwrap());
    }
    assert_eq!(found(&memory, OWNER, "resp_0").await, None, "the oldest made room");
    assert_eq!(memory.find(OWNER, "resp_3").await.unwrap().unwrap().rows.len(), 3);
    let above = going_on(&memory, "resp_3", "resp_4", &["c"], &[&long]).await;
    assert!(!memory.keep(OWNER, above).await.unwrap());
    assert!(found(&memory, OWNER, "resp_3").await.is_some());
    // One that stands alone makes all of the conversation go, whose first rows are of no use without the last.
    assert!(memory.keep(OWNER, sized("resp_5", 900)).await.unwrap());
    assert_eq!(counted(&memory, OWNER).await, 900);
}

async fn the_newest_items_of_a_long_conversation_are_found(on: On) {
    let (_folder, _store, memory, _clock, _hand) = memory(on).await;
    let ids: Vec<String> = (0..ITEMS + 10).map(|number| format!("item_{number}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let long = "x".repeat(257);
    memory.keep(OWNER, with_items("resp_1", &ids, &["out", &long, "two words", "\u{e9}"])).await.unwrap();
    assert_eq!(sql::tests::rows(memory.readers()).await.1, i64::try_from(ITEMS).unwrap());
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
        let keep = PendingStorage::new(memory.clone(), OWNER, "m".into(), Vec::new(), None);
        assert!(keep.response(&told(response)).await.unwrap().is_none());
    }
    let keep = PendingStorage::new(memory.clone(), OWNER, "m".into(), Vec::new(), None);
    let kept = keep.response(&told("{\"id\":\"resp_\\u0031\"}")).await.unwrap().unwrap();
    assert!(found(&memory, OWNER, "resp_1").await.is_some());
    kept.undo().await;
    assert!(found(&memory, OWNER, "resp_1").await.is_none());
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
    a_conversation_is_stored_once_and_read_whole,
    what_others_go_on_from_stays_until_they_are_gone,
    one_that_goes_on_from_what_is_gone_is_stored_whole,
    one_goes_on_from_no_other_row_that_has_the_number_of_its_own,
    a_long_conversation_goes_with_its_last_turn_up_to_a_branch,
    two_of_one_name_at_once_are_one,
    one_may_have_the_name_of_what_it_goes_on_from,
    a_conversation_above_the_quota_is_not_kept_and_one_below_it_drops_the_rest,
    the_key_is_made_once,
    a_response_without_a_name_is_not_kept,
);
