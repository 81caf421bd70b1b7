-- Times are milliseconds since 1970-01-01T00:00:00Z, days are counted from the same day, key ids are 40-bit numbers.

CREATE TABLE plan (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    includes_api BOOLEAN NOT NULL
);

INSERT INTO plan (name, includes_api) VALUES ('free', FALSE), ('api', TRUE);

CREATE TABLE account (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('client', 'analyst')),
    plan_id BIGINT NOT NULL REFERENCES plan (id),
    password_hash TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE api_key (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES account (id),
    name TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT,
    revoked_at BIGINT
);

CREATE INDEX api_key_of_account ON api_key (account_id);

-- `lent` is the part of `taken` that gateways may still hold unspent.
CREATE TABLE allowance (
    key_id BIGINT NOT NULL REFERENCES api_key (id),
    day BIGINT NOT NULL,
    taken BIGINT NOT NULL CHECK (taken >= 0),
    lent BIGINT NOT NULL CHECK (lent >= 0),
    PRIMARY KEY (key_id, day)
);

CREATE INDEX allowance_of_day ON allowance (day);

CREATE TABLE secret (
    purpose TEXT PRIMARY KEY,
    bytes BYTEA NOT NULL
);
