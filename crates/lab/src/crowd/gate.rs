//! How a crowd gets in: by a ticket for each, asked for when it is that one's turn, for tickets are good for ten seconds.

use std::net::SocketAddr;
use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};

use super::Cast;
use crate::http::Line;
use crate::load::person::Name;
use crate::servers::bare::{self, Bare};
use crate::servers::motion::MotionServer;
use crate::servers::{Rights, Running, Stage};

/// For how long tickets are asked for before those who have one come in: they are good for ten seconds, and who is silent for five is put out.
const ASKING: Duration = Duration::from_secs(2);

/// Who gives the tickets.
pub(crate) enum Gate<'a> {
    /// Nobody asks for one.
    Open,
    /// They were given before.
    Given(Vec<Value>),
    Bare(&'a Bare),
    /// A realm, asked with everybody's token for that one's scene.
    Realm {
        address: SocketAddr,
        bearers: Vec<(String, String)>,
    },
}

impl Gate<'_> {
    /// To a server.
    pub(crate) fn of<'a>(server: &'a MotionServer<'_>, cast: &Cast) -> Result<Gate<'a>> {
        match server {
            MotionServer::Relay(_) => Ok(Gate::Open),
            MotionServer::Bare(_) if cast.scenes() > 1 => bail!("the bare machines have one scene"),
            MotionServer::Bare(bare) => Ok(Gate::Bare(bare)),
            MotionServer::Stoa { running, stage, .. } => Gate::of_realm(running, stage, cast),
        }
    }

    /// To a realm; makes the scenes that are not there. All tokens are signed here: that takes longer than the tickets.
    fn of_realm<'a>(running: &Running, stage: &Stage, cast: &Cast) -> Result<Gate<'a>> {
        let address = running.http()?;
        let mut line = Line::open(address)?;
        for number in 0..cast.scenes() {
            let settings = match cast.policy_of(number) {
                // The first is there from the beginning.
                None if number == 0 => continue,
                None => "{}".to_owned(),
                Some(policy) => format!("{{\"motion_policy\":\"{policy}\"}}"),
            };
            let scene = cast.scene_of(number * cast.together);
            line.put(&format!("/api/v1/scenes/{scene}"), &stage.folder.owner()?, &settings)?;
        }
        let bearer = |person: usize| {
            let scene = cast.scene_of(person);
            Ok((stage.folder.token_in(&scene, &Name::of(person), Rights::Scene)?, scene))
        };
        let bearers: Result<Vec<_>> = (0..cast.people).map(bearer).collect();
        Ok(Gate::Realm { address, bearers: bearers? })
    }

    /// The tickets of some people, as a realm answers.
    pub(crate) fn tickets(&mut self, people: Range<usize>) -> Result<Vec<Value>> {
        self.tickets_until(people, None)
    }

    /// The tickets of the first of these people: of as many as there is time for, so that all of them are young, and whoever is in has not been silent for long.
    pub(crate) fn young_tickets(&mut self, people: Range<usize>) -> Result<Vec<Value>> {
        self.tickets_until(people, Some(Instant::now() + ASKING))
    }

    fn tickets_until(&mut self, people: Range<usize>, deadline: Option<Instant>) -> Result<Vec<Value>> {
        match self {
            Gate::Open => Ok(vec![Value::Null; people.len()]),
            Gate::Given(tickets) => Ok(tickets[people].to_vec()),
            Gate::Bare(bare) => people.map(|person| bare_ticket(bare, person)).collect(),
            Gate::Realm { address, bearers } => {
                // One that has said nothing for a while may have been ended.
                let mut line = Line::open(*address)?;
                let is_time = |_: &_| deadline.is_none_or(|deadline| Instant::now() < deadline);
                let ticket = |(bearer, scene): &(String, String)| {
                    let asked = format!("{{\"scene\":\"{scene}\"}}");
                    Ok(serde_json::from_slice(&line.post("/api/v1/motion-ticket", bearer, &asked)?)?)
                };
                bearers[people].iter().take_while(is_time).map(ticket).collect()
            }
        }
    }
}

fn bare_ticket(bare: &Bare, person: usize) -> Result<Value> {
    let token = bare::token(bare.address, person, &Name::of(person).id_tag)?;
    Ok(json!({ "netcode": { "token": BASE64_STANDARD.encode(token) } }))
}
