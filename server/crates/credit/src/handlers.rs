//! `GET /api/user/self/balance` and `GET /api/user/self/receipts/{request_id}`; the lists are in files of their own.

mod billing;
mod bookings;
mod list;
mod service;
mod sums;

use super::{
    BilledUsage, FallbackModel, HoldOutcome, Ledger, LedgerStore, LedgerStoreError, PriceTier, Receipt, ResolutionKind,
    ServiceCharges, ServiceClass, TokenPrices, ToolUseCharge,
};
use tollgate_api::Cx;
use tollgate_api::generated::ops::admin_receipts::{GetAccountReceipt, GetAccountReceiptError, GetAccountReceiptInput};
use tollgate_api::generated::ops::balance::{GetBalance, GetBalanceError, GetBalanceInput};
use tollgate_api::generated::ops::receipts::{GetReceipt, GetReceiptError, GetReceiptInput};
use tollgate_api::generated::types::{
    self, AccountReceiptReply, BalanceReply, ReceiptPrices, ReceiptReply, ReceiptStatus, ReceiptToolUse, ReceiptUsage,
};
use tollgate_base::{AccountId, Usd, rfc3339};

/// The legacy unit of `quota`: 500,000 to the dollar.
const NANOS_PER_QUOTA_UNIT: i64 = 2_000;

impl GetBalance for Ledger {
    async fn get_balance(&self, cx: &Cx, input: GetBalanceInput) -> Result<BalanceReply, GetBalanceError> {
        let data = self.credit_of(input.caller.account).await.map_err(|error| {
            unreadable(cx, &error);
            GetBalanceError::LedgerUnavailable
        })?;
        Ok(BalanceReply { success: true, message: String::new(), data })
    }
}

impl LedgerStore {
    /// The credit of an account and what it owes, in the words of the spec.
    ///
    /// # Errors
    /// When there is no such account, or the store fails.
    pub async fn credit_of(&self, account: AccountId) -> Result<types::Balance, LedgerStoreError> {
        let (balance, debt) = (self.balance(account).await?, self.debt(account).await?);
        Ok(types::Balance {
            quota_usd: balance.posted,
            held_usd: balance.held,
            available_usd: balance.available(),
            debt_usd: debt,
            quota: balance.posted.nanos() / NANOS_PER_QUOTA_UNIT,
        })
    }
}

impl GetAccountReceipt for Ledger {
    async fn get_account_receipt(
        &self,
        cx: &Cx,
        input: GetAccountReceiptInput,
    ) -> Result<AccountReceiptReply, GetAccountReceiptError> {
        let not_found = || GetAccountReceiptError::ReceiptNotFound { request_id: input.request_id.clone() };
        let request = input.request_id.parse().map_err(|_| not_found())?;
        let found = self.receipt(AccountId(input.account_id), request).await.map_err(|error| {
            unreadable(cx, &error);
            GetAccountReceiptError::LedgerUnavailable
        })?;
        let receipt = found.ok_or_else(not_found)?;
        Ok(AccountReceiptReply { success: true, message: String::new(), data: receipt_reply(receipt) })
    }
}

impl GetReceipt for Ledger {
    async fn get_receipt(&self, cx: &Cx, input: GetReceiptInput) -> Result<ReceiptReply, GetReceiptError> {
        let not_found = || GetReceiptError::ReceiptNotFound { request_id: input.request_id.clone() };
        // What is no request id names no receipt either: one answer for both.
        let request = input.request_id.parse().map_err(|_| not_found())?;
        let found = self.receipt(input.caller.account, request).await.map_err(|error| {
            unreadable(cx, &error);
            GetReceiptError::LedgerUnavailable
        })?;
        let receipt = found.ok_or_else(not_found)?;
        let is_theirs = async { self.is_one_of(receipt.key, self.keys_seen_by(&input.caller).await?).await };
        let is_theirs = is_theirs.await.map_err(|error| {
            unreadable(cx, &error);
            GetReceiptError::LedgerUnavailable
        })?;
        // Another's is like one that is not there.
        if !is_theirs {
            return Err(not_found());
        }
        Ok(ReceiptReply { success: true, message: String::new(), data: receipt_reply(receipt) })
    }
}

fn unreadable(cx: &Cx, error: &LedgerStoreError) {
    let request_id = cx.request_id;
    tracing::error!(%request_id, error = error as &dyn std::error::Error, "the ledger could not be read");
}

