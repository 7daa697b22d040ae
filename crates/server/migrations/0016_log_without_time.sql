-- Pruning by age walks the entries by id, in which they were written. Each stored message costs an index less.
DROP INDEX log_by_time;
