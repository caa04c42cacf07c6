//! The token of a session: 256 random bits in the cookie, their hash in the database.

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

use tollgate_base::{Secret, SessionId};

const BYTES: usize = 32;
const TEXT_LEN: usize = 43;

/// Draws a fresh token.
pub(super) fn draw() -> Secret {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).expect("the operating system has randomness");
    Secret::new(BASE64URL_NOPAD.encode(&bytes))
}

/// The id by which the session of a token is found, where the text has the form of one.
pub(super) fn id(token: &str) -> Option<SessionId> {
    let well_formed = token.len() == TEXT_LEN && BASE64URL_NOPAD.decode(token.as_bytes()).is_ok();
    well_formed.then(|| SessionId(Sha256::digest(token).into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_drawn_anew_each_time_and_other_text_is_none() {
        let (one, two) = (draw(), draw());
        assert!(one != two && id(one.reveal()).is_some() && id(one.reveal()) != id(two.reveal()));
        for text in ["", "x", &one.reveal()[1..], &format!("{}=", one.reveal()), &"%".repeat(TEXT_LEN)] {
            assert_eq!(id(text), None, "{text}");
        }
    }
}
