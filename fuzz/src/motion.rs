//! Datagrams of the motion plane. Any decoded content encodes again, to no more bytes, and decodes to the same
//! content.

use std::fmt::Debug;

use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::entries::{reached, requested, withdrawn};
use stoa_wire::motion::flows::{hears, uplink};
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{
    FlowDeclaration, FrameAck, FrameArrivals, FrameArrivalsWriter, FrameEntriesWriter, FramePartKind, MediaUnit,
    MotionFrame, ObjectDeclaration, ObjectRefusal, OwnPose, PackedPose, PathQuality, PoseBaseline, PoseDelta,
    VisibilityChange,
};
use stoa_wire::netcode::packet::HEAD_BYTES_MAX;
use stoa_wire::netcode::{
    ADDRESSES_MAX, CHALLENGE_TOKEN_PLAIN_BYTES, CONNECT_TOKEN_BYTES, ChallengeToken, ConnectToken,
    PRIVATE_TOKEN_PLAIN_BYTES, PacketContent, PrivateToken, SealedHeader, SealedPacketKind, TAG_BYTES,
    UnopenedNetcodePacket,
};

/// Decodes a frame.
pub fn frame(bytes: &[u8]) {
    let Ok(frame) = MotionFrame::read(bytes) else { return };
    assert!(bytes.len() <= FRAME_BYTES_MAX);
    let mut parts = FrameEntriesWriter::new(bytes.len() - HEAD_BYTES);
    let mut said = Vec::new();
    for (kind, content) in frame.parts() {
        let Some(kind) = FramePartKind::of(kind) else { continue };
        for (entry, its_bytes) in entries(kind, content) {
            assert!(parts.put(kind, &its_bytes), "{entry} has no room where it stood");
            said.push(entry);
        }
        parts.end_part();
    }
    let again = [&frame.head.to_bytes()[..], parts.bytes()].concat();
    let read = MotionFrame::read(&again);
    assert_eq!(read.map(|frame| (frame.head, all_said(&frame))), Ok((frame.head, said)));
}

fn all_said(frame: &MotionFrame) -> Vec<String> {
    let known = frame.parts().filter_map(|(kind, content)| Some(entries(FramePartKind::of(kind)?, content)));
    known.flatten().map(|(entry, _)| entry).collect()
}

/// The entries of a part, each with its encoding.
fn entries(kind: FramePartKind, content: &[u8]) -> Vec<(String, Vec<u8>)> {
    match kind {
        FramePartKind::Ack => each(FrameAck::read(content), |ack| ack.to_bytes().to_vec()),
        FramePartKind::Quality => each(PathQuality::read(content), |quality| quality.to_bytes().to_vec()),
        FramePartKind::Poses => each(PoseDelta::read_all(content), |update| {
            let mut bytes = [0; PoseDelta::BYTES_MAX];
            let length = update.write(&mut bytes);
            bytes[..length].to_vec()
        }),
        FramePartKind::Baselines => each(PoseBaseline::read_all(content), |baseline| {
            unpacks(&baseline.pose);
            baseline.to_bytes().to_vec()
        }),
        FramePartKind::Changes => {
            let Some((first, changes)) = VisibilityChange::read_all(content) else { return Vec::new() };
            let mut all = vec![(first.to_string(), first.to_le_bytes().to_vec())];
            all.extend(each(changes, |change| written(|bytes| change.write(bytes))));
            all
        }
        FramePartKind::Refused => each(ObjectRefusal::read_all(content), |refusal| refusal.to_bytes().to_vec()),
        FramePartKind::Own => each(OwnPose::read_all(content), |own| {
            unpacks(&own.pose);
            own.to_bytes().to_vec()
        }),
        FramePartKind::Declare => {
            each(ObjectDeclaration::read_all(content), |declared| written(|bytes| declared.write(bytes)))
        }
        FramePartKind::Ask => each(requested(content), |id| id.to_le_bytes().to_vec()),
        FramePartKind::Withdraw => each(withdrawn(content), |index| vec![*index]),
        FramePartKind::Reached => each(reached(content), |sequence| sequence.to_le_bytes().to_vec()),
        FramePartKind::Mark => each([()], |()| Vec::new()),
        FramePartKind::Flow => {
            each(FlowDeclaration::read_all(content), |declared| written(|bytes| declared.write(bytes)))
        }
        FramePartKind::Units => each(MediaUnit::read_all(content), |unit| written(|bytes| unit.write(bytes))),
        FramePartKind::Hears => each(hears(content), |voices| vec![*voices]),
        FramePartKind::Uplink => each(uplink(content), |rate| rate.to_le_bytes().to_vec()),
        FramePartKind::Arrivals => {
            let frames = FrameArrivals::read(content).map(|arrivals| arrivals.iter().collect::<Vec<_>>());
            each(frames, |frames| arrivals(frames))
        }
    }
}

