import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { createNodeHandler } from '../../src/index.ts'
import { clientOf, endAfterEach, ending, gatewayTo, listen, namesOf, noted, textOf } from './gateway-of.ts'

endAfterEach()

let folder = ''
let tokens = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-tokens-'))
  tokens = join(folder, 'home', 'tokens.json')
  ending.push(() => rmSync(folder, { recursive: true }))
})

const within = (make: () => void) => () => {
  mkdirSync(join(folder, 'home'))
  make()
}

const open = defineServer({ name: 'open', version: '1', tools: [{ name: 'go', run: () => 'well' }] })

describe.each<[what: string, make: () => void, said: string]>([
  ['is garbage', within(() => writeFileSync(tokens, '{"version":1,"tok')), 'is no file of tokens. Remove it'],
  [
    'holds something odd',
    within(() => writeFileSync(tokens, '{"version":1,"tokens":[null]}')),
    'is no file of tokens. Remove it',
  ],
  ['is a folder', within(() => mkdirSync(tokens)), 'tokens.json is a folder'],
  ['is a device', within(() => symlinkSync('/dev/zero', tokens)), 'tokens.json is no file'],
  ['cannot be there', () => writeFileSync(join(folder, 'home'), ''), 'ENOTDIR'],
])('where the file of tokens %s', (_what, make, said) => {
  it('servers are served that need none, and those that do say so', async () => {
    make()
    const url = await listen(createNodeHandler(open, { allowAnonymous: true }))
    const closed = await listen((_request, response) => response.writeHead(401).end())
    const gateway = gatewayTo({ open: { url, tokens }, closed: { url: closed, tokens } })
    const client = await clientOf(gateway)
    expect(await namesOf(client)).toEqual(['open_go'])
    expect(textOf(await client.callTool('open_go'))).toBe('well')
    expect(textOf(await client.callTool('closed_go'))).toContain(said)
    expect(noted.filter((note) => note.includes(said)).map((note) => note.split(':')[0])).toEqual([
      expect.stringContaining('closed'),
    ])
  })
})

it('a file of tokens that has been broken is left as it is', async () => {
  within(() => writeFileSync(tokens, 'mine'))()
  const closed = await listen((_request, response) => response.writeHead(401).end())
  const oauth = { grant: 'client_credentials', clientId: 'me', clientSecret: 'x', issuer: closed } as const
  const gateway = gatewayTo({ closed: { url: closed, tokens, oauth } })
  await clientOf(gateway)
  await vi.waitFor(() => expect(noted.join('\n')).toContain('is no file of tokens'))
  expect(readFileSync(tokens, 'utf8')).toBe('mine')
})
