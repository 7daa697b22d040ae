//! A realm that issues tickets to its motion plane.

use std::time::Instant;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::http::{Answer, ask};
use crate::person::Person;
use crate::running::{PATIENCE, Running, get};

/// The scene in which guests look, move, click and chat.
pub(crate) const LOBBY: &str = "public/lobby";
/// The scene in which guests also build.
pub(crate) const SANDBOX: &str = "public/sandbox";

pub(crate) struct Stage {
    pub(crate) server: Running,
    _dir: tempfile::TempDir,
}

/// A client's token for one scene, with its ids.
#[derive(Clone)]
pub(crate) struct Issued {
    pub(crate) token: String,
    pub(crate) username: String,
    pub(crate) id_tag: String,
    pub(crate) user_client: String,
}

impl Stage {
    pub(crate) async fn set() -> Stage {
        let dir = tempfile::tempdir().unwrap();
        Stage::over(Running::start(dir.path()).await, dir)
    }

    /// A stage over a server started with other options.
    pub(crate) fn over(server: Running, dir: tempfile::TempDir) -> Stage {
        Stage { server, _dir: dir }
    }

    /// Sends a request over plain HTTP with this token.
    pub(crate) async fn ask(&self, line: &str, token: &str, body: &Value) -> Answer {
        let bearer = format!("Bearer {token}");
        let mut headers = vec![("Content-Type", "application/json")];
        if !token.is_empty() {
            headers.push(("Authorization", &bearer));
        }
        ask(self.server.ports.http.unwrap(), line, &headers, &body.to_string()).await
    }

    /// Issues a token as a page gets it; a guest's if `token` is empty.
    pub(crate) async fn issue(&self, scene: &str, token: &str) -> Issued {
        let answer = self.ask("POST /api/v1/token", token, &json!({ "scene": scene })).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        let issued: Value = serde_json::from_str(&answer.body).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Issued {
            token: text(&issued["token"]),
            username: text(&issued["username"]),
            id_tag: text(&issued["ids"]["userid"]),
            user_client: text(&issued["ids"]["userclient"]),
        }
    }

    /// The realm owner's token.
    pub(crate) fn owner(&self) -> String {
        std::fs::read_to_string(self.server.data.join("run/token")).unwrap()
    }

    pub(crate) async fn ticket(&self, scene: &str, token: &str) -> Answer {
        self.ask("POST /api/v1/motion-ticket", token, &json!({ "scene": scene })).await
    }

    /// The connect token of a new ticket.
    pub(crate) async fn connect_token(&self, scene: &str, token: &str) -> Vec<u8> {
        let answer = self.ticket(scene, token).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        connect_token(&serde_json::from_str(&answer.body).unwrap())
    }

    /// A person about to enter the motion plane.
    pub(crate) async fn person(&self, scene: &str, issued: &Issued) -> Person {
        Person::new(&self.connect_token(scene, &issued.token).await, &issued.id_tag)
    }

    /// A guest about to enter the motion plane.
    pub(crate) async fn guest(&self, scene: &str) -> Person {
        let issued = self.issue(scene, "").await;
        self.person(scene, &issued).await
    }

    /// A value of `/metrics` with its labels; 0 if it doesn't exist yet. The motion plane reports its own once a
    /// second.
    pub(crate) async fn counter(&self, name: &str) -> u64 {
        let (_, page) = get(self.server.ports.admin.unwrap(), "/metrics", None).await;
        let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ').map(str::to_owned));
        line.map_or(0, |value| value.parse().expect("a number"))
    }

    pub(crate) async fn dropped(&self, why: &str) -> u64 {
        self.counter(&format!("stoa_motion_dropped_total{{thread=\"0\",reason=\"{why}\"}}")).await
    }
}

/// Calls `go_on` until one more packet was dropped for the reason `why`.
pub(crate) async fn until_dropped(stage: &Stage, why: &str, mut go_on: impl FnMut()) {
    let (deadline, before) = (Instant::now() + PATIENCE, stage.dropped(why).await);
    while stage.dropped(why).await == before {
        assert!(Instant::now() < deadline, "nothing was dropped as {why}");
        go_on();
    }
}

/// The connect token in a ticket's document.
pub(crate) fn connect_token(ticket: &Value) -> Vec<u8> {
    let token = STANDARD.decode(ticket["netcode"]["token"].as_str().expect("a way by netcode")).unwrap();
    assert_eq!(token.len(), 2_048);
    token
}
