package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"example/sinete/documents"
)

const (
	maxBody = 1024 * 1024
	maxAge  = 5 * time.Minute
)

// Receiver receives webhooks. Yours has an address on the internet, and keeps its token and secret in its settings.
type Receiver struct {
	URL, Token, Secret string

	key    []byte
	server *http.Server
	events chan []byte
	seen   sync.Map
}

func newReceiver() (*Receiver, error) {
	key, token := make([]byte, 32), make([]byte, 32)
	rand.Read(key)
	rand.Read(token)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	receiver := &Receiver{
		URL:    fmt.Sprintf("http://%s/", listener.Addr()),
		Token:  base64.RawURLEncoding.EncodeToString(token),
		Secret: "whsec_" + base64.StdEncoding.EncodeToString(key),
		key:    key,
		events: make(chan []byte, 100),
	}
	receiver.server = &http.Server{Handler: receiver}
	go receiver.server.Serve(listener)
	return receiver, nil
}

func (receiver *Receiver) Close() error { return receiver.server.Close() }

// ServeHTTP keeps an event, and confirms it; the work comes afterwards.
func (receiver *Receiver) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	if !isEqual("Bearer "+receiver.Token, request.Header.Get("Authorization")) {
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBody))
	if err != nil {
		response.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	if !receiver.isSigned(request.Header, body) {
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	// An event may come twice.
	if _, isSeen := receiver.seen.LoadOrStore(request.Header.Get("webhook-id"), true); !isSeen {
		receiver.events <- body
	}
	response.WriteHeader(http.StatusNoContent)
}

// Over the bytes as they came, by Standard Webhooks.
func (receiver *Receiver) isSigned(header http.Header, body []byte) bool {
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > maxAge {
		return false
	}
	mac := hmac.New(sha256.New, receiver.key)
	fmt.Fprintf(mac, "%s.%s.%s", header.Get("webhook-id"), timestamp, body)
	return isEqual("v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)), header.Get("webhook-signature"))
}

func (receiver *Receiver) WaitForCreated(documentId string) error {
	timeout := time.After(30 * time.Second)
	for {
		select {
		case body := <-receiver.events:
			var event documents.DocumentsCreatedEvent
			// The webhook is told of every document of the organization.
			if json.Unmarshal(body, &event) != nil || event.Type != "DocumentsCreated" {
				continue
			}
			for _, document := range event.Data.Documents {
				if document.Id == documentId {
					return nil
				}
			}
		case <-timeout:
			return errors.New("no event came")
		}
	}
}

// In a time that says nothing of where they differ.
func isEqual(expected, given string) bool { return hmac.Equal([]byte(expected), []byte(given)) }
