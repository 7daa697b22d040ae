//! One scene's motion sessions, each with its transport.

use stoa_net::datagrams::{DatagramAddresses, DatagramSender};
use stoa_net::frames::FrameSink;
use stoa_net::netcode::{NetcodeServer, NetcodeSessionId};
use stoa_state::motion::send_timing::{MotionSceneLoad, SendTimingMode};
use stoa_state::motion::{
    MotionEntrant, MotionScene, MotionSessionId, OutgoingFrame, PoseReportCursor, ReportedPoseChange, SessionTakeover,
};
use stoa_state::realm::{MotionGrant, MotionGrantId, MotionPlaneEvent};
use stoa_state::time::Time;
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::topic::SceneName;
use tokio::sync::watch;

use crate::limits;

/// Padding after the last part of a frame.
const PADDING: [u8; FRAME_BYTES_MAX] = [0; FRAME_BYTES_MAX];

/// Identifies a session: the scene's index and serial number, and the session in it. Never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HostedSessionKey {
    pub(super) index: usize,
    /// The scene's serial number, because its index is reused.
    pub(super) serial: u64,
    pub(super) motion_session: MotionSessionId,
}

/// A session's transport.
pub(super) enum HostedSessionTransport {
    /// Over netcode.
    Netcode(NetcodeSessionId),
    /// Over WebTransport or WebSocket. Dropping the sender tells the connection's task that the session has ended.
    Connection(Box<dyn FrameSink>, watch::Sender<()>),
}

/// A session.
pub(super) struct HostedSession {
    pub(super) motion_session: MotionSessionId,
    pub(super) grant: MotionGrantId,
    pub(super) scene: SceneName,
    id_tag: String,
    pub(super) transport: HostedSessionTransport,
    /// netcode: the client's address has changed and is not verified yet.
    is_unproved: bool,
    /// netcode: the tick of the last keep-alive; `None` once the client has sent a frame.
    greeted: Option<u64>,
    /// The sink has frames that are flushed at the end of [`HostedScene::serve`].
    is_touched: bool,
    /// The session waits for its first frame while the client's earlier session continues.
    pub(super) is_pending: bool,
}

/// One scene's motion.
pub(super) struct HostedScene {
    pub(super) name: SceneName,
    pub(super) serial: u64,
    pub(super) scene: MotionScene,
    /// The sessions by slot.
    sessions: Vec<Option<HostedSession>>,
    touched: Vec<usize>,
    bridge: PoseReportCursor,
    /// A client follows poses over MQTT, or the realm hasn't yet reported otherwise.
    pub(super) is_followed: bool,
    /// Whether the scene is in the list of
    /// [`HostedScenes::drain_stirred`](super::scenes::HostedScenes::drain_stirred).
    pub(super) is_stirred: bool,
    /// Whether receivers are served as soon as frames arrive, and not only at ticks.
    is_at_once: bool,
    /// Number of frames with poses when the load was last measured.
    frames_before: u64,
    /// Number of the last report of poses that included this scene.
    told_at: u64,
}

/// The receivers to serve.
#[derive(Clone, Copy, Debug)]
enum ReceiverSelection {
    Fifth,
    All,
}

/// Sends frames to netcode clients while the thread serves its scenes once.
pub(super) struct NetcodeSender<'a> {
    pub(super) netcode: &'a mut NetcodeServer,
    /// `None` without UDP.
    pub(super) outgoing: Option<&'a mut DatagramSender>,
    pub(super) tick: u64,
    pub(super) serving: SendTimingMode,
    /// The current receiver and its addresses. Frames to one receiver are sent in succession.
    pub(super) peer: Option<(NetcodeSessionId, DatagramAddresses)>,
}

impl HostedScene {
    pub(super) fn new(grant: &MotionGrant, serial: u64) -> HostedScene {
        let scene = MotionScene::new(grant.settings).staggered(serial);
        HostedScene {
            name: grant.scene.clone(),
            serial,
            scene,
            sessions: Vec::new(),
            touched: Vec::new(),
            bridge: PoseReportCursor::default(),
            is_followed: true,
            is_stirred: false,
            is_at_once: true,
            frames_before: 0,
            told_at: 0,
        }
    }

