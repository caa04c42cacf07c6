//! Reads off the writer's path.

use std::collections::{BTreeMap, BTreeSet};

use super::terms::{hold_terms, outcome_columns, price_columns, receipt_terms, tagged};
use crate::receipt_query::{ReceiptPosition, ReceiptQuery, ReceiptState};
use crate::{
    AccountBalance, BilledUsage, FallbackModel, HoldOutcome, MediaTokens, PriceTier, Receipt, ResolutionKind,
    ServiceCharges, ServiceClass, TokenPrices, ToolUseCharge, UpstreamDelivery,
};
use tollgate_base::{AccountId, HoldId, KeyId, PicoUsd, PoolId, PriceRatio, RequestId, RequestTags, Usd};
use tollgate_store::{BoundStatement, BoundValue, DatabaseRow, ReadPool, SqlText, StatementTarget, StoreError, query};

const BALANCE: &str = "SELECT posted, held FROM balances WHERE account_id = $1";
/// Expired holds, the oldest first, a page at a time. Only the holds of this start: the live ones of another are not known here.
const EXPIRED: &str = "SELECT id, account_id, expires_at FROM holds WHERE kept = 0 AND expires_at <= $1 AND epoch = $2 \
    AND (expires_at, id) > ($3, $4) ORDER BY expires_at, id LIMIT $5";
/// The owner is part of the question: who asks for another's receipt finds nothing. An open hold is told as a receipt without its
/// end.
macro_rules! open_holds {
    ($which:literal) => {
        concat!("SELECT ", hold_terms!(), ", NULL FROM holds h WHERE ", $which)
    };
}
macro_rules! receipts {
    ($which:literal) => {
        concat!("SELECT ", receipt_terms!(), ", ", outcome_columns!(), ", resolved_at FROM receipts WHERE ", $which)
    };
}

const OPEN_HOLD_OF_ANY: &str = open_holds!("h.request_id = $1");
const RECEIPT_OF_ANY: &str = receipts!("request_id = $1");
const OPEN_HOLD: &str = open_holds!("h.request_id = $1 AND h.account_id = $2");
const RECEIPT: &str = receipts!("request_id = $1 AND account_id = $2");
/// From one mark, which is not part of it, down to another, which is.
const OPEN_HOLDS: &str = concat!(
    open_holds!("h.account_id = $1"),
    " AND (h.created_at, h.id) < ($2, $3) AND (h.created_at, h.id) >= ($4, $5) \
        AND ($6 IS NULL OR h.key_id = $6) AND ($7 IS NULL OR h.model = $7) AND ($8 IS NULL OR $8 = 'held') \
        AND ($10 IS NULL OR h.key_id IN (SELECT k.id FROM api_keys k WHERE k.account_id = $1 AND k.team_id = $10)) \
        AND ($11 IS NULL OR h.key_id IN (SELECT k.id FROM api_keys k WHERE k.account_id = $1 AND k.member_id = $11)) AND ",
    tagged!("h.tags", "$12"),
    " ORDER BY h.created_at DESC, h.id DESC LIMIT $9"
);
const RECEIPTS: &str = concat!(
    receipts!("account_id = $1"),
    " AND (created_at, hold_id) < ($2, $3) AND (created_at, hold_id) >= ($4, $5) \
        AND ($6 IS NULL OR key_id = $6) AND ($7 IS NULL OR model = $7) AND ($8 IS NULL OR state = $8) \
        AND ($10 IS NULL OR key_id IN (SELECT k.id FROM api_keys k WHERE k.account_id = $1 AND k.team_id = $10)) \
        AND ($11 IS NULL OR key_id IN (SELECT k.id FROM api_keys k WHERE k.account_id = $1 AND k.member_id = $11)) AND ",
    tagged!("tags", "$12"),
    " ORDER BY created_at DESC, hold_id DESC LIMIT $9"
);
const POOLS_OF_KEY: &str = "SELECT team_id, member_id FROM api_keys WHERE id = $1";
const MARK_OF: &str = "SELECT created_at, id, request_id, key_id FROM holds WHERE request_id = $1 AND account_id = $2 \
    UNION ALL SELECT created_at, hold_id, request_id, key_id FROM receipts WHERE request_id = $1 AND account_id = $2";
