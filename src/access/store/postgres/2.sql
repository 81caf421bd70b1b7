-- A session is kept under the SHA-256 of its token, so that nobody who reads this can sign in.
CREATE TABLE session (
    digest BYTEA PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES account (id),
    begun_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);

CREATE INDEX session_of_account ON session (account_id);
CREATE INDEX session_seen ON session (seen_at);

-- Failed attempts to sign in, by a keyed digest of the address typed or of the client's network: what people type is not kept.
CREATE TABLE sign_in_attempt (
    subject BYTEA PRIMARY KEY,
    failures BIGINT NOT NULL CHECK (failures >= 0),
    last_at BIGINT NOT NULL,
    locked_until BIGINT NOT NULL
);

CREATE INDEX sign_in_attempt_last ON sign_in_attempt (last_at);
