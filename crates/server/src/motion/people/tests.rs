use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use stoa_net::frames::{FrameClass, FrameSink};
use stoa_net::netcode::{NetcodeConfig, NetcodeServer};
use stoa_state::motion::send_timing::SendTimingMode;
use stoa_state::realm::MotionGrantId;
use stoa_state::time::UnixSeconds;
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{
    FrameEntriesWriter, FrameHeader, FramePartKind, MotionObjectKind, ObjectDeclaration, OwnPose, PackedPose, Rotation,
};
use stoa_wire::topic::SceneName;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::oneshot;

use super::*;
use crate::motion::reports::{self, QueuedItemGuard, SceneReportBatch};
use crate::motion::tickets::MotionGrantRegistry;
use crate::motion::tickets::tests::grant;

/// A thread's parts without its loop, and the other ends of its channels.
struct Stage {
    thread: MotionThread,
    commands: Sender<ThreadCommand>,
    news: UnboundedReceiver<SceneReportBatch>,
}

/// A sink that discards all frames.
struct Nowhere;

impl FrameSink for Nowhere {
    fn put(&mut self, _class: FrameClass, _parts: &[&[u8]]) {}
    fn flush(&mut self) {}
    fn close(self: Box<Self>) {}
}

impl Stage {
    fn set() -> Stage {
        let (commands, taken) = mpsc::channel();
        let (reports, news) = reports::channel();
        let (token_key, challenge_key, started_at) = ([1; 32], [2; 32], UnixSeconds(1_000));
        let config = NetcodeConfig { protocol_id: 1, token_key, challenge_key, started_at };
        let parts = MotionThreadResources {
            zero: Instant::now(),
            tickets: Arc::<Mutex<MotionGrantRegistry>>::default(),
            commands: taken,
            reports,
            serving: SendTimingMode::Auto,
            ending: Arc::default(),
            figures: Default::default(),
            queue_full: Arc::default(),
            socket: None,
            netcode: NetcodeServer::new(&config),
        };
        Stage { thread: MotionThread::new(parts), commands, news }
    }
}

impl Stage {
    /// Carries out all commands, however long they take: `obey` stops after `MOTION_TICK_DELAY_MAX`, which a busy
    /// machine exceeds.
    fn carry_out_all(&mut self) {
        while let Ok(command) = self.thread.parts.commands.try_recv() {
            let now = self.thread.now();
            self.thread.carry_out(command, now);
        }
    }

    /// Enters with a new ticket over each of the transports in order and sends a frame on each. Returns the reports.
    fn enter(&mut self, grant: MotionGrant, transports: &[MotionTransportKind]) -> Vec<MotionPlaneEvent> {
        let ticket = self.thread.lock().issue(grant, Instant::now());
        for &transport in transports {
            let (answer, mut answered) = oneshot::channel();
            self.thread.admit(EntryRequest { ticket, transport, sink: Box::new(Nowhere), answer }, Time::ZERO);
            let key = answered.try_recv().expect("the ticket is good").key;
            // The next frame has sequence 0 or higher.
            let frame = Bytes::copy_from_slice(&FrameHeader { sequence: u32::MAX, time_ms: 0 }.to_bytes());
            let queued = QueuedItemGuard::among(&Arc::default());
            self.commands.send(ThreadCommand::Frame { key, frame, at: Time::ZERO, _queued: queued }).unwrap();
            self.carry_out_all();
        }
        std::iter::from_fn(|| self.news.try_recv().ok()).flat_map(|news| news.reports.clone()).collect()
    }
}

#[test]
fn a_reentry_over_another_transport_or_grant_keeps_the_client_present() {
    let mut stage = Stage::set();
    let [one, two] = [MotionGrantId(1), MotionGrantId(2)];
    let told = stage.enter(grant(1), &[MotionTransportKind::WebTransport, MotionTransportKind::WebSocket]);
    let entered = MotionPlaneEvent::Entered { motion_grant: one };
    assert_eq!(told, [entered, MotionPlaneEvent::Left { motion_grant: one }, entered], "the last that is told is true");
    let told = stage.enter(grant(2), &[MotionTransportKind::WebSocket]);
    let expected = [MotionPlaneEvent::Entered { motion_grant: two }, MotionPlaneEvent::Left { motion_grant: one }];
    assert_eq!(told, expected, "the same person under another grant was never away");
    assert_eq!(stage.thread.totals.people, 1);
}

#[test]
fn a_pending_session_is_not_reported_and_ends_with_its_grant() {
    let mut stage = Stage::set();
    let ticket = stage.thread.lock().issue(grant(1), Instant::now());
    let mut admit = |transport| {
        let (answer, mut answered) = oneshot::channel();
        stage.thread.admit(EntryRequest { ticket, transport, sink: Box::new(Nowhere), answer }, Time::ZERO);
        answered.try_recv().expect("the ticket is good")
    };
    let sessions = [admit(MotionTransportKind::WebTransport), admit(MotionTransportKind::WebSocket)];
    assert_eq!(stage.thread.totals.people, 1);
    let (motion_grant, scene) = (MotionGrantId(1), grant(1).scene);
    stage.thread.carry_out(ThreadCommand::End { grant: motion_grant, scene }, Time::ZERO);
    assert!(sessions.iter().all(|admission| admission.over.has_changed().is_err()), "both have ended");
    let told = std::iter::from_fn(|| stage.news.try_recv().ok()).flat_map(|news| news.reports.clone());
    let expected = [MotionPlaneEvent::Entered { motion_grant }, MotionPlaneEvent::Left { motion_grant }];
    assert_eq!(told.collect::<Vec<_>>(), expected);
    assert_eq!(stage.thread.totals.people, 0);
}

