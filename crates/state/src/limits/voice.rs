//! Limits of media flows.

use core::time::Duration;

pub use stoa_wire::limits::{FLOWS_MAX, VOICES_MAX};

/// Flows of one scene, also those whose sender is between two sessions: each keeps some units.
pub const SCENE_FLOWS_MAX: usize = 4_096;
/// Units of one flow a second: 60 frames of a video, and a tenth more for clocks that differ. A voice has 50.
pub const FLOW_UNITS_PER_S: u32 = 66;
/// Units of one flow at once: a second of a voice, which a network may have delayed.
pub const FLOW_UNITS_BURST: u32 = 50;
/// How long a flow without a session is kept: the client changes its transport or enters again.
pub const FLOW_REST: Duration = Duration::from_secs(10);
/// Longest wait of a unit for a receiver. A later one would miss its playout.
pub const VOICE_WAIT_MAX: Duration = Duration::from_millis(200);
/// Silence after which a voice gives its slot to another one, and after which its next word is a beginning.
pub const VOICE_SILENCE: Duration = Duration::from_secs(1);
/// Period in which each receiver's voices are chosen again, besides each time that a person begins to speak.
pub const VOICE_CHOICE_PERIOD: Duration = Duration::from_millis(200);
/// Last units of a voice that a receiver gets when it begins to hear it: 60 ms, in which speech was not yet detected.
pub const VOICE_LEAD_UNITS: u64 = 3;
/// Share of a receiver's rate that voices may take: those of four people at the lowest rate, of sixteen at the first.
pub const VOICE_RATE_PERCENT: u32 = 75;
/// Share of a receiver's rate up to which voices keep their slots: a rate that rises and falls by a few percent must
/// not interrupt a voice.
pub const VOICE_RATE_KEPT_PERCENT: u32 = 85;
const _: () = assert!(VOICE_RATE_PERCENT < VOICE_RATE_KEPT_PERCENT);
/// Lost frames in thousandths from which the last one, two and three units of a voice are sent again with the next one.
/// If losses are independent, one unit in 300 is lost at 15 %.
pub const VOICE_REPEATS_LOST_PER_MILLE: [u16; 3] = [10, 50, 150];
/// Bytes of one voice to a receiver in a second: 50 units of Opus at 32 kbit/s.
pub const VOICE_TYPICAL_BYTES_PER_S: u32 = 5_600;
/// How much nearer another speaker has to be to take a slot.
pub const VOICE_STAY_PERCENT: u64 = 20;
/// Distance up to which a voice is heard, in millimetres. Source: ARENA's `maxAVDist`.
pub const VOICE_REACH_MM: u64 = 20_000;
/// Longest time between two frames to a client that hears.
pub const FLOW_BEAT: Duration = Duration::from_millis(stoa_wire::limits::FLOW_BEAT_MS);
/// Bytes of voice frames from one client a second.
pub const VOICE_BYTES_PER_S: u32 = stoa_wire::limits::VOICE_BYTES_PER_S as u32;
/// Bytes of voice frames from one client at once.
pub const VOICE_BYTES_BURST: u32 = stoa_wire::limits::VOICE_BYTES_BURST as u32;
