grants="$CATALOGUE_URL/api/v1/grants?status=open"
key="Authorization: Bearer $CATALOGUE_KEY"

tag=$(curl --silent --head --header "$key" "$grants" | tr -d '\r' | sed -n 's/^etag: //p')
curl --silent --show-error --output /dev/null --write-out '%{response_code}\n' --compressed \
  --header "$key" --header "If-None-Match: $tag" "$grants"
