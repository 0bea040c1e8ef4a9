#!/bin/sh
# A PAdES signature as clients of the earlier generation make it: start, SignedBytes, the key as a bearer token.
# Usage: earlier.sh [root address] [data folder of npm start] [where the signed PDF goes]
. "$(dirname "$0")/common.sh"
signed=${3:-/tmp/earlier-signed.pdf}
earlier() { curl -sS --fail-with-body -H 'Authorization: Bearer sandbox|sinete-local-key' "$@"; }

echo "1. The version, by which these clients choose their routes"
echo "   $(curl -sS --fail "$core/Api/System/Info")"

echo "2. The start, under the basic policy of PAdES"
earlier --json @- "$core/Api/PadesSignatures" > "$work/start.json" <<JSON
{ "pdfToSign": "$(content "$here/../two-signers/contract.pdf")", "certificate": "$certificate",
  "signaturePolicyId": "78d20b33-014d-440e-ad07-929f05d00cdf", "callbackArgument": "order 117" }
JSON
signature=$(field toSignData < "$work/start.json" | sign)

echo "3. The signed bytes, and the signed PDF"
earlier --json "{\"signature\":\"$signature\"}" \
  "$core/Api/PadesSignatures/$(field token < "$work/start.json")/SignedBytes" |
  field signedPdf | openssl base64 -d -A > "$signed"
echo "   $signed"
judge "$signed"
