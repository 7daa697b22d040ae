//! The bounds of what clients make the realm store.

use crate::ledger::{Bound, Cost, OwnBound, PayerClass, Resource, ResourceBounds};
use crate::limits;

/// All bounds of the realm's ledger.
pub(super) const BOUNDS: [ResourceBounds; 2] = [
    ResourceBounds {
        resource: Resource::StoredBytes,
        class: PayerClass::Guests,
        own: Some(OwnBound {
            per_s: limits::GUEST_STORED_BYTES_PER_S,
            burst: limits::GUEST_STORED_BYTES_BURST,
            of: "bytes a second that one guest stores",
        }),
        shared: Bound::Rate { per_s: limits::GUESTS_STORED_BYTES_PER_S, burst: limits::GUESTS_STORED_BYTES_BURST },
        of: "bytes a second that all guests store",
    },
    ResourceBounds {
        resource: Resource::StoredBytes,
        class: PayerClass::Members,
        own: Some(OwnBound {
            per_s: limits::MEMBER_STORED_BYTES_PER_S,
            burst: limits::MEMBER_STORED_BYTES_BURST,
            of: "bytes a second that one account stores",
        }),
        shared: Bound::Rate { per_s: limits::MEMBERS_STORED_BYTES_PER_S, burst: limits::MEMBERS_STORED_BYTES_BURST },
        of: "bytes a second that all accounts store",
    },
];

/// A number of bytes to store.
pub(super) fn stored(bytes: u64) -> Cost {
    Cost { resource: Resource::StoredBytes, amount: bytes }
}
