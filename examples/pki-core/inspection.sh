#!/bin/sh
# Who signed a file, and whether the signatures are valid.
# Usage: inspection.sh [root address] [data folder of npm start] FILE
. "$(dirname "$0")/common.sh"
file=${3:?Name a signed file}

printf '{"validate":true,"file":{"content":"%s"}}' "$(content "$file")" > "$work/inspection.json"
call -X PUT -H 'content-type: application/json' --data-binary @"$work/inspection.json" \
  "$core/api/signature-inspection" > "$work/signers.json"
grep -q '"success":true' "$work/signers.json"
echo "signed by $(field subjectDisplayName < "$work/signers.json")"
if grep -q '"errors":\[{' "$work/signers.json"; then
  echo "a check failed: $(sed 's/.*"errors":\[{[^}]*"message":"\([^"]*\)".*/\1/' "$work/signers.json")"
  exit 1
fi
echo "no check failed"
