# Runs the Python receiver of docs/receivers against the vectors, and exchanges signatures with our packages.
import datetime
import json
import sys
from email.message import Message
from types import SimpleNamespace

import freezegun
from http_message_signatures import HTTPMessageSigner, HTTPMessageVerifier, HTTPSignatureKeyResolver, algorithms
from receiver import Keys, verify

task = json.load(open(sys.argv[1]))


def to_message(pairs):
    message = Message()
    for name, value in pairs:
        message[name] = value
    return message


def run(case):
    request = case["request"]
    with freezegun.freeze_time(datetime.datetime.fromtimestamp(case["now"], datetime.timezone.utc)):
        try:
            verify(
                request["method"],
                request["url"],
                to_message(request["headers"]),
                request["body"].encode(),
                task["jwks"][case["jwks"]],
                case["partner_id"],
            )
            return {"name": case["name"], "accepted": True}
        except Exception as error:
            return {"name": case["name"], "accepted": False, "reason": repr(error)}


def verify_general(request):
    verifier = HTTPMessageVerifier(signature_algorithm=algorithms.ECDSA_P384_SHA384, key_resolver=Keys(task["jwks"]["live"]))
    message = SimpleNamespace(method=request["method"], url=request["url"], headers=to_message(request["headers"]))
    with freezegun.freeze_time(datetime.datetime.fromtimestamp(task["now"], datetime.timezone.utc)):
        verifier.verify(message)


class PrivateKey(HTTPSignatureKeyResolver):
    def resolve_private_key(self, key_id):
        return task["privatePem"].encode()


def sign(request):
    headers = to_message(request["headers"])
    message = SimpleNamespace(method=request["method"], url=request["url"], headers=headers)
    signer = HTTPMessageSigner(signature_algorithm=algorithms.ECDSA_P384_SHA384, key_resolver=PrivateKey())
    created = datetime.datetime.fromtimestamp(task["now"], datetime.timezone.utc)
    signer.sign(
        message,
        key_id=task["kid"],
        created=created,
        covered_component_ids=request["components"],
        use_existing_digest="Content-Digest" in headers,
    )
    return {**request, "headers": headers.items()}


verify_general(task["general"])
json.dump({"results": [run(case) for case in task["cases"]], "signed": [sign(request) for request in task["unsigned"]]}, sys.stdout)
