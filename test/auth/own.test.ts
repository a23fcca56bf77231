import { describe, expect, it } from 'vitest'
import {
  type Authenticate,
  type Authenticator,
  defineServer,
  type HttpRequest,
  type Observer,
  refusal,
  serveHttp,
} from '../../src/index.ts'

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
}

async function start(
  authenticator: Authenticate | Authenticator,
  crashed: (error: unknown) => void = () => {},
) {
  const whoami = { name: 'whoami', scopes: ['people'], run: () => 'somebody' }
  const observe: Observer = (event) => void (event.kind === 'crashed' && crashed(event.error))
  const server = defineServer({ name: 'own', version: '1', tools: [whoami], observe })
  const listening = await serveHttp(server, { authenticator, sessionless: 'served', supervise: false })
  const send = (headers: { readonly [name: string]: string }, body: object = initialize) =>
    fetch(listening.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    })
  return { send, [Symbol.asyncDispose]: async () => void (await listening.close(0)) }
}

const knowAnn = (request: HttpRequest) =>
  request.headers['x-user'] === 'ann' ? { id: 'ann', scopes: [] } : undefined

class User {
  readonly id = 'ann'
  readonly scope = ['user']
}

describe('an authenticator of one’s own', () => {
  it.each<[string, Authenticate]>([
    ['now', knowAnn],
    ['later', async (request) => knowAnn(request)],
  ])('is one function that knows callers %s', async (_when, authenticator) => {
    await using door = await start(authenticator)
    expect((await door.send({ 'x-user': 'ann' })).status).toBe(200)
    const refused = await door.send({ 'x-user': 'bob' })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('not known') } })
  })

  it.each<[unknown, number, string | undefined]>([
    [null, 401, undefined],
    [true, 500, 'expected { id, scopes? }, a plain object, got a boolean'],
    ['ann', 500, 'expected { id, scopes? }, a plain object, got a string'],
    [['ann'], 500, 'got an array'],
    [{ sub: 'ann' }, 500, 'What the authenticator gave: there is no "sub". Did you mean id?'],
    [{ id: '' }, 500, 'id: expected a string that is not empty'],
    [{ id: 'ann', scope: ['user'] }, 500, 'there is no "scope". Did you mean scopes?'],
    [{ id: 'ann', scopes: 'people' }, 500, 'scopes: expected an array, got the string "people"'],
    [{ id: 'ann', scopes: null }, 500, 'scopes: expected an array, got null'],
    [{ id: 'ann', scopes: new Set(['people']) }, 500, 'scopes: expected an array, got an object'],
    [{ id: 'ann', scopes: [7] }, 500, 'scopes[0]: expected a string, got the number 7'],
    [new User(), 500, 'a plain object, got an object of the class User'],
    [Object.create(Object.create(null)), 500, 'a plain object, got an object of the class null'],
    [
      new Response('no', { status: 403 }),
      500,
      'or refusal(403, "why"), got an object with a status that is no refusal',
    ],
    [
      refusal(0, 'no'),
      500,
      'What the authenticator gave: expected a status from 200 to 599, got the number 0',
    ],
    [refusal(1000, 'no'), 500, 'expected a status from 200 to 599, got the number 1000'],
    [
      refusal(401, 'no', { a: '漢' }),
      500,
      'headers: a: expected text in one line of Latin-1, got the string',
    ],
    [refusal(401, 'no', { a: 'b\nc' }), 500, 'headers: a: expected text in one line'],
    [refusal(401, 'no', { a: undefined as unknown as string }), 500, 'headers: a: expected text in one line'],
  ])('lets nobody in and leaves nobody waiting by saying %j', async (said, status, got) => {
    for (const answer of [said, Promise.resolve(said)]) {
      const crashes: string[] = []
      await using door = await start((() => answer) as Authenticate, (error) => crashes.push(String(error)))
      expect((await door.send({})).status).toBe(status)
      expect(crashes).toEqual(got === undefined ? [] : [expect.stringContaining(got)])
    }
  })

  it('refuses in words of its own', async () => {
    await using door = await start(() => refusal(403, 'Forbidden: on Sundays', { 'x-why': 'rest' }))
    const refused = await door.send({})
    expect([refused.status, refused.headers.get('x-why')]).toEqual([403, 'rest'])
    expect(await refused.json()).toMatchObject({ error: { code: -32600, message: 'Forbidden: on Sundays' } })
  })

  it('has callers told which scopes they lack', async () => {
    await using door = await start(knowAnn)
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami' } }
    const refused = await door.send({ 'x-user': 'ann', 'mcp-protocol-version': '2025-11-25' }, call)
    expect(refused.status).toBe(403)
    expect(refused.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="people"')
  })

  it('may be of a class', async () => {
    class Sparing implements Authenticator {
      readonly #known = new Set(['ann'])
      readonly header = 'X-User'

      authenticate = (request: HttpRequest) => {
        const id = request.headers['x-user'] ?? ''
        return this.#known.has(id) ? { id } : undefined
      }
    }
    await using door = await start(new Sparing())
    expect((await door.send({ 'x-user': 'ann' })).status).toBe(200)
    expect((await door.send({})).status).toBe(401)
  })

  it.each([
    [{}, 'authenticator: authenticate: expected a function, got nothing'],
    [{ authenticate: 'ann' }, 'authenticator: authenticate: expected a function, got the string'],
    [{ authenticate: knowAnn, chalenge: () => ({}) }, 'Did you mean challenge?'],
  ])('is looked at when it is handed in', async (authenticator, message) => {
    await expect(start(authenticator as unknown as Authenticator)).rejects.toThrow(message)
  })
})
