-- What is to be said of a client when it has been gone for long enough; it goes with its session.
CREATE TABLE wills (
    session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    claims     TEXT NOT NULL,             -- by which right, as JSON
    message    BLOB NOT NULL,             -- an MQTT 5 PUBLISH of QoS 0
    taken_s    INTEGER NOT NULL,
    qos        INTEGER NOT NULL,
    retain     INTEGER NOT NULL,
    delay_s    INTEGER NOT NULL,          -- from the end of the connection
    due_s      INTEGER                    -- Unix seconds; NULL while it has a connection
) STRICT;
