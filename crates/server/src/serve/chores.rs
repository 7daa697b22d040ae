//! Periodic work: renews the local token and the certificates, prunes history, returns free space of the database, and
//! removes expired tokens, motion tickets, invitations and restrictions.

use std::sync::Arc;

use stoa_net::shutdown::ShutdownSignal;
use stoa_state::grant;
use stoa_state::time::UnixSeconds;
use tokio::time::{Duration, Instant, interval_at};

use super::ServeError;
use crate::app::App;
use crate::config::host_names;
use crate::identity::claims;
use crate::limits;
use crate::os::{clock, private_file};
use crate::scenes::expiry;
use crate::store::{HistoryRetention, Store};
use crate::tls::{RenewableCertificate, ShortLivedCertificates};

/// Runs until `shutdown`. A failed chore is logged and retried in its next period.
pub(super) async fn run(
    app: App,
    certificates: (Arc<RenewableCertificate>, Arc<ShortLivedCertificates>),
    shutdown: ShutdownSignal,
) {
    // Expiry changes settings scene by scene, perhaps behind a long import, so it has a loop of its own. Pruning has
    // one too, because it takes long after a flood.
    tokio::join!(
        keep_doors(&app, shutdown.clone()),
        keep_history(&app, shutdown.clone()),
        keep_the_rest(&app, certificates, shutdown)
    );
}

async fn keep_doors(app: &App, mut shutdown: ShutdownSignal) {
    let mut doors = every(limits::DOORS_PERIOD);
    loop {
        tokio::select! {
            () = shutdown.wait() => return,
            _ = doors.tick() => {
                if let Err(error) = expiry::end_what_is_over(&app.realm, &app.registrar).await {
                    tracing::error!(%error, "expired invitations and restrictions could not be removed");
                }
            }
        }
    }
}

async fn keep_history(app: &App, mut shutdown: ShutdownSignal) {
    tokio::select! {
        () = shutdown.wait() => {}
        () = prune_and_shrink(&app.store, app.config.history) => {}
    }
}

/// Prunes history periodically and after it has grown, and returns free space of the database to the file system.
async fn prune_and_shrink(store: &Store, keep: HistoryRetention) {
    let mut pruning = every(limits::PRUNE_PERIOD);
    let mut shrinking = every(limits::SHRINK_PERIOD);
    loop {
        let is_pruning = tokio::select! {
            _ = pruning.tick() => true,
            () = store.log_grown() => true,
            _ = shrinking.tick() => false,
        };
        if is_pruning && let Err(error) = store.prune(keep, clock::unix_now()).await {
            tracing::error!(%error, "old history could not be removed");
        }
        loop {
            match store.shrink().await {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    tracing::error!(%error, "the database's free space could not be returned to the disk");
                    break;
                }
            }
        }
    }
}

async fn keep_the_rest(
    app: &App,
    certificates: (Arc<RenewableCertificate>, Arc<ShortLivedCertificates>),
    mut shutdown: ShutdownSignal,
) {
    let (certificate, short_lived) = certificates;
    let mut token = every(limits::RUN_TOKEN_PERIOD);
    let mut renewal = every(limits::CERT_CHECK_PERIOD);
    let mut pruning = every(limits::PRUNE_PERIOD);
    let mut sweeping = every(limits::MOTION_REPORT_PERIOD);
    loop {
        tokio::select! {
            () = shutdown.wait() => return,
            _ = token.tick() => {
                if let Err(error) = write_run_token(app).await {
                    tracing::error!(%error, "the local token could not be renewed");
                }
            }
            _ = sweeping.tick() => {
                for grant in app.motion.sweep() {
                    // An error means that the realm has ended, and all motion grants with it.
                    let _ = app.realm.end_motion_grant(grant).await;
                }
            }
            _ = renewal.tick() => renew(app, &certificate, &short_lived),
            _ = pruning.tick() => {
                let now = clock::unix_now();
                let remembered = UnixSeconds(now.0.saturating_sub(limits::INVITATION_REMEMBERED.as_secs()));
                if let Err(error) = app.store.forget_ended_links(remembered, now).await {
                    tracing::error!(%error, "expired invitations could not be removed");
                }
                if let Err(error) = app.store.forget_tokens(clock::unix_now()).await {
                    tracing::error!(%error, "expired tokens could not be removed");
                }
            }
        }
    }
}

