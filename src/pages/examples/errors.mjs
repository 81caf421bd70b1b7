const { CATALOGUE_URL, CATALOGUE_KEY } = process.env;

const response = await fetch(`${CATALOGUE_URL}/api/v1/grants?limit=1000`, {
  headers: { Authorization: `Bearer ${CATALOGUE_KEY}` },
});
const body = await response.json();
switch (response.ok ? "none" : body.error) {
  case "none": console.log(body.data.length); break;
  case "invalid_parameter": console.log(`put ${body.parameter} right`); break;
  case "cursor_filter_mismatch": console.log("start again without a cursor"); break;
  case "missing_key":
  case "invalid_key": console.log("look at the key"); break;
  case "plan_required": console.log("ask for a plan with the API"); break;
  default: console.log(body.message);
}
