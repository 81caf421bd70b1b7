curl --silent --show-error --fail-with-body \
  --header "Authorization: Bearer $CATALOGUE_KEY" \
  "$CATALOGUE_URL/api/v1/grants?limit=20" |
  jq --raw-output '.data[] | [
    .slug,
    if .amount_max == null then "no ceiling stated" else "up to \(.amount_max)" end,
    if .match_required == null then "match not stated"
    elif .match_required then "match required" else "no match" end,
    if .elig_states == null then "anywhere" else (.elig_states | join(" ")) end
  ] | join("; ")'
