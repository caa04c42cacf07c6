//! The text form of a key: `sk-`, or `op-` of an operator's, 43 random base-62 characters (256 bits), and six of checksum.
//!
//! The checksum lets a typing mistake be refused without a look-up, and lets scanners tell a leaked key from noise.

use sha2::{Digest, Sha256};

use tollgate_base::Secret;

/// The start of a key of an account.
pub(super) const ACCOUNT: KeyStart = KeyStart("sk-");
/// The start of a key of an operator.
pub(super) const OPERATOR: KeyStart = KeyStart("op-");
const START_LEN: usize = 3;
const RANDOM_LEN: usize = 43;
const CHECK_LEN: usize = 6;
const BODY_LEN: usize = START_LEN + RANDOM_LEN;
const LEN: usize = BODY_LEN + CHECK_LEN;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// The largest multiple of 62 in a byte: a draw at or above it would favour the first letters, so it is drawn again.
const FAIR_BELOW: u8 = 248;

/// The SHA-256 of a secret, which is stored, and by which the key is found.
pub(super) type KeyHash = [u8; 32];

/// The start of a key, by which one kind is told from the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyStart(&'static str);

/// Draws a fresh secret.
pub(super) fn draw(start: KeyStart) -> Secret {
    let mut text = String::with_capacity(LEN);
    text.push_str(start.0);
    while text.len() < BODY_LEN {
        let mut bytes = [0; RANDOM_LEN];
        getrandom::fill(&mut bytes).expect("the operating system has randomness");
        let fair = bytes.iter().filter(|byte| **byte < FAIR_BELOW);
        text.extend(fair.take(BODY_LEN - text.len()).map(|byte| letter(u32::from(*byte) % 62)));
    }
    let check = checksum(&text);
    text.extend(check.map(char::from));
    Secret::new(text)
}

/// The hash of a secret, where it has the form of a key and its checksum is right.
pub(super) fn hash(start: KeyStart, secret: &str) -> Option<KeyHash> {
    let well_formed = secret.len() == LEN
        && secret.starts_with(start.0)
        && secret.bytes().skip(START_LEN).all(|byte| byte.is_ascii_alphanumeric());
    if !well_formed {
        return None;
    }
    let (body, check) = secret.split_at(BODY_LEN);
    (checksum(body) == check.as_bytes()).then(|| Sha256::digest(secret).into())
}

/// The first eight characters and the last four.
pub(super) fn shown(secret: &Secret) -> String {
    let text = secret.reveal();
    format!("{}…{}", &text[..8], &text[text.len() - 4..])
}

/// The CRC-32 of `body` in base 62, six digits, the most significant first.
fn checksum(body: &str) -> [u8; CHECK_LEN] {
    let mut rest = crc32fast::hash(body.as_bytes());
    let mut digits = [0; CHECK_LEN];
    for digit in digits.iter_mut().rev() {
        *digit = byte(rest % 62);
        rest /= 62;
    }
    digits
}

fn letter(digit: u32) -> char {
    char::from(byte(digit))
}

fn byte(digit: u32) -> u8 {
    ALPHABET[usize::try_from(digit).expect("a digit below 62 fits")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_key_is_well_formed_and_each_is_another() {
        let (one, two) = (draw(ACCOUNT), draw(ACCOUNT));
        assert_ne!(one, two);
        assert_eq!(one.reveal().len(), 52);
        assert!(hash(ACCOUNT, one.reveal()).is_some());
        assert_ne!(hash(ACCOUNT, one.reveal()), hash(ACCOUNT, two.reveal()));
        assert_eq!(shown(&one).chars().count(), 13);
    }

    #[test]
    fn every_single_typing_mistake_is_seen() {
        let key = draw(ACCOUNT);
        for place in START_LEN..LEN {
            for &other in ALPHABET.iter().filter(|byte| **byte != key.reveal().as_bytes()[place]) {
                let mut wrong = key.reveal().as_bytes().to_vec();
                wrong[place] = other;
                let wrong = String::from_utf8(wrong).expect("ASCII");
                assert_eq!(hash(ACCOUNT, &wrong), None, "{place}");
            }
        }
    }

    #[test]
    fn other_text_is_no_key() {
        let key = draw(ACCOUNT);
        let long = format!("{}0", key.reveal());
        let foreign = key.reveal().replacen("sk-", "pk-", 1);
        let wide = key.reveal().replace(&key.reveal()[10..12], "é");
        for text in ["", "sk-", "sk-é", &key.reveal()[..51], &long, &foreign, &wide] {
            assert_eq!(hash(ACCOUNT, text), None, "{text}");
        }
        assert!(hash(OPERATOR, key.reveal()).is_none() && hash(OPERATOR, draw(OPERATOR).reveal()).is_some());
    }
}
