const { CATALOGUE_URL, CATALOGUE_KEY } = process.env;

// Every page of a list, to its end.
async function* pages(path, filters) {
  const query = new URLSearchParams(filters);
  while (true) {
    const response = await fetch(`${CATALOGUE_URL}${path}?${query}`, {
      headers: { Authorization: `Bearer ${CATALOGUE_KEY}` },
    });
    if (!response.ok) throw new Error((await response.json()).message);
    const page = await response.json();
    yield page;
    if (page.next_cursor === null) return;
    query.set("cursor", page.next_cursor);
  }
}

for await (const page of pages("/api/v1/grants", { status: "open", limit: "50" })) {
  for (const grant of page.data) console.log(grant.slug);
}
