//! A disk's content after a power loss: everything synchronized, and of the rest a random part, in whole or torn
//! sectors.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fastrand::Rng;

/// Bytes that a disk writes at once.
const SECTOR_BYTES: usize = 512;

/// A file's bytes.
#[derive(Clone, Debug, Default)]
struct Inode {
    synced: Vec<u8>,
    /// Changes since the last synchronization, in order.
    unsynced: Vec<Change>,
}

#[derive(Clone, Debug)]
enum Change {
    Write { offset: usize, bytes: Vec<u8> },
    Truncate(usize),
}

/// A name in a folder: its file, and its file on disk if the folder was not synchronized since.
#[derive(Clone, Debug, Default)]
struct Name {
    present: Option<Inode>,
    /// `None` if the folder is synchronized.
    before: Option<Option<Inode>>,
}

/// A disk that ignores synchronizations. The tests must notice it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lie {
    /// Ignores all, as with `synchronous=OFF`.
    Nothing,
    /// Ignores those of the log, as with `synchronous=NORMAL`.
    NoLog,
}

/// The files of one folder after a power loss.
pub(crate) type Image = BTreeMap<PathBuf, Vec<u8>>;

/// The moment of the power loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// After this number of steps. An opened file, a write, a synchronization and a removal are one step each.
    Step(u64),
    /// At this synchronization, before it is done.
    Sync(u64),
}

/// One folder's disk.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    names: BTreeMap<PathBuf, Name>,
    lie: Option<Lie>,
    plan: Option<(When, Rng)>,
    image: Option<Image>,
}

impl Disk {
    /// A disk on which everything written so far is safe.
    pub(crate) fn holding(image: Image, lie: Option<Lie>) -> Disk {
        let settled = |synced| Name { present: Some(Inode { synced, unsynced: Vec::new() }), before: None };
        let names = image.into_iter().map(|(path, bytes)| (path, settled(bytes))).collect();
        Disk { names, lie, ..Disk::default() }
    }

    /// Schedules a power loss.
    pub(crate) fn cut_later(&mut self, when: When, rng: Rng) {
        (self.plan, self.image) = (Some((when, rng)), None);
    }

    /// Whether the power loss happened.
    pub(crate) fn has_image(&self) -> bool {
        self.image.is_some()
    }

    /// The disk's content at the power loss, if it happened.
    pub(crate) fn take_image(&mut self) -> Option<Image> {
        self.image.take()
    }

    pub(crate) fn open(&mut self, path: &Path) {
        self.step(false);
        let name = self.names.entry(path.to_owned()).or_default();
        if name.present.is_none() {
            name.present = Some(Inode::default());
            name.before.get_or_insert(None);
        }
    }

    /// The power loss may happen during the write, so that a part of it is on disk.
    pub(crate) fn write(&mut self, path: &Path, offset: usize, bytes: &[u8]) {
        self.change(path, Change::Write { offset, bytes: bytes.to_owned() });
    }

    pub(crate) fn truncate(&mut self, path: &Path, size: usize) {
        self.change(path, Change::Truncate(size));
    }

    fn change(&mut self, path: &Path, change: Change) {
        if let Some(inode) = self.names.get_mut(path).and_then(|name| name.present.as_mut()) {
            inode.unsynced.push(change);
        }
        self.step(false);
    }

    /// With `folder`, also the names in its folder.
    pub(crate) fn sync(&mut self, path: &Path, folder: bool) {
        self.step(true);
        let is_log = path.to_string_lossy().ends_with("-wal");
        if self.lie == Some(Lie::Nothing) || (self.lie == Some(Lie::NoLog) && is_log) {
            return;
        }
        if let Some(inode) = self.names.get_mut(path).and_then(|name| name.present.as_mut()) {
            for change in std::mem::take(&mut inode.unsynced) {
                change.apply(&mut inode.synced);
            }
        }
        if folder {
            self.sync_names();
        }
    }

    pub(crate) fn remove(&mut self, path: &Path, folder: bool) {
        self.step(false);
        if let Some(name) = self.names.get_mut(path) {
            let gone = name.present.take();
            name.before.get_or_insert(gone);
        }
        if folder && self.lie != Some(Lie::Nothing) {
            self.sync_names();
        }
    }

    fn sync_names(&mut self) {
        self.names.values_mut().for_each(|name| name.before = None);
    }

    fn step(&mut self, is_sync: bool) {
        let (left, counts) = match &mut self.plan {
            Some((When::Step(left), _)) => (left, true),
            Some((When::Sync(left), _)) => (left, is_sync),
            None => return,
        };
        *left = left.saturating_sub(u64::from(counts));
        if *left == 0 {
            let (_, mut rng) = self.plan.take().expect("was just looked at");
            self.image = Some(self.cut(&mut rng));
        }
    }

