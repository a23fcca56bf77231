import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { apiKeys } from '../../src/transports/http/auth/api-keys.ts'
import { oauth } from '../../src/transports/http/auth/oauth.ts'
import { Issuer, seconds } from './issuer.ts'
import { type Answer, ScopedSite } from './site.ts'

const RESOURCE = 'https://mcp.example.com/mcp'

let written: string[]

beforeEach(() => {
  written = []
  const write = (text: unknown) => {
    written.push(String(text))
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(write)
  vi.spyOn(process.stderr, 'write').mockImplementation(write)
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...values) => void written.push(inspect(values)))
  }
})
afterEach(() => void vi.restoreAllMocks())

/** Asks in every way that leads to another answer, and gives all that was said. */
async function everything(site: ScopedSite, headers: readonly { [name: string]: string }[]): Promise<string> {
  const answers: Answer[] = []
  for (const one of headers) {
    answers.push(await site.modern('tools/list', {}, one))
    answers.push(await site.modern('tools/call', { name: 'post' }, one))
    answers.push(await site.within('no-session', 'tools/list', {}, one))
    answers.push(await site.get('/mcp', one))
    answers.push(await site.get('/elsewhere', one))
  }
  const said = answers.map(({ text, headers }) => `${text} ${inspect([...headers])}`)
  return [...said, ...written, inspect(site.events, { depth: 6 })].join('\n')
}

it('no key is ever said, right or wrong', async () => {
  const keys = [
    { name: 'alice', key: 'hush-alice' },
    { name: 'bob', key: 'hush-bob', scopes: ['files'] },
  ]
  for (const header of ['authorization', 'x-api-token']) {
    await using site = await ScopedSite.open({ authenticator: apiKeys({ keys, header }) })
    const values = ['hush-alice', 'hush-bob', 'hush-wrong', 'hush hush', 'hush, hush']
    const said = await everything(
      site,
      values.flatMap((value) => [{ [header]: value }, { [header]: `Bearer ${value}` }]),
    )
    expect(said).toContain('insufficient_scope')
    expect(said).not.toContain('hush')
  }
})

it('no token is ever said, whether it is good, bad or cannot be checked', async () => {
  await using issuer = await Issuer.open()
  const tokens = [
    await issuer.sign({ aud: RESOURCE, jti: 'good' }),
    await issuer.sign({ aud: RESOURCE, exp: seconds() - 60 }),
    await issuer.sign({ aud: 'https://other.example.com' }),
    'hush-garbage',
    'hush.hush.hush',
  ]
  const open = () => ScopedSite.open({ authenticator: oauth({ issuer: issuer.url, resource: RESOURCE }) })
  const headers = [...tokens, 'hush hush'].map((token) => ({ authorization: `Bearer ${token}` }))
  await using site = await open()
  await using helpless = await open()
  const said = await everything(site, headers)
  issuer.broken = true
  const unsaid = await everything(helpless, headers)
  expect(said).toContain('insufficient_scope')
  expect(unsaid).toContain('callers cannot be checked right now')
  for (const secret of ['hush', ...tokens.flatMap((token) => token.split('.'))]) {
    expect(said).not.toContain(secret)
    expect(unsaid).not.toContain(secret)
  }
})
