#!/bin/sh
# The life of a document: upload, create with two signers, sign both, download; a webhook is told of each step.
# Usage: run.sh [root address] [data folder of npm start] [where the signed PDF goes]
set -eu
root=${1:-http://localhost:3000}
data=${2:-.local}
pki=${data%/}/pki/holders
signed=${3:-/tmp/contract-signed.pdf}
here=$(dirname "$0")
work=$(mktemp -d)

api=$root/documents/api
organization=11111111-1111-4111-8111-111111111111
receiver=$root/sandbox/receiver/two-signers-$$
call() { curl -sS --fail-with-body -H 'X-Api-Key: sandbox|sinete-local-key' "$@"; }
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# An organization has five webhooks at most: this one is removed however the script ends.
webhook=
finish() {
  rm -rf "$work"
  [ -z "$webhook" ] || call -X DELETE "$api/organizations/$organization/webhooks/$webhook"
}
trap finish EXIT
trap 'exit 130' INT TERM

echo "1. A webhook that is told what happens"
webhook=$(call --json "{\"url\":\"$receiver\",\"authType\":\"NoAuth\"}" "$api/organizations/$organization/webhooks" | field webhookId)

echo "2. The file"
upload=$(call -F "file=@$here/contract.pdf;type=application/pdf" "$api/uploads" | field id)

echo "3. The document, with two signers at the same step"
document=$(call --json @- "$api/documents" <<JSON | field documentId
{ "files": [{ "id": "$upload", "displayName": "Contract" }],
  "flowActions": [
    { "type": "Signer", "step": 1, "user": { "name": "First Holder", "identifier": "52998224725" } },
    { "type": "Signer", "step": 1, "user": { "name": "Second Holder", "identifier": "47363361886" } } ] }
JSON
)
echo "   $document"

for cpf in 52998224725 47363361886; do
  echo "4. A signature by $cpf"
  openssl pkcs12 -in "$pki/$cpf.p12" -passin pass:1234 -nodes -nocerts -out "$work/key.pem" 2>/dev/null
  certificate=$(openssl pkcs12 -in "$pki/$cpf.p12" -passin pass:1234 -nokeys -clcerts 2>/dev/null |
    openssl x509 -outform DER | openssl base64 -A)

  # The platform says which hash to sign; the key stays here.
  call --json "{\"certificate\":\"$certificate\"}" "$api/documents/$document/signature/certificate" > "$work/start.json"
  signature=$(field toSignHash < "$work/start.json" | openssl base64 -d -A |
    openssl pkeyutl -sign -inkey "$work/key.pem" -pkeyopt digest:sha256 | openssl base64 -A)
  token=$(field token < "$work/start.json")
  call --json "{\"token\":\"$token\",\"signature\":\"$signature\"}" "$api/documents/$document/signature" > /dev/null
done

echo "5. The signed file"
until call "$api/documents/$document" | grep -q '"isConcluded":true'; do sleep 0.2; done
call "$api/documents/$document/content?type=Signatures" -o "$signed"
echo "   $signed"
command -v pdfsig > /dev/null && pdfsig -nocert "$signed" | grep 'Signature Validation'

# DocumentConcluded comes after DocumentConcludedWebhookDelayInSeconds: two in the sandbox, a minute elsewhere.
echo "6. What the webhook was told"
until call "$receiver" | grep -q DocumentConcluded; do sleep 0.2; done
call "$receiver" | grep -o 'type[^,]*Document[A-Za-z]*' | grep -o 'Document[A-Za-z]*$' | sort | uniq -c
