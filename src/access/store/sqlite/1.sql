-- Times are milliseconds since 1970-01-01T00:00:00Z, days are counted from the same day, key ids are 40-bit numbers.

CREATE TABLE plan (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    includes_api INTEGER NOT NULL CHECK (includes_api IN (0, 1))
) STRICT;

INSERT INTO plan (name, includes_api) VALUES ('free', 0), ('api', 1);

CREATE TABLE account (
    id INTEGER PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('client', 'analyst')),
    plan_id INTEGER NOT NULL REFERENCES plan (id),
    password_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_key (
    id INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account (id),
    name TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at INTEGER
) STRICT;

CREATE INDEX api_key_of_account ON api_key (account_id);

-- `lent` is the part of `taken` that gateways may still hold unspent.
CREATE TABLE allowance (
    key_id INTEGER NOT NULL REFERENCES api_key (id),
    day INTEGER NOT NULL,
    taken INTEGER NOT NULL CHECK (taken >= 0),
    lent INTEGER NOT NULL CHECK (lent >= 0),
    PRIMARY KEY (key_id, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX allowance_of_day ON allowance (day);

CREATE TABLE secret (
    purpose TEXT PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT;
