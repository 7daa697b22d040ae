//! Starts the release binary of this project, and issues the tokens of its clients. Every client has its own token, and
//! the server really checks its rights.

use std::fs;
use std::net::{Ipv6Addr, SocketAddr};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result};
use rustls::ClientConfig;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use serde_json::Value;
use stoa_server::claims;
use stoa_server::tokens::TokenAuthority;
use stoa_state::grant::{self, Claims, Role, RoleRequester, SceneSettings, TokenFilterInput, TokenIds};
use stoa_wire::topic::SceneName;

use super::motion::MotionOptions;
use super::{RunningServer, Testbed, await_start, spawn};
use crate::child::bound;
use crate::load::person::{PersonIdentifiers, SCENE};
use crate::load::secure;

/// Lifetime of the tokens: longer than any run.
const TOKEN_TTL_S: u64 = 86_400;
/// Files and connections that an attacked server may have open at once: a common hard limit of a shell.
const OPEN_FILES: u32 = 4_096;

/// The rights in a client's token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IssuedTokenScope {
    /// The filters that ARENA's account service lists for an editor of a scene.
    Scene,
    /// The single filter `#`.
    Everything,
}

/// A temporary data folder of a realm.
pub(crate) struct RealmFolder {
    folder: tempfile::TempDir,
    keys: TokenAuthority,
}

impl RealmFolder {
    pub(crate) fn new() -> Result<RealmFolder> {
        RealmFolder::below(&std::env::temp_dir())
    }

