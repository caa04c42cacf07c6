//! Spellings, networks and names that lead behind the service, and those that do not.

use super::ForbiddenAddress::{Credentials, Name, Network, NoAddress, Port, Scheme};
use super::*;
use std::net::SocketAddr;

fn closed() -> AddressGuard {
    AddressGuard::new(&[])
}

fn networks(texts: &[&str]) -> Vec<IpNet> {
    texts.iter().map(|text| text.parse().expect("a network")).collect()
}

/// Every spelling that would lead elsewhere than to a public server, as far as the address itself tells.
const REFUSED: &[(&str, ForbiddenAddress)] = &[
    // This machine, in numbers.
    ("https://127.0.0.1/", Network),
    ("https://127.0.0.1:443/", Network),
    ("https://127.1/", Network),
    ("https://127.0.1/", Network),
    ("https://2130706433/", Network),
    ("https://0x7f000001/", Network),
    ("https://0x7f.0.0.1/", Network),
    ("https://0x7f.1/", Network),
    ("https://0177.0.0.1/", Network),
    ("https://017700000001/", Network),
    ("https://00000177.0.0.1/", Network),
    ("https://127.0.0.1./", Network),
    ("https://127.255.255.254/", Network),
    ("https://0/", Network),
    ("https://0.0.0.0/", Network),
    ("https://0x0/", Network),
    ("https://0.0.0.7/", Network),
    ("https://%31%32%37.0.0.1/", Network),
    ("https://127%2e0%2e0%2e1/", Network),
    ("https://127\u{3002}0\u{3002}0\u{3002}1/", Network),
    ("https://\u{ff11}\u{ff12}\u{ff17}.0.0.1/", Network),
    ("https://\u{2460}\u{2461}\u{2466}.0.0.1/", Network),
    ("https:\\\\127.0.0.1\\x", Network),
    ("https:127.0.0.1", Network),
    ("https:///127.0.0.1/", Network),
    ("  https://127.0.0.1/  ", Network),
    ("ht\ntps://127.0.\t0.1/", Network),
    ("HTTPS://127.0.0.1/", Network),
    // Networks that are not public.
    ("https://10.0.0.1/", Network),
    ("https://10.255.255.255/", Network),
    ("https://172.16.0.1/", Network),
    ("https://172.31.255.255/", Network),
    ("https://192.168.1.1/", Network),
    ("https://3232235777/", Network),
    ("https://169.254.169.254/latest/meta-data/", Network),
    ("https://0xa9fea9fe/", Network),
    ("https://169.254.43518/", Network),
    ("https://100.64.0.1/", Network),
    ("https://100.100.100.200/latest/meta-data/", Network),
    ("https://192.0.0.192/", Network),
    ("https://192.0.2.1/", Network),
    ("https://198.18.0.1/", Network),
    ("https://198.51.100.1/", Network),
    ("https://203.0.113.1/", Network),
    ("https://192.88.99.1/", Network),
    ("https://224.0.0.1/", Network),
    ("https://239.255.255.250/", Network),
    ("https://240.0.0.1/", Network),
    ("https://255.255.255.255/", Network),
    // IPv6, and IPv4 within it.
    ("https://[::1]/", Network),
    ("https://[0:0:0:0:0:0:0:1]/", Network),
    ("https://[::]/", Network),
    ("https://[::127.0.0.1]/", Network),
    ("https://[::ffff:127.0.0.1]/", Network),
    ("https://[::ffff:7f00:1]/", Network),
    ("https://[0:0:0:0:0:ffff:0a00:0001]/", Network),
    ("https://[::ffff:0:127.0.0.1]/", Network),
    ("https://[::ffff:8.8.8.8]/", Network),
    ("https://[64:ff9b::7f00:1]/", Network),
    ("https://[64:ff9b::10.0.0.1]/", Network),
    ("https://[64:ff9b:1::1]/", Network),
    ("https://[2002:7f00:1::]/", Network),
    ("https://[2002:a00:1::1]/", Network),
    ("https://[2001:0:4136:e378:8000:63bf:80ff:fffe]/", Network),
    ("https://[2001:db8::1]/", Network),
    ("https://[3fff::1]/", Network),
    ("https://[fe80::1]/", Network),
    ("https://[fec0::1]/", Network),
    ("https://[fc00::1]/", Network),
    ("https://[fd00:ec2::254]/", Network),
    ("https://[ff02::1]/", Network),
    ("https://[100::1]/", Network),
    ("https://[5f00::1]/", Network),
    // Names of a network of somebody's own.
    ("https://localhost/", Name),
    ("https://LOCALHOST/", Name),
    ("https://localhost./", Name),
    ("https://a.localhost/", Name),
    ("https://local\u{ad}host/", Name),
    ("https://\u{2113}ocalhost/", Name),
    ("https://metadata/", Name),
    ("https://metadata.google.internal/", Name),
    ("https://metadata.google.internal./", Name),
    ("https://printer.local/", Name),
    ("https://db.corp/", Name),
    ("https://router.home.arpa/", Name),
    ("https:///intranet/", Name),
    // Other schemes, ports, and credentials.
    ("http://example.com/", Scheme),
    ("http://127.0.0.1/", Scheme),
    ("ftp://example.com/", Scheme),
    ("file:///etc/passwd", Scheme),
    ("gopher://example.com/", Scheme),
    ("data:image/png;base64,AAAA", Scheme),
    ("javascript:1", Scheme),
    ("unix:/run/docker.sock", Scheme),
    ("https://user@example.com/", Credentials),
    ("https://user:word@example.com/", Credentials),
    ("https://example.com@127.0.0.1/", Credentials),
    ("https://:word@example.com/", Credentials),
    ("https://example.com:22/", Port),
    ("https://example.com:80/", Port),
    ("https://example.com:8443/", Port),
    ("https://8.8.8.8:6379/", Port),
    // No address at all.
    ("", NoAddress),
    ("https://", NoAddress),
    ("https://?", NoAddress),
    ("https://exa mple.com/", NoAddress),
    ("https://256.256.256.256/", NoAddress),
    ("https://1.2.3.4.5/", NoAddress),
    ("https://127.0.0.0x100/", NoAddress),
    ("https://[::1/", NoAddress),
    ("https://[::1%25eth0]/", NoAddress),
    ("//example.com/a", NoAddress),
    ("example.com", NoAddress),
    ("https://example.com:99999/", NoAddress),
];

