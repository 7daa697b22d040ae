//! The real store: committed changes survive a power loss, and a commit in progress survives whole or not at all.

use std::path::{Path, PathBuf};

use fastrand::Rng;
use sqlx::{ConnectOptions, Connection};
use stoa_server::store::{FILE_NAME, Store};
use stoa_state::grant::SceneSettings;

use crate::changes::{Changes, Content, lobby};
use crate::disk::{Disk, Image, Lie, When};
use crate::vfs;

/// Run more cuts with `STOA_POWER_CUTS=10000 cargo test -p stoa-server --test power_loss`.
fn cuts() -> usize {
    std::env::var("STOA_POWER_CUTS").map_or(150, |text| text.parse().expect("STOA_POWER_CUTS is a number"))
}

/// The power cuts of one run by the state they hit.
#[derive(Debug, Default)]
struct Met {
    /// The commit in progress survived.
    there: usize,
    /// The commit in progress was lost.
    gone: usize,
    /// No commit was in progress: the store was opening, or SQLite folded its log into the database.
    idle: usize,
}

/// One folder through a number of power cuts.
struct Run {
    rng: Rng,
    lie: Option<Lie>,
    root: tempfile::TempDir,
    folders: usize,
    changes: Changes,
    content: Content,
    /// The last epoch issued before the power loss.
    epoch: u64,
    met: Met,
}

impl Run {
    fn new(seed: u64, lie: Option<Lie>) -> Run {
        let mut rng = Rng::with_seed(seed);
        let changes = Changes::new(rng.fork());
        let (root, content) = (tempfile::tempdir().unwrap(), Content::default());
        Run { rng, lie, root, folders: 0, changes, content, epoch: 0, met: Met::default() }
    }

    /// The error describes the lost data.
    async fn go(mut self, cuts: usize) -> Result<Met, String> {
        let mut image = Image::new();
        for cut in 0..cuts {
            let folder = self.furnish(image);
            // From the first writes of a start to far behind several folds of the log. Half of the cuts hit a
            // synchronization, which decides a commit.
            let far = if self.rng.u8(..3) == 0 { 60 } else { 500 };
            let when =
                if self.rng.bool() { When::Step(self.rng.u64(1..far)) } else { When::Sync(self.rng.u64(1..far / 20)) };
            let rng = self.rng.fork();
            vfs::with_disk(&folder, |disk| disk.cut_later(when, rng));
            let outcome = self.until_the_cut(&folder).await;
            vfs::forget(&folder);
            image = outcome.map_err(|lost| format!("cut {cut}: {lost}"))?;
        }
        Ok(self.met)
    }

    /// The next folder, with the last disk's content. A new folder each time, because the old store's threads may
    /// still run.
    fn furnish(&mut self, image: Image) -> PathBuf {
        self.folders += 1;
        let folder = self.root.path().join(self.folders.to_string());
        std::fs::create_dir(&folder).unwrap();
        let moved = |(path, bytes): (PathBuf, Vec<u8>)| (folder.join(path.file_name().unwrap()), bytes);
        let image: Image = image.into_iter().map(moved).collect();
        for (path, bytes) in &image {
            std::fs::write(path, bytes).unwrap();
        }
        vfs::watch(&folder, Disk::holding(image, self.lie));
        folder
    }

    async fn until_the_cut(&mut self, folder: &Path) -> Result<Image, String> {
        let store = Store::open(folder).await.map_err(|error| error.to_string())?;
        let found = Content::of(&store).await;
        if found != self.content {
            return Err(format!("{found:?}, should be {:?}", self.content));
        }
        let epoch = store.next_epoch().await.unwrap();
        if epoch <= self.epoch {
            return Err(format!("epoch {epoch} was there before"));
        }
        // Creating a scene opens it.
        let opened = store.make_scene(&lobby(), &SceneSettings::default()).await.unwrap();
        self.changes.epoch = opened.unwrap_or(epoch);
        if !vfs::with_disk(folder, |disk| disk.has_image()) {
            self.epoch = self.changes.epoch;
        }
        loop {
            if let Some(image) = vfs::with_disk(folder, Disk::take_image) {
                self.met.idle += 1;
                return Ok(image);
            }
            let (writes, after) = self.changes.batch(&self.content);
            store.append(writes).await.unwrap();
            if let Some(image) = vfs::with_disk(folder, Disk::take_image) {
                self.decide(&image, after).await?;
                return Ok(image);
            }
            self.content = after;
            if self.rng.u8(..4) == 0 {
                assert_eq!(Content::of(&store).await, self.content, "what was written is read back");
            }
            if self.rng.u8(..10) == 0 {
                fold_log(folder).await;
            }
        }
    }

    /// After a power loss during a commit, either outcome is right; continue with the one on disk.
    async fn decide(&mut self, image: &Image, after: Content) -> Result<(), String> {
        let folder = self.furnish(image.clone());
        let store = Store::open(&folder).await.map_err(|error| error.to_string())?;
        let found = Content::of(&store).await;
        vfs::forget(&folder);
        if found == after {
            (self.content, self.met.there) = (after, self.met.there + 1);
        } else if found == self.content {
            self.met.gone += 1;
        } else {
            return Err(format!("{found:?}, should be {:?} or {after:?}", self.content));
        }
        Ok(())
    }
}

/// Checkpoints the log, as SQLite does by itself when the log is long.
async fn fold_log(folder: &Path) {
    let options =
        sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join(FILE_NAME)).disable_statement_logging();
    let mut connection = options.connect().await.unwrap();
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn commits_survive_power_loss_and_unfinished_ones_are_atomic() {
    let met = Run::new(8_123, None).go(cuts()).await.unwrap_or_else(|lost| panic!("{lost}"));
    assert!(met.there > 5 && met.gone > 10 && met.idle > 10, "the cuts met all there is: {met:?}");
}

#[tokio::test]
async fn data_loss_is_detected_in_a_store_that_does_not_sync() {
    for lie in [Lie::Nothing, Lie::NoLog] {
        let lost = Run::new(8_123, Some(lie)).go(cuts()).await;
        assert!(lost.is_err(), "negative control: {lie:?}: {lost:?}");
    }
}
