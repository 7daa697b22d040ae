//! Starts the NATS server with MQTT enabled, without TLS: a second reference for plain TCP.

use std::fs;
use std::net::SocketAddr;

use anyhow::Result;

use super::{RunningServer, Testbed, accepts, await_start, free_port, spawn};
use crate::child::bound;

pub(super) fn start(_stage: &Testbed) -> Result<RunningServer> {
    let folder = tempfile::tempdir()?;
    let (native, port) = (free_port()?, free_port()?);
    let at = folder.path().display();
    // A receiver that falls behind for a moment should stay connected. The default limit of 64 MiB suffices; the
    // default write deadline does not.
    let settings = format!(
        "server_name: lab\nlisten: 127.0.0.1:{native}\nwrite_deadline: \"60s\"\nmax_connections: 20000\n\
         jetstream {{ store_dir: \"{at}\" }}\nmqtt {{ listen: 127.0.0.1:{port} }}\n"
    );
    let file = folder.path().join("nats.conf");
    fs::write(&file, settings)?;
    let mut process = spawn(bound("nats-server").arg("-c").arg(&file))?;
    let plain = SocketAddr::from(([127, 0, 0, 1], port));
    await_start(&mut process, || accepts(plain))?;
    Ok(RunningServer { process, plain, secure: None, http: None, admin: None, config: None, _folder: Some(folder) })
}
