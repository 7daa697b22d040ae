//! People on the motion plane, one thread for all of them: everybody moves and turns in each tick and says so, opens every datagram that comes, and some, drawn by a seed, look at
//! all that is in them. Cheap enough not to be what is measured.

pub(crate) mod book;
pub(crate) mod calendar;
mod cast;
pub(crate) mod decoder;
pub(crate) mod delayed;
pub(crate) mod drawn;
pub(crate) mod hearing;
pub(crate) mod lines;
mod marks;
mod pace;
pub(crate) mod relayed;
pub(crate) mod simulated;
pub(crate) mod sockets;
pub(crate) mod stretch;
pub(crate) mod watch;
pub(crate) mod webtransport;

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{Change, PackedPose, PartsWriter, Quality};

use self::book::Book;
use self::calendar::Calendar;
pub(crate) use self::cast::Cast;
use self::decoder::{Decoder, ObjectId};
use self::drawn::{Drawn, Sample};
use self::hearing::{Hearing, Saying};
use self::lines::{LineCounts, Lines, SAID_TOGETHER, listen};
use self::marks::{poses_of, turn_of};
use self::pace::{Pace, Spoken};
use crate::bots::{Bot, Bots, Ground, length, minus};
use crate::limits;
use crate::load::person::Name;
use crate::search::NotCarried;
use crate::servers::gate::Gate;

/// Everybody, and their ways to the server.
pub(crate) struct Crowd<L> {
    pub(crate) lines: L,
    room: Room,
}

/// Everybody.
struct Room {
    cast: Cast,
    people: Vec<Person>,
    /// So many have a ticket; the others have nothing to say yet.
    admitted: usize,
    bots: Box<dyn Bots>,
    calendar: Calendar,
    /// The turn that the bots have taken.
    turn: u64,
    /// Frames that were said.
    said: u64,
    began: Instant,
    book: Option<Book>,
    /// Frames that are none, and what came of somebody in another scene.
    malformed: u64,
    /// What those who look at everything have on their screens, where that is wanted.
    screens: Vec<Drawn>,
    /// Where all were at each turn, for these.
    paths: Vec<Vec<Ground>>,
    writer: PartsWriter,
}

struct Person {
    hearing: Hearing,
    decoder: Option<(usize, Decoder)>,
    /// The last time.
    spoken: Option<Spoken>,
}

/// What came over a time.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
pub(crate) struct Came {
    /// Frames that came to all, and that were sent to all, as far as is known.
    pub(crate) frames: u64,
    pub(crate) sent: u64,
    /// Frames that all said.
    pub(crate) said: u64,
    /// Objects that came or went around somebody, and frames that told of at least one for the first time.
    pub(crate) changes: u64,
    pub(crate) change_frames: u64,
}

impl Came {
    /// Frames that were sent and did not come.
    pub(crate) fn lost(&self) -> u64 {
        self.sent.saturating_sub(self.frames)
    }

    pub(crate) fn since(self, before: &Came) -> Came {
        Came {
            frames: self.frames - before.frames,
            sent: self.sent - before.sent,
            said: self.said - before.said,
            changes: self.changes - before.changes,
            change_frames: self.change_frames - before.change_frames,
        }
    }
}

impl<L: Lines> Crowd<L> {
    pub(crate) fn new(cast: Cast, lines: L, bots: Box<dyn Bots>) -> Crowd<L> {
        let mut rng = fastrand::Rng::with_seed(cast.seed);
        let decoders = rng.choose_multiple(0..cast.people, cast.decoders);
        let mut people: Vec<Person> = (0..cast.people)
            .map(|person| Person { hearing: Hearing::new(Name::of(person).id_tag), decoder: None, spoken: None })
            .collect();
        for (number, person) in decoders.into_iter().enumerate() {
            people[person].decoder = Some((number, Decoder::default()));
        }
        let room = Room {
            cast,
            people,
            admitted: 0,
            bots,
            calendar: Calendar::new(cast.people, cast.period_us(), cast.seed),
            turn: 0,
            said: 0,
            began: Instant::now(),
            book: None,
            malformed: 0,
            screens: Vec::new(),
            paths: Vec::new(),
            writer: PartsWriter::new(FRAME_BYTES_MAX - HEAD_BYTES),
        };
        Crowd { lines, room }
    }

    /// Everybody comes in by waves, and is shown. Who is in speaks now and then while others enter: the server ends silent stays.
    pub(crate) fn enter(&mut self, gate: &mut Gate<'_>) -> Result<()> {
        let people = self.room.cast.people;
        if self.room.admitted == 0 {
            // Nobody has a turn to make up for before anybody is there.
            self.room.began = Instant::now();
        }
        while self.room.admitted < people {
            let wave = self.room.admitted..people.min(self.room.admitted + L::WAVE);
            let tickets = gate.young_tickets(wave)?;
            self.lines.admit(&tickets)?;
            self.room.admitted += tickets.len();
            self.await_shown(self.room.admitted)?;
        }
        Ok(())
    }

