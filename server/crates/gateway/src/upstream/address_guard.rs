//! The check of URLs that somebody else named: they must be on the open internet, or in a network that an operator allows.
//!
//! A host name is checked by its resolved addresses when the connection is made. It is resolved once, so a name that resolves
//! to another machine the second time (DNS rebinding) gains nothing.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use tollgate_net::{HostName, NameResolver, Resolution};
use url::Url;

/// The reason for which a URL is refused. Tells nothing of what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ForbiddenAddress {
    /// It is no valid URL.
    #[error("it is no valid URL")]
    NoAddress,
    /// Its scheme is not https.
    #[error("it is not https")]
    Scheme,
    /// It has a user name or password.
    #[error("it carries credentials")]
    Credentials,
    /// It has a query or a fragment, in which a key may stand.
    #[error("it has a query or a fragment")]
    Query,
    /// Its port is not the standard one.
    #[error("its port is not that of its scheme")]
    Port,
    /// Its host name is not public.
    #[error("its host name is not public")]
    Name,
    /// Its IP address is not on the open internet.
    #[error("it is not on the open internet")]
    Network,
}

/// The check of URLs, with the networks that are allowed besides the open internet.
#[derive(Debug, Clone)]
pub struct AddressGuard {
    allowed: Arc<[IpNet]>,
}

/// IPv4 networks that are not on the open internet.
const CLOSED_V4: [Ipv4Net; 15] = [
    v4(0, 0, 0, 0, 8),
    v4(10, 0, 0, 0, 8),
    v4(100, 64, 0, 0, 10),
    v4(127, 0, 0, 0, 8),
    v4(169, 254, 0, 0, 16),
    v4(172, 16, 0, 0, 12),
    v4(192, 0, 0, 0, 24),
    v4(192, 0, 2, 0, 24),
    v4(192, 88, 99, 0, 24),
    v4(192, 168, 0, 0, 16),
    v4(198, 18, 0, 0, 15),
    v4(198, 51, 100, 0, 24),
    v4(203, 0, 113, 0, 24),
    v4(224, 0, 0, 0, 4),
    v4(240, 0, 0, 0, 4),
];

/// The range of IPv6 that is allocated for use between networks. The rest (loopback, private, link-local, multicast,
/// IPv4-mapped and translated addresses) is closed.
const GIVEN_OUT_V6: Ipv6Net = v6(0x2000, 0, 3);

/// Networks within it that are not the open internet: protocols (Teredo among them), documentation, 6to4.
const CLOSED_V6: [Ipv6Net; 4] = [v6(0x2001, 0, 23), v6(0x2001, 0xdb8, 32), v6(0x2002, 0, 16), v6(0x3fff, 0, 20)];

/// Suffixes of host names that are not public.
const CLOSED_ENDS: [&str; 9] =
    ["localhost", "local", "internal", "intranet", "lan", "home", "corp", "home.arpa", "localdomain"];

const fn v4(a: u8, b: u8, c: u8, d: u8, bits: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), bits)
}

const fn v6(first: u16, second: u16, bits: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(first, second, 0, 0, 0, 0, 0, 0), bits)
}

/// True for an IP address on the open internet.
#[must_use]
pub fn is_open(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !CLOSED_V4.iter().any(|net| net.contains(&address)),
        IpAddr::V6(address) => GIVEN_OUT_V6.contains(&address) && !CLOSED_V6.iter().any(|net| net.contains(&address)),
    }
}

impl AddressGuard {
    /// A guard that allows these networks too, also over plain HTTP.
    #[must_use]
    pub fn new(allowed: &[IpNet]) -> Self {
        Self { allowed: allowed.into() }
    }

    /// Parses and checks a URL as a client or a provider wrote it. Odd spellings of IP addresses are read as browsers
    /// read them, so that none hides its meaning.
    ///
    /// # Errors
    /// The reason for the refusal. A host name is checked again when it is resolved.
    pub fn read(&self, address: &str) -> Result<Url, ForbiddenAddress> {
        let url = Url::parse(address).map_err(|_| ForbiddenAddress::NoAddress)?;
        self.check(&url)?;
        Ok(url)
    }

    /// Resolves and checks the target of a redirect.
    ///
    /// # Errors
    /// The reason for the refusal, by the rules of [`read`](Self::read).
    pub fn follow(&self, from: &Url, location: &str) -> Result<Url, ForbiddenAddress> {
        let url = from.join(location).map_err(|_| ForbiddenAddress::NoAddress)?;
        self.check(&url)?;
        Ok(url)
    }

    /// Checks the address of a provider, which may have a port of its own.
    ///
    /// # Errors
    /// The reason for the refusal, by the rules of [`read`](Self::read).
    pub fn check_provider(&self, url: &Url) -> Result<(), ForbiddenAddress> {
        if url.query().is_some() || url.fragment().is_some() {
            return Err(ForbiddenAddress::Query);
        }
        let mut at_usual_port = url.clone();
        // Fails for addresses without a host, which the check refuses.
        let _ = at_usual_port.set_port(None);
        self.check(&at_usual_port)
    }

    fn check(&self, url: &Url) -> Result<(), ForbiddenAddress> {
        let in_the_clear = match url.scheme() {
            "https" => false,
            "http" if !self.allowed.is_empty() => true,
            _ => return Err(ForbiddenAddress::Scheme),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(ForbiddenAddress::Credentials);
        }
        let host = url.host_str().ok_or(ForbiddenAddress::NoAddress)?;
        // The parser has normalised the spelling of an IP address; IPv6 is in brackets.
        let any_port = match host.trim_matches(['[', ']']).parse::<IpAddr>() {
            // The resolver is asked for names only.
            Ok(address) if !self.passes(address, in_the_clear) => return Err(ForbiddenAddress::Network),
            Ok(address) => self.allows(address),
            Err(_) if !in_the_clear && !is_open_name(host) => return Err(ForbiddenAddress::Name),
            Err(_) => in_the_clear,
        };
        if url.port().is_some() && !any_port { Err(ForbiddenAddress::Port) } else { Ok(()) }
    }

    fn allows(&self, address: IpAddr) -> bool {
        self.allowed.iter().any(|net| net.contains(&address))
    }

    fn passes(&self, address: IpAddr, in_the_clear: bool) -> bool {
        self.allows(address) || (!in_the_clear && is_open(address))
    }
}

/// True for a public host name: it has at least two labels, and no suffix that is closed.
fn is_open_name(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let ends_in = |end: &&str| name.strip_suffix(*end).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    name.contains('.') && !CLOSED_ENDS.iter().any(ends_in)
}

/// A DNS resolver that returns only the addresses that pass the guard.
#[derive(Debug)]
pub struct GuardedResolver {
    names: Arc<dyn NameResolver>,
    guard: AddressGuard,
    in_the_clear: bool,
}

impl GuardedResolver {
    /// Filters what `names` resolves; over plain HTTP only networks that an operator allows pass.
    pub fn new(names: Arc<dyn NameResolver>, guard: AddressGuard, in_the_clear: bool) -> Self {
        Self { names, guard, in_the_clear }
    }
}

impl NameResolver for GuardedResolver {
    fn resolve(&self, name: HostName) -> Resolution {
        let (finding, guard, in_the_clear) = (self.names.resolve(name), self.guard.clone(), self.in_the_clear);
        Box::pin(async move {
            let mut found = finding.await?;
            found.retain(|address| guard.passes(address.ip(), in_the_clear));
            if found.is_empty() {
                return Err(ForbiddenAddress::Network.into());
            }
            Ok(found)
        })
    }
}

#[cfg(test)]
mod tests;
