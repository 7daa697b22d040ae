//! Motion tickets over HTTP.

use std::net::IpAddr;

use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use serde_json::{Value, json};
use stoa_state::grant::{Moderation, SceneSettings};
use stoa_wire::topic::SceneName;

use super::fixture::{Answer, Fixture, browser};
use crate::http::PeerSocketAddress;
use crate::http::rate_limit::RequestNetwork;
use crate::limits;

async fn ask_from(realm: &Fixture, address: IpAddr, token: &str) -> Answer {
    let request =
        browser(Method::POST, "/api/v1/motion-ticket").header(header::AUTHORIZATION, format!("Bearer {token}"));
    let mut request = request.body(Body::from(json!({"scene": "public/lobby"}).to_string())).unwrap();
    request.extensions_mut().insert(PeerSocketAddress((address, 1_234).into()));
    realm.send(request).await
}

#[tokio::test]
async fn motion_tickets_are_limited_for_each_address_except_loopback() {
    let realm = Fixture::open().await;
    let answer = realm.post("/api/v1/token", "", json!({"scene": "public/lobby"})).await;
    let issued: Value = serde_json::from_slice(&answer.body).unwrap();
    let token = issued["token"].as_str().unwrap();
    let [flooding, other, here]: [IpAddr; 3] = ["192.0.2.7", "192.0.2.8", "127.0.0.1"].map(|ip| ip.parse().unwrap());
    assert_eq!(ask_from(&realm, flooding, token).await.status, StatusCode::OK, "negative control");
    for address in [flooding, here] {
        realm.web.motion_tickets.spend(RequestNetwork(Some(address.into())), 2 * limits::MOTION_TICKETS_BURST);
    }
    let refused = ask_from(&realm, flooding, token).await;
    assert!(refused.header(header::RETRY_AFTER).parse::<u64>().unwrap() > 0);
    refused.problem(429);
    assert_eq!(ask_from(&realm, other, token).await.status, StatusCode::OK);
    assert_eq!(ask_from(&realm, here, token).await.status, StatusCode::OK, "this machine's own are not counted");
}

#[tokio::test]
async fn a_motion_ticket_is_refused_in_a_locked_or_full_scene() {
    let realm = Fixture::open().await;
    let token =
        async || realm.post("/api/v1/token", "", json!({"scene": "public/lobby"})).await.json()["token"].clone();
    let (inside, outside) = (token().await, token().await);
    let here: IpAddr = "127.0.0.1".parse().unwrap();
    let lobby: SceneName = "public/lobby".parse().unwrap();
    assert_eq!(ask_from(&realm, here, inside.as_str().unwrap()).await.status, StatusCode::OK, "negative control");
    let full = SceneSettings { people_max: Some(1), ..SceneSettings::default() };
    let moderation = Moderation { locked: true, ..Moderation::default() };
    let locked = SceneSettings { moderation, ..SceneSettings::default() };
    for (reason, settings) in [("full", full), ("locked", locked)] {
        realm.app.registrar.change(lobby.clone(), move |_| settings).await.unwrap();
        let refused = ask_from(&realm, here, outside.as_str().unwrap()).await;
        refused.problem(403);
        assert_eq!(refused.json()["reason"], reason);
    }
}

#[tokio::test]
async fn a_full_scene_admits_another_network_in_place_of_the_largest_one() {
    let realm = Fixture::open().await;
    let token =
        async || realm.post("/api/v1/token", "", json!({"scene": "public/lobby"})).await.json()["token"].clone();
    let [busy, other]: [IpAddr; 2] = ["192.0.2.7", "198.51.100.7"].map(|ip| ip.parse().unwrap());
    let tokens = [token().await, token().await, token().await];
    let full = SceneSettings { people_max: Some(2), ..SceneSettings::default() };
    realm.app.registrar.change("public/lobby".parse().unwrap(), move |_| full).await.unwrap();
    for token in &tokens[..2] {
        assert_eq!(ask_from(&realm, busy, token.as_str().unwrap()).await.status, StatusCode::OK);
    }
    let enter_from = async |address: IpAddr| {
        let request = browser(Method::POST, "/api/v1/token").extension(PeerSocketAddress((address, 1_234).into()));
        realm.send(request.body(Body::from(json!({"scene": "public/lobby"}).to_string())).unwrap()).await
    };
    enter_from(busy).await.problem(403);
    assert_eq!(enter_from(other).await.status, StatusCode::OK);
    ask_from(&realm, busy, tokens[2].as_str().unwrap()).await.problem(403);
    assert_eq!(ask_from(&realm, other, tokens[2].as_str().unwrap()).await.status, StatusCode::OK);
}