    /// Until the first so many are in and were told of what they show.
    fn await_shown(&mut self, people: usize) -> Result<()> {
        let deadline = Instant::now() + limits::ENTERING_TIMEOUT;
        loop {
            self.drive_at(Pace::Waiting, self.now_us() + 100_000)?;
            let outside = (0..people).filter(|person| !self.lines.is_in(*person)).count();
            let unseen = (0..people).filter(|person| !self.room.is_shown::<L>(*person)).count();
            if outside == 0 && unseen == 0 {
                return Ok(());
            }
            if Instant::now() >= deadline {
                bail!(NotCarried(format!("{outside} of {people} are not in, {unseen} were not shown")));
            }
        }
    }

    /// Until everybody knows of all in the same scene: where each sees all, for elsewhere nobody is told of all.
    pub(crate) fn await_roommates(&mut self) -> Result<()> {
        let deadline = Instant::now() + limits::ENTERING_TIMEOUT;
        while !self.room.all_know_their_roommates() {
            self.drive_at(Pace::Waiting, self.now_us() + 100_000)?;
            if Instant::now() >= deadline {
                bail!(NotCarried("not everybody was told of all others".to_owned()));
            }
        }
        Ok(())
    }

    pub(crate) fn now_us(&self) -> u64 {
        self.room.now_us()
    }

    /// Where everybody is.
    pub(crate) fn bots(&self) -> &[Bot] {
        self.room.bots.bots()
    }

    /// Bots that waited for everybody to be in begin to move.
    pub(crate) fn begin(&mut self) {
        self.room.bots.begin();
    }

    /// From now on those who look at everything have screens. To be called before anybody comes in.
    pub(crate) fn show(&mut self) {
        self.room.screens = (0..self.room.cast.decoders).map(|_| Drawn::new(self.room.cast.period)).collect();
    }

    /// What is on all screens now.
    pub(crate) fn draw(&self) -> impl Iterator<Item = Sample> {
        let now_us = self.room.now_us();
        self.room.screens.iter().flat_map(move |screen| screen.draw(now_us))
    }

    /// How far from what was drawn somebody was at a moment, in millimetres.
    pub(crate) fn away_mm(&self, sample: &Sample, at_us: f64) -> f64 {
        let place = self.room.place_at(sample.object.person, at_us);
        length(minus(place, sample.place)) * 1_000.0
    }

    /// From now on writes down what is seen between the two times.
    pub(crate) fn open_book(&mut self, window_us: (u64, u64)) {
        let Cast { decoders, people, objects, .. } = self.room.cast;
        let mut book = Book::new((decoders, people * objects), window_us);
        let now_us = self.room.now_us();
        for (number, person) in self.room.people.iter().enumerate() {
            let Some((receiver, decoder)) = &person.decoder else { continue };
            let others = decoder.seen().filter(|object| object.person != number);
            others.for_each(|object| book.enter((*receiver, object_number(object, objects)), now_us));
        }
        self.room.book = Some(book);
    }

    /// What was written down.
    pub(crate) fn close_book(&mut self) -> Option<Book> {
        let mut book = self.room.book.take()?;
        book.close();
        Some(book)
    }

    /// Speaks and listens until then.
    pub(crate) fn drive(&mut self, until_us: u64) -> Result<()> {
        self.drive_at(Pace::Full, until_us)
    }

    fn drive_at(&mut self, pace: Pace, until_us: u64) -> Result<()> {
        let Crowd { lines, room } = self;
        loop {
            let now_us = room.now_us();
            if now_us >= until_us {
                return Ok(());
            }
            // Who is far behind still listens, or what comes is lost for want of room.
            let speaking_since = Instant::now();
            let enough = room.said + SAID_TOGETHER as u64;
            while room.said < enough
                && let Some((person, turn)) = room.calendar.next(now_us)
            {
                room.step_to(turn);
                if pace == Pace::Full || room.has_to_speak(lines, person, now_us) {
                    room.say(lines, (person, turn));
                }
            }
            let wake_us = room.calendar.due_us().min(until_us);
            let wake_at = room.began + Duration::from_micros(wake_us);
            listen(lines, (speaking_since, wake_at), &mut |person, frame| {
                let now_us = room.now_us();
                if L::IS_RELAYED {
                    room.hear_relayed(person, frame, now_us);
                } else {
                    room.hear(person, frame, now_us);
                }
            })?;
        }
    }

