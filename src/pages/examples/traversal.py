import json
import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen


def pages(path, **filters):
    """Every page of a list, to its end."""
    while True:
        request = Request(
            f"{os.environ['CATALOGUE_URL']}{path}?{urlencode(filters)}",
            headers={"Authorization": f"Bearer {os.environ['CATALOGUE_KEY']}"},
        )
        with urlopen(request) as response:
            page = json.load(response)
        yield page
        if page["next_cursor"] is None:
            return
        filters["cursor"] = page["next_cursor"]


for page in pages("/api/v1/grants", status="open", limit=50):
    for grant in page["data"]:
        print(grant["slug"])
