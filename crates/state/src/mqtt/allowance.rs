//! What one client may say: so many messages a second, and so many bytes.

use super::bucket::Bucket;
use crate::limits;
use crate::time::Time;

/// What is left of a client's allowance.
#[derive(Clone, Debug)]
pub struct Allowance {
    messages: Bucket,
    kib: Bucket,
}

impl Allowance {
    /// A full one, of a guest or of somebody signed in.
    pub fn new(guest: bool, now: Time) -> Allowance {
        let ((rate_hz, burst), (kib_per_s, kib_burst)) = if guest {
            (
                (limits::GUEST_MESSAGES_PER_S, limits::GUEST_MESSAGES_BURST),
                (limits::GUEST_KIB_PER_S, limits::GUEST_KIB_BURST),
            )
        } else {
            (
                (limits::MEMBER_MESSAGES_PER_S, limits::MEMBER_MESSAGES_BURST),
                (limits::MEMBER_KIB_PER_S, limits::MEMBER_KIB_BURST),
            )
        };
        Allowance { messages: Bucket::new(rate_hz, burst, now), kib: Bucket::new(kib_per_s, kib_burst, now) }
    }

    /// What all who are in one scene may say together.
    pub fn of_scene(now: Time) -> Allowance {
        Allowance {
            messages: Bucket::new(limits::SCENE_MESSAGES_PER_S, limits::SCENE_MESSAGES_BURST, now),
            kib: Bucket::new(limits::SCENE_KIB_PER_S, limits::SCENE_KIB_BURST, now),
        }
    }

    /// Takes a message that is answered by a whole scene; false where it is too much.
    pub fn take_reading(&mut self, now: Time) -> bool {
        self.messages.take_many(limits::READING_MESSAGES, now)
    }

    /// Takes a message of that size; false where it is too much.
    pub fn take(&mut self, payload_bytes: usize, now: Time) -> bool {
        let kib = u32::try_from(payload_bytes / 1_024).unwrap_or(u32::MAX);
        self.messages.take(now) && self.kib.take_many(kib, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_is_held_to_bytes_as_well_as_to_messages() {
        let taken = |bytes| {
            let mut allowance = Allowance::new(true, Time::ZERO);
            (0..1_000).filter(|_| allowance.take(bytes, Time::ZERO)).count()
        };
        assert_eq!(taken(1_000), limits::GUEST_MESSAGES_BURST as usize, "small ones count as messages");
        assert_eq!(taken(256 * 1_024), limits::GUEST_KIB_BURST as usize / 256, "large ones as bytes");
    }

    #[test]
    fn the_largest_payload_a_client_can_send_never_overflows() {
        assert!(!Allowance::new(true, Time::ZERO).take(usize::MAX, Time::ZERO));
    }
}
