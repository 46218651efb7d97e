"""What every Python framework calls, with the raw bytes of the body."""
import email.message, json, os, urllib.request
from verify import verify

URL, PARTNER, JWKS = (os.environ[name] for name in ("WEBHOOK_URL", "PARTNER", "JWKS"))


def receive(method, headers, body):
    """The status to answer. headers: pairs of name and value."""
    message = email.message.Message()
    for name, value in headers:
        message[name] = value
    try:
        with urllib.request.urlopen(JWKS) as keys:  # keep it for an hour
            verify(method, URL, message, body, json.load(keys), PARTNER)
    except Exception:
        return 401
    return 204
