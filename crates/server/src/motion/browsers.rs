//! The URLs by which browsers reach the motion plane: WebTransport, or WebSocket on networks without UDP. Both URLs
//! contain the ticket.

use std::future::Future;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use bytes::Bytes;
use stoa_net::entrance::{MotionSessionHandle, MotionTicketRedeemer, PATH};
use stoa_net::frames::FrameSink;

use super::connection::DedicatedMotionSession;
use super::handle::{MotionHandle, TicketRequestContext, WebSocketOffer, WebTransportOffer};
use super::tickets::MotionTransportKind;
use crate::os::clock;
use crate::tls::ShortLivedCertificates;

/// The realm's addresses for browsers. A transport without an address is not offered.
#[derive(Clone, Debug, Default)]
pub struct BrowserEndpointAddresses {
    /// The address of the WebTransport endpoint and its certificates.
    pub webtransport: Option<(SocketAddr, Arc<ShortLivedCertificates>)>,
    /// The address of the HTTPS endpoint.
    pub https: Option<SocketAddr>,
    /// The address of the plain HTTP endpoint, for clients on this machine.
    pub http: Option<SocketAddr>,
    /// The realm's public host name.
    pub public_host: Option<String>,
    /// The machine's addresses on the network.
    pub addresses: Vec<IpAddr>,
}

impl BrowserEndpointAddresses {
    /// The WebTransport entry of a ticket's document. The URL contains the ticket and is a secret.
    pub(super) fn webtransport(&self, ticket: &str, requester: &TicketRequestContext) -> Option<WebTransportOffer> {
        let (bound, certificates) = self.webtransport.as_ref()?;
        let host = match self.host(requester) {
            // Browsers try only one of `localhost`'s addresses and don't try the other if QUIC gets no answer
            // there.
            host if host.eq_ignore_ascii_case("localhost") => loopback(*bound),
            host => host,
        };
        let url = format!("https://{host}:{}{PATH}?ticket={ticket}", bound.port());
        Some(WebTransportOffer { url, certificate_hashes: certificates.hashes(clock::unix_now()) })
    }

    /// The WebSocket entry of a ticket's document, at the endpoint that received the request. For a request over
    /// MQTT, at HTTPS if available, else at plain HTTP on loopback.
    pub(super) fn websocket(&self, ticket: &str, requester: &TicketRequestContext) -> Option<WebSocketOffer> {
        let (scheme, site) = match (&requester.host, self.https, self.http) {
            (Some(site), _, _) => (if requester.is_secure { "wss" } else { "ws" }, site.clone()),
            (None, Some(https), _) => ("wss", format!("{}:{}", self.host(requester), https.port())),
            (None, None, Some(http)) => ("ws", format!("{}:{}", loopback(http), http.port())),
            (None, None, None) => return None,
        };
        Some(WebSocketOffer { url: format!("{scheme}://{site}{PATH}?ticket={ticket}") })
    }

    /// The host of the request. Over MQTT, a host that the client can probably reach.
    fn host(&self, requester: &TicketRequestContext) -> String {
        if let Some(site) = &requester.host {
            return without_port(site).to_owned();
        }
        if requester.address.is_some_and(|address| address.to_canonical().is_loopback()) {
            return "localhost".to_owned();
        }
        let first = || self.addresses.first().copied().map(in_url);
        self.public_host
            .clone()
            .map(|host| host.parse().map_or(host, in_url))
            .or_else(first)
            .unwrap_or("localhost".to_owned())
    }
}

/// Removes the port of `[::1]:8443` or `localhost:8443`.
fn without_port(site: &str) -> &str {
    match site.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => host,
        _ => site,
    }
}

