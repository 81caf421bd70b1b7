//! Proxies before the service, and what they say of a request: whose it is, and whether it came by TLS.
//!
//! Anyone can send `X-Forwarded-For`. It is believed from the addresses the operator names, by default those of this very machine, and
//! from nobody else.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::http::HeaderMap;

/// The proxies that are believed.
#[derive(Clone, Debug)]
pub struct Proxies(Vec<IpAddr>);

impl Proxies {
    /// Believes these.
    #[must_use]
    pub const fn new(addresses: Vec<IpAddr>) -> Self {
        Self(addresses)
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
        self.0.contains(&address)
    }
}

impl Default for Proxies {
    /// Believes this machine.
    fn default() -> Self {
        Self(vec![IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)])
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
        let proxies = Proxies::new(vec!["10.0.0.1".parse().expect("IP"), "10.0.0.2".parse().expect("IP")]);
        proxies.client(peer.parse().expect(peer), &headers).to_string()
    }

    #[test]
    fn only_what_a_believed_proxy_says_counts() {
        assert_eq!(client("192.0.2.1", &["198.51.100.1"]), "192.0.2.1");
        assert_eq!(client("10.0.0.1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(client("10.0.0.1", &["203.0.113.9, 198.51.100.1 , 10.0.0.2"]), "198.51.100.1");
        assert_eq!(client("10.0.0.1", &["203.0.113.9", "198.51.100.1"]), "198.51.100.1");
        assert_eq!(client("10.0.0.1", &["203.0.113.9, nonsense"]), "10.0.0.1");
        assert_eq!(client("10.0.0.1", &[]), "10.0.0.1");
        assert_eq!(client("::ffff:10.0.0.1", &["198.51.100.1"]), "198.51.100.1");
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
