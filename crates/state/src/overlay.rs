//! Comtrees: which links carry one scene between servers, and how much of each it may use. Source: Forest ("Performance-Engineered Network Overlays for High Quality
//! Interaction in Virtual Worlds", Haitjema et al.) sections 3.3 to 3.5. Arithmetic alone: lengths of links and limits of servers go in, a tree and its capacities come out.
//!
//! A server is its number, below that of all. Lengths are in whatever unit the caller counts (delay, metres), limits and capacities in whatever rate.
//!
//! All trees grow by one algorithm, [`Comtree::grow`]: the paper's variant of Prim's with a bound on stretch, where 1 yields the shortest-path tree and infinity the minimum
//! spanning tree. petgraph knows no such bound, so it would bring two more algorithms for that one's ends; tests hold those beside petgraph's. Of the paper, the hybrid
//! strategy (a conjecture), capacity limits of the substrate and neighbourhood constraints (its future work) are not here.

mod comtree;
mod links;
mod plan;
mod provision;

pub use self::comtree::Comtree;
pub use self::links::OverlayLinks;
pub use self::plan::{ComtreePlan, PlanRequest};
pub use self::provision::{CoreRouters, LinkCapacity, TrafficLimits};

/// Why there is no tree, or no capacity.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum OverlayError {
    /// The matrix of their links would grow with the square.
    #[error("{got} servers exceed the limit of {max}")]
    TooMany {
        /// So many there are.
        got: usize,
        /// So many there may be.
        max: usize,
    },
    /// Negative, or no number.
    #[error("the link between {one} and {other} has the length {got}")]
    Length {
        /// One end.
        one: usize,
        /// The other.
        other: usize,
        /// What was given for it.
        got: f64,
    },
    /// Not one of them.
    #[error("server {got} of {count}")]
    NoSuchServer {
        /// The number that was given.
        got: usize,
        /// How many there are.
        count: usize,
    },
    /// No links lead there.
    #[error("no way from {from} to {to}")]
    NoWay {
        /// The root.
        from: usize,
        /// Who can't be reached from it.
        to: usize,
    },
    /// Below 1, or no number: nothing is nearer than by the shortest way.
    #[error("a stretch of {got} is below 1")]
    Stretch {
        /// The stretch that was given.
        got: f64,
    },
    /// One is needed for each server, neither negative nor infinite.
    #[error("{got} limits that count for {count} servers")]
    Limits {
        /// Number of valid limits.
        got: usize,
        /// How many there are.
        count: usize,
    },
    /// There was nothing to choose from.
    #[error("no root or no stretch to choose from")]
    NoChoice,
}

#[cfg(test)]
mod tests;
