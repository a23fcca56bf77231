import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readUpstreams } from '../../src/cli/gateway/read-upstreams.ts'
import { UsageError } from '../../src/cli/usage-error.ts'
import { connect } from '../../src/client/index.ts'

let file = ''

beforeAll(() => {
  file = join(mkdtempSync(join(tmpdir(), 'perigee-entries-')), 'hosts.json')
})

afterAll(() => rmSync(join(file, '..'), { recursive: true }))

const read = (servers: unknown) => {
  writeFileSync(file, JSON.stringify({ mcpServers: servers }))
  return readUpstreams([file])
}

/** What is said of an entry, after its file and its name. */
function refusalOf(entry: object): string {
  try {
    return JSON.stringify(read({ a: entry }))
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    const { message } = error as Error
    expect(message.slice(0, file.length + 3)).toBe(`${file}: a`)
    return message.slice(file.length + 3)
  }
}

describe('what an entry says of its tools', () => {
  it.each([
    [{ exclude_tools: ['die'] }, ['!die']],
    [{ 'disabled-tools': ['die'] }, ['!die']],
    [{ enabled_tools: ['echo'] }, ['echo']],
    [{ excludeTools: [] }, undefined],
    [{ includeTools: [] }, []],
    [{ includeTools: [], excludeTools: ['die'] }, []],
    [{ tools: ['!die'], enabledTools: [] }, []],
  ])('is read however it is spelled, and of an empty list none is served: %j', (more, tools) => {
    expect(read({ a: { command: 'x', ...more } })['a']?.tools).toEqual(tools)
  })

  it.each([
    [{ excludeTools: 'die' }, ': excludeTools: expected an array, got the string "die"'],
    [{ disabled_tools: { die: true } }, ': disabled_tools: expected an array, got an object'],
    [{ includeTools: [5] }, ': includeTools[0]: expected a string, got the number 5'],
    [{ tools: 'echo' }, ': tools: expected an array, got the string "echo"'],
    [{ disabled: 'true' }, ': disabled: expected true or false, got the string "true"'],
    [{ disabled: 1 }, ': disabled: expected true or false, got the number 1'],
    [{ enabled: 'false' }, ': enabled: expected true or false, got the string "false"'],
    [
      { excludeTools: ['a'], exclude_tools: ['b'] },
      ': excludeTools and exclude_tools are one key. Keep one of them',
    ],
  ])('is refused where it cannot be read: %j', (more, message) => {
    expect(refusalOf({ command: 'x', ...more })).toBe(message)
  })
})

describe('where a server is', () => {
  it.each([
    [
      { url: 'not a url' },
      '.url: expected an address such as https://mcp.example.com/mcp, got the string "not a url"',
    ],
    [{ url: 'ftp://ann:SECRET@x/y?key=SECRET' }, 'got the string "ftp://x/y"'],
    [{ url: 'ann:SECRET@x y#SECRET' }, 'got the string "x y"'],
    [{ url: 5 }, 'got the number 5'],
    [{ command: '' }, '.command: expected the name of a program, got nothing'],
    [{ command: 'x', revision: '1999' }, `.revision: expected '2024-11-05' or`],
    [
      { command: 'x', url: 'https://a.example' },
      'expected one of url, command and server, got url and command',
    ],
  ])('is refused before anybody goes there: %j', (entry, message) => {
    const refusal = refusalOf(entry)
    expect(refusal).toContain(message)
    expect(refusal).not.toContain('SECRET')
  })

  it.each([
    [{ env: { T: 'SECRET\0' } }, '.env.T: expected a string without a NUL character'],
    [{ env: { 'T\0': 'SECRET' } }, '.env: a name: expected a string without a NUL character'],
    [{ args: ['x', 'SECRET\0'] }, '.args[1]: expected a string without a NUL character'],
    [{ command: 'SECRET\0' }, '.command: expected a string without a NUL character'],
    [{ cwd: 'SECRET\0' }, '.cwd: expected a string without a NUL character'],
    [{ env: { C: {} } }, '.env.C: expected a string, got an object'],
    [{ env: { C: null } }, '.env.C: expected a string, got null'],
  ])('is told no more of than what no process can be handed: %j', (more, message) => {
    const refusal = refusalOf({ command: 'x', ...more })
    expect(refusal).toContain(message)
    expect(refusal).not.toContain('SECRET')
  })

  it('may have variables that are numbers, as hosts have them', () => {
    expect(read({ a: { command: 'x', env: { PORT: 5, ON: true } } })['a']?.env).toEqual({ PORT: 5, ON: true })
  })
})

