import { expect, it } from 'vitest'
import { checkHostName, checkOriginName } from './allowed-names.ts'

it.each(['localhost', 'mcp.example.com', 'Mcp.example.com:8443', '10.0.0.1', '[::1]', '[::1]:80', 'my_host'])(
  '%s can be a Host',
  (name) => expect(() => checkHostName('allowedHosts', name)).not.toThrow(),
)

it.each([
  ['https://x.y', ': write x.y'],
  ['http://x.y:81/mcp', ': write x.y:81'],
  ['x.y/mcp', ''],
  ['*', ''],
  ['*.x.y', ''],
  ['', ''],
  ['a b', ''],
])('%j cannot', (name, remedy) => {
  expect(() => checkHostName('allowedHosts', name)).toThrow(
    `allowedHosts: expected a name such as mcp.example.com, or mcp.example.com:8443, got ${JSON.stringify(name)}${remedy}`,
  )
})

it.each(['https://app.example.com', 'http://localhost:3000', 'vscode-webview://1a2b', 'null'])(
  '%s can be an Origin',
  (name) => expect(() => checkOriginName('allowedOrigins', name)).not.toThrow(),
)

it.each([
  ['x.y', ': write https://x.y'],
  ['https://x.y/', ': write https://x.y'],
  ['https://x.y/page', ': write https://x.y'],
  ['https://X.y', ': write https://x.y'],
  ['https://x.y:443', ': write https://x.y'],
  ['*', ''],
  ['https://*.x.y', ''],
])('%j cannot', (name, remedy) => {
  expect(() => checkOriginName('allowedOrigins', name)).toThrow(
    `allowedOrigins: expected an origin such as https://app.example.com, got ${JSON.stringify(name)}${remedy}`,
  )
})
