//! Bounds of requests in progress.

use std::net::IpAddr;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, Version, header};
use stoa_state::network::ClientNetwork;

use super::fixture::{Fixture, browser};
use crate::app::shared_capacity::CapacityPermit;
use crate::http::PeerSocketAddress;
use crate::limits;

const ATTACKER: &str = "192.0.2.7";
const BYSTANDER: &str = "192.0.2.8";

fn request_from(address: &str, path: &str) -> Request<Body> {
    let mut request = browser(Method::GET, path).body(Body::empty()).unwrap();
    request.extensions_mut().insert(PeerSocketAddress((address.parse::<IpAddr>().unwrap(), 1_234).into()));
    request
}

fn network(address: &str) -> Option<ClientNetwork> {
    Some(address.parse::<IpAddr>().unwrap().into())
}

/// So many requests in progress of this address.
fn occupy(realm: &Fixture, address: &str, requests: u64) -> CapacityPermit {
    realm.app.open_requests.take(network(address), requests).unwrap()
}

#[tokio::test]
async fn an_answer_counts_as_a_request_in_progress_until_it_is_read_or_dropped() {
    let realm = Fixture::open().await;
    let _occupied = occupy(&realm, ATTACKER, limits::REQUESTS_PER_ADDRESS_MAX - 1);
    let path = "/api/v1/openapi.json";
    for is_read in [true, false] {
        let unread = realm.begin(request_from(ATTACKER, path)).await;
        assert_eq!(unread.status(), StatusCode::OK);
        let refused = realm.send(request_from(ATTACKER, path)).await;
        assert!(refused.header(header::RETRY_AFTER).parse::<u64>().unwrap() > 0);
        let detail = refused.problem(429);
        assert!(detail.contains("your address has too many requests in progress; the limit is 1536"), "{detail}");
        for address in [BYSTANDER, "127.0.0.1"] {
            assert_eq!(realm.send(request_from(address, path)).await.status, StatusCode::OK, "{address}");
        }
        if is_read {
            axum::body::to_bytes(unread.into_body(), usize::MAX).await.unwrap();
        } else {
            drop(unread);
        }
        assert_eq!(realm.send(request_from(ATTACKER, path)).await.status, StatusCode::OK, "negative control");
    }
}

#[tokio::test]
async fn addresses_with_many_unread_responses_do_not_block_a_new_address() {
    let realm = Fixture::open().await;
    let path = "/api/v1/openapi.json";
    let third = limits::REQUESTS_SHARED / 3;
    let _occupied = [ATTACKER, "192.0.2.9", "192.0.2.10"].map(|address| occupy(&realm, address, third));
    let detail = realm.send(request_from(ATTACKER, path)).await.problem(429);
    assert!(detail.contains("the server has too many requests in progress"), "{detail}");
    let class: Vec<CapacityPermit> = (0..40).map(|_| occupy(&realm, BYSTANDER, 2)).collect();
    assert_eq!(realm.send(request_from(BYSTANDER, path)).await.status, StatusCode::OK);
    assert_eq!(class.len(), 40);
}

#[tokio::test]
async fn a_websocket_is_no_request_in_progress() {
    let realm = Fixture::open().await;
    let _occupied = occupy(&realm, ATTACKER, limits::REQUESTS_PER_ADDRESS_MAX);
    for path in ["/mqtt", "/mqtt/", "/motion"] {
        assert_eq!(realm.begin(request_from(ATTACKER, path)).await.status(), StatusCode::TOO_MANY_REQUESTS, "{path}");
        let mut upgrade = request_from(ATTACKER, path);
        upgrade.headers_mut().insert(header::UPGRADE, "websocket".parse().unwrap());
        assert_ne!(realm.begin(upgrade).await.status(), StatusCode::TOO_MANY_REQUESTS, "{path}");
    }
    let mut stream = request_from(ATTACKER, "/mqtt");
    stream.headers_mut().insert(header::UPGRADE, "websocket".parse().unwrap());
    *stream.version_mut() = Version::HTTP_2;
    assert_eq!(realm.begin(stream).await.status(), StatusCode::TOO_MANY_REQUESTS, "HTTP/2 has no upgrades");
}
