//! Runs honest people before and during an attack: a class that builds, people that enter, a guest in the attacked
//! scene, readers of pages, and accounts that sign in. Every refused request is a fault of the realm.

use std::net::Ipv6Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::runtime::Builder;
use tokio::task::JoinSet;
use tokio::time::{Interval, interval, sleep, sleep_until};

use super::mqtt_attacks::filled;
use super::outside::{ClientCredentials, EncryptedEndpoints, HttpsConnection, HttpsRequest, SecureMqttClient, bearer};
use super::stage::{ATTACKED, HALL, HONEST_ACCOUNTS, RealmUnderAttack, WORKSHOP, sign_in};
use super::topology;
use crate::load::person::PersonIdentifiers;
use crate::machine::{own_time, resident_kib};

/// Guests of the class, and the time between two objects of each.
const CLASS: usize = 40;
const CLASS_PERIOD: Duration = Duration::from_millis(500);
/// Time between two objects of the guest in the attacked scene, and objects after which the guest enters again.
const INSIDE_PERIOD: Duration = Duration::from_secs(1);
const INSIDE_VISIT: u64 = 5;
/// Objects of one guest, changed in turn. All guests of a scene may have more objects than the class has.
const OBJECTS: u64 = 20;
const _: () = assert!(CLASS * OBJECTS as usize <= stoa_state::limits::GUESTS_OBJECTS_MAX);
/// Bytes of an object with a few attributes.
const OBJECT_BYTES: usize = 600;
/// Time between two people that enter: 300 in a minute.
const ENTERING_PERIOD: Duration = Duration::from_millis(200);
const PAGE_PERIOD: Duration = Duration::from_secs(1);
const SIGN_IN_PERIOD: Duration = Duration::from_secs(2);
/// The page of the bystanders' scene.
const PAGE: &str = "/public/lobby";
/// Time between two readings of the server's memory.
const READING_PERIOD: Duration = Duration::from_millis(200);
/// Pause after a refusal.
const RETRY: Duration = Duration::from_secs(1);
/// Refusals that a report quotes.
const QUOTED_MAX: usize = 5;

/// The results of honest people in one run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct HonestOutcome {
    /// Requests of the whole run.
    pub(super) requests: u64,
    /// Refused or unanswered requests.
    pub(super) refused: u64,
    /// The first refusals.
    pub(super) refusals: Vec<String>,
    /// The slowest requests during the attack, in seconds.
    pub(super) sign_in_s: f64,
    pub(super) snapshot_s: f64,
    pub(super) page_s: f64,
    /// The largest resident memory during the attack above that before it, in MiB.
    pub(super) memory_mib: f64,
    /// The generator's share of its core during the attack.
    pub(super) generator_load: f64,
    /// Objects that the class stored in the whole run, each an entry of the history.
    #[serde(default)]
    pub(super) built: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TimedRequestKind {
    SignIn,
    Snapshot,
    Page,
}

/// The record that all honest people write.
struct HonestOutcomeRecorder {
    attack_at: Instant,
    outcome: Mutex<HonestOutcome>,
}

impl HonestOutcomeRecorder {
    fn outcome(&self) -> MutexGuard<'_, HonestOutcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request, and its refusal if it was refused.
    fn count<T>(&self, found: Result<T>) -> Option<T> {
        let mut outcome = self.outcome();
        outcome.requests += 1;
        match found {
            Ok(found) => Some(found),
            Err(error) => {
                outcome.refused += 1;
                if outcome.refusals.len() < QUOTED_MAX {
                    outcome.refusals.push(format!("{error:#}"));
                }
                None
            }
        }
    }

    fn count_built(&self) {
        self.outcome().built += 1;
    }

    /// Notes how long a request took, if the attack was under way.
    fn time(&self, request: TimedRequestKind, began: Instant) {
        if began < self.attack_at {
            return;
        }
        let took_s = began.elapsed().as_secs_f64();
        let mut outcome = self.outcome();
        let slowest = match request {
            TimedRequestKind::SignIn => &mut outcome.sign_in_s,
            TimedRequestKind::Snapshot => &mut outcome.snapshot_s,
            TimedRequestKind::Page => &mut outcome.page_s,
        };
        *slowest = slowest.max(took_s);
    }
}

/// The honest people of one run.
pub(super) struct HonestLoad {
    server: EncryptedEndpoints,
    pid: u32,
    class: Vec<ClientCredentials>,
    inside: ClientCredentials,
}

