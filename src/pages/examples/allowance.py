import os
import time
from datetime import datetime, timezone
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def call(path):
    """Answers when the service does: where the day is used up, it waits for the next."""
    request = Request(
        os.environ["CATALOGUE_URL"] + path,
        headers={"Authorization": f"Bearer {os.environ['CATALOGUE_KEY']}"},
    )
    while True:
        try:
            return urlopen(request)
        except HTTPError as refusal:
            if refusal.code not in (429, 503):
                raise
            time.sleep(int(refusal.headers["Retry-After"]))


with call("/api/v1/funders?limit=1") as response:
    headers = response.headers
    ends = datetime.fromtimestamp(int(headers["X-RateLimit-Reset"]), timezone.utc)
    print(f"{headers['X-RateLimit-Remaining']} of {headers['X-RateLimit-Limit']} until {ends:%Y-%m-%dT%H:%M:%SZ}")
