// Reads all grants by the generated types, and says what it met.

import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

// Node says where the service is; its own types are not needed for that.
declare const process: { env: Record<string, string> };

type Grant = components["schemas"]["Grant"];

const client = createClient<paths>({
  baseUrl: process.env["CATALOGUE_URL"],
  headers: { Authorization: `Bearer ${process.env["CATALOGUE_KEY"]}` },
});

const grants: Grant[] = [];
const instants = new Set<string>();
let cursor: string | undefined;
do {
  const { data: page, error } = await client.GET("/api/v1/grants", {
    params: { query: { status: "open", limit: 7, cursor } },
  });
  if (!page) throw new Error(error.message);
  grants.push(...page.data);
  instants.add(page.as_of);
  cursor = page.next_cursor ?? undefined;
} while (cursor);

const first = grants[0];
if (!first) throw new Error("no grant was met");
const single = await client.GET("/api/v1/grants/{slug}", { params: { path: { slug: first.slug } } });
if (single.data?.data.title !== first.title) throw new Error("the single grant is another");
// A ceiling that was not stated is null, and the types make a client think of it.
const ceilings: (number | null)[] = grants.map((grant) => grant.amount_max);
const refused = await client.GET("/api/v1/grants", { params: { query: { limit: 0 } } });
const refusal = refused.error && "parameter" in refused.error ? refused.error : undefined;
console.log(
  JSON.stringify({
    slugs: grants.map((grant) => grant.slug),
    without_ceiling: ceilings.filter((ceiling) => ceiling === null).length,
    instants: instants.size,
    refusal: refusal?.error,
    parameter: refusal?.parameter,
  }),
);