/// A scene in which a person builds.
#[derive(Clone, Copy, Debug)]
struct BuildingSite {
    scene: &'static str,
    from: Ipv6Addr,
    /// Time between two objects.
    period: Duration,
    /// Objects after which the person leaves and enters again.
    visit: u64,
}

/// One person of [`HonestLoad`], as its task sees it.
#[derive(Clone)]
struct HonestPerson {
    server: EncryptedEndpoints,
    record: Arc<HonestOutcomeRecorder>,
}

impl HonestLoad {
    pub(super) fn new(stage: &RealmUnderAttack) -> Result<HonestLoad> {
        Ok(HonestLoad {
            server: stage.outside.clone(),
            pid: stage.server.pid(),
            class: (0..CLASS).map(|index| stage.guest(WORKSHOP, "pupil", index)).collect::<Result<_>>()?,
            inside: stage.guest(ATTACKED, "inside", 0)?,
        })
    }

    /// Runs everyone on this thread until `until`. The attack begins at `attack_at`.
    pub(super) fn run(self, attack_at: Instant, until: Instant) -> Result<HonestOutcome> {
        let HonestLoad { server, pid, class, inside } = self;
        let record = Arc::new(HonestOutcomeRecorder { attack_at, outcome: Mutex::default() });
        let person = HonestPerson { server, record: Arc::clone(&record) };
        let runtime = Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let mut people = JoinSet::new();
            let (from, period) = (topology::CLASS, CLASS_PERIOD);
            let workshop = BuildingSite { scene: WORKSHOP, from, period, visit: u64::MAX };
            for visitor in class {
                people.spawn(person.clone().build(workshop, visitor));
            }
            let (from, period) = (topology::INSIDE, INSIDE_PERIOD);
            let attacked = BuildingSite { scene: ATTACKED, from, period, visit: INSIDE_VISIT };
            people.spawn(person.clone().build(attacked, inside));
            people.spawn(person.clone().open_entrance());
            people.spawn(person.clone().read_pages());
            people.spawn(person.sign_in_again());
            people.spawn(watch(pid, Arc::clone(&record)));
            sleep_until(until.into()).await;
        });
        Ok(record.outcome().clone())
    }
}

impl HonestPerson {
    /// Builds an object in each period.
    async fn build(self, site: BuildingSite, visitor: ClientCredentials) {
        let mut tick = interval(site.period);
        loop {
            tick.tick().await;
            let entered = SecureMqttClient::enter(&self.server, site.from, &visitor, &[]).await;
            match self.record.count(entered.context("a builder enters")) {
                Some(mut client) => self.build_on(&mut client, &visitor.name, (&site, &mut tick)).await,
                None => sleep(RETRY).await,
            }
        }
    }

    /// Builds until the visit ends or the connection fails.
    async fn build_on(
        &self,
        client: &mut SecureMqttClient,
        name: &PersonIdentifiers,
        site: (&BuildingSite, &mut Interval),
    ) {
        let (BuildingSite { scene, visit, .. }, tick) = site;
        for number in 0..*visit {
            tick.tick().await;
            let id = format!("{}-{}", name.id_tag, number % OBJECTS);
            let topic = format!("realm/s/{scene}/o/{}/{id}", name.user_client);
            let packet_id = (number % 0xffff) as u16 + 1;
            let published = client.publish(&topic, filled(&id, number, OBJECT_BYTES).as_bytes(), packet_id).await;
            let is_lost = published.is_err();
            let built = self.record.count(published.context("a builder publishes").and_then(accepted));
            if built.is_some() && *scene == WORKSHOP {
                self.record.count_built();
            }
            if is_lost {
                return sleep(RETRY).await;
            }
        }
    }

    async fn open_entrance(self) {
        let mut tick = interval(ENTERING_PERIOD);
        let mut entering = JoinSet::new();
        for number in 0_u64.. {
            tick.tick().await;
            let person = self.clone();
            entering.spawn(async move {
                let entered = person.enter(number).await;
                person.record.count(entered.context("a person enters"));
            });
            while entering.try_join_next().is_some() {}
        }
    }

