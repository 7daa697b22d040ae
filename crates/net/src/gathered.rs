//! Outbox chunks gathered for one vectored write.

use std::collections::VecDeque;
use std::io::IoSlice;

use bytes::{Buf, Bytes, BytesMut};
use stoa_state::batch::OutboxChunk;

use crate::limits;

/// Buffers to write one after the other, in one write if the transport can.
#[derive(Debug, Default)]
pub(crate) struct GatheredWrite {
    parts: VecDeque<Bytes>,
    /// Buffer for copies of parts that the transport would not take in one write.
    flat: BytesMut,
}

impl GatheredWrite {
    /// Adds chunks. Several parts are copied into one if the transport is not `vectored`, or if there are so many
    /// that a copy costs less than another write. A run is one part, so a single run is never copied.
    pub(crate) fn fill(&mut self, chunks: impl Iterator<Item = OutboxChunk>, vectored: bool) {
        for chunk in chunks {
            match chunk {
                OutboxChunk::Run(run) => self.parts.push_back(run.bytes()),
                OutboxChunk::Frame(frame) => {
                    self.parts.extend(frame.into_parts().into_iter().filter(|part| !part.is_empty()))
                }
            }
        }
        if self.parts.len() > if vectored { limits::PARTS_MAX } else { 1 } {
            self.parts.drain(..).for_each(|part| self.flat.extend_from_slice(&part));
            self.parts.push_back(self.flat.split().freeze());
        }
    }

    /// Frees the memory that a burst took, so that an idle connection holds little.
    pub(crate) fn shrink(&mut self) {
        self.parts.shrink_to(limits::PIECES_KEPT);
        self.flat = BytesMut::new();
    }
}

impl Buf for GatheredWrite {
    fn remaining(&self) -> usize {
        self.parts.iter().map(Bytes::len).sum()
    }

    fn chunk(&self) -> &[u8] {
        self.parts.front().map_or(&[], |part| part)
    }

    fn chunks_vectored<'a>(&'a self, into: &mut [IoSlice<'a>]) -> usize {
        let filled = into.iter_mut().zip(&self.parts);
        filled.map(|(slice, part)| *slice = IoSlice::new(part)).count()
    }

    fn advance(&mut self, mut count: usize) {
        while count > 0 {
            let part = self.parts.front_mut().expect("no more is written than there is");
            if part.len() > count {
                part.advance(count);
                return;
            }
            count -= part.len();
            self.parts.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use stoa_state::batch::{BatchTail, ReceiverGroupBatch};
    use stoa_state::packet_class::PacketClass;
    use stoa_wire::packet::EncodedPacket;

    use super::*;

    fn chunks() -> Vec<OutboxChunk> {
        let frame = |text: &'static str| EncodedPacket::whole(Bytes::from_static(text.as_bytes()));
        let batch =
            ReceiverGroupBatch::seal(vec![(frame("ab"), PacketClass::Event), (frame("cde"), PacketClass::Event)]);
        vec![
            OutboxChunk::Frame(frame("0")),
            OutboxChunk::Run(BatchTail::new(batch.clone(), 0)),
            OutboxChunk::Run(BatchTail::new(batch, 1)),
        ]
    }

    #[test]
    fn gathered_chunks_keep_their_order_with_writes_of_any_size() {
        for (vectored, step) in [(true, 1), (true, 4), (false, 3), (false, 100)] {
            let mut gathered = GatheredWrite::default();
            gathered.fill(chunks().into_iter(), vectored);
            let mut written = Vec::new();
            while gathered.has_remaining() {
                let length = gathered.chunk().len().min(step);
                written.extend_from_slice(&gathered.chunk()[..length]);
                gathered.advance(length);
            }
            assert_eq!(written, b"0abcdecde");
        }
    }

    #[test]
    fn parts_beyond_the_limit_of_one_write_are_copied_into_one() {
        let frame = || OutboxChunk::Frame(EncodedPacket::whole(Bytes::from_static(b"x")));
        let mut gathered = GatheredWrite::default();
        gathered.fill((0..limits::PARTS_MAX).map(|_| frame()), true);
        assert_eq!(gathered.chunk().len(), 1);
        gathered.fill([frame()].into_iter(), true);
        assert_eq!(gathered.chunk().len(), limits::PARTS_MAX + 1);
    }

    #[test]
    fn a_run_is_not_copied() {
        let run = BatchTail::new(
            ReceiverGroupBatch::seal(vec![(EncodedPacket::whole(Bytes::from_static(b"ab")), PacketClass::Event)]),
            0,
        );
        for vectored in [true, false] {
            let mut gathered = GatheredWrite::default();
            gathered.fill([OutboxChunk::Run(run.clone())].into_iter(), vectored);
            assert_eq!(gathered.chunk().as_ptr(), run.bytes().as_ptr());
        }
    }
}
