//! The URIs of a provider's services, made once.

use std::sync::Arc;

use http::Uri;
use tollgate_net::HttpError;
use url::Url;

use crate::config::ProviderKind;

use super::UpstreamError;
use super::action::UpstreamAction;

/// The URIs of the services for one model. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ServiceUris(Arc<[Option<Uri>]>);

impl ServiceUris {
    pub(super) fn new(base: &Url, kind: ProviderKind, model: &str) -> Self {
        Self(UpstreamAction::ALL.iter().map(|action| uri(&action.url(base, kind, model)).ok()).collect())
    }

    /// The URI of that service.
    ///
    /// # Errors
    /// [`UpstreamError::Unreachable`] where it is too long, for example by the model's name.
    pub(super) fn get(&self, action: UpstreamAction) -> Result<Uri, UpstreamError> {
        self.0[action.index()].clone().ok_or(UpstreamError::Unreachable(HttpError::InvalidUrl))
    }
}

/// A URL as requests have it.
///
/// # Errors
/// [`UpstreamError::Unreachable`] where it is too long or has letters that a URI cannot have.
pub(super) fn uri(url: &Url) -> Result<Uri, UpstreamError> {
    url.as_str().parse().map_err(|_| UpstreamError::Unreachable(HttpError::InvalidUrl))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollgate_formats::Format;

    #[test]
    fn each_service_is_at_its_url() {
        let base = Url::parse("https://x.example/v1").expect("an address");
        let speaks = [Format::Chat, Format::Completions, Format::Responses, Format::Messages, Format::Generate];
        let others = [ProviderKind::Pictures, ProviderKind::PicturesLater, ProviderKind::VideoA];
        for kind in speaks.map(ProviderKind::Speaks).into_iter().chain(others) {
            let (services, of_another) = (ServiceUris::new(&base, kind, "a/b"), ServiceUris::new(&base, kind, "c"));
            for action in UpstreamAction::ALL {
                let uri = services.get(action).expect("a URI");
                assert_eq!(uri, action.url(&base, kind, "a/b").as_str());
                let differs = uri != of_another.get(action).expect("a URI");
                assert_eq!(differs, kind.names_model_in_path(), "{kind:?} {action:?}");
            }
        }
    }
}
