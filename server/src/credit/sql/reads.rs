//! Reads off the writer's path.

use crate::base::{AccountId, HoldId, KeyId, PicoUsd, Ratio, RequestId, Usd};
use crate::credit::list::{ListAsk, Mark, ReceiptState};
use crate::credit::{
    Balance, Delivery, Fallback, Media, Outcome, Price, Receipt, Resolved, ServiceClass, Services, Tier, ToolUse, Usage,
};
use crate::store::{Bound, Readers, Row, Sql, StoreError, Target, query};

const BALANCE: &str = "SELECT posted, held FROM balances WHERE account_id = $1";
/// The oldest first; a few at a time, so that a sweep never fills a batch. Those in hand are passed over here already: a
/// clock that is far ahead would otherwise fill the few with them, and hide the others. Only the holds of this start: who has
/// those of another in hand is not known here.
const EXPIRED: Sql = Sql::of(
    "SELECT id, account_id FROM holds WHERE state = 'held' AND kept = 0 AND expires_at <= $1 AND epoch = $2 \
        AND id NOT IN (SELECT value FROM json_each($3)) ORDER BY expires_at LIMIT 256",
    "SELECT id, account_id FROM holds WHERE state = 'held' AND kept = 0 AND expires_at <= $1 AND epoch = $2 \
        AND id NOT IN (SELECT value::bigint FROM json_array_elements_text($3::json)) ORDER BY expires_at LIMIT 256",
);
/// The owner is part of the question: who asks for another's receipt finds nothing. A hold of a program that had no price
/// for what is written to a cache was priced by the prompt, and sound and pictures as text, and reasoning as the rest.
macro_rules! receipts {
    ($which:literal) => {
        concat!("SELECT h.request_id, h.account_id, h.key_id, h.model, h.price_prompt, h.price_cached, h.price_completion, \
        h.price_version, h.amount, h.created_at, h.expires_at, r.state, r.cost, r.shortfall, r.rule, r.prompt, r.cached, \
        r.completion, r.reasoning, r.estimated, r.upstream, r.upstream_model, r.first_byte_ms, r.duration_ms, r.resolved_at, h.stream, \
        coalesce(h.price_cache_write, h.price_prompt), coalesce(h.price_cache_write_long, h.price_prompt), r.cache_write, r.cache_write_long, \
        f.model, f.price_prompt, f.price_cached, f.price_cache_write, f.price_cache_write_long, f.price_completion, f.price_version, \
        coalesce(h.price_audio_prompt, h.price_prompt), coalesce(h.price_image_prompt, h.price_prompt), \
        coalesce(h.price_audio_completion, h.price_completion), coalesce(h.price_image_completion, h.price_completion), \
        coalesce(f.price_audio_prompt, f.price_prompt), coalesce(f.price_image_prompt, f.price_prompt), \
        coalesce(f.price_audio_completion, f.price_completion), coalesce(f.price_image_completion, f.price_completion), \
        r.audio_prompt, r.image_prompt, r.audio_completion, r.image_completion, \
        coalesce(h.price_request, 0), coalesce(h.price_reasoning, h.price_completion), coalesce(h.ratio_ppm, 1000000), \
        coalesce(f.price_request, 0), coalesce(f.price_reasoning, f.price_completion), \
        t.above, t.price_prompt, t.price_cached, t.price_cache_write, t.price_cache_write_long, t.price_completion, \
        t.price_audio_prompt, t.price_image_prompt, t.price_audio_completion, t.price_image_completion, t.price_request, t.price_reasoning, \
        s.class, s.price_prompt, s.price_cached, s.price_cache_write, s.price_cache_write_long, s.price_completion, \
        s.price_audio_prompt, s.price_image_prompt, s.price_audio_completion, s.price_image_completion, s.price_request, s.price_reasoning, \
        (SELECT string_agg(u.tool || ' ' || u.uses || ' ' || u.price, ' ' ORDER BY u.tool) FROM tool_uses u WHERE u.hold_id = h.id) \
    FROM holds h LEFT JOIN receipts r ON r.hold_id = h.id LEFT JOIN fallbacks f ON f.hold_id = h.id \
        LEFT JOIN tiers t ON t.hold_id = h.id LEFT JOIN service_classes s ON s.hold_id = h.id ", $which)
    };
}