describe('the entries of a file', () => {
  it('may have any name', () => {
    expect(Object.entries(read(JSON.parse('{"__proto__":{"command":"x"}}')))).toEqual([
      ['__proto__', { command: 'x' }],
    ])
  })

  it('that are passed over are named with the reason where there is no other', () => {
    const itself = { command: 'npx', args: ['perigee', 'gateway'] }
    expect(() => read({ all: itself, off: { command: 'x', disabled: true } })).toThrow(
      `there is no server in ${file}: all is a gateway itself, and is passed over, off is disabled. Expected`,
    )
  })
})

it.each(['none', 'hosts.json'])(
  'a folder that is not there is named, and not the program: %s',
  async (name) => {
    read({ a: { command: 'x' } })
    const cwd = join(file, '..', name)
    await expect(connect({ command: process.execPath, cwd })).rejects.toThrow(
      `The server could not be started: ${process.execPath}: cwd: there is no folder ${cwd}`,
    )
  },
)

describe('how one signs in', () => {
  const url = 'https://a.example/mcp'

  it.each([
    [
      { clientId: 'a', callbackPort: 80 },
      { clientId: 'a', callbackPort: 80 },
    ],
    [
      { client_id: 'a', 'client-secret': 'b' },
      { clientId: 'a', clientSecret: 'b' },
    ],
    [{ scopes: ['read', 'write'] }, { scope: 'read write' }],
    [{ scopes: 'read write', tokenUrl: 'https://b.example' }, { scope: 'read write' }],
    [{}, {}],
    [false, undefined],
  ])('is read however it is spelled: %j', (oauth, expected) => {
    expect(read({ a: { url, oauth } })['a']?.oauth).toEqual(expected)
  })

  it('names what is for hosts alone', () => {
    const notes: string[] = []
    writeFileSync(
      file,
      JSON.stringify({ mcpServers: { a: { url, oauth: { tokenUrl: 'x', clientId: 'b' } } } }),
    )
    readUpstreams([file], (note) => notes.push(note))
    expect(notes).toEqual([`${file}: a: oauth.tokenUrl is for hosts, and not read here`])
  })

  it.each([
    ['a', ': oauth: expected an object such as { "clientId": "…" }, got another value'],
    [{ clientID: 'a' }, ': oauth: there is no key clientID. Did you mean clientId?'],
    [{ scope: 'a', scopes: ['b'] }, ': oauth: scope and scopes are one. Keep one of them'],
    [{ clientSecret: 'SECRET' }, '.oauth: clientSecret is for a clientId, and there is none'],
    [
      { clientId: 'a', clientSecret: ['SECRET'] },
      '.oauth.clientSecret: expected a string, got something else',
    ],
    [
      { clientId: 'a', clientSecret: 'SECRET', privateKey: 'SECRET' },
      '.oauth: expected clientSecret or privateKey, got both',
    ],
    [{ clientId: 'a', privateKey: 'SECRET' }, '.oauth: privateKey is for "grant": "client_credentials"'],
    [{ callbackPort: 0 }, '.oauth.callbackPort: expected a port from 1 to 65535, got the number 0'],
    [{ issuer: 'nowhere' }, '.oauth.issuer: expected an address such as https://login.example.com'],
    [{ grant: 'password' }, `.oauth.grant: expected 'authorization_code' or 'client_credentials'`],
    [
      { clientId: 'a', grant: 'client_credentials' },
      '.oauth: a grant of client_credentials needs clientId and clientSecret or privateKey, got the string "clientId, grant"',
    ],
  ])('is refused where it cannot be meant, and no secret is repeated: %j', (oauth, message) => {
    const refusal = refusalOf({ url, oauth })
    expect(refusal).toContain(message)
    expect(refusal).not.toContain('SECRET')
  })
})
