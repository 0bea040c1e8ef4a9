#!/bin/sh
# A signature session: the application gives a document, a person signs it, the application gets the signed file.
# Usage: session.sh [root address] [data folder of npm start] [where the signed PDF goes]
. "$(dirname "$0")/common.sh"
signed=${3:-/tmp/session-signed.pdf}

echo "1. The session, for the holder of one CPF alone"
call --json @- "$core/api/signature-sessions" > "$work/session.json" <<JSON
{ "returnUrl": "$root/sandbox/client/return", "callbackArgument": "order 117",
  "certificateRequirements": [{ "type": "Cpf", "argument": "529.982.247-25" }],
  "documentMetadata": { "Order": ["117"] },
  "documents": [{ "file": { "name": "contract.pdf", "content": "$(content "$here/../two-signers/contract.pdf")" } }] }
JSON
session=$(field sessionId < "$work/session.json")
document=$(field documentId < "$work/session.json")
echo "   $(field redirectUrl < "$work/session.json")"

echo "2. The person signs. The page at that address does this, in their browser"
person() { curl -sS --fail-with-body -H "X-Signature-Session-Token: $(field token < "$work/session.json")" "$@"; }
at=$core/api/signature-sessions/$session/documents/$document/signature
person --json "{\"certificate\":\"$certificate\"}" "$at" > "$work/start.json"
signature=$(field data < "$work/start.json" | sign)
person --json "{\"state\":\"$(field state < "$work/start.json")\",\"signature\":\"$signature\"}" "$at/completion" > /dev/null

echo "3. The application waits, and gets the document by a link that needs no key"
until call "$core/api/signature-sessions/$session/when-completed" | grep -q '"completed":true'; do :; done
call "$core/api/documents/$document" > "$work/document.json"
echo "   $(field formattedKey < "$work/document.json")"
curl -sS --fail "$(sed 's/.*"signedFile":{[^}]*"url":"\([^"]*\)".*/\1/' "$work/document.json")" -o "$signed"
echo "   $signed"
judge "$signed"
