package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
)

const key = "sandbox|sinete-local-key"

var url = address()

func address() string {
	if given := os.Getenv("SINETE_URL"); given != "" {
		return given
	}
	return "http://localhost:3000"
}

// Refusal is the error of an operation that a service refused.
type Refusal struct{ Code, body string }

func (refusal *Refusal) Error() string { return refusal.body }

// Bytes are sent as they are, models as JSON.
func send(method, path string, body any) ([]byte, error) {
	content, isFile := body.([]byte)
	contentType := "application/octet-stream"
	if !isFile && body != nil {
		contentType = "application/json"
		var err error
		if content, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	request, err := http.NewRequest(method, url+path, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	request.Header.Set("X-API-Key", key)
	if body != nil {
		request.Header.Set("Content-Type", contentType)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode < 300 {
		return read, err
	}
	return nil, refusalOf(read)
}

// The session server puts code and message into an error, the document platform does not.
func refusalOf(body []byte) error {
	var answer struct {
		Code  string
		Error struct{ Code string }
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return err
	}
	return &Refusal{Code: answer.Code + answer.Error.Code, body: string(body)}
}

func post[T any](path string, body any) (answer T, err error) {
	read, err := send("POST", path, body)
	if err == nil {
		err = json.Unmarshal(read, &answer)
	}
	return answer, err
}
