//! Batches: frames to the same receivers, joined in one buffer that all receivers share.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use bytes::{Bytes, BytesMut};
use stoa_wire::packet::EncodedPacket;

use crate::packet_class::PacketClass;

/// Frames of one group from one round; at least one. A round may make several batches of a group.
#[derive(Debug)]
pub struct ReceiverGroupBatch {
    /// Each frame alone, for slow receivers: a frame in a slow receiver's queue must not keep the whole buffer in
    /// memory.
    frames: Box<[(EncodedPacket, PacketClass)]>,
    starts: Box<[usize]>,
    bytes: Bytes,
}

impl ReceiverGroupBatch {
    /// Concatenates the frames' bytes.
    pub fn seal(frames: Vec<(EncodedPacket, PacketClass)>) -> Arc<ReceiverGroupBatch> {
        let mut starts = Vec::with_capacity(frames.len());
        let whole = frames.iter().map(|(frame, _)| frame.len()).sum();
        let mut bytes = BytesMut::with_capacity(whole);
        for (frame, _) in &frames {
            starts.push(bytes.len());
            frame.parts().iter().for_each(|part| bytes.extend_from_slice(part));
        }
        Arc::new(ReceiverGroupBatch { frames: frames.into(), starts: starts.into(), bytes: bytes.freeze() })
    }
}

/// A batch from one of its frames on. The receiver has already got the earlier frames.
#[derive(Clone, Debug)]
pub struct BatchTail {
    batch: Arc<ReceiverGroupBatch>,
    from: usize,
}

impl BatchTail {
    /// Creates a tail from frame number `from` on; at least one frame.
    pub fn new(batch: Arc<ReceiverGroupBatch>, from: usize) -> BatchTail {
        assert!(from < batch.frames.len(), "a run has a frame");
        BatchTail { batch, from }
    }

    /// The single frames.
    pub fn frames(&self) -> &[(EncodedPacket, PacketClass)] {
        &self.batch.frames[self.from..]
    }

    /// The bytes of all frames, shared without a copy.
    pub fn bytes(&self) -> Bytes {
        self.batch.bytes.slice(self.batch.starts[self.from]..)
    }

    /// Bytes to write.
    pub fn len(&self) -> usize {
        self.batch.bytes.len() - self.batch.starts[self.from]
    }

    /// Bytes of memory that a queued tail keeps: the whole batch, with each frame twice.
    #[cfg(test)]
    pub(crate) fn pinned_bytes(&self) -> usize {
        let ReceiverGroupBatch { frames, starts, bytes } = &*self.batch;
        let alone: usize = frames.iter().map(|(frame, _)| frame.len()).sum();
        alone + bytes.len() + size_of_val(&**frames) + size_of_val(&**starts)
    }

    /// Always false: there is at least one frame.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A chunk of an outbox for writing.
#[derive(Clone, Debug)]
pub enum OutboxChunk {
    /// One frame.
    Frame(EncodedPacket),
    /// Several frames in one buffer.
    Run(BatchTail),
}

impl OutboxChunk {
    /// Number of packets.
    pub fn count(&self) -> usize {
        match self {
            OutboxChunk::Frame(_) => 1,
            OutboxChunk::Run(run) => run.frames().len(),
        }
    }
}
