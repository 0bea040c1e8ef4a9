# Sourced by the programs beside it: where the PKI core is, its key, and a holder of the sandbox who signs.
set -eu
root=${1:-http://localhost:3000}
data=${2:-.local}
core=$root/pki
holder=${data%/}/pki/holders/52998224725.p12
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

call() { curl -sS --fail-with-body -H 'X-Api-Key: sandbox|sinete-local-key' "$@"; }
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
content() { openssl base64 -A -in "$1"; }

# The key stays here: the service is sent the certificate and the signature.
openssl pkcs12 -in "$holder" -passin pass:1234 -nodes -nocerts -out "$work/key.pem" 2>/dev/null
certificate=$(openssl pkcs12 -in "$holder" -passin pass:1234 -nokeys -clcerts 2>/dev/null |
  openssl x509 -outform DER | openssl base64 -A)
sign() { openssl base64 -d -A | openssl dgst -sha256 -sign "$work/key.pem" | openssl base64 -A; }

# Another verifier looks at the result, where it is installed.
judge() { ! command -v pdfsig > /dev/null || pdfsig -nocert "$1" | grep 'Signature Validation'; }