/// A receipt in the words of the spec.
fn receipt_reply(receipt: Receipt) -> types::Receipt {
    let Receipt { request, key, model, stream, tags, price, held, created_at_ms, outcome, .. } = receipt;
    let open = types::Receipt {
        request_id: request.to_string(),
        key_id: key.0,
        model,
        upstream: None,
        upstream_model: None,
        fallback_model: None,
        tier_above_tokens: None,
        ratio: price.ratio.to_string(),
        stream,
        tags: tags.iter().map(str::to_owned).collect(),
        status: ReceiptStatus::Held,
        rule: None,
        usage: None,
        prices: prices_reply(&price),
        service_class: None,
        tool_uses: Vec::new(),
        price_version: price.version,
        held_usd: held,
        charged_usd: Usd::ZERO,
        released_usd: Usd::ZERO,
        shortfall_usd: Usd::ZERO,
        first_byte_ms: None,
        duration_ms: None,
        created_at: rfc3339(created_at_ms),
        settled_at: None,
    };
    match outcome {
        Some(outcome) => resolved(open, outcome),
        None => open,
    }
}

/// A receipt with the outcome of its hold.
fn resolved(open: types::Receipt, outcome: HoldOutcome) -> types::Receipt {
    let HoldOutcome { resolved, charged, shortfall, rule, usage, delivery, fallback, tier, services, resolved_at_ms } =
        outcome;
    let open = match fallback {
        Some(FallbackModel { model, price }) => types::Receipt {
            fallback_model: Some(model),
            prices: prices_reply(&price),
            price_version: price.version,
            ..open
        },
        None => open,
    };
    let open = match tier {
        Some(PriceTier { above, price }) => {
            types::Receipt { tier_above_tokens: Some(whole(above)), prices: prices_reply(&price), ..open }
        }
        None => open,
    };
    let ServiceCharges { class, uses } = services;
    let open = match class {
        Some(ServiceClass { name, price }) => {
            types::Receipt { service_class: Some(name), prices: prices_reply(&price), ..open }
        }
        None => open,
    };
    types::Receipt {
        tool_uses: uses.into_iter().map(tool_use_reply).collect(),
        upstream: delivery.upstream,
        upstream_model: delivery.upstream_model,
        status: match resolved {
            ResolutionKind::Settled => ReceiptStatus::Settled,
            ResolutionKind::Released => ReceiptStatus::Released,
        },
        rule: Some(rule),
        usage: usage.map(usage_reply),
        charged_usd: charged,
        // A charge above the hold gives nothing back.
        released_usd: open.held_usd.checked_sub(charged).unwrap_or(Usd::ZERO).max(Usd::ZERO),
        shortfall_usd: shortfall,
        first_byte_ms: delivery.first_byte_ms.map(whole),
        duration_ms: delivery.duration_ms.map(whole),
        settled_at: Some(rfc3339(resolved_at_ms)),
        ..open
    }
}

fn tool_use_reply(line: ToolUseCharge) -> ReceiptToolUse {
    ReceiptToolUse { tool: line.tool, uses: whole(line.uses), price_usd: line.price.usd() }
}

fn prices_reply(price: &TokenPrices) -> ReceiptPrices {
    ReceiptPrices {
        prompt_picousd: price.prompt.picos(),
        cached_picousd: price.cached.picos(),
        cache_write_picousd: price.cache_write.picos(),
        cache_write_long_picousd: price.cache_write_long.picos(),
        completion_picousd: price.completion.picos(),
        audio_prompt_picousd: price.media.audio_prompt.picos(),
        image_prompt_picousd: price.media.image_prompt.picos(),
        audio_completion_picousd: price.media.audio_completion.picos(),
        image_completion_picousd: price.media.image_completion.picos(),
        reasoning_picousd: price.reasoning.picos(),
        request_picousd: price.request.picos(),
    }
}

fn usage_reply(usage: BilledUsage) -> ReceiptUsage {
    ReceiptUsage {
        prompt_tokens: whole(usage.prompt),
        cached_tokens: whole(usage.cached),
        cache_write_tokens: whole(usage.cache_write),
        cache_write_long_tokens: whole(usage.cache_write_long),
        completion_tokens: whole(usage.completion),
        reasoning_tokens: whole(usage.reasoning),
        audio_prompt_tokens: whole(usage.media.audio_prompt),
        image_prompt_tokens: whole(usage.media.image_prompt),
        audio_completion_tokens: whole(usage.media.audio_completion),
        image_completion_tokens: whole(usage.media.image_completion),
        estimated: usage.estimated,
    }
}

/// A count as the spec's whole numbers.
fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