/// Writes `run/token`, an owner's token for scripts on this machine.
pub(super) async fn write_run_token(app: &App) -> Result<(), ServeError> {
    let claims = claims::of_realm_owner(grant::LOCAL_OWNER, limits::RUN_TOKEN_TTL.as_secs());
    let token = app.keys.issue(&claims)?;
    app.store.record_token(&claims).await?;
    let path = app.config.run_dir().join("token");
    private_file::write(&path, &token).map_err(|source| ServeError::Folder { path, source })
}

fn renew(app: &App, certificate: &RenewableCertificate, short_lived: &ShortLivedCertificates) {
    match short_lived.renew(clock::unix_now()) {
        Ok(true) => tracing::info!("a new certificate for WebTransport was made"),
        Ok(false) => {}
        Err(error) => tracing::error!(%error, "no new certificate for WebTransport could be made"),
    }
    match certificate.renew(&host_names::host_names(&app.config)) {
        Ok(true) => tracing::info!("the certificate was renewed"),
        Ok(false) => {}
        Err(error) => tracing::error!(%error, "the certificate could not be renewed"),
    }
}

fn every(period: Duration) -> tokio::time::Interval {
    interval_at(Instant::now() + period, period)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use stoa_state::grant::SceneSettings;
    use stoa_state::realm::StoreWrite;
    use stoa_state::scene::{PendingLogEntry, ReplacedState, StoredObjectEffect, UnixMillis};
    use stoa_state::time::Time;
    use stoa_wire::topic::SceneName;
    use tokio::time::timeout;

    use super::*;
    use crate::store::{FILE_NAME, HistoryQuery};

    #[tokio::test]
    async fn grown_history_is_pruned_and_the_database_file_shrinks() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).await.unwrap();
        let lobby: SceneName = "public/lobby".parse().unwrap();
        store.make_scene(&lobby, &SceneSettings::default()).await.unwrap();
        let deletion = |revision: u64| PendingLogEntry {
            scene: lobby.clone(),
            epoch: 1,
            revision,
            at: Time::ZERO,
            unix_at: UnixMillis(clock::unix_now().0 * 1_000),
            author: "alice".into(),
            object_id: format!("box{revision}"),
            kind: StoredObjectEffect::Delete { descendants: Vec::new() },
            patch: json!({"text": "x".repeat(1 << 20)}),
            before: Box::new(ReplacedState::Objects(Vec::new())),
            guest_name: None,
        };
        let entries = limits::LOG_GROWTH_BYTES >> 20;
        store.append((1..=entries).map(|revision| StoreWrite::Change(deletion(revision))).collect()).await.unwrap();
        let file = dir.path().join(FILE_NAME);
        let file_bytes = || file.metadata().unwrap().len();
        assert!(file_bytes() > limits::LOG_GROWTH_BYTES, "negative control");
        let returned = async {
            while file_bytes() > 4 << 20 {
                tokio::task::yield_now().await;
            }
        };
        let keep = HistoryRetention { age: Duration::MAX, bytes: 1 << 20 };
        tokio::select! {
            () = prune_and_shrink(&store, keep) => unreachable!("chores have no end"),
            returned = timeout(Duration::from_secs(10), returned) => returned.expect("the file becomes smaller"),
        }
        let page = store.history(&lobby, &HistoryQuery { entries_max: 9, ..HistoryQuery::default() }).await.unwrap();
        assert!(page.unwrap().entries.len() <= 1);
    }
}
