const { CATALOGUE_URL, CATALOGUE_KEY } = process.env;

const match = new Map([[null, "match not stated"], [true, "match required"], [false, "no match"]]);

const response = await fetch(`${CATALOGUE_URL}/api/v1/grants?limit=20`, {
  headers: { Authorization: `Bearer ${CATALOGUE_KEY}` },
});
const page = await response.json();

for (const grant of page.data) {
  console.log([
    grant.slug,
    // `=== null`: an amount of 0 and an empty list are statements.
    grant.amount_max === null ? "no ceiling stated" : `up to ${grant.amount_max}`,
    match.get(grant.match_required),
    grant.elig_states === null ? "anywhere" : grant.elig_states.join(" "),
  ].join("; "));
}
