#!/usr/bin/env bash
# Clones the repository into an empty folder and does there what the README tells a newcomer to do.
set -euo pipefail
repository=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
git clone --quiet "$repository" "$folder/perigee"
cd "$folder/perigee"

echo '== npm ci; npm start'
npm ci --loglevel=error
PORT=0 npm start >"$folder/start.log" 2>&1 &
server=$!
for _ in $(seq 100); do grep -q 'is listening at' "$folder/start.log" && break; sleep 0.2; done
cat "$folder/start.log"
url=$(sed -n 's/.*is listening at //p' "$folder/start.log")
curl --silent --fail "${url%/mcp}/healthz"
echo
kill "$server"

echo '== npm test'
[ -d "${SPEC_DIR:-$repository/../shared/spec}" ] && export SPEC_DIR="${SPEC_DIR:-$repository/../shared/spec}"
npm test
