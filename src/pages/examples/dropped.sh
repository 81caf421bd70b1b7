curl --silent --show-error --fail-with-body --output /dev/null --dump-header - \
  --header "Authorization: Bearer $CATALOGUE_KEY" \
  "$CATALOGUE_URL/api/v1/grants?state=CA&state=ZZ&industry=unheard-of" |
  tr -d '\r' | sed -n 's/^x-service-ignored-filters: //p'