    /// What came to everybody since the beginning.
    pub(crate) fn came(&self) -> Came {
        let mut came = Came { said: self.room.said, ..Came::default() };
        for hearing in self.room.people.iter().map(|person| &person.hearing) {
            let (received, newest) = hearing.came();
            let (changes, change_frames) = hearing.told();
            came.frames += u64::from(received);
            came.sent += u64::from(newest);
            came.changes += u64::from(changes);
            came.change_frames += u64::from(change_frames);
        }
        came
    }

    /// How many objects everybody has around at this moment, on average, without their own.
    pub(crate) fn around(&self) -> f64 {
        let people = self.room.people.iter().map(|person| f64::from(person.hearing.around()));
        people.sum::<f64>() / self.room.cast.people as f64 - self.room.cast.objects as f64
    }

    /// Pairs of one who looks at everything and another's object in the same scene.
    pub(crate) fn pairs(&self) -> usize {
        let Room { cast, people, .. } = &self.room;
        let looking = people.iter().enumerate().filter(|(_, person)| person.decoder.is_some());
        looking.map(|(person, _)| (cast.roommates(person).len() - 1) * cast.objects).sum()
    }

    pub(crate) fn counts(&self) -> LineCounts {
        self.lines.counts()
    }

    /// Frames that nobody could read, since the beginning.
    pub(crate) fn malformed(&self) -> u64 {
        self.room.malformed
    }

    /// What the server last told those who look at everything.
    pub(crate) fn qualities(&self) -> impl Iterator<Item = Quality> {
        let looking = self.room.people.iter().filter(|person| person.decoder.is_some());
        looking.filter_map(|person| person.hearing.quality)
    }
}

impl Room {
    fn now_us(&self) -> u64 {
        self.began.elapsed().as_micros() as u64
    }

    fn all_know_their_roommates(&self) -> bool {
        let mut people = self.people.iter().enumerate();
        let objects = self.cast.objects;
        people.all(|(number, person)| person.hearing.told().0 as usize >= self.cast.roommates(number).len() * objects)
    }

    /// Everybody moves on.
    fn step_to(&mut self, turn: u64) {
        while self.turn < turn {
            self.bots.step(self.cast.period);
            self.turn += 1;
            if !self.screens.is_empty() {
                self.paths.push(self.bots.bots().iter().map(|bot| bot.place).collect());
            }
        }
    }

    /// Whether it is time for somebody to say something while others come in.
    fn has_to_speak<L: Lines>(&self, lines: &L, person: usize, now_us: u64) -> bool {
        let Person { hearing, spoken, .. } = &self.people[person];
        let is_known = lines.is_in(person) && self.is_shown::<L>(person);
        spoken.is_none_or(|spoken| spoken.is_over(is_known, (now_us, hearing.told().0)))
    }

    /// Whether somebody was told of all that it shows. By a relay nobody is told.
    fn is_shown<L: Lines>(&self, person: usize) -> bool {
        L::IS_RELAYED || self.people[person].hearing.is_shown(self.cast.objects)
    }

    fn say(&mut self, lines: &mut impl Lines, (person, turn): (usize, u64)) {
        if person >= self.admitted {
            return;
        }
        self.said += 1;
        let poses = poses_of(&self.bots.bots()[person].pose(), turn);
        let Person { hearing, decoder, spoken } = &mut self.people[person];
        let now_us = self.began.elapsed().as_micros() as u64;
        *spoken = Some(Spoken { at_us: now_us, told: hearing.told().0 });
        let mut asks = decoder.as_mut().map(|(_, decoder)| decoder.take_lacking()).unwrap_or_default();
        if let Some(screen) = decoder.as_ref().and_then(|(number, _)| self.screens.get_mut(*number)) {
            asks = screen.take_asked(now_us);
        }
        let saying = Saying { poses: &poses[..self.cast.objects], asks: &asks, now_us };
        let head = hearing.say(&saying, &mut self.writer);
        let mut frame = [0; FRAME_BYTES_MAX];
        let length = HEAD_BYTES + self.writer.bytes().len();
        frame[..HEAD_BYTES].copy_from_slice(&head);
        frame[HEAD_BYTES..length].copy_from_slice(self.writer.bytes());
        lines.say(person, &frame[..length]);
    }

