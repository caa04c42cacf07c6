//! `/api/admin/session` and `/api/admin/invitation`: signing in and out.

use super::unavailable;
use crate::operators::{BegunOperatorSession, OperatorRejection, OperatorService, OperatorSignIn};
use tollgate_api::generated::limits;
use tollgate_api::generated::ops::admin_session::{
    AcceptInvitation, AcceptInvitationError, AcceptInvitationInput, GetOperatorSession, GetOperatorSessionError,
    GetOperatorSessionInput, OfferSecondFactor, OfferSecondFactorError, OfferSecondFactorInput, SignInOperator,
    SignInOperatorError, SignInOperatorInput, SignOutOperator, SignOutOperatorError, SignOutOperatorInput,
};
use tollgate_api::generated::types::{
    InvitationAcceptance, OperatorLoginReply, OperatorLogoutReply, OperatorSelf, OperatorSelfReply, OperatorSignedIn,
    SecondFactor, SecondFactorReply,
};
use tollgate_api::{BeginsSession, Cx, OperatorCaller};
use tollgate_base::{Actor, Secret};

/// The name of the service in apps that show codes.
const ISSUER: &str = "Tollgate";
/// The wait before another try where too many wait to be signed in.
const BUSY_SECONDS: u32 = 5;

impl SignInOperator for OperatorService {
    async fn sign_in_operator(
        &self,
        cx: &Cx,
        input: SignInOperatorInput,
    ) -> Result<BeginsSession<OperatorLoginReply>, SignInOperatorError> {
        let ask = ask(cx, input.body.name, input.body.password.0, input.body.code.0);
        let begun = self.sign_in(ask).await.map_err(|refused| match Refusal::of(cx, refused) {
            Refusal::Nobody | Refusal::Unfit => SignInOperatorError::OperatorLoginFailed,
            Refusal::Limited(limit) => SignInOperatorError::RateLimited { limit },
            Refusal::Ledger => SignInOperatorError::LedgerUnavailable,
        })?;
        Ok(signed_in(begun))
    }
}

impl OfferSecondFactor for OperatorService {
    async fn offer_second_factor(
        &self,
        cx: &Cx,
        input: OfferSecondFactorInput,
    ) -> Result<SecondFactorReply, OfferSecondFactorError> {
        let offered = OperatorService::offer_second_factor(self, &input.body.invitation.0, ISSUER, cx.client).await;
        let offered = offered.map_err(|refused| match Refusal::of(cx, refused) {
            Refusal::Nobody | Refusal::Unfit => OfferSecondFactorError::InvitationInvalid,
            Refusal::Limited(limit) => OfferSecondFactorError::RateLimited { limit },
            Refusal::Ledger => OfferSecondFactorError::LedgerUnavailable,
        })?;
        let data = SecondFactor {
            name: offered.name,
            secret: offered.secret.reveal().to_owned().into(),
            uri: offered.uri.reveal().to_owned().into(),
            qr_svg: offered.qr_svg.reveal().to_owned().into(),
        };
        Ok(SecondFactorReply { success: true, message: String::new(), data })
    }
}

impl AcceptInvitation for OperatorService {
    async fn accept_invitation(
        &self,
        cx: &Cx,
        input: AcceptInvitationInput,
    ) -> Result<BeginsSession<OperatorLoginReply>, AcceptInvitationError> {
        let InvitationAcceptance { invitation, secret, code, password } = input.body;
        let ask = ask(cx, String::new(), password.0, code.0);
        let begun = self.accept(&invitation.0, &secret.0, ask).await;
        let begun = begun.map_err(|refused| match Refusal::of(cx, refused) {
            Refusal::Nobody => AcceptInvitationError::InvitationInvalid,
            Refusal::Unfit => AcceptInvitationError::SecondFactorWrong,
            Refusal::Limited(limit) => AcceptInvitationError::RateLimited { limit },
            Refusal::Ledger => AcceptInvitationError::LedgerUnavailable,
        })?;
        Ok(signed_in(begun))
    }
}

impl GetOperatorSession for OperatorService {
    async fn get_operator_session(
        &self,
        _cx: &Cx,
        input: GetOperatorSessionInput,
    ) -> Result<OperatorSelfReply, GetOperatorSessionError> {
        let OperatorCaller { operator, name, role, session } = input.caller;
        let role = role.parse().map_err(|_| GetOperatorSessionError::LedgerUnavailable)?;
        let data = OperatorSelf { operator_id: operator.0, name: name.to_string(), role, signed_in: session.is_some() };
        Ok(OperatorSelfReply { success: true, message: String::new(), data })
    }
}

impl SignOutOperator for OperatorService {
    async fn sign_out_operator(
        &self,
        cx: &Cx,
        input: SignOutOperatorInput,
    ) -> Result<OperatorLogoutReply, SignOutOperatorError> {
        if let Some(session) = input.caller.session {
            let by = OperatorCaller::actor_name(&input.caller.name);
            let actor = Actor { name: &by, address: cx.client, reason: "" };
            self.end_sessions(input.caller.operator, Some(session), actor).await.map_err(|error| {
                unavailable(cx, &error);
                SignOutOperatorError::LedgerUnavailable
            })?;
        }
        Ok(OperatorLogoutReply { success: true, message: String::new() })
    }
}

/// The reasons that signing in has for the caller.
enum Refusal {
    Nobody,
    Unfit,
    Limited(String),
    Ledger,
}

impl Refusal {
    fn of(cx: &Cx, refused: OperatorRejection) -> Self {
        match refused {
            OperatorRejection::Unknown | OperatorRejection::Disabled | OperatorRejection::Over => Self::Nobody,
            OperatorRejection::PasswordUnfit | OperatorRejection::CodeWrong => Self::Unfit,
            OperatorRejection::TooMany { wait_seconds } => {
                cx.retry_after(wait_seconds);
                Self::Limited(format!(
                    "{} failed tries to sign in a minute with one name from one address, and {} with any",
                    limits::LOGIN_TRIES,
                    limits::LOGIN_ADDRESS_TRIES
                ))
            }
            OperatorRejection::Busy => {
                cx.retry_after(BUSY_SECONDS);
                Self::Limited("too many people sign in at the same time".to_owned())
            }
            OperatorRejection::Unchecked(error) => {
                unavailable(cx, &*error);
                Self::Ledger
            }
            OperatorRejection::Store(error) => {
                unavailable(cx, &error);
                Self::Ledger
            }
        }
    }
}

fn ask(cx: &Cx, name: String, password: String, code: String) -> OperatorSignIn {
    let browser = cx.headers.get("user-agent").and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    OperatorSignIn { name, password: Secret::new(password), code: Secret::new(code), from: cx.client, browser }
}

fn signed_in(begun: BegunOperatorSession) -> BeginsSession<OperatorLoginReply> {
    let BegunOperatorSession { operator, session, token } = begun;
    let data = OperatorSignedIn {
        operator_id: operator.id.0,
        name: operator.name,
        role: operator.role,
        expires_at: session.ends_at_ms / 1000,
    };
    let reply = OperatorLoginReply { success: true, message: String::new(), data };
    BeginsSession { reply, token, lasts: limits::OPERATOR_SESSION_TOTAL }
}
