const { CATALOGUE_URL, CATALOGUE_KEY } = process.env;

const query = new URLSearchParams([["state", "CA"], ["state", "ZZ"], ["industry", "unheard-of"]]);
const response = await fetch(`${CATALOGUE_URL}/api/v1/grants?${query}`, {
  headers: { Authorization: `Bearer ${CATALOGUE_KEY}` },
});
console.log(response.headers.get("X-Service-Ignored-Filters"));
