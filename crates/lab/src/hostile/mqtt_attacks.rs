//! Attacks by MQTT: large objects, small changes, JSON with many keys, templates, slow `getPersist`, and listeners.

use std::fmt::Write;
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use tokio::io::AsyncReadExt;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::attack::HostileClient;
use super::outside::SecureMqttClient;
use super::stage::ATTACKED;
use crate::load::packet;

/// An object near the largest that a guest may store.
const LARGE_BYTES: usize = 30 * 1_024;
/// A change of a small object.
const SMALL_BYTES: usize = 1_024;
/// Objects of one client, changed in turn.
const OBJECTS: u64 = 4;
/// JSON near the first version's limit, and JSON with nearly as many keys as a message may have now.
const KEYED_BYTES: [usize; 2] = [224 * 1_024, 31 * 1_024];
/// Bytes that a slow reader reads in one period.
const SLOW_BYTES: usize = 20_000;
/// Time limit for one read of a slow reader.
const SLOW_READ: Duration = Duration::from_millis(100);
/// Size of a read by a client that ignores the content.
const READ_BYTES: usize = 16 * 1_024;

/// Stores large objects.
pub(super) async fn store(client: &HostileClient) -> Result<()> {
    publish_on(client, |number| object(client, number, LARGE_BYTES)).await
}

/// Changes small stored objects, each change an entry of the history.
pub(super) async fn history(client: &HostileClient) -> Result<()> {
    publish_on(client, |number| object(client, number, SMALL_BYTES)).await
}

/// Sends JSON with as many keys as fit.
pub(super) async fn json(client: &HostileClient) -> Result<()> {
    let payloads = KEYED_BYTES.map(|bytes| keyed(&own_id(client, 0), bytes));
    publish_on(client, |number| {
        let payload = if number % 2 == 0 { &payloads[0] } else { &payloads[1] };
        packet::publish_v5(&object_topic(client, &own_id(client, 0)), payload.as_bytes(), None)
    })
    .await
}

/// Loads the attacked scene into itself, below a container with a short lifetime.
pub(super) async fn template(client: &HostileClient) -> Result<()> {
    publish_on(client, |number| {
        let id = own_id(client, number);
        let (namespace, scene) = ATTACKED.split_once('/').unwrap_or_default();
        let payload = format!(
            "{{\"object_id\":\"{id}\",\"action\":\"loadTemplate\",\"data\":{{\"templateNamespace\":\"{namespace}\",\
             \"templateSceneId\":\"{scene}\",\"instanceId\":\"{id}-{number}\",\"persist\":false,\"ttl\":5}}}}"
        );
        packet::publish_v5(&object_topic(client, &id), payload.as_bytes(), None)
    })
    .await
}

/// Publishes a packet in every period, and drops the bytes that arrive.
async fn publish_on(client: &HostileClient, make: impl Fn(u64) -> Vec<u8> + Send + Sync) -> Result<()> {
    let mut link = SecureMqttClient::enter(&client.server, client.from, &client.visitor, &[]).await?;
    let mut tick = interval(client.period);
    // A client that the realm slows down does not catch up.
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut scratch = vec![0; READ_BYTES];
    let mut number = 0;
    loop {
        tokio::select! {
            read = link.stream.read(&mut scratch) => {
                ensure!(read? > 0, "the realm ended the connection");
            }
            _ = tick.tick() => {
                let packet = make(number);
                link.send(&packet).await?;
                client.tally.count(packet.len());
                number += 1;
            }
        }
    }
}

/// The payload of a request for the whole scene.
pub(super) const GET_PERSIST: &[u8] = br#"{"object_id":"any","action":"getPersist","type":"object"}"#;