/// The receipt so many places behind a mark. Of each table no more is read than the whole can have.
const MARK_AHEAD: &str = "SELECT created_at, id, request_id FROM (\
        SELECT * FROM (SELECT created_at, id, request_id FROM holds WHERE account_id = $1 AND (created_at, id) < ($2, $3) \
            AND (created_at, id) >= ($4, $5) ORDER BY created_at DESC, id DESC LIMIT $6 + 1) h \
        UNION ALL SELECT * FROM (SELECT created_at, hold_id, request_id FROM receipts WHERE account_id = $1 \
            AND (created_at, hold_id) < ($2, $3) AND (created_at, hold_id) >= ($4, $5) \
            ORDER BY created_at DESC, hold_id DESC LIMIT $6 + 1) r) m \
    ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $6";
const PRICES: SqlText = SqlText::of(
    concat!("SELECT ", price_columns!(), " FROM prices WHERE id IN (SELECT value FROM json_each($1))"),
    concat!(
        "SELECT ",
        price_columns!(),
        " FROM prices WHERE id IN (SELECT value::bigint FROM json_array_elements_text($1::json))"
    ),
);

pub(crate) async fn balance<'t>(
    reader: impl Into<StatementTarget<'t>>,
    account: AccountId,
) -> Result<Option<AccountBalance>, StoreError> {
    let row = query(BALANCE).bind(account.0).fetch_optional(reader).await.map_err(StoreError::read("a balance"))?;
    let usd = |row: &DatabaseRow, index| row.try_get(index).map(Usd::from_nanos).map_err(StoreError::read("a balance"));
    row.map(|row| Ok(AccountBalance { posted: usd(&row, 0)?, held: usd(&row, 1)? })).transpose()
}

/// A hold that has expired: when it did, its number, its account.
pub(crate) type ExpiredHold = (i64, HoldId, AccountId);

/// Holds of a start that have expired, the earliest first, after one of a page before.
pub(crate) async fn expired_holds(
    readers: &ReadPool,
    now_ms: i64,
    epoch: i64,
    after: Option<ExpiredHold>,
    rows: usize,
) -> Result<Vec<ExpiredHold>, StoreError> {
    let (after_ms, after, _) = after.unwrap_or((i64::MIN, HoldId(i64::MIN), AccountId(0)));
    let rows = i64::try_from(rows).unwrap_or(i64::MAX);
    let expired = query(EXPIRED).bind(now_ms).bind(epoch).bind(after_ms).bind(after.0).bind(rows);
    let rows = expired.fetch_all(readers).await.map_err(StoreError::read("expired holds"))?;
    let number = |row: &DatabaseRow, index| row.try_get(index).map_err(StoreError::read("expired holds"));
    rows.iter().map(|row| Ok((number(row, 2)?, HoldId(number(row, 0)?), AccountId(number(row, 1)?)))).collect()
}

pub(crate) async fn receipt(
    readers: &ReadPool,
    account: AccountId,
    request: RequestId,
) -> Result<Option<Receipt>, StoreError> {
    let asked = [OPEN_HOLD, RECEIPT].map(|text| query(text).bind(request.as_str()).bind(account.0));
    the_receipt(readers, asked).await
}

/// The receipt of a request, whoever asks: for operators.
pub(crate) async fn receipt_of_any(readers: &ReadPool, request: RequestId) -> Result<Option<Receipt>, StoreError> {
    let asked = [OPEN_HOLD_OF_ANY, RECEIPT_OF_ANY].map(|text| query(text).bind(request.as_str()));
    the_receipt(readers, asked).await
}

