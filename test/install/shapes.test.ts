import { describe, expect, it } from 'vitest'
import { fitToHost, fromHost } from '../../src/cli/install/fit-host.ts'
import { FORMATS } from '../../src/cli/install/formats/index.ts'
import {
  type HostFile,
  type HostFolders,
  INSTALL_HOSTS,
  type InstallHost,
} from '../../src/cli/install/hosts.ts'
import type { Installable } from '../../src/cli/install/installable.ts'
import { handLines } from '../../src/cli/install/lines.ts'
import { readShape } from '../../src/cli/install/shapes.ts'
import { HOSTS } from '../../src/context/hosts.ts'

const LOCAL: Installable = {
  name: 'moon',
  command: 'node',
  args: ['/opt/moon.js', '--root', '/a b'],
  env: { KEY: '${KEY}' },
}
const REMOTE: Installable = {
  name: 'moon',
  url: 'https://moon.example/mcp',
  headers: { Authorization: 'Bearer ${KEY}' },
}

const LINUX: HostFolders = {
  ...{ platform: 'linux', home: '/h', config: '/h/.config', settings: '/h/.config' },
  variable: () => undefined,
}

const hostOf = (id: string) => INSTALL_HOSTS.find((host) => host.id === id) as InstallHost
const fileOf = (host: InstallHost) => host.user(LINUX)[0] as HostFile

/** What would stand in a file that was empty. */
async function written(id: string, server: Installable): Promise<string> {
  const host = hostOf(id)
  const { format, under, shape } = fileOf(host)
  const fitted = fitToHost(host, shape, server)
  if ('refused' in fitted) return fitted.refused
  const text = (await FORMATS[format]()).put('', [...under, server.name], fitted.value)
  return format === 'json' ? JSON.stringify(JSON.parse(text)) : text
}

const ARGS = '"args":["/opt/moon.js","--root","/a b"]'
const GOLDEN: { readonly [id: string]: readonly [local: string, remote: string] } = {
  'claude-code': [
    `{"mcpServers":{"moon":{"type":"stdio","command":"node",${ARGS},"env":{"KEY":"\${KEY}"}}}}`,
    `{"mcpServers":{"moon":{"type":"http","url":"https://moon.example/mcp","headers":{"Authorization":"Bearer \${KEY}"}}}}`,
  ],
  'claude-desktop': [
    `{"mcpServers":{"moon":{"command":"node",${ARGS}}}}`,
    'Claude Desktop fills in no variables, and KEY is one: give it as it is',
  ],
  cursor: [
    `{"mcpServers":{"moon":{"command":"node",${ARGS},"env":{"KEY":"\${env:KEY}"}}}}`,
    `{"mcpServers":{"moon":{"url":"https://moon.example/mcp","headers":{"Authorization":"Bearer \${env:KEY}"}}}}`,
  ],
  vscode: [
    `{"servers":{"moon":{"type":"stdio","command":"node",${ARGS},"env":{"KEY":"\${env:KEY}"}}}}`,
    `{"servers":{"moon":{"type":"http","url":"https://moon.example/mcp","headers":{"Authorization":"Bearer \${env:KEY}"}}}}`,
  ],
  'copilot-cli': [
    `{"mcpServers":{"moon":{"type":"local","command":"node",${ARGS},"env":{"KEY":"\${KEY}"},"tools":["*"]}}}`,
    `{"mcpServers":{"moon":{"type":"http","url":"https://moon.example/mcp","headers":{"Authorization":"Bearer \${KEY}"},"tools":["*"]}}}`,
  ],
  codex: [
    `[mcp_servers.moon]\ncommand = "node"\nargs = ["/opt/moon.js", "--root", "/a b"]\nenv_vars = ["KEY"]\n`,
    `[mcp_servers.moon]\nurl = "https://moon.example/mcp"\nbearer_token_env_var = "KEY"\n`,
  ],
  'gemini-cli': [
    `{"mcpServers":{"moon":{"command":"node",${ARGS},"env":{"KEY":"\${KEY}"}}}}`,
    `{"mcpServers":{"moon":{"httpUrl":"https://moon.example/mcp","headers":{"Authorization":"Bearer \${KEY}"}}}}`,
  ],
  opencode: [
    `{"mcp":{"moon":{"type":"local","command":["node","/opt/moon.js","--root","/a b"],"environment":{"KEY":"{env:KEY}"},"enabled":true}}}`,
    `{"mcp":{"moon":{"type":"remote","url":"https://moon.example/mcp","headers":{"Authorization":"Bearer {env:KEY}"},"enabled":true}}}`,
  ],
  crush: [
    `mcp add moon --type stdio --command node --args /opt/moon.js --args --root --args '/a b' --env KEY "\${KEY}"\n`,
    `mcp add moon --type http --url https://moon.example/mcp --header Authorization "Bearer \${KEY}"\n`,
  ],
  goose: [
    `extensions:
  moon:
    enabled: true
    type: stdio
    name: moon
    description: ""
    cmd: node
    args:
      - /opt/moon.js
      - --root
      - /a b
    envs: {}
    env_keys:
      - KEY
    timeout: 300
`,
    `extensions:
  moon:
    enabled: true
    type: streamable_http
    name: moon
    description: ""
    uri: https://moon.example/mcp
    envs: {}
    env_keys:
      - KEY
    headers:
      Authorization: Bearer \${KEY}
    timeout: 300
`,
  ],
  zed: [
    `{"context_servers":{"moon":{"command":"node",${ARGS}}}}`,
    'Zed fills in no variables, and KEY is one: give it as it is',
  ],
  windsurf: [
    `{"mcpServers":{"moon":{"command":"node",${ARGS},"env":{"KEY":"\${env:KEY}"}}}}`,
    `{"mcpServers":{"moon":{"serverUrl":"https://moon.example/mcp","headers":{"Authorization":"Bearer \${env:KEY}"}}}}`,
  ],
}

