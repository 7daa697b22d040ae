-- A page of a scene's history up to a time begins at the newest entry of that time, without reading newer entries.
CREATE INDEX log_by_scene_time ON log (scene_id, at_ms, revision);
