//! Clients' actions: chosen at random, and aimed at rows that the run has not met.

use std::collections::BTreeMap;

use fastrand::Rng;
use serde_json::{Value, json};
use stoa_wire::topic::SceneName;

use crate::coverage::SceneSituation;
use crate::model::{MessageSender, SceneModel};

/// The next action of a client.
#[derive(Debug)]
pub(crate) enum ClientAction {
    /// Sends messages in this order: topic below the scene, payload.
    Say(Vec<(String, Value)>),
    /// Loses its connection without a DISCONNECT.
    Lose,
    /// Leaves, and enters the other scene.
    ChangeScene,
    /// Stops reading and writing for a while.
    Freeze,
    /// Resets the scene, as its owner.
    Reset,
    /// Removes the scene and creates it again under the same name.
    Remove,
    /// Crashes the server.
    Crash,
}

/// The acting client, its scene, all scenes, and a row that the run has not met.
#[derive(Clone, Copy)]
pub(crate) struct ActionChoiceInput<'a> {
    pub(crate) sender: &'a MessageSender,
    pub(crate) model: &'a SceneModel,
    pub(crate) scenes: &'a BTreeMap<SceneName, SceneModel>,
    pub(crate) missing: Option<SceneSituation>,
}

const IDS: [&str; 10] = ["lamp", "box", "door", "sign", "tree", "cup", "wall", "roof", "été", "program1"];

/// Maximum of objects in a scene that is copied, or copied to.
const TEMPLATE_MAX: usize = 40;

/// Chooses an action.
pub(crate) fn choose(rng: &mut Rng, turn: ActionChoiceInput<'_>) -> ClientAction {
    if let (Some(row), true, true) = (turn.missing, turn.sender.builds && !turn.sender.guest, rng.bool()) {
        return ClientAction::Say(aimed(rng, turn, row));
    }
    match rng.u32(0..1_000) {
        0..15 => ClientAction::Lose,
        15..25 => ClientAction::ChangeScene,
        25..40 => ClientAction::Freeze,
        40..43 if turn.sender.builds && !turn.sender.guest => ClientAction::Reset,
        43..46 => ClientAction::Crash,
        46..49 if turn.sender.builds && !turn.sender.guest => ClientAction::Remove,
        46..400 => ClientAction::Say(social(rng, turn)),
        400..415 if turn.sender.builds => ClientAction::Say(animation(rng, turn.sender)),
        415..435 if turn.sender.builds && !turn.sender.guest => ClientAction::Say(template(rng, turn)),
        435..450 if turn.sender.builds && !turn.sender.guest => ClientAction::Say(vec![instance(rng, turn)]),
        _ if turn.sender.builds || rng.u32(0..10) == 0 => ClientAction::Say(vec![building(rng, turn)]),
        _ => ClientAction::Say(social(rng, turn)),
    }
}

/// Messages of an entrance: camera first.
pub(crate) fn entrance(sender: &MessageSender) -> Vec<(String, Value)> {
    let name = format!("Display {}", sender.id_tag);
    vec![camera(sender, "create", 0.0), presence(sender, "join", &name)]
}

/// Message of an orderly leave.
pub(crate) fn farewell(sender: &MessageSender) -> (String, Value) {
    presence(sender, "leave", "")
}

fn topic(kind: &str, sender: &MessageSender, id: &str) -> String {
    format!("{kind}/{}/{id}", sender.user_client)
}

fn presence(sender: &MessageSender, action: &str, name: &str) -> (String, Value) {
    let payload = json!({"object_id": sender.id_tag, "action": action, "type": "arena", "dn": name});
    (topic("x", sender, &sender.id_tag), payload)
}

fn camera(sender: &MessageSender, action: &str, x: f64) -> (String, Value) {
    let data = json!({"object_type": "camera", "position": {"x": x, "y": 1.6, "z": 0}, "rotation": {"x": 0, "y": 0, "z": 0, "w": 1}});
    let payload = json!({"object_id": sender.id_tag, "action": action, "type": "object", "ttl": 30, "data": data});
    (topic("u", sender, &sender.id_tag), payload)
}

