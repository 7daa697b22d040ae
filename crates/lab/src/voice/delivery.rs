//! The cost of the units that listeners receive.

use serde::{Deserialize, Serialize};

use crate::limits;

/// The results of one step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct DeliveryCostOutcome {
    pub(super) listeners: usize,
    /// Units that listeners received for the first time, and their share of those that speakers sent or should have.
    pub(super) deliveries: u64,
    pub(super) share: f64,
    /// Mean size of a unit's payload.
    pub(super) payload_bytes: f64,
    /// Shares of one core.
    pub(super) generator_load: f64,
    pub(super) server_load: f64,
    /// Processor time of the server for each delivery.
    pub(super) us_per_delivery: f64,
}

impl DeliveryCostOutcome {
    /// Whether all listeners received all voices, and the generator was not at its limit.
    pub(super) fn is_served(&self, share_min: f64) -> bool {
        self.share >= share_min && self.generator_load <= limits::GENERATOR_LOAD_MAX
    }
}
