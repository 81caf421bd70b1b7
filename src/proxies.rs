//! Proxies before the service, and what they say of a request: whose it is, and whether it came by TLS.
//!
//! Anyone can send `X-Forwarded-For`. It is believed from the addresses the operator names, by default those of this very machine, and
//! from nobody else.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::http::HeaderMap;
use ipnet::IpNet;

/// The proxies that are believed.
#[derive(Clone, Debug)]
pub struct Proxies(Vec<IpNet>);

impl Proxies {
    /// Believes those in these networks.
    #[must_use]
    pub const fn new(networks: Vec<IpNet>) -> Self {
        Self(networks)
    }

    /// The network that a text names: an address, or a range of them such as `10.0.0.0/8`.
    ///
    /// # Errors
    /// Where it names neither.
    pub fn network(text: &str) -> Result<IpNet, ipnet::AddrParseError> {
        text.parse().or_else(|error| text.parse::<IpAddr>().map(IpNet::from).map_err(|_| error))
    }

    /// Whose request it is: the nearest address on its way that is no believed proxy's.
    #[must_use]
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let lines: Vec<_> = headers.get_all("x-forwarded-for").iter().filter_map(|line| line.to_str().ok()).collect();
        // Each proxy writes behind what it was sent: what is nearest comes last.
        let mut hops = lines.iter().rev().flat_map(|line| line.rsplit(',')).map(|hop| hop.trim().parse::<IpAddr>());
        let mut client = peer.to_canonical();
        while self.believes(client) {
            match hops.next() {
                Some(Ok(hop)) => client = hop.to_canonical(),
                Some(Err(_)) | None => break,
            }
        }
        client
    }

    /// Whether the browser speaks TLS.
    #[must_use]
    pub fn is_secure(&self, peer: IpAddr, headers: &HeaderMap) -> bool {
        let stated = headers.get("x-forwarded-proto").and_then(|line| line.to_str().ok());
        let first = stated.and_then(|line| line.split(',').next());
        self.believes(peer.to_canonical()) && first.is_some_and(|scheme| scheme.trim().eq_ignore_ascii_case("https"))
    }

    fn believes(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

impl Default for Proxies {
    /// Believes this machine.
    fn default() -> Self {
        Self(vec![IpAddr::V4(Ipv4Addr::LOCALHOST).into(), IpAddr::V6(Ipv6Addr::LOCALHOST).into()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, lines: &[&'static str]) -> String {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("x-forwarded-for", axum::http::HeaderValue::from_static(line));
        }
        let networks = ["10.0.0.1", "10.0.0.2", "172.16.0.0/12", "2001:db8::/32"];
        let proxies = Proxies::new(networks.map(|text| Proxies::network(text).expect(text)).into());
        proxies.client(peer.parse().expect(peer), &headers).to_string()
    }

    #[test]
    fn only_what_a_believed_proxy_says_counts() {
        assert_eq!(client("192.0.2.1", &["198.51.100.1"]), "192.0.2.1");
        assert_eq!(client("10.0.0.1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(client("10.0.0.1", &["203.0.113.9, 198.51.100.1 , 10.0.0.2"]), "198.51.100.1");
        assert_eq!(client("10.0.0.1", &["203.0.113.9", "198.51.100.1"]), "198.51.100.1");
        assert_eq!(client("172.31.255.1", &["198.51.100.1, 2001:db8::9, 172.16.0.1"]), "198.51.100.1");
        assert_eq!(client("172.32.0.1", &["198.51.100.1"]), "172.32.0.1");
        assert_eq!(client("10.0.0.1", &["203.0.113.9, nonsense"]), "10.0.0.1");
        assert_eq!(client("10.0.0.1", &[]), "10.0.0.1");
        assert_eq!(client("::ffff:10.0.0.1", &["198.51.100.1"]), "198.51.100.1");
    }

    #[test]
    fn a_network_is_an_address_or_a_range() {
        for text in ["10.0.0.1", "::1", "10.0.0.0/8", "fd00::/8"] {
            assert!(Proxies::network(text).is_ok(), "{text}");
        }
        for text in ["", "proxy", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/", "::1/129"] {
            assert!(Proxies::network(text).is_err(), "{text}");
        }
    }

    #[test]
    fn tls_is_believed_of_a_believed_proxy() {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-proto", axum::http::HeaderValue::from_static("https"));
        let is_secure = |peer: &str| Proxies::default().is_secure(peer.parse().expect(peer), &headers);
        assert!(is_secure("127.0.0.1") && is_secure("::1"));
        assert!(!is_secure("192.0.2.1"));
    }
}
