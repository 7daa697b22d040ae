//! A person on the motion plane: netcode by a third-party library, frames by Stoa's code.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

use renetcode::NetcodeClient;
use stoa_state::motion::MotionTime;
use stoa_state::motion::replica::MotionReplica;
use stoa_state::time::Time;
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{
    FlowDeclaration, FlowId, FlowMedia, FrameAck, FrameEntriesWriter, FrameHeader, FramePartKind, MediaUnit,
    MotionFrame, MotionObjectKind, ObjectDeclaration, OwnPose, PackedPose, Rotation, UnitLevel,
};
use stoa_wire::netcode::ConnectToken;

use crate::netcode;
use crate::running::PATIENCE;

/// Roughly a headset's pose rate.
const PERIOD: Duration = Duration::from_millis(20);

pub(crate) struct Person {
    pub(crate) id_tag: String,
    pub(crate) replica: MotionReplica,
    /// The objects it moves, with their poses.
    pub(crate) things: Vec<(MotionObjectKind, String, PackedPose)>,
    pub(crate) client: NetcodeClient,
    pub(crate) server: SocketAddr,
    socket: UdpSocket,
    begun: Instant,
    /// Time of the last turn. The client's clock starts with its first turn, so waiting for it causes no timeout.
    updated: Option<Instant>,
    said: Option<Instant>,
    sequence: u32,
    /// Frames received.
    pub(crate) frames: u64,
    /// Interval between frames sent.
    pub(crate) period: Duration,
    /// Whether its objects move all the time.
    pub(crate) is_restless: bool,
    /// The flow of its voice and the number of its last unit, while it speaks.
    pub(crate) voice: Option<(FlowId, u32)>,
    /// How many voices it can take.
    pub(crate) hears: u8,
    /// The idTag of each declared flow.
    speakers: BTreeMap<FlowId, String>,
    /// Units received: the speaker and the number.
    pub(crate) heard: Vec<(String, u32)>,
}

impl Person {
    pub(crate) fn new(token: &[u8], id_tag: &str) -> Person {
        let server = ConnectToken::read(token).unwrap().servers[0];
        Person {
            id_tag: id_tag.to_owned(),
            replica: MotionReplica::default(),
            things: vec![(MotionObjectKind::Head, String::new(), at([0, 1_600, 0]))],
            client: netcode::client(token),
            server,
            socket: socket(),
            begun: Instant::now(),
            updated: None,
            said: None,
            sequence: 0,
            frames: 0,
            period: PERIOD,
            is_restless: false,
            voice: None,
            hears: 0,
            speakers: BTreeMap::new(),
            heard: Vec::new(),
        }
    }

    /// Changes to another address.
    pub(crate) fn moves_away(&mut self) {
        self.socket = socket();
    }

    fn now(&self) -> Time {
        Time::from_millis(1_000) + self.begun.elapsed()
    }

    /// Sends what is due and reads all that arrived.
    pub(crate) fn turn(&mut self) {
        let now = Instant::now();
        let passed = now - self.updated.replace(now).unwrap_or(now);
        if let Some((said, to)) = self.client.update(passed) {
            self.socket.send_to(said, to).unwrap();
        }
        if self.said.is_none_or(|said| said.elapsed() >= self.period) {
            self.said = Some(Instant::now());
            let frame = self.frame();
            self.say(&frame);
            if let Some(frame) = self.voice_frame() {
                self.say(&frame);
            }
        }
        let mut datagram = [0; 2_048];
        while let Ok(length) = self.socket.recv(&mut datagram) {
            let now = self.now();
            if let Some(frame) = self.client.process_packet(&mut datagram[..length]) {
                self.replica.handle_frame(frame, now).expect("the realm says frames");
                listen(frame, &mut self.speakers, &mut self.heard);
                self.frames += 1;
            }
        }
    }

    /// Sends a frame if connected and returns the bytes sent.
    pub(crate) fn say(&mut self, frame: &[u8]) -> usize {
        let Ok((to, said)) = self.client.generate_payload_packet(frame) else { return 0 };
        self.socket.send_to(said, to).unwrap()
    }

    /// Acknowledges frame `newest`, received or not, and returns the bytes sent.
    pub(crate) fn claim(&mut self, newest: u32) -> usize {
        let mut parts = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
        parts.put(
            FramePartKind::Ack,
            &FrameAck { newest, received: newest, time_ms: 0, held_ms: 0, changes: 0 }.to_bytes(),
        );
        let head = FrameHeader { sequence: self.next_sequence(), time_ms: MotionTime::at(self.now()).0 };
        self.say(&[&head.to_bytes(), parts.bytes()].concat())
    }

