# Where the last reading ended; nothing for all there ever was.
since=
since_next=$since

cursor=
while true; do
  page=$(curl --silent --show-error --fail-with-body --get \
    --header "Authorization: Bearer $CATALOGUE_KEY" \
    --data-urlencode "since=$since" --data-urlencode "limit=100" \
    --data-urlencode "cursor=$cursor" \
    "$CATALOGUE_URL/api/v1/changes")
  printf '%s' "$page" | jq --raw-output '.data[] | "\(.kind) \(.slug)"'
  last=$(printf '%s' "$page" | jq --raw-output '.data[-1].observed_at // empty')
  since_next=${last:-$since_next}
  cursor=$(printf '%s' "$page" | jq --raw-output '.next_cursor // empty')
  [ -n "$cursor" ] || break
done
echo "next time: since=$since_next"
