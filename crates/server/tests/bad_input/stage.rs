//! A realm with a bystander in the sandbox who receives everything forwarded there, private messages too.

use serde_json::{Value, json};
use stoa_wire::packet::{MqttVersion, ReasonCode};

use crate::client::tcp;
use crate::http::ask;
use crate::running::{Running, get};
use crate::wire::{Credentials, Wire};

/// The scene in which guests may build.
pub(crate) const SANDBOX: &str = "realm/s/public/sandbox";

pub(crate) struct Stage {
    pub(crate) server: Running,
    innocent: Wire,
    author: Wire,
    controls: u32,
    _dir: tempfile::TempDir,
}

impl Stage {
    pub(crate) async fn set() -> Stage {
        let dir = tempfile::tempdir().unwrap();
        let server = Running::start(dir.path()).await;
        let mut stage = Stage {
            innocent: enter(&server, &member(&server, "innocent", "viewer").await).await,
            author: enter(&server, &member(&server, "author", "owner").await).await,
            server,
            controls: 0,
            _dir: dir,
        };
        for filter in ["+/+/+", "+/+/+/+/#"] {
            assert!(!stage.innocent.subscribe(&format!("{SANDBOX}/{filter}")).await.is_error());
        }
        stage
    }

    /// Sends a valid message and fails unless the bystander receives it next: nothing was forwarded before it, and
    /// the route works.
    pub(crate) async fn nothing_was_forwarded(&mut self, after: &str) {
        let (topic, payload) = self.good().await;
        assert_eq!(self.innocent.message().await, (topic, payload), "after {after}");
    }

    /// Sends a valid message and returns the number of messages that the bystander receives before it.
    pub(crate) async fn heard_before_control(&mut self) -> usize {
        let control = self.good().await;
        let mut heard = 0;
        while self.innocent.message().await != control {
            heard += 1;
        }
        heard
    }

    async fn good(&mut self) -> (String, String) {
        self.controls += 1;
        let id = format!("control-{}", self.controls);
        let topic = format!("{SANDBOX}/o/client-author/{id}");
        let payload = create(&id).to_string();
        assert_eq!(
            self.author.publish(&topic, payload.as_bytes()).await.code,
            ReasonCode::SUCCESS,
            "a good message is taken"
        );
        (topic, payload)
    }

    /// Number of valid messages sent, which is the last one's number.
    pub(crate) fn controls(&self) -> u32 {
        self.controls
    }

    /// A counter of `/metrics` with its labels; 0 if it doesn't exist yet.
    pub(crate) async fn counter(&self, name: &str) -> u64 {
        let (_, page) = get(self.server.ports.admin.unwrap(), "/metrics", None).await;
        let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ').map(str::to_owned));
        line.map_or(0, |value| value.parse().expect("a number"))
    }

    pub(crate) async fn refused(&self, reason: &str) -> u64 {
        self.counter(&format!("stoa_refused_total{{reason=\"{reason}\"}}")).await
    }

    /// Credentials of a new guest in the sandbox.
    pub(crate) async fn guest(&self) -> Credentials {
        guest(&self.server).await
    }
}

pub(crate) fn create(id: &str) -> Value {
    json!({"object_id": id, "action": "create", "type": "object", "data": {"object_type": "box"}})
}

/// Credentials with a token by `stoa token`.
pub(crate) async fn member(server: &Running, name: &str, role: &str) -> Credentials {
    let token = server.token(&["--user", name, "--scene", "public/sandbox", "--role", role]).await;
    let client_id = format!("client-{name}");
    Credentials { username: name.into(), id_tag: client_id.clone(), user_client: client_id.clone(), client_id, token }
}

/// A guest's credentials as a page gets them.
pub(crate) async fn guest(server: &Running) -> Credentials {
    let address = server.ports.http.unwrap();
    let answer = ask(address, "POST /api/v1/token", &[], &json!({"scene": "public/sandbox"}).to_string()).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let issued: Value = serde_json::from_str(&answer.body).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    Credentials {
        username: text(&issued["username"]),
        client_id: text(&issued["ids"]["userclient"]),
        token: text(&issued["token"]),
        user_client: text(&issued["ids"]["userclient"]),
        id_tag: text(&issued["ids"]["userid"]),
    }
}

pub(crate) async fn enter(server: &Running, credentials: &Credentials) -> Wire {
    let (wire, answer) = Wire::connect(tcp(server).await, MqttVersion::V5, credentials).await;
    assert_eq!(answer.code, ReasonCode::SUCCESS, "{} may enter: {:?}", credentials.username, answer.properties.reason);
    wire
}
