//! `/api/admin/accounts/{account_id}/grants` and `…/takings`: credit that operators give and take.

use super::unreadable;
use crate::{GrantRefused, GrantRequest, Ledger, ReversalRefused, TakeBackRequest};
use tollgate_api::generated::ops::admin_accounts::{
    GrantCredit, GrantCreditError, GrantCreditInput, TakeCredit, TakeCreditError, TakeCreditInput,
};
use tollgate_api::generated::types::{Grant, GrantReply, Taking, TakingReply};
use tollgate_api::{Cx, OperatorCaller};
use tollgate_base::{AccountId, Actor, Usd};

impl GrantCredit for Ledger {
    async fn grant_credit(&self, cx: &Cx, input: GrantCreditInput) -> Result<GrantReply, GrantCreditError> {
        let GrantCreditInput { caller, idempotency_key: idem, account_id, body } = input;
        let by = OperatorCaller::actor_name(&caller.name);
        let note = body.reason.unwrap_or_default();
        let actor = Actor { name: &by, address: cx.client, reason: &note };
        let ask = GrantRequest { account: AccountId(account_id), amount: body.usd, idem: &idem, actor, note: &note };
        let granted = self.grant(ask).await.map_err(|refused| match refused {
            GrantRefused::AmountOutOfRange | GrantRefused::TextOutOfRange => GrantCreditError::BadField {
                field: "usd".to_owned(),
                expected: "an amount with which the account has at most 1000000000 USD".to_owned(),
                found: body.usd.to_string(),
            },
            GrantRefused::NoSuchAccount => GrantCreditError::AccountNotFound { account_id },
            GrantRefused::Conflict(first) => {
                GrantCreditError::BookingKeyUsed { amount_usd: first.amount, account_id: first.account.0 }
            }
            GrantRefused::Store(error) => {
                unreadable(cx, &error.into());
                GrantCreditError::LedgerUnavailable
            }
        })?;
        let data = Grant {
            transfer: granted.transfer,
            granted_usd: granted.amount,
            debt_paid_usd: granted.debt_paid,
            repeated: granted.repeated,
            available_usd: self.available(cx, account_id).await.ok_or(GrantCreditError::LedgerUnavailable)?,
        };
        Ok(GrantReply { success: true, message: String::new(), data })
    }
}

impl TakeCredit for Ledger {
    async fn take_credit(&self, cx: &Cx, input: TakeCreditInput) -> Result<TakingReply, TakeCreditError> {
        let TakeCreditInput { caller, idempotency_key: idem, account_id, body } = input;
        let by = OperatorCaller::actor_name(&caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: &body.reason };
        let (account, debt) = (AccountId(account_id), body.debt.unwrap_or_default());
        let ask = TakeBackRequest { account, amount: body.usd, debt, idem: &idem, actor, reason: &body.reason };
        let field = |expected: &str| TakeCreditError::BadField {
            field: "usd".to_owned(),
            expected: expected.to_owned(),
            found: body.usd.to_string(),
        };
        let taken = self.take(ask).await.map_err(|refused| match refused {
            ReversalRefused::AmountOutOfRange | ReversalRefused::TextOutOfRange => {
                field("more than zero, and at most 1000000000 USD")
            }
            ReversalRefused::DebtOutOfRange { owed } => {
                field(&format!("an amount with which the account owes at most 1000000000 USD; it owes {owed} USD"))
            }
            ReversalRefused::NoSuchAccount => TakeCreditError::AccountNotFound { account_id },
            ReversalRefused::Conflict(first) => {
                TakeCreditError::BookingKeyUsed { amount_usd: first.amount, account_id: first.account.0 }
            }
            ReversalRefused::Store(error) => {
                unreadable(cx, &error.into());
                TakeCreditError::LedgerUnavailable
            }
        })?;
        let data = Taking {
            reversal: taken.id,
            taken_usd: taken.taken,
            debt_usd: taken.debt,
            left_usd: taken.left(),
            repeated: taken.repeated,
            available_usd: self.available(cx, account_id).await.ok_or(TakeCreditError::LedgerUnavailable)?,
        };
        Ok(TakingReply { success: true, message: String::new(), data })
    }
}

impl Ledger {
    /// The credit that requests of an account may hold now. The booking is made where this cannot be read, and made once where it
    /// is sent again.
    async fn available(&self, cx: &Cx, account_id: i64) -> Option<Usd> {
        let balance = self.balance(AccountId(account_id)).await.inspect_err(|error| unreadable(cx, error));
        balance.ok().map(|balance| balance.available())
    }
}
