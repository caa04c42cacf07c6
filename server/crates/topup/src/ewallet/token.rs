//! The token of an order: it shows the order's state to whoever has the address that the payer returns to.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use tollgate_base::{Secret, draw_text};

/// Letters of a token, five random bits each: 130.
const LETTERS: usize = 26;

/// Draws a fresh token.
pub(super) fn draw() -> Secret {
    Secret::new(draw_text::<LETTERS>())
}

/// The hash that is kept of a token. It has as many random bits as nobody tries, so that it needs no slow hash.
pub(super) fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

/// True if a token has this hash; false for any token of an order without one. The time that it takes says nothing about where the
/// two differ, and little about whether there is a hash at all.
pub(super) fn is_of(token: &str, kept: Option<&[u8]>) -> bool {
    let shown = hash(token);
    // Of the length of a hash, so that the same work is done.
    let is_same = shown[..].ct_eq(kept.unwrap_or(&[0; 32]));
    kept.is_some() && bool::from(is_same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_drawn_anew_each_time_and_not_shown_by_chance() {
        let (one, two) = (draw(), draw());
        assert!(one != two && one.reveal().len() == LETTERS);
        assert!(one.reveal().bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()), "needs no escape");
        assert!(!format!("{one:?}").contains(one.reveal()));
    }

    #[test]
    fn the_token_of_an_order_alone_is_its_own() {
        let (own, other) = (draw(), draw());
        let kept = hash(own.reveal());
        assert!(is_of(own.reveal(), Some(&kept)));
        let long = format!("{}x", own.reveal());
        for wrong in ["", other.reveal(), &own.reveal()[1..], &long, &own.reveal().to_uppercase()] {
            assert!(!is_of(wrong, Some(&kept)), "{wrong}");
        }
        // What is kept is no token, and an order without one is nobody's.
        assert!(!is_of(&data_encoding::HEXLOWER.encode(&kept), Some(&kept)));
        for nothing in [None, Some(&[][..]), Some(&kept[..31])] {
            assert!(!is_of(own.reveal(), nothing) && !is_of("", nothing));
        }
    }
}
