-- Ways in besides passwords: invitations to scenes, one-time links to accounts. What an invitation gives stands in its scene's settings.
CREATE TABLE invitations (
    secret_hash BLOB PRIMARY KEY,         -- SHA-256 of what stands in the link
    id          TEXT NOT NULL UNIQUE,
    namespace   TEXT NOT NULL,
    scene       TEXT NOT NULL,
    uses_max    INTEGER,                  -- people; null: any number
    ends_s      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE invitation_uses (
    invitation TEXT NOT NULL REFERENCES invitations (id) ON DELETE CASCADE,
    who        TEXT NOT NULL,             -- an account's name, or guest: and its browser's id
    PRIMARY KEY (invitation, who)
) STRICT, WITHOUT ROWID;
CREATE INDEX invitation_uses_by_who ON invitation_uses (who);

CREATE TABLE account_links (
    secret_hash BLOB PRIMARY KEY,
    account     TEXT REFERENCES accounts (name) ON DELETE CASCADE, -- whose password is set; null: makes an account
    expires_s   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Accounts that are gone: nobody else gets what was given to them.
CREATE TABLE retired_names (
    name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TRIGGER account_retired AFTER DELETE ON accounts
BEGIN
    INSERT OR IGNORE INTO retired_names (name) VALUES (OLD.name);
    DELETE FROM invitation_uses WHERE who = OLD.name;
END;

-- What a scene looks like, in the list of scenes.
CREATE TABLE pictures (
    scene_id     INTEGER PRIMARY KEY REFERENCES scenes (id) ON DELETE CASCADE,
    content_type TEXT NOT NULL,
    bytes        BLOB NOT NULL
) STRICT;
