//! `/api/admin/{receipts,holds,seals,servers,usage}`: the whole ledger, for operators.

use super::{receipt_reply, unreadable, whole};
use crate::service_rows::{ServiceUsage, ServiceUsageQuery};
use crate::{Ledger, LedgerSeal, UsageSpan};
use tollgate_api::generated::limits;
use tollgate_api::generated::ops::admin_receipts::{
    FindReceipt, FindReceiptError, FindReceiptInput, ListHolds, ListHoldsError, ListHoldsInput,
};
use tollgate_api::generated::ops::admin_service::{
    ListSeals, ListSealsError, ListSealsInput, ListServers, ListServersError, ListServersInput, SumServiceUsage,
    SumServiceUsageError, SumServiceUsageInput,
};
use tollgate_api::generated::types::{
    FoundReceipt, FoundReceiptReply, HoldListReply, HoldPage, OpenHold, Seal, SealListReply, SealPage, Server,
    ServerListReply, ServerState, ServiceUsageGroup, ServiceUsageReply, ServiceUsageReport, ServiceUsageRow,
};
use tollgate_api::{Cx, PageLimit};
use tollgate_base::{AccountId, HoldId, rfc3339};

/// The most servers that are told.
const SERVERS: i64 = 100;

impl FindReceipt for Ledger {
    async fn find_receipt(&self, cx: &Cx, input: FindReceiptInput) -> Result<FoundReceiptReply, FindReceiptError> {
        let not_found = || FindReceiptError::ReceiptNotFound { request_id: input.request_id.clone() };
        // What is no request id names no receipt either.
        let request = input.request_id.parse().map_err(|_| not_found())?;
        let found = (**self).find_receipt(request).await.map_err(|error| {
            unreadable(cx, &error);
            FindReceiptError::LedgerUnavailable
        })?;
        let receipt = found.ok_or_else(not_found)?;
        let data = FoundReceipt { account_id: receipt.account.0, receipt: receipt_reply(receipt) };
        Ok(FoundReceiptReply { success: true, message: String::new(), data })
    }
}

impl ListHolds for Ledger {
    async fn list_holds(&self, cx: &Cx, input: ListHoldsInput) -> Result<HoldListReply, ListHoldsError> {
        let ListHoldsInput { csv, limit, after, account_id, .. } = input;
        let limit = PageLimit::new(limit, csv);
        // A text that is no number is one behind all: a client that pages by it comes to an end.
        let after = HoldId(after.map_or(0, |text| text.parse().unwrap_or(i64::MAX)));
        let found = self.open_holds(after, account_id.map(AccountId), limit.rows_to_read()).await;
        let mut found = found.map_err(|error| {
            unreadable(cx, &error);
            ListHoldsError::LedgerUnavailable
        })?;
        let next = limit.next_page(&mut found, |last| last.id.to_string());
        let data = HoldPage { holds: found.into_iter().map(hold_reply).collect(), next };
        Ok(HoldListReply { success: true, message: String::new(), data })
    }
}

impl ListSeals for Ledger {
    async fn list_seals(&self, cx: &Cx, input: ListSealsInput) -> Result<SealListReply, ListSealsError> {
        let ListSealsInput { csv, limit, after, .. } = input;
        let limit = PageLimit::new(limit, csv);
        let before = after.map_or(i64::MAX, |text| text.parse().unwrap_or(0));
        let mut found = self.seals_before(before, limit.rows_to_read()).await.map_err(|error| {
            unreadable(cx, &error);
            ListSealsError::LedgerUnavailable
        })?;
        let next = limit.next_page(&mut found, |last| last.number.to_string());
        let data = SealPage { seals: found.iter().map(seal_reply).collect(), next };
        Ok(SealListReply { success: true, message: String::new(), data })
    }
}

impl ListServers for Ledger {
    async fn list_servers(&self, cx: &Cx, _: ListServersInput) -> Result<ServerListReply, ListServersError> {
        let found = self.server_starts(SERVERS).await.map_err(|error| {
            unreadable(cx, &error);
            ListServersError::LedgerUnavailable
        })?;
        let now_ms = self.clock.now_ms();
        let server = |start: crate::service_rows::ServerStart| {
            let answers = start.epoch == self.epoch;
            Server {
                name: start.name,
                start: start.epoch,
                state: if start.is_up { ServerState::Up } else { ServerState::Gone },
                answers,
                started_at: rfc3339(start.started_at_ms),
                // On a file nobody else asks for it, so it is not written.
                seen_at: rfc3339(if answers { now_ms } else { start.seen_at_ms }),
            }
        };
        let data = found.into_iter().map(server).collect();
        Ok(ServerListReply { success: true, message: String::new(), data })
    }
}

impl SumServiceUsage for Ledger {
    async fn sum_service_usage(
        &self,
        cx: &Cx,
        input: SumServiceUsageInput,
    ) -> Result<ServiceUsageReply, SumServiceUsageError> {
        let SumServiceUsageInput { from, to, group_by, .. } = input;
        let span = UsageSpan::asked(self.clock.now_ms(), from, to);
        let UsageSpan { from, to } = span;
        let too_wide =
            |reason: String| SumServiceUsageError::UsageTooWide { from: from.to_string(), to: to.to_string(), reason };
        if let Some(fault) = span.fault() {
            return Err(too_wide(fault));
        }
        let groups = group_by.unwrap_or_default();
        let ask = ServiceUsageQuery {
            from,
            to,
            by_day: groups.contains(&ServiceUsageGroup::Day),
            by_account: groups.contains(&ServiceUsageGroup::Account),
            by_model: groups.contains(&ServiceUsageGroup::Model),
            rows_max: limits::USAGE_ROWS,
        };
        let rows = self.service_usage(ask).await.map_err(|error| {
            unreadable(cx, &error);
            SumServiceUsageError::LedgerUnavailable
        })?;
        let rows = rows.ok_or_else(|| too_wide(format!("it is more than {} rows", ask.rows_max)))?;
        let data = ServiceUsageReport { from, to, rows: rows.into_iter().map(usage_row).collect() };
        Ok(ServiceUsageReply { success: true, message: String::new(), data })
    }
}

fn usage_row(row: ServiceUsage) -> ServiceUsageRow {
    let ServiceUsage { account, sums } = row;
    ServiceUsageRow {
        day: sums.day,
        account_id: account.map(|account| account.0),
        model: sums.model,
        requests: whole(sums.requests),
        released_requests: whole(sums.released),
        prompt_tokens: whole(sums.usage.prompt),
        completion_tokens: whole(sums.usage.completion),
        charged_usd: sums.charged,
        shortfall_usd: sums.shortfall,
    }
}

fn hold_reply(hold: crate::service_rows::OpenHold) -> OpenHold {
    let crate::service_rows::OpenHold { id, account, key, request_id, model, held, server, is_durable, .. } = hold;
    OpenHold {
        hold_id: id.0,
        account_id: account.0,
        key_id: key.0,
        request_id,
        model,
        held_usd: held,
        server,
        is_durable,
        created_at: rfc3339(hold.created_at_ms),
        expires_at: rfc3339(hold.expires_at_ms),
    }
}

fn seal_reply(seal: &LedgerSeal) -> Seal {
    Seal { seal: seal.number, hash: seal.to_hex(), rows: seal.rows, created_at: rfc3339(seal.created_at_ms) }
}
