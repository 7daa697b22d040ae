-- Names that scenes had before: who comes by one of them is told the present one.
CREATE TABLE former_names (
    namespace TEXT NOT NULL,
    scene     TEXT NOT NULL,
    scene_id  INTEGER NOT NULL REFERENCES scenes (id) ON DELETE CASCADE,
    epoch     INTEGER NOT NULL,           -- of the last opening under it: its changes that are still on their way belong to the scene
    PRIMARY KEY (namespace, scene)
) STRICT, WITHOUT ROWID;
CREATE INDEX former_names_by_scene ON former_names (scene_id);
