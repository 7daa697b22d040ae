-- What a change replaced, so that history is walked backwards from the present. Entries of earlier versions have none: what they did is told, not undone.
ALTER TABLE log ADD COLUMN before TEXT;     -- JSON: an array of records, or an object of attributes
ALTER TABLE log ADD COLUMN guest_name TEXT; -- what a guest called itself
CREATE INDEX log_by_object ON log (scene_id, object_id, revision);
CREATE INDEX log_by_author ON log (scene_id, author, revision);
