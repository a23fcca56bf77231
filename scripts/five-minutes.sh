#!/usr/bin/env bash
# From an empty folder to a tool of one's own in a host's list, with nothing but the README: a tarball, `create`,
# `dev`, `install`. Prints what is done and how long all of it took.
#
#   scripts/five-minutes.sh [TARBALL]     packs this clone unless a tarball is given
set -euo pipefail
repository=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ $# -gt 0 ]; then
  if [ ! -f "$1" ]; then
    echo "five-minutes.sh: expected a tarball that npm pack has made, got $1, which is no file" >&2
    exit 2
  fi
  tarball=$(realpath "$1")
else
  npm pack "$repository" --ignore-scripts --silent --pack-destination "$folder" >/dev/null
  tarball=$(ls "$folder"/*.tgz)
fi

# A person and a host that have never heard of us.
export HOME="$folder/home"
mkdir -p "$HOME/.cursor" "$folder/empty"
cd "$folder/empty"
began=$(date +%s)
say() { printf '\n== %s\n' "$*"; }

say "npx perigee create weather; npm install; npm test"
npx -y --package "$tarball" perigee create weather --yes
cd weather
npm install --loglevel=error
npm test

say 'a tool of their own'
cat >server.ts <<'SERVER'
import { defineServer, defineTool } from 'perigee'

const forecast = defineTool({
  name: 'forecast',
  description: 'Tell what the weather will be like somewhere',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: ({ city }) => `Sun over ${city}`,
})

export default defineServer({ name: 'weather', version: '1.0.0', tools: [forecast] })
SERVER
npx perigee tools -- npm run --silent dev
npx perigee call forecast city=Oslo -- npm run --silent dev

say 'npx perigee install --print'
npx perigee install server.ts --name weather --to cursor --print

say 'npx perigee install --yes'
npx perigee install server.ts --name weather --to cursor --yes

say 'what the host starts'
node -e '
  const { command, args } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).mcpServers.weather
  process.stdout.write([command, ...args].join("\0"))
' "$HOME/.cursor/mcp.json" | xargs -0 npx perigee tools --

say "from an empty folder to a host's list in $(($(date +%s) - began)) s"