    fn hear(&mut self, person: usize, bytes: &[u8], now_us: u64) {
        let Room { cast, people, bots, calendar, book, malformed, screens, .. } = self;
        let Person { hearing, decoder, .. } = &mut people[person];
        let objects = cast.objects;
        let mut see = |receiver: usize, object: ObjectId, pose: &PackedPose| {
            // What everybody knows of itself is no news.
            let Some(book) = book.as_mut().filter(|_| object.person != person) else { return };
            let said = turn_of(pose, object.index, calendar.last_of(object.person));
            let due_us = calendar.due_of(object.person, said);
            book.see((receiver, object_number(object, objects)), (said, due_us), now_us);
        };
        let Some((receiver, decoder)) = decoder else {
            *malformed += u64::from(hearing.take(bytes, now_us, &mut |_| {}).is_none());
            return;
        };
        let mut crossed = Vec::new();
        let frame = hearing.take(bytes, now_us, &mut |change: &Change<'_>| crossed.extend(decoder.change(change)));
        let Some(frame) = frame else {
            *malformed += 1;
            return;
        };
        let roommates = cast.roommates(person);
        let strangers = crossed.extract_if(.., |(object, _)| !roommates.contains(&object.person)).count();
        *malformed += strangers as u64;
        let are_told = bots.are_told();
        decoder.decode(&frame, |object, pose| {
            see(*receiver, object, pose);
            if are_told && object.index == 0 {
                let [x, _, z] = pose.position.map(|ordinate| f64::from(ordinate) / 1_000.0);
                bots.see((person, object.person), [x, z], now_us);
            }
        });
        let left = crossed.iter().filter(|(_, has_entered)| !has_entered);
        left.for_each(|(object, _)| bots.lose((person, object.person)));
        if let Some(screen) = screens.get_mut(*receiver) {
            screen.hear(bytes, now_us, |object, pose| {
                calendar.due_of(object.person, turn_of(pose, object.index, calendar.last_of(object.person)))
            });
        }
        if let Some(book) = book {
            for (object, has_entered) in crossed.into_iter().filter(|(object, _)| object.person != person) {
                let pair = (*receiver, object_number(object, objects));
                if has_entered { book.enter(pair, now_us) } else { book.leave(pair, now_us) }
            }
        }
    }
}

impl Room {
    /// Something came by a relay. All whom a receiver ever heard of are around it.
    fn hear_relayed(&mut self, person: usize, datagram: &[u8], now_us: u64) {
        let Room { cast, people, calendar, book, malformed, .. } = self;
        let (Some((receiver, _)), Some(book)) = (&people[person].decoder, book) else { return };
        let decoded = relayed::decode(datagram, |object, pose| {
            if object.person == person {
                return;
            }
            let said = turn_of(pose, object.index, calendar.last_of(object.person));
            let pair = (*receiver, object_number(object, cast.objects));
            book.enter(pair, now_us);
            book.see(pair, (said, calendar.due_of(object.person, said)), now_us);
        });
        *malformed += u64::from(decoded.is_none());
    }

    /// Where somebody was at a moment: between two turns, on the way from one to the other.
    fn place_at(&self, person: usize, at_us: f64) -> Ground {
        let first_us = self.calendar.due_of(person, 1) as f64;
        let turns = ((at_us - first_us) / self.cast.period_us() as f64).max(0.0);
        let place = |turn: usize| self.paths[turn.min(self.paths.len() - 1)][person];
        let (from, to) = (place(turns as usize), place(turns as usize + 1));
        [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * turns.fract())
    }
}

fn object_number(object: ObjectId, objects: usize) -> usize {
    object.person * objects + object.index
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::random_walk::RandomWalk;

    /// A way on which nothing comes and everybody is in.
    impl Lines for () {
        const IS_RELAYED: bool = true;

        fn say(&mut self, _person: usize, _frame: &[u8]) {}

        fn receive(&mut self, _until: Instant, _hear: &mut dyn FnMut(usize, &[u8])) -> Result<usize> {
            Ok(0)
        }

        fn is_in(&self, _person: usize) -> bool {
            true
        }

        fn counts(&self) -> LineCounts {
            LineCounts::default()
        }
    }

    #[test]
    fn who_is_in_says_little_while_others_come_in_and_all_of_it_afterwards() {
        let cast = Cast { people: 4, period: Duration::from_millis(2), ..Cast::default() };
        let mut crowd = Crowd::new(cast, (), Box::new(RandomWalk::new(4, 1)));
        let began = Instant::now();
        crowd.enter(&mut Gate::Open).expect("they are in");
        let most = 4 * (1 + began.elapsed().as_secs());
        assert!((4..=most).contains(&crowd.came().said), "{} of {most}", crowd.came().said);
        let (said, deadline) = (crowd.came().said, Instant::now() + Duration::from_secs(10));
        while crowd.came().said < said + 400 {
            crowd.drive(crowd.now_us() + 50_000).expect("a way");
            assert!(Instant::now() < deadline, "{}", crowd.came().said);
        }
    }
}