    /// Creates a data folder on the disk of `parent`.
    pub(crate) fn below(parent: &Path) -> Result<RealmFolder> {
        let folder = tempfile::Builder::new().prefix("stoa-lab-").tempdir_in(parent)?;
        let keys = TokenAuthority::load_or_create(folder.path())?;
        Ok(RealmFolder { folder, keys })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn token(&self, name: &PersonIdentifiers, rights: IssuedTokenScope) -> Result<String> {
        self.token_in(SCENE, name, rights)
    }

    /// Like [`RealmFolder::token`], for another scene.
    pub(crate) fn token_in(&self, scene: &str, name: &PersonIdentifiers, rights: IssuedTokenScope) -> Result<String> {
        let scene: SceneName = scene.parse().ok().context("the scene has a name")?;
        let ids = TokenIds::person(name.user_client.clone(), name.id_tag.clone());
        let listed = grant::filters(&TokenFilterInput {
            scene: &scene,
            settings: &SceneSettings::default(),
            account: &RoleRequester { name: &name.account, realm_owner: false, guest: false },
            role: Role::Editor,
            ids: &ids,
        });
        let filters = if rights == IssuedTokenScope::Scene { listed } else { grant::realm_filters() };
        let claims = Claims {
            user_client: ids.user_client.clone(),
            user_id: ids.id_tag.clone(),
            scene: Some(scene.clone()),
            role: Some(Role::Editor),
            by_realm: true,
            ..claims::new(&name.account, filters, TOKEN_TTL_S)
        };
        Ok(self.keys.issue(&claims)?)
    }

    /// A token as the realm issues it to a guest or an account, whose rights come from the scene's settings alone.
    pub(crate) fn visitor_token(
        &self,
        scene: &str,
        settings: &SceneSettings,
        requester: &RoleRequester<'_>,
        name: &PersonIdentifiers,
    ) -> Result<String> {
        let scene: SceneName = scene.parse().ok().context("the scene has a name")?;
        let role = grant::role_of(&scene, settings, requester).context("the scene admits the visitor")?;
        let ids = TokenIds::person(name.user_client.clone(), name.id_tag.clone());
        let filters =
            grant::filters(&TokenFilterInput { scene: &scene, settings, account: requester, role, ids: &ids });
        let claims = Claims {
            user_client: ids.user_client,
            user_id: ids.id_tag,
            scene: Some(scene),
            role: Some(role),
            guest: requester.guest,
            ..claims::new(&name.account, filters, TOKEN_TTL_S)
        };
        Ok(self.keys.issue(&claims)?)
    }

    /// The owner's token for local scripts, which exists while a realm runs.
    pub(crate) fn owner(&self) -> Result<String> {
        let file = self.path().join("run/token");
        Ok(fs::read_to_string(file).context("the owner's token")?.trim().to_owned())
    }

    /// Copies the realm's certificate; false if there is none yet.
    pub(super) fn copy_certificate(&self, to: &Path) -> Result<bool> {
        let tls = self.path().join("tls");
        if !tls.join("cert.pem").exists() {
            return Ok(false);
        }
        for file in ["cert.pem", "key.pem"] {
            fs::copy(tls.join(file), to.join(file))?;
        }
        Ok(true)
    }

    pub(crate) fn client_config(&self) -> Result<Arc<ClientConfig>> {
        let ca = CertificateDer::from_pem_file(self.path().join("tls/ca.pem")).context("the realm's authority")?;
        secure::client_config(ca)
    }
}

pub(super) fn start(testbed: &Testbed) -> Result<RunningServer> {
    start_in(&testbed.stoa, &testbed.folder)
}

pub(crate) fn start_in(stoa: &Path, folder: &RealmFolder) -> Result<RunningServer> {
    Ok(start_as(bound(stoa), folder, &[])?.0)
}

/// Starts the binary with its encrypted endpoints on this address, for clients that are not on loopback, and with at
/// most [`OPEN_FILES`]. Returns the address of MQTT over TLS too.
pub(crate) fn start_outside(testbed: &Testbed, host: Ipv6Addr, more: &[String]) -> Result<(RunningServer, SocketAddr)> {
    let outside = SocketAddr::from((host, 0));
    let flags = [format!("--https={outside}"), format!("--mqtts={outside}")];
    let flags: Vec<String> = flags.into_iter().chain(more.iter().cloned()).collect();
    let mut command = bound("prlimit");
    command.arg(format!("--nofile={OPEN_FILES}")).arg(&testbed.stoa);
    let (running, ports) = start_as(command, &testbed.folder, &flags)?;
    let mqtts = ports["mqtts"].as_str().and_then(|text| text.parse().ok()).context("no address of MQTT over TLS")?;
    Ok((running, mqtts))
}

/// Starts the binary; returns the address of its motion plane too.
pub(super) fn start_with_motion(testbed: &Testbed, options: &MotionOptions) -> Result<(RunningServer, SocketAddr)> {
    let MotionOptions { policy, bytes_per_s, serving, .. } = options;
    let mut more = vec![format!("--motion-policy={policy}"), format!("--motion-bytes-per-s={bytes_per_s}")];
    more.extend(serving.as_ref().map(|way| format!("--motion-serving={way}")));
    let (running, ports) = start_as(bound(&testbed.stoa), &testbed.folder, &more)?;
    let motion =
        ports["motion"].as_str().and_then(|text| text.parse().ok()).context("no address of the motion plane")?;
    Ok((running, motion))
}

fn start_as(mut command: Command, folder: &RealmFolder, more: &[String]) -> Result<(RunningServer, Value)> {
    let file = folder.path().join("run/ports.json");
    let _ = fs::remove_file(&file);
    command.arg("serve").arg("--data").arg(folder.path()).arg("--no-open");
    for flag in ["--https", "--http", "--mqtt", "--mqtts", "--admin", "--motion"] {
        if !more.iter().any(|other| other.split('=').next() == Some(flag)) {
            command.args([flag, "127.0.0.1:0"]);
        }
    }
    command.args(more);
    let mut process = spawn(command.env("RUST_LOG", "error"))?;
    let ports: Value = await_start(&mut process, || serde_json::from_str(&fs::read_to_string(&file).ok()?).ok())?;
    let address = |flag: &str| ports[flag].as_str().and_then(|text| text.parse::<SocketAddr>().ok());
    let running = RunningServer {
        process,
        plain: address("mqtt").context("no MQTT address")?,
        secure: address("https").map(|address| (address, "/mqtt/")),
        http: address("http"),
        admin: address("admin"),
        config: folder.client_config().ok(),
        _folder: None,
    };
    Ok((running, ports))
}
