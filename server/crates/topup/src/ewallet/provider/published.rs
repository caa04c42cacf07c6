//! The keys of the local checkout provider and of the merchant that it knows. They are published with the source, so they prove
//! nothing to anybody; in production they are refused.

/// The client id under which the local provider knows its merchant; it starts as those of a provider's sandbox do.
pub const CLIENT_ID: &str = "SANDBOX_TOLLGATE";
/// The key with which the merchant signs.
pub const MERCHANT_PRIVATE: &str = include_str!("published/merchant.private.txt");
/// The key by which the local provider verifies the merchant.
pub const MERCHANT_PUBLIC: &str = include_str!("published/merchant.public.txt");
/// The key with which the local provider signs.
pub const PROVIDER_PRIVATE: &str = include_str!("published/provider.private.txt");
/// The key by which the merchant verifies the local provider.
pub const PROVIDER_PUBLIC: &str = include_str!("published/provider.public.txt");

/// True if a key is one of these, in any spelling.
#[must_use]
pub fn is_published(key: &str) -> bool {
    let bare: String = key.lines().filter(|line| !line.starts_with("-----")).flat_map(str::split_whitespace).collect();
    [MERCHANT_PRIVATE, MERCHANT_PUBLIC, PROVIDER_PRIVATE, PROVIDER_PUBLIC].contains(&bare.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_keys_are_known_in_any_form() {
        let lines: Vec<&str> =
            MERCHANT_PRIVATE.as_bytes().chunks(64).map(|line| str::from_utf8(line).unwrap()).collect();
        let pem = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", lines.join("\n"));
        assert!(is_published(&pem) && is_published(PROVIDER_PUBLIC) && is_published(&format!(" {PROVIDER_PUBLIC}\n")));
        assert!(!is_published("") && !is_published(&PROVIDER_PUBLIC[1..]));
    }
}
