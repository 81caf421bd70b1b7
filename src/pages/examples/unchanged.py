import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    f"{os.environ['CATALOGUE_URL']}/api/v1/grants?status=open",
    headers={"Authorization": f"Bearer {os.environ['CATALOGUE_KEY']}"},
)
with urlopen(request) as response:
    tag = response.headers["ETag"]

request.add_header("If-None-Match", tag)
try:
    urlopen(request)
except HTTPError as answer:  # urllib takes 304 for an error; it is none
    print(answer.code)
