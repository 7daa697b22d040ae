//! Tests of moderation over HTTP.

use axum::body::Body;
use axum::http::{Method, Request, header};
use serde_json::{Value, json};
use stoa_state::grant::{Restriction, RestrictionKind, SceneSettings};

use super::fixture::{Answer, Fixture, browser};
use crate::limits;

const HALL: &str = "/api/v1/scenes/alice/hall/moderation";

/// A person in the scene: on the motion plane, which needs no connection here.
struct Person {
    id_tag: String,
    token: String,
}

struct Hall {
    realm: Fixture,
    alice: String,
}

impl Hall {
    /// A scene of alice's with bob as an editor, which everyone can edit.
    async fn open() -> Hall {
        let realm = Fixture::open().await;
        let alice = realm.signed_in("alice", false).await;
        let settings = json!({"editors": ["bob"], "public_write": true});
        let made = realm.ask(Method::PUT, "/api/v1/scenes/alice/hall", (&alice, settings)).await;
        assert_eq!(made.status.as_u16(), 201);
        Hall { realm, alice }
    }

    async fn token(&self, cookie: &str) -> Answer {
        self.realm.post("/api/v1/token", cookie, json!({"scene": "alice/hall", "name": "Somebody"})).await
    }

    async fn token_named(&self, cookie: &str, name: &str) -> Value {
        self.realm.post("/api/v1/token", cookie, json!({"scene": "alice/hall", "name": name})).await.json()
    }

    async fn ticket(&self, token: &str) -> u16 {
        let request = Request::builder().method(Method::POST).uri("/api/v1/motion-ticket");
        let request =
            request.header(header::HOST, "localhost:8080").header(header::AUTHORIZATION, format!("Bearer {token}"));
        let body = Body::from(json!({"scene": "alice/hall"}).to_string());
        self.realm.send(request.body(body).unwrap()).await.status.as_u16()
    }

    async fn inside(&self, cookie: &str) -> Person {
        let issued = self.token(cookie).await.json();
        let token = issued["token"].as_str().unwrap_or_else(|| panic!("{issued}")).to_owned();
        assert_eq!(self.ticket(&token).await, 200);
        Person { id_tag: issued["ids"]["userid"].as_str().unwrap().to_owned(), token }
    }

    async fn invitation(&self, role: &str) -> Value {
        let wish = json!({"role": role, "lasts_s": 3_600});
        let made = self.realm.post("/api/v1/scenes/alice/hall/invitations", &self.alice, wish).await;
        made.json()["secret"].clone()
    }

    async fn redeem(&self, cookie: &str, secret: &Value) -> Answer {
        self.realm.post("/api/v1/invitations/redeem", cookie, json!({"secret": secret})).await
    }

    async fn settings(&self) -> SceneSettings {
        self.realm.app.store.scene(&"alice/hall".parse().unwrap()).await.unwrap().unwrap()
    }

    async fn act(&self, cookie: &str, wish: Value) -> Answer {
        self.realm.post(HALL, cookie, wish).await
    }

    /// Uploads a file of alice's, and returns the path to read it.
    async fn upload(&self, name: &str) -> String {
        let request = browser(Method::PUT, &format!("/api/v1/store/users/alice/{name}"));
        let request = request.header(header::COOKIE, &self.alice).body(Body::from("plan"));
        let stored = self.realm.send(request.unwrap()).await.json();
        stored["url"].as_str().unwrap_or_else(|| panic!("{stored}")).to_owned()
    }

    async fn guest(&self) -> String {
        self.token("").await.cookie("stoa-guest-8080=").expect("a guest's browser is known again")
    }
}

