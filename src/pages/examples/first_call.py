import json
import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

query = urlencode({"state": "CA", "q": "water", "limit": 2})
request = Request(
    f"{os.environ['CATALOGUE_URL']}/api/v1/grants?{query}",
    headers={"Authorization": f"Bearer {os.environ['CATALOGUE_KEY']}"},
)
with urlopen(request) as response:
    page = json.load(response)

print(json.dumps({
    "as_of": page["as_of"],
    "next_cursor": page["next_cursor"] is not None,
    "titles": [grant["title"] for grant in page["data"]],
}))
