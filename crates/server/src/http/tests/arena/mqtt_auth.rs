//! ARENA's tokens.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{Method, header};
use serde_json::{Value, json};
use stoa_state::grant::Claims;
use stoa_state::limits::TOKEN_PARENTS_MAX;

use super::super::fixture::{Answer, Fixture, browser};
use crate::identity::claims;
use crate::limits;

async fn ask(realm: &Fixture, session: &str, fields: &str) -> Answer {
    realm.form("/user/v2/mqtt_auth", session, fields).await
}

fn claims(realm: &Fixture, answer: &Answer) -> Claims {
    assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
    realm.app.keys.verify(answer.json()["token"].as_str().unwrap()).unwrap()
}

fn texts(filters: &[stoa_wire::topic_filter::TopicFilter]) -> BTreeSet<String> {
    filters.iter().map(|filter| filter.as_str().to_owned()).collect()
}

#[tokio::test]
async fn a_guest_gets_the_requested_ids_and_a_viewers_filters() {
    let realm = Fixture::open().await;
    let fields = "id_auth=anonymous&username=anonymous-bob&client=web&realm=realm&scene=public/lobby&camid=true&handleftid=true&handrightid=true";
    let answer = ask(&realm, "", fields).await;
    let told = answer.json();
    let id = told["ids"]["userid"].as_str().unwrap();
    let nonce = id.strip_prefix("anonymous-bob_").unwrap();
    assert!(nonce.len() == 10 && nonce.bytes().all(|byte| byte.is_ascii_digit()), "{id}");
    let uc = format!("{id}_web");
    let expected = json!({
        "userid": id, "userclient": uc, "camid": id, "handleftid": format!("handLeft_{id}"), "handrightid": format!("handRight_{id}"),
    });
    assert_eq!((&told["username"], &told["ids"]), (&json!("anonymous-bob"), &expected));
    let claims = claims(&realm, &answer);
    let publ = [
        "$NETWORK/latency".to_owned(),
        format!("realm/s/public/lobby/+/{uc}/{id}"),
        format!("realm/s/public/lobby/+/{uc}/{id}/+"),
        format!("realm/s/public/lobby/u/{uc}/handLeft_{id}"),
        format!("realm/s/public/lobby/u/{uc}/handLeft_{id}/+"),
        format!("realm/s/public/lobby/u/{uc}/handRight_{id}"),
        format!("realm/s/public/lobby/u/{uc}/handRight_{id}/+"),
    ];
    assert_eq!(texts(&claims.publ), publ.into());
    let subs = ["realm/s/public/lobby/+/+/+".to_owned(), format!("realm/s/public/lobby/+/+/+/{id}/#")];
    assert_eq!(texts(&claims.subs), subs.into());
    assert!(claims.guest && claims.sub == "anonymous-bob");
    assert_eq!(claims.exp.0 - claims.iat.0, limits::ARENA_GUEST_TOKEN_TTL.as_secs());
    let cookie = answer.header(axum::http::header::SET_COOKIE);
    assert!(cookie.starts_with("mqtt_token=") && cookie.contains("HttpOnly"), "{cookie}");
}

#[tokio::test]
async fn an_account_requesting_its_own_scene_creates_it_and_gets_editor_filters() {
    let realm = Fixture::open().await;
    let session = realm.signed_in("alice", false).await;
    let answer = ask(&realm, &session, "client=py1.6.0&scene=alice/den&environmentid=true&username=mallory").await;
    let told = answer.json();
    let (id, uc) = (told["ids"]["userid"].as_str().unwrap(), told["ids"]["userclient"].as_str().unwrap());
    assert_eq!((&told["username"], uc), (&json!("alice"), &*format!("{id}_py1.6.0")));
    assert_eq!(told["ids"], json!({"userid": id, "userclient": uc, "environmentid": "-"}));
    let claims = claims(&realm, &answer);
    let root = "realm/s/alice/den";
    let publ = [
        "$NETWORK/latency".to_owned(),
        "realm/d/alice/#".to_owned(),
        "realm/g/alice/p/+".to_owned(),
        format!("{root}/+/{uc}/{id}"),
        format!("{root}/+/{uc}/{id}/+"),
        format!("{root}/e/{uc}/-"),
        format!("{root}/e/{uc}/-/+"),
        format!("{root}/o/{uc}/#"),
        format!("{root}/p/+/#"),
    ];
    assert_eq!(texts(&claims.publ), publ.into());
    let subs = [
        "realm/d/alice/#".to_owned(),
        "realm/g/alice/p/+".to_owned(),
        format!("{root}/+/+/+"),
        format!("{root}/+/+/+/{id}/#"),
        format!("{root}/e/+/+/-/#"),
        format!("{root}/p/+/#"),
    ];
    assert_eq!(texts(&claims.subs), subs.into());
    assert!(!claims.guest);
    assert_eq!(claims.exp.0 - claims.iat.0, limits::ARENA_TOKEN_TTL.as_secs());
    assert!(realm.app.store.scene(&"alice/den".parse().unwrap()).await.unwrap().is_some(), "the scene came to be");
}

