import json
import os
from decimal import Decimal
from urllib.request import Request, urlopen

MATCH = {None: "match not stated", True: "match required", False: "no match"}

request = Request(
    f"{os.environ['CATALOGUE_URL']}/api/v1/grants?limit=20",
    headers={"Authorization": f"Bearer {os.environ['CATALOGUE_KEY']}"},
)
with urlopen(request) as response:
    # Decimal keeps amounts exact to the cent.
    page = json.load(response, parse_float=Decimal)

for grant in page["data"]:
    ceiling, states = grant["amount_max"], grant["elig_states"]
    print("; ".join([
        grant["slug"],
        # `is None`: an amount of 0 and an empty list are statements.
        "no ceiling stated" if ceiling is None else f"up to {ceiling}",
        MATCH[grant["match_required"]],
        "anywhere" if states is None else " ".join(states),
    ]))
