//! The bounds of the costs that clients cause: bytes to store, to return and to hold for the disk, JSON to parse, time
//! of the realm's task, motion grants and wills.

use core::time::Duration;

use stoa_wire::envelope::structural_characters;
use stoa_wire::reason::Refusal;

use super::database_size::DatabaseSize;
use crate::grant::Grant;
use crate::ledger::{
    Bound, ChargeVerdict, Cost, Ledger, Payer, PayerClass, PayerClassBounds, PayerRateBound, Resource,
};
use crate::limits;
use crate::network::ClientNetwork;
use crate::time::Time;

/// All bounds of the realm's ledger.
pub(super) const BOUNDS: [PayerClassBounds; 16] = [
    PayerClassBounds {
        resource: Resource::StoredBytes,
        class: PayerClass::Guests,
        own: Some(PayerRateBound {
            per_s: limits::GUEST_STORED_BYTES_PER_S,
            burst: limits::GUEST_STORED_BYTES_BURST,
            of: "bytes a second that one guest stores",
        }),
        shared: Bound::Rate { per_s: limits::GUESTS_STORED_BYTES_PER_S, burst: limits::GUESTS_STORED_BYTES_BURST },
        of: "bytes a second that all guests store",
    },
    PayerClassBounds {
        resource: Resource::StoredBytes,
        class: PayerClass::Members,
        own: Some(PayerRateBound {
            per_s: limits::MEMBER_STORED_BYTES_PER_S,
            burst: limits::MEMBER_STORED_BYTES_BURST,
            of: "bytes a second that one account stores",
        }),
        shared: Bound::Rate { per_s: limits::MEMBERS_STORED_BYTES_PER_S, burst: limits::MEMBERS_STORED_BYTES_BURST },
        of: "bytes a second that all accounts store",
    },
    PayerClassBounds {
        resource: Resource::ReturnedBytes,
        class: PayerClass::Guests,
        own: Some(PayerRateBound {
            per_s: limits::GUEST_RETURNED_BYTES_PER_S,
            burst: limits::GUEST_RETURNED_BYTES_BURST,
            of: "bytes of scenes a second that one guest requests",
        }),
        shared: Bound::Rate { per_s: limits::GUESTS_RETURNED_BYTES_PER_S, burst: limits::GUESTS_RETURNED_BYTES_BURST },
        of: "bytes of scenes a second that all guests request",
    },
    PayerClassBounds {
        resource: Resource::ReturnedBytes,
        class: PayerClass::Members,
        own: Some(PayerRateBound {
            per_s: limits::MEMBER_RETURNED_BYTES_PER_S,
            burst: limits::MEMBER_RETURNED_BYTES_BURST,
            of: "bytes of scenes a second that one account requests",
        }),
        shared: Bound::Rate {
            per_s: limits::MEMBERS_RETURNED_BYTES_PER_S,
            burst: limits::MEMBERS_RETURNED_BYTES_BURST,
        },
        of: "bytes of scenes a second that all accounts request",
    },
    PayerClassBounds {
        resource: Resource::JsonStructure,
        class: PayerClass::Guests,
        own: Some(PayerRateBound {
            per_s: limits::GUEST_JSON_STRUCTURE_PER_S,
            burst: limits::GUEST_JSON_STRUCTURE_BURST,
            of: "structural characters of JSON a second that one guest sends",
        }),
        shared: Bound::Rate { per_s: limits::GUESTS_JSON_STRUCTURE_PER_S, burst: limits::GUESTS_JSON_STRUCTURE_BURST },
        of: "structural characters of JSON a second that all guests send",
    },
    PayerClassBounds {
        resource: Resource::JsonStructure,
        class: PayerClass::Members,
        own: Some(PayerRateBound {
            per_s: limits::MEMBER_JSON_STRUCTURE_PER_S,
            burst: limits::MEMBER_JSON_STRUCTURE_BURST,
            of: "structural characters of JSON a second that one account sends",
        }),
        shared: Bound::Rate {
            per_s: limits::MEMBERS_JSON_STRUCTURE_PER_S,
            burst: limits::MEMBERS_JSON_STRUCTURE_BURST,
        },
        of: "structural characters of JSON a second that all accounts send",
    },
    PayerClassBounds {
        resource: Resource::QueuedBytes,
        class: PayerClass::Guests,
        own: None,
        shared: Bound::Level { most: limits::GUESTS_QUEUED_BYTES_MAX, ceiling: limits::GUESTS_QUEUED_BYTES_CEILING },
        of: "bytes of all guests that wait for the disk",
    },
    PayerClassBounds {
        resource: Resource::QueuedBytes,
        class: PayerClass::Members,
        own: None,
        shared: Bound::Level { most: limits::MEMBERS_QUEUED_BYTES_MAX, ceiling: limits::MEMBERS_QUEUED_BYTES_CEILING },
        of: "bytes of all accounts that wait for the disk",
    },
    PayerClassBounds {
        resource: Resource::RealmTime,
        class: PayerClass::Guests,
        own: Some(PayerRateBound {
            per_s: limits::GUEST_REALM_TIME_PER_S,
            burst: limits::GUEST_REALM_TIME_BURST,
            of: "microseconds a second for long inputs of one guest",
        }),
        shared: Bound::Rate { per_s: limits::GUESTS_REALM_TIME_PER_S, burst: limits::GUESTS_REALM_TIME_BURST },
        of: "microseconds a second for long inputs of all guests",
    },
    PayerClassBounds {
        resource: Resource::RealmTime,
        class: PayerClass::Members,
        own: Some(PayerRateBound {
            per_s: limits::MEMBER_REALM_TIME_PER_S,
            burst: limits::MEMBER_REALM_TIME_BURST,
            of: "microseconds a second for long inputs of one account",
        }),
        shared: Bound::Rate { per_s: limits::MEMBERS_REALM_TIME_PER_S, burst: limits::MEMBERS_REALM_TIME_BURST },
        of: "microseconds a second for long inputs of all accounts",
    },
    PayerClassBounds {
        resource: Resource::InputTime,
        class: PayerClass::Guests,
        own: None,
        shared: Bound::Rate { per_s: limits::GUESTS_INPUT_TIME_PER_S, burst: limits::GUESTS_INPUT_TIME_BURST },
        of: "microseconds a second for inputs of all guests",
    },
    PayerClassBounds {
        resource: Resource::InputTime,
        class: PayerClass::Members,
        own: None,
        shared: Bound::Rate { per_s: limits::MEMBERS_INPUT_TIME_PER_S, burst: limits::MEMBERS_INPUT_TIME_BURST },
        of: "microseconds a second for inputs of all accounts",
    },
    PayerClassBounds {
        resource: Resource::MotionGrants,
        class: PayerClass::Guests,
        own: None,
        shared: MOTION_GRANTS,
        of: "motion sessions and tickets of all guests",
    },
    PayerClassBounds {
        resource: Resource::MotionGrants,
        class: PayerClass::Members,
        own: None,
        shared: MOTION_GRANTS,
        of: "motion sessions and tickets of all accounts",
    },
    PayerClassBounds {
        resource: Resource::WillBytes,
        class: PayerClass::Guests,
        own: None,
        shared: WILL_BYTES,
        of: "bytes in the wills of all guests",
    },
    PayerClassBounds {
        resource: Resource::WillBytes,
        class: PayerClass::Members,
        own: None,
        shared: WILL_BYTES,
        of: "bytes in the wills of all accounts",
    },
];

