#!/bin/sh
# A folder of the document platform whose documents are signed as they arrive. The platform's webhook tells the batch
# service of each document; the key of the profile signer-folder signs it.
# Usage: run.sh [root address] [data folder of npm start] [where the signed PDF goes]
set -eu
root=${1:-http://localhost:3000}
data=${2:-.local}
signed=${3:-/tmp/folder-signed.pdf}
here=$(dirname "$0")

documents=$root/documents/api
batch=$root/batch/api
organization=11111111-1111-4111-8111-111111111111
folder=44444444-4444-4444-8444-444444444444
call() { curl -sS --fail-with-body -H 'X-Api-Key: sandbox|sinete-local-key' "$@"; }
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

echo "1. A webhook of the platform that notifies the batch service"
webhook=$(call --json @- "$documents/organizations/$organization/webhooks" <<JSON | field webhookId
{ "url": "$batch/signer/notifications", "authType": "Bearer", "token": "sinete-local-signer-secret" }
JSON
)
trap 'call -X DELETE "$documents/organizations/$organization/webhooks/$webhook"' EXIT

echo "2. A document that waits in the folder for the certificate holder"
upload=$(call -F "file=@$here/../two-signers/contract.pdf;type=application/pdf" "$documents/uploads" | field id)
document=$(call --json @- "$documents/documents" <<JSON | field documentId
{ "files": [{ "id": "$upload", "displayName": "Contract" }], "folderId": "$folder",
  "flowActions": [{ "type": "Signer", "step": 1, "user": { "name": "Holder", "identifier": "52998224725" } }] }
JSON
)
echo "   $document"

echo "3. The batch service signs it"
until call "$documents/documents/$document" | grep -q '"isConcluded":true'; do sleep 0.2; done
call "$batch/jobs?profile=signer-folder&pageSize=1" | grep -o '"status":"[A-Za-z]*"'

echo "4. The signed file"
call "$documents/documents/$document/content?type=Signatures" -o "$signed"
npm run --silent verify -- "$signed" --trust "${data%/}/pki/root.crt"
