#!/bin/sh
# A signature by API in two calls, with a file that is uploaded in parts and a key that was printed on the document.
# Usage: two-step.sh [root address] [data folder of npm start] [where the signed PDF goes]
. "$(dirname "$0")/common.sh"
signed=${3:-/tmp/two-step-signed.pdf}

echo "1. The file, in parts of 4 MB; this one has a single part"
blob=$(call -X POST "$core/Api/MultipartUploads" | field blobToken)
etag=$(call -H 'content-type: application/octet-stream' --data-binary @"$here/../two-signers/contract.pdf" \
  -D - -o /dev/null "$core/Api/MultipartUploads/$blob/0" | tr -d '\r' | sed -n 's/^[Ee][Tt]ag: "\(.*\)"/\1/p')
call --json "{\"partETags\":[\"$etag\"]}" "$core/Api/MultipartUploads/$blob"

echo "2. A key for the document"
key=$(call -X POST "$core/api/document-keys" | field formattedKey)
echo "   $key"

echo "3. The first call: what the private key must sign"
call --json @- "$core/api/signature" > "$work/start.json" <<JSON
{ "file": { "blobToken": "$blob", "name": "contract.pdf" }, "documentKey": "$key",
  "certificate": { "content": "$certificate" } }
JSON
signature=$(field data < "$work/start.json" | sign)

echo "4. The second call: the document"
call --json "{\"state\":\"$(field state < "$work/start.json")\",\"signature\":\"$signature\"}" \
  "$core/api/signature/completion" > "$work/document.json"
curl -sS --fail "$(sed 's/.*"signedFile":{[^}]*"url":"\([^"]*\)".*/\1/' "$work/document.json")" -o "$signed"
echo "   $signed"
call "$core/api/documents/keys/$key" | grep -q '"found":true'
judge "$signed"
