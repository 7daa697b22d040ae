-- How far back the log leads is asked with each page of it: the newest entry that does not say what it replaced is found without walking over the others.
CREATE INDEX log_without_before ON log (scene_id, revision) WHERE before IS NULL;
