//! Bugs planted between server and clients, to prove that the comparison detects them.

use fastrand::Rng;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{FramePartKind, MotionFrame};

/// A fault of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InjectedMotionFault {
    /// Parts with changes are lost or get a wrong number: entering objects are not seen, leaving objects remain.
    ChangesLost,
    /// Receivers get four times their budget.
    BudgetIgnored,
    /// The first baseline of each part reaches the client with a slightly wrong x.
    BaselineBeside,
}

/// The frame that the client reads, changed by the planted bug; always `Some`.
pub(super) fn tampered(bug: Option<InjectedMotionFault>, bytes: Vec<u8>, rng: &mut Rng) -> Option<Vec<u8>> {
    let Some(bug) = bug else { return Some(bytes) };
    let Ok(frame) = MotionFrame::read(&bytes) else { return Some(bytes) };
    let mut tampered_bytes = bytes[..HEAD_BYTES].to_vec();
    for (kind, content) in frame.parts() {
        let mut content = content.to_vec();
        match (bug, FramePartKind::of(kind)) {
            (InjectedMotionFault::ChangesLost, Some(FramePartKind::Changes)) if rng.bool() => continue,
            (InjectedMotionFault::ChangesLost, Some(FramePartKind::Changes)) => content[0] ^= 1,
            // The lowest byte of x.
            (InjectedMotionFault::BaselineBeside, Some(FramePartKind::Baselines)) => content[4] ^= 1,
            _ => {}
        }
        tampered_bytes.push(kind);
        tampered_bytes.extend_from_slice(&(content.len() as u16).to_le_bytes());
        tampered_bytes.extend_from_slice(&content);
    }
    Some(tampered_bytes)
}
