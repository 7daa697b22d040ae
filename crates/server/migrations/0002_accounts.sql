-- Who may come in: local accounts, their web sessions, the first owner's link, and the tokens that were issued.
CREATE TABLE accounts (
    name        TEXT PRIMARY KEY,
    password    TEXT NOT NULL,            -- argon2id, PHC string
    realm_owner INTEGER NOT NULL,
    created_s   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE web_sessions (
    secret_hash BLOB PRIMARY KEY,         -- SHA-256 of the cookie
    account     TEXT NOT NULL REFERENCES accounts (name) ON DELETE CASCADE,
    expires_s   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX web_sessions_by_account ON web_sessions (account);

CREATE TABLE owner_link (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    secret_hash BLOB NOT NULL,
    expires_s   INTEGER NOT NULL
) STRICT;

CREATE TABLE tokens (
    jti       TEXT PRIMARY KEY,
    sub       TEXT,                       -- unknown where only the revocation is known
    expires_s INTEGER,
    revoked   INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_by_sub ON tokens (sub);
