# Creates, publishes, lists by pages and makes an error, with the client that openapi-python-client makes.
import json
import os
import re

from concord_client import AuthenticatedClient
from concord_client.api.events import publish_event
from concord_client.api.partners import create_partner, get_partner, list_partners
from concord_client.models import CreatePartner, Error, Event, Partner, PublishEvent
from concord_client.types import UNSET

name = os.environ["CONCORD_NAME"]
client = AuthenticatedClient(base_url=os.environ["CONCORD_URL"], token=os.environ["CONCORD_TOKEN"])

for i in range(3):
    partner = create_partner.sync(client=client, body=CreatePartner(name=f"{name} {i}"), idempotency_key=f"{name}{i}")
    assert isinstance(partner, Partner), partner
event = publish_event.sync(
    partner.id, client=client, body=PublishEvent(type_="inventory.updated", data={"sku": "NX-1", "quantity": 12})
)
assert isinstance(event, Event), event

pages = []
page_from = UNSET
while True:
    page = list_partners.sync_detailed(client=client, page_size=2, page_from=page_from, filtername=name)
    pages.append(len(page.parsed))
    link = re.search(r"[?&]page_from=([^&>]+)", page.headers.get("link", ""))
    if link is None:
        break
    page_from = link[1]

refused = get_partner.sync_detailed("ptr_unknown", client=client)
assert isinstance(refused.parsed, Error), refused
print(
    json.dumps(
        {
            "partner": partner.id,
            "event": event.id,
            "pages": pages,
            "error": f"{refused.status_code.value} {refused.parsed.code}",
        }
    )
)
