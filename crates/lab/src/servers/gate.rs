//! How a crowd gets in: by a ticket for each, asked for when it is that one's turn, for tickets are good for ten seconds.

use std::ops::Range;

use anyhow::Result;
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};

use super::bare::{self, Bare};
use super::{Rights, Running, Stage};
use crate::crowd::Cast;
use crate::http::Line;
use crate::load::person::Name;

/// Who gives the tickets.
pub(crate) enum Gate<'a> {
    /// Nobody asks for one.
    Open,
    /// They were given before.
    Given(Vec<Value>),
    Bare(&'a Bare),
    /// A realm, asked with everybody's token for that one's scene.
    Realm {
        line: Line,
        bearers: Vec<(String, String)>,
    },
}

impl Gate<'_> {
    /// To a realm; makes the scenes that are not there. All tokens are signed here: that takes longer than the tickets.
    pub(super) fn of_realm<'a>(running: &Running, stage: &Stage, cast: &Cast) -> Result<Gate<'a>> {
        let mut line = Line::open(running.http()?)?;
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
        Ok(Gate::Realm { line, bearers: bearers? })
    }

    /// The tickets of some people, as a realm answers.
    pub(crate) fn tickets(&mut self, people: Range<usize>) -> Result<Vec<Value>> {
        match self {
            Gate::Open => Ok(vec![Value::Null; people.len()]),
            Gate::Given(tickets) => Ok(tickets[people].to_vec()),
            Gate::Bare(bare) => people.map(|person| bare_ticket(bare, person)).collect(),
            Gate::Realm { line, bearers } => {
                let ticket = |(bearer, scene): &(String, String)| {
                    let asked = format!("{{\"scene\":\"{scene}\"}}");
                    Ok(serde_json::from_slice(&line.post("/api/v1/motion-ticket", bearer, &asked)?)?)
                };
                bearers[people].iter().map(ticket).collect()
            }
        }
    }
}

fn bare_ticket(bare: &Bare, person: usize) -> Result<Value> {
    let token = bare::token(bare.address, person, &Name::of(person).id_tag)?;
    Ok(json!({ "netcode": { "token": BASE64_STANDARD.encode(token) } }))
}
