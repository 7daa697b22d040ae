//! One scene's motion, and by which way each of those who are in it is reached.

use stoa_net::datagrams::{DatagramSender, PeerAddress as Route};
use stoa_net::frames::FrameSink;
use stoa_net::netcode::{NetcodeServer, NetcodeSessionId};
use stoa_state::motion::serving::{SceneLoad, ServingMode};
use stoa_state::motion::{
    MotionEntrant, MotionScene, MotionSessionId, OutgoingFrame as Frame, PoseChange, ReportedPoses,
};
use stoa_state::realm::{MotionGrant, MotionGrantId, MotionReport};
use stoa_state::time::Time;
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::topic::SceneName;
use tokio::sync::watch;

use crate::limits;

/// Behind the last part of a frame.
const PADDING: [u8; FRAME_BYTES_MAX] = [0; FRAME_BYTES_MAX];

/// Where somebody is: which room, and who in it. Never means anybody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) index: usize,
    /// Of the room: an index is given again.
    pub(super) serial: u64,
    pub(super) stay: MotionSessionId,
}

/// By which way somebody is reached.
pub(super) enum Way {
    /// netcode.
    Session(NetcodeSessionId),
    /// A connection of its own. The sender's end is the end of the stay.
    Sink(Box<dyn FrameSink>, watch::Sender<()>),
}

/// Somebody who is in.
pub(super) struct Person {
    pub(super) stay: MotionSessionId,
    pub(super) pass: MotionGrantId,
    pub(super) scene: SceneName,
    id_tag: String,
    pub(super) way: Way,
    /// netcode: it comes from another address than before, and that has proved nothing yet.
    is_unproved: bool,
    /// netcode: the tick in which it was last greeted, until it says something.
    greeted: Option<u64>,
    /// It got something in this tick.
    is_touched: bool,
}

/// One scene's motion.
pub(super) struct Room {
    pub(super) name: SceneName,
    pub(super) serial: u64,
    pub(super) scene: MotionScene,
    /// By the slot of their stay.
    people: Vec<Option<Person>>,
    touched: Vec<usize>,
    bridge: ReportedPoses,
    /// Somebody hears by MQTT where they are, or nobody has said yet that nobody does.
    pub(super) is_followed: bool,
    /// It is among those that something may have come to: see [`Rooms::drain_stirred`](super::scenes::Rooms::drain_stirred).
    pub(super) is_stirred: bool,
    /// It is served as soon as something has come, and not only tick by tick.
    is_at_once: bool,
    /// How many frames had said where something is when its load was last looked at.
    frames_before: u64,
    /// The telling of places in which it last had its turn.
    told_at: u64,
}

/// Who is served.
#[derive(Clone, Copy, Debug)]
enum Service {
    Fifth,
    All,
}

/// The way out.
pub(super) struct Post<'a> {
    pub(super) netcode: &'a mut NetcodeServer,
    /// `None`: there is no UDP.
    pub(super) outgoing: Option<&'a mut DatagramSender>,
    pub(super) tick: u64,
    pub(super) serving: ServingMode,
    /// Where the one whose frames go out now is reached: they come one after the other.
    pub(super) route: Option<(NetcodeSessionId, Route)>,
}

impl Room {
    pub(super) fn new(pass: &MotionGrant, serial: u64) -> Room {
        let scene = MotionScene::new(pass.settings).staggered(serial);
        Room {
            name: pass.scene.clone(),
            serial,
            scene,
            people: Vec::new(),
            touched: Vec::new(),
            bridge: ReportedPoses::default(),
            is_followed: true,
            is_stirred: false,
            is_at_once: true,
            frames_before: 0,
            told_at: 0,
        }
    }

    /// Somebody comes in. Nobody of that idTag is in: see [`Room::find_id_tag`].
    pub(super) fn enter(&mut self, pass: MotionGrant, way: Way, now: Time) -> MotionSessionId {
        let MotionGrant { id, id_tag, may_show, may_track, .. } = pass;
        let stay = self.scene.enter(MotionEntrant { id_tag: id_tag.clone(), may_show, may_track }, now);
        let greeted = matches!(way, Way::Session(_)).then_some(0);
        let scene = self.name.clone();
        let person = Person { stay, pass: id, scene, id_tag, way, is_unproved: false, greeted, is_touched: false };
        if self.people.len() <= stay.slot() {
            self.people.resize_with(stay.slot() + 1, || None);
        }
        self.people[stay.slot()] = Some(person);
        stay
    }

    /// Takes somebody out; the caller tells it so.
    pub(super) fn leave(&mut self, stay: MotionSessionId, now: Time) -> Option<Person> {
        let person = self.people.get_mut(stay.slot())?.take_if(|person| person.stay == stay)?;
        self.scene.leave(stay, now);
        Some(person)
    }

    pub(super) fn find_id_tag(&self, id_tag: &str) -> Option<MotionSessionId> {
        self.people.iter().flatten().find(|person| person.id_tag == id_tag).map(|person| person.stay)
    }

