const { CATALOGUE_URL, CATALOGUE_KEY } = process.env;

// Answers when the service does: where the day is used up, it waits for the next.
async function call(path) {
  while (true) {
    const response = await fetch(CATALOGUE_URL + path, {
      headers: { Authorization: `Bearer ${CATALOGUE_KEY}` },
    });
    if (response.status !== 429 && response.status !== 503) return response;
    const seconds = Number(response.headers.get("Retry-After"));
    await new Promise((done) => setTimeout(done, seconds * 1000));
  }
}

const { headers } = await call("/api/v1/funders?limit=1");
const ends = new Date(Number(headers.get("X-RateLimit-Reset")) * 1000).toISOString().replace(".000", "");
console.log(`${headers.get("X-RateLimit-Remaining")} of ${headers.get("X-RateLimit-Limit")} until ${ends}`);