const RECEIPT: &str = receipts!("WHERE h.request_id = $1 AND h.account_id = $2");
/// From one mark, which is not part of it, down to another, which is.
const RECEIPTS: &str = receipts!(
    "WHERE h.account_id = $1 AND (h.created_at, h.id) < ($2, $3) AND (h.created_at, h.id) >= ($4, $5) \
        AND ($6 IS NULL OR h.key_id = $6) AND ($7 IS NULL OR h.model = $7) AND ($8 IS NULL OR h.state = $8) \
    ORDER BY h.created_at DESC, h.id DESC LIMIT $9"
);
const MARK_OF: &str = "SELECT created_at, id, request_id FROM holds WHERE request_id = $1 AND account_id = $2";
const MARK_AHEAD: &str = "SELECT created_at, id, request_id FROM holds WHERE account_id = $1 AND (created_at, id) < ($2, $3) \
        AND (created_at, id) >= ($4, $5) ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $6";

pub(in crate::credit) async fn balance<'t>(
    reader: impl Into<Target<'t>>,
    account: AccountId,
) -> Result<Option<Balance>, StoreError> {
    let row = query(BALANCE).bind(account.0).fetch_optional(reader).await.map_err(StoreError::read("a balance"))?;
    let usd = |row: &Row, index| row.try_get(index).map(Usd::from_nanos).map_err(StoreError::read("a balance"));
    row.map(|row| Ok(Balance { posted: usd(&row, 0)?, held: usd(&row, 1)? })).transpose()
}

pub(in crate::credit) async fn expired_holds(
    readers: &Readers,
    now_ms: i64,
    epoch: i64,
    in_hand: &[HoldId],
) -> Result<Vec<(HoldId, AccountId)>, StoreError> {
    let in_hand = super::rows::list(in_hand.iter().map(|hold| hold.0));
    let expired = query(EXPIRED).bind(now_ms).bind(epoch).bind(&in_hand);
    let rows = expired.fetch_all(readers).await.map_err(StoreError::read("expired holds"))?;
    let id = |row: &Row, index| row.try_get(index).map_err(StoreError::read("expired holds"));
    rows.iter().map(|row| Ok((HoldId(id(row, 0)?), AccountId(id(row, 1)?)))).collect()
}

pub(in crate::credit) async fn receipt(
    readers: &Readers,
    account: AccountId,
    request: RequestId,
) -> Result<Option<Receipt>, StoreError> {
    let asked = query(RECEIPT).bind(request.as_str()).bind(account.0);
    let row = asked.fetch_optional(readers).await.map_err(StoreError::read("a receipt"))?;
    row.map(|row| Columns(&row).receipt()).transpose()
}

/// Where a request stands in the order of its account's receipts.
pub(in crate::credit) async fn mark_of(
    readers: &Readers,
    account: AccountId,
    request: RequestId,
) -> Result<Option<Mark>, StoreError> {
    let asked = query(MARK_OF).bind(request.as_str()).bind(account.0);
    let row = asked.fetch_optional(readers).await.map_err(StoreError::read("a receipt"))?;
    row.map(|row| mark(&row).map(|(mark, _)| mark)).transpose()
}

/// The last of the next so many receipts, all of them counted; `None` where there are not so many.
pub(in crate::credit) async fn mark_ahead(
    readers: &Readers,
    account: AccountId,
    before: Mark,
    since: Mark,
    count: i64,
) -> Result<Option<(Mark, RequestId)>, StoreError> {
    let asked = query(MARK_AHEAD).bind(account.0).bind(before.0).bind(before.1).bind(since.0).bind(since.1);
    let row = asked.bind(count - 1).fetch_optional(readers).await.map_err(StoreError::read("receipts"))?;
    row.map(|row| mark(&row)).transpose()
}

