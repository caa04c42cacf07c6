//! `/v1/responses/{response_id}`: stored responses. Those of other accounts answer as if they did not exist.

use std::borrow::Cow;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::Gateway;
use tollgate_api::generated::errors::{code, envelopes};
use tollgate_api::generated::ops::responses::{
    CancelResponse, CancelResponseError, CancelResponseInput, DeleteResponse, DeleteResponseError, DeleteResponseInput,
    GetResponse, GetResponseError, GetResponseInput, ListResponseInputItems, ListResponseInputItemsError,
    ListResponseInputItemsInput,
};
use tollgate_api::generated::types::ResponseDeleted;
use tollgate_api::{Code, Cx, Declares, OperationError, ProxyReply, ProxyReplyBody, raise};
use tollgate_store::StoreError;

use super::turn;

impl GetResponse for Gateway {
    async fn get_response(&self, cx: &Cx, input: GetResponseInput) -> Result<ProxyReply, GetResponseError> {
        let GetResponseInput { caller, response_id, .. } = input;
        let response = self.memory.response(caller.account, &response_id).await;
        Ok(json(found::<_, GetResponseError>(cx, response, response_id)?.into()))
    }
}

impl DeleteResponse for Gateway {
    async fn delete_response(
        &self,
        cx: &Cx,
        input: DeleteResponseInput,
    ) -> Result<ResponseDeleted, DeleteResponseError> {
        let DeleteResponseInput { caller, response_id } = input;
        match self.memory.delete(caller.account, &response_id).await {
            Ok(true) => Ok(ResponseDeleted { id: response_id, object: "response", deleted: true }),
            Ok(false) => Err(DeleteResponseError::ResponseNotFound { response_id }),
            Err(error) => Err(unavailable(cx, &*error)),
        }
    }
}

impl CancelResponse for Gateway {
    async fn cancel_response(&self, cx: &Cx, input: CancelResponseInput) -> Result<ProxyReply, CancelResponseError> {
        let CancelResponseInput { caller, response_id, .. } = input;
        match self.memory.holds(caller.account, &response_id).await {
            // A response is stored only after it has ended.
            Ok(true) => Err(CancelResponseError::NotCancellable { response_id }),
            Ok(false) => Err(CancelResponseError::ResponseNotFound { response_id }),
            Err(error) => Err(unavailable(cx, &error)),
        }
    }
}

impl ListResponseInputItems for Gateway {
    async fn list_response_input_items(
        &self,
        cx: &Cx,
        input: ListResponseInputItemsInput,
    ) -> Result<ProxyReply, ListResponseInputItemsError> {
        let ListResponseInputItemsInput { caller, response_id, after, limit, order } = input;
        let conversation = self.memory.find(caller.account, &response_id).await;
        let conversation = found::<_, ListResponseInputItemsError>(cx, conversation, response_id)?;
        let input = conversation.input().map_err(|error| unavailable(cx, &error))?;
        let wrong = |parameter: &str, expected: &str, found: String| {
            let (parameter, expected) = (parameter.to_owned(), expected.to_owned());
            Ok(turn::rendered(cx, &envelopes::O, &code::BadParameter { parameter, expected, found }.failure()))
        };
        let newest_first = match order.as_str() {
            "desc" => true,
            "asc" => false,
            _ => return wrong("order", "`asc` or `desc`", order),
        };
        let items: Vec<&RawValue> = input.iter().map(|item| &**item).collect();
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        match page(items, newest_first, after.as_deref(), limit) {
            Some(page) => Ok(json(page)),
            None => wrong("after", "the id of an item of this response", after.unwrap_or_default()),
        }
    }
}

/// The stored value, or the operation's error.
fn found<T, E>(cx: &Cx, read: Result<Option<T>, StoreError>, response_id: String) -> Result<T, E>
where
    E: OperationError + Declares<code::ResponseNotFound> + Declares<code::LedgerUnavailable>,
{
    match read {
        Ok(Some(found)) => Ok(found),
        Ok(None) => Err(raise(code::ResponseNotFound { response_id })),
        Err(error) => Err(unavailable(cx, &error)),
    }
}

fn unavailable<E: Declares<code::LedgerUnavailable>>(cx: &Cx, error: &(dyn std::error::Error + 'static)) -> E {
    let request_id = cx.request_id;
    tracing::error!(%request_id, error, "stored responses cannot be read or written");
    raise(code::LedgerUnavailable {})
}

fn json(body: Bytes) -> ProxyReply {
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    ProxyReply { status: StatusCode::OK, headers, body: ProxyReplyBody::Whole(body) }
}

#[derive(Serialize)]
struct InputItemPage<'a> {
    object: &'static str,
    data: &'a [&'a RawValue],
    first_id: Option<Cow<'a, str>>,
    last_id: Option<Cow<'a, str>>,
    has_more: bool,
}

#[derive(Deserialize)]
struct InputItemId<'a> {
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
}

fn id(item: &RawValue) -> Option<Cow<'_, str>> {
    serde_json::from_str::<InputItemId<'_>>(item.get()).ok().and_then(|named| named.id)
}

/// The items after `after`, at most `limit`; `None` where `after` is no item.
fn page(mut items: Vec<&RawValue>, newest_first: bool, after: Option<&str>, limit: usize) -> Option<Bytes> {
    if newest_first {
        items.reverse();
    }
    let start = match after {
        Some(after) => items.iter().position(|item| id(item).as_deref() == Some(after))? + 1,
        None => 0,
    };
    let rest = &items[start..];
    let data = &rest[..limit.min(rest.len())];
    let page = InputItemPage {
        object: "list",
        data,
        first_id: data.first().and_then(|item| id(item)),
        last_id: data.last().and_then(|item| id(item)),
        has_more: data.len() < rest.len(),
    };
    Some(serde_json::to_vec(&page).expect("texts and JSON are JSON").into())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn pages_follow_each_other_to_the_end() {
        let input = r#"[{"id":"a","n":1.0},{"id":"b"},{"id":"c"}]"#;
        let items: Vec<&RawValue> = serde_json::from_str(input).expect("a list");
        for (newest_first, after, limit, ids, has_more) in [
            (true, None, 2, &["c", "b"][..], true),
            (true, Some("b"), 2, &["a"], false),
            (true, Some("a"), 2, &[], false),
            (false, None, 1, &["a"], true),
            (false, Some("a"), 20, &["b", "c"], false),
        ] {
            let page = page(items.clone(), newest_first, after, limit).expect("a page");
            let page: Value = serde_json::from_slice(&page).expect("JSON");
            let found: Vec<&str> =
                page["data"].as_array().expect("a list").iter().flat_map(|item| item["id"].as_str()).collect();
            assert_eq!((found.as_slice(), &page["has_more"]), (ids, &Value::Bool(has_more)));
            assert_eq!(page["first_id"].as_str(), ids.first().copied());
            assert_eq!(page["last_id"].as_str(), ids.last().copied());
        }
        assert_eq!(page(items, true, Some("z"), 2), None);
    }
}
