#!/bin/sh
# A directory whose files are signed automatically. Files are dropped into it while `npm run folder` watches it; the
# signed ones appear in its folder signed/, and each is verified.
# Usage: run.sh [data folder of npm start] [directory]
set -eu
data=${1:-.local}
directory=${2:-$(mktemp -d)}
here=$(dirname "$0")
# A name is signed once: this run's names are its own.
run=$(date +%s)-$$

echo "1. The directory $directory, watched"
mkdir -p "$directory"
# Without npm between, so that the signal below reaches the command.
node_modules/.bin/node cli/folder/folder.ts "$directory" --folder inbox --data "${data%/}" &
watcher=$!
trap 'kill $watcher 2> /dev/null || true' EXIT

echo "2. Files dropped into it"
for file in "$here"/../sign-folder/files/*.xml "$here"/../two-signers/contract.pdf; do
  # Under a name that is ignored, then renamed: it appears whole.
  cp "$file" "$directory/.$run.part"
  mv "$directory/.$run.part" "$directory/$run-$(basename "$file")"
done
# One that is written slowly is taken when it is whole.
for line in 1 2 3; do
  echo "line $line" >> "$directory/$run-slow.txt"
  sleep 0.4
done

echo "3. The originals leave when their signed files are there"
while ls "$directory/$run"-* > /dev/null 2>&1; do
  kill -0 $watcher
  sleep 0.2
done
kill -INT $watcher
wait $watcher

echo "4. The signed files"
for output in "$directory/signed/$run"-*; do
  npm run --silent verify -- "$output" --trust "${data%/}/pki/root.crt"
done