#[test]
fn no_spelling_leads_behind_the_service() {
    for (address, why) in REFUSED {
        assert_eq!(closed().read(address), Err(*why), "{address}");
    }
}

#[test]
fn what_is_public_passes_in_its_plain_spelling() {
    for (address, read) in [
        ("https://example.com/a.png?x=1", "https://example.com/a.png?x=1"),
        ("https://example.com:443/", "https://example.com/"),
        ("https://EXAMPLE.com./", "https://example.com./"),
        ("https://8.8.8.8/", "https://8.8.8.8/"),
        ("https://134744072/", "https://8.8.8.8/"),
        ("https://172.32.0.1/", "https://172.32.0.1/"),
        ("https://100.128.0.1/", "https://100.128.0.1/"),
        ("https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]/"),
        ("https://localhost.example.com/", "https://localhost.example.com/"),
        ("https://notlocal/a.b", "refused"),
    ] {
        let found = closed().read(address).map_or("refused".to_owned(), String::from);
        assert_eq!(found, read, "{address}");
    }
}

#[test]
fn what_an_operator_allows_passes_and_nothing_beside_it() {
    let guard = AddressGuard::new(&networks(&["127.0.0.1/32", "fd00::/16"]));
    for (address, result) in [
        ("http://127.0.0.1:8080/a", Ok(())),
        ("https://127.0.0.1:8443/a", Ok(())),
        ("http://2130706433/", Ok(())),
        ("http://[fd00::1]:9000/", Ok(())),
        // A name in the clear is judged where it is looked up.
        ("http://store:9000/a", Ok(())),
        ("http://127.0.0.2/", Err(Network)),
        ("http://8.8.8.8/", Err(Network)),
        ("http://[::ffff:127.0.0.1]/", Err(Network)),
        ("http://[fd01::1]/", Err(Network)),
        ("https://10.0.0.1/", Err(Network)),
        ("https://example.com:8443/", Err(Port)),
        ("http://user@127.0.0.1/", Err(Credentials)),
        ("ftp://127.0.0.1/", Err(Scheme)),
    ] {
        assert_eq!(guard.read(address).map(drop), result, "{address}");
    }
}