    /// The content left if the power is lost now.
    pub(crate) fn cut(&self, rng: &mut Rng) -> Image {
        // An idle disk has written everything and a busy one nothing; most are in between.
        let kept = [0.0, 1.0, rng.f64()][rng.usize(..3)];
        let torn = [0.0, 0.0, rng.f64() / 8.0][rng.usize(..3)];
        let left = |(path, name): (&PathBuf, &Name)| {
            let inode = match &name.before {
                Some(before) if rng.bool() => before.as_ref(),
                _ => name.present.as_ref(),
            };
            Some((path.clone(), inode?.left((kept, torn), rng)))
        };
        self.names.iter().filter_map(left).collect()
    }
}

impl Inode {
    /// Applies each unsynchronized sector with probability `kept`, and tears it with probability `torn`.
    fn left(&self, (kept, torn): (f64, f64), rng: &mut Rng) -> Vec<u8> {
        let mut bytes = self.synced.clone();
        for change in &self.unsynced {
            match change {
                Change::Truncate(_) if rng.f64() < kept => change.apply(&mut bytes),
                Change::Truncate(_) => {}
                Change::Write { offset, bytes: written } => {
                    for (at, sector) in sectors(*offset, written) {
                        let whole = rng.f64() < kept;
                        let length = if rng.f64() < torn { rng.usize(..sector.len()) } else { sector.len() };
                        if whole {
                            Change::Write { offset: at, bytes: sector[..length].to_owned() }.apply(&mut bytes);
                        }
                    }
                }
            }
        }
        bytes
    }
}

impl Change {
    fn apply(&self, file: &mut Vec<u8>) {
        match self {
            Change::Truncate(size) => file.resize((*size).min(file.len()), 0),
            Change::Write { offset, bytes } => {
                let end = offset + bytes.len();
                if file.len() < end {
                    file.resize(end, 0);
                }
                file[*offset..end].copy_from_slice(bytes);
            }
        }
    }
}

/// The pieces of a write by sector, each with its offset.
fn sectors(offset: usize, bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut begin = 0;
    std::iter::from_fn(move || {
        let at = offset + begin;
        let length = (SECTOR_BYTES - at % SECTOR_BYTES).min(bytes.len() - begin);
        let piece = (length > 0).then(|| (at, &bytes[begin..begin + length]));
        begin += length;
        piece
    })
}

#[test]
fn synced_bytes_survive_a_power_cut_and_unsynced_sectors_may_be_lost() {
    let (path, mut rng) = (PathBuf::from("/folder/file"), Rng::with_seed(1));
    let mut disk = Disk::default();
    disk.open(&path);
    disk.write(&path, 0, &[1; 2_000]);
    disk.sync(&path, true);
    disk.write(&path, 1_000, &[2; 1_000]);
    let images: Vec<Vec<u8>> = (0..1_000).map(|_| disk.cut(&mut rng)[&path].clone()).collect();
    assert!(images.iter().all(|bytes| bytes.len() == 2_000 && bytes[..1_000] == [1; 1_000]));
    assert!(images.iter().any(|bytes| bytes[1_000..] == [1; 1_000]), "all of the later write is lost");
    assert!(images.iter().any(|bytes| bytes[1_000..] == [2; 1_000]), "none of it is");
    assert!(images.iter().any(|bytes| bytes[1_024] == 1 && bytes[1_999] == 2), "a sector is lost");
    assert!(images.iter().any(|bytes| bytes[1_024] == 2 && bytes[1_535] == 1), "a sector is torn");
}

#[test]
fn a_created_or_removed_file_is_certain_only_after_its_folder_is_synced() {
    let (path, mut rng) = (PathBuf::from("/folder/file"), Rng::with_seed(1));
    let mut is_there = |disk: &Disk| (0..100).filter(|_| disk.cut(&mut rng).contains_key(&path)).count();
    let mut disk = Disk::default();
    disk.open(&path);
    disk.sync(&path, false);
    assert!((1..100).contains(&is_there(&disk)), "made");
    disk.sync(&path, true);
    assert_eq!(is_there(&disk), 100);
    disk.remove(&path, false);
    assert!((1..100).contains(&is_there(&disk)), "removed");
    disk.open(&path);
    assert_eq!(is_there(&disk), 100, "the old one or the new one");
    disk.remove(&path, true);
    assert_eq!(is_there(&disk), 0);
}
