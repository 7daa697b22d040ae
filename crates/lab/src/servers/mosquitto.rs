//! Starts Eclipse Mosquitto, tuned for this load: no persistence, no log, no Nagle delay, no statistics.

use std::fs;
use std::net::SocketAddr;

use anyhow::Result;

use super::{RunningServer, Testbed, accepts, await_start, free_port, spawn};
use crate::child::bound;

pub(super) fn start(testbed: &Testbed) -> Result<RunningServer> {
    let folder = tempfile::tempdir()?;
    let (plain, secure) = (free_port()?, free_port()?);
    let tls = testbed.folder.copy_certificate(folder.path())?;
    let mut settings = format!(
        "user root\npersistence false\nlog_type none\nsys_interval 0\nallow_anonymous true\nset_tcp_nodelay true\n\
         max_queued_messages 0\nmax_inflight_messages 0\nlistener {plain} 127.0.0.1\n"
    );
    if tls {
        let at = folder.path().display();
        settings += &format!(
            "listener {secure} 127.0.0.1\nprotocol websockets\ncertfile {at}/cert.pem\nkeyfile {at}/key.pem\n"
        );
    }
    let file = folder.path().join("mosquitto.conf");
    fs::write(&file, settings)?;
    let mut process = spawn(bound("mosquitto").arg("-c").arg(&file))?;
    let plain = SocketAddr::from(([127, 0, 0, 1], plain));
    let secure = tls.then(|| (SocketAddr::from(([127, 0, 0, 1], secure)), "/mqtt"));
    await_start(&mut process, || {
        accepts(plain).filter(|()| secure.is_none_or(|(address, _)| accepts(address).is_some()))
    })?;
    Ok(RunningServer {
        process,
        plain,
        secure,
        http: None,
        admin: None,
        config: testbed.folder.client_config().ok(),
        _folder: Some(folder),
    })
}
