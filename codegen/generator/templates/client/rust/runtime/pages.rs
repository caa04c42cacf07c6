//! Lists that come in pages.

use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

use super::error::Error;

/// A page under way: its items, and what the next one is asked for by.
pub(crate) type Page<'a, T, C> = Pin<Box<dyn Future<Output = Result<(Vec<T>, Option<String>), Error<C>>> + Send + 'a>>;

/// The items of a list that comes in pages, one after the other.
pub struct Pages<'a, T, C> {
    page: Box<dyn FnMut(Option<String>) -> Page<'a, T, C> + Send + 'a>,
    items: VecDeque<T>,
    by: Option<String>,
    ended: bool,
}

impl<T, C> fmt::Debug for Pages<'_, T, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Pages").field("by", &self.by).field("ended", &self.ended).finish_non_exhaustive()
    }
}

impl<'a, T, C> Pages<'a, T, C> {
    pub(crate) fn new(page: impl FnMut(Option<String>) -> Page<'a, T, C> + Send + 'a) -> Self {
        Self { page: Box::new(page), items: VecDeque::new(), by: None, ended: false }
    }

    /// The next item; `None` after the last one.
    pub async fn next(&mut self) -> Option<Result<T, Error<C>>> {
        loop {
            if let Some(item) = self.items.pop_front() {
                return Some(Ok(item));
            }
            if self.ended {
                return None;
            }
            match (self.page)(self.by.clone()).await {
                Ok((items, next)) => {
                    self.ended = next.is_none() || next == self.by;
                    self.by = next;
                    self.items = items.into();
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
    }
}
