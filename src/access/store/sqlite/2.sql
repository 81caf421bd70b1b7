-- A session is kept under the SHA-256 of its token, so that nobody who reads this can sign in.
CREATE TABLE session (
    digest BLOB PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account (id),
    begun_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX session_of_account ON session (account_id);
CREATE INDEX session_seen ON session (seen_at);

-- Failed attempts to sign in, by a keyed digest of the address typed or of the client's network: what people type is not kept.
CREATE TABLE sign_in_attempt (
    subject BLOB PRIMARY KEY,
    failures INTEGER NOT NULL CHECK (failures >= 0),
    last_at INTEGER NOT NULL,
    locked_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sign_in_attempt_last ON sign_in_attempt (last_at);
