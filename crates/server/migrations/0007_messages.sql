-- A message that waits for several sessions is written once.
CREATE TABLE messages (
    id     INTEGER PRIMARY KEY,
    packet BLOB NOT NULL
) STRICT;

-- Where it is set, the delivery's own message is empty.
ALTER TABLE deliveries ADD COLUMN message_id INTEGER REFERENCES messages (id);
CREATE INDEX deliveries_by_message ON deliveries (message_id) WHERE message_id IS NOT NULL;

CREATE TRIGGER message_delivered AFTER DELETE ON deliveries
WHEN OLD.message_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM deliveries WHERE message_id = OLD.message_id)
BEGIN
    DELETE FROM messages WHERE id = OLD.message_id;
END;
