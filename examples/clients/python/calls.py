"""Calls of the services."""

import json
import os
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

URL = os.environ.get("SINETE_URL", "http://localhost:3000")
KEY = "sandbox|sinete-local-key"


class Refusal(Exception):
    """The session server puts code and message into an error, the document platform does not."""

    def __init__(self, body: str) -> None:
        super().__init__(body)
        answer = json.loads(body)
        self.code = answer.get("error", answer).get("code")


def send(method: str, path: str, body: Any = None) -> bytes:
    """Bytes are sent as they are, models as JSON."""
    is_file = isinstance(body, bytes)
    content = body if body is None or is_file else json.dumps(body).encode()
    headers = {
        "X-API-Key": KEY,
        "Content-Type": "application/octet-stream" if is_file else "application/json",
    }
    try:
        with urlopen(Request(URL + path, content, headers, method=method)) as answer:
            return bytes(answer.read())
    except HTTPError as error:
        raise Refusal(error.read().decode()) from None


def post(path: str, body: Any) -> Any:
    return json.loads(send("POST", path, body))
