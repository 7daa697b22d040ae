-- Logged bytes of each author in each scene, so that pruning finds the largest shares without reading the log.
CREATE TABLE log_shares (
    scene_id   INTEGER NOT NULL,
    author     TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    PRIMARY KEY (scene_id, author)
) STRICT, WITHOUT ROWID;
INSERT INTO log_shares (scene_id, author, size_bytes)
SELECT scene_id, author, sum(size_bytes) FROM log GROUP BY scene_id, author;

CREATE TRIGGER log_share_added AFTER INSERT ON log
BEGIN
    INSERT INTO log_shares (scene_id, author, size_bytes) VALUES (NEW.scene_id, NEW.author, NEW.size_bytes)
    ON CONFLICT (scene_id, author) DO UPDATE SET size_bytes = size_bytes + excluded.size_bytes;
END;

CREATE TRIGGER log_share_changed AFTER UPDATE OF size_bytes ON log
BEGIN
    UPDATE log_shares SET size_bytes = size_bytes + NEW.size_bytes - OLD.size_bytes
    WHERE scene_id = OLD.scene_id AND author = OLD.author;
END;

CREATE TRIGGER log_share_removed AFTER DELETE ON log
BEGIN
    UPDATE log_shares SET size_bytes = size_bytes - OLD.size_bytes
    WHERE scene_id = OLD.scene_id AND author = OLD.author;
    DELETE FROM log_shares WHERE scene_id = OLD.scene_id AND author = OLD.author AND size_bytes <= 0;
END;