fn social(rng: &mut Rng, turn: ActionChoiceInput<'_>) -> Vec<(String, Value)> {
    let ActionChoiceInput { sender, .. } = turn;
    let id = sender.id_tag.as_str();
    let hand = format!("{}{id}", ["handLeft_", "handRight_"][rng.usize(0..2)]);
    let straggling = camera(sender, "update", 99.0);
    vec![match rng.u32(0..100) {
        // A walk of many steps at once: a client that does not read meanwhile still has to get the last step.
        0..3 => return (0..40).map(|step| camera(sender, "update", f64::from(step))).collect(),
        3..55 => camera(sender, "update", f64::from(rng.u32(0..1_000)) / 10.0),
        55..70 => {
            let action = ["create", "update", "update", "delete"][rng.usize(0..4)];
            (
                topic("u", sender, &hand),
                json!({"object_id": hand, "action": action, "data": {"dep": id, "position": {"x": rng.u32(0..9)}}}),
            )
        }
        70..75 => presence(sender, "update", &format!("Name {}", rng.u32(0..100))),
        75..80 => {
            return vec![farewell(sender), straggling, camera(sender, "create", 1.0), presence(sender, "join", "Back")];
        }
        80..84 => return vec![farewell(sender), straggling],
        84..88 => presence(sender, "join", "Again"),
        88..91 => {
            let event =
                json!({"object_id": id, "action": "clientEvent", "type": "mousedown", "data": {"target": "box"}});
            (topic("u", sender, id), event)
        }
        91..94 => (topic("c", sender, id), json!({"object_id": id, "type": "chat", "dn": id, "text": "hello"})),
        94..96 => (topic("c", sender, id), json!({"object_id": id, "type": "chat-ctrl", "text": "sound:off"})),
        96..98 => (format!("{}/somebody", topic("x", sender, id)), presence(sender, "join", "private").1),
        _ => wrong(rng, sender),
    }]
}

/// Messages that must be refused.
fn wrong(rng: &mut Rng, sender: &MessageSender) -> (String, Value) {
    let id = sender.id_tag.as_str();
    match rng.u32(0..5) {
        0 => (format!("u/somebody_web/{id}"), camera(sender, "update", 66.0).1),
        1 => (topic("u", sender, "somebody"), json!({"object_id": "somebody", "action": "create", "data": {}})),
        2 => (topic("o", sender, "box"), json!([1, 2, 3])),
        3 => (topic("o", sender, "box"), json!({"object_id": "lamp", "action": "create", "data": {}})),
        _ => (format!("o/stoa/{id}"), json!({"object_id": id, "action": "delete"})),
    }
}

fn building(rng: &mut Rng, turn: ActionChoiceInput<'_>) -> (String, Value) {
    let ActionChoiceInput { sender, .. } = turn;
    let id = IDS[rng.usize(0..IDS.len())];
    let action = ["create", "create", "update", "update", "update", "update", "delete"][rng.usize(0..7)];
    if action == "delete" {
        return object(sender, json!({"object_id": id, "action": "delete"}));
    }
    let mut payload = json!({"object_id": id, "action": action, "data": data(rng)});
    match rng.u32(0..12) {
        0..6 => payload["persist"] = json!(true),
        6 => payload["persist"] = json!("yes"),
        7 => payload["persist"] = json!(0),
        8 => {}
        _ => payload["persist"] = json!(false),
    }
    if rng.u32(0..10) == 0 {
        payload["ttl"] = json!(f64::from(rng.u32(5..80)) / 10.0);
    }
    if rng.u32(0..3) > 0 {
        payload["type"] = json!(if id == "program1" { "program" } else { "object" });
    }
    if rng.u32(0..8) == 0 {
        payload["overwrite"] = json!(true);
    }
    match rng.u32(0..30) {
        0 => (format!("{}/somebody", topic("o", sender, id)), payload),
        1 => object(sender, json!({"object_id": id, "action": "getPersist"})),
        2 => {
            payload["type"] = json!("camera-override");
            object(sender, payload)
        }
        _ => object(sender, payload),
    }
}

/// Many changes to one object at once: a client that does not read meanwhile still has to get the result.
fn animation(rng: &mut Rng, sender: &MessageSender) -> Vec<(String, Value)> {
    let id = IDS[rng.usize(0..IDS.len() - 1)];
    let start =
        json!({"object_id": id, "action": "create", "data": {"object_type": "box", "position": {"x": 0, "y": 0}}});
    let steps = (0..40).map(|step| {
        let data = match rng.u32(0..5) {
            0 => json!({"object_type": "box", "position": {"x": step}}),
            1 => json!({"position": {"x": step, "y": step}}),
            2 => json!({"position": {"y": step}, "visible": true}),
            3 => json!({"rotation": {"w": step}}),
            _ => json!({"material": {"opacity": step}, "position": null}),
        };
        json!({"object_id": id, "action": "update", "data": data})
    });
    [start].into_iter().chain(steps).map(|payload| object(sender, payload)).collect()
}

