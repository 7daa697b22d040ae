//! A realm without sockets.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use axum::response::Response;
use http_body_util::BodyExt;
use serde_json::Value;
use stoa_net::connection::MqttConnectionService;
use stoa_net::shutdown::{self, ShutdownTrigger};
use stoa_state::realm::{Realm, RealmStartParameters};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tower::ServiceExt;

use super::described::{Described, Requested};
use crate::app::App;
use crate::config::PartialConfig;
use crate::config::ports::BoundAddresses;
use crate::files::ContentStore;
use crate::files::check::FileCheckMode;
use crate::http::change_rate_limit::ChangeRateLimiter;
use crate::http::rate_limit::{RateAndBurst, RequestRateLimiter};
use crate::http::{HttpEndpointAddress, RouteState, routes};
use crate::identity::accounts::attempts::SignInFailureLimiter;
use crate::identity::accounts::hashing::PasswordHasher;
use crate::identity::accounts::{self, NewAccount};
use crate::identity::signer::TokenSigner;
use crate::identity::tokens;
use crate::limits;
use crate::metrics::Metrics;
use crate::motion::{self, BrowserEndpointAddresses, MotionConfig};
use crate::os::clock;
use crate::realm_task::{self, PendingChangeQueue, RealmCommandClient};
use crate::scenes::first_scenes;
use crate::scenes::registrar::{self, SceneRegistrar};
use crate::store::Store;
use stoa_net::background::BackgroundThreads;

pub(super) const PASSWORD: &str = "correct horse";

/// A realm with the first scenes, and its plain HTTP endpoint.
pub(super) struct Fixture {
    pub(super) app: App,
    pub(super) web: Arc<RouteState>,
    router: Router,
    _dir: tempfile::TempDir,
    tasks: JoinSet<()>,
    _motion: motion::MotionThreads,
    trigger: Option<ShutdownTrigger>,
}

/// A response, read to its end.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Answer {
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(super) fn header(&self, name: header::HeaderName) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The cookie of that name, as a browser sends it back.
    pub(super) fn cookie(&self, name: &str) -> Option<String> {
        let cookies = self.headers.get_all(header::SET_COOKIE).iter().map(|value| value.to_str().unwrap());
        cookies.filter_map(|text| text.split(';').next()).find(|pair| pair.starts_with(name)).map(str::to_owned)
    }

    /// Asserts a problem document of this status, and returns its detail.
    pub(super) fn problem(&self, status: u16) -> String {
        assert_eq!(self.status.as_u16(), status, "{}", String::from_utf8_lossy(&self.body));
        assert_eq!(self.header(header::CONTENT_TYPE), "application/problem+json");
        let document = self.json();
        assert_eq!((&document["type"], &document["status"]), (&Value::from("about:blank"), &Value::from(status)));
        assert!(document["title"].is_string());
        document["detail"].as_str().expect("a detail").to_owned()
    }
}

/// A limit of each client, beside a bound of all that no test reaches.
fn rate_limit(per_s: u32, burst: u32) -> RequestRateLimiter {
    RequestRateLimiter::new(RateAndBurst { per_s, burst }, RateAndBurst { per_s: u32::MAX, burst: u32::MAX })
}

impl Fixture {
    pub(super) async fn open() -> Fixture {
        Fixture::with_settings(PartialConfig::default()).await
    }