/// The encoding of arrival times, of which the first is of a frame that arrived.
fn arrivals(frames: &[(u32, Option<u32>)]) -> Vec<u8> {
    let mut writer = FrameArrivalsWriter::default();
    let Some(((first, Some(at)), rest)) = frames.split_first() else { panic!("the first frame arrived") };
    writer.begin(*first, *at);
    for (sequence, at) in rest {
        assert_eq!(writer.next(), *sequence);
        assert!(writer.push(*at), "it had an encoding");
    }
    writer.bytes().to_vec()
}

fn each<T: Debug>(entries: impl IntoIterator<Item = T>, bytes: impl Fn(&T) -> Vec<u8>) -> Vec<(String, Vec<u8>)> {
    entries.into_iter().map(|entry| (format!("{entry:?}"), bytes(&entry))).collect()
}

fn written(write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes);
    bytes
}

/// Any bytes unpack to a position and a unit quaternion. A pose within the extent packs again.
fn unpacks(packed: &PackedPose) {
    let pose = packed.unpack();
    let length: f64 = pose.rotation.iter().map(|part| part * part).sum();
    assert!((length - 1.0).abs() < 1e-9, "{packed:?} is turned by {:?}", pose.rotation);
    let again = PackedPose::pack(&pose);
    assert_eq!(again.is_some(), packed.is_within_extent(), "{packed:?}");
    assert!(again.is_none_or(|again| again.position == packed.position), "{packed:?}");
}

/// Decodes a datagram of netcode, and the content it might have after opening.
pub fn netcode(bytes: &[u8]) {
    match UnopenedNetcodePacket::read(bytes) {
        Ok(UnopenedNetcodePacket::Request(request)) => assert_eq!(request.to_bytes()[..], *bytes),
        Ok(UnopenedNetcodePacket::Sealed(packet)) => {
            let head = packet.head;
            assert_eq!(head.length() + packet.sealed.len(), bytes.len());
            let mut ours = [0; HEAD_BYTES_MAX];
            let length = head.write(&mut ours);
            assert_eq!(ours[..length], bytes[..length]);
            assert!(SealedHeader::new(head.kind(), head.sequence()).length() <= length);
            content(head.kind(), &packet.sealed[..packet.sealed.len() - TAG_BYTES]);
        }
        Err(_) => {}
    }
    (1..=6).filter_map(SealedPacketKind::of).for_each(|kind| content(kind, bytes));
    tokens(bytes);
}

fn content(kind: SealedPacketKind, plain: &[u8]) {
    let Ok(content) = PacketContent::read(kind, plain) else { return };
    assert_eq!(content.kind(), kind);
    assert_eq!(written(|bytes| content.write(bytes)), plain);
}

fn tokens(bytes: &[u8]) {
    if let Ok(token) = PrivateToken::read(&resized::<PRIVATE_TOKEN_PLAIN_BYTES>(bytes)) {
        assert!((1..=ADDRESSES_MAX).contains(&token.servers.len()));
        assert_eq!(PrivateToken::read(&token.to_bytes()), Ok(token));
    }
    assert!(bytes.len() == CONNECT_TOKEN_BYTES || ConnectToken::read(bytes).is_err());
    if let Ok(token) = ConnectToken::read(&resized::<CONNECT_TOKEN_BYTES>(bytes)) {
        assert!(token.created_at <= token.expires_at);
        assert_eq!(ConnectToken::read(&token.to_bytes()), Ok(token));
    }
    let plain = resized::<CHALLENGE_TOKEN_PLAIN_BYTES>(bytes);
    let token = ChallengeToken::read(&plain);
    assert_eq!(ChallengeToken::read(&token.to_bytes()), token);
}

/// Resizes to `N` bytes: pads with zeros, or truncates.
fn resized<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut all = [0; N];
    all.iter_mut().zip(bytes).for_each(|(byte, given)| *byte = *given);
    all
}
