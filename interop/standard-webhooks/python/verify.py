"""Counts the requests that both libraries verify, and the changed ones that both refuse."""
import json, sys
import standardwebhooks, svix

task = json.load(open(sys.argv[1]))


def accepts(library, request):
    try:
        library.Webhook(task["secret"]).verify(request["body"], request["headers"])
        return True
    except Exception:
        return False


count = lambda requests, expected: sum(
    all(accepts(library, each) == expected for library in (standardwebhooks, svix)) for each in requests
)
print(json.dumps({"verified": count(task["requests"], True), "refused": count(task["changed"], False)}))