/// Copies one of the scenes, sometimes an invalid one.
fn template(rng: &mut Rng, turn: ActionChoiceInput<'_>) -> Vec<(String, Value)> {
    let ActionChoiceInput { sender, model, scenes, .. } = turn;
    // Copies of copies would grow without end.
    let small =
        scenes.iter().filter(|(_, scene)| scene.stored.len() <= TEMPLATE_MAX && model.live.len() <= TEMPLATE_MAX);
    let mut names: Vec<String> = small.map(|(name, _)| name.scene().to_string()).collect();
    names.push("nowhere".to_string());
    let instance = ["1", "2", "é"][rng.usize(0..3)];
    let mut data = json!({"templateNamespace": "public", "templateSceneId": names[rng.usize(0..names.len())], "instanceId": instance});
    match rng.u32(0..12) {
        0 => data["instanceId"] = json!(7),
        1 => data["ttl"] = json!(f64::from(rng.u32(5..80)) / 10.0),
        2 => data["position"] = json!({"x": rng.u32(0..9), "y": null}),
        _ => {}
    }
    data["persist"] = json!(rng.bool());
    let mut payloads = vec![json!({"object_id": "request", "action": "loadTemplate", "data": &data})];
    if rng.u32(0..3) == 0 {
        let container = format!("public|{}::{instance}", data["templateSceneId"].as_str().unwrap_or_default());
        let mut stored = scenes.values().flat_map(|scene| scene.stored.keys()).filter(|id| !id.contains("::"));
        let moved = format!("{container}::{}", stored.next_back().map_or("box", String::as_str));
        let elsewhere = json!({"parent": IDS[rng.usize(0..IDS.len())]});
        payloads.push(json!({"object_id": moved, "action": "update", "persist": true, "data": elsewhere}));
        payloads.push(json!({"object_id": container, "action": "delete"}));
    }
    payloads.into_iter().map(|payload| object(sender, payload)).collect()
}

/// Changes an object of a template's instance: moves a copy elsewhere, or removes a container.
fn instance(rng: &mut Rng, turn: ActionChoiceInput<'_>) -> (String, Value) {
    let ActionChoiceInput { sender, model, .. } = turn;
    let ids: Vec<&String> = model.live.keys().filter(|id| id.contains("::")).collect();
    let Some(id) = (!ids.is_empty()).then(|| ids[rng.usize(0..ids.len())]) else { return building(rng, turn) };
    if rng.bool() {
        let parent = IDS[rng.usize(0..IDS.len())];
        return object(
            sender,
            json!({"object_id": id, "action": "update", "persist": true, "data": {"parent": parent}}),
        );
    }
    let container = id.splitn(3, "::").take(2).collect::<Vec<_>>().join("::");
    object(sender, json!({"object_id": container, "action": "delete"}))
}

fn object(sender: &MessageSender, payload: Value) -> (String, Value) {
    let id = payload["object_id"].as_str().expect("objects have ids").to_string();
    (topic("o", sender, &id), payload)
}

fn data(rng: &mut Rng) -> Value {
    let shape = if rng.bool() { "box" } else { "sphere" };
    let mut data = json!({"object_type": shape});
    for key in ["position", "material", "list", "parent", "visible", "deep"] {
        if rng.u32(0..3) > 0 {
            continue;
        }
        let number = rng.u32(0..100);
        data[key] = match (key, rng.u32(0..6)) {
            (_, 0) => Value::Null,
            ("position", 1) => json!({"y": number}),
            ("position", _) => json!({"x": number, "y": 0, "z": null}),
            ("material", 1) => json!({"color": null}),
            ("material", _) => json!({"color": format!("#{number:03}"), "opacity": 0.5}),
            ("list", _) => json!([number, {"a": null}]),
            ("parent", _) => json!(IDS[rng.usize(0..IDS.len())]),
            ("deep", 1) => json!({"a": {"b": {"c": null}}}),
            ("deep", 2) => json!({"a": {}}),
            ("deep", 3) => json!({"a": {"b": number}}),
            ("deep", _) => json!({"a": {"b": {"c": number, "d": {"e": [number]}}}}),
            _ => json!(rng.bool()),
        };
    }
    data
}

