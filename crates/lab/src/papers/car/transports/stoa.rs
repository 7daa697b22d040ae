//! Connects clients to Stoa's motion plane, by its public protocol alone (`spec/wire.md`). A group is a scene in which
//! everyone sees everyone, and a client is a head. The height of its pose encodes the update's turn, in
//! millimetres. A client that receives a new turn acknowledges at once by a frame that names the newest frame
//! received, so one frame acknowledges all updates of a wake-up. An update's frame is marked: the server collects
//! the acknowledgements and reports when all members have the frame, as the paper's active server does.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::entries::reached;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{FrameEntriesWriter, FramePartKind, PackedPose, Rotation, VisibilityChange};

use super::udp::TAKEN_MAX;
use super::{AllClientsTransport, ReceivedGroupMessage};
use crate::crowd::connections::{CrowdConnections, GeneratorDatagramCounts, NetcodeConnections};
use crate::crowd::decoder::PoseDecoder;
use crate::crowd::protocol::{OutgoingPosesAndRequests, ProtocolState};
use crate::crowd::tickets::TicketSource;
use crate::limits;
use crate::load::person::PersonIdentifiers;
use crate::papers::car::exchange::ClientGroupLayout;
use crate::search::LoadNotCarried;

/// Frames that entering clients send between two reads.
const SPEAKING_TOGETHER: usize = 64;
/// Time between two frames of an entering client, and of a client that has entered and waits.
const ENTERING_PERIOD: Duration = Duration::from_millis(50);
const WAITING_PERIOD: Duration = Duration::from_secs(1);

/// The connections to the server.
pub(crate) struct StoaTransport {
    connections: NetcodeConnections,
    groups: ClientGroupLayout,
    people: Vec<MotionClient>,
    /// Clients with pending output.
    dirty: Vec<usize>,
    began: Instant,
    malformed: u64,
    writer: FrameEntriesWriter,
}

struct MotionClient {
    protocol: ProtocolState,
    decoder: PoseDecoder,
    turn: u32,
    /// The newest turn received from each member of the client's group.
    seen: Vec<u32>,
    /// The frame of the client's newest turn, until all members have that frame.
    marked: Option<u32>,
    to_say: PendingOutputKind,
}

/// Pending output of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PendingOutputKind {
    Nothing,
    /// An acknowledgement.
    Ack,
    /// An acknowledgement and the client's pose.
    Pose,
    /// A marked frame with the client's pose.
    Update,
}

impl StoaTransport {
    /// Lets all clients enter, and waits until each knows its group.
    pub(crate) fn enter(
        connections: NetcodeConnections,
        groups: ClientGroupLayout,
        ticket_source: &mut TicketSource<'_>,
    ) -> Result<StoaTransport> {
        let person = |client| MotionClient {
            protocol: ProtocolState::new(PersonIdentifiers::of(client).id_tag),
            decoder: PoseDecoder::default(),
            turn: 0,
            seen: vec![0; groups.size],
            marked: None,
            to_say: PendingOutputKind::Nothing,
        };
        let people = (0..groups.clients).map(person).collect();
        let writer = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
        let mut transport = StoaTransport {
            connections,
            groups,
            people,
            dirty: Vec::new(),
            began: Instant::now(),
            malformed: 0,
            writer,
        };
        let mut admitted = 0;
        while admitted < groups.clients {
            let wave = admitted..groups.clients.min(admitted + NetcodeConnections::WAVE);
            let tickets = ticket_source.young_tickets(wave)?;
            admitted += tickets.len();
            transport.connections.admit(&tickets)?;
            transport.await_members(admitted)?;
        }
        Ok(transport)
    }

    /// Waits until the first `admitted` clients have entered, and each knows the members of its group among them.
    fn await_members(&mut self, admitted: usize) -> Result<()> {
        let deadline = Instant::now() + limits::ENTERING_TIMEOUT;
        let mut spoken_at: Option<Instant> = None;
        loop {
            let among = ClientGroupLayout { clients: admitted, ..self.groups };
            let is_outside = |client: &usize| {
                let told = self.people[*client].protocol.told().0 as usize;
                !self.connections.is_in(*client) || told < among.members(*client).len()
            };
            let mut speaking: Vec<usize> = (0..admitted).filter(is_outside).collect();
            if speaking.is_empty() {
                return Ok(());
            }
            let outside = speaking.len();
            if Instant::now() >= deadline {
                bail!(LoadNotCarried(format!("{outside} of {admitted} have not entered or don't know their group")));
            }
            // Admitted clients must not fall silent meanwhile.
            if spoken_at.is_none_or(|at| at.elapsed() >= WAITING_PERIOD) {
                spoken_at = Some(Instant::now());
                speaking = (0..admitted).collect();
            }
            let until = Instant::now() + ENTERING_PERIOD;
            for some in speaking.chunks(SPEAKING_TOGETHER) {
                some.iter().for_each(|client| self.note(*client, PendingOutputKind::Pose));
                self.flush();
                self.receive(Instant::now(), &mut |_| {})?;
            }
            while Instant::now() < until {
                self.receive(until, &mut |_| {})?;
                self.flush();
            }
        }
    }