/// The receipts between two marks that are asked for, and one more where there is one.
pub(in crate::credit) async fn receipts(
    readers: &Readers,
    ask: &ListAsk,
    before: Mark,
    down_to: Mark,
) -> Result<Vec<Receipt>, StoreError> {
    let asked = query(RECEIPTS)
        .bind(ask.account.0)
        .bind(before.0)
        .bind(before.1)
        .bind(down_to.0)
        .bind(down_to.1)
        .bind(ask.key.map(|key| key.0))
        .bind(Bound::Text(ask.model.as_deref()))
        .bind(Bound::Text(ask.standing.map(ReceiptState::as_str)))
        .bind(i64::from(ask.limit) + 1);
    let rows = asked.fetch_all(readers).await.map_err(StoreError::read("receipts"))?;
    rows.iter().map(|row| Columns(row).receipt()).collect()
}

fn mark(row: &Row) -> Result<(Mark, RequestId), StoreError> {
    let number = |index| row.try_get(index).map_err(StoreError::read("a receipt"));
    let request = Columns(row).text(2)?;
    let request = request.parse().map_err(|_| StoreError::Unreadable { what: "a request id", found: request })?;
    Ok(((number(0)?, number(1)?), request))
}

/// One row of `RECEIPT`, read by position.
struct Columns<'a>(&'a Row);

