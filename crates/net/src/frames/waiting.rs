//! Frames between the motion thread and a connection. Pose frames of a tick replace those that still wait, because
//! they are newer. Voice frames queue in order, for a bounded time.

use std::collections::VecDeque;
use std::time::Instant;

use bytes::{BufMut, Bytes, BytesMut};
use stoa_state::limits::VOICE_WAIT_MAX;
use stoa_state::motion::FrameClass;

use crate::limits;

/// Encoded frames in one piece of memory.
#[derive(Debug, Default)]
pub(crate) struct FrameRun {
    pub(crate) bytes: Bytes,
    pub(crate) lengths: Vec<usize>,
}

/// The frames of the tick in progress. Doesn't allocate once earlier frames were sent: their memory is reused.
#[derive(Debug, Default)]
pub(crate) struct TickFrames {
    poses: FrameRunWriter,
    voice: FrameRunWriter,
}

#[derive(Debug, Default)]
struct FrameRunWriter {
    bytes: BytesMut,
    lengths: Vec<usize>,
}

/// Frames that the connection has not taken yet.
#[derive(Debug, Default)]
pub(crate) struct WaitingFrames {
    poses: FrameRun,
    /// Each with the time at which it was queued.
    voice: VecDeque<(Instant, Bytes)>,
    voice_bytes: usize,
}

/// Frames that a connection takes. It sends the voice frames first.
#[derive(Debug, Default)]
pub(crate) struct TakenFrames {
    pub(crate) voice: VecDeque<(Instant, Bytes)>,
    pub(crate) poses: FrameRun,
}

impl TickFrames {
    /// Appends a frame: `head` of the transport, then `parts`. Returns false, and appends nothing, if the tick has its
    /// most bytes of that class.
    pub(crate) fn put(&mut self, class: FrameClass, head: &[u8], parts: &[&[u8]]) -> bool {
        let (run, bytes_max) = match class {
            FrameClass::Poses => (&mut self.poses, limits::TICK_POSE_BYTES_MAX),
            FrameClass::Voice => (&mut self.voice, limits::TICK_VOICE_BYTES_MAX),
        };
        let length = head.len() + parts.iter().map(|part| part.len()).sum::<usize>();
        if run.bytes.len() + length > bytes_max {
            return false;
        }
        // Reuses the memory of earlier frames, if all of them were sent.
        run.bytes.reserve(length);
        run.bytes.put_slice(head);
        parts.iter().for_each(|part| run.bytes.put_slice(part));
        run.lengths.push(length);
        true
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.poses.lengths.is_empty() && self.voice.lengths.is_empty()
    }

    pub(crate) fn has_voice(&self) -> bool {
        !self.voice.lengths.is_empty()
    }
}

impl WaitingFrames {
    /// Moves a tick's frames here. Returns the number of frames dropped for them. `now` is read only for voice.
    pub(crate) fn push(&mut self, tick: &mut TickFrames, now: impl FnOnce() -> Instant) -> u64 {
        let mut dropped = 0;
        if !tick.poses.lengths.is_empty() {
            self.poses.bytes = tick.poses.bytes.split().freeze();
            std::mem::swap(&mut self.poses.lengths, &mut tick.poses.lengths);
            dropped += tick.poses.lengths.drain(..).count() as u64;
        }
        if tick.has_voice() {
            let now = now();
            let mut bytes = tick.voice.bytes.split().freeze();
            self.voice_bytes += bytes.len();
            self.voice.extend(tick.voice.lengths.drain(..).map(|length| (now, bytes.split_to(length))));
            dropped += self.drop_stale_voice(now);
        }
        dropped
    }

    /// Takes all frames, without stale voice, into `taken`, which is empty. Returns the number of stale frames.
    pub(crate) fn take(&mut self, taken: &mut TakenFrames, now: impl FnOnce() -> Instant) -> u64 {
        let dropped = if self.voice.is_empty() { 0 } else { self.drop_stale_voice(now()) };
        self.voice_bytes = 0;
        std::mem::swap(&mut self.voice, &mut taken.voice);
        std::mem::swap(&mut self.poses.lengths, &mut taken.poses.lengths);
        taken.poses.bytes = std::mem::take(&mut self.poses.bytes);
        dropped
    }

