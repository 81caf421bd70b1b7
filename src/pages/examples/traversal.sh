cursor=
while true; do
  page=$(curl --silent --show-error --fail-with-body --get \
    --header "Authorization: Bearer $CATALOGUE_KEY" \
    --data-urlencode "status=open" --data-urlencode "limit=50" \
    --data-urlencode "cursor=$cursor" \
    "$CATALOGUE_URL/api/v1/grants")
  printf '%s' "$page" | jq --raw-output '.data[].slug'
  cursor=$(printf '%s' "$page" | jq --raw-output '.next_cursor // empty')
  [ -n "$cursor" ] || break
done
