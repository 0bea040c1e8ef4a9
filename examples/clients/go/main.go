// Signs contract.pdf, verifies it, and waits for the webhook of a document.
package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"example/sinete/documents"
	"example/sinete/session"
)

const webhooks = "/documents/api/organizations/11111111-1111-4111-8111-111111111111/webhooks"

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	contract, err := os.ReadFile("contract.pdf")
	if err != nil {
		return err
	}

	signed, err := sign(contract)
	if err != nil {
		return err
	}
	if err := os.WriteFile("signed.pdf", signed, 0o644); err != nil {
		return err
	}
	fmt.Println("Signed: signed.pdf")

	report, err := post[documents.VerificationReport]("/documents/api/verification", signed)
	if err != nil {
		return err
	}
	fmt.Printf("Verified: %s, %d signature\n", report.Outcome, len(report.Signatures))
	if report.Outcome != "valid" {
		return errors.New(strings.Join(report.Reasons, ", "))
	}

	receiver, err := newReceiver()
	if err != nil {
		return err
	}
	defer receiver.Close()
	webhook, err := post[documents.CreatedWebhook](webhooks, documents.WebhookRequest{
		Url:      receiver.URL,
		AuthType: "Bearer",
		Token:    &receiver.Token,
		Secret:   &receiver.Secret,
	})
	if err != nil {
		return err
	}
	fmt.Println("Webhook: created")
	defer send("DELETE", webhooks+"/"+webhook.WebhookId, nil)

	documentId, err := createDocument(contract)
	if err != nil {
		return err
	}
	if err := receiver.WaitForCreated(documentId); err != nil {
		return err
	}
	fmt.Println("Event: DocumentsCreated")
	return nil
}

func sign(pdf []byte) ([]byte, error) {
	opened, err := post[session.Session]("/session/v1/sessions", session.CreateSession{
		Cpf: "52998224725",
		Pin: "1234",
	})
	if err != nil {
		return nil, err
	}
	accepted, err := post[session.Accepted]("/session/v1/signatures", session.SignDocument{
		SessionId: opened.SessionId,
		Document:  some(base64.StdEncoding.EncodeToString(pdf)),
		FileName:  some("contract.pdf"),
	})
	if err != nil {
		return nil, err
	}
	for {
		signed, err := send("GET", "/session/v1/signatures/"+accepted.SignatureId+"/document", nil)
		var refusal *Refusal
		if !errors.As(err, &refusal) || refusal.Code != "DOCUMENT_NOT_READY" {
			return signed, err
		}
		time.Sleep(500 * time.Millisecond)
	}
}

func createDocument(pdf []byte) (string, error) {
	upload, err := post[documents.Upload]("/documents/api/uploads/bytes", documents.UploadBytes{
		Bytes: base64.StdEncoding.EncodeToString(pdf),
	})
	if err != nil {
		return "", err
	}
	signer := documents.Participant{Name: "Ana Lima", Identifier: some("52998224725")}
	created, err := post[[]documents.CreatedDocument]("/documents/api/documents", documents.CreateDocuments{
		Files:       []documents.FileRef{{Id: upload.Id, Name: some("contract.pdf")}},
		FlowActions: []documents.FlowActionRequest{{Type: "Signer", Step: some(int64(1)), User: &signer}},
	})
	if err != nil {
		return "", err
	}
	return created[0].DocumentId, nil
}

// What may be left out is a pointer.
func some[T any](value T) *T { return &value }
