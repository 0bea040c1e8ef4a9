#!/bin/sh
# Signs every file of a folder: uploads them, waits for their jobs, downloads the outputs and verifies each.
# Usage: run.sh [root address] [data folder of npm start] [folder] [where the signed files go]
set -eu
root=${1:-http://localhost:3000}
data=${2:-.local}
here=$(dirname "$0")
folder=${3:-$here/files}
signed=${4:-$(mktemp -d)}

api=$root/batch/api
call() { curl -sS --fail-with-body -H 'X-API-Key: sandbox|sinete-local-key' "$@"; }
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
# A name is signed once: this run's names are its own.
run=$(date +%s)-$$

echo "1. Uploads"
jobs=
# The PDF of another example makes the mix complete.
for file in "$folder"/* "$here"/../two-signers/contract.pdf; do
  case $file in *.rem) profile=remessas ;; *) profile=default ;; esac
  name=$run-$(basename "$file")
  job=$(call -F "file=@$file;filename=$name" "$api/files?profile=$profile" | field jobId)
  echo "   $name: $job"
  jobs="$jobs $job"
done

echo "2. Jobs"
for job in $jobs; do
  until details=$(call "$api/jobs/$job") && status=$(echo "$details" | sed 's/"history".*//' | field status) &&
    [ "$status" = Completed ] || [ "$status" = Failed ]; do sleep 0.2; done
  echo "   $job: $status $(echo "$details" | field errorMessage)"
  [ "$status" = Completed ]
done

echo "3. Outputs, in $signed"
for job in $jobs; do
  (cd "$signed" && call -OJ "$api/jobs/$job/output")
done
for output in "$signed"/"$run"-*; do
  npm run --silent verify -- "$output" --trust "${data%/}/pki/root.crt"
done
