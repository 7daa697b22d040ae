//! Tokens that are forged, expired, not yet valid, or that end during a connection, at every endpoint that accepts
//! tokens.

use aws_lc_rs::encoding::{AsDer, PublicKeyX509Der};
use aws_lc_rs::rsa::KeyPair;
use aws_lc_rs::signature::KeyPair as _;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};
use stoa_net::websocket::{Role, WebSocketIo};
use stoa_wire::packet::{MqttVersion, Packet, ReasonCode};

use crate::client::{Io, tcp, tls, websocket_stream};
use crate::http::ask;
use crate::running::stoa;
use crate::stage::{Stage, enter, member};
use crate::wire::{Credentials, Wire};

/// A valid token's parts and the realm's keys, as an attacker with read access to the data folder would have them.
struct Forge {
    header: Value,
    claims: Value,
    private_pem: Vec<u8>,
    public_der: Vec<u8>,
    jwks: String,
}

impl Forge {
    async fn of(stage: &Stage, token: &str) -> Forge {
        let part = |index: usize| -> Value {
            serde_json::from_slice(&URL_SAFE_NO_PAD.decode(token.split('.').nth(index).unwrap()).unwrap()).unwrap()
        };
        let private_pem = std::fs::read(stage.server.data.join("keys/tokens.pem")).unwrap();
        let text = String::from_utf8(private_pem.clone()).unwrap();
        let der = STANDARD.decode(text.lines().filter(|line| !line.starts_with('-')).collect::<String>()).unwrap();
        let key = KeyPair::from_pkcs8(&der).unwrap();
        let public: PublicKeyX509Der<'_> = key.public_key().as_der().unwrap();
        let jwks = ask(stage.server.ports.http.unwrap(), "GET /.well-known/jwks.json", &[], "").await.body;
        Forge { header: part(0), claims: part(1), public_der: public.as_ref().to_vec(), private_pem, jwks }
    }

    /// Signed with the realm's private key.
    fn signed(&self, kid: &Value, change: impl Fn(&mut Value)) -> String {
        let mut claims = self.claims.clone();
        change(&mut claims);
        let header = Header { kid: kid.as_str().map(str::to_owned), ..Header::new(Algorithm::RS256) };
        jsonwebtoken::encode(&header, &claims, &EncodingKey::from_rsa_pem(&self.private_pem).unwrap()).unwrap()
    }

    /// Signed with the public key as an HMAC secret.
    fn shared(&self, secret: &[u8]) -> String {
        let header = Header { kid: self.header["kid"].as_str().map(str::to_owned), ..Header::new(Algorithm::HS256) };
        jsonwebtoken::encode(&header, &self.claims, &EncodingKey::from_secret(secret)).unwrap()
    }

    fn unsigned(&self, algorithm: &str) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let header = json!({"alg": algorithm, "typ": "JWT", "kid": self.header["kid"]});
        format!("{}.{}.", part(&header), part(&self.claims))
    }

    fn all(&self) -> Vec<(&'static str, String)> {
        let body = STANDARD.encode(&self.public_der);
        let lines: Vec<&str> = body.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
        let pem = format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", lines.join("\n"));
        let kid = &self.header["kid"];
        let at = |claim: &'static str, offset: i64| {
            let now = i64::try_from(stoa_server::clock::unix_now().0).unwrap();
            move |claims: &mut Value| claims[claim] = (now + offset).into()
        };
        vec![
            ("alg none", self.unsigned("none")),
            ("alg None", self.unsigned("None")),
            ("HS256 with the public key's PEM", self.shared(pem.as_bytes())),
            ("HS256 with the public key's PEM, trimmed", self.shared(pem.trim_end().as_bytes())),
            ("HS256 with the public key's DER", self.shared(&self.public_der)),
            ("HS256 with the key set", self.shared(self.jwks.as_bytes())),
            ("HS256 with nothing", self.shared(b"")),
            ("another kid", self.signed(&json!("another"), |_| {})),
            ("no kid", self.signed(&Value::Null, |_| {})),
            ("expired", self.signed(kid, at("exp", -10))),
            ("not valid yet", self.signed(kid, at("nbf", 60))),
            ("issued tomorrow", self.signed(kid, at("iat", 86_400))),
        ]
    }
}

async fn transports(stage: &Stage) -> Vec<(&'static str, Box<dyn Io>)> {
    let websocket = WebSocketIo::over(websocket_stream(&stage.server).await, Role::Client).await;
    vec![("TCP", tcp(&stage.server).await), ("TLS", tls(&stage.server).await), ("WebSocket", Box::new(websocket))]
}

#[tokio::test]
async fn a_forged_or_untimely_token_is_refused_by_mqtt_and_http() {
    let mut stage = Stage::set().await;
    let good = member(&stage.server, "alice", "owner").await;
    let forge = Forge::of(&stage, &good.token).await;
    let http = stage.server.ports.http.unwrap();
    let status = async |line: &str, header: &str, value: &str| ask(http, line, &[(header, value)], "").await.status;
    let remade = forge.signed(&forge.header["kid"], |_| {});
    let mut tokens = forge.all();
    tokens.push(("negative control", remade));
    for (what, token) in tokens {
        let is_good = what == "negative control";
        for (transport, io) in transports(&stage).await {
            let credentials = Credentials { token: token.clone(), ..good.clone() };
            let (mut wire, answer) = Wire::connect(io, MqttVersion::V5, &credentials).await;
            assert_eq!(answer.code == ReasonCode::SUCCESS, is_good, "{what} over {transport}: {:?}", answer.code);
            if !is_good {
                assert!(wire.next().await.is_none(), "{what} over {transport} ends the connection");
            }
        }
        let bearer = format!("Bearer {token}");
        let expected = if is_good { 200 } else { 401 };
        assert_eq!(status("GET /api/v1/me", "Authorization", &bearer).await, expected, "{what}");
        let cookie = format!("mqtt_token={token}");
        assert_eq!(status("GET /persist/public/sandbox", "Cookie", &cookie).await, expected, "{what}");
        assert_eq!(status("GET /api/v1/scenes/public/sandbox/snapshot", "Cookie", &cookie).await, expected, "{what}");
    }
    stage.nothing_was_forwarded("forged tokens").await;
}

