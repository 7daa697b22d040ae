//! The number of file descriptors of this process, and of the connections they allow. Fewer connections than
//! descriptors are allowed, so that the database and the pages have descriptors, unless the system's limit is tiny.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use stoa_net::limits::{CONNECTIONS_KEPT_PART, CONNECTIONS_MAX};

use crate::limits;

/// Raises this process's soft limit to the hard limit, which needs no privilege.
pub fn raise() {
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        let raised = Rlimit { current: limit.maximum, ..limit };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            tracing::warn!(%error, "the limit of open files stays as it is");
        }
    }
}

/// Number of descriptors that this process may open.
pub fn allowed() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// Splits the connections into those reserved for each of `listeners` and those shared. Returns (reserved,
/// shared). Warns if there are fewer than [`CONNECTIONS_MAX`].
pub fn connection_counts(listeners: usize, descriptors: u64) -> (usize, usize) {
    let all = connections_of(descriptors);
    if all < CONNECTIONS_MAX {
        tracing::warn!(
            open_files = descriptors,
            connections = all,
            "fewer connections than {CONNECTIONS_MAX} fit under the limit of open files: raise ulimit -n"
        );
    }
    divided(listeners, all)
}

fn connections_of(descriptors: u64) -> usize {
    let left = usize::try_from(descriptors.saturating_sub(limits::DESCRIPTORS_KEPT)).unwrap_or(usize::MAX);
    left.clamp(CONNECTIONS_KEPT_PART, CONNECTIONS_MAX)
}

fn divided(listeners: usize, all: usize) -> (usize, usize) {
    let own = all / CONNECTIONS_KEPT_PART;
    (own, all - listeners * own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listeners_together_leave_the_reserved_descriptors_free() {
        for descriptors in [1_024, 4_096, 1 << 20] {
            let (own, shared) = divided(4, connections_of(descriptors));
            let all = 4 * own + shared;
            assert!(all as u64 + limits::DESCRIPTORS_KEPT <= descriptors, "{descriptors}: {all}");
        }
        assert_eq!(divided(4, connections_of(0)), (1, 12), "a realm with next to nothing still answers");
        let (own, shared) = divided(4, connections_of(1 << 20));
        assert!(own + shared > 10_000 && own >= 1_000, "one listener has room for a crowd: {own} {shared}");
    }
}
