-- What of MQTT outlives a restart: retained messages, and sessions with their subscriptions and what is under way in both directions.
-- Messages are MQTT 5 PUBLISH packets of QoS 0, so that there is one encoding of them.
CREATE TABLE retained (
    topic   TEXT PRIMARY KEY,
    subject TEXT NOT NULL,                -- who said it: what one subject may keep is bounded
    qos     INTEGER NOT NULL,
    message BLOB NOT NULL,
    taken_s INTEGER NOT NULL              -- Unix seconds; its expiry counts from here
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    id          INTEGER PRIMARY KEY,
    subject     TEXT NOT NULL,
    client_id   TEXT NOT NULL,
    expiry_s    INTEGER NOT NULL,         -- how long it outlives a connection
    expires_s   INTEGER,                  -- Unix seconds; NULL while it has a connection
    is_identity INTEGER NOT NULL,         -- whether its client id is its identity in topics
    UNIQUE (subject, client_id)
) STRICT;

CREATE TABLE subscriptions (
    session_id      INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    filter          TEXT NOT NULL,        -- as it was asked for, $share/ and all
    options         INTEGER NOT NULL,     -- the byte of a SUBSCRIBE (MQTT 5 section 3.8.3.1)
    subscription_id INTEGER,
    PRIMARY KEY (session_id, filter)
) STRICT, WITHOUT ROWID;

-- Messages of QoS 1 and 2 that a client does not have yet.
CREATE TABLE deliveries (
    session_id       INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    number           INTEGER NOT NULL,    -- grows; their order
    message          BLOB NOT NULL,
    taken_s          INTEGER NOT NULL,
    qos              INTEGER NOT NULL,
    retain           INTEGER NOT NULL,
    subscription_ids TEXT NOT NULL,       -- JSON array
    packet_id        INTEGER,             -- under which it was sent
    released         INTEGER NOT NULL,    -- QoS 2: PUBREC has come
    PRIMARY KEY (session_id, number)
) STRICT, WITHOUT ROWID;

-- QoS 2 from the client: taken, not yet released.
CREATE TABLE received (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    packet_id  INTEGER NOT NULL,
    PRIMARY KEY (session_id, packet_id)
) STRICT, WITHOUT ROWID;