#[test]
fn where_an_answer_leads_is_judged_like_where_it_came_from() {
    let from = Url::parse("https://example.com/a/b").expect("an address");
    for (location, result) in [
        ("/c", Ok("https://example.com/c")),
        ("c?d", Ok("https://example.com/a/c?d")),
        ("https://cdn.example.com/c", Ok("https://cdn.example.com/c")),
        ("//cdn.example.com/c", Ok("https://cdn.example.com/c")),
        ("//127.0.0.1/c", Err(Network)),
        ("\\\\127.1\\c", Err(Network)),
        ("http://example.com/c", Err(Scheme)),
        ("https://[::1]/", Err(Network)),
        ("https://localhost/", Err(Name)),
        ("file:///etc/passwd", Err(Scheme)),
        ("https://a:b@example.com/", Err(Credentials)),
        ("https://example.com:22/", Err(Port)),
        ("https://[", Err(NoAddress)),
    ] {
        assert_eq!(closed().follow(&from, location).as_ref().map(Url::as_str), result.as_ref().copied(), "{location}");
    }
}

#[test]
fn the_edges_of_closed_networks_are_where_they_are_written() {
    for (address, open) in [
        ("9.255.255.255", true),
        ("11.0.0.0", true),
        ("100.63.255.255", true),
        ("172.15.255.255", true),
        ("192.167.255.255", true),
        ("192.0.1.1", true),
        ("198.17.255.255", true),
        ("198.20.0.0", true),
        ("223.255.255.255", true),
        ("2001:1ff:ffff::", false),
        ("2001:200::", true),
        ("2003::", true),
        ("1fff::", false),
        ("4000::", false),
    ] {
        assert_eq!(is_open(address.parse().expect("an address")), open, "{address}");
    }
}

/// A resolver that always gives these addresses.
#[derive(Debug)]
struct Fixed(&'static [&'static str]);

impl NameResolver for Fixed {
    fn resolve(&self, _: HostName) -> Resolution {
        let found: Vec<_> = self.0.iter().map(|ip| SocketAddr::new(ip.parse().expect("an address"), 0)).collect();
        Box::pin(async move { Ok(found) })
    }
}

#[tokio::test]
async fn of_what_a_name_stands_for_only_what_passes_is_given() {
    for (found, allowed, in_the_clear, given) in [
        (&["8.8.8.8", "10.0.0.1", "::1", "::ffff:8.8.8.8"][..], &[][..], false, &["8.8.8.8"][..]),
        (&["127.0.0.1", "169.254.169.254"], &[], false, &[]),
        (&["64:ff9b::808:808"], &[], false, &[]),
        (&[], &[], false, &[]),
        (&["8.8.8.8", "10.0.0.1", "10.0.0.2"], &["10.0.0.1/32"], false, &["8.8.8.8", "10.0.0.1"]),
        (&["8.8.8.8", "10.0.0.1", "10.0.0.2"], &["10.0.0.1/32"], true, &["10.0.0.1"]),
    ] {
        let names = GuardedResolver::new(Arc::new(Fixed(found)), AddressGuard::new(&networks(allowed)), in_the_clear);
        let name = "example.com".parse().expect("a name");
        let passing: Vec<_> = match names.resolve(name).await {
            Ok(passing) => passing.iter().map(|address| address.ip().to_string()).collect(),
            Err(error) => {
                assert_eq!(error.downcast_ref(), Some(&Network));
                Vec::new()
            }
        };
        assert_eq!(passing, given, "{found:?}");
    }
}
