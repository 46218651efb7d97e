"""Checks a SCIM service with scim2-tester, as it is. Arguments: the base URL, the token."""

import json
import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

base_url, token = sys.argv[1:]
client = Client(base_url=base_url, headers={"Authorization": f"Bearer {token}"})
results = check_server(SyncSCIMClient(client))
# Without a value `active` gives no access, so Concord shows false (K23).
known = "PATCH modify() did not remove attribute 'active'"
skipped = sum(result.status == Status.SKIPPED or result.reason == known for result in results)
problems = [
    f"{result.title} {result.resource_type or ''}: {result.reason}"
    for result in results
    if result.status not in (Status.SUCCESS, Status.SKIPPED) and result.reason != known
]
passed = len(results) - skipped - len(problems)
print(json.dumps({"passed": passed, "skipped": skipped, "problems": problems}))
