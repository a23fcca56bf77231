import { expect, it } from 'vitest'
import { nameOfCommand } from './command-name.ts'

it.each([
  ['node server.js --port 3', 'server.js'],
  ['/usr/bin/node --import tsx ./src/server.ts', 'server.ts'],
  ['node --enable-source-maps dist/server.js /data', 'server.js'],
  ['node -e import("x")', 'node'],
  ['bash -lc exec thing', 'bash'],
  ['python3 -m weather', 'weather'],
  ['python3 -c print(1)', 'python3'],
  ['npx -y @scope/some-server@1.2.3 /data', 'some-server'],
  ['npx -y some-server@latest', 'some-server'],
  ['uvx weather', 'weather'],
  ['pnpm dlx some-server', 'some-server'],
  ['docker run -i --rm mcp/time', 'time'],
  ['node.exe server.js', 'server.js'],
  ['./bin/my-server --root /data', 'my-server'],
  ['ccmcp', 'ccmcp'],
  ['node', 'node'],
])('calls what %s starts %s', (line, name) => {
  expect(nameOfCommand(line.split(' '))).toBe(name)
})
