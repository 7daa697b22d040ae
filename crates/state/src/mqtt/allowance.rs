//! What one client may say: so many messages a second, and so many bytes.

use stoa_wire::reason::{Reason, Refused};

use super::bucket::Bucket;
use crate::limits;
use crate::time::Time;

/// What is left of an allowance.
#[derive(Clone, Debug)]
pub struct Allowance {
    messages: Bucket,
    kib: Bucket,
    bounds: &'static Bounds,
}

/// How much each second brings, how much may come at once, and what that is called.
#[derive(Debug)]
struct Bounds {
    messages: (u32, u32, &'static str),
    kib: (u32, u32, &'static str),
}

const GUEST: Bounds = Bounds {
    messages: (limits::GUEST_MESSAGES_PER_S, limits::GUEST_MESSAGES_BURST, "messages a second of a guest"),
    kib: (limits::GUEST_KIB_PER_S, limits::GUEST_KIB_BURST, "KiB a second of a guest"),
};
const MEMBER: Bounds = Bounds {
    messages: (limits::MEMBER_MESSAGES_PER_S, limits::MEMBER_MESSAGES_BURST, "messages a second of a client"),
    kib: (limits::MEMBER_KIB_PER_S, limits::MEMBER_KIB_BURST, "KiB a second of a client"),
};
const SCENE: Bounds = Bounds {
    messages: (limits::SCENE_MESSAGES_PER_S, limits::SCENE_MESSAGES_BURST, "messages a second of all in a scene"),
    kib: (limits::SCENE_KIB_PER_S, limits::SCENE_KIB_BURST, "KiB a second of all in a scene"),
};

impl Allowance {
    /// A full one, of a guest or of somebody signed in.
    pub fn new(guest: bool, now: Time) -> Allowance {
        Allowance::within(if guest { &GUEST } else { &MEMBER }, now)
    }

    /// What all who are in one scene may say together.
    pub fn of_scene(now: Time) -> Allowance {
        Allowance::within(&SCENE, now)
    }

    fn within(bounds: &'static Bounds, now: Time) -> Allowance {
        let full = |(per_s, burst, _): (u32, u32, &str)| Bucket::new(per_s, burst, now);
        Allowance { messages: full(bounds.messages), kib: full(bounds.kib), bounds }
    }

    /// Takes a message that is answered by a whole scene. Errors: [`Reason::Flood`].
    pub fn take_reading(&mut self, now: Time) -> Result<(), Refused> {
        self.take_messages(limits::READING_MESSAGES, now)
    }

    /// Takes a message of that size. Errors: [`Reason::Flood`].
    pub fn take(&mut self, bytes: usize, now: Time) -> Result<(), Refused> {
        let kib = u32::try_from(bytes / 1_024).unwrap_or(u32::MAX);
        self.take_messages(1, now)?;
        if self.kib.take_many(kib, now) { Ok(()) } else { Err(flood(self.bounds.kib)) }
    }

    fn take_messages(&mut self, count: u32, now: Time) -> Result<(), Refused> {
        if self.messages.take_many(count, now) { Ok(()) } else { Err(flood(self.bounds.messages)) }
    }
}

fn flood((per_s, _, of): (u32, u32, &'static str)) -> Refused {
    Refused::beyond(Reason::Flood, per_s as usize, of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_is_held_to_bytes_as_well_as_to_messages() {
        let taken = |bytes| {
            let mut allowance = Allowance::new(true, Time::ZERO);
            (0..1_000).filter(|_| allowance.take(bytes, Time::ZERO).is_ok()).count()
        };
        assert_eq!(taken(1_000), limits::GUEST_MESSAGES_BURST as usize, "small ones count as messages");
        assert_eq!(taken(256 * 1_024), limits::GUEST_KIB_BURST as usize / 256, "large ones as bytes");
    }

    #[test]
    fn the_largest_payload_a_client_can_send_never_overflows() {
        assert!(Allowance::new(true, Time::ZERO).take(usize::MAX, Time::ZERO).is_err());
    }
}