fn in_url(ip: IpAddr) -> String {
    match ip.to_canonical() {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

/// The loopback address of an endpoint: IPv4, unless the endpoint is bound to `[::1]`.
fn loopback(bound: SocketAddr) -> String {
    let only_v6 = bound.ip() == IpAddr::V6(Ipv6Addr::LOCALHOST);
    if only_v6 { "[::1]".to_owned() } else { "127.0.0.1".to_owned() }
}

/// Admits clients of WebTransport or WebSocket.
#[derive(Clone, Debug)]
pub struct BrowserTicketRedeemer {
    /// The motion plane.
    pub motion: MotionHandle,
    /// The client's transport.
    pub by: MotionTransportKind,
}

impl MotionTicketRedeemer for BrowserTicketRedeemer {
    type Session = DedicatedMotionSession;

    async fn enter(&self, ticket: &str, sink: Box<dyn FrameSink>) -> Option<DedicatedMotionSession> {
        self.motion.enter(ticket, self.by, sink).await
    }
}

impl MotionSessionHandle for DedicatedMotionSession {
    fn handle_frame(&self, frame: Bytes) {
        DedicatedMotionSession::handle_frame(self, frame);
    }

    fn ended(&self) -> impl Future<Output = ()> + Send {
        DedicatedMotionSession::ended(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn browsers() -> (BrowserEndpointAddresses, tempfile::TempDir) {
        let dir = tempfile::tempdir().unwrap();
        let certificates = ShortLivedCertificates::load_or_create(dir.path(), clock::unix_now()).unwrap();
        let browsers = BrowserEndpointAddresses {
            webtransport: Some(("[::]:8443".parse().unwrap(), certificates)),
            https: Some("[::]:8443".parse().unwrap()),
            http: Some("127.0.0.1:8080".parse().unwrap()),
            public_host: None,
            addresses: vec!["192.168.7.7".parse().unwrap()],
        };
        (browsers, dir)
    }

    fn asked(host: &str, is_secure: bool) -> TicketRequestContext {
        TicketRequestContext { host: Some(host.to_owned()), is_secure, address: None }
    }

    #[test]
    fn motion_urls_use_the_host_that_the_page_was_loaded_from() {
        let (browsers, _dir) = browsers();
        for (requester, webtransport, websocket) in [
            (asked("xr.example:8443", true), "https://xr.example:8443", "wss://xr.example:8443"),
            (asked("localhost:8080", false), "https://127.0.0.1:8443", "ws://localhost:8080"),
            (asked("[::1]:8080", false), "https://[::1]:8443", "ws://[::1]:8080"),
            (asked("xr.example", true), "https://xr.example:8443", "wss://xr.example"),
        ] {
            let way = browsers.webtransport("abc", &requester).unwrap();
            assert_eq!(way.url, format!("{webtransport}/motion?ticket=abc"));
            assert_eq!(way.certificate_hashes.len(), 1);
            assert_eq!(browsers.websocket("abc", &requester).unwrap().url, format!("{websocket}/motion?ticket=abc"));
        }
    }

    #[test]
    fn motion_urls_for_an_mqtt_requester_use_an_address_it_can_reach() {
        let (mut browsers, _dir) = browsers();
        let from = |address: &str| TicketRequestContext {
            address: Some(address.parse().unwrap()),
            ..TicketRequestContext::default()
        };
        let told = |browsers: &BrowserEndpointAddresses, requester| {
            let (webtransport, websocket) = (browsers.webtransport("t", requester), browsers.websocket("t", requester));
            (webtransport.unwrap().url, websocket.unwrap().url)
        };
        let here = from("::ffff:127.0.0.1");
        assert_eq!(told(&browsers, &here).0, "https://127.0.0.1:8443/motion?ticket=t");
        let there = from("192.168.7.9");
        let near = ("https://192.168.7.7:8443/motion?ticket=t", "wss://192.168.7.7:8443/motion?ticket=t");
        assert_eq!(told(&browsers, &there), (near.0.into(), near.1.into()));
        browsers.public_host = Some("xr.example".into());
        assert_eq!(told(&browsers, &there).1, "wss://xr.example:8443/motion?ticket=t");
        browsers.https = None;
        assert_eq!(told(&browsers, &here).1, "ws://127.0.0.1:8080/motion?ticket=t");
    }

    #[test]
    fn a_missing_endpoint_gets_no_motion_url() {
        let none = BrowserEndpointAddresses::default();
        assert_eq!(none.webtransport("t", &asked("localhost:1", true)), None);
        assert_eq!(none.websocket("t", &TicketRequestContext::default()), None);
    }
}