    /// Queues a client's output.
    fn note(&mut self, client: usize, to_say: PendingOutputKind) {
        if std::mem::replace(&mut self.people[client].to_say, to_say) == PendingOutputKind::Nothing {
            self.dirty.push(client);
        }
    }

    /// Frames that all clients received, and frames that the server sent to them, by the frames' numbers.
    pub(crate) fn came(&self) -> (u64, u64) {
        self.people
            .iter()
            .map(|person| person.protocol.came())
            .fold((0, 0), |(frames, sent), (received, newest)| (frames + u64::from(received), sent + u64::from(newest)))
    }

    pub(crate) fn malformed(&self) -> u64 {
        self.malformed
    }
}

impl AllClientsTransport for StoaTransport {
    fn say(&mut self, client: usize, turn: u32) {
        self.people[client].turn = turn;
        self.note(client, PendingOutputKind::Update);
    }

    fn flush(&mut self) {
        let StoaTransport { connections, people, dirty, began, writer, .. } = self;
        for client in dirty.drain(..) {
            let person = &mut people[client];
            let to_say = std::mem::replace(&mut person.to_say, PendingOutputKind::Nothing);
            let now_us = began.elapsed().as_micros() as u64;
            let pose = PackedPose { position: [0, person.turn.cast_signed(), 0], rotation: Rotation::default() };
            let poses: &[PackedPose] = if to_say == PendingOutputKind::Ack { &[] } else { &[pose] };
            let asks = person.decoder.take_lacking();
            let head = person.protocol.say(&OutgoingPosesAndRequests { poses, asks: &asks, now_us }, writer);
            if to_say == PendingOutputKind::Update {
                writer.put(FramePartKind::Mark, &[]);
                person.marked = Some(person.protocol.said());
            }
            let mut frame = [0; FRAME_BYTES_MAX];
            let length = HEAD_BYTES + writer.bytes().len();
            frame[..HEAD_BYTES].copy_from_slice(&head);
            frame[HEAD_BYTES..length].copy_from_slice(writer.bytes());
            connections.say(client, &frame[..length]);
        }
    }

    fn receive(&mut self, until: Instant, hear: &mut impl FnMut(ReceivedGroupMessage)) -> Result<()> {
        let StoaTransport { connections, groups, people, dirty, began, malformed, .. } = self;
        let (mut taken, mut until) = (0, until);
        while taken < TAKEN_MAX {
            let before = taken;
            let mut now_us = 0;
            connections.receive(until, &mut |client, bytes| {
                if now_us == 0 {
                    now_us = began.elapsed().as_micros() as u64;
                }
                taken += 1;
                let person = &mut people[client];
                let has_news = person.hear((*groups, client), (bytes, now_us), hear);
                *malformed += u64::from(has_news.is_none());
                if has_news == Some(true) && person.to_say == PendingOutputKind::Nothing {
                    person.to_say = PendingOutputKind::Ack;
                    dirty.push(client);
                }
            })?;
            if taken == before {
                break;
            }
            until = Instant::now();
        }
        Ok(())
    }

    fn counts(&self) -> GeneratorDatagramCounts {
        self.connections.counts()
    }
}

impl MotionClient {
    /// Handles a frame; true if it has a new turn. `None` if it is malformed.
    fn hear(
        &mut self,
        (groups, client): (ClientGroupLayout, usize),
        (bytes, now_us): (&[u8], u64),
        hear: &mut impl FnMut(ReceivedGroupMessage),
    ) -> Option<bool> {
        let MotionClient { protocol, decoder, turn, seen, marked, .. } = self;
        let frame = protocol.take(bytes, now_us, &mut |change: &VisibilityChange<'_>| {
            decoder.change(change);
        })?;
        let mut has_news = false;
        decoder.decode(&frame, |object, pose| {
            let slot = groups.slot(object.person);
            let theirs = pose.position[1].cast_unsigned();
            // A repeated baseline may be older than the poses received since.
            if object.person != client && theirs > seen[slot] {
                seen[slot] = theirs;
                has_news = true;
                hear(ReceivedGroupMessage::Update { source: object.person, turn: theirs });
            }
        });
        let parts = frame.parts().filter(|(kind, _)| FramePartKind::of(*kind) == Some(FramePartKind::Reached));
        for sequence in parts.filter_map(|(_, content)| reached(content)) {
            if marked.take_if(|marked| *marked == sequence).is_some() {
                hear(ReceivedGroupMessage::AllAcks { source: client, turn: *turn });
            }
        }
        Some(has_news)
    }
}
