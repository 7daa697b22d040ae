//! Retained messages and sessions in SQLite.

use std::collections::BTreeMap;

use async_trait::async_trait;
use bytes::Bytes;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};
use stoa_state::mqtt::routes::SubscriptionOptions;
use stoa_state::mqtt::stored::{
    SessionKey, StoredBroker, StoredDelivery, StoredMessage, StoredRetained, StoredSession, StoredWill,
};
use stoa_state::time::UnixSeconds;
use stoa_wire::packet::Qos;
use stoa_wire::topic::Topic;

use super::Sqlite;
use super::scenes::{from_json, integer, to_json};
use crate::limits;
use crate::store::broker::{BrokerBatch, DeliveryChange, SessionLifetime, SessionNetChanges};
use crate::store::{BrokerStorage, StoreError};

#[async_trait]
impl BrokerStorage for Sqlite {
    async fn load_broker(&self) -> Result<StoredBroker, StoreError> {
        let mut transaction = self.reader.begin().await?;
        let retained = sqlx::query("SELECT * FROM retained ORDER BY topic").fetch_all(&mut *transaction).await?;
        let retained = retained.iter().map(retained_message).collect::<Result<_, _>>()?;
        let mut sessions = BTreeMap::new();
        for row in sqlx::query("SELECT * FROM sessions ORDER BY id").fetch_all(&mut *transaction).await? {
            sessions.insert(row.try_get::<i64, _>("id")?, session(&row)?);
        }
        for row in sqlx::query("SELECT * FROM wills").fetch_all(&mut *transaction).await? {
            if let Some(session) = sessions.get_mut(&row.try_get("session_id")?) {
                session.will = Some(will(&row)?);
            }
        }
        for row in sqlx::query("SELECT * FROM subscriptions").fetch_all(&mut *transaction).await? {
            if let Some(session) = sessions.get_mut(&row.try_get("session_id")?) {
                session.subscriptions.push(subscription(&row)?);
            }
        }
        let mut shared = BTreeMap::new();
        for row in sqlx::query("SELECT * FROM messages").fetch_all(&mut *transaction).await? {
            shared.insert(row.try_get::<i64, _>("id")?, Bytes::from(row.try_get::<Vec<u8>, _>("packet")?));
        }
        let deliveries = sqlx::query("SELECT * FROM deliveries ORDER BY session_id, number");
        for row in deliveries.fetch_all(&mut *transaction).await? {
            if let Some(session) = sessions.get_mut(&row.try_get("session_id")?) {
                session.deliveries.push(delivery(&row, &shared)?);
            }
        }
        for row in sqlx::query("SELECT * FROM received").fetch_all(&mut *transaction).await? {
            if let Some(session) = sessions.get_mut(&row.try_get("session_id")?) {
                session.received.push(row.try_get("packet_id")?);
            }
        }
        Ok(StoredBroker { retained, sessions: sessions.into_values().collect() })
    }
}

pub(super) async fn append_broker(connection: &mut SqliteConnection, batch: &BrokerBatch) -> Result<(), StoreError> {
    for (topic, change) in &batch.retained {
        let query = match change {
            Some(StoredRetained { subject, qos, message, .. }) => {
                sqlx::query("INSERT OR REPLACE INTO retained VALUES (?, ?, ?, ?, ?)")
                    .bind(topic)
                    .bind(&**subject)
                    .bind(*qos as u8)
                    .bind(&message.packet[..])
                    .bind(integer(message.taken_at.0))
            }
            None => sqlx::query("DELETE FROM retained WHERE topic = ?").bind(topic),
        };
        query.execute(&mut *connection).await?;
    }
    let shared = append_shared(connection, batch).await?;
    for (name, batch) in &batch.sessions {
        append_session(connection, name, batch, &shared).await?;
    }
    Ok(())
}

/// Row ids of shared messages by the address of their bytes. All sessions that get a message share its buffer.
type SharedMessageIds = BTreeMap<usize, i64>;

