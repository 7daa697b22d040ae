//! Gets a ticket for each person of a crowd, shortly before the person enters, since tickets are valid for ten
//! seconds.

use std::net::SocketAddr;
use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};

use super::CrowdSettings;
use crate::http::HttpConnection;
use crate::load::person::PersonIdentifiers;
use crate::servers::bare::{self, BareServer};
use crate::servers::motion::MotionServerUnderTest;
use crate::servers::{IssuedTokenScope, RunningServer, Testbed};

/// Time for which tickets are requested before their holders enter. Tickets are valid for ten seconds, and sessions
/// that are silent for five are ended.
const ASKING: Duration = Duration::from_secs(2);

/// The source of tickets.
pub(crate) enum TicketSource<'a> {
    /// No tickets are needed.
    Open,
    /// Tickets issued before.
    Given(Vec<Value>),
    Bare(&'a BareServer),
    /// A realm, which issues a ticket for each person's token and scene.
    Realm {
        address: SocketAddr,
        bearers: Vec<(String, String)>,
    },
}

impl TicketSource<'_> {
    /// The source of tickets for a server.
    pub(crate) fn of<'a>(server: &'a MotionServerUnderTest<'_>, cast: &CrowdSettings) -> Result<TicketSource<'a>> {
        match server {
            MotionServerUnderTest::Relay(_) => Ok(TicketSource::Open),
            MotionServerUnderTest::Bare(_) if cast.scenes() > 1 => bail!("the bare machines have one scene"),
            MotionServerUnderTest::Bare(bare) => Ok(TicketSource::Bare(bare)),
            MotionServerUnderTest::Stoa { running, testbed, .. } => TicketSource::of_realm(running, testbed, cast),
        }
    }

    /// The source of tickets for a realm; creates missing scenes. All tokens are signed here, which takes longer
    /// than the tickets.
    fn of_realm<'a>(running: &RunningServer, testbed: &Testbed, cast: &CrowdSettings) -> Result<TicketSource<'a>> {
        let address = running.http()?;
        let mut connection = HttpConnection::open(address)?;
        for number in 0..cast.scenes() {
            let settings = match cast.policy_of(number) {
                // The first scene exists from the start.
                None if number == 0 => continue,
                None => "{}".to_owned(),
                Some(policy) => format!("{{\"motion_policy\":\"{policy}\"}}"),
            };
            let scene = cast.scene_of(number * cast.together);
            connection.put(&format!("/api/v1/scenes/{scene}"), &testbed.folder.owner()?, &settings)?;
        }
        let bearer = |person: usize| {
            let scene = cast.scene_of(person);
            Ok((testbed.folder.token_in(&scene, &PersonIdentifiers::of(person), IssuedTokenScope::Scene)?, scene))
        };
        let bearers: Result<Vec<_>> = (0..cast.people).map(bearer).collect();
        Ok(TicketSource::Realm { address, bearers: bearers? })
    }

    /// The tickets of some people, in the realm's format.
    pub(crate) fn tickets(&mut self, people: Range<usize>) -> Result<Vec<Value>> {
        self.tickets_until(people, None)
    }

    /// The tickets of the first of these people, as many as [`ASKING`] allows. All tickets are then fresh, and
    /// admitted people have not been silent for long.
    pub(crate) fn young_tickets(&mut self, people: Range<usize>) -> Result<Vec<Value>> {
        self.tickets_until(people, Some(Instant::now() + ASKING))
    }

    fn tickets_until(&mut self, people: Range<usize>, deadline: Option<Instant>) -> Result<Vec<Value>> {
        match self {
            TicketSource::Open => Ok(vec![Value::Null; people.len()]),
            TicketSource::Given(tickets) => Ok(tickets[people].to_vec()),
            TicketSource::Bare(bare) => people.map(|person| bare_ticket(bare, person)).collect(),
            TicketSource::Realm { address, bearers } => {
                // The server may have closed an idle connection.
                let mut connection = HttpConnection::open(*address)?;
                let is_time = |_: &_| deadline.is_none_or(|deadline| Instant::now() < deadline);
                let ticket = |(bearer, scene): &(String, String)| {
                    let asked = format!("{{\"scene\":\"{scene}\"}}");
                    Ok(serde_json::from_slice(&connection.post("/api/v1/motion-ticket", bearer, &asked)?)?)
                };
                bearers[people].iter().take_while(is_time).map(ticket).collect()
            }
        }
    }
}

fn bare_ticket(bare: &BareServer, person: usize) -> Result<Value> {
    let token = bare::token(bare.address, person, &PersonIdentifiers::of(person).id_tag)?;
    Ok(json!({ "netcode": { "token": BASE64_STANDARD.encode(token) } }))
}