    pub(super) fn find_pass(&self, pass: MotionGrantId) -> Option<MotionSessionId> {
        self.people.iter().flatten().find(|person| person.pass == pass).map(|person| person.stay)
    }

    /// What has changed of heads and hands, in a telling of this number: of some of them, where somebody follows; else of as many once in several tellings, of which each room has its own.
    pub(super) fn poll_bridge(&mut self, telling: u64) -> Vec<MotionReport> {
        let turn = |telling| (telling + self.serial) / limits::MOTION_BRIDGE_SELDOM as u64;
        let most = match self.is_followed {
            true => limits::MOTION_BRIDGE_PLACES,
            false if turn(telling) > turn(self.told_at) => limits::MOTION_BRIDGE_PLACES * limits::MOTION_BRIDGE_SELDOM,
            false => return Vec::new(),
        };
        self.told_at = telling;
        let Room { scene, people, bridge, .. } = self;
        let mut told = Vec::new();
        bridge.poll(scene, most, |stay, part, moved| {
            let Some(person) = people.get(stay.slot()).and_then(Option::as_ref) else { return };
            let pass = person.pass;
            told.push(match moved {
                PoseChange::To(pose) => MotionReport::Moved { motion_grant: pass, part, pose },
                PoseChange::Gone => MotionReport::Gone { motion_grant: pass, part },
            });
        });
        told
    }

    /// Anybody.
    pub(super) fn any(&self) -> Option<MotionSessionId> {
        self.people.iter().flatten().map(|person| person.stay).next()
    }

    /// A frame came by netcode; true: the address that it came from has proved itself. `moved`: it is another address than before, and this is a number by chance.
    /// Hot path: no allocation, no search.
    pub(super) fn handle_sealed(
        &mut self,
        stay: MotionSessionId,
        (bytes, moved): (&[u8], Option<u32>),
        now: Time,
    ) -> bool {
        // First of all: also what this very frame acknowledges may be guessed.
        if let Some(random) = moved {
            self.scene.handle_moved(stay, random, now);
        }
        self.scene.handle_frame(stay, bytes, now);
        let Some(person) = self.people.get_mut(stay.slot()).and_then(Option::as_mut) else { return false };
        person.greeted = None;
        person.is_unproved |= moved.is_some();
        let is_proved = person.is_unproved && self.scene.is_proved(stay);
        person.is_unproved &= !is_proved;
        is_proved
    }

    /// What was said by how many since this was asked last.
    pub(super) fn take_load(&mut self) -> SceneLoad {
        let said = self.scene.said();
        let frames = said - std::mem::replace(&mut self.frames_before, said);
        SceneLoad { people: self.scene.len(), frames, is_at_once: self.is_at_once }
    }

    pub(super) fn set_at_once(&mut self, is_at_once: bool) {
        self.is_at_once = is_at_once;
    }

    /// Serves all receivers with what has come, if this scene is served at once.
    pub(super) fn serve_at_once(&mut self, post: &mut Post<'_>, now: Time) {
        if self.is_at_once && post.serving.bears(self.scene.len()) && self.scene.has_news() {
            self.serve(post, Service::All, now);
        }
    }

    /// Serves a fifth of the receivers.
    pub(super) fn tick(&mut self, post: &mut Post<'_>, now: Time) {
        self.serve(post, Service::Fifth, now);
    }

    /// Hot path: one copy for each datagram, no allocation, no lock, no map.
    fn serve(&mut self, post: &mut Post<'_>, service: Service, now: Time) {
        let Room { scene, people, touched, .. } = self;
        let mut out = |frame: Frame<'_>| {
            let slot = frame.session.slot();
            let Some(person) = people.get_mut(slot).and_then(Option::as_mut) else { return };
            let parts = [&frame.head[..], frame.own, frame.shared, &PADDING[..frame.padding]];
            match &mut person.way {
                Way::Session(session) => post.send(*session, &mut person.greeted, &parts),
                Way::Sink(sink, _) => {
                    sink.put(&parts);
                    if !std::mem::replace(&mut person.is_touched, true) {
                        touched.push(slot);
                    }
                }
            }
        };
        match service {
            Service::Fifth => scene.tick(now, &mut out),
            Service::All => scene.flush(now, &mut out),
        }
        for slot in touched.drain(..) {
            if let Some(Person { way: Way::Sink(sink, _), is_touched, .. }) = people[slot].as_mut() {
                sink.flush();
                *is_touched = false;
            }
        }
    }
}

impl Post<'_> {
    fn send(&mut self, session: NetcodeSessionId, greeted: &mut Option<u64>, parts: &[&[u8]]) {
        let Post { netcode, outgoing: Some(outgoing), tick, route, .. } = self else { return };
        let known = route.filter(|(reached, _)| *reached == session);
        *route = known.or_else(|| Some((session, netcode.peer(session)?)));
        let Some((_, way)) = *route else { return };
        if greeted.is_some_and(|greeted| greeted != *tick) {
            *greeted = Some(*tick);
            outgoing.add(way, |room| netcode.seal_greeting(session, room));
        }
        outgoing.add(way, |room| netcode.seal(session, parts, room));
    }
}
