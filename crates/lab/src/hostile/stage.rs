//! Sets up a realm to attack: its scenes, objects and accounts, and the tokens of all clients. Scenes and objects are
//! created over loopback. Hostile accounts sign in from their own address.

use std::io::Write;
use std::net::Ipv6Addr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use stoa_state::grant::{RoleRequester, SceneSettings};
use tokio::runtime::Builder;

use super::attack::{AttackKind, AttackTotals, AttackerKind, HostileClient, MEMBERS};
use super::mqtt_attacks::{GET_PERSIST, filled};
use super::outside::{ClientCredentials, EncryptedEndpoints, HttpsConnection, HttpsRequest, value_of};
use super::topology::{self, AttackerAddressLayout};
use crate::http::{self, HttpConnection};
use crate::limits;
use crate::load::connection::{MqttConnection, MqttTransport};
use crate::load::packet;
use crate::load::person::{PersonIdentifiers, SCENE};
use crate::load::swarm::{MqttSwarm, SwarmClientSettings, SwarmTrafficKind};
use crate::servers::{IssuedTokenScope, RunningServer, Testbed, start_outside};

/// The attacked scene, in which guests build.
pub(super) const ATTACKED: &str = "public/sandbox";
/// The bystanders' scene.
pub(super) const BYSTANDERS: &str = SCENE;
/// The scene in which a class builds.
pub(super) const WORKSHOP: &str = "lab/workshop";
/// The scene that people enter.
pub(super) const HALL: &str = "lab/hall";
/// The file that `http2files` requests, which everyone may read.
pub(super) const LARGE_FILE: &str = "/store/users/mallory-0/large.txt";
/// Size of the large file: more than a response buffers.
const LARGE_FILE_BYTES: usize = 1 << 20;
/// The name of the hostile accounts, before their number.
const MALLORY: &str = "mallory";
/// Hostile accounts with a web session. Four of them fill the upload slots of one address.
const SESSIONS: usize = 8;
/// Honest accounts.
pub(super) const HONEST_ACCOUNTS: [&str; 4] = ["honest-0", "honest-1", "honest-2", "honest-3"];
/// The password of all accounts.
pub(super) const PASSWORD: &str = "correct horse battery staple";
/// Objects of the attacked scene, as many as in the first attack by templates. One answer to `getPersist` contains them
/// and the objects of an honest guest.
const OBJECTS: u16 = 1_550;
const OBJECT_BYTES: usize = 900;
/// Unacknowledged objects while the scene is filled.
const FILL_WINDOW: u16 = 100;
/// The most people in the attacked scene under `listeners`: fewer than the hostile clients.
const PEOPLE_MAX: u32 = 100;
/// History that the realm keeps under `history`, in MiB: three times the honest changes of a run of 30 s, and less than
/// the hostile ones.
pub(super) const HISTORY_MIB: u32 = 24;
/// Entries in a page of the history, as many as a realm returns.
const HISTORY_PAGE: usize = 200;
/// Time in which a realm prunes its history after a start.
const PRUNING: Duration = Duration::from_secs(10);
/// Scenes of the attack on lists, and the editors in each one's settings.
const LISTED: usize = 200;
const EDITORS: usize = 2_000;

/// One attack with its actor and addresses.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttackPlan {
    pub(super) kind: AttackKind,
    pub(super) actor: AttackerKind,
    pub(super) topology: AttackerAddressLayout,
}

impl AttackPlan {
    /// Whether the plan's clients need web sessions.
    fn has_sessions(&self) -> bool {
        self.actor == AttackerKind::Member && matches!(self.kind, AttackKind::Uploads | AttackKind::Lists)
    }
}

/// The flags of the realm under an attack.
pub(super) fn flags_for(kind: AttackKind) -> Vec<String> {
    match kind {
        AttackKind::History => vec![format!("--history-mib={HISTORY_MIB}")],
        _ => Vec::new(),
    }
}

/// A running realm with its scenes.
pub(super) struct RealmUnderAttack {
    pub(super) testbed: Testbed,
    pub(super) server: RunningServer,
    pub(super) outside: EncryptedEndpoints,
}

impl RealmUnderAttack {
    /// Starts the binary with further flags in a fresh folder, and builds what the attack needs.
    pub(super) fn set_up(stoa: &Path, flags: &[String], kind: AttackKind) -> Result<RealmUnderAttack> {
        let testbed = Testbed::new(stoa.to_owned())?;
        let (server, mqtts) = start_outside(&testbed, topology::REALM, flags)?;
        let https = server.secure_address().context("the realm has no HTTPS address")?;
        let config = testbed.folder.client_config()?;
        let stage = RealmUnderAttack { testbed, server, outside: EncryptedEndpoints { https, mqtts, config } };
        stage.build(kind)?;
        Ok(stage)
    }