/// Requests the whole scene in every period, and reads few bytes of the answers.
pub(super) async fn get_persist(client: &HostileClient) -> Result<()> {
    let topic = object_topic(client, "any");
    let mut link =
        SecureMqttClient::enter(&client.server, client.from, &client.visitor, std::slice::from_ref(&topic)).await?;
    let packet = packet::publish_v5(&topic, GET_PERSIST, None);
    let mut tick = interval(client.period);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut scratch = vec![0; SLOW_BYTES];
    loop {
        tick.tick().await;
        link.send(&packet).await?;
        client.tally.count(packet.len());
        let mut taken = 0;
        while let Some(rest) = scratch.get_mut(taken..).filter(|rest| !rest.is_empty()) {
            // Without an answer there is nothing to read.
            let Ok(read) = timeout(SLOW_READ, link.stream.read(rest)).await else { break };
            let length = read?;
            ensure!(length > 0, "the realm ended the connection");
            taken += length;
        }
    }
}

/// Enters, listens for one period, and leaves.
pub(super) async fn listen(client: &HostileClient) -> Result<()> {
    let filters = client.visitor.name.filters_in(ATTACKED);
    let mut link = SecureMqttClient::enter(&client.server, client.from, &client.visitor, &filters).await?;
    client.tally.count(0);
    let mut scratch = vec![0; READ_BYTES];
    let listening = async {
        while link.stream.read(&mut scratch).await? > 0 {}
        Err(anyhow!("the realm ended the connection"))
    };
    timeout(client.period, listening).await.unwrap_or(Ok(()))
}

fn own_id(client: &HostileClient, number: u64) -> String {
    format!("{}-{}", client.visitor.name.id_tag, number % OBJECTS)
}

fn object_topic(client: &HostileClient, id: &str) -> String {
    format!("realm/s/{ATTACKED}/o/{}/{id}", client.visitor.name.user_client)
}

/// A packet that stores one of the client's objects, with a payload of so many bytes.
fn object(client: &HostileClient, number: u64, bytes: usize) -> Vec<u8> {
    let id = own_id(client, number);
    packet::publish_v5(&object_topic(client, &id), filled(&id, number, bytes).as_bytes(), None)
}

/// The JSON of a stored object of about so many bytes.
pub(super) fn filled(id: &str, number: u64, bytes: usize) -> String {
    let mut payload = format!(
        "{{\"object_id\":\"{id}\",\"action\":\"create\",\"type\":\"object\",\"persist\":true,\"data\":{{\"object_type\":\
         \"box\",\"position\":{{\"x\":1,\"y\":1.6,\"z\":-2}},\"count\":{number},\"note\":\""
    );
    let end = "\"}}";
    let filler = bytes.saturating_sub(payload.len() + end.len());
    payload.extend(std::iter::repeat_n('x', filler));
    payload.push_str(end);
    payload
}

/// The JSON of an object with as many keys as fit into so many bytes.
fn keyed(id: &str, bytes: usize) -> String {
    let mut payload = format!(
        "{{\"object_id\":\"{id}\",\"action\":\"create\",\"type\":\"object\",\"data\":{{\"object_type\":\"box\",\"keys\":{{\"k\":1"
    );
    for number in 0_u32.. {
        if payload.len() + 16 > bytes {
            break;
        }
        let _ = write!(payload, ",\"{number:x}\":1");
    }
    payload.push_str("}}}");
    payload
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_large_object_is_json_of_the_required_size() {
        let payload = filled("thing-1", 7, LARGE_BYTES);
        assert_eq!(payload.len(), LARGE_BYTES);
        let json: Value = serde_json::from_str(&payload).expect("it is JSON");
        assert_eq!((&json["object_id"], &json["persist"]), (&"thing-1".into(), &true.into()));
    }

    #[test]
    fn keyed_json_fills_its_size_with_thousands_of_keys() {
        let [old, new] = KEYED_BYTES.map(|bytes| {
            let payload = keyed("thing-1", bytes);
            assert!(payload.len() <= bytes && payload.len() + 32 > bytes, "{}", payload.len());
            let json: Value = serde_json::from_str(&payload).expect("it is JSON");
            json["data"]["keys"].as_object().map_or(0, serde_json::Map::len)
        });
        assert!(old > 20_000 && (3_000..4_096).contains(&new), "{old} {new}");
    }
}
