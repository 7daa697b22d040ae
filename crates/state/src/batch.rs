//! Frames that go to many receivers together: their bytes stand side by side in one buffer that all of them share.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use bytes::{Bytes, BytesMut};
use stoa_wire::packet::EncodedPacket;

use crate::packet_class::PacketClass;

/// What one group gets of one round, at least one frame.
#[derive(Debug)]
pub struct Batch {
    /// Each also alone, for receivers that have fallen behind: what they keep must not keep the buffer.
    frames: Box<[(EncodedPacket, PacketClass)]>,
    starts: Box<[usize]>,
    bytes: Bytes,
}

impl Batch {
    /// Puts the frames' bytes side by side.
    pub fn seal(frames: Vec<(EncodedPacket, PacketClass)>) -> Arc<Batch> {
        let mut starts = Vec::with_capacity(frames.len());
        let whole = frames.iter().map(|(frame, _)| frame.len()).sum();
        let mut bytes = BytesMut::with_capacity(whole);
        for (frame, _) in &frames {
            starts.push(bytes.len());
            frame.parts().iter().for_each(|part| bytes.extend_from_slice(part));
        }
        Arc::new(Batch { frames: frames.into(), starts: starts.into(), bytes: bytes.freeze() })
    }
}

/// A batch from one of its frames on: a receiver may have got what stands before it already.
#[derive(Clone, Debug)]
pub struct BatchTail {
    batch: Arc<Batch>,
    from: usize,
}

impl BatchTail {
    /// Of the frames from number `from` on; at least one.
    pub fn new(batch: Arc<Batch>, from: usize) -> BatchTail {
        assert!(from < batch.frames.len(), "a run has a frame");
        BatchTail { batch, from }
    }

    /// One by one.
    pub fn frames(&self) -> &[(EncodedPacket, PacketClass)] {
        &self.batch.frames[self.from..]
    }

    /// All of them, as they are written; shared, not copied.
    pub fn bytes(&self) -> Bytes {
        self.batch.bytes.slice(self.batch.starts[self.from]..)
    }

    /// Bytes to write.
    pub fn len(&self) -> usize {
        self.batch.bytes.len() - self.batch.starts[self.from]
    }

    /// Bytes of memory that it keeps: its whole batch, with each frame twice.
    #[cfg(test)]
    pub(crate) fn pinned_bytes(&self) -> usize {
        let Batch { frames, starts, bytes } = &*self.batch;
        let alone: usize = frames.iter().map(|(frame, _)| frame.len()).sum();
        alone + bytes.len() + size_of_val(&**frames) + size_of_val(&**starts)
    }

    /// Never true: there is at least one frame.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What an outbox gives to be written.
#[derive(Clone, Debug)]
pub enum OutboxChunk {
    /// One frame.
    Frame(EncodedPacket),
    /// Several, in one buffer.
    Run(BatchTail),
}

impl OutboxChunk {
    /// The number of packets in it.
    pub fn count(&self) -> usize {
        match self {
            OutboxChunk::Frame(_) => 1,
            OutboxChunk::Run(run) => run.frames().len(),
        }
    }
}