    /// Starts a session. It is pending if the client has an earlier one. The caller has removed any other pending session
    /// with its idTag, found by [`HostedScene::find_pending`].
    pub(super) fn enter(
        &mut self,
        grant: MotionGrant,
        transport: HostedSessionTransport,
        now: Time,
    ) -> MotionSessionId {
        let MotionGrant { id, id_tag, rights, .. } = grant;
        let motion_session = self.scene.enter(MotionEntrant { id_tag: id_tag.clone(), rights }, now);
        let greeted = matches!(transport, HostedSessionTransport::Netcode(_)).then_some(0);
        let scene = self.name.clone();
        let hosted_session = HostedSession {
            motion_session,
            grant: id,
            scene,
            id_tag,
            transport,
            is_unproved: false,
            greeted,
            is_touched: false,
            is_pending: self.scene.is_pending(motion_session),
        };
        if self.sessions.len() <= motion_session.slot() {
            self.sessions.resize_with(motion_session.slot() + 1, || None);
        }
        self.sessions[motion_session.slot()] = Some(hosted_session);
        motion_session
    }

    /// Removes a session. The caller notifies the client.
    pub(super) fn leave(&mut self, motion_session: MotionSessionId, now: Time) -> Option<HostedSession> {
        let hosted_session = self.take_session(motion_session)?;
        self.scene.leave(motion_session, now);
        Some(hosted_session)
    }

    pub(super) fn find_pending(&self, id_tag: &str) -> Option<MotionSessionId> {
        self.find(|hosted_session| hosted_session.is_pending && hosted_session.id_tag == id_tag)
    }

    pub(super) fn find_grant(&self, grant: MotionGrantId) -> Option<MotionSessionId> {
        self.find(|hosted_session| hosted_session.grant == grant)
    }

    fn find(&self, is_it: impl Fn(&HostedSession) -> bool) -> Option<MotionSessionId> {
        let found = self.sessions.iter().flatten().find(|hosted_session| is_it(hosted_session));
        found.map(|hosted_session| hosted_session.motion_session)
    }

    /// Begins a pending session whose first frame has arrived. Returns its grant, and the earlier session.
    pub(super) fn take_over(
        &mut self,
        motion_session: MotionSessionId,
        takeover: SessionTakeover,
    ) -> (MotionGrantId, Option<HostedSession>) {
        let replaced = takeover.replaced.and_then(|replaced| self.take_session(replaced));
        let hosted_session = self.sessions[motion_session.slot()].as_mut().expect("its frame has arrived");
        hosted_session.is_pending = false;
        (hosted_session.grant, replaced)
    }

    fn take_session(&mut self, motion_session: MotionSessionId) -> Option<HostedSession> {
        let hosted_session = self.sessions.get_mut(motion_session.slot())?;
        hosted_session.take_if(|hosted_session| hosted_session.motion_session == motion_session)
    }

    /// Changed poses of heads and hands in report number `telling`. A followed scene reports up to
    /// [`limits::MOTION_BRIDGE_PLACES`] each time. Any other scene reports in one of [`limits::MOTION_BRIDGE_SELDOM`]
    /// reports, up to that many times the poses. Scenes take turns by their serial numbers.
    pub(super) fn poll_bridge(&mut self, telling: u64) -> Vec<MotionPlaneEvent> {
        let turn = |telling| (telling + self.serial) / limits::MOTION_BRIDGE_SELDOM as u64;
        let most = match self.is_followed {
            true => limits::MOTION_BRIDGE_PLACES,
            false if turn(telling) > turn(self.told_at) => limits::MOTION_BRIDGE_PLACES * limits::MOTION_BRIDGE_SELDOM,
            false => return Vec::new(),
        };
        self.told_at = telling;
        let HostedScene { scene, sessions, bridge, .. } = self;
        let mut reports = Vec::new();
        bridge.poll(scene, most, |motion_session, part, moved| {
            let Some(hosted_session) = sessions.get(motion_session.slot()).and_then(Option::as_ref) else { return };
            let grant = hosted_session.grant;
            reports.push(match moved {
                ReportedPoseChange::To(pose) => MotionPlaneEvent::Moved { motion_grant: grant, part, pose },
                ReportedPoseChange::Gone => MotionPlaneEvent::Gone { motion_grant: grant, part },
            });
        });
        reports
    }

    /// Any session of the scene; `None` without sessions.
    pub(super) fn any(&self) -> Option<MotionSessionId> {
        self.sessions.iter().flatten().map(|hosted_session| hosted_session.motion_session).next()
    }

