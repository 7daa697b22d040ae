-- The server adds to the shares, once for each author in a transaction. The trigger did so for each entry.
DROP TRIGGER log_share_added;
