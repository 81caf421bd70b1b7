import json
import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    f"{os.environ['CATALOGUE_URL']}/api/v1/grants?limit=1000",
    headers={"Authorization": f"Bearer {os.environ['CATALOGUE_KEY']}"},
)
try:
    with urlopen(request) as response:
        print(len(json.load(response)["data"]))
except HTTPError as answer:
    refusal = json.load(answer)
    match refusal["error"]:
        case "invalid_parameter":
            print(f"put {refusal['parameter']} right")
        case "cursor_filter_mismatch":
            print("start again without a cursor")
        case "missing_key" | "invalid_key":
            print("look at the key")
        case "plan_required":
            print("ask for a plan with the API")
        case _:
            print(refusal["message"])
