import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { logIn } from '../../src/cli/gateway/login.ts'
import type { SignedIn } from '../../src/modules/upstream/sign-in/token-book.ts'
import { browse } from './browse.mjs'
import { ending } from './gateway-of.ts'

let folder = ''
let text = ''

/** What whoever signs in has been told. */
export const said = () => text
export const forgetSaid = () => {
  text = ''
}

export const inFolder = (name: string) => join(folder, name)
export const tokens = () => inFolder('tokens.json')

/** Each test of a file has a home of its own, and a terminal without a screen. */
export function signInBeforeEach(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'perigee-sign-in-'))
    forgetSaid()
    vi.stubEnv('PERIGEE_HOME', folder)
    vi.stubEnv('BROWSER', undefined)
    vi.stubEnv('DISPLAY', undefined)
    const spied = vi.spyOn(process.stderr, 'write').mockImplementation((words) => {
      text += String(words)
      return true
    })
    ending.push(
      () => rmSync(folder, { recursive: true }),
      () => spied.mockRestore(),
    )
  })
  afterEach(() => vi.unstubAllEnvs())
}

export const kept = (): SignedIn =>
  Object.values(JSON.parse(readFileSync(tokens(), 'utf8')).tokens)[0] as SignedIn

/** Writes down that somebody has signed in. */
export function keep(name: string, url: string, signed: Partial<SignedIn>): void {
  const whole = {
    issuer: url,
    tokenEndpoint: `${url}/token`,
    resource: url,
    client: { id: 'a', registered: false },
  }
  writeFileSync(
    tokens(),
    JSON.stringify({ version: 1, tokens: { [`${name} ${url}`]: { ...whole, ...signed } } }),
  )
}

/** A configuration with one server called files; gives the words that name it. */
export function configure(entry: object): readonly string[] {
  const file = inFolder('mcp.json')
  writeFileSync(file, JSON.stringify({ mcpServers: { files: entry } }))
  return ['--from', file]
}

/** Signs in as a person does who is shown an address. */
export async function signIn(
  args: readonly string[],
  act: (url: string) => Promise<unknown> = browse,
): Promise<void> {
  const done = logIn(args)
  let failed = false
  done.catch(() => {
    failed = true // It is waited for below.
  })
  await vi.waitFor(() => expect(failed || /open:\n\n {2}http/.test(text)).toBe(true), 20_000)
  if (!failed) await act(/open:\n\n {2}(\S+)/.exec(text)?.[1] ?? '')
  await done
}
