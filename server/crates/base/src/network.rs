//! Ranges of addresses, as people write them.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::{IpNet, Ipv4Net};

/// `::ffff:0:0/96`: IPv4 written as IPv6.
const MAPPED_BITS: u8 = 96;

/// A range of addresses. One that is written in a longer way than it needs (`10.1.2.3/8`, `::ffff:10.0.0.0/104`) is the
/// range that is meant, and an address alone is a range of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AddressRange(IpNet);

/// The text is no range of addresses.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("no address or range of addresses")]
pub struct InvalidAddressRange;

impl AddressRange {
    /// True if an address is in it, in whichever way it is written.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }

    /// The network that one client is taken to have: its address, in IPv6 the 64 bits that its provider gave it.
    #[must_use]
    pub fn of_client(address: IpAddr) -> Self {
        let address = address.to_canonical();
        let bits = if address.is_ipv4() { 32 } else { 64 };
        Self(IpNet::new_assert(address, bits).trunc())
    }
}

impl FromStr for AddressRange {
    type Err = InvalidAddressRange;

    fn from_str(text: &str) -> Result<Self, InvalidAddressRange> {
        let net = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).map_err(|_| InvalidAddressRange)?;
        let IpNet::V6(six) = net else { return Ok(Self(net.trunc())) };
        let mapped = six.addr().to_ipv4_mapped().zip(six.prefix_len().checked_sub(MAPPED_BITS));
        let four = mapped.map(|(address, bits)| IpNet::V4(Ipv4Net::new_assert(address, bits)));
        Ok(Self(four.unwrap_or(net).trunc()))
    }
}

impl fmt::Display for AddressRange {
    /// The one way to write it: an address alone where it is one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.prefix_len() == self.0.max_prefix_len() { self.0.addr().fmt(f) } else { self.0.fmt(f) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_one_way_to_be_written() {
        for (written, shown) in [
            ("192.0.2.7", "192.0.2.7"),
            ("192.0.2.7/32", "192.0.2.7"),
            ("10.1.2.3/8", "10.0.0.0/8"),
            ("0.0.0.0/0", "0.0.0.0/0"),
            ("2001:db8::1", "2001:db8::1"),
            ("2001:DB8:0::ffff/32", "2001:db8::/32"),
            ("::ffff:10.1.2.3", "10.1.2.3"),
            ("::ffff:10.1.2.3/104", "10.0.0.0/8"),
        ] {
            assert_eq!(written.parse::<AddressRange>().map(|net| net.to_string()), Ok(shown.to_owned()), "{written}");
        }
        for nothing in ["", "10.0.0.0/33", "10.0.0/8", "localhost", "10.0.0.1-10.0.0.9", "::/129", "10.0.0.0/8 ", "/8"]
        {
            assert_eq!(nothing.parse::<AddressRange>(), Err(InvalidAddressRange), "{nothing}");
        }
    }

    #[test]
    fn a_client_of_ipv6_is_its_network() {
        let of = |text: &str| AddressRange::of_client(text.parse().expect("an address")).to_string();
        assert_eq!((of("192.0.2.7"), of("::ffff:192.0.2.7")), ("192.0.2.7".to_owned(), "192.0.2.7".to_owned()));
        assert_eq!(of("2001:db8::1:2:3:4"), "2001:db8::/64");
    }
}
