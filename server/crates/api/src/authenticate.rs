//! Authentication: the credentials that a request shows become a caller, or are refused.

use std::net::IpAddr;

use http::HeaderValue;

use super::auth::ShownCredentials;
use super::{AuthFailure, Authenticate, Caller, Failure, Framework, Operation, OperatorCaller, Principal, Scheme};
use tollgate_base::KeyScope;

/// The circumstances that decide besides the credential itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct CredentialCheck {
    pub(super) operation: &'static Operation,
    pub(super) framework: &'static Framework,
    pub(super) client: Option<IpAddr>,
}

impl CredentialCheck {
    /// The holder of the key that is shown.
    pub(super) async fn holder<A: Authenticate>(
        self,
        shown: &ShownCredentials,
        service: &A,
    ) -> Result<Principal, Failure> {
        let Some(key) = &shown.key else { return Err(Failure::new(self.framework.key_missing)) };
        if shown.conflict {
            return Err(two_keys(self.framework));
        }
        let secret = readable(self.operation.schemes, key);
        let secret = secret.ok_or_else(|| AuthFailure::Unknown.of_key(self.framework))?;
        let holder = service.authenticate(secret).await.map_err(|failure| failure.of_key(self.framework))?;
        if let Some(scope) = &holder.scope {
            self.within(scope)?;
        }
        Ok(holder)
    }

    /// The person whose session it is, who as a member of an organisation has a role that may call the operation. Where the page
    /// names an account, it is the one that the session acts for: all windows of a browser share the session, and another one
    /// may have changed the organisation since.
    pub(super) async fn signed_in<A: Authenticate>(
        self,
        token: &HeaderValue,
        shown: &ShownCredentials,
        service: &A,
    ) -> Result<Caller, Failure> {
        if shown.foreign {
            return Err(Failure::new(self.framework.origin_refused));
        }
        let found = service.authenticate_session(token.to_str().unwrap_or_default()).await;
        let caller = found.map_err(|failure| failure.of_session(self.framework))?;
        if self.operation.for_one_account && !shown.is_for(caller.account) {
            return Err(Failure::new(self.framework.caller_conflict));
        }
        match caller.member {
            Some(member) if !self.operation.members.contains(&member.role) => {
                let failure = Failure::new(self.framework.member_role_missing);
                Err(failure.with("roles", self.operation.members.join(", ")))
            }
            Some(_) | None => Ok(caller),
        }
    }

    /// Sees that the session beside a key is not somebody else's. One that has ended is nobody's.
    pub(super) async fn agree<A: Authenticate>(
        self,
        holder: &Principal,
        session: Option<&HeaderValue>,
        service: &A,
    ) -> Result<(), Failure> {
        let Some(token) = session else { return Ok(()) };
        match service.authenticate_session(token.to_str().unwrap_or_default()).await {
            Ok(caller) if caller.account != holder.account => Err(Failure::new(self.framework.caller_conflict)),
            Err(AuthFailure::Unavailable) => Err(AuthFailure::Unavailable.of_session(self.framework)),
            Ok(_) | Err(AuthFailure::Unknown | AuthFailure::Disabled | AuthFailure::Expired) => Ok(()),
        }
    }

    /// The operator whose key or session is shown, with a role that may call the operation. `None` where neither is.
    pub(super) async fn operator<A: Authenticate>(
        self,
        shown: &ShownCredentials,
        service: &A,
    ) -> Result<Option<OperatorCaller>, Failure> {
        let caller = match (&shown.key, &shown.session) {
            _ if !shown.may_be_of_operator() => return Ok(None),
            (Some(_), _) if shown.conflict => return Err(two_keys(self.framework)),
            (Some(key), _) => {
                let secret = readable(self.operation.schemes, key);
                let secret = secret.ok_or_else(|| AuthFailure::Unknown.of_key(self.framework))?;
                service.authenticate_operator(secret).await.map_err(|failure| failure.of_key(self.framework))?
            }
            (None, Some(_)) if shown.foreign => return Err(Failure::new(self.framework.origin_refused)),
            (None, Some(token)) => {
                let found = service.authenticate_operator_session(token.to_str().unwrap_or_default()).await;
                found.map_err(|failure| failure.of_session(self.framework))?
            }
            (None, None) => return Ok(None),
        };
        if self.operation.roles.contains(&caller.role) {
            return Ok(Some(caller));
        }
        Err(Failure::new(self.framework.role_missing).with("roles", self.operation.roles.join(", ")))
    }

    fn within(self, scope: &KeyScope) -> Result<(), Failure> {
        if !scope.has_address(self.client) {
            return Err(Failure::new(self.framework.address_not_allowed));
        }
        if !scope.has_operation(self.operation.id) {
            return Err(Failure::new(self.framework.operation_not_allowed).with("operation", self.operation.id));
        }
        Ok(())
    }
}

/// The key as text, if it can be one of ours at all.
fn readable<'v>(schemes: &[&Scheme], value: &'v HeaderValue) -> Option<&'v str> {
    let secret = value.to_str().ok()?;
    let ours = |scheme: &&&Scheme| scheme.cookie.is_none() && secret.starts_with(scheme.key_starts);
    schemes.iter().find(ours).map(|_| secret)
}

fn two_keys(framework: &Framework) -> Failure {
    let failure = Failure::new(framework.bad_parameter).with("parameter", "API key");
    failure.with("expected", "one key").with("found", "two different keys in two places")
}
