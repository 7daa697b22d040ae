//! Bounds the bytes of each namespace once the database is half full, so that no account fills the database with the
//! objects of its scenes.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::SceneName;

use super::DatabaseSize;
use super::scenes::HostedScene;
use crate::grant::PUBLIC;
use crate::ledger::{UseAndWeight, water_level};
use crate::limits;
use crate::time::Time;

/// The namespaces that may store no more, counted from time to time.
#[derive(Debug, Default)]
pub(super) struct NamespaceStorageLimiter {
    above: BTreeSet<String>,
    /// Bytes that each namespace may store.
    level: u64,
    counted_at: Option<Time>,
}

impl NamespaceStorageLimiter {
    /// Whether scenes of a namespace may store more. Errors: [`Reason::NotStored`] with its share.
    pub(super) fn check(&self, namespace: &str) -> Result<(), Refusal> {
        if !self.above.contains(namespace) {
            return Ok(());
        }
        let most = usize::try_from(self.level >> 20).unwrap_or(usize::MAX);
        Err(Refusal::beyond(Reason::NotStored, most, "MiB of objects in the scenes of one account"))
    }

    /// Handles a new size of the database. Below half of the ceiling no namespace is refused. Above it, the objects of
    /// all namespaces may have as many bytes as half of the ceiling, and the largest namespaces are refused first.
    /// `public` is exempt: only the realm's owner makes scenes there.
    pub(super) fn handle_size(&mut self, size: DatabaseSize, scenes: &BTreeMap<SceneName, HostedScene>, now: Time) {
        let shared = size.bytes_max / 10 * limits::SHARED_DATABASE_TENTHS;
        if size.bytes < shared {
            *self = NamespaceStorageLimiter::default();
            return;
        }
        if self.counted_at.is_some_and(|counted| now < counted + limits::NAMESPACES_COUNTED_PERIOD) {
            return;
        }
        self.counted_at = Some(now);
        let mut stored = BTreeMap::<&str, u64>::new();
        for (name, hosted) in scenes.iter().filter(|(name, _)| name.namespace() != PUBLIC) {
            *stored.entry(name.namespace()).or_default() += hosted.scene.stored_bytes() as u64;
        }
        let mut uses: Vec<UseAndWeight> =
            stored.values().map(|bytes| UseAndWeight { amount: *bytes, weight: 1 }).collect();
        self.level = water_level(&mut uses, shared);
        self.above =
            stored.into_iter().filter(|(_, bytes)| *bytes > self.level).map(|(name, _)| String::from(name)).collect();
    }
}