#[tokio::test]
async fn a_token_without_a_scene_covers_the_accounts_own_and_public_scenes() {
    let realm = Fixture::open().await;
    let session = realm.signed_in("alice", false).await;
    let answer = ask(&realm, &session, "client=web").await;
    let told = answer.json();
    let (id, uc) = (told["ids"]["userid"].as_str().unwrap(), told["ids"]["userclient"].as_str().unwrap());
    let claims = claims(&realm, &answer);
    let publ = ["$NETWORK/latency".to_owned(), format!("realm/s/alice/+/o/{uc}/#"), "realm/s/alice/+/p/+/#".to_owned()];
    assert_eq!(texts(&claims.publ), publ.into());
    let subs = [
        "$NETWORK".to_owned(),
        "realm/s/alice/+/+/+/+".to_owned(),
        format!("realm/s/alice/+/+/+/+/{id}/#"),
        "realm/s/alice/+/p/+/#".to_owned(),
        "realm/s/public/+/+/+/+".to_owned(),
        format!("realm/s/public/+/+/+/+/{id}/#"),
    ];
    assert_eq!(texts(&claims.subs), subs.into());
    let owner = realm.signed_in("olga", true).await;
    let made = realm
        .ask(axum::http::Method::PUT, "/api/v1/scenes/public/hidden", (&owner, json!({"public_read": false})))
        .await;
    assert_eq!(made.status.as_u16(), 201);
    let guest = self::claims(&realm, &ask(&realm, "", "client=web&username=anonymous-bob").await);
    let subs = texts(&guest.subs);
    assert!(
        subs.contains("realm/s/public/lobby/+/+/+") && !subs.contains("realm/s/public/+/+/+/+"),
        "a closed scene stays closed: {subs:?}"
    );
    assert_eq!(texts(&guest.publ), ["$NETWORK/latency".to_owned()].into());
}

#[tokio::test]
async fn the_realms_owner_gets_filters_for_all_scenes() {
    let realm = Fixture::open().await;
    let session = realm.signed_in("olga", true).await;
    let answer = ask(&realm, &session, "client=web&scene=public/lobby").await;
    let uc = answer.json()["ids"]["userclient"].as_str().unwrap().to_owned();
    let claims = claims(&realm, &answer);
    assert!(texts(&claims.publ).contains(&format!("realm/s/+/+/o/{uc}/#")));
    assert!(texts(&claims.subs).is_superset(&["realm/s/+/+/+/+/+".to_owned(), "realm/d/#".to_owned()].into()));
}

#[tokio::test]
async fn invalid_token_requests_get_arenas_status_codes() {
    let realm = Fixture::open().await;
    let owner = realm.signed_in("olga", true).await;
    let alice = realm.signed_in("alice", false).await;
    let made =
        realm.ask(axum::http::Method::PUT, "/api/v1/scenes/olga/secret", (&owner, json!({"public_read": false}))).await;
    assert_eq!(made.status.as_u16(), 201);
    for (session, fields, status) in [
        ("", "client=web&scene=public/lobby", 400),
        ("", "client=web&scene=public/lobby&username=bob", 400),
        ("", "client=web&scene=public/lobby&username=anonymous-1", 400),
        ("", "scene=public/lobby&username=anonymous-bob", 400),
        ("", "client=1&scene=public/lobby&username=anonymous-bob", 400),
        ("", "client=web&scene=lobby&username=anonymous-bob", 400),
        ("", "client=web&realm=other&scene=public/lobby&username=anonymous-bob", 400),
        ("", "client=web&scene=public/lobby&id_token=a.b.c", 403),
        ("", "client=web&scene=olga/secret&username=anonymous-bob", 403),
        ("", "client=web&scene=olga/nothing&username=anonymous-bob", 403),
        (&*alice, "client=web&scene=olga/secret", 403),
        (&alice, "client=web&scene=public/new", 403),
    ] {
        let answer = ask(&realm, session, fields).await;
        assert_eq!(answer.status.as_u16(), status, "{fields}");
        assert!(answer.json()["error"].is_string());
    }
    let said = async |scene: &str| {
        let answer = ask(&realm, &alice, &format!("client=web&scene={scene}")).await.json();
        answer["error"].as_str().unwrap().replace(scene, "")
    };
    assert_eq!(said("olga/secret").await, said("olga/nothing").await, "nobody learns which scenes there are");
    let first: Value = realm.form("/user/mqtt_auth", "", "client=web").await.json();
    assert!(first["error"].is_string());
}