    /// Enters as a page does: a token, MQTT with subscriptions, and the snapshot.
    async fn enter(&self, number: u64) -> Result<()> {
        let mut connection = HttpsConnection::open(&self.server, topology::ENTRANCE).await?;
        let body = json!({ "scene": HALL, "name": format!("Visitor {number}") }).to_string();
        let answer = connection.fetch(&HttpsRequest::post("/api/v1/token", "", &body)).await?;
        let visitor = visitor_of(&serde_json::from_slice(&answer.body)?).context("the token's document")?;
        let filters = visitor.name.filters_in(HALL);
        let client = SecureMqttClient::enter(&self.server, topology::ENTRANCE, &visitor, &filters).await?;
        let (began, path) = (Instant::now(), format!("/api/v1/scenes/{HALL}/snapshot"));
        let snapshot = connection.fetch(&HttpsRequest::get(&path, &bearer(&visitor.token))).await;
        self.record.time(TimedRequestKind::Snapshot, began);
        drop(client);
        snapshot.map(drop)
    }

    async fn read_pages(self) {
        let mut tick = interval(PAGE_PERIOD);
        loop {
            tick.tick().await;
            let began = Instant::now();
            let page = self.read_page().await;
            self.record.time(TimedRequestKind::Page, began);
            self.record.count(page.context("a page is read"));
        }
    }

    async fn read_page(&self) -> Result<()> {
        let mut connection = HttpsConnection::open(&self.server, topology::READERS).await?;
        connection.fetch(&HttpsRequest::get(PAGE, "Accept: text/html\r\n")).await.map(drop)
    }

    async fn sign_in_again(self) {
        let mut tick = interval(SIGN_IN_PERIOD);
        for account in HONEST_ACCOUNTS.into_iter().cycle() {
            tick.tick().await;
            let began = Instant::now();
            let session = sign_in(&self.server, topology::READERS, account).await;
            self.record.time(TimedRequestKind::SignIn, began);
            self.record.count(session.context("an account signs in"));
        }
    }
}

/// Reads the server's memory and the generator's processor time during the attack.
async fn watch(pid: u32, record: Arc<HonestOutcomeRecorder>) {
    sleep_until(record.attack_at.into()).await;
    let (began, spent) = (Instant::now(), own_time());
    let before_kib = resident_kib(pid).unwrap_or(0.0);
    let mut tick = interval(READING_PERIOD);
    loop {
        tick.tick().await;
        let grown_mib = (resident_kib(pid).unwrap_or(0.0) - before_kib) / 1_024.0;
        let mut outcome = record.outcome();
        outcome.memory_mib = outcome.memory_mib.max(grown_mib);
        outcome.generator_load = (own_time() - spent).as_secs_f64() / began.elapsed().as_secs_f64().max(0.001);
    }
}

/// Checks the reason code of an acknowledgement.
fn accepted(reason: u8) -> Result<()> {
    ensure!(reason < 0x80, "reason {reason:#x}");
    Ok(())
}

/// The names and the token in the response of `POST /api/v1/token`.
fn visitor_of(document: &Value) -> Option<ClientCredentials> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let ids = &document["ids"];
    let name = PersonIdentifiers {
        account: text(&document["username"])?,
        id_tag: text(&ids["userid"])?,
        user_client: text(&ids["userclient"])?,
    };
    Some(ClientCredentials { name, token: text(&document["token"])? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_counted_and_quoted() {
        let record = HonestOutcomeRecorder { attack_at: Instant::now(), outcome: Mutex::default() };
        assert_eq!(record.count(Ok(7)), Some(7));
        assert!(record.count(accepted(0x97).context("a builder publishes")).is_none());
        let outcome = record.outcome();
        assert_eq!((outcome.requests, outcome.refused), (2, 1));
        assert_eq!(outcome.refusals, ["a builder publishes: reason 0x97"]);
    }

    #[test]
    fn request_times_count_only_during_the_attack() {
        let now = Instant::now();
        let record = HonestOutcomeRecorder { attack_at: now + Duration::from_secs(60), outcome: Mutex::default() };
        record.time(TimedRequestKind::Page, now);
        assert_eq!(record.outcome().page_s, 0.0, "it began before");
        let record = HonestOutcomeRecorder { attack_at: now, outcome: Mutex::default() };
        record.time(TimedRequestKind::SignIn, now);
        let outcome = record.outcome();
        assert!(outcome.sign_in_s > 0.0 && outcome.page_s == 0.0, "{outcome:?}");
    }

    #[test]
    fn a_visitor_is_read_from_a_complete_token_response() {
        let document = json!({
            "token": "t", "username": "anonymous-1",
            "ids": { "userid": "anonymous-1_2", "userclient": "anonymous-1_2_web" },
        });
        let visitor = visitor_of(&document).expect("it is complete");
        assert_eq!((visitor.name.user_client.as_str(), visitor.token.as_str()), ("anonymous-1_2_web", "t"));
        assert!(visitor_of(&json!({ "token": "t" })).is_none());
    }
}
