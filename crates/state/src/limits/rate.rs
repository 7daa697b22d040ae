//! Limits of the motion plane's rate control.

use core::time::Duration;

use super::{MOTION_BYTES_PER_S_MAX, MOTION_BYTES_PER_S_MIN, MOTION_WINDOW, VOICE_BYTES_PER_S};

/// Milliseconds between two rises of a rate: longer than most round trips.
pub const RATE_RISE_PERIOD_MS: u32 = 250;

/// Queueing delay in milliseconds up to which a rate may rise: less than the jitter of most radio networks.
pub const RATE_HOLD_QUEUE_MS: u32 = 8;

/// Queueing delay in milliseconds above which the path counts as congested. With the frames of one service, the longest
/// delays are then some 40 ms, the playout buffer of a voice.
pub const RATE_CUT_QUEUE_MS: u32 = 15;
const _: () = assert!(RATE_HOLD_QUEUE_MS < RATE_CUT_QUEUE_MS);

/// Milliseconds that the smallest delay is remembered, at least: paths change, and a clock that drifts by 500 ppm is
/// off by 5 ms after twice as long, less than [`RATE_HOLD_QUEUE_MS`].
pub const RATE_LEAST_MS: u32 = 5_000;

/// Milliseconds whose smallest delay is the present one, at least, if the receiver reports each arrival: one service of
/// a receiver.
pub const RATE_RECENT_MS: u32 = 40;

/// The same if the receiver only acknowledges: several acknowledgements, since the way back delays single ones.
pub const RATE_RECENT_ACKS_MS: u32 = 250;

/// Milliseconds without reported arrivals after which acknowledgements count as the receiver's only reports.
pub const RATE_ARRIVALS_SILENCE_MS: u32 = 1_000;

/// Share of the measured capacity at which a full queue drains, in percent.
pub const RATE_DRAIN_PERCENT: u32 = 70;

/// Share of the measured capacity at which sending continues after that, in percent.
pub const RATE_RESUME_PERCENT: u32 = 92;

/// Share of a rate that remains after each rise period with a short queue, in percent: the queue must not become part
/// of the smallest delay.
pub const RATE_HOLD_PERCENT: u32 = 96;

/// Share of a rate that remains if the path is congested although most of the rate was unused, in percent. Source:
/// Google Congestion Control (draft-ietf-rmcat-gcc-02, section 5.5): 0.85.
pub const RATE_UNUSED_CUT_PERCENT: u32 = 85;

/// Milliseconds, besides a round trip, until a cut must have shortened the queue.
pub const RATE_DRAIN_MS: u32 = 300;

/// Cuts of one episode that didn't shorten the queue, after which its delay counts as the path's own.
pub const RATE_VAIN_CUTS_MAX: u8 = 3;

/// First rise of a rate far from a known capacity, in thousandths of the rate.
pub const RATE_RISE_PER_MILLE_MIN: u32 = 60;

/// Largest rise, in thousandths of the rate. Each rise is half as much again as the one before. A queue is noticed in
/// about a rise period, and is then 50 ms long at most.
pub const RATE_RISE_PER_MILLE_MAX: u32 = 200;

/// Rise near a known capacity, in bytes per second.
pub const RATE_RISE_BYTES_PER_S: u32 = 1_024;

/// Rise near a known capacity, in thousandths of the rate, if that is more.
pub const RATE_RISE_NEAR_PER_MILLE: u32 = 5;

/// Percent of a known capacity from which a rate rises slowly.
pub const RATE_NEAR_PERCENT_MIN: u32 = 85;

/// Percent of a known capacity above which it counts as outdated.
pub const RATE_NEAR_PERCENT_MAX: u32 = 105;
const _: () = assert!(RATE_NEAR_PERCENT_MIN <= RATE_RESUME_PERCENT && RATE_RESUME_PERCENT < RATE_NEAR_PERCENT_MAX);

/// Lost frames in thousandths from which a rate rises slowly. Source: Google Congestion Control, section 6: 2 %.
pub const RATE_LOST_PER_MILLE_MIN: u16 = 20;

/// Lost frames in thousandths above which a rate falls, by half of the loss. Source: Google Congestion Control,
/// section 6: 10 %.
pub const RATE_LOST_PER_MILLE_MAX: u16 = 100;

/// Sent frames from which their loss is measured, unless that takes [`RATE_LOSS_MS_MAX`].
pub const RATE_LOSS_FRAMES_MIN: u32 = 20;

/// Longest time in milliseconds over which loss is measured.
pub const RATE_LOSS_MS_MAX: u32 = 1_000;

/// Sent frames of one receiver whose arrivals may still be reported: those that a receiver may still acknowledge.
pub const RATE_HISTORY_FRAMES: usize = MOTION_WINDOW as usize;

/// Bytes from which a frame with poses is sent to a receiver whose path limits its rate: a tenth are headers.
pub const RATE_PORTION_BYTES_MIN: usize = 400;

/// Receivers of one scene that get a portion in a subtick, besides those whose tick it is: the work of two ticks in a
/// scene of 160.
pub const RATE_PORTIONS_MAX: usize = 64;

/// First rate of a client's own frames, in bytes per second.
pub const UPLINK_FIRST_BYTES_PER_S: u32 = MOTION_BYTES_PER_S_MIN;

/// Smallest rate of a client's own frames, in bytes per second: its poses, and a voice of 16 kbit/s.
pub const UPLINK_BYTES_PER_S_MIN: u32 = 6 * 1_024;

/// Largest rate of a client's own frames, in bytes per second: all voice frames that are accepted, and as much again
/// for poses.
pub const UPLINK_BYTES_PER_S_MAX: u32 = 2 * VOICE_BYTES_PER_S;
const _: () = assert!(UPLINK_BYTES_PER_S_MIN < UPLINK_FIRST_BYTES_PER_S);
const _: () = assert!(UPLINK_FIRST_BYTES_PER_S < UPLINK_BYTES_PER_S_MAX);
const _: () = assert!(UPLINK_BYTES_PER_S_MAX < MOTION_BYTES_PER_S_MAX);

/// Longest time between two reports of its rate to a client with flows.
pub const UPLINK_PERIOD: Duration = Duration::from_secs(1);

/// Shortest time between two reports of its rate to a client with flows.
pub const UPLINK_PERIOD_MIN: Duration = Duration::from_millis(200);