/// The matcher of ARENA's pages, which read the token's filters. It takes a `+` in a topic for a name.
fn finds(claims: &Claims, below: &str) -> bool {
    let asked: Vec<&str> = below.split('/').collect();
    claims.publ.iter().any(|filter| {
        let levels: Vec<&str> = filter.levels().skip(4).collect();
        let at = levels.iter().position(|level| *level == "#").unwrap_or(levels.len());
        let long_enough = if at < levels.len() { asked.len() >= at } else { asked.len() == at };
        long_enough && levels[..at].iter().zip(&asked).all(|(level, name)| *level == "+" || level == name)
    })
}

#[tokio::test]
async fn arenas_pages_read_edit_and_chat_rights_from_the_tokens_filters() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    for (session, scene, builds) in
        [("", "public/lobby", false), (&*alice, "public/lobby", false), (&alice, "alice/den", true)]
    {
        let answer = ask(&realm, session, &format!("client=web&username=anonymous-bob&scene={scene}&camid=true")).await;
        let told = answer.json();
        let (id, uc) = (told["ids"]["userid"].as_str().unwrap(), told["ids"]["userclient"].as_str().unwrap());
        let claims = claims(&realm, &answer);
        assert_eq!(finds(&claims, &format!("o/{uc}/+")), builds, "{scene}");
        for kind in ["x", "c", "u"] {
            assert!(finds(&claims, &format!("{kind}/{uc}/{id}")), "{scene} {kind}");
            assert!(!finds(&claims, &format!("{kind}/another/{id}")), "{scene} {kind}");
        }
        assert_eq!(told["token"].as_str().unwrap().split('.').count(), 3);
    }
}

#[tokio::test]
async fn scene_settings_decide_a_tokens_edit_and_avatar_rights() {
    let realm = Fixture::open().await;
    let owner = realm.signed_in("olga", true).await;
    let [alice, bob] = [realm.signed_in("alice", false).await, realm.signed_in("bob", false).await];
    // Settings, cookie, and the result: no token, or whether it can edit and whether it has an avatar.
    for (settings, session, expected) in [
        (json!({}), "", Some((false, true))),
        (json!({"anonymous_users": false}), "", None),
        (json!({"anonymous_users": false}), &*alice, Some((false, true))),
        (json!({"public_read": false}), &alice, None),
        (json!({"public_read": false, "viewers": ["alice"]}), &alice, Some((false, true))),
        (json!({"public_read": false, "editors": ["alice"]}), &alice, Some((true, true))),
        (json!({"public_read": false, "editors": ["alice"]}), &bob, None),
        (json!({"public_write": true}), &alice, Some((true, true))),
        (json!({"public_write": true}), "", Some((true, true))),
        (json!({"users": false}), "", Some((false, false))),
        (json!({"users": false, "editors": ["alice"]}), &alice, Some((true, true))),
    ] {
        let set = realm.ask(axum::http::Method::PUT, "/api/v1/scenes/olga/hall", (&owner, settings.clone())).await;
        assert!(set.status.is_success(), "{set:?}");
        let answer = ask(&realm, session, "client=web&username=anonymous-bob&scene=olga/hall").await;
        let found = (answer.status.as_u16() == 200).then(|| {
            let told = answer.json();
            let (id, uc) = (told["ids"]["userid"].as_str().unwrap(), told["ids"]["userclient"].as_str().unwrap());
            let claims = claims(&realm, &answer);
            (finds(&claims, &format!("o/{uc}/+")), finds(&claims, &format!("u/{uc}/{id}")))
        });
        assert_eq!(found, expected, "{settings} {}", session.is_empty());
    }
}

#[tokio::test]
async fn a_token_with_the_most_parents_stays_valid_but_derives_no_more_tokens() {
    let realm = Fixture::open().await;
    let csrf = realm.get("/user/v2/login", "").await.cookie("csrftoken=").expect("a CSRF cookie");
    let asked = async |parents: usize, path: &str| {
        let parents = (0..parents).map(|number| format!("parent{number}")).collect();
        let claims = Claims { parents, ..claims::of_realm_owner("olga", 60) };
        let request = browser(Method::POST, path)
            .header(header::COOKIE, &csrf)
            .header("x-csrftoken", csrf.trim_start_matches("csrftoken="))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::AUTHORIZATION, format!("Bearer {}", realm.app.keys.issue(&claims).unwrap()));
        realm.send(request.body(Body::from("client=web&scene=public/lobby")).unwrap()).await.status.as_u16()
    };
    let far = TOKEN_PARENTS_MAX;
    assert_eq!(asked(far, "/user/v2/user_state").await, 200);
    assert_eq!(asked(far, "/user/v2/mqtt_auth").await, 403);
    assert_eq!(asked(far, "/user/v2/storelogin").await, 403);
    for path in ["/user/v2/mqtt_auth", "/user/v2/storelogin"] {
        assert_eq!(asked(far - 1, path).await, 200, "negative control: {path}");
    }
}
