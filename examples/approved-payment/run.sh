#!/bin/sh
# A payment file that is signed after two people approved it. Each opens the portal by the link of their mail.
# Usage: run.sh [root address] [data folder of npm start] [where the signed file goes]
set -eu
root=${1:-http://localhost:3000}
data=${2:-.local}
signed=${3:-/tmp/payments.signed.rem}
here=$(dirname "$0")

batch=$root/batch
name=payments-$(date +%s)-$$.rem # a name is signed once
call() { curl -sS --fail-with-body -H 'X-API-Key: sandbox|sinete-local-key' "$@"; }
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
wait_for() { until call "$batch/api/jobs/$job" | grep -q "\"status\":\"$1\""; do sleep 0.2; done; }

echo "1. The file is uploaded, checked, and waits for two of three people"
job=$(call -F "file=@$here/payments.rem;filename=$name" "$batch/api/files?profile=aprovacao" | field jobId)
wait_for AwaitingApproval
echo "   $job"

echo "2. Two of them open their links and approve"
for person in ana bruno; do
  mailbox=$root/sandbox/mailbox/$person@sandbox.example
  until curl -sS "$mailbox" | grep -q "$name"; do sleep 0.2; done
  link=$(curl -sS "$mailbox" | grep -o "$batch/approvals/link/[A-Za-z0-9_-]*" | head -n 1)
  cookies=$(mktemp)
  curl -sS -o /dev/null -c "$cookies" "$link"
  curl -sS -o /dev/null -w "   $person: %{http_code}\n" -b "$cookies" -H 'Accept: text/html' \
    -d decision=approved "$batch/approvals/jobs/$job/decision"
  rm "$cookies"
done

echo "3. The file is signed, because these are the bytes that they approved"
wait_for Completed
call "$batch/api/jobs/$job/output" -o "$signed"
npm run --silent verify -- "$signed" --trust "${data%/}/pki/root.crt"

echo "4. Who decided"
call "$batch/api/jobs/$job/approvals"