/// The bound of motion grants for guests, and again for accounts.
const MOTION_GRANTS: Bound =
    Bound::Level { most: limits::MOTION_GRANTS_SHARED as u64, ceiling: limits::MOTION_GRANTS_MAX as u64 };

/// The bound of wills for guests, and again for accounts.
const WILL_BYTES: Bound =
    Bound::Level { most: limits::WILLS_BYTES_SHARED as u64, ceiling: limits::WILLS_BYTES_MAX as u64 };

/// A number of bytes in a will.
pub(super) fn will(bytes: usize) -> Cost {
    Cost { resource: Resource::WillBytes, amount: bytes as u64 }
}

/// One motion session or ticket.
pub(super) const MOTION_GRANT: Cost = Cost { resource: Resource::MotionGrants, amount: 1 };

/// The party that pays for a client's messages.
pub(super) fn payer(ledger: &mut Ledger, grant: &Grant, network: Option<ClientNetwork>, now: Time) -> Payer {
    let class = if grant.claims().guest { PayerClass::Guests } else { PayerClass::Members };
    ledger.payer(class, grant.subject(), network, now)
}

/// A number of bytes to store.
pub(super) fn stored(bytes: usize) -> Cost {
    Cost { resource: Resource::StoredBytes, amount: bytes as u64 }
}

