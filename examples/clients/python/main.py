"""Signs contract.pdf, verifies it, and waits for the webhook of a document."""

import base64
import time
from pathlib import Path
from typing import List

from calls import Refusal, post, send
from receiver import Receiver
from sinete.documents import CreateDocuments, CreatedDocument, CreatedWebhook
from sinete.documents import Upload, UploadBytes, VerificationReport, WebhookRequest
from sinete.session import Accepted, CreateSession, Session, SignDocument

WEBHOOKS = "/documents/api/organizations/11111111-1111-4111-8111-111111111111/webhooks"


def sign(pdf: bytes) -> bytes:
    opening: CreateSession = {"cpf": "52998224725", "pin": "1234"}
    session: Session = post("/session/v1/sessions", opening)
    signing: SignDocument = {
        "sessionId": session["sessionId"],
        "document": base64.b64encode(pdf).decode(),
        "fileName": "contract.pdf",
    }
    accepted: Accepted = post("/session/v1/signatures", signing)
    while True:
        try:
            return send("GET", f"/session/v1/signatures/{accepted['signatureId']}/document")
        except Refusal as refusal:
            if refusal.code != "DOCUMENT_NOT_READY":
                raise
            time.sleep(0.5)


def create_document(pdf: bytes) -> str:
    uploading: UploadBytes = {"bytes": base64.b64encode(pdf).decode()}
    upload: Upload = post("/documents/api/uploads/bytes", uploading)
    request: CreateDocuments = {
        "files": [{"id": upload["id"], "name": "contract.pdf"}],
        "flowActions": [
            {"type": "Signer", "step": 1, "user": {"name": "Ana Lima", "identifier": "52998224725"}},
        ],
    }
    created: List[CreatedDocument] = post("/documents/api/documents", request)
    return created[0]["documentId"]


def main() -> None:
    contract = Path("contract.pdf").read_bytes()

    signed = sign(contract)
    Path("signed.pdf").write_bytes(signed)
    print("Signed: signed.pdf")

    report: VerificationReport = post("/documents/api/verification", signed)
    print(f"Verified: {report['outcome']}, {len(report['signatures'])} signature")
    if report["outcome"] != "valid":
        raise SystemExit(", ".join(report["reasons"]))

    with Receiver() as receiver:
        request: WebhookRequest = {
            "url": receiver.url,
            "authType": "Bearer",
            "token": receiver.token,
            "secret": receiver.secret,
        }
        webhook: CreatedWebhook = post(WEBHOOKS, request)
        print("Webhook: created")
        try:
            receiver.wait_for_created(create_document(contract))
            print("Event: DocumentsCreated")
        finally:
            send("DELETE", f"{WEBHOOKS}/{webhook['webhookId']}")


if __name__ == "__main__":
    main()
