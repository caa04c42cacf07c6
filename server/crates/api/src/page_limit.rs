//! The length of a page of a list.

/// The most rows of a page that operators ask for. Lists read one row more, which tells that there is a next page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageLimit(usize);

impl PageLimit {
    /// Rows of a page where no limit is asked for.
    const ROWS: usize = 50;
    /// The same where the list is asked for as CSV.
    const ROWS_AS_CSV: usize = 1_000;

    /// The limit that was asked for, or the usual one.
    #[must_use]
    pub fn new(asked: Option<i64>, csv: bool) -> Self {
        let usual = if csv { Self::ROWS_AS_CSV } else { Self::ROWS };
        Self(asked.map_or(usual, |rows| usize::try_from(rows).unwrap_or(usual)))
    }

    /// The rows to read: one more than a page has.
    #[must_use]
    pub fn rows_to_read(self) -> i64 {
        i64::try_from(self.0).unwrap_or(i64::MAX).saturating_add(1)
    }

    /// The same for a list in memory.
    #[must_use]
    pub const fn most_to_read(self) -> usize {
        self.0.saturating_add(1)
    }

    /// Leaves the rows of the page, and gives the place of the last one where another page follows.
    pub fn next_page<T>(self, rows: &mut Vec<T>, place: impl FnOnce(&T) -> String) -> Option<String> {
        let more = rows.len() > self.0;
        rows.truncate(self.0);
        rows.last().filter(|_| more).map(place)
    }
}

#[cfg(test)]
mod tests {
    use super::PageLimit;

    #[test]
    fn a_page_has_a_next_one_where_a_row_is_left() {
        let limit = PageLimit::new(Some(2), false);
        assert_eq!(limit.rows_to_read(), 3);
        let (mut whole, mut more) = (vec![1, 2], vec![1, 2, 3]);
        assert_eq!(limit.next_page(&mut whole, i32::to_string), None);
        assert_eq!(limit.next_page(&mut more, i32::to_string).as_deref(), Some("2"));
        assert_eq!((whole, more), (vec![1, 2], vec![1, 2]));
        assert_eq!(PageLimit::new(None, false).rows_to_read(), 51);
        assert_eq!(PageLimit::new(None, true).rows_to_read(), 1_001);
    }
}
