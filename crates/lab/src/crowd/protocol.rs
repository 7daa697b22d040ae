//! Implements one person's side of the motion protocol, kept minimal: acknowledgement, visibility changes, and the
//! person's own poses. [`super::decoder`] decodes the poses of others.

use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{
    FrameAck, FrameEntriesWriter, FrameHeader, FramePartKind, MotionFrame, MotionObjectKind, ObjectDeclaration,
    OwnPose, PackedPose, PathQuality, VisibilityChange, serial,
};

/// A person's protocol state.
#[derive(Debug)]
pub(crate) struct ProtocolState {
    id_tag: String,
    newest: u32,
    received: u32,
    time_ms: u32,
    newest_at_us: u64,
    changes: u32,
    change_frames: u32,
    /// Objects in the person's interest set, its own included.
    around: u32,
    sequence: u32,
    /// The person's objects that the server has confirmed, a bit for each kind. The person declares all its objects in
    /// each frame until all are confirmed.
    shown: u8,
    /// The path quality that the server last reported.
    pub(crate) quality: Option<PathQuality>,
}

/// The content of a frame: the person's poses, by index, and the objects whose baseline the person lacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutgoingPosesAndRequests<'a> {
    pub(crate) poses: &'a [PackedPose],
    pub(crate) asks: &'a [u16],
    pub(crate) now_us: u64,
}

/// The kinds of a person's objects, by index.
pub(crate) const KINDS: [MotionObjectKind; 3] =
    [MotionObjectKind::Head, MotionObjectKind::LeftHand, MotionObjectKind::RightHand];

impl ProtocolState {
    pub(crate) fn new(id_tag: String) -> ProtocolState {
        ProtocolState {
            id_tag,
            newest: 0,
            received: 0,
            time_ms: 0,
            newest_at_us: 0,
            changes: 0,
            change_frames: 0,
            around: 0,
            sequence: 0,
            shown: 0,
            quality: None,
        }
    }

    /// Handles a received frame and passes each new change to `changed`. Returns the frame for decoding; `None` if the
    /// frame is malformed.
    pub(crate) fn take<'a>(
        &mut self,
        bytes: &'a [u8],
        now_us: u64,
        changed: &mut impl FnMut(&VisibilityChange<'_>),
    ) -> Option<MotionFrame<'a>> {
        let frame = MotionFrame::read(bytes).ok()?;
        self.received += 1;
        if self.received == 1 || serial::is_newer(frame.head.sequence, self.newest) {
            (self.newest, self.time_ms, self.newest_at_us) = (frame.head.sequence, frame.head.time_ms, now_us);
        }
        for (kind, content) in frame.parts() {
            match FramePartKind::of(kind) {
                Some(FramePartKind::Changes) => self.take_changes(content, changed),
                Some(FramePartKind::Quality) => self.quality = PathQuality::read(content),
                _ => {}
            }
        }
        Some(frame)
    }

    fn take_changes(&mut self, content: &[u8], changed: &mut impl FnMut(&VisibilityChange<'_>)) {
        let Some((first, changes)) = VisibilityChange::read_all(content) else { return };
        let before = self.changes;
        for (number, change) in (first..).zip(changes) {
            if number != self.changes.wrapping_add(1) {
                continue;
            }
            self.changes = number;
            match change {
                VisibilityChange::Entered { kind, name, .. } => {
                    self.around += 1;
                    self.shown |= u8::from(name == self.id_tag) << kind as u8;
                }
                VisibilityChange::Left { .. } => self.around = self.around.saturating_sub(1),
            }
            changed(&change);
        }
        self.change_frames += u32::from(self.changes != before);
    }

    /// Whether the server has confirmed all of the person's objects.
    pub(crate) fn is_shown(&self, objects: usize) -> bool {
        self.shown.count_ones() as usize >= objects
    }

    /// Frames received from the server, and frames that the server sent, by the newest sequence number.
    pub(crate) fn came(&self) -> (u32, u32) {
        (self.received, self.newest)
    }

    /// Changes applied, and frames that carried them.
    pub(crate) fn told(&self) -> (u32, u32) {
        (self.changes, self.change_frames)
    }

    /// Objects in its interest set, its own included.
    pub(crate) fn around(&self) -> u32 {
        self.around
    }

    /// Sequence number of the person's last frame.
    pub(crate) fn said(&self) -> u32 {
        self.sequence
    }

    /// Writes the person's next frame: returns the header, and leaves the parts in `writer`.
    pub(crate) fn say(
        &mut self,
        saying: &OutgoingPosesAndRequests<'_>,
        writer: &mut FrameEntriesWriter,
    ) -> [u8; HEAD_BYTES] {
        writer.clear();
        if self.received > 0 {
            let held_ms = u16::try_from(saying.now_us.saturating_sub(self.newest_at_us) / 1_000).unwrap_or(u16::MAX);
            let ProtocolState { newest, received, time_ms, changes, .. } = *self;
            writer.put(FramePartKind::Ack, &FrameAck { newest, received, time_ms, held_ms, changes }.to_bytes());
        }
        if !self.is_shown(saying.poses.len()) {
            for (index, kind) in (0_u8..).zip(KINDS).take(saying.poses.len()) {
                let mut entry = Vec::new();
                ObjectDeclaration { index, kind, name: "" }.write(&mut entry);
                writer.put(FramePartKind::Declare, &entry);
            }
        }
        for (index, &pose) in (0_u8..).zip(saying.poses) {
            writer.put(FramePartKind::Own, &OwnPose { index, age_ms: 0, pose }.to_bytes());
        }
        for id in saying.asks {
            writer.put(FramePartKind::Ask, &id.to_le_bytes());
        }
        self.sequence += 1;
        FrameHeader { sequence: self.sequence, time_ms: (saying.now_us / 1_000) as u32 }.to_bytes()
    }
}