    /// Handles a frame received over netcode. Returns whether the client's new address is verified now, and the takeover
    /// of an earlier session. `moved` holds a random number if the frame came from another address than before. Hot
    /// path: no allocation, no search.
    pub(super) fn handle_sealed(
        &mut self,
        motion_session: MotionSessionId,
        bytes: &[u8],
        moved: Option<u32>,
        now: Time,
    ) -> (bool, Option<SessionTakeover>) {
        // First, because an attacker could guess even the acknowledgement in this frame.
        if let Some(random) = moved {
            self.scene.handle_moved(motion_session, random, now);
        }
        let takeover = self.scene.handle_frame(motion_session, bytes, now);
        let Some(hosted_session) = self.sessions.get_mut(motion_session.slot()).and_then(Option::as_mut) else {
            return (false, None);
        };
        hosted_session.greeted = None;
        hosted_session.is_unproved |= moved.is_some();
        let is_proved = hosted_session.is_unproved && self.scene.is_proved(motion_session);
        hosted_session.is_unproved &= !is_proved;
        (is_proved, takeover)
    }

    /// The number of people, and of frames with poses since the last call.
    pub(super) fn take_load(&mut self) -> MotionSceneLoad {
        let said = self.scene.pose_frames();
        let frames = said - std::mem::replace(&mut self.frames_before, said);
        MotionSceneLoad { people: self.scene.len(), frames, is_at_once: self.is_at_once }
    }

    pub(super) fn set_at_once(&mut self, is_at_once: bool) {
        self.is_at_once = is_at_once;
    }

    /// Sends new frames to all receivers, if this scene is served at once.
    pub(super) fn serve_at_once(&mut self, sender: &mut NetcodeSender<'_>, now: Time) {
        if self.is_at_once && sender.serving.bears(self.scene.len()) && self.scene.has_news() {
            self.serve(sender, ReceiverSelection::All, now);
        }
    }

    /// Sends frames to a fifth of the receivers, or in every fifth call to all receivers of a small scene.
    pub(super) fn tick(&mut self, sender: &mut NetcodeSender<'_>, now: Time) {
        self.serve(sender, ReceiverSelection::Fifth, now);
    }

    /// Hot path: one copy for each datagram, no allocation, no lock, no map.
    fn serve(&mut self, sender: &mut NetcodeSender<'_>, share: ReceiverSelection, now: Time) {
        let HostedScene { scene, sessions, touched, .. } = self;
        let mut out = |frame: OutgoingFrame<'_>| {
            let slot = frame.session.slot();
            let Some(hosted_session) = sessions.get_mut(slot).and_then(Option::as_mut) else { return };
            let parts = [&frame.head[..], frame.own, frame.shared, &PADDING[..frame.padding]];
            match &mut hosted_session.transport {
                HostedSessionTransport::Netcode(session) => sender.send(*session, &mut hosted_session.greeted, &parts),
                HostedSessionTransport::Connection(sink, _) => {
                    sink.put(frame.class, &parts);
                    if !std::mem::replace(&mut hosted_session.is_touched, true) {
                        touched.push(slot);
                    }
                }
            }
        };
        match share {
            ReceiverSelection::Fifth => scene.tick(now, &mut out),
            ReceiverSelection::All => scene.flush(now, &mut out),
        }
        for slot in touched.drain(..) {
            if let Some(HostedSession { transport: HostedSessionTransport::Connection(sink, _), is_touched, .. }) =
                sessions[slot].as_mut()
            {
                sink.flush();
                *is_touched = false;
            }
        }
    }
}

impl NetcodeSender<'_> {
    fn send(&mut self, session: NetcodeSessionId, greeted: &mut Option<u64>, parts: &[&[u8]]) {
        let NetcodeSender { netcode, outgoing: Some(outgoing), tick, peer, .. } = self else { return };
        let known = peer.filter(|(reached, _)| *reached == session);
        *peer = known.or_else(|| Some((session, netcode.peer(session)?)));
        let Some((_, peer)) = *peer else { return };
        if greeted.is_some_and(|greeted| greeted != *tick) {
            *greeted = Some(*tick);
            outgoing.add(peer, |buffer| netcode.seal_greeting(session, buffer));
        }
        outgoing.add(peer, |buffer| netcode.seal(session, parts, buffer));
    }
}