/// The receipt that one of two statements finds, the one for open holds first: a request is in the one or the other, and goes from
/// there to here.
async fn the_receipt(readers: &ReadPool, asked: [BoundStatement<'_>; 2]) -> Result<Option<Receipt>, StoreError> {
    let mut found = None;
    for asked in asked {
        let row = asked.fetch_optional(readers).await.map_err(StoreError::read("a receipt"))?;
        found = row.or(found);
    }
    let Some(row) = found else { return Ok(None) };
    let prices = prices(readers, &[&row]).await?;
    ReceiptColumns { row: &row, prices: &prices }.receipt().map(Some)
}

/// The position of a request in the order of its account's receipts, and its key.
pub(crate) async fn mark_of(
    readers: &ReadPool,
    account: AccountId,
    request: RequestId,
) -> Result<Option<(ReceiptPosition, KeyId)>, StoreError> {
    let asked = query(MARK_OF).bind(request.as_str()).bind(account.0);
    let row = asked.fetch_optional(readers).await.map_err(StoreError::read("a receipt"))?;
    let key = |row: &DatabaseRow| row.try_get(3).map(KeyId).map_err(StoreError::read("a receipt"));
    row.map(|row| Ok((mark(&row)?.0, key(&row)?))).transpose()
}

/// The last of the next so many receipts, all of them counted; `None` where there are not so many.
pub(crate) async fn mark_ahead(
    readers: &ReadPool,
    account: AccountId,
    before: ReceiptPosition,
    since: ReceiptPosition,
    count: i64,
) -> Result<Option<(ReceiptPosition, RequestId)>, StoreError> {
    let asked = query(MARK_AHEAD).bind(account.0).bind(before.0).bind(before.1).bind(since.0).bind(since.1);
    let row = asked.bind(count - 1).fetch_optional(readers).await.map_err(StoreError::read("receipts"))?;
    row.map(|row| mark(&row)).transpose()
}

/// The team and the member that a key is of now.
pub(crate) async fn pools_of_key(
    readers: &ReadPool,
    key: KeyId,
) -> Result<(Option<PoolId>, Option<PoolId>), StoreError> {
    let row = query(POOLS_OF_KEY).bind(key.0).fetch_optional(readers).await.map_err(StoreError::read("a key"))?;
    let Some(row) = row else { return Ok((None, None)) };
    let pool = |index| Ok(row.try_get::<Option<i64>>(index).map_err(StoreError::read("a key"))?.map(PoolId));
    Ok((pool(0)?, pool(1)?))
}

/// The receipts between two marks that are asked for, and one more where there is one.
pub(crate) async fn receipts(
    readers: &ReadPool,
    ask: &ReceiptQuery,
    before: ReceiptPosition,
    down_to: ReceiptPosition,
) -> Result<Vec<Receipt>, StoreError> {
    let most = i64::from(ask.limit) + 1;
    // In the order of the marks. What ended between the two questions is in both, and its receipt counts.
    let mut found = BTreeMap::new();
    let texts: &[&str] = if ask.is_open_alone() { &[OPEN_HOLDS] } else { &[OPEN_HOLDS, RECEIPTS] };
    for text in texts {
        let asked = query(*text)
            .bind(ask.account.0)
            .bind(before.0)
            .bind(before.1)
            .bind(down_to.0)
            .bind(down_to.1)
            .bind(ask.keys.key.map(|key| key.0))
            .bind(BoundValue::Text(ask.model.as_deref()))
            .bind(BoundValue::Text(ask.standing.map(ReceiptState::as_str)))
            .bind(most)
            .bind(ask.keys.team.map(|team| team.0))
            .bind(ask.keys.member.map(|member| member.0))
            .bind(BoundValue::Text(ask.tag.as_deref()));
        for row in asked.fetch_all(readers).await.map_err(StoreError::read("receipts"))? {
            let number = |index| row.try_get::<i64>(index).map_err(StoreError::read("a receipt"));
            found.insert((number(CREATED_AT)?, number(HOLD_ID)?), row);
        }
    }
    let rows: Vec<&DatabaseRow> = found.values().rev().take(usize::try_from(most).unwrap_or(usize::MAX)).collect();
    let prices = prices(readers, &rows).await?;
    rows.into_iter().map(|row| ReceiptColumns { row, prices: &prices }.receipt()).collect()
}

/// The prices that these rows refer to, by their numbers and without the ratio of an account.
async fn prices(readers: &ReadPool, rows: &[&DatabaseRow]) -> Result<BTreeMap<i64, TokenPrices>, StoreError> {
    let mut ids = BTreeSet::new();
    for row in rows {
        ids.insert(row.try_get::<i64>(PRICE_ID).map_err(StoreError::read("a receipt"))?);
        if row.try_get::<Option<&str>>(STATE).map_err(StoreError::read("a receipt"))?.is_some() {
            for index in [FALLBACK + 1, TIER + 1, CLASS + 1] {
                ids.extend(row.try_get::<Option<i64>>(index).map_err(StoreError::read("a receipt"))?);
            }
        }
    }
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let ids = super::rows::list(ids.into_iter());
    let rows = query(PRICES).bind(&ids).fetch_all(readers).await.map_err(StoreError::read("prices"))?;
    rows.iter().map(|row| Ok((row.try_get(0).map_err(StoreError::read("prices"))?, price(row)?))).collect()
}

fn price(row: &DatabaseRow) -> Result<TokenPrices, StoreError> {
    let pico = |index| {
        let picos = row.try_get(index).map_err(StoreError::read("prices"))?;
        PicoUsd::new(picos).map_err(|_| StoreError::Unreadable { what: "a price", found: picos.to_string() })
    };
    Ok(TokenPrices {
        prompt: pico(2)?,
        cached: pico(3)?,
        cache_write: pico(4)?,
        cache_write_long: pico(5)?,
        completion: pico(6)?,
        media: MediaTokens {
            audio_prompt: pico(7)?,
            image_prompt: pico(8)?,
            audio_completion: pico(9)?,
            image_completion: pico(10)?,
        },
        request: pico(11)?,
        reasoning: pico(12)?,
        ratio: PriceRatio::ONE,
        version: row.try_get(1).map_err(StoreError::read("prices"))?,
    })
}

fn mark(row: &DatabaseRow) -> Result<(ReceiptPosition, RequestId), StoreError> {
    let number = |index| row.try_get(index).map_err(StoreError::read("a receipt"));
    let request: String = row.try_get(2).map_err(StoreError::read("a receipt"))?;
    let request = request.parse().map_err(|_| StoreError::Unreadable { what: "a request id", found: request })?;
    Ok(((number(0)?, number(1)?), request))
}

/// The positions of columns in the rows of `OPEN_HOLD` and `RECEIPT`.
const HOLD_ID: usize = 0;
const PRICE_ID: usize = 7;
const CREATED_AT: usize = 9;
const TAGS: usize = 16;
const STATE: usize = TAGS + 1;
const USAGE: usize = STATE + 4;
const DELIVERY: usize = USAGE + 11;
const FALLBACK: usize = DELIVERY + 4;
const TIER: usize = FALLBACK + 2;
const CLASS: usize = TIER + 2;
const TOOLS: usize = CLASS + 2;

/// One row of `OPEN_HOLD` or `RECEIPT`, read by position.
struct ReceiptColumns<'a> {
    row: &'a DatabaseRow,
    prices: &'a BTreeMap<i64, TokenPrices>,
}