/// Writes one copy of each message that several sessions get and that has at least
/// [`limits::SHARED_MESSAGE_BYTES_MIN`] bytes.
async fn append_shared(connection: &mut SqliteConnection, batch: &BrokerBatch) -> Result<SharedMessageIds, StoreError> {
    let mut counts: BTreeMap<usize, (usize, &Bytes)> = BTreeMap::new();
    for change in batch.sessions.values().flat_map(|session| session.deliveries.values()) {
        if let DeliveryChange::New(StoredDelivery { message: StoredMessage { packet, .. }, .. }) = change
            && packet.len() >= limits::SHARED_MESSAGE_BYTES_MIN
        {
            counts.entry(packet.as_ptr().addr()).or_insert((0, packet)).0 += 1;
        }
    }
    let mut shared = SharedMessageIds::new();
    for (place, (_, packet)) in counts.into_iter().filter(|(_, (count, _))| *count > 1) {
        let id = sqlx::query_scalar("INSERT INTO messages (packet) VALUES (?) RETURNING id").bind(&packet[..]);
        shared.insert(place, id.fetch_one(&mut *connection).await?);
    }
    Ok(shared)
}

async fn append_session(
    connection: &mut SqliteConnection,
    name: &SessionKey,
    batch: &SessionNetChanges,
    shared: &SharedMessageIds,
) -> Result<(), StoreError> {
    if batch.ended {
        sqlx::query("DELETE FROM sessions WHERE subject = ? AND client_id = ?")
            .bind(&name.subject)
            .bind(&name.client_id)
            .execute(&mut *connection)
            .await?;
    }
    if let Some(SessionLifetime { expiry_s, expires_at, is_identity }) = batch.lifetime {
        sqlx::query(
            "INSERT INTO sessions (subject, client_id, expiry_s, expires_s, is_identity) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT (subject, client_id) DO UPDATE
             SET expiry_s = excluded.expiry_s, expires_s = excluded.expires_s, is_identity = excluded.is_identity",
        )
        .bind(&name.subject)
        .bind(&name.client_id)
        .bind(expiry_s)
        .bind(expires_at.map(|at| integer(at.0)))
        .bind(is_identity)
        .execute(&mut *connection)
        .await?;
    }
    let id = sqlx::query_scalar("SELECT id FROM sessions WHERE subject = ? AND client_id = ?")
        .bind(&name.subject)
        .bind(&name.client_id)
        .fetch_optional(&mut *connection)
        .await?;
    match id {
        Some(id) => append_contents(connection, id, batch, shared).await,
        None if batch.has_contents() => Err(StoreError::NoSession),
        None => Ok(()),
    }
}

