//! The restrictions of a key.

use std::net::IpAddr;

use super::AddressRange;

/// The models, operations and addresses that a key is for; what is absent is all of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeyScope {
    /// Names or aliases of models.
    pub models: Option<Vec<String>>,
    /// Operations by their ids in the spec.
    pub operations: Option<Vec<String>>,
    /// Ranges of addresses.
    pub addresses: Option<Vec<AddressRange>>,
}

impl KeyScope {
    /// True if it takes nothing away.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.models.is_none() && self.operations.is_none() && self.addresses.is_none()
    }

    /// True if an operation is among what the key is for.
    #[must_use]
    pub fn has_operation(&self, id: &str) -> bool {
        self.operations.as_ref().is_none_or(|operations| operations.iter().any(|operation| operation == id))
    }

    /// True if the key may be used from there. A client whose address is unknown is outside every range.
    #[must_use]
    pub fn has_address(&self, client: Option<IpAddr>) -> bool {
        let inside =
            |ranges: &Vec<AddressRange>| client.is_some_and(|client| ranges.iter().any(|net| net.contains(client)));
        self.addresses.as_ref().is_none_or(inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_absent_is_everything_and_what_is_there_is_nothing_else() {
        let all = KeyScope::default();
        assert!(all.is_all() && all.has_operation("chat.create") && all.has_address(None));
        let some = KeyScope {
            models: None,
            operations: Some(vec!["chat.create".to_owned()]),
            addresses: Some(vec!["192.0.2.0/24".parse().expect("a range")]),
        };
        assert!(!some.is_all() && some.has_operation("chat.create") && !some.has_operation("chat"));
        let from = |text: &str| some.has_address(Some(text.parse().expect("an address")));
        assert!(from("192.0.2.255") && from("::ffff:192.0.2.1") && !from("192.0.3.0") && !from("::1"));
        assert!(!some.has_address(None), "nobody knows where it is");
    }
}
