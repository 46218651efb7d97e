# Creates, publishes, lists by pages and makes an error, with the client that openapi-generator makes for Python.
import json
import os
import re

import openapi_client as concord

name = os.environ["CONCORD_NAME"]
client = concord.ApiClient(
    concord.Configuration(host=os.environ["CONCORD_URL"], access_token=os.environ["CONCORD_TOKEN"])
)
partners = concord.PartnersApi(client)

for i in range(3):
    partner = partners.create_partner(concord.CreatePartner(name=f"{name} {i}"), idempotency_key=f"{name}{i}")
event = concord.EventsApi(client).publish_event(
    partner.id, concord.PublishEvent(type="inventory.updated", data={"sku": "NX-1", "quantity": 12})
)

pages = []
page_from = None
while True:
    page = partners.list_partners_with_http_info(page_size=2, page_from=page_from, filter_name=name)
    pages.append(len(page.data))
    headers = {key.lower(): value for key, value in (page.headers or {}).items()}
    link = re.search(r"[?&]page_from=([^&>]+)", headers.get("link", ""))
    if link is None:
        break
    page_from = link[1]

try:
    partners.get_partner("ptr_unknown")
    error = "none"
except concord.exceptions.NotFoundException as refused:
    error = f"{refused.status} {refused.data.code}"
print(json.dumps({"partner": partner.id, "event": event.id, "pages": pages, "error": error}))