impl Columns<'_> {
    fn receipt(&self) -> Result<Receipt, StoreError> {
        let request = self.text(0)?;
        Ok(Receipt {
            request: request.parse().map_err(|_| StoreError::Unreadable { what: "a request id", found: request })?,
            account: AccountId(self.number(1)?),
            key: KeyId(self.number(2)?),
            model: self.text(3)?,
            stream: self.number(25)? == 1,
            price: Price {
                prompt: self.price(4)?,
                cached: self.price(5)?,
                cache_write: self.price(26)?,
                cache_write_long: self.price(27)?,
                completion: self.price(6)?,
                media: self.media_prices(37)?,
                reasoning: self.price(50)?,
                request: self.price(49)?,
                ratio: self.ratio()?,
                version: self.text(7)?,
            },
            held: Usd::from_nanos(self.number(8)?),
            created_at_ms: self.number(9)?,
            expires_at_ms: self.number(10)?,
            outcome: self.outcome()?,
        })
    }

    fn outcome(&self) -> Result<Option<Outcome>, StoreError> {
        let Some(state) = self.maybe_text(11)? else { return Ok(None) };
        let resolved =
            Resolved::from_text(&state).ok_or(StoreError::Unreadable { what: "a receipt's state", found: state })?;
        let rule = self.text(14)?;
        Ok(Some(Outcome {
            resolved,
            charged: Usd::from_nanos(self.number(12)?),
            shortfall: Usd::from_nanos(self.number(13)?),
            rule: rule.parse().map_err(|_| StoreError::Unreadable { what: "a settlement rule", found: rule })?,
            usage: self.usage()?,
            delivery: Delivery {
                upstream: self.maybe_text(20)?,
                upstream_model: self.maybe_text(21)?,
                first_byte_ms: self.maybe_count(22)?,
                duration_ms: self.maybe_count(23)?,
            },
            fallback: self.fallback()?,
            tier: self.tier()?,
            services: Services { class: self.class()?, uses: self.uses()? },
            resolved_at_ms: self.number(24)?,
        }))
    }

    fn fallback(&self) -> Result<Option<Fallback>, StoreError> {
        let Some(model) = self.maybe_text(30)? else { return Ok(None) };
        let price = Price {
            prompt: self.price(31)?,
            cached: self.price(32)?,
            cache_write: self.price(33)?,
            cache_write_long: self.price(34)?,
            completion: self.price(35)?,
            media: self.media_prices(41)?,
            reasoning: self.price(53)?,
            request: self.price(52)?,
            ratio: self.ratio()?,
            version: self.text(36)?,
        };
        Ok(Some(Fallback { model, price }))
    }

    fn tier(&self) -> Result<Option<Tier>, StoreError> {
        let Some(above) = self.maybe_count(54)? else { return Ok(None) };
        Ok(Some(Tier { above, price: self.price_from(55)? }))
    }

    fn class(&self) -> Result<Option<ServiceClass>, StoreError> {
        let Some(name) = self.maybe_text(66)? else { return Ok(None) };
        Ok(Some(ServiceClass { name, price: self.price_from(67)? }))
    }

    /// Prices in the place of those that would apply, eleven in a row from `first` on.
    fn price_from(&self, first: usize) -> Result<Price, StoreError> {
        Ok(Price {
            prompt: self.price(first)?,
            cached: self.price(first + 1)?,
            cache_write: self.price(first + 2)?,
            cache_write_long: self.price(first + 3)?,
            completion: self.price(first + 4)?,
            media: self.media_prices(first + 5)?,
            reasoning: self.price(first + 10)?,
            request: self.price(first + 9)?,
            ratio: self.ratio()?,
            version: self.maybe_text(36)?.map_or_else(|| self.text(7), Ok)?,
        })
    }

    fn uses(&self) -> Result<Vec<ToolUse>, StoreError> {
        let Some(text) = self.maybe_text(78)? else { return Ok(Vec::new()) };
        let unreadable = || StoreError::Unreadable { what: "uses of tools", found: text.clone() };
        let words: Vec<&str> = text.split(' ').collect();
        let (lines, []) = words.as_chunks() else { return Err(unreadable()) };
        let line = |[tool, uses, price]: &[&str; 3]| {
            let price = PicoUsd::new(price.parse().ok()?).ok()?;
            Some(ToolUse { tool: (*tool).to_owned(), uses: uses.parse().ok()?, price })
        };
        lines.iter().map(|words| line(words).ok_or_else(unreadable)).collect()
    }

    fn usage(&self) -> Result<Option<Usage>, StoreError> {
        let Some(prompt) = self.maybe_count(15)? else { return Ok(None) };
        let count = |index| Ok(self.maybe_count(index)?.unwrap_or(0));
        Ok(Some(Usage {
            prompt,
            cached: count(16)?,
            cache_write: count(28)?,
            cache_write_long: count(29)?,
            completion: count(17)?,
            reasoning: count(18)?,
            media: Media {
                audio_prompt: count(45)?,
                image_prompt: count(46)?,
                audio_completion: count(47)?,
                image_completion: count(48)?,
            },
            estimated: count(19)? == 1,
        }))
    }

    /// Four prices in a row, from `first` on.
    fn media_prices(&self, first: usize) -> Result<Media<PicoUsd>, StoreError> {
        Ok(Media {
            audio_prompt: self.price(first)?,
            image_prompt: self.price(first + 1)?,
            audio_completion: self.price(first + 2)?,
            image_completion: self.price(first + 3)?,
        })
    }

    fn number(&self, index: usize) -> Result<i64, StoreError> {
        self.0.try_get(index).map_err(StoreError::read("a receipt"))
    }

    fn maybe_count(&self, index: usize) -> Result<Option<u64>, StoreError> {
        let number: Option<i64> = self.0.try_get(index).map_err(StoreError::read("a receipt"))?;
        let negative = |number: i64| StoreError::Unreadable { what: "a count", found: number.to_string() };
        number.map(|number| u64::try_from(number).map_err(|_| negative(number))).transpose()
    }

    fn text(&self, index: usize) -> Result<String, StoreError> {
        self.0.try_get(index).map_err(StoreError::read("a receipt"))
    }

    fn maybe_text(&self, index: usize) -> Result<Option<String>, StoreError> {
        self.0.try_get(index).map_err(StoreError::read("a receipt"))
    }

    /// What the account pays of the prices, whoever answered.
    fn ratio(&self) -> Result<Ratio, StoreError> {
        let found = self.number(51)?;
        Ratio::from_millionths(found).map_err(|_| StoreError::Unreadable { what: "a ratio", found: found.to_string() })
    }

    fn price(&self, index: usize) -> Result<PicoUsd, StoreError> {
        let picos = self.number(index)?;
        PicoUsd::new(picos).map_err(|_| StoreError::Unreadable { what: "a price", found: picos.to_string() })
    }
}
