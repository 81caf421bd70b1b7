import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

query = urlencode([("state", "CA"), ("state", "ZZ"), ("industry", "unheard-of")])
request = Request(
    f"{os.environ['CATALOGUE_URL']}/api/v1/grants?{query}",
    headers={"Authorization": f"Bearer {os.environ['CATALOGUE_KEY']}"},
)
with urlopen(request) as response:
    print(response.headers["X-Service-Ignored-Filters"])