fn reason(answer: &Answer) -> String {
    answer.json()["reason"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_kicked_guest_is_refused_with_a_reason_until_the_kick_is_lifted() {
    let hall = Hall::open().await;
    let guest = hall.guest().await;
    let person = hall.inside(&guest).await;
    let kicked = hall.act(&hall.alice, json!({"act": "kick", "person": person.id_tag})).await.json();
    let bar = &kicked["bars"][0];
    assert_eq!(
        (&bar["kind"], &bar["shown"], &bar["by"], &bar["account"]),
        (&json!("out"), &json!("Somebody"), &json!("alice"), &Value::Null)
    );
    assert!(
        !kicked.to_string().contains(guest.split('=').nth(1).unwrap()),
        "what tells browsers apart is nobody's to know"
    );
    let refused = hall.token(&guest).await;
    assert!(refused.problem(403).contains("come back in"), "{refused:?}");
    assert_eq!((reason(&refused).as_str(), refused.header(header::RETRY_AFTER).is_empty()), ("put_out", false));
    assert_eq!(hall.ticket(&person.token).await, 403, "nor by the token from before");
    assert_eq!(hall.token("").await.status.as_u16(), 200, "negative control: another guest");
    let lifted = hall.act(&hall.alice, json!({"act": "lift", "id": bar["id"]})).await.json();
    assert_eq!(lifted["bars"], json!([]));
    assert_eq!(hall.token(&guest).await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_kicked_guest_reopening_an_invitation_gets_403_with_retry_after() {
    let hall = Hall::open().await;
    let secret = hall.invitation("editor").await;
    let guest = hall.redeem("", &secret).await.cookie("stoa-guest-8080=").unwrap();
    let person = hall.inside(&guest).await;
    hall.act(&hall.alice, json!({"act": "kick", "person": person.id_tag})).await;
    for refused in [hall.redeem(&guest, &secret).await, hall.token(&guest).await] {
        refused.problem(403);
        let wait_s: u64 = refused.header(header::RETRY_AFTER).parse().unwrap();
        assert_eq!((reason(&refused).as_str(), (1..=60).contains(&wait_s)), ("put_out", true));
    }
}

#[tokio::test]
async fn an_accounts_ban_blocks_the_scene_and_survives_settings_changes() {
    let hall = Hall::open().await;
    let carla = hall.realm.signed_in("carla", false).await;
    let person = hall.inside(&carla).await;
    let banned = hall.act(&hall.alice, json!({"act": "ban", "person": person.id_tag, "lasts_s": 600})).await.json();
    assert_eq!(banned["bars"][0]["account"], "carla");
    assert_eq!(reason(&hall.token(&carla).await), "put_out");
    hall.realm.get("/api/v1/scenes/alice/hall", &carla).await.problem(403);
    let restarted = hall.realm.app.store.scene(&"alice/hall".parse().unwrap()).await.unwrap().unwrap();
    assert_eq!(restarted.moderation.bars[0].who, "carla", "it outlives the server");
    let kept = hall.realm.ask(Method::PUT, "/api/v1/scenes/alice/hall", (&hall.alice, json!({}))).await;
    assert_eq!(kept.status.as_u16(), 200);
    assert_eq!(reason(&hall.token(&carla).await), "put_out", "settings say nothing of it");
}

#[tokio::test]
async fn public_write_access_and_guest_access_do_not_allow_moderation() {
    let hall = Hall::open().await;
    let (bob, carla) = (hall.realm.signed_in("bob", false).await, hall.realm.signed_in("carla", false).await);
    let guest = hall.guest().await;
    let person = hall.inside(&guest).await;
    let kick = json!({"act": "kick", "person": person.id_tag});
    for cookie in [&carla, &guest, ""] {
        hall.act(cookie, kick.clone()).await.problem(403);
        hall.realm.get(HALL, cookie).await.problem(403);
    }
    assert_eq!(hall.act(&bob, kick).await.status.as_u16(), 200, "a named editor does");
}

#[tokio::test]
async fn editors_cannot_ban_owners_or_other_editors() {
    let hall = Hall::open().await;
    let settings = json!({"editors": ["bob", "dora"], "public_write": true});
    hall.realm.ask(Method::PUT, "/api/v1/scenes/alice/hall", (&hall.alice, settings)).await;
    let (bob, dora) = (hall.realm.signed_in("bob", false).await, hall.realm.signed_in("dora", false).await);
    let olga = hall.realm.signed_in("olga", true).await;
    let [of_alice, of_bob, of_olga] =
        [hall.inside(&hall.alice).await, hall.inside(&bob).await, hall.inside(&olga).await];
    let ban = |person: &Person| json!({"act": "ban", "person": person.id_tag});
    for person in [&of_alice, &of_bob, &of_olga] {
        hall.act(&dora, ban(person)).await.problem(403);
    }
    hall.act(&hall.alice, ban(&of_olga)).await.problem(403);
    assert_eq!(hall.act(&hall.alice, ban(&of_bob)).await.status.as_u16(), 200);
    hall.act(&bob, json!({"act": "lock"})).await.problem(403);
}

#[tokio::test]
async fn a_muted_moderator_cannot_lift_their_own_mute() {
    let hall = Hall::open().await;
    let bob = hall.realm.signed_in("bob", false).await;
    let person = hall.inside(&bob).await;
    let silenced = hall.act(&hall.alice, json!({"act": "silence", "person": person.id_tag})).await.json();
    let lift = json!({"act": "lift", "id": silenced["bars"][0]["id"]});
    hall.act(&bob, lift.clone()).await.problem(403);
    assert_eq!(hall.act(&hall.alice, lift).await.json()["bars"], json!([]));
}

#[tokio::test]
async fn a_muted_guest_keeps_its_display_name_until_the_mute_is_lifted() {
    let hall = Hall::open().await;
    let guest = hall.guest().await;
    let person = hall.inside(&guest).await;
    let silence = json!({"act": "silence", "person": person.id_tag, "shown": "the moderator's word for it"});
    let silenced = hall.act(&hall.alice, silence).await.json();
    assert_eq!(silenced["bars"][0]["shown"], "Somebody");
    for cookie in [&guest, ""] {
        let issued = hall.token_named(cookie, "Other").await;
        assert_eq!(hall.ticket(issued["token"].as_str().unwrap()).await, 200);
    }
    let names = |answer: &Value| {
        let listening = answer["listening"].as_array().unwrap();
        let mut names: Vec<_> = listening.iter().map(|bearer| bearer["shown"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    let muted = hall.realm.get(HALL, &hall.alice).await.json();
    assert_eq!(names(&muted), ["Other", "Somebody", "Somebody"], "the first is another guest's");
    let lift = json!({"act": "lift", "id": silenced["bars"][0]["id"]});
    let lifted = hall.act(&hall.alice, lift).await.json();
    assert_eq!(names(&lifted), ["Other", "Other", "Somebody"]);
}

#[tokio::test]
async fn an_earlier_token_cannot_read_a_snapshot_of_a_locked_scene() {
    let hall = Hall::open().await;
    let inside = hall.inside(&hall.guest().await).await;
    let before = hall.token("").await.json()["token"].as_str().unwrap().to_owned();
    let snapshot = async |token: &str| {
        let request = Request::builder().uri("/api/v1/scenes/alice/hall/snapshot");
        let request =
            request.header(header::HOST, "localhost:8080").header(header::AUTHORIZATION, format!("Bearer {token}"));
        hall.realm.send(request.body(Body::empty()).unwrap()).await
    };
    assert_eq!(snapshot(&before).await.status.as_u16(), 200, "negative control");
    hall.act(&hall.alice, json!({"act": "lock"})).await;
    assert_eq!(reason(&snapshot(&before).await), "locked");
    assert_eq!(snapshot(&inside.token).await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_locked_scene_refuses_reads_and_changes_by_people_outside() {
    let hall = Hall::open().await;
    let carla = hall.realm.signed_in("carla", false).await;
    let token = hall.token(&carla).await.json()["token"].as_str().unwrap().to_owned();
    let meets_it = async |cookie: &str| {
        let mut met = Vec::new();
        for (method, path, body) in [
            (Method::GET, "history", Value::Null),
            (Method::POST, "restore", json!({"revision": 0, "dry_run": true})),
            (Method::GET, "export", Value::Null),
            (Method::POST, "clone", json!({"to": "alice/copy"})),
            (Method::PUT, "picture", json!("none")),
        ] {
            let answer = hall.realm.ask(method, &format!("/api/v1/scenes/alice/hall/{path}"), (cookie, body)).await;
            met.push(answer.status.as_u16() == 403 && reason(&answer) == "locked");
        }
        met
    };
    let by_token = async |method: Method| {
        let request = browser(method, "/persist/alice/hall").header(header::AUTHORIZATION, format!("Bearer {token}"));
        hall.realm.send(request.body(Body::empty()).unwrap()).await.status.as_u16()
    };
    let arena = async || hall.realm.form("/user/v2/mqtt_auth", &carla, "scene=alice%2Fhall&client=web").await.status;
    assert_eq!(meets_it(&carla).await, [false; 5], "negative control");
    assert_eq!([by_token(Method::GET).await, by_token(Method::DELETE).await, arena().await.as_u16()], [200; 3]);
    hall.act(&hall.alice, json!({"act": "lock"})).await;
    assert_eq!(meets_it(&carla).await, [true; 5]);
    assert_eq!([by_token(Method::GET).await, by_token(Method::DELETE).await, arena().await.as_u16()], [401, 401, 403]);
    assert_eq!(meets_it(&hall.alice).await, [false; 5], "owners");
    hall.act(&hall.alice, json!({"act": "unlock"})).await;
    assert_eq!(hall.ticket(&token).await, 200);
    hall.act(&hall.alice, json!({"act": "lock"})).await;
    assert_eq!(meets_it(&carla).await, [false; 5], "who is inside");
    assert_eq!([by_token(Method::GET).await, by_token(Method::DELETE).await, arena().await.as_u16()], [200; 3]);
}

#[tokio::test]
async fn files_of_a_locked_scene_are_read_by_people_inside_and_moderators() {
    let hall = Hall::open().await;
    let [bob, carla] = [hall.realm.signed_in("bob", false).await, hall.realm.signed_in("carla", false).await];
    let (plan, logo) = (hall.upload("scenes/hall/plan.txt").await, hall.upload("logo.txt").await);
    let read = async |cookie: &str| hall.realm.get(&plan, cookie).await;
    let guest = hall.guest().await;
    let inside = hall.inside(&guest).await;
    for cookie in ["", &carla, &guest] {
        assert_eq!(read(cookie).await.status.as_u16(), 200, "negative control");
    }
    hall.act(&hall.alice, json!({"act": "lock"})).await;
    for cookie in ["", &carla] {
        assert_eq!(reason(&read(cookie).await), "locked", "{cookie:?}");
        assert_eq!(hall.realm.get(&logo, cookie).await.status.as_u16(), 200, "a public file");
    }
    let by_token = format!("mqtt_token={}", inside.token);
    for cookie in [&guest, &by_token, &bob, &hall.alice] {
        assert_eq!(read(cookie).await.status.as_u16(), 200, "{cookie:?}");
    }
    hall.act(&hall.alice, json!({"act": "unlock"})).await;
    hall.inside(&carla).await;
    hall.act(&hall.alice, json!({"act": "lock"})).await;
    assert_eq!(read(&carla).await.status.as_u16(), 200, "came in before the lock");
}

#[tokio::test]
async fn a_banned_account_and_its_browsers_guests_cannot_read_the_scene() {
    let hall = Hall::open().await;
    let carla = hall.realm.signed_in("carla", false).await;
    let plan = hall.upload("scenes/hall/plan.txt").await;
    let browser = hall.token(&carla).await.cookie("stoa-guest-8080=").expect("an account's browser is recognized");
    let person = hall.inside(&format!("{carla}; {browser}")).await;
    let elsewhere = hall.realm.post("/api/v1/token", &carla, json!({"scene": "public/lobby"})).await;
    let elsewhere = elsewhere.cookie("mqtt_token=").unwrap();
    let attic = hall.realm.form("/user/v2/mqtt_auth", &carla, "client=web&scene=carla/attic").await;
    let attic = attic.cookie("mqtt_token=").unwrap();
    let in_hall = async |method: Method, (path, body): (&str, Value)| {
        let path = format!("/api/v1/scenes/alice/hall/{path}");
        hall.realm.ask(method, &path, (&carla, body)).await.status.as_u16()
    };
    let statuses = async || {
        let order = json!({"action": "clone", "namespace": "alice", "sceneId": "hall"});
        [
            hall.realm.get(&plan, &carla).await.status.as_u16(),
            hall.realm.get(&plan, &browser).await.status.as_u16(),
            hall.realm.get(&plan, &elsewhere).await.status.as_u16(),
            in_hall(Method::GET, ("history", Value::Null)).await,
            in_hall(Method::GET, ("export", Value::Null)).await,
            in_hall(Method::POST, ("clone", json!({"to": "carla/copy"}))).await,
            hall.realm.post("/persist/carla/attic", &attic, order).await.status.as_u16(),
        ]
    };
    assert_eq!(statuses().await, [200, 200, 200, 200, 200, 201, 404], "negative control: the hall has no objects");
    hall.act(&hall.alice, json!({"act": "ban", "person": person.id_tag})).await;
    assert_eq!(statuses().await, [404, 404, 404, 403, 403, 403, 401]);
}

#[tokio::test]
async fn an_invited_editor_moderates_a_scene_with_public_write_access() {
    let hall = Hall::open().await;
    let carla = hall.realm.signed_in("carla", false).await;
    hall.act(&carla, json!({"act": "lock"})).await.problem(403);
    let secret = hall.invitation("editor").await;
    assert_eq!(hall.redeem(&carla, &secret).await.status.as_u16(), 200);
    assert_eq!(hall.act(&carla, json!({"act": "lock"})).await.json()["locked"], true);
    let token = hall.token(&carla).await.json()["token"].as_str().expect("moderators come in").to_owned();
    assert_eq!(hall.ticket(&token).await, 200, "by the token as well");
}

#[tokio::test]
async fn a_muted_guest_stays_muted_after_redeeming_invitations() {
    let hall = Hall::open().await;
    let guest = hall.guest().await;
    let person = hall.inside(&guest).await;
    let silence = json!({"act": "silence", "person": person.id_tag});
    let id = hall.act(&hall.alice, silence).await.json()["bars"][0]["id"].clone();
    let is_silent = async |cookie: &str| {
        let token = hall.token(cookie).await.json()["token"].as_str().unwrap().to_owned();
        let who = hall.realm.app.keys.verify(&token).unwrap().who().into_owned();
        hall.settings().await.moderation.keeps(RestrictionKind::Silence, &who)
    };
    let first = hall.invitation("viewer").await;
    let mut next = hall.redeem(&guest, &first).await.cookie("stoa-guest-8080=").expect("another guest");
    assert!(is_silent(&next).await && is_silent(&guest).await);
    let again = hall.redeem(&next, &first).await;
    assert_eq!((again.status.as_u16(), again.cookie("stoa-guest-8080=")), (200, None), "whose the link is already");
    for _ in 2..limits::GUESTS_PER_BAR_MAX {
        let opened = hall.redeem(&next, &hall.invitation("viewer").await).await;
        next = opened.cookie("stoa-guest-8080=").expect("another guest");
    }
    let refused = hall.redeem(&next, &hall.invitation("viewer").await).await;
    assert_eq!(reason(&refused), "account_needed");
    assert!(is_silent(&next).await);
    let told = hall.realm.get(HALL, &hall.alice).await.json()["bars"].clone();
    assert_eq!(told.as_array().map(Vec::len), Some(1), "one decision: {told}");
    hall.act(&hall.alice, json!({"act": "lift", "id": id})).await;
    assert!(!is_silent(&next).await && !is_silent(&guest).await);
}

#[tokio::test]
async fn a_banned_account_cannot_return_as_a_guest_of_the_same_browser() {
    let hall = Hall::open().await;
    let [carla, dora] = [hall.realm.signed_in("carla", false).await, hall.realm.signed_in("dora", false).await];
    let browser = hall.token(&carla).await.cookie("stoa-guest-8080=").expect("an account's browser is recognized");
    let person = hall.inside(&format!("{carla}; {browser}")).await;
    let banned = hall.act(&hall.alice, json!({"act": "ban", "person": person.id_tag})).await.json();
    let listed = |at: usize| (banned["bars"][at]["account"].clone(), banned["bars"][at]["browser"].clone());
    assert_eq!([listed(0), listed(1)], [(json!("carla"), json!(false)), (Value::Null, json!(true))]);
    let enters = async |cookie: &str| hall.token(cookie).await.status.as_u16();
    assert_eq!(enters(&browser).await, 403, "the same browser, signed out");
    let arena = "client=web&username=anonymous-carla&scene=alice/hall";
    assert_eq!(hall.realm.form("/user/v2/mqtt_auth", &browser, arena).await.status.as_u16(), 403);
    assert_eq!(enters(&format!("{dora}; {browser}")).await, 200, "another account that signs in there");
    assert_eq!(enters("").await, 200, "negative control: another browser");
    let invited = hall.redeem(&browser, &hall.invitation("editor").await).await;
    assert_eq!(reason(&invited), "put_out", "nor by a link");
    hall.act(&hall.alice, json!({"act": "lift", "id": banned["bars"][1]["id"]})).await;
    assert_eq!((enters(&browser).await, enters(&carla).await), (200, 403), "the next pupil at that computer");
}

#[tokio::test]
async fn lifting_an_accounts_ban_also_lifts_the_ban_on_its_browser() {
    let hall = Hall::open().await;
    let carla = hall.realm.signed_in("carla", false).await;
    let browser = hall.token(&carla).await.cookie("stoa-guest-8080=").unwrap();
    let person = hall.inside(&format!("{carla}; {browser}")).await;
    let banned = hall.act(&hall.alice, json!({"act": "ban", "person": person.id_tag})).await.json();
    assert_eq!(hall.token(&browser).await.status.as_u16(), 403, "negative control");
    let lift = json!({"act": "lift", "id": banned["bars"][0]["id"]});
    assert_eq!(hall.act(&hall.alice, lift).await.json()["bars"], json!([]));
    assert_eq!(hall.token(&browser).await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_moderator_cannot_lift_a_mute_of_their_own_browser() {
    let hall = Hall::open().await;
    let bob = hall.realm.signed_in("bob", false).await;
    let person = hall.inside(&bob).await;
    let silenced = hall.act(&hall.alice, json!({"act": "silence", "person": person.id_tag})).await.json();
    let lift = json!({"act": "lift", "id": silenced["bars"][1]["id"]});
    hall.act(&bob, lift.clone()).await.problem(403);
    assert_eq!(hall.act(&hall.alice, lift).await.json()["bars"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_guests_mute_also_applies_to_tokens_from_mqtt_auth() {
    let hall = Hall::open().await;
    let guest = hall.guest().await;
    let person = hall.inside(&guest).await;
    hall.act(&hall.alice, json!({"act": "silence", "person": person.id_tag})).await;
    let who = async |cookie: &str| {
        let arena = "client=web&username=anonymous-bob&scene=alice/hall";
        let answer = hall.realm.form("/user/v2/mqtt_auth", cookie, arena).await;
        let who = hall.realm.app.keys.verify(answer.json()["token"].as_str().unwrap()).unwrap().who().into_owned();
        (hall.settings().await.moderation.keeps(RestrictionKind::Silence, &who), answer.cookie("stoa-guest-8080="))
    };
    assert!(who(&guest).await.0, "the browser's cookie counts there too");
    let (is_muted, cookie) = who("").await;
    assert!(!is_muted, "negative control: another browser");
    let muted = hall.inside(&cookie.expect("its browser is recognized from then on")).await;
    hall.act(&hall.alice, json!({"act": "silence", "person": muted.id_tag})).await;
    assert_eq!(hall.settings().await.moderation.bars.len(), 2);
}

#[tokio::test]
async fn concurrent_restrictions_cannot_exceed_the_limit_of_a_scene() {
    let hall = Hall::open().await;
    let people = [hall.inside(&hall.guest().await).await, hall.inside(&hall.guest().await).await];
    let silence = |person: &Person| json!({"act": "silence", "person": person.id_tag});
    hall.act(&hall.alice, silence(&people[0])).await;
    let nearly_full = |mut old: SceneSettings| {
        let bar = old.moderation.bars.remove(0);
        let number =
            |number: usize| Restriction { id: number.to_string(), who: format!("guest:{number}"), ..bar.clone() };
        old.moderation.bars = (1..limits::BARS_PER_SCENE_MAX).map(number).collect();
        old
    };
    hall.realm.app.registrar.change("alice/hall".parse().unwrap(), nearly_full).await.unwrap();
    let [one, other] = people.each_ref().map(|person| hall.act(&hall.alice, silence(person)));
    let (one, other) = tokio::join!(one, other);
    let mut said = [one.status.as_u16(), other.status.as_u16()];
    said.sort_unstable();
    assert_eq!(said, [200, 422]);
    assert_eq!(hall.settings().await.moderation.bars.len(), limits::BARS_PER_SCENE_MAX);
}

#[tokio::test]
async fn a_locked_scene_admits_only_moderators_and_people_inside() {
    let hall = Hall::open().await;
    let bob = hall.realm.signed_in("bob", false).await;
    let guest = hall.guest().await;
    hall.inside(&guest).await;
    assert_eq!(hall.act(&hall.alice, json!({"act": "lock"})).await.json()["locked"], true);
    assert_eq!(reason(&hall.token("").await), "locked");
    assert_eq!(hall.token(&guest).await.status.as_u16(), 200, "a page that is loaded anew");
    assert_eq!(hall.token(&bob).await.status.as_u16(), 200);
    hall.act(&bob, json!({"act": "unlock"})).await;
    assert_eq!(hall.token("").await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_full_scene_refuses_guests_and_admits_its_owner() {
    let hall = Hall::open().await;
    let settings = json!({"public_write": true, "people_max": 1});
    let told = hall.realm.ask(Method::PUT, "/api/v1/scenes/alice/hall", (&hall.alice, settings)).await.json();
    assert_eq!(told["people_max"], 1);
    let guest = hall.guest().await;
    hall.inside(&guest).await;
    let refused = hall.token("").await;
    assert!(refused.problem(403).contains("at most 1 people"), "{refused:?}");
    assert_eq!(reason(&refused), "full");
    assert_eq!(hall.token(&hall.alice).await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_listening_client_is_listed_and_counted_and_can_be_kicked() {
    let hall = Hall::open().await;
    let listener = hall.inside(&hall.guest().await).await;
    let people = async || {
        let scenes = hall.realm.get("/api/v1/scenes", &hall.alice).await.json();
        let found = scenes.as_array().unwrap().iter().find(|scene| scene["scene"] == "hall").cloned();
        found.expect("alice's scene")["people"].clone()
    };
    let told = hall.realm.get(HALL, &hall.alice).await.json();
    assert_eq!(told["listening"], json!([{"person": listener.id_tag, "shown": "Somebody", "account": null}]));
    assert_eq!(people().await, 1);
    let kicked = hall.act(&hall.alice, json!({"act": "kick", "person": listener.id_tag})).await.json();
    assert_eq!((&kicked["listening"], kicked["bars"].as_array().map(Vec::len)), (&json!([]), Some(1)));
    assert_eq!((people().await, hall.ticket(&listener.token).await), (json!(0), 403));
}

#[tokio::test]
async fn invalid_moderation_requests_are_refused() {
    let hall = Hall::open().await;
    let person = hall.inside(&hall.guest().await).await;
    for (wish, status) in [
        (json!({"act": "ban"}), 422),
        (json!({"act": "ban", "person": "nobody_0123456789"}), 404),
        (json!({"act": "ban", "person": person.id_tag, "lasts_s": 0}), 422),
        (json!({"act": "ban", "person": person.id_tag, "lasts_s": limits::BAR_TTL_MAX.as_secs() + 1}), 422),
        (json!({"act": "lift"}), 422),
        (json!({"act": "lift", "id": "none"}), 404),
        (json!({"act": "shout"}), 400),
    ] {
        assert_eq!(hall.act(&hall.alice, wish.clone()).await.status.as_u16(), status, "{wish}");
    }
    hall.realm.post("/api/v1/scenes/alice/none/moderation", &hall.alice, json!({"act": "lock"})).await.problem(404);
}
