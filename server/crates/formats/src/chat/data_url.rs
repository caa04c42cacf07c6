//! `data:` addresses: pictures and files in one line of text.

use std::borrow::Cow;

use super::super::MediaSource;

/// The media type of an address, where it states one, and the source of its bytes. `None` for a `data:`
/// address that is not in base64.
pub fn read(address: &str) -> Option<(Option<String>, MediaSource)> {
    let is_data = address.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
    if !is_data {
        return Some((None, MediaSource::Url(address.to_owned())));
    }
    let (head, bytes) = address[5..].split_once(',')?;
    let mut words = head.split(';');
    let mime = words.next().filter(|mime| !mime.is_empty()).map(str::to_owned);
    let in_base64 = words.any(|word| word.trim().eq_ignore_ascii_case("base64"));
    in_base64.then(|| (mime, MediaSource::Base64(standard(bytes).into_owned())))
}

/// Base64 in the standard alphabet.
pub fn standard(base64: &str) -> Cow<'_, str> {
    if !base64.contains(['-', '_']) {
        return Cow::Borrowed(base64);
    }
    Cow::Owned(base64.replace('-', "+").replace('_', "/"))
}

/// The address of bytes in base64.
pub fn write(mime: Option<&str>, base64: &str) -> String {
    format!("data:{};base64,{base64}", mime.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_apart() {
        let bytes =
            |mime: Option<&str>, data: &str| Some((mime.map(str::to_owned), MediaSource::Base64(data.to_owned())));
        for (address, expected) in [
            ("data:image/png;base64,AA-_", bytes(Some("image/png"), "AA+/")),
            ("DATA:image/png;name=x;BASE64,AA==", bytes(Some("image/png"), "AA==")),
            ("data:;base64,AA==", bytes(None, "AA==")),
            ("https://h/data:,x", Some((None, MediaSource::Url("https://h/data:,x".into())))),
            ("é", Some((None, MediaSource::Url("é".into())))),
            ("data:text/plain,hello", None),
            ("data:nothing", None),
        ] {
            assert_eq!(read(address), expected, "{address}");
        }
    }

    #[test]
    fn what_is_written_reads_the_same() {
        let (mime, source) = read(&write(Some("application/pdf"), "AAAA")).expect("base64");
        assert_eq!((mime.as_deref(), source), (Some("application/pdf"), MediaSource::Base64("AAAA".into())));
    }
}
