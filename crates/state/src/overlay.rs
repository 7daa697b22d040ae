//! Comtrees: the links that carry one scene between servers, and the capacity needed on each. Source: Forest
//! ("Performance-Engineered Network Overlays for High Quality Interaction in Virtual Worlds", Haitjema et al.)
//! sections 3.3 to 3.5. Pure arithmetic from link lengths and traffic limits to a tree and its capacities.
//!
//! Servers are numbered from 0. Lengths may have any unit (delay, metres), limits and capacities any rate.
//!
//! All trees grow by [`Comtree::grow`], the paper's variant of Prim's algorithm with a bound on stretch: 1 yields
//! the shortest-path tree, infinity the minimum spanning tree. petgraph has no such bound, so it would add two more
//! algorithms for these two cases; the tests compare the results with petgraph's. Not implemented are the paper's
//! hybrid strategy (a conjecture), capacity limits of the substrate and neighbourhood constraints (its future work).

mod comtree;
mod links;
mod plan;
mod provision;

pub use self::comtree::Comtree;
pub use self::links::OverlayLinkMatrix;
pub use self::plan::{ComtreePlan, PlanRequest};
pub use self::provision::{CoreRouters, LinkCapacity, ServerTrafficLimits};

/// The reason for a missing tree or capacity.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum OverlayPlanError {
    /// Too many servers: the link matrix grows with the square.
    #[error("{got} servers exceed the limit of {max}")]
    TooMany {
        /// Number of servers.
        got: usize,
        /// Largest number.
        max: usize,
    },
    /// A negative length, or not a number.
    #[error("length of the link between {one} and {other} must be at least 0, got {got}")]
    Length {
        /// One end of the link.
        one: usize,
        /// The other end.
        other: usize,
        /// The given length.
        got: f64,
    },
    /// No server has this number.
    #[error("server {got} does not exist among {count} servers")]
    NoSuchServer {
        /// The given number.
        got: usize,
        /// Number of servers.
        count: usize,
    },
    /// The servers are not connected.
    #[error("no path from {from} to {to}")]
    NoWay {
        /// The root.
        from: usize,
        /// The unreachable server.
        to: usize,
    },
    /// A stretch below 1, or not a number: no path is shorter than the shortest.
    #[error("stretch must be at least 1, got {got}")]
    Stretch {
        /// The given stretch.
        got: f64,
    },
    /// Each server needs limits that are finite and not negative.
    #[error("{count} servers need as many valid limits, got {got}")]
    Limits {
        /// Number of valid limits.
        got: usize,
        /// Number of servers.
        count: usize,
    },
    /// The request offers no root or no stretch.
    #[error("at least one root and one stretch are required")]
    NoChoice,
}

#[cfg(test)]
mod tests;
