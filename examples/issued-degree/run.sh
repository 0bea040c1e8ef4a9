#!/bin/sh
# A degree from its creation to its verification page: two people sign both of its files for the institute.
# Usage: run.sh [root address] [data folder of npm start] [folder for the signed files]
set -eu
root=${1:-http://localhost:3000}
data=${2:-.local}
pki=${data%/}/pki/holders
folder=${3:-/tmp/issued-degree}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"

credentials=$root/credentials
documents=$root/documents/api/documents
institute=66666666-6666-4666-8666-666666666666
call() { curl -sS --fail-with-body -H 'X-Api-Key: sandbox|sinete-local-key' "$@"; }
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
degree_now() { call "$credentials/api/degrees/$degree"; }

echo "1. The degree, with the transcript of the same studies"
call --json @- "$credentials/api/degrees" > "$work/degree.json" <<JSON
{ "studentName": "Maria da Silva", "studentCpf": "52998224725", "course": "Engenharia Civil",
  "instituteId": "$institute", "academicTranscript": { "type": "Final" } }
JSON
degree=$(field id < "$work/degree.json")
code=$(field verificationCode < "$work/degree.json")
echo "   $degree, code $code"

echo "2. Its two files are documents of the signature platform"
until [ "$(degree_now | grep -o '"signerDocumentId":"[^"]*"' | wc -l)" = 2 ]; do sleep 0.2; done
documentIds=$(degree_now | grep -o '"signerDocumentId":"[^"]*"' | cut -d '"' -f 4)

for document in $documentIds; do
  for cpf in 52998224725 47363361886; do
    echo "3. Document $document is signed by $cpf"
    openssl pkcs12 -in "$pki/$cpf.p12" -passin pass:1234 -nodes -nocerts -out "$work/key.pem" 2>/dev/null
    certificate=$(openssl pkcs12 -in "$pki/$cpf.p12" -passin pass:1234 -nokeys -clcerts 2>/dev/null |
      openssl x509 -outform DER | openssl base64 -A)
    call --json "{\"certificate\":\"$certificate\"}" "$documents/$document/signature/certificate" > "$work/start.json"
    signature=$(field toSignHash < "$work/start.json" | openssl base64 -d -A |
      openssl pkeyutl -sign -inkey "$work/key.pem" -pkeyopt digest:sha256 | openssl base64 -A)
    token=$(field token < "$work/start.json")
    call --json "{\"token\":\"$token\",\"signature\":\"$signature\"}" "$documents/$document/signature" > /dev/null
  done
done

echo "4. Both are verified and taken, and the degree is concluded"
until degree_now | grep -q '"status":"Concluded"'; do sleep 0.5; done
for name in diploma academic-documentation; do
  call "$credentials/api/degrees/$degree/xml/$name" -o "$folder/$name.xml"
  npm run --silent verify -- "$folder/$name.xml" --trust "${data%/}/pki/root.crt"
done

echo "5. Anybody can look it up"
curl -sS -o "$folder/verification.html" -w "   $credentials/verify/$code: %{http_code}\n" "$credentials/verify/$code"
