// Runs the audit against the address in GRAPHQL_URL with the key in GRAPHQL_KEY, and prints each result as a line of JSON.
import { auditServer } from "graphql-http";

const { GRAPHQL_URL, GRAPHQL_KEY } = process.env;

const results = await auditServer({
  url: GRAPHQL_URL,
  fetchFn: (url, init = {}) =>
    fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${GRAPHQL_KEY}` } }),
});

for (const { id, name, status, reason } of results) {
  console.log(JSON.stringify({ id, name, status, reason }));
}
