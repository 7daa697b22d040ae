-- Scenes: settings, the log of accepted changes of persisted objects, and its fold, the present state.
CREATE TABLE realm (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    epoch INTEGER NOT NULL
) STRICT;
INSERT INTO realm (id, epoch) VALUES (1, 0);

CREATE TABLE scenes (
    id        INTEGER PRIMARY KEY,
    namespace TEXT NOT NULL,
    scene     TEXT NOT NULL,
    settings  TEXT NOT NULL,              -- JSON
    revision  INTEGER NOT NULL DEFAULT 0, -- of the last stored change
    UNIQUE (namespace, scene)
) STRICT;

CREATE TABLE objects (
    scene_id  INTEGER NOT NULL REFERENCES scenes (id) ON DELETE CASCADE,
    object_id TEXT NOT NULL,
    record    TEXT NOT NULL,              -- JSON
    PRIMARY KEY (scene_id, object_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE log (
    id         INTEGER PRIMARY KEY,
    scene_id   INTEGER NOT NULL REFERENCES scenes (id) ON DELETE CASCADE,
    revision   INTEGER NOT NULL,          -- of the last change in this entry
    at_ms      INTEGER NOT NULL,          -- Unix milliseconds
    author     TEXT NOT NULL,
    object_id  TEXT NOT NULL,
    patch      TEXT NOT NULL,             -- JSON
    changes    INTEGER NOT NULL,          -- how many changes were folded into this entry
    size_bytes INTEGER NOT NULL
) STRICT;
CREATE INDEX log_by_scene ON log (scene_id, revision);
CREATE INDEX log_by_time ON log (at_ms);