/// Messages that meet `row`, as far as the scene's state allows.
fn aimed(rng: &mut Rng, turn: ActionChoiceInput<'_>, row: SceneSituation) -> Vec<(String, Value)> {
    let ActionChoiceInput { sender, model, .. } = turn;
    let known = model.stored.keys().find(|id| id.as_str() != "program1").cloned();
    let known = known.unwrap_or_else(|| "box".to_string());
    let fresh = format!("fresh{}", rng.u32(0..100_000));
    let create = |id: &str, persist: Value| json!({"object_id": id, "action": "create", "type": "object", "persist": persist, "data": {"a": 1}});
    let update = |id: &str, data: Value| json!({"object_id": id, "action": "update", "persist": true, "data": data});
    let with = |mut payload: Value, key: &str, value: Value| {
        payload[key] = value;
        payload
    };
    let kept = create(&known, json!(true));
    let child = |parent: &str| with(create(&format!("{parent}child"), json!(true)), "data", json!({"parent": parent}));
    let payloads = match row {
        SceneSituation::CreatePersistedWithTtl => vec![with(create(&fresh, json!(true)), "ttl", json!(40))],
        SceneSituation::CreateKeepsDeadline => {
            vec![with(create(&fresh, json!(true)), "ttl", json!(40)), create(&fresh, json!(true))]
        }
        SceneSituation::CreateNotPersisted => vec![create(&fresh, json!(false))],
        SceneSituation::CreateTruthyIsNotTrue => vec![create(&fresh, json!("true"))],
        SceneSituation::UpdatePersistedKnown => vec![kept, update(&known, json!({"b": {"c": 1}}))],
        SceneSituation::UpdateRemovesLeaf => vec![kept, update(&known, json!({"a": null}))],
        SceneSituation::UpdateReplacesList => {
            vec![kept, update(&known, json!({"list": [1]})), update(&known, json!({"list": [2, 3]}))]
        }
        SceneSituation::UpdateMovesDeadline => vec![kept, with(update(&known, json!({})), "ttl", json!(30))],
        SceneSituation::UpdatePersistedUnknown => vec![update(&fresh, json!({"a": 1}))],
        SceneSituation::UpdateNotPersistedKnown => {
            vec![kept, with(update(&known, json!({"z": 1})), "persist", json!(false))]
        }
        SceneSituation::UpdateNotPersistedUnknown => {
            vec![with(update(&fresh, json!({"z": 1})), "persist", json!(false))]
        }
        SceneSituation::OverwritePersistedKnown => {
            vec![kept, with(update(&known, json!({"z": 1})), "overwrite", json!(true))]
        }
        SceneSituation::OverwriteNotStored => vec![with(update(&fresh, json!({"z": 1})), "overwrite", json!(true))],
        SceneSituation::DeleteWithDescendants => {
            vec![create(&fresh, json!(true)), child(&fresh), json!({"object_id": fresh, "action": "delete"})]
        }
        SceneSituation::DeleteKnown => vec![kept, json!({"object_id": known, "action": "delete"})],
        SceneSituation::DeleteUnknown => vec![json!({"object_id": fresh, "action": "delete"})],
        SceneSituation::GetPersist => vec![json!({"object_id": "any", "action": "getPersist"})],
        SceneSituation::GetPersistByType => {
            vec![json!({"object_id": "any", "action": "getPersist", "data": {"type": "object"}})]
        }
        SceneSituation::LoadTemplate => {
            let request = template(rng, turn);
            return [object(sender, kept)].into_iter().chain(request).collect();
        }
        SceneSituation::LoadTemplateRefused => vec![json!({"object_id": "any", "action": "loadTemplate", "data": {}})],
        SceneSituation::ExpiryStored => vec![with(create(&fresh, json!(true)), "ttl", json!(1))],
        SceneSituation::ExpiryLive => vec![with(create(&fresh, json!(false)), "ttl", json!(0.5))],
        SceneSituation::ExpiryWithDescendants => {
            vec![with(create(&fresh, json!(true)), "ttl", json!(1.5)), child(&fresh)]
        }
        SceneSituation::PrivateObject => {
            return vec![(format!("{}/somebody", topic("o", sender, &fresh)), create(&fresh, json!(true)))];
        }
        SceneSituation::EventOnObjects => {
            vec![json!({"object_id": fresh, "action": "clientEvent", "type": "mousedown", "data": {"target": known}})]
        }
        _ => vec![kept],
    };
    payloads.into_iter().map(|payload| object(sender, payload)).collect()
}
