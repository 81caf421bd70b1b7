import json
import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

since = ""  # where the last reading ended; nothing for all there ever was

window = {"since": since, "limit": 100}
while True:
    request = Request(
        f"{os.environ['CATALOGUE_URL']}/api/v1/changes?{urlencode(window)}",
        headers={"Authorization": f"Bearer {os.environ['CATALOGUE_KEY']}"},
    )
    with urlopen(request) as response:
        page = json.load(response)
    for change in page["data"]:
        print(change["kind"], change["slug"])
        since = change["observed_at"]
    if page["next_cursor"] is None:
        break
    window["cursor"] = page["next_cursor"]

print(f"next time: since={since}")
