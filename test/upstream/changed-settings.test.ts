import { describe, expect, it } from 'vitest'
import { clientOf, endAfterEach, gatewayTo, noted, textOf } from './gateway-of.ts'
import { entry, granted, renewingServer } from './renewing.ts'
import { keep, kept, signInBeforeEach } from './signing-in.ts'

endAfterEach()
signInBeforeEach()

const ROBOT = { grant: 'client_credentials', clientId: 'robot', clientSecret: 'secret' } as const

describe('settings that have changed since somebody signed in', () => {
  it.each([
    ['scope', { scope: 'read write' }],
    ['client', { clientId: 'other' }],
  ])('have a program sign in anew that does so by itself: another %s', async (_what, changed) => {
    const { url, asked } = await renewingServer({
      takes: (one) => one.startsWith('t'),
      give: () => granted(`t${asked.length}`),
    })
    const first = gatewayTo({ files: { ...entry(url), oauth: ROBOT } })
    await clientOf(first)
    await first.close()
    const same = gatewayTo({ files: { ...entry(url), oauth: { ...ROBOT, clientSecret: 'renewed' } } })
    expect(textOf(await (await clientOf(same)).callTool('write'))).toBe('written')
    await same.close()
    expect(asked).toHaveLength(1)
    const client = await clientOf(gatewayTo({ files: { ...entry(url), oauth: { ...ROBOT, ...changed } } }))
    expect(textOf(await client.callTool('write'))).toBe('written')
    expect(asked).toHaveLength(2)
    expect(asked[1]?.get('scope') ?? undefined).toBe('scope' in changed ? changed.scope : undefined)
    expect(kept()).toMatchObject({ access: 't2' })
  })

  it.each([
    [
      'client',
      { clientId: 'other' },
      /^files: signed in as a at http\S+, where its oauth names other\. To change that: perigee gateway login files$/m,
    ],
    [
      'issuer',
      { issuer: 'https://else.example' },
      /^files: signed in at http\S+, where its oauth names https:\/\/else\.example\./m,
    ],
  ])('are told of where a person signs in: another %s', async (_what, oauth, words) => {
    const { url } = await renewingServer({ takes: () => true, give: () => 503 })
    keep('files', url, { access: 'a' })
    const client = await clientOf(gatewayTo({ files: { ...entry(url), oauth } }))
    expect(noted.join('\n')).toMatch(words)
    expect(textOf(await client.callTool('write'))).toBe('written')
  })

  it('are told of with what is to be typed where the configuration is another file', async () => {
    const { url } = await renewingServer({ takes: () => true, give: () => 503 })
    keep('files', url, { access: 'a' })
    const login = 'perigee gateway login files --from /etc/other.json'
    await clientOf(gatewayTo({ files: { ...entry(url), oauth: { clientId: 'other' }, login } }))
    expect(noted.join('\n')).toContain(`To change that: ${login}`)
  })
})