async fn append_contents(
    connection: &mut SqliteConnection,
    id: i64,
    batch: &SessionNetChanges,
    shared: &SharedMessageIds,
) -> Result<(), StoreError> {
    if let Some(will) = &batch.will {
        let query = match will {
            Some(will) => sqlx::query("INSERT OR REPLACE INTO wills VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
                .bind(id)
                .bind(to_json(&will.claims, "claims")?)
                .bind(&will.message.packet[..])
                .bind(integer(will.message.taken_at.0))
                .bind(will.qos as u8)
                .bind(will.retain)
                .bind(will.delay_s)
                .bind(will.due_at.map(|at| integer(at.0))),
            None => sqlx::query("DELETE FROM wills WHERE session_id = ?").bind(id),
        };
        query.execute(&mut *connection).await?;
    }
    for (filter, change) in &batch.subscriptions {
        let query = match change {
            Some(wanted) => sqlx::query("INSERT OR REPLACE INTO subscriptions VALUES (?, ?, ?, ?)")
                .bind(id)
                .bind(filter)
                .bind(options(*wanted))
                .bind(wanted.subscription_id),
            None => sqlx::query("DELETE FROM subscriptions WHERE session_id = ? AND filter = ?").bind(id).bind(filter),
        };
        query.execute(&mut *connection).await?;
    }
    for (number, change) in &batch.deliveries {
        append_delivery(connection, id, *number, change, shared).await?;
    }
    for (packet_id, taken) in &batch.received {
        let query = if *taken {
            "INSERT OR REPLACE INTO received (session_id, packet_id) VALUES (?, ?)"
        } else {
            "DELETE FROM received WHERE session_id = ? AND packet_id = ?"
        };
        sqlx::query(query).bind(id).bind(*packet_id).execute(&mut *connection).await?;
    }
    Ok(())
}

async fn append_delivery(
    connection: &mut SqliteConnection,
    id: i64,
    number: u64,
    change: &DeliveryChange,
    shared: &SharedMessageIds,
) -> Result<(), StoreError> {
    let query = match change {
        DeliveryChange::New(delivery) => {
            let packet = &delivery.message.packet;
            let message_id = shared.get(&packet.as_ptr().addr()).copied();
            sqlx::query("INSERT OR REPLACE INTO deliveries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .bind(id)
                .bind(integer(number))
                .bind(if message_id.is_some() { &[][..] } else { &packet[..] })
                .bind(integer(delivery.message.taken_at.0))
                .bind(delivery.qos as u8)
                .bind(delivery.retain)
                .bind(to_json(&delivery.subscription_ids, "subscription identifiers")?)
                .bind(delivery.packet_id)
                .bind(delivery.released)
                .bind(message_id)
        }
        DeliveryChange::Stage { packet_id, released } => sqlx::query(
            "UPDATE deliveries SET packet_id = coalesce(?, packet_id), released = max(?, released)
             WHERE session_id = ? AND number = ?",
        )
        .bind(*packet_id)
        .bind(*released)
        .bind(id)
        .bind(integer(number)),
        DeliveryChange::Arrived => {
            sqlx::query("DELETE FROM deliveries WHERE session_id = ? AND number = ?").bind(id).bind(integer(number))
        }
    };
    query.execute(connection).await?;
    Ok(())
}

/// The options byte of a SUBSCRIBE. Retain handling is left out, since it applies only when subscribing.
fn options(wanted: SubscriptionOptions) -> u8 {
    wanted.qos as u8 | u8::from(wanted.no_local) << 2 | u8::from(wanted.retain_as_published) << 3
}

fn subscription(row: &SqliteRow) -> Result<(String, SubscriptionOptions), StoreError> {
    let options: u8 = row.try_get("options")?;
    let wanted = SubscriptionOptions {
        qos: qos(options & 3),
        no_local: options & 4 != 0,
        retain_as_published: options & 8 != 0,
        subscription_id: row.try_get("subscription_id")?,
    };
    Ok((row.try_get("filter")?, wanted))
}

fn qos(number: u8) -> Qos {
    match number {
        0 => Qos::AtMostOnce,
        1 => Qos::AtLeastOnce,
        _ => Qos::ExactlyOnce,
    }
}

fn seconds(number: i64) -> UnixSeconds {
    UnixSeconds(number.unsigned_abs())
}

fn message(row: &SqliteRow) -> Result<StoredMessage, StoreError> {
    let packet: Vec<u8> = row.try_get("message")?;
    Ok(StoredMessage { packet: packet.into(), taken_at: seconds(row.try_get("taken_s")?) })
}

fn retained_message(row: &SqliteRow) -> Result<StoredRetained, StoreError> {
    let (topic, subject) = (row.try_get::<&str, _>("topic")?, row.try_get::<&str, _>("subject")?.into());
    let topic = Topic::parse(topic).map_err(|_| StoreError::BadTopic)?;
    Ok(StoredRetained { topic, subject, qos: qos(row.try_get("qos")?), message: message(row)? })
}

fn session(row: &SqliteRow) -> Result<StoredSession, StoreError> {
    let name = SessionKey { subject: row.try_get("subject")?, client_id: row.try_get("client_id")? };
    let expires_at = row.try_get::<Option<i64>, _>("expires_s")?.map(seconds);
    Ok(StoredSession {
        name,
        expiry_s: row.try_get("expiry_s")?,
        expires_at,
        is_identity: row.try_get("is_identity")?,
        will: None,
        subscriptions: Vec::new(),
        deliveries: Vec::new(),
        received: Vec::new(),
    })
}

fn will(row: &SqliteRow) -> Result<StoredWill, StoreError> {
    Ok(StoredWill {
        claims: from_json(row.try_get("claims")?, "claims")?,
        message: message(row)?,
        qos: qos(row.try_get("qos")?),
        retain: row.try_get("retain")?,
        delay_s: row.try_get("delay_s")?,
        due_at: row.try_get::<Option<i64>, _>("due_s")?.map(seconds),
    })
}

fn delivery(row: &SqliteRow, shared: &BTreeMap<i64, Bytes>) -> Result<StoredDelivery, StoreError> {
    let of_all = row.try_get::<Option<i64>, _>("message_id")?.and_then(|id| shared.get(&id));
    let own = message(row)?;
    Ok(StoredDelivery {
        number: row.try_get::<i64, _>("number")?.unsigned_abs(),
        message: StoredMessage { packet: of_all.cloned().unwrap_or(own.packet), ..own },
        qos: qos(row.try_get("qos")?),
        retain: row.try_get("retain")?,
        subscription_ids: from_json(row.try_get("subscription_ids")?, "subscription identifiers")?,
        packet_id: row.try_get("packet_id")?,
        released: row.try_get("released")?,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use stoa_state::mqtt::stored::{BrokerWrite, SessionWrite};
    use stoa_state::realm::StoreWrite;

    use super::*;
    use crate::store::SceneStorage;

    fn of_session(number: u32, write: SessionWrite) -> StoreWrite {
        let session = SessionKey { subject: "ada".into(), client_id: format!("client-{number}") };
        StoreWrite::Broker(BrokerWrite::Session { session: Arc::new(session), write })
    }

    fn queued(number: u32, packet: &Bytes) -> SessionWrite {
        SessionWrite::Queued(StoredDelivery {
            number: u64::from(number),
            message: StoredMessage { packet: packet.clone(), taken_at: UnixSeconds(7) },
            qos: Qos::AtLeastOnce,
            retain: false,
            subscription_ids: Vec::new(),
            packet_id: None,
            released: false,
        })
    }

    async fn messages(store: &Sqlite) -> i64 {
        sqlx::query_scalar("SELECT count(*) FROM messages").fetch_one(&store.reader).await.unwrap()
    }

    #[tokio::test]
    async fn a_message_for_many_sessions_is_stored_once_until_the_last_delivery() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("realm.sqlite");
        let store = Sqlite::open(&path).await.unwrap();
        let lifetime = SessionWrite::Lasts { expiry_s: 600, expires_at: None, is_identity: false };
        let large = Bytes::from(vec![b'x'; 60_000]);
        let small = Bytes::from_static(b"small");
        let writes = (0..100).flat_map(|number| {
            let own = [lifetime.clone(), queued(2 * number, &large), queued(2 * number + 1, &small)];
            own.map(|write| of_session(number, write))
        });
        store.append(writes.collect()).await.unwrap();
        let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&store.reader).await.unwrap();
        assert!(pages * 4_096 < 1_000_000, "{pages} pages hold a hundred times 60 kB");
        assert_eq!(messages(&store).await, 1);
        for session in store.load_broker().await.unwrap().sessions {
            let packets: Vec<&Bytes> = session.deliveries.iter().map(|delivery| &delivery.message.packet).collect();
            assert_eq!(packets, [&large, &small], "{:?}", session.name);
        }
        let arrived = (0..99).map(|number| of_session(number, SessionWrite::Arrived { number: u64::from(2 * number) }));
        store.append(arrived.collect()).await.unwrap();
        assert_eq!(messages(&store).await, 1, "one session waits for it still");
        store.append(vec![of_session(99, SessionWrite::Ended)]).await.unwrap();
        assert_eq!(messages(&store).await, 0);
        store.append(vec![of_session(0, queued(1_000, &large))]).await.unwrap();
        assert_eq!(messages(&store).await, 0, "what waits for one session alone stands beside it");
    }
}
