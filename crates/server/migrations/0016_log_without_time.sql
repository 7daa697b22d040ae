-- Pruning by age finds each scene's old entries by log_by_scene_time, so each new entry is written to one index fewer.
DROP INDEX log_by_time;