impl ReceiptColumns<'_> {
    fn receipt(&self) -> Result<Receipt, StoreError> {
        let request = self.text(3)?;
        Ok(Receipt {
            request: request.parse().map_err(|_| StoreError::Unreadable { what: "a request id", found: request })?,
            account: AccountId(self.number(1)?),
            key: KeyId(self.number(2)?),
            held: Usd::from_nanos(self.number(4)?),
            model: self.text(5)?,
            stream: self.number(6)? == 1,
            tags: self.tags()?,
            price: self.price(PRICE_ID)?,
            created_at_ms: self.number(CREATED_AT)?,
            expires_at_ms: self.number(10)?,
            outcome: self.outcome()?,
        })
    }

    fn tags(&self) -> Result<RequestTags, StoreError> {
        let stored = self.maybe_text(TAGS)?;
        let unreadable = |_| StoreError::Unreadable { what: "tags", found: "other text".to_owned() };
        RequestTags::read(stored.as_deref().map(str::as_bytes)).map_err(unreadable)
    }

    fn outcome(&self) -> Result<Option<HoldOutcome>, StoreError> {
        let Some(state) = self.maybe_text(STATE)? else { return Ok(None) };
        let resolved = ResolutionKind::from_text(&state)
            .ok_or(StoreError::Unreadable { what: "a receipt's state", found: state })?;
        let rule = self.text(STATE + 3)?;
        Ok(Some(HoldOutcome {
            resolved,
            charged: Usd::from_nanos(self.number(STATE + 1)?),
            shortfall: Usd::from_nanos(self.number(STATE + 2)?),
            rule: rule.parse().map_err(|_| StoreError::Unreadable { what: "a settlement rule", found: rule })?,
            usage: self.usage()?,
            delivery: UpstreamDelivery {
                upstream: self.maybe_text(DELIVERY)?,
                upstream_model: self.maybe_text(DELIVERY + 1)?,
                first_byte_ms: self.maybe_count(DELIVERY + 2)?,
                duration_ms: self.maybe_count(DELIVERY + 3)?,
            },
            fallback: self.fallback()?,
            tier: self.tier()?,
            services: ServiceCharges { class: self.class()?, uses: self.uses()? },
            resolved_at_ms: self.number(TOOLS + 1)?,
        }))
    }

    fn fallback(&self) -> Result<Option<FallbackModel>, StoreError> {
        let Some(model) = self.maybe_text(FALLBACK)? else { return Ok(None) };
        Ok(Some(FallbackModel { model, price: self.price(FALLBACK + 1)? }))
    }

    fn tier(&self) -> Result<Option<PriceTier>, StoreError> {
        let Some(above) = self.maybe_count(TIER)? else { return Ok(None) };
        Ok(Some(PriceTier { above, price: self.price(TIER + 1)? }))
    }

    fn class(&self) -> Result<Option<ServiceClass>, StoreError> {
        let Some(name) = self.maybe_text(CLASS)? else { return Ok(None) };
        Ok(Some(ServiceClass { name, price: self.price(CLASS + 1)? }))
    }

    fn uses(&self) -> Result<Vec<ToolUseCharge>, StoreError> {
        let Some(text) = self.maybe_text(TOOLS)? else { return Ok(Vec::new()) };
        let unreadable = || StoreError::Unreadable { what: "uses of tools", found: text.clone() };
        let lines: Vec<(String, u64, i64)> = serde_json::from_str(&text).map_err(|_| unreadable())?;
        let line = |(tool, uses, price): (String, u64, i64)| {
            let price = PicoUsd::new(price).map_err(|_| unreadable())?;
            Ok(ToolUseCharge { tool, uses, price })
        };
        lines.into_iter().map(line).collect()
    }

    fn usage(&self) -> Result<Option<BilledUsage>, StoreError> {
        let Some(prompt) = self.maybe_count(USAGE)? else { return Ok(None) };
        let count = |index| Ok(self.maybe_count(USAGE + index)?.unwrap_or(0));
        Ok(Some(BilledUsage {
            prompt,
            cached: count(1)?,
            cache_write: count(2)?,
            cache_write_long: count(3)?,
            completion: count(4)?,
            reasoning: count(5)?,
            media: MediaTokens {
                audio_prompt: count(6)?,
                image_prompt: count(7)?,
                audio_completion: count(8)?,
                image_completion: count(9)?,
            },
            estimated: count(10)? == 1,
        }))
    }

    /// Prices of the ledger, as the account pays them.
    fn price(&self, index: usize) -> Result<TokenPrices, StoreError> {
        let id = self.number(index)?;
        let found = self.prices.get(&id).cloned();
        let price = found.ok_or_else(|| StoreError::Unreadable { what: "prices", found: id.to_string() })?;
        let ratio = self.number(PRICE_ID + 1)?;
        let unreadable = |_| StoreError::Unreadable { what: "a ratio", found: ratio.to_string() };
        Ok(TokenPrices { ratio: PriceRatio::from_millionths(ratio).map_err(unreadable)?, ..price })
    }

    fn number(&self, index: usize) -> Result<i64, StoreError> {
        self.row.try_get(index).map_err(StoreError::read("a receipt"))
    }

    fn maybe_count(&self, index: usize) -> Result<Option<u64>, StoreError> {
        let number: Option<i64> = self.row.try_get(index).map_err(StoreError::read("a receipt"))?;
        let negative = |number: i64| StoreError::Unreadable { what: "a count", found: number.to_string() };
        number.map(|number| u64::try_from(number).map_err(|_| negative(number))).transpose()
    }

    fn text(&self, index: usize) -> Result<String, StoreError> {
        self.row.try_get(index).map_err(StoreError::read("a receipt"))
    }

    fn maybe_text(&self, index: usize) -> Result<Option<String>, StoreError> {
        self.row.try_get(index).map_err(StoreError::read("a receipt"))
    }
}