#[tokio::test]
async fn a_revoked_token_ends_its_connections_at_once() {
    let stage = Stage::set().await;
    let credentials = member(&stage.server, "alice", "owner").await;
    let forge = Forge::of(&stage, &credentials.token).await;
    let mut inside = Vec::new();
    for (transport, io) in transports(&stage).await {
        let client = Credentials { client_id: format!("client-{transport}"), ..credentials.clone() };
        let (wire, answer) = Wire::connect(io, MqttVersion::V5, &client).await;
        assert_eq!(answer.code, ReasonCode::SUCCESS, "{transport}");
        inside.push((transport, wire));
    }
    let jti = forge.claims["jti"].as_str().unwrap();
    let revoked = stoa(&["token", "revoke", jti, "--data"]).arg(&stage.server.data).output().await.unwrap();
    assert!(revoked.status.success());
    for (transport, mut wire) in inside {
        let Some(Packet::Disconnect(last)) = wire.next().await else { panic!("{transport} is told") };
        assert_eq!(last.code, ReasonCode::ADMINISTRATIVE_ACTION, "{transport}");
        assert!(wire.next().await.is_none(), "{transport} is ended");
    }
    let bearer = format!("Bearer {}", credentials.token);
    let again = ask(stage.server.ports.http.unwrap(), "GET /api/v1/me", &[("Authorization", &bearer)], "").await;
    assert_eq!(again.status, 401);
    enter(&stage.server, &member(&stage.server, "alice", "owner").await).await;
}

#[tokio::test]
async fn a_connection_ends_when_its_token_expires() {
    let stage = Stage::set().await;
    let good = member(&stage.server, "alice", "owner").await;
    let forge = Forge::of(&stage, &good.token).await;
    let ends = stoa_server::clock::unix_now().0 + 1;
    let short = forge.signed(&forge.header["kid"], |claims| claims["exp"] = ends.into());
    let mut inside = enter(&stage.server, &Credentials { token: short, ..good }).await;
    let Some(Packet::Disconnect(last)) = inside.next().await else { panic!("it is told") };
    assert_eq!(last.code, ReasonCode::NOT_AUTHORIZED);
    assert!(inside.next().await.is_none());
    assert!(stoa_server::clock::unix_now().0 >= ends, "and not before");
}

/// Credentials as ARENA's pages and programs get them.
async fn by_mqtt_auth(stage: &Stage, fields: &str) -> Credentials {
    let csrf = "a-token-of-some-length";
    let headers = [
        ("Cookie", &*format!("csrftoken={csrf}")),
        ("X-CSRFToken", csrf),
        ("Content-Type", "application/x-www-form-urlencoded"),
    ];
    let answer = ask(stage.server.ports.http.unwrap(), "POST /user/v2/mqtt_auth", &headers, fields).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let told: Value = serde_json::from_str(&answer.body).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    Credentials {
        username: text(&told["username"]),
        client_id: format!("webClient-{}", text(&told["ids"]["userid"])),
        token: text(&told["token"]),
        user_client: text(&told["ids"]["userclient"]),
        id_tag: text(&told["ids"]["userid"]),
    }
}

#[tokio::test]
async fn guests_of_the_same_name_cannot_take_over_or_impersonate_each_other() {
    let stage = Stage::set().await;
    let fields = "username=anonymous-bob&client=web&scene=public/lobby&camid=true";
    let (first, second) = (by_mqtt_auth(&stage, fields).await, by_mqtt_auth(&stage, fields).await);
    assert_eq!(first.username, second.username, "they share the name that they gave");
    let mut inside = enter(&stage.server, &first).await;
    let stolen = Credentials { client_id: first.client_id.clone(), ..second.clone() };
    let mut thief = enter(&stage.server, &stolen).await;
    let root = "realm/s/public/lobby";
    assert!(!inside.subscribe(&format!("{root}/+/+/+")).await.is_error(), "nobody took its session over");
    let say = |credentials: &Credentials, kind: &str, id: &str, action: &str| {
        let data = json!({"object_type": "camera", "target": "lamp"});
        let said = json!({"object_id": id, "action": action, "type": "object", "data": data});
        (format!("{root}/{kind}/{}/{id}", credentials.user_client), said.to_string())
    };
    let own = &second.id_tag;
    for (what, (topic, said), taken) in [
        ("its camera", say(&second, "u", own, "create"), true),
        ("an event under its own id", say(&second, "o", own, "clientEvent"), true),
        ("an object under its own id", say(&second, "o", own, "create"), false),
        ("a deletion under its own id", say(&second, "o", own, "delete"), false),
        ("another object", say(&second, "o", "box1", "create"), false),
        ("its namesake's camera", say(&second, "u", &first.id_tag, "create"), false),
        ("its namesake's identity", say(&first, "u", &first.id_tag, "create"), false),
    ] {
        let code = thief.publish(&topic, said.as_bytes()).await.code;
        assert_eq!(!code.is_error(), taken, "{what}: {code}");
    }
}
