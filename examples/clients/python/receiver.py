"""Receives webhooks. Yours has an address on the internet, and keeps its token and secret in its settings."""

import base64
import hashlib
import hmac
import json
import queue
import secrets
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Set

from sinete.documents import DocumentsCreatedEvent

MAX_BODY = 1024 * 1024
MAX_AGE_SECONDS = 300


class Receiver:
    def __init__(self) -> None:
        self.token = secrets.token_hex(32)
        self._key = secrets.token_bytes(32)
        self.secret = "whsec_" + base64.b64encode(self._key).decode()
        self._events: "queue.Queue[bytes]" = queue.Queue()
        self._seen: Set[str] = set()
        receive = self._receive

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.send_response(receive(self))
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/"

    def __enter__(self) -> "Receiver":
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _receive(self, request: BaseHTTPRequestHandler) -> int:
        """Keeps an event, and confirms it; the work comes afterwards."""
        headers = request.headers
        if not is_equal(f"Bearer {self.token}", headers.get("Authorization", "")):
            return 401
        size = int(headers.get("Content-Length", 0))
        if size > MAX_BODY:
            return 413
        body = request.rfile.read(size)
        event_id = headers.get("webhook-id", "")
        signature = headers.get("webhook-signature", "")
        if not self._is_signed(event_id, headers.get("webhook-timestamp", ""), body, signature):
            return 401
        # An event may come twice.
        if event_id not in self._seen:
            self._seen.add(event_id)
            self._events.put(body)
        return 204

    def _is_signed(self, event_id: str, timestamp: str, body: bytes, signature: str) -> bool:
        """Over the bytes as they came, by Standard Webhooks."""
        if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > MAX_AGE_SECONDS:
            return False
        signed = f"{event_id}.{timestamp}.".encode() + body
        expected = base64.b64encode(hmac.new(self._key, signed, hashlib.sha256).digest()).decode()
        return is_equal(f"v1,{expected}", signature)

    def wait_for_created(self, document_id: str) -> None:
        while True:
            body = json.loads(self._events.get(timeout=30))
            # The webhook is told of every document of the organization.
            if body["type"] != "DocumentsCreated":
                continue
            event: DocumentsCreatedEvent = body
            if any(document["id"] == document_id for document in event["data"]["documents"]):
                return


def is_equal(expected: str, given: str) -> bool:
    """In a time that says nothing of where they differ."""
    return hmac.compare_digest(expected.encode(), given.encode())