    pub(super) async fn with_settings(settings: PartialConfig) -> Fixture {
        let dir = tempfile::tempdir().unwrap();
        let config = PartialConfig { data: Some(dir.path().to_owned()), ..settings }.resolve().unwrap();
        let store = Store::open(dir.path()).await.unwrap();
        let keys = Arc::new(tokens::of_test_realm());
        let metrics = Arc::new(Metrics::new());
        let (trigger, shutdown) = shutdown::channel();
        let (inputs_sender, inputs) = mpsc::channel(limits::INPUTS_QUEUED_MAX);
        let (verdicts_sender, outcomes) = mpsc::channel(limits::OUTCOMES_QUEUED_MAX);
        let (realm, requests) = RealmCommandClient::channel();
        let changes = Arc::new(PendingChangeQueue::default());
        let mut tasks = JoinSet::new();
        tasks.spawn(realm_task::write_changes(store.clone(), Arc::clone(&changes), verdicts_sender));
        let plan = MotionConfig {
            zero: std::time::Instant::now(),
            started_at: clock::unix_now(),
            sockets: Vec::new(),
            browsers: BrowserEndpointAddresses::default(),
            serving: stoa_state::motion::send_timing::SendTimingMode::Auto,
        };
        let (motion, motion_running) = motion::start(plan).unwrap();
        let motion_settings = stoa_state::motion::MotionSettings::default();
        let start = RealmStartParameters { unix_at_zero: clock::unix_now(), seed: 1, motion: motion_settings };
        let intake = MqttConnectionService::new(inputs_sender, BackgroundThreads::start(1).unwrap());
        let parts = realm_task::RealmTaskParts {
            realm: Realm::new(start),
            zero: Instant::now(),
            keys: keys.clone(),
            accounts: Arc::new(store.clone()),
            addresses: stoa_net::network_connections::NetworkConnectionLimiter::new(10),
            unread: intake.unread().clone(),
            metrics: Arc::clone(&metrics),
            changes,
            motion: motion.clone(),
        };
        tasks.spawn(realm_task::run(parts, realm_task::RealmChannels { inputs, requests, outcomes, shutdown }));
        let (registrar, orders) = SceneRegistrar::channel();
        let files = ContentStore::open(dir.path()).unwrap();
        tasks.spawn(registrar::run(store.clone(), files.clone(), realm.clone(), orders));
        let background = BackgroundThreads::start(limits::BACKGROUND_THREADS).unwrap();
        let app = App {
            files,
            checker: FileCheckMode::Unchecked,
            uploads: crate::app::slots::for_uploads(),
            open_uploads: crate::app::shared_capacity::of_uploads(),
            open_requests: crate::app::shared_capacity::of_requests(),
            unread_bytes: crate::app::shared_capacity::of_unread_bytes(),
            config: Arc::new(config),
            realm,
            registrar,
            store,
            background: background.clone(),
            signer: TokenSigner::new(keys.clone(), background.clone()),
            hashing: PasswordHasher::new(background),
            keys,
            metrics,
            motion,
            attempts: SignInFailureLimiter::default(),
            ports: BoundAddresses { https: Some(([127, 0, 0, 1], 8443).into()), ..BoundAddresses::default() },
            hosts: Arc::from(["realm.local".to_owned(), "192.0.2.7".to_owned()]),
            intake,
        };
        first_scenes::make_once(&app.store, &app.registrar, &app.realm).await.unwrap();
        let web = Arc::new(RouteState::new(
            app.clone(),
            HttpEndpointAddress { secure: false, address: ([127, 0, 0, 1], 8080).into() },
        ));
        let router = routes(Arc::clone(&web));
        Fixture { app, web, router, _dir: dir, tasks, _motion: motion_running, trigger: Some(trigger) }
    }

    /// A realm with a low limit of reads: KiB a second, and burst in KiB.
    pub(super) async fn with_readings(per_s: u32, burst: u32) -> Fixture {
        Fixture::with(|web| web.readings = rate_limit(per_s, burst)).await
    }

    /// A realm with a low limit of an account's tokens: number a second, and burst.
    pub(super) async fn with_tokens(per_s: u32, burst: u32) -> Fixture {
        Fixture::with(|web| web.tokens = rate_limit(per_s, burst)).await
    }

    /// A realm with a low limit of an account's changes: number a second, and burst.
    pub(super) async fn with_changes(per_s: u32, burst: u32) -> Fixture {
        Fixture::with(|web| web.changes = ChangeRateLimiter::of_accounts(rate_limit(per_s, burst))).await
    }

    /// A realm with a low limit of restores: objects a second, and burst in objects.
    pub(super) async fn with_restores(per_s: u32, burst: u32) -> Fixture {
        Fixture::with(|web| web.restores = rate_limit(per_s, burst)).await
    }

