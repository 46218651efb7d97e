import base64, datetime, json
from types import SimpleNamespace
from cryptography.hazmat.primitives.asymmetric import ec
from http_message_signatures import HTTPMessageVerifier, HTTPSignatureComponentResolver, HTTPSignatureKeyResolver
from http_message_signatures import InvalidSignature, algorithms

COVERED = ("@method", "@target-uri", "content-type", "content-digest", "webhook-id")


class Keys(HTTPSignatureKeyResolver):
    def __init__(self, jwks):
        self.keys = {key["kid"]: key for key in jwks["keys"] if key.get("crv") == "P-384"}

    def resolve_public_key(self, key_id):
        key = self.keys[key_id]
        x, y = (int.from_bytes(base64.urlsafe_b64decode(key[name] + "=="), "big") for name in ("x", "y"))
        return ec.EllipticCurvePublicNumbers(x, y, ec.SECP384R1()).public_key()


class Components(HTTPSignatureComponentResolver):
    def get_target_uri(self):
        return self.message.registered


class Verifier(HTTPMessageVerifier):
    max_clock_skew = datetime.timedelta(minutes=5)


def verify(method, url, headers, body, jwks, partner_id):
    """Returns the event id. url: the endpoint's `url`, as Concord shows it; headers: an email.message.Message; body: the raw bytes;
    partner_id: your partner, whose events are the only ones to accept."""
    if any("\n" in value or "\r" in value for value in headers.values()):
        raise InvalidSignature("A header must not have a line break")
    verifier = Verifier(
        signature_algorithm=algorithms.ECDSA_P384_SHA384, key_resolver=Keys(jwks), component_resolver_class=Components
    )
    # The library refuses brackets in a query, so it gets an encoded URL; the registered one is verified.
    start, mark, query = url.partition("?")
    encoded = start + mark + query.replace("[", "%5B").replace("]", "%5D")
    message = SimpleNamespace(method=method, url=encoded, registered=url, headers=headers)
    (result,) = verifier.verify(message, max_age=datetime.timedelta(0), require_components=COVERED, body=body)
    if result.parameters.get("alg") != "ecdsa-p384-sha384":
        raise InvalidSignature("alg must be ecdsa-p384-sha384")
    event = json.loads(body)
    if event["partner_id"] != partner_id:
        raise InvalidSignature("The event belongs to another partner")
    return event["id"]
