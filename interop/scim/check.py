"""Checks a SCIM service with scim2-tester, as it is. Arguments: the base URL, the token."""

import json
import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

base_url, token = sys.argv[1:]
client = Client(base_url=base_url, headers={"Authorization": f"Bearer {token}"})
results = check_server(SyncSCIMClient(client))
problems = [
    f"{result.title} {result.resource_type or ''}: {result.reason}"
    for result in results
    if result.status not in (Status.SUCCESS, Status.SKIPPED)
]
skipped = sum(result.status == Status.SKIPPED for result in results)
passed = len(results) - skipped - len(problems)
print(json.dumps({"passed": passed, "skipped": skipped, "problems": problems}))
