-- Pruning counts the shares, so that storing a change writes fewer pages: log_shares has the entries up to an id.
CREATE TABLE log_counted (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    through INTEGER NOT NULL
) STRICT;
INSERT INTO log_counted (id, through) SELECT 1, coalesce(max(id), 0) FROM log;

DROP TRIGGER log_share_changed;
CREATE TRIGGER log_share_changed AFTER UPDATE OF size_bytes ON log
WHEN OLD.id <= (SELECT through FROM log_counted)
BEGIN
    UPDATE log_shares SET size_bytes = size_bytes + NEW.size_bytes - OLD.size_bytes
    WHERE scene_id = OLD.scene_id AND author = OLD.author;
END;

DROP TRIGGER log_share_removed;
CREATE TRIGGER log_share_removed AFTER DELETE ON log
BEGIN
    UPDATE log_shares SET size_bytes = size_bytes - OLD.size_bytes
    WHERE scene_id = OLD.scene_id AND author = OLD.author AND OLD.id <= (SELECT through FROM log_counted);
    DELETE FROM log_shares WHERE scene_id = OLD.scene_id AND author = OLD.author AND size_bytes <= 0;
    -- SQLite gives the ids of the newest entries again once those are removed.
    UPDATE log_counted SET through = min(through, (SELECT coalesce(max(id), 0) FROM log)) WHERE OLD.id >= through;
END;

-- Pruning by age finds each scene's old entries by log_by_scene_time.
DROP INDEX log_by_time;
