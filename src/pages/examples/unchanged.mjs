const { CATALOGUE_URL, CATALOGUE_KEY } = process.env;

const grants = `${CATALOGUE_URL}/api/v1/grants?status=open`;
const headers = { Authorization: `Bearer ${CATALOGUE_KEY}` };

const first = await fetch(grants, { headers });
const again = await fetch(grants, { headers: { ...headers, "If-None-Match": first.headers.get("ETag") } });
console.log(again.status);
