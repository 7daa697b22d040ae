//! Readers of snapshots and of `/persist` that are slow, or don't read at all.

use std::net::IpAddr;
use std::sync::mpsc;
use std::thread;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use stoa_state::network::{ClientNetwork, NetworkPrefix};
use stoa_state::scene::{StoredObject, UnixMillis};

use super::fixture::{Fixture, browser};
use crate::app::slots::SlotHolder;
use crate::http::PeerSocketAddress;
use crate::http::rate_limit::RequestNetwork;
use crate::http::streaming::{self, JsonPieces};
use crate::limits;

const SLOW: &str = "192.0.2.7";
const SNAPSHOT: &str = "/api/v1/scenes/public/sandbox/snapshot";
const RECORDS: &str = "/persist/public/sandbox";
const BYSTANDER: &str = "192.0.2.8";

/// A realm whose sandbox has so many objects of 100 kB, and a guest's cookie for it.
async fn realm_with(objects: usize) -> (Fixture, String) {
    let realm = Fixture::open().await;
    let object = |number: usize| StoredObject {
        object_id: format!("text{number}"),
        type_name: "object".into(),
        attributes: json!({"object_type": "text", "value": "x".repeat(100_000)}).as_object().unwrap().clone(),
        expires_at: None,
        created_at: UnixMillis(0),
        updated_at: UnixMillis(0),
    };
    let objects = (0..objects).map(object).collect();
    realm.app.realm.put_objects(&"public/sandbox".parse().unwrap(), "alice", objects).await.unwrap();
    let issued = realm.post("/api/v1/token", "", json!({"scene": "public/sandbox"})).await;
    let cookie = issued.cookie("mqtt_token=").unwrap();
    (realm, cookie)
}

fn network(address: &str) -> ClientNetwork {
    address.parse::<IpAddr>().unwrap().into()
}

fn snapshot_from(address: &str, cookie: &str) -> Request<Body> {
    scene_from(address, SNAPSHOT, cookie)
}

fn scene_from(address: &str, path: &str, cookie: &str) -> Request<Body> {
    let request = browser(Method::GET, path).header(header::COOKIE, cookie);
    let mut request = request.body(Body::empty()).unwrap();
    request.extensions_mut().insert(PeerSocketAddress((address.parse::<IpAddr>().unwrap(), 1_234).into()));
    request
}

#[tokio::test]
async fn an_unread_scene_response_occupies_no_slot_and_stays_complete() {
    let (realm, cookie) = realm_with(30).await;
    let snapshot = whole_after_waiting(&realm, SNAPSHOT, &cookie).await;
    assert!(snapshot["messages"].as_array().unwrap().len() >= 30);
    let records = whole_after_waiting(&realm, RECORDS, &cookie).await;
    let (stored, _) = realm.app.realm.settle("public/sandbox".parse().unwrap()).await.unwrap();
    assert_eq!(records, serde_json::from_slice::<Value>(&stored.to_json()).unwrap());
}

/// Begins more answers than there are slots, and reads the first one.
async fn whole_after_waiting(realm: &Fixture, path: &str, cookie: &str) -> Value {
    let mut unread = Vec::new();
    for number in 0..=limits::STREAMINGS_PER_ADDRESS_MAX {
        let answer = realm.begin(scene_from(SLOW, path, cookie)).await;
        assert_eq!(answer.status(), StatusCode::OK, "{number}");
        unread.push(answer);
        let prefix = NetworkPrefix::all_around(Some(network(SLOW))).next().unwrap().0;
        assert_eq!(realm.web.streaming.request_count_of(&SlotHolder::Network(prefix)), 0, "{number}");
    }
    let whole = unread.remove(0).into_body().collect().await.unwrap().to_bytes();
    assert!(whole.len() > 2 * limits::SNAPSHOT_PART_BYTES, "it has several parts");
    serde_json::from_slice(&whole).unwrap()
}

#[tokio::test]
async fn every_part_of_a_scene_is_made_on_a_background_thread() {
    let realm = Fixture::open().await;
    let (names, made_by) = mpsc::channel();
    let piece = move |_| {
        names.send(thread::current().name().unwrap_or_default().to_owned()).unwrap();
        vec![b'x'; limits::SNAPSHOT_PART_BYTES]
    };
    let read = async move || Ok(move || Box::new((0..3).map(piece)) as JsonPieces);
    let asker = RequestNetwork(Some(network(BYSTANDER)));
    let body = streaming::scene(realm.web.clone(), asker, "alice", read).await.unwrap();
    assert_eq!(body.collect().await.unwrap().to_bytes().len(), 3 * limits::SNAPSHOT_PART_BYTES);
    let names: Vec<String> = made_by.iter().collect();
    assert!(names.len() == 3 && names.iter().all(|name| name.starts_with("background-")), "{names:?}");
}

#[tokio::test]
async fn the_unread_byte_limit_delays_a_slow_address_but_not_its_neighbours() {
    let (realm, cookie) = realm_with(1).await;
    let unread = realm.app.unread_bytes.take(Some(network(SLOW)), limits::UNREAD_BYTES_SHARED).unwrap();
    let bystander = async {
        let answer = realm.send(snapshot_from(BYSTANDER, &cookie)).await;
        assert_eq!(answer.status, StatusCode::OK);
    };
    tokio::select! {
        biased;
        answer = realm.begin(snapshot_from(SLOW, &cookie)) => panic!("it has all its bytes: {answer:?}"),
        () = bystander => {}
    }
    drop(unread);
    let answer = realm.begin(snapshot_from(SLOW, &cookie)).await;
    assert_eq!(answer.status(), StatusCode::OK, "negative control");
    assert!(realm.app.unread_bytes.used_by(Some(network(SLOW))) >= 100_000, "its bytes count until it is read");
    drop(answer);
    while realm.app.unread_bytes.used_by(Some(network(SLOW))) > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn networks_of_one_ipv6_customer_share_their_snapshot_slots() {
    let (realm, cookie) = realm_with(30).await;
    let [one, other] = ["2001:db8:0:1::1", "2001:db8:0:200::1"];
    let holders: Vec<SlotHolder> = SlotHolder::of_network(Some(network(one))).collect();
    let widest = SlotHolder::of_network(Some(network(other))).last().unwrap();
    let whole = realm.begin(scene_from(other, SNAPSHOT, &cookie)).await.into_body();
    let mut slots = Vec::new();
    for _ in 0..limits::STREAMINGS_PER_ADDRESS_MAX {
        slots.push(realm.web.streaming.take(&holders).await.unwrap());
    }
    let waits = async |requests: usize| {
        while realm.web.streaming.request_count_of(&widest) < slots.len() + requests {
            tokio::task::yield_now().await;
        }
    };
    let mut whole = Box::pin(whole.collect());
    tokio::select! {
        biased;
        _ = &mut whole => panic!("its next part needs a slot"),
        () = waits(1) => {}
    }
    let mut begun = Box::pin(realm.begin(scene_from(other, SNAPSHOT, &cookie)));
    tokio::select! {
        biased;
        _ = &mut begun => panic!("its first part needs a slot"),
        () = waits(2) => {}
    }
    assert_eq!(realm.send(snapshot_from(BYSTANDER, &cookie)).await.status, StatusCode::OK);
    drop(slots);
    assert_eq!(begun.await.status(), StatusCode::OK);
    assert!(whole.await.unwrap().to_bytes().len() > 2 * limits::SNAPSHOT_PART_BYTES);
}