#[test]
fn endless_commands_do_not_delay_a_motion_tick() {
    let mut stage = Stage::set();
    let motion_session = stage.thread.scenes.find_or_make(&grant(1)).1.enter(
        grant(1),
        HostedSessionTransport::Connection(Box::new(Nowhere), watch::channel(()).0),
        Time::ZERO,
    );
    let key = HostedSessionKey { index: 0, serial: 1, motion_session };
    let (all, waiting) = (200_000, Arc::<AtomicUsize>::default());
    for _ in 0..all {
        let frame = Bytes::from_static(&[0; 40]);
        stage
            .commands
            .send(ThreadCommand::Frame { key, frame, at: Time::ZERO, _queued: QueuedItemGuard::among(&waiting) })
            .unwrap();
    }
    let begun = Instant::now();
    stage.thread.obey();
    let (left, took) = (waiting.load(Ordering::Relaxed), begun.elapsed());
    assert!(left > 0 && left < all, "{left} of {all} are left after {took:?}");
    while waiting.load(Ordering::Relaxed) > 0 {
        stage.thread.obey();
    }
}

/// A frame with a head, `step` millimetres along the z axis.
fn head_at(step: u32) -> Vec<u8> {
    let mut parts = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
    let mut declared = Vec::new();
    ObjectDeclaration { index: 0, kind: MotionObjectKind::Head, name: "" }.write(&mut declared);
    parts.put(FramePartKind::Declare, &declared);
    let pose = PackedPose { position: [0, 1_600, i32::try_from(step).unwrap()], rotation: Rotation::default() };
    parts.put(FramePartKind::Own, &OwnPose { index: 0, age_ms: 0, pose }.to_bytes());
    [&FrameHeader { sequence: step, time_ms: step }.to_bytes(), parts.bytes()].concat()
}

#[test]
fn an_unfollowed_scene_reports_its_poses_once_in_ten_rounds() {
    let mut stage = Stage::set();
    let scene = grant(1).scene;
    stage.enter(grant(1), &[MotionTransportKind::WebSocket]);
    let key = stage.thread.scenes.find(&scene).map(|(index, hosted)| (index, hosted.serial, hosted.any().unwrap()));
    let (index, serial, motion_session) = key.unwrap();
    let mut step = 0;
    let mut tellings = |stage: &mut Stage| {
        let mut tell = |_| {
            step += 1;
            let hosted = stage.thread.scenes.at(HostedSessionKey { index, serial, motion_session }).unwrap();
            hosted.scene.handle_frame(
                motion_session,
                &head_at(step),
                Time::ZERO + Duration::from_millis(step.into()) * 100,
            );
            stage.thread.report_poses();
            stage.news.try_recv().is_ok()
        };
        (0..20).map(&mut tell).filter(|was_told| *was_told).count()
    };
    assert_eq!(tellings(&mut stage), 20, "until it is said, somebody follows");
    for (is_followed, told) in [(false, 2), (true, 20)] {
        stage.commands.send(ThreadCommand::Follow { scene: scene.clone(), is_followed }).unwrap();
        stage.thread.obey();
        assert_eq!(tellings(&mut stage), told);
    }
}

#[test]
fn scenes_take_turns_when_their_pose_reports_exceed_the_queue() {
    let mut stage = Stage::set();
    let scenes: Vec<SceneName> = (0..150).map(|number| format!("public/s{number}").parse().unwrap()).collect();
    for (scene, number) in scenes.iter().zip(1..) {
        stage.enter(MotionGrant { scene: scene.clone(), ..grant(number) }, &[MotionTransportKind::WebSocket]);
    }
    for is_followed in [true, false] {
        for scene in &scenes {
            stage.commands.send(ThreadCommand::Follow { scene: scene.clone(), is_followed }).unwrap();
        }
        stage.carry_out_all();
        let mut told: BTreeMap<SceneName, usize> = BTreeMap::new();
        let tellings = if is_followed { 5 } else { 50 };
        for _ in 0..tellings {
            for (_, hosted) in stage.thread.scenes.iter_mut() {
                let (motion_session, step) = (hosted.any().unwrap(), hosted.scene.pose_frames() as u32 + 1);
                hosted.scene.handle_frame(
                    motion_session,
                    &head_at(step),
                    Time::ZERO + Duration::from_secs(step.into()),
                );
            }
            stage.thread.report_poses();
            let news: Vec<SceneReportBatch> = std::iter::from_fn(|| stage.news.try_recv().ok()).collect();
            let most = if is_followed { limits::MOTION_NEWS_WAITING_MAX } else { scenes.len() / 5 };
            assert!(news.len() <= most, "{} at once", news.len());
            news.into_iter().for_each(|news| *told.entry(news.scene).or_default() += 1);
        }
        assert!(scenes.iter().all(|scene| told.get(scene).is_some_and(|times| *times >= 2)), "{told:?}");
    }
}
