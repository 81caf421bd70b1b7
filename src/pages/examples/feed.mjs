const { CATALOGUE_URL, CATALOGUE_KEY } = process.env;

let since = ""; // where the last reading ended; nothing for all there ever was

const query = new URLSearchParams({ since, limit: "100" });
while (true) {
  const response = await fetch(`${CATALOGUE_URL}/api/v1/changes?${query}`, {
    headers: { Authorization: `Bearer ${CATALOGUE_KEY}` },
  });
  if (!response.ok) throw new Error((await response.json()).message);
  const page = await response.json();
  for (const change of page.data) {
    console.log(change.kind, change.slug);
    since = change.observed_at;
  }
  if (page.next_cursor === null) break;
  query.set("cursor", page.next_cursor);
}

console.log(`next time: since=${since}`);
