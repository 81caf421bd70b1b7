headers=$(curl --silent --head --header "Authorization: Bearer $CATALOGUE_KEY" \
  "$CATALOGUE_URL/api/v1/funders?limit=1" | tr -d '\r')
value() { printf '%s\n' "$headers" | sed -n "s/^$1: //p"; }

echo "$(value x-ratelimit-remaining) of $(value x-ratelimit-limit) until $(
  date --utc --date="@$(value x-ratelimit-reset)" +%Y-%m-%dT%H:%M:%SZ)"