/// A number of bytes to return in one message.
pub(super) fn returned(bytes: usize) -> Cost {
    Cost { resource: Resource::ReturnedBytes, amount: bytes as u64 }
}

/// The JSON of a payload; `None` up to [`limits::UNPAID_JSON_STRUCTURE`], because the number of messages bounds short
/// ones.
pub(super) fn json(payload: &[u8]) -> Option<Cost> {
    if payload.len() <= limits::UNPAID_JSON_STRUCTURE {
        return None;
    }
    let amount = structural_characters(payload);
    (amount > limits::UNPAID_JSON_STRUCTURE)
        .then_some(Cost { resource: Resource::JsonStructure, amount: amount as u64 })
}

/// A number of bytes in memory that wait for the disk.
pub(super) fn queued(bytes: usize) -> Cost {
    Cost { resource: Resource::QueuedBytes, amount: bytes as u64 }
}

/// Time of the realm's task beyond that of ordinary inputs.
pub(super) fn realm_time(spent: Duration) -> Cost {
    Cost { resource: Resource::RealmTime, amount: u64::try_from(spent.as_micros()).unwrap_or(u64::MAX) }
}

/// Time of the realm's task for inputs of any length.
pub(super) fn input_time(spent: Duration) -> Cost {
    Cost { resource: Resource::InputTime, amount: u64::try_from(spent.as_micros()).unwrap_or(u64::MAX) }
}

/// Whether a client may store that many bytes now. Errors: the bound that refuses them.
pub(super) fn check_store(
    ledger: &mut Ledger,
    database: DatabaseSize,
    payer: Payer,
    bytes: usize,
    now: Time,
) -> Result<(), Refusal> {
    database.check(payer.class())?;
    check(ledger, payer, stored(bytes), now)?;
    check(ledger, payer, queued(bytes), now)
}

/// Whether the client whose message is being handled may have a cost that is charged afterwards. Errors: the bound that
/// refuses it.
pub(super) fn check(ledger: &mut Ledger, payer: Payer, cost: Cost, now: Time) -> Result<(), Refusal> {
    let pause = accept(ledger.check(now, payer, cost))?;
    ledger.note_pause(pause);
    Ok(())
}

/// Charges the client whose message is being handled. Errors: the bound that refuses the cost.
pub(super) fn charge(ledger: &mut Ledger, payer: Payer, cost: Cost, now: Time) -> Result<(), Refusal> {
    let pause = accept(ledger.charge(now, payer, cost))?;
    ledger.note_pause(pause);
    Ok(())
}

/// The pause before the payer's connection is read again. Errors: the bound that refuses the cost.
pub(super) fn accept(verdict: ChargeVerdict) -> Result<Duration, Refusal> {
    match verdict {
        ChargeVerdict::Pass => Ok(Duration::ZERO),
        ChargeVerdict::Slow(pause) => Ok(pause),
        ChargeVerdict::Refuse(refused) => Err(refused),
    }
}
