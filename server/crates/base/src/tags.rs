//! The tags of a model request.

/// The tags that a model request carries: words of its client, by which its receipt is found and usage is told. They are no secret, but
/// they are not ours: they stand in no metric and in no line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestTags(Option<Box<str>>);

/// The reason that a text is no list of tags. It does not repeat the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTags {
    /// There are too many.
    #[error("more than {} tags", RequestTags::COUNT_MAX)]
    TooMany,
    /// One is too long.
    #[error("a tag of {0} characters")]
    TooLong(usize),
    /// One has a character that tags do not have.
    #[error("a tag with '{0}' in it")]
    Character(char),
    /// One has a byte that is not of ASCII.
    #[error("a tag with other bytes than ASCII")]
    NotAscii,
}

impl RequestTags {
    /// The most tags of a request.
    pub const COUNT_MAX: usize = 8;
    /// The most characters of a tag.
    pub const LENGTH_MAX: usize = 64;

    /// Reads lists of tags with commas between, one after the other. What is there twice counts once; spaces around a tag and empty
    /// places do not count.
    ///
    /// # Errors
    /// [`InvalidTags`] for the first that is too many or cannot be a tag.
    pub fn read<'l>(lists: impl IntoIterator<Item = &'l [u8]>) -> Result<Self, InvalidTags> {
        let mut tags: Vec<&str> = Vec::new();
        for list in lists {
            for place in list.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).filter(|place| !place.is_empty()) {
                let tag = checked(place)?;
                if tags.contains(&tag) {
                    continue;
                }
                if tags.len() == Self::COUNT_MAX {
                    return Err(InvalidTags::TooMany);
                }
                tags.push(tag);
            }
        }
        Ok(Self((!tags.is_empty()).then(|| tags.join(",").into())))
    }

    /// The tags as they are stored: in their order, with commas between. None where there are none.
    #[must_use]
    pub fn stored(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// The tags in their order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.stored().into_iter().flat_map(|tags| tags.split(','))
    }
}

fn checked(place: &[u8]) -> Result<&str, InvalidTags> {
    let tag = std::str::from_utf8(place).ok().filter(|tag| tag.is_ascii()).ok_or(InvalidTags::NotAscii)?;
    let is_of_tags = |letter: char| letter.is_ascii_alphanumeric() || "-_.:/@".contains(letter);
    match tag.chars().find(|letter| !is_of_tags(*letter)) {
        Some(letter) => Err(InvalidTags::Character(letter)),
        None if tag.len() > RequestTags::LENGTH_MAX => Err(InvalidTags::TooLong(tag.len())),
        None => Ok(tag),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lists: &[&str]) -> Result<Vec<String>, InvalidTags> {
        let tags = RequestTags::read(lists.iter().map(|list| list.as_bytes()))?;
        assert_eq!(
            RequestTags::read(tags.stored().map(str::as_bytes)),
            Ok(tags.clone()),
            "stored tags are read as they were"
        );
        Ok(tags.iter().map(str::to_owned).collect())
    }

    #[test]
    fn tags_keep_their_order_and_count_once() {
        assert_eq!(RequestTags::default().stored(), None);
        for (lists, tags) in [
            (&["team-search, feature/autocomplete"][..], &["team-search", "feature/autocomplete"][..]),
            (&["b,a,b", "a ,c"], &["b", "a", "c"]),
            (&["Az09-_.:/@"], &["Az09-_.:/@"]),
            (&["a", "A"], &["a", "A"]),
            (&[""], &[]),
            (&[" ,, ", ""], &[]),
            (&[], &[]),
            (&["1,2,3,4,5,6,7,8,1"], &["1", "2", "3", "4", "5", "6", "7", "8"]),
        ] {
            assert_eq!(read(lists).unwrap(), tags, "{lists:?}");
        }
        let long = "x".repeat(RequestTags::LENGTH_MAX);
        assert_eq!(read(&[&long]).unwrap(), [long]);
    }

    #[test]
    fn what_is_no_tag_is_refused() {
        let long = "x".repeat(RequestTags::LENGTH_MAX + 1);
        for (list, refused) in [
            ("1,2,3,4,5,6,7,8,9", InvalidTags::TooMany),
            (&long, InvalidTags::TooLong(65)),
            ("a b", InvalidTags::Character(' ')),
            ("a;b", InvalidTags::Character(';')),
            ("\"a\"", InvalidTags::Character('"')),
            ("a'b", InvalidTags::Character('\'')),
            ("a%b", InvalidTags::Character('%')),
            ("a\\b", InvalidTags::Character('\\')),
            ("a\tb", InvalidTags::Character('\t')),
            ("é", InvalidTags::NotAscii),
        ] {
            assert_eq!(read(&[list]), Err(refused), "{list:?}");
        }
        assert_eq!(RequestTags::read([&b"a\xff"[..]]), Err(InvalidTags::NotAscii));
        assert_eq!(read(&["1,2,3,4", "5,6,7,8", "9"]), Err(InvalidTags::TooMany), "over several lines");
        assert_eq!(InvalidTags::TooMany.to_string(), "more than 8 tags");
    }
}