it('there are twelve hosts, each with its golden files', () => {
  expect(INSTALL_HOSTS.map(({ id }) => id)).toEqual(Object.keys(GOLDEN))
})

it('hosts are called the same where schemas are fitted to them', () => {
  const ids = INSTALL_HOSTS.map(({ id }) => id)
  expect(HOSTS.map(({ id }) => id).filter((id) => !ids.includes(id))).toEqual(['openai'])
  for (const { id, client } of INSTALL_HOSTS) {
    const known = HOSTS.find((host) => host.id === id)
    if (known !== undefined) expect(client).toMatch(known.name)
  }
})

describe.each(Object.entries(GOLDEN))('%s', (id, [local, remote]) => {
  it('is told of a command in its own words', async () => expect(await written(id, LOCAL)).toBe(local))
  it('is told of an address in its own words', async () => expect(await written(id, REMOTE)).toBe(remote))

  it('says what it was told when it is read again', () => {
    const host = hostOf(id)
    for (const server of [LOCAL, REMOTE]) {
      const fitted = fitToHost(host, fileOf(host).shape, server)
      if ('refused' in fitted) continue
      const read = readShape('moon', fitted.value)
      const expected = host.variable === undefined ? { ...server, env: {} } : server
      expect(read && fromHost(host, read)).toEqual(expected)
    }
  })
})

it('a host that takes commands alone reaches an address by the gateway', async () => {
  const text = await written('claude-desktop', { ...REMOTE, headers: {} })
  const { command, args } = JSON.parse(text).mcpServers.moon
  expect([command, ...args.slice(1)]).toEqual([process.execPath, 'gateway', 'https://moon.example/mcp'])
})

it.each([
  ['codex', { ...LOCAL, env: { KEY: '${OTHER}' } }, /Codex hands on variables under their own names/],
  ['codex', { ...REMOTE, headers: { 'X-Key': 'v ${KEY}' } }, /Codex takes a variable for a whole header/],
  ['goose', { ...LOCAL, env: { KEY: '${OTHER}' } }, /goose hands on variables under their own names/],
] as const)('%s refuses what it has no words for', async (id, server, reason) => {
  expect(await written(id, server)).toMatch(reason)
})

it('a key in a header of its own is a variable for Codex', async () => {
  const server = { ...REMOTE, headers: { 'X-Key': '${KEY}', 'X-Kind': 'moon' } }
  expect(await written('codex', server)).toBe(
    '[mcp_servers.moon]\nurl = "https://moon.example/mcp"\nhttp_headers = { X-Kind = "moon" }\nenv_http_headers = { X-Key = "KEY" }\n',
  )
})

it('the lines to type keep a secret a variable', () => {
  expect(handLines({ ...REMOTE, headers: { 'X-Key': '${KEY}' } })).toEqual([
    `any host      perigee install https://moon.example/mcp --name moon --header 'X-Key: \${KEY}'`,
    `Claude Code   claude mcp add --transport http moon https://moon.example/mcp --header 'X-Key: \${KEY}'`,
    `VS Code       code --add-mcp '{"name":"moon","type":"http","url":"https://moon.example/mcp","headers":{"X-Key":"\${env:KEY}"}}'`,
    `Cursor        .cursor/mcp.json: {"mcpServers":{"moon":{"url":"https://moon.example/mcp","headers":{"X-Key":"\${env:KEY}"}}}}`,
    `Crush         .crushrc: mcp add moon --type http --url https://moon.example/mcp --header X-Key "\${KEY}"`,
  ])
})
