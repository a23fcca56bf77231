import { afterEach, expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import type { KernelEvent } from '../../src/kernel/index.ts'
import { type HttpServer, serveHttp } from '../../src/transports/http/index.ts'
import { callModern, modern } from './messages.ts'

let http: HttpServer | undefined
afterEach(async () => {
  await http?.close()
})

/** Sends one request to a server of its own; gives what the middleware saw and what watchers were told. */
async function watch({ headers, body }: ReturnType<typeof modern>) {
  const seen: string[] = []
  const told: KernelEvent[] = []
  const server = defineServer({
    name: 's',
    version: '1',
    tools: [{ name: 'echo', run: () => 'ok' }],
    modules: [{ name: 'watch', observe: (event: KernelEvent) => void told.push(event) }],
    middleware: [
      (call, next) => {
        seen.push(call.method)
        return next(call)
      },
    ],
  })
  http = await serveHttp(server, { supervise: false })
  const sent = Object.entries({ 'content-type': 'application/json', ...headers })
  const response = await fetch(http.url, {
    method: 'POST',
    headers: sent.filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
    body: JSON.stringify(body),
  })
  const said = JSON.stringify([await response.json(), told])
  return { status: response.status, seen, told: told.map(({ kind }) => kind), said }
}

it('a request whose headers contradict it is told once, and no middleware sees it', async () => {
  const contradicting = callModern('echo', {}, { headers: { 'mcp-name': 'other' } })
  expect(await watch(contradicting)).toMatchObject({ status: 400, seen: [], told: ['turned-away'] })
})

it('a request whose id is too long is refused before anybody sees it, and nobody is told the id', async () => {
  const { said, ...came } = await watch(callModern('echo', {}, { id: 'hunter2'.repeat(1000) }))
  expect(came).toEqual({ status: 400, seen: [], told: ['turned-away'] })
  expect(said).toContain('id: at most 1024 bytes, got 7000 (--max-id); it is not repeated')
  expect(said).not.toContain('hunter2')
})

it('a request for a method that nobody has is seen by the middleware, as on every transport', async () => {
  expect(await watch(modern('unknown/method'))).toMatchObject({
    status: 404,
    seen: ['unknown/method'],
    told: ['turned-away'],
  })
})

it('a request that is answered is told to nobody', async () => {
  expect(await watch(callModern('echo'))).toMatchObject({ status: 200, seen: ['tools/call'], told: [] })
})