    fn build(&self, kind: AttackKind) -> Result<()> {
        let (owner, mut http) = (self.testbed.folder.owner()?, HttpConnection::open(self.server.http()?)?);
        http.put(&format!("/api/v1/scenes/{HALL}"), &owner, "{}")?;
        http.put(&format!("/api/v1/scenes/{WORKSHOP}"), &owner, r#"{"public_write":true}"#)?;
        HONEST_ACCOUNTS.into_iter().try_for_each(|name| self.add_account(name))?;
        self.fill()?;
        if kind == AttackKind::Http2Files {
            http.put(&format!("/api/v1{LARGE_FILE}"), &owner, &"stoa\n".repeat(LARGE_FILE_BYTES / 5))?;
        }
        if kind == AttackKind::Listeners {
            let settings = json!({ "public_write": true, "people_max": PEOPLE_MAX }).to_string();
            http.put(&format!("/api/v1/scenes/{ATTACKED}"), &owner, &settings)?;
        }
        if kind == AttackKind::Lists {
            let editors: Vec<String> = (0..EDITORS).map(|number| format!("editor-{number}")).collect();
            let settings = json!({ "editors": editors }).to_string();
            for number in 0..LISTED {
                http.put(&format!("/api/v1/scenes/lab/listed-{number}"), &owner, &settings)?;
            }
        }
        Ok(())
    }

    /// Fills the attacked scene with stored objects of an account.
    fn fill(&self) -> Result<()> {
        let name = PersonIdentifiers::called("filler".to_owned(), 0);
        let token = self.testbed.folder.token_in(ATTACKED, &name, IssuedTokenScope::Scene)?;
        let hello = [packet::connect(&name.user_client, Some((&name.account, &token)))];
        let mut connection = MqttConnection::enter(&self.server.endpoint(MqttTransport::Tcp)?, &hello)?;
        let (mut scratch, mut sent, mut acknowledged) = (vec![0; limits::READ_BYTES], 0, 0);
        let began = Instant::now();
        while acknowledged < OBJECTS {
            ensure!(began.elapsed() < limits::ENTERING_TIMEOUT, "{acknowledged} of {OBJECTS} objects were stored");
            while sent < OBJECTS && sent - acknowledged < FILL_WINDOW {
                let id = format!("piece-{sent}");
                let topic = format!("realm/s/{ATTACKED}/o/{}/{id}", name.user_client);
                let payload = filled(&id, 0, OBJECT_BYTES);
                sent += 1;
                connection.send(&packet::publish(&topic, payload.as_bytes(), Some(sent)))?;
            }
            connection.flush()?;
            let open = connection.receive(&mut scratch, |packet| {
                acknowledged += u16::from(packet.first() == Some(&packet::PUBACK));
            })?;
            ensure!(open, "the realm ended the connection that fills {ATTACKED}");
            sleep(Duration::from_millis(1));
        }
        request_all(&mut connection, &name)
    }

    /// Starts the realm again, so that it prunes its history. Returns the number of the class's changes that it keeps.
    pub(super) fn kept_history(self) -> Result<u64> {
        let RealmUnderAttack { testbed, mut server, .. } = self;
        server.kill();
        let (server, _) = start_outside(&testbed, topology::REALM, &flags_for(AttackKind::History))?;
        sleep(PRUNING);
        let (owner, address) = (testbed.folder.owner()?, server.http()?);
        let (mut kept, mut before) = (0, String::new());
        loop {
            let path = format!("/api/v1/scenes/{WORKSHOP}/history?limit={HISTORY_PAGE}{before}");
            let page: Value = serde_json::from_slice(&http::get(address, &path, Some(&owner))?)?;
            let entries = page["entries"].as_array().context("a page of the history has entries")?;
            kept += entries.iter().map(|entry| entry["changes"].as_u64().unwrap_or(1)).sum::<u64>();
            match page["next"].as_u64() {
                Some(next) => before = format!("&before={next}"),
                None => return Ok(kept),
            }
        }
    }

    fn add_account(&self, name: &str) -> Result<()> {
        let mut command = Command::new(&self.testbed.stoa);
        command.args(["user", "add", name, "--data"]).arg(self.testbed.folder.path());
        let mut adding = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn()?;
        // Dropping the input ends it.
        writeln!(adding.stdin.take().context("the command has an input")?, "{PASSWORD}")?;
        let status = adding.wait()?;
        ensure!(status.success(), "stoa user add {name}: {status}");
        Ok(())
    }

    /// A guest of a scene. `mark` keeps the names of several groups apart.
    pub(super) fn guest(&self, scene: &str, mark: &str, index: usize) -> Result<ClientCredentials> {
        let name = PersonIdentifiers::called(format!("anonymous-{mark}{index:03}"), index);
        let requester = RoleRequester { name: &name.account, realm_owner: false, guest: true };
        let token = self.testbed.folder.visitor_token(scene, &settings_of(scene), &requester, &name)?;
        Ok(ClientCredentials { name, token })
    }

    /// A client of a hostile account in the attacked scene.
    fn member(&self, index: usize) -> Result<ClientCredentials> {
        let name = PersonIdentifiers::called(account_of(index, MEMBERS), index);
        let requester = RoleRequester { name: &name.account, realm_owner: false, guest: false };
        let token = self.testbed.folder.visitor_token(ATTACKED, &settings_of(ATTACKED), &requester, &name)?;
        Ok(ClientCredentials { name, token })
    }

    /// Guests that send cameras in a scene and receive everyone's, by secure WebSocket from the realm's own address.
    pub(super) fn swarm(&self, scene: &str, mark: &str, people: usize) -> Result<MqttSwarm> {
        let member = |index: usize| {
            let ClientCredentials { name, token } = self.guest(scene, mark, index)?;
            let (topic, filters) = (name.camera_topic_in(scene), name.filters_in(scene));
            Ok(SwarmClientSettings { name, password: Some(token), topic, filters })
        };
        let members = (0..people).map(member).collect::<Result<Vec<_>>>()?;
        MqttSwarm::enter_members(members, SwarmTrafficKind::Cameras, &self.server.endpoint(MqttTransport::Wss)?)
    }

    /// The clients of an attack, not yet connected.
    pub(super) fn hostile_clients(&self, plan: &AttackPlan, tally: &Arc<AttackTotals>) -> Result<Vec<HostileClient>> {
        let sources = plan.topology.sources();
        let sessions = if plan.has_sessions() { self.sign_in(&sources)? } else { vec![String::new()] };
        let client = |(index, from): (usize, &Ipv6Addr)| {
            let visitor = match plan.actor {
                AttackerKind::Guest => self.guest(ATTACKED, "hostile", index)?,
                AttackerKind::Member => self.member(index)?,
            };
            Ok(HostileClient {
                server: self.outside.clone(),
                from: *from,
                index,
                visitor,
                actor: plan.actor,
                session: sessions.get(index % sessions.len()).cloned().unwrap_or_default(),
                account: account_of(index, SESSIONS),
                period: plan.kind.profile().period,
                tally: Arc::clone(tally),
            })
        };
        sources.iter().enumerate().map(client).collect()
    }

    /// Creates the hostile accounts and signs them in. Returns the field with each one's cookie.
    fn sign_in(&self, sources: &[Ipv6Addr]) -> Result<Vec<String>> {
        let from = *sources.first().context("a topology has addresses")?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let session = |index: usize| {
            let account = account_of(index, SESSIONS);
            self.add_account(&account)?;
            runtime.block_on(sign_in(&self.outside, from, &account))
        };
        (0..SESSIONS).map(session).collect()
    }
}

/// Signs an account in; returns the field with its session's cookie.
pub(super) async fn sign_in(server: &EncryptedEndpoints, from: Ipv6Addr, account: &str) -> Result<String> {
    let mut connection = HttpsConnection::open(server, from).await?;
    let body = json!({ "username": account, "password": PASSWORD }).to_string();
    let answer = connection.fetch(&HttpsRequest::post("/api/v1/login", "", &body)).await?;
    // The session's cookie precedes the browser's.
    let cookie = value_of(&answer.head, "set-cookie").and_then(|value| value.split(';').next());
    Ok(format!("Cookie: {}\r\n", cookie.context("a sign-in sets a cookie")?))
}

fn account_of(index: usize, accounts: usize) -> String {
    format!("{MALLORY}-{}", index % accounts)
}

/// The settings that decide a token's rights in a scene, as [`RealmUnderAttack::set_up`] makes the scene.
fn settings_of(scene: &str) -> SceneSettings {
    SceneSettings { public_write: [ATTACKED, WORKSHOP].contains(&scene), ..SceneSettings::default() }
}

/// Requests all objects of the attacked scene. A missing answer is an error, since `getpersist` would attack nothing.
fn request_all(connection: &mut MqttConnection, name: &PersonIdentifiers) -> Result<()> {
    let topic = format!("realm/s/{ATTACKED}/o/{}/any", name.user_client);
    connection.send(&packet::subscribe(1, std::slice::from_ref(&topic), 0))?;
    connection.send(&packet::publish(&topic, GET_PERSIST, None))?;
    connection.flush()?;
    let all = usize::from(OBJECTS) * OBJECT_BYTES;
    let (mut scratch, mut is_answered, began) = (vec![0; limits::READ_BYTES], false, Instant::now());
    while !is_answered {
        ensure!(began.elapsed() < limits::ANSWER_TIMEOUT, "the realm returned no {all} bytes of {ATTACKED}");
        let open = connection.receive(&mut scratch, |packet| {
            is_answered |= packet::payload(packet).is_some_and(|payload| payload.len() > all);
        })?;
        ensure!(open, "the realm ended the connection instead of returning {ATTACKED}");
    }
    Ok(())
}
