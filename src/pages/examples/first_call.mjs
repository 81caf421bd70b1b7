const { CATALOGUE_URL, CATALOGUE_KEY } = process.env;

const query = new URLSearchParams({ state: "CA", q: "water", limit: "2" });
const response = await fetch(`${CATALOGUE_URL}/api/v1/grants?${query}`, {
  headers: { Authorization: `Bearer ${CATALOGUE_KEY}` },
});
const page = await response.json();

console.log(JSON.stringify({
  as_of: page.as_of,
  next_cursor: page.next_cursor !== null,
  titles: page.data.map((grant) => grant.title),
}));
