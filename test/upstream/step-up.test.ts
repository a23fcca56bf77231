import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import { clientOf, endAfterEach, gatewayTo, listen, namesOf, textOf } from './gateway-of.ts'
import { entry, RESULTS } from './renewing.ts'
import { keep, signInBeforeEach } from './signing-in.ts'

endAfterEach()
signInBeforeEach()

const FORBIDDEN = { jsonrpc: '2.0', error: { code: 403, message: 'Not for you' } }

/** A server that wants a token called good for one method, and says in one of two ways what others lack. */
function strictServer(method: string, scope: string, body?: object): Promise<string> {
  const wanted = scope === '' ? '' : `, scope="${scope}"`
  const challenge = { 'www-authenticate': `Bearer error="insufficient_scope"${wanted}` }
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const message = request.method === 'POST' ? JSON.parse(await text(request)) : {}
    if (message.id === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end()
    const isRefused = message.method === method && request.headers.authorization !== 'Bearer good'
    const result = RESULTS[message.method]
    const said = isRefused ? (body ?? { error: 'insufficient_scope' }) : { jsonrpc: '2.0', result }
    return response
      .writeHead(isRefused ? 403 : 200, { 'content-type': 'application/json', ...(isRefused && challenge) })
      .end(JSON.stringify({ ...said, id: message.id }))
  }
  return listen((request, response) => void serve(request, response))
}

describe('a call that is refused for want of a scope', () => {
  it.each([
    ['in plain words', undefined],
    ['in words of the protocol', FORBIDDEN],
  ])(
    '%s says what to type, with what was granted before, and is made once that is done',
    async (_how, body) => {
      const url = await strictServer('tools/call', 'write', body)
      keep('files', url, { access: 'weak', scope: 'read' })
      const client = await clientOf(gatewayTo({ files: entry(url) }))
      const refused = await client.callTool('write')
      expect(refused.isError).toBe(true)
      expect(textOf(refused)).toMatch(
        /^files: .*\. Sign in with more: perigee gateway login files --scope "read write"$/,
      )
      keep('files', url, { access: 'good', scope: 'read write' })
      await vi.waitFor(async () => expect(textOf(await client.callTool('write'))).toBe('written'), 20_000)
    },
  )

  it('which has been granted says so, instead of sending anybody round in circles', async () => {
    const url = await strictServer('tools/call', 'write')
    keep('files', url, { access: 'weak', scope: 'write read' })
    const client = await clientOf(gatewayTo({ files: entry(url) }))
    expect(textOf(await client.callTool('write'))).toMatch(
      /You have been granted write already: whoever runs/,
    )
  })

  it('of which nothing is said beyond that does not send anybody round in circles, either', async () => {
    const url = await strictServer('tools/call', '')
    keep('files', url, { access: 'weak', scope: 'read' })
    const client = await clientOf(gatewayTo({ files: entry(url) }))
    const text = textOf(await client.callTool('write'))
    expect(text).toMatch(/You have been granted read already: whoever runs the server has to say what else/)
    expect(text).not.toContain('login')
  })

  it('names nothing that could do something else where it is typed', async () => {
    const url = await strictServer('tools/call', '$(reboot) `reboot` write')
    keep('files', url, { access: 'weak' })
    const client = await clientOf(gatewayTo({ files: entry(url) }))
    expect(textOf(await client.callTool('write'))).toMatch(/login files --scope "write"$/)
  })

  it('by a program that signs in itself says what to write', async () => {
    const url = await strictServer('tools/call', 'write')
    keep('files', url, { access: 'weak', scope: 'read' })
    const oauth = { grant: 'client_credentials', clientId: 'a', clientSecret: 'b' } as const
    const client = await clientOf(gatewayTo({ files: { ...entry(url), oauth } }))
    expect(textOf(await client.callTool('write'))).toMatch(
      /Ask for more: "oauth": { "scope": "read write" }$/,
    )
  })

  it('when it is the list is told by the state, and by the list that has nothing', async () => {
    const url = await strictServer('tools/list', 'list')
    keep('files', url, { access: 'weak', scope: 'read' })
    const gateway = gatewayTo({ files: entry(url) })
    const client = await clientOf(gateway)
    const [state] = [...gateway.relaying.upstreams].map((one) => one.state)
    expect(state?.lastError?.text).toMatch(
      /Sign in with more: perigee gateway login files --scope "read list"$/,
    )
    expect(JSON.stringify(await client.request('tools/list'))).toContain('--scope \\"read list\\"')
    keep('files', url, { access: 'good', scope: 'read list' })
    await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['write']), 20_000)
  })
})