    async fn with(change: impl FnOnce(&mut RouteState)) -> Fixture {
        let mut realm = Fixture::open().await;
        let mut web = RouteState::new(
            realm.app.clone(),
            HttpEndpointAddress { secure: false, address: ([127, 0, 0, 1], 8080).into() },
        );
        change(&mut web);
        realm.web = Arc::new(web);
        realm.router = routes(Arc::clone(&realm.web));
        realm
    }

    /// Ends the realm task. The routes stay.
    pub(super) async fn end(&mut self) {
        self.trigger.take();
        self.tasks.shutdown().await;
    }

    /// Sends a request, and compares the answer with its description.
    pub(super) async fn send(&self, request: Request<Body>) -> Answer {
        let requested = Requested { method: request.method().clone(), uri: request.uri().clone() };
        let (parts, body) = self.router.clone().oneshot(request).await.unwrap().into_parts();
        let body = body.collect().await.unwrap().to_bytes().to_vec();
        let answer = Answer { status: parts.status, headers: parts.headers, body };
        Described::of_the_fixture().check(&requested, &answer).unwrap_or_else(|difference| panic!("{difference}"));
        answer
    }

    /// Sends a request, and leaves the body of its answer to be read.
    pub(super) async fn begin(&self, request: Request<Body>) -> Response {
        self.router.clone().oneshot(request).await.unwrap()
    }

    /// Sends a request as a page of the realm does, with this cookie.
    pub(super) async fn ask(&self, method: Method, path: &str, (cookie, body): (&str, Value)) -> Answer {
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        let request = browser(method, path).header(header::COOKIE, cookie).body(body).unwrap();
        self.send(request).await
    }

    /// Sends an upload, and disconnects once it is received completely but has no name yet.
    pub(super) async fn hang_up(&self, request: Request<Body>) {
        let _naming = self.app.files.naming().await;
        let came = async {
            // Incomplete files have a name with a number.
            while !self.incoming().iter().any(|name| !name.contains('#')) {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            answer = self.send(request) => panic!("it waits for its name: {answer:?}"),
            () = came => {}
        }
    }

    /// The names of files being received.
    pub(super) fn incoming(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.app.config.data.join("files/incoming")).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    /// Waits until no file is being received.
    pub(super) async fn nothing_incoming(&self) {
        let gone = async {
            while !self.incoming().is_empty() {
                tokio::task::yield_now().await;
            }
        };
        let patience = std::time::Duration::from_secs(10);
        tokio::time::timeout(patience, gone).await.expect("nothing stays without a name");
    }

    pub(super) async fn get(&self, path: &str, cookie: &str) -> Answer {
        self.ask(Method::GET, path, (cookie, Value::Null)).await
    }

    pub(super) async fn post(&self, path: &str, cookie: &str, body: Value) -> Answer {
        self.ask(Method::POST, path, (cookie, body)).await
    }

    /// Sends a form as ARENA's programs do: with the CSRF cookie of the sign-in page, repeated in the header.
    pub(super) async fn form(&self, path: &str, cookie: &str, fields: &str) -> Answer {
        let csrf = self.get("/user/v2/login", "").await.cookie("csrftoken=").expect("a CSRF cookie");
        let repeated = csrf.trim_start_matches("csrftoken=");
        let request = browser(Method::POST, path)
            .header(header::COOKIE, format!("{csrf}; {cookie}"))
            .header("x-csrftoken", repeated)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request.body(Body::from(fields.to_owned())).unwrap()).await
    }

    /// Creates an account and signs it in. Returns the cookie.
    pub(super) async fn signed_in(&self, name: &str, realm_owner: bool) -> String {
        let wish = NewAccount { name: name.into(), password: PASSWORD.into(), realm_owner };
        accounts::add(&self.app.store, &self.app.hashing, wish).await.unwrap();
        let answer = self.post("/api/v1/login", "", serde_json::json!({"username": name, "password": PASSWORD})).await;
        answer.cookie("stoa-8080=").expect("signing in sets the cookie")
    }
}

/// A request by a page of the realm.
pub(super) fn browser(method: Method, path: &str) -> axum::http::request::Builder {
    Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, "localhost:8080")
        .header(header::ORIGIN, "http://localhost:8080")
        .header(header::CONTENT_TYPE, "application/json")
}
