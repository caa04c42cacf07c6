//! Download of images for which the provider gave URLs and the client wants the bytes.

use data_encoding::BASE64;
use futures_util::StreamExt;
use futures_util::stream::iter;
use http::HeaderMap;
use tokio::time::Instant;

use crate::Gateway;
use crate::upstream::{AnswerDeadlines, FetchError, UpstreamError};
use tollgate_api::generated::limits;

use super::image_list::{ImageList, ListedImage};
use super::image_type::picture_type;

/// The divisor of the memory for one answer. Base64 is a third larger than the images, and both are in memory at once.
const SHARE_OF_ANSWER: usize = 3;
/// The most downloads at once for one answer, so that a provider's list does not cause a flood of requests.
const AT_ONCE: usize = 4;

impl Gateway {
    /// Replaces each URL by its image; returns true if all were fetched.
    /// An image that could not be fetched keeps its URL, and so do those beyond `wanted`, the number that the client
    /// asked for.
    pub(super) async fn fetch_images(&self, pictures: &mut ImageList, wanted: u64, whole: Instant) -> bool {
        let whole = whole.min(Instant::now() + limits::FETCH_TOTAL);
        let wanted = usize::try_from(wanted).unwrap_or(usize::MAX).min(pictures.data.len());
        let (asked_for, beyond) = pictures.data.split_at_mut(wanted);
        let share = self.patience.whole_bytes / SHARE_OF_ANSWER / wanted.max(1);
        let bytes_max = share.min(limits::FETCH_PICTURE);
        let fetching = asked_for.iter_mut().map(|picture| async move {
            match self.bytes_of(&picture.url, whole, bytes_max).await {
                Ok(bytes) => {
                    *picture = ListedImage { b64_json: bytes, ..ListedImage::default() };
                    true
                }
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(error, "a picture of a provider could not be fetched");
                    false
                }
            }
        });
        let had: Vec<bool> = iter(fetching.collect::<Vec<_>>()).buffer_unordered(AT_ONCE).collect().await;
        beyond.is_empty() && had.into_iter().all(|had| had)
    }

    /// The image in base64, as the client reads it.
    async fn bytes_of(&self, address: &str, whole: Instant, bytes_max: usize) -> Result<String, ImageFetchError> {
        if let Some((_, bytes)) = address.strip_prefix("data:image/").and_then(|rest| rest.split_once(";base64,")) {
            return Ok(bytes.to_owned());
        }
        let deadlines = AnswerDeadlines { begin: whole, whole };
        let mut answer = self.fetcher.fetch(address, &HeaderMap::new(), deadlines).await?;
        if !answer.status.is_success() {
            return Err(ImageFetchError::Status(answer.status));
        }
        let bytes = answer.body.whole(self.room(bytes_max)).await?.counted(|bytes| bytes);
        picture_type(&bytes).ok_or(ImageFetchError::Other)?;
        Ok(BASE64.encode(&bytes))
    }
}

/// An error in fetching an image.
#[derive(Debug, thiserror::Error)]
enum ImageFetchError {
    #[error("fetching the image failed")]
    Fetch(#[from] FetchError),
    #[error("reading the image failed")]
    Broken(#[from] UpstreamError),
    #[error("the address of the image answered with status {0}")]
    Status(http::StatusCode),
    #[error("the address holds no image of a known type")]
    Other,
}
