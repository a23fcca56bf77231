import { lstatSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { clientOf, endAfterEach, gatewayTo, noted, textOf } from './gateway-of.ts'
import { startPlainIssuer } from './plain-issuer.ts'
import { blockTokens, entry, granted, heldBack, renewingServer } from './renewing.ts'
import { inFolder, keep, kept, said, signIn, signInBeforeEach, tokens } from './signing-in.ts'

endAfterEach()
signInBeforeEach()

const LATER = Date.now() + 3_600_000

describe('a token that is renewed', { timeout: 60_000 }, () => {
  it('by somebody who does not answer holds up nobody who signs in elsewhere', async () => {
    const { answer, release } = heldBack()
    const { url, asked } = await renewingServer({ takes: (one) => one === 'new', give: () => answer })
    keep('files', url, { access: 'old', refresh: 'r', renew: 1 })
    const gateway = gatewayTo({ files: entry(url) })
    const started = gateway.start()
    await vi.waitFor(() => expect(asked).toHaveLength(1), 20_000)
    const other = await startPlainIssuer()
    await signIn([other.url])
    expect(said()).toContain('Signed in to')
    release(granted('new'))
    await started
    const client = await clientOf(gateway)
    expect(textOf(await client.callTool('write'))).toBe('written')
    expect(kept().access).toBe('new')
  })

  it('before it has expired is used meanwhile', async () => {
    const { answer, release } = heldBack()
    const { url } = await renewingServer({ takes: () => true, give: () => answer })
    keep('files', url, { access: 'old', refresh: 'r', renew: 1, expires: LATER })
    const client = await clientOf(gatewayTo({ files: entry(url) }))
    expect(textOf(await client.callTool('write'))).toBe('written')
    release(granted('new'))
    await vi.waitFor(() => expect(kept().access).toBe('new'), 20_000)
  })

  it('is used where it cannot be kept, and kept as soon as it can be', async () => {
    const { url, asked } = await renewingServer({
      takes: (one) => one === `new${asked.length}`,
      give: () => granted(`new${asked.length}`, { refresh_token: `r${asked.length}` }),
    })
    keep('files', url, { access: 'old', refresh: 'r', renew: 1 })
    blockTokens()
    const client = await clientOf(gatewayTo({ files: entry(url) }))
    expect(textOf(await client.callTool('write'))).toBe('written')
    expect(noted.join()).toContain(
      'files: what was granted is used, and could not be kept, which is tried again: ',
    )
    expect(kept().refresh).toBe('r')
    rmdirSync(`${tokens()}.lock`)
    await vi.waitFor(() => expect(kept()).toMatchObject({ access: 'new1', refresh: 'r1' }), 20_000)
    expect(asked.map((form) => form.get('refresh_token'))).toEqual(['r'])
  })

  it('in vain is not asked for again at once', async () => {
    const { url, asked } = await renewingServer({ takes: () => false, give: () => 503 })
    keep('files', url, { access: 'old', refresh: 'r', renew: 1 })
    const client = await clientOf(gatewayTo({ files: entry(url) }))
    await client.callTool('write')
    expect(asked).toHaveLength(1)
  })

  it('while somebody signs in does not take the place of what they were given', async () => {
    const { answer, release } = heldBack()
    const { url, asked } = await renewingServer({
      takes: (one) => one === 'theirs',
      give: () => answer,
    })
    keep('files', url, { access: 'old', refresh: 'r', renew: 1 })
    const gateway = gatewayTo({ files: entry(url) })
    const started = gateway.start()
    await vi.waitFor(() => expect(asked).toHaveLength(1), 20_000)
    keep('files', url, { access: 'theirs', refresh: 'theirs too' })
    release(granted('ours'))
    await started
    const client = await clientOf(gateway)
    expect(textOf(await client.callTool('write'))).toBe('written')
    expect(kept()).toMatchObject({ access: 'theirs', refresh: 'theirs too' })
  })
})

describe('a token that is refused', { timeout: 60_000 }, () => {
  it('and cannot be renewed is kept, and used when it is tried again', async () => {
    let isAway = true
    const { url } = await renewingServer({ takes: () => !isAway, give: () => 404 })
    keep('files', url, { access: 'lasting' })
    const client = await clientOf(gatewayTo({ files: entry(url) }))
    expect(textOf(await client.callTool('write'))).toContain('wants you to sign in')
    expect(kept().access).toBe('lasting')
    isAway = false
    await vi.waitFor(async () => expect(textOf(await client.callTool('write'))).toBe('written'), 20_000)
  })

  it.each([
    ['a status', 503],
    ['a page', '<h1>Back soon</h1>'],
  ])(
    'while whoever renews it is away, with %s, is told of by that and the next try, and nobody is told to sign in',
    async (_what, away) => {
      const { url } = await renewingServer({ takes: () => false, give: () => away })
      keep('files', url, { access: 'old', refresh: 'r' })
      const client = await clientOf(gatewayTo({ files: entry(url) }))
      const told = textOf(await client.callTool('write'))
      expect(told).toMatch(
        /^files cannot be used \(.*The token could not be renewed: .*\), next try in \d+ s$/,
      )
      expect(told).not.toContain('login')
      expect(kept().refresh).toBe('r')
    },
  )

  it('of a client that is not known any more has that registered again', async () => {
    const { url } = await renewingServer({ takes: () => false, give: () => ({ error: 'invalid_client' }) })
    keep('files', url, { access: 'old', refresh: 'r', client: { id: 'dead', registered: true } })
    await clientOf(gatewayTo({ files: entry(url) }))
    expect(kept()).toMatchObject({ client: { id: 'dead', until: 0 } })
    expect(kept()).not.toHaveProperty('refresh')
  })
})

describe('a token that is given', () => {
  it('for longer than can be written down is kept for ten years', async () => {
    const { url } = await startPlainIssuer({ grant: { expires_in: 1e306 } })
    await signIn([url])
    expect(kept().renew).toBeGreaterThan(LATER)
  })

  it.each(['two\nlines', 'π'])('and cannot be sent is refused: %j', async (access_token) => {
    const { url } = await startPlainIssuer({ grant: { access_token } })
    await expect(signIn([url])).rejects.toThrow('cannot be sent')
  })

  it('is written where a link leads to', async () => {
    const { url } = await startPlainIssuer()
    writeFileSync(inFolder('elsewhere.json'), JSON.stringify({ version: 1, tokens: {} }))
    symlinkSync(inFolder('elsewhere.json'), tokens())
    await signIn([url])
    expect(lstatSync(tokens()).isSymbolicLink()).toBe(true)
    expect(kept().access).toBe('granted')
  })
})