    /// Takes the oldest voice frame, or without any all pose frames in one piece, with the number of frames. Adds the
    /// number of stale voice frames to `dropped`.
    pub(crate) fn take_next(&mut self, dropped: &mut u64, now: impl FnOnce() -> Instant) -> Option<(Bytes, u64)> {
        if !self.voice.is_empty() {
            *dropped += self.drop_stale_voice(now());
        }
        if let Some((_, frame)) = self.voice.pop_front() {
            self.voice_bytes -= frame.len();
            return Some((frame, 1));
        }
        let count = self.poses.lengths.drain(..).count() as u64;
        (count > 0).then(|| (std::mem::take(&mut self.poses.bytes), count))
    }

    /// Puts voice frames back that the connection could not send yet. They keep their age.
    pub(crate) fn put_back(&mut self, taken: &mut TakenFrames) {
        while let Some((queued_at, frame)) = taken.voice.pop_back() {
            self.voice_bytes += frame.len();
            self.voice.push_front((queued_at, frame));
        }
    }

    fn drop_stale_voice(&mut self, now: Instant) -> u64 {
        let mut dropped = 0;
        while let Some((_, frame)) =
            self.voice.pop_front_if(|(queued_at, _)| now.saturating_duration_since(*queued_at) > VOICE_WAIT_MAX)
        {
            self.voice_bytes -= frame.len();
            dropped += 1;
        }
        while self.voice_bytes > limits::WAITING_VOICE_BYTES_MAX
            && let Some((_, frame)) = self.voice.pop_front()
        {
            self.voice_bytes -= frame.len();
            dropped += 1;
        }
        dropped
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn queue(waiting: &mut WaitingFrames, class: FrameClass, frames: &[&[u8]], now: Instant) -> u64 {
        let mut tick = TickFrames::default();
        frames.iter().for_each(|frame| assert!(tick.put(class, &[], &[frame])));
        waiting.push(&mut tick, || now)
    }

    fn take(waiting: &mut WaitingFrames, now: Instant) -> (Vec<Bytes>, u64) {
        let (mut frames, mut dropped) = (Vec::new(), 0);
        while let Some((frame, _)) = waiting.take_next(&mut dropped, || now) {
            frames.push(frame);
        }
        (frames, dropped)
    }

    #[test]
    fn stale_voice_is_dropped_and_counted_and_newer_voice_stays() {
        let (mut waiting, zero) = (WaitingFrames::default(), Instant::now());
        let at = |ms| zero + Duration::from_millis(ms);
        assert_eq!(queue(&mut waiting, FrameClass::Voice, &[b"a", b"b"], at(0)), 0);
        assert_eq!(queue(&mut waiting, FrameClass::Voice, &[b"c"], at(100)), 0);
        assert_eq!(queue(&mut waiting, FrameClass::Voice, &[b"d"], at(250)), 2, "a and b");
        assert_eq!(take(&mut waiting, at(301)), (vec![Bytes::from_static(b"d")], 1));
    }

    #[test]
    fn voice_that_was_put_back_keeps_its_order_and_age() {
        let (mut waiting, zero) = (WaitingFrames::default(), Instant::now());
        let at = |ms| zero + Duration::from_millis(ms);
        queue(&mut waiting, FrameClass::Voice, &[b"a"], at(0));
        queue(&mut waiting, FrameClass::Voice, &[b"b"], at(20));
        let mut taken = TakenFrames::default();
        assert_eq!(waiting.take(&mut taken, || at(30)), 0);
        queue(&mut waiting, FrameClass::Voice, &[b"c"], at(40));
        waiting.put_back(&mut taken);
        assert_eq!(take(&mut waiting, at(210)), (vec![Bytes::from_static(b"b"), Bytes::from_static(b"c")], 1));
    }

    #[test]
    fn waiting_voice_and_a_ticks_frames_are_bounded_in_bytes() {
        let (mut waiting, now) = (WaitingFrames::default(), Instant::now());
        let (mut pushed, mut dropped) = (0, 0);
        for _ in 0..100 {
            let mut tick = TickFrames::default();
            while tick.put(FrameClass::Voice, &[], &[&[0; 1_000]]) {
                pushed += 1;
            }
            assert!(tick.put(FrameClass::Poses, &[], &[&[0; 1_000]]), "each class has its own share");
            dropped += waiting.push(&mut tick, || now);
        }
        let (frames, stale) = take(&mut waiting, now);
        let voice = frames.len() - 1;
        assert_eq!((voice * 1_000).div_ceil(1_024), limits::WAITING_VOICE_BYTES_MAX.div_ceil(1_024));
        assert_eq!((stale, voice as u64 + dropped), (0, pushed + 99), "99 ticks' poses");
    }
}
