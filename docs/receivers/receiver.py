"""Receives Kith's webhooks with Python 3 alone: WEBHOOK_SECRETS=whsec_... python3 receiver.py

WEBHOOK_SECRETS      the signing secret; while it is being replaced both, separated by a comma
WEBHOOK_TOLERANCE_S  how many seconds a sending may lie from this machine's clock; 300 unless given
PORT                 on 127.0.0.1, behind what speaks TLS for you; 8090 unless given
"""

import base64
import hashlib
import hmac
import json
import os
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = os.environ.get("WEBHOOK_SECRETS", "").split(",")
TOLERANCE_S = float(os.environ.get("WEBHOOK_TOLERANCE_S", "300"))
PORT = int(os.environ.get("PORT", "8090"))
BODY_BYTES_MAX = 1024 * 1024
KNOWN_IDS_MAX = 10_000
if not all(re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", secret) for secret in SECRETS):
    raise SystemExit("WEBHOOK_SECRETS must be one secret, or several with commas between.")

# In your own receiver a unique column in the transaction that does the work: it survives a restart.
known_ids = {}
lock = threading.Lock()


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not re.fullmatch(r"[0-9]{1,9}", length) or int(length) > BODY_BYTES_MAX:
            return self.end(413)
        body = self.rfile.read(int(length))
        if not is_genuine(self.headers, body):
            return self.end(401)
        take_once(self.headers["webhook-id"], body)
        self.end(204)

    def end(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


def is_genuine(headers, body):
    """Both signatures are over the bytes as they came; parsed and written anew they would be others."""
    delivery_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_S:
        return False
    stamped = f"{delivery_id}.{timestamp}.".encode("latin-1") + body
    given = headers.get("webhook-signature", "").split(" ")
    is_signed = is_stamped = False
    for secret in SECRETS:
        expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
        is_signed |= is_same(headers.get("x-service-signature", ""), expected)
        digest = hmac.new(base64.b64decode(secret[len("whsec_") :]), stamped, hashlib.sha256).digest()
        expected = "v1," + base64.b64encode(digest).decode()
        is_stamped |= any(is_same(one, expected) for one in given)
    return is_signed and is_stamped


def is_same(given, expected):
    """Takes the same time wherever two texts differ, so that a signature cannot be guessed bit by bit."""
    return hmac.compare_digest(given.encode("latin-1"), expected.encode("latin-1"))


def take_once(delivery_id, body):
    with lock:
        if delivery_id in known_ids:
            return
        event = json.loads(body)
        about = event["payload"].get("contact") or event["payload"].get("task")
        taken = {"id": delivery_id, "event": event["event"], "ts": event["ts"], "about": about["id"]}
        print(json.dumps(taken), flush=True)
        known_ids[delivery_id] = True
        if len(known_ids) > KNOWN_IDS_MAX:
            del known_ids[next(iter(known_ids))]


server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
print(f"Listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
