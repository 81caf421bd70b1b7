curl --silent --show-error --fail-with-body \
  --header "Authorization: Bearer $CATALOGUE_KEY" \
  "$CATALOGUE_URL/api/v1/grants?state=CA&q=water&limit=2" |
  jq '{as_of, next_cursor: (.next_cursor != null), titles: [.data[].title]}'