    /// Sequence number of the newest received frame.
    pub(crate) fn newest(&self) -> u32 {
        self.replica.ack(self.now()).map_or(0, |ack| ack.newest)
    }

    /// Discards the datagrams that arrived and returns their bytes.
    pub(crate) fn take_unread(&self) -> usize {
        let mut datagram = [0; 2_048];
        std::iter::from_fn(|| self.socket.recv(&mut datagram).ok()).sum()
    }

    /// The sequence number of a handwritten frame.
    pub(crate) fn next_sequence(&mut self) -> u32 {
        self.sequence += 1;
        self.sequence
    }

    /// The next frame: acknowledgement, declarations and poses.
    pub(crate) fn frame(&mut self) -> Vec<u8> {
        self.sequence += 1;
        let now = self.now();
        for (_, _, pose) in self.things.iter_mut().filter(|_| self.is_restless) {
            pose.position[2] = (pose.position[2] + 200) % 100_000;
        }
        let mut parts = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
        if let Some(ack) = self.replica.ack(now) {
            parts.put(FramePartKind::Ack, &ack.to_bytes());
        }
        if self.hears > 0 {
            parts.put(FramePartKind::Hears, &[self.hears]);
        }
        for ((kind, name, pose), index) in self.things.iter().zip(0..) {
            let mut declared = Vec::new();
            ObjectDeclaration { index, kind: *kind, name }.write(&mut declared);
            parts.put(FramePartKind::Declare, &declared);
            parts.put(FramePartKind::Own, &OwnPose { index, age_ms: 0, pose: *pose }.to_bytes());
        }
        for id in self.replica.take_baseline_requests(now) {
            parts.put(FramePartKind::Ask, &id.to_le_bytes());
        }
        [&FrameHeader { sequence: self.sequence, time_ms: MotionTime::at(now).0 }.to_bytes(), parts.bytes()].concat()
    }

    /// The next unit of its voice, with the declaration of its flow.
    fn voice_frame(&mut self) -> Option<Vec<u8>> {
        let (flow, number) = self.voice.as_mut()?;
        *number += 1;
        let (mut declared, mut unit) = (Vec::new(), Vec::new());
        FlowDeclaration { id: *flow, media: FlowMedia::OpusVoice, name: "" }.write(&mut declared);
        let (level, payload) = (UnitLevel(0x80 | 30), &[7; 60][..]);
        let (flow, number) = (*flow, *number);
        MediaUnit { flow, number, captured_ms: 20 * number, level, layer: 0, payload }.write(&mut unit);
        let mut parts = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
        parts.put(FramePartKind::Flow, &declared);
        parts.put(FramePartKind::Units, &unit);
        let head = FrameHeader { sequence: self.next_sequence(), time_ms: MotionTime::at(self.now()).0 };
        Some([&head.to_bytes(), parts.bytes()].concat())
    }

    /// The position at which it sees the head of `id_tag`.
    pub(crate) fn sees(&self, id_tag: &str) -> Option<[i32; 3]> {
        self.replica.find(MotionObjectKind::Head, id_tag).map(|seen| seen.pose.position)
    }

    pub(crate) fn is_out(&self) -> bool {
        self.client.is_disconnected()
    }
}

/// Notes the flows and units of a frame.
fn listen(frame: &[u8], speakers: &mut BTreeMap<FlowId, String>, heard: &mut Vec<(String, u32)>) {
    for (kind, content) in MotionFrame::read(frame).expect("the realm says frames").parts() {
        match FramePartKind::of(kind) {
            Some(FramePartKind::Flow) => {
                let declared = FlowDeclaration::read_all(content);
                speakers.extend(declared.map(|declared| (declared.id, declared.name.to_owned())));
            }
            Some(FramePartKind::Units) => {
                let units = MediaUnit::read_all(content);
                heard.extend(units.filter_map(|unit| Some((speakers.get(&unit.flow)?.clone(), unit.number))));
            }
            _ => {}
        }
    }
}

/// Runs all people until the condition holds.
pub(crate) fn until<const N: usize>(
    mut people: [&mut Person; N],
    what: &str,
    is_so: impl Fn(&[&mut Person; N]) -> bool,
) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so(&people) {
        let is_out = || people.each_ref().map(|person| person.is_out());
        assert!(Instant::now() < deadline, "{what}; disconnected: {:?}", is_out());
        people.iter_mut().for_each(|person| person.turn());
    }
}

pub(crate) fn at(position: [i32; 3]) -> PackedPose {
    PackedPose { position, rotation: Rotation::default() }
}

fn socket() -> UdpSocket {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(4))).unwrap();
    socket
}
