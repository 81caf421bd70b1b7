answer=$(curl --silent --show-error --header "Authorization: Bearer $CATALOGUE_KEY" \
  "$CATALOGUE_URL/api/v1/grants?limit=1000")
case $(printf '%s' "$answer" | jq --raw-output '.error // "none"') in
  none) printf '%s' "$answer" | jq '.data | length' ;;
  invalid_parameter) printf '%s' "$answer" | jq --raw-output '"put \(.parameter) right"' ;;
  cursor_filter_mismatch) echo "start again without a cursor" ;;
  missing_key | invalid_key) echo "look at the key" ;;
  plan_required) echo "ask for a plan with the API" ;;
  *) printf '%s' "$answer" | jq --raw-output '.message' ;;
esac
