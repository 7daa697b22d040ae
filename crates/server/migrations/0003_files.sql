-- Uploaded files: the names that users see, over content addressed by its hash.
CREATE TABLE files (
    path         TEXT PRIMARY KEY,
    hash         TEXT NOT NULL,           -- SHA-256 of the content, hexadecimal: its name in the file store
    size_bytes   INTEGER NOT NULL,
    content_type TEXT NOT NULL,
    owner        TEXT NOT NULL,
    at_s         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX files_by_hash ON files (hash);
CREATE INDEX files_by_owner ON files (owner);
