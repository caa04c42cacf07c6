//! Which addresses the gateway may be sent to by somebody else's word: those of the open internet, and those that an
//! operator names.
//!
//! A name is checked where a connection is made to what it stands for: nothing is looked up twice, so a name that means
//! another machine the second time gains nothing.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Why an address is not asked. Says nothing of what lies there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Forbidden {
    /// It cannot be read as an address.
    #[error("it is no address")]
    NoAddress,
    /// Its scheme is not https.
    #[error("it is not https")]
    Scheme,
    /// It holds a name and a password.
    #[error("it carries credentials")]
    Credentials,
    /// Its port is not that of https.
    #[error("its port is not that of its scheme")]
    Port,
    /// Its name is one that only means something within a network.
    #[error("its name is not of the open internet")]
    Name,
    /// What it stands for is not of the open internet.
    #[error("it is not on the open internet")]
    Network,
}

/// What may be asked besides the open internet.
#[derive(Debug, Clone)]
pub struct Guard {
    allowed: Arc<[IpNet]>,
}

/// IPv4 networks that are not of the open internet.
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

/// All of IPv6 that is given out for use between networks. What lies outside (loopback, private, link-local, multicast,
/// IPv4 in its mapped and translated forms) is closed without being named.
const GIVEN_OUT_V6: Ipv6Net = v6(0x2000, 0, 3);

/// Networks within it that lead elsewhere: protocols (Teredo among them), documentation, 6to4.
const CLOSED_V6: [Ipv6Net; 4] = [v6(0x2001, 0, 23), v6(0x2001, 0xdb8, 32), v6(0x2002, 0, 16), v6(0x3fff, 0, 20)];

/// Ends of names that no public server answers for.
const CLOSED_ENDS: [&str; 9] =
    ["localhost", "local", "internal", "intranet", "lan", "home", "corp", "home.arpa", "localdomain"];

const fn v4(a: u8, b: u8, c: u8, d: u8, bits: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), bits)
}

const fn v6(first: u16, second: u16, bits: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(first, second, 0, 0, 0, 0, 0, 0), bits)
}

/// Whether an address is of the open internet.
#[must_use]
pub fn is_open(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !CLOSED_V4.iter().any(|net| net.contains(&address)),
        IpAddr::V6(address) => GIVEN_OUT_V6.contains(&address) && !CLOSED_V6.iter().any(|net| net.contains(&address)),
    }
}

impl Guard {
    /// One that lets these networks pass too, and in the clear.
    #[must_use]
    pub fn new(allowed: &[IpNet]) -> Self {
        Self { allowed: allowed.into() }
    }

    /// Reads an address that is written as a client or a provider wrote it. Odd spellings of numbers are read as a browser
    /// reads them, so that none hides what it means.
    ///
    /// # Errors
    /// Says why it is not asked. A name has still to pass where it is looked up.
    pub fn read(&self, address: &str) -> Result<Url, Forbidden> {
        let url = Url::parse(address).map_err(|_| Forbidden::NoAddress)?;
        self.check(&url)?;
        Ok(url)
    }

    /// Where an answer sends us on to.
    ///
    /// # Errors
    /// As for an address that is asked first.
    pub fn follow(&self, from: &Url, location: &str) -> Result<Url, Forbidden> {
        let url = from.join(location).map_err(|_| Forbidden::NoAddress)?;
        self.check(&url)?;
        Ok(url)
    }

    fn check(&self, url: &Url) -> Result<(), Forbidden> {
        let in_the_clear = match url.scheme() {
            "https" => false,
            "http" if !self.allowed.is_empty() => true,
            _ => return Err(Forbidden::Scheme),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Forbidden::Credentials);
        }
        let host = url.host_str().ok_or(Forbidden::NoAddress)?;
        // However it was spelt, a number is written here in the one way that is read again; in IPv6, in brackets.
        let any_port = match host.trim_matches(['[', ']']).parse::<IpAddr>() {
            // The resolver is asked for names only.
            Ok(address) if !self.passes(address, in_the_clear) => return Err(Forbidden::Network),
            Ok(address) => self.allows(address),
            Err(_) if !in_the_clear && !is_open_name(host) => return Err(Forbidden::Name),
            Err(_) => in_the_clear,
        };
        if url.port().is_some() && !any_port { Err(Forbidden::Port) } else { Ok(()) }
    }

    fn allows(&self, address: IpAddr) -> bool {
        self.allowed.iter().any(|net| net.contains(&address))
    }

    fn passes(&self, address: IpAddr, in_the_clear: bool) -> bool {
        self.allows(address) || (!in_the_clear && is_open(address))
    }
}

/// One part at least must stand before a public ending.
fn is_open_name(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let ends_in = |end: &&str| name.strip_suffix(*end).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    name.contains('.') && !CLOSED_ENDS.iter().any(ends_in)
}

/// Looks names up and gives only the addresses that pass.
#[derive(Debug)]
pub struct Guarded<R> {
    names: Arc<R>,
    guard: Guard,
    in_the_clear: bool,
}

impl<R> Guarded<R> {
    /// Guards what `names` finds; in the clear only what an operator allows passes.
    pub fn new(names: Arc<R>, guard: Guard, in_the_clear: bool) -> Self {
        Self { names, guard, in_the_clear }
    }
}

impl<R: Resolve> Resolve for Guarded<R> {
    fn resolve(&self, name: Name) -> Resolving {
        let (finding, guard, in_the_clear) = (self.names.resolve(name), self.guard.clone(), self.in_the_clear);
        Box::pin(async move {
            let passing: Vec<SocketAddr> =
                finding.await?.filter(|address| guard.passes(address.ip(), in_the_clear)).collect();
            if passing.is_empty() {
                return Err(Forbidden::Network.into());
            }
            Ok(Box::new(passing.into_iter()) as Addrs)
        })
    }
}

/// The machine's own way to look names up.
#[derive(Debug, Clone, Copy)]
pub struct SystemNames;

impl Resolve for SystemNames {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(Box::new(found.collect::<Vec<_>>().into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests;
