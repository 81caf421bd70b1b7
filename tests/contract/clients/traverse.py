"""Reads all grants by the generated client, and says what it met."""

import json
import os

from catalogue_client import AuthenticatedClient
from catalogue_client.api.grants import get_grant, list_grants
from catalogue_client.models import GrantAnswer, GrantPage
from catalogue_client.types import UNSET

client = AuthenticatedClient(base_url=os.environ["CATALOGUE_URL"], token=os.environ["CATALOGUE_KEY"])
grants, instants, cursor = [], set(), UNSET
while True:
    page = list_grants.sync(client=client, status="open", limit=7, cursor=cursor)
    assert isinstance(page, GrantPage), page
    grants += page.data
    instants.add(page.as_of)
    if page.next_cursor is None:
        break
    cursor = page.next_cursor

first = get_grant.sync(client=client, slug=grants[0].slug)
assert isinstance(first, GrantAnswer), first
assert first.data.to_dict() == grants[0].to_dict()
refusal = list_grants.sync(client=client, limit=0)
print(
    json.dumps(
        {
            "slugs": [grant.slug for grant in grants],
            "without_ceiling": sum(grant.amount_max is None for grant in grants),
            "instants": len(instants),
            "refusal": refusal.error.value,
            "parameter": refusal.parameter,
        }
    )
)
