//! Coming and going, as a thread of the motion plane carries it out.

use std::sync::atomic::Ordering;
use std::time::Instant;

use stoa_net::netcode::{DisconnectNotice, NetcodeSessionId};
use stoa_state::motion::PartialPose;
use stoa_state::realm::{BridgedPose, MotionGrant, MotionReport};
use stoa_state::time::Time;
use tokio::sync::watch;

use super::entry::Admitted;
use super::scene::{Person, Place, Room, Way};
use super::thread::{Entering, MotionThread, Order, Parts, send};
use super::tickets::{By, Ticket};
use crate::limits;

impl MotionThread {
    /// Does what others asked for since the last tick. What there is no time for waits for the next one: whoever comes by many connections holds up nobody's tick.
    pub(super) fn obey(&mut self) {
        let until = self.now() + limits::MOTION_TICK_DELAY_MAX;
        while let Ok(order) = self.parts.orders.try_recv() {
            let now = self.now();
            self.carry_out(order, now);
            if now >= until {
                return;
            }
        }
    }

    fn carry_out(&mut self, order: Order, now: Time) {
        match order {
            Order::Frame { place, frame, at, waiting } => {
                waiting.fetch_sub(1, Ordering::Relaxed);
                if let Some(room) = self.rooms.at(place) {
                    room.scene.handle_frame(place.stay, &frame, at);
                }
            }
            Order::Enter(entering) => self.admit(entering, now),
            Order::Leave { place } => self.leave(place, now),
            Order::End { pass, scene } => {
                let found = self.rooms.find(&scene).and_then(|(index, room)| {
                    room.find_pass(pass).map(|stay| Place { index, serial: room.serial, stay })
                });
                if let Some(place) = found {
                    self.put_out(place);
                }
            }
            Order::Place { scene, placed, _waiting } => {
                if let Some((_, room)) = self.rooms.find(&scene) {
                    let BridgedPose { id_tag, part, position, rotation } = placed;
                    room.scene.place(&id_tag, part, PartialPose { position, rotation }, now);
                }
            }
            Order::Unplace { scene, id_tag, part } => {
                if let Some((_, room)) = self.rooms.find(&scene) {
                    room.scene.unplace(&id_tag, part, now);
                }
            }
            Order::Follow { scene, is_followed } => {
                if let Some((_, room)) = self.rooms.find(&scene) {
                    room.is_followed = is_followed;
                }
            }
            Order::Change { scene, settings } => {
                if let Some((_, room)) = self.rooms.find(&scene) {
                    room.scene.change_settings(settings);
                }
            }
        }
    }

    /// Somebody is in by netcode, if the ticket is good.
    pub(super) fn seat(&mut self, session: NetcodeSessionId, ticket: Option<Ticket>, now: Time) {
        let pass = ticket.and_then(|ticket| self.lock().take(ticket, By::Netcode, Instant::now()));
        let Some(pass) = pass else {
            self.totals.bad_tickets += 1;
            self.dismiss(session);
            return;
        };
        let place = self.enter(pass, Way::Session(session), now);
        if self.seats.len() <= session.slot() {
            self.seats.resize(session.slot() + 1, None);
        }
        self.seats[session.slot()] = Some((session, place));
    }

    /// A session of netcode has ended by itself.
    pub(super) fn unseat(&mut self, session: NetcodeSessionId, now: Time) {
        let seat = self.seats.get_mut(session.slot()).and_then(|seat| seat.take_if(|(seated, _)| *seated == session));
        if let Some((_, place)) = seat {
            self.leave(place, now);
        }
    }

    /// Somebody comes in by a connection of their own, if the ticket is good; else it is not answered.
    fn admit(&mut self, entering: Entering, now: Time) {
        let Entering { ticket, by, sink, answer } = entering;
        let pass = self.lock().take(ticket, by, Instant::now());
        let Some(pass) = pass else {
            self.totals.bad_tickets += 1;
            return;
        };
        let (over, is_over) = watch::channel(());
        let place = self.enter(pass, Way::Sink(sink, over), now);
        if answer.send(Admitted { place, over: is_over }).is_err() {
            self.leave(place, now); // Whoever asked has gone meanwhile.
        }
    }

    fn enter(&mut self, pass: MotionGrant, way: Way, now: Time) -> Place {
        let (index, room) = self.rooms.find_or_make(&pass);
        let serial = room.serial;
        // Of two with the same idTag, the later one stays.
        let before = room.find_id_tag(&pass.id_tag).and_then(|stay| room.leave(stay, now));
        let (scene, pass_id) = (pass.scene.clone(), pass.id);
        let stay = room.enter(pass, way, now);
        // Of another's pass the end is told afterwards, for whoever goes on has not been away. Of the same one, by another way, the realm would take that for the end of both.
        let (again, replaced) = match before {
            Some(before) if before.pass == pass_id => (Some(before), None),
            before => (None, before),
        };
        again.into_iter().for_each(|before| self.see_off(before));
        self.parts.teller.tell(&scene, vec![MotionReport::Entered { motion_grant: pass_id }]);
        self.totals.people += 1;
        replaced.into_iter().for_each(|before| self.see_off(before));
        Place { index, serial, stay }
    }

    /// Takes somebody out who knows it, and the room away if it is empty then.
    fn leave(&mut self, place: Place, now: Time) {
        let person = self.rooms.at(place).and_then(|room| room.leave(place.stay, now));
        if let Some(person) = person {
            self.note_gone(&person);
            self.rooms.tidy(place.index);
        }
    }

    /// Takes somebody out who does not know it yet.
    pub(super) fn put_out(&mut self, place: Place) {
        let now = self.now();
        let person = self.rooms.at(place).and_then(|room| room.leave(place.stay, now));
        if let Some(person) = person {
            self.see_off(person);
            self.rooms.tidy(place.index);
        }
    }

    pub(super) fn put_everybody_out(&mut self) {
        let any = |(index, room): (usize, &mut Room)| Some(Place { index, serial: room.serial, stay: room.any()? });
        loop {
            let found = self.rooms.iter_mut().find_map(any);
            let Some(place) = found else { return };
            self.put_out(place);
        }
    }

    fn note_gone(&mut self, person: &Person) {
        self.parts.teller.tell(&person.scene, vec![MotionReport::Left { motion_grant: person.pass }]);
        self.totals.people -= 1;
        self.lock().leave(person.pass);
    }

    fn see_off(&mut self, person: Person) {
        self.note_gone(&person);
        match person.way {
            Way::Session(session) => {
                if let Some(seat) = self.seats.get_mut(session.slot()) {
                    *seat = None;
                }
                self.dismiss(session);
            }
            // Dropping the other end says it to the connection's task.
            Way::Sink(sink, _over) => sink.close(),
        }
    }

    /// Ends a session of netcode, and says so.
    fn dismiss(&mut self, session: NetcodeSessionId) {
        let Parts { netcode, socket: Some(socket), .. } = &mut self.parts else { return };
        if let Some(DisconnectNotice { peer: way, bytes, times }) = netcode.end(session) {
            for _ in 0..times {
                send(&mut socket.outgoing, way, bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests;
