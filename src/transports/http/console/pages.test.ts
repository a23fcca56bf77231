import { expect, it } from 'vitest'
import { createReader } from '../../../../test/http/reader.ts'
import { createSample } from '../../../../test/http/sample.ts'
import { settled } from '../../../../test/http/sites.ts'
import { watchServer } from '../../../console/watch-server.ts'
import type { RelayedServer } from '../../../kernel/index.ts'
import type { HttpHeaders } from '../exchange.ts'
import { consolePages } from './pages.ts'

const KEY = 'a-key-for-the-console-0123456789'
const BEARER = { authorization: `Bearer ${KEY}` }
const ANYBODY = { id: 'anonymous', anonymous: true } as const

interface Asked {
  readonly headers?: HttpHeaders
  readonly query?: string
  readonly body?: unknown
}

/** The pages of a console, and what one is answered there. */
function open(upstreams: readonly object[] = [], name = 'shown') {
  const console = watchServer(createSample().server, { hello: () => ({}) as never }) // Nobody looks at it.
  const pages = consolePages({
    console,
    key: KEY,
    fromNetwork: false,
    base: '',
    name,
    upstreams: new Set(upstreams as readonly RelayedServer[]), // As much of each as is asked for.
  })
  const ask = async (path: string, asked: Asked = {}) => {
    const client = createReader({ headers: BEARER, ...asked })
    const page = pages[path]
    if (typeof page === 'object') await page.answer(client.exchange, ANYBODY)
    await settled()
    const [answer] = client.answers
    return { ...answer, heard: client.heard, leave: client.leave }
  }
  return { console, ask }
}

it('begins after the number that it is asked to, which is one', async () => {
  const { ask } = open()
  for (const after of ['-1', 'x', '1.5', '1234567890123456'])
    expect(await ask('/console/events', { query: `after=${after}` })).toMatchObject({ status: 400 })
  expect((await ask('/console/events', { query: 'after=123456789012345' })).status).toBe(undefined)
})

it('takes nobody in while the server closes, and lets go of who leaves', async () => {
  const { ask, console } = open()
  const { leave } = await ask('/console/events')
  expect(console.readers).toBe(1)
  leave()
  expect(console.readers).toBe(0)
  console.close()
  expect(await ask('/console/events')).toMatchObject({
    status: 503,
    body: '{"error":"The server is closing"}',
  })
})

it('says why something could not be approved', async () => {
  const approve = () => Promise.reject(new Error('the disk is full'))
  const { ask } = open([{ name: 'files', changed: [{ tool: 'read' }], approve }])
  const query = 'upstream=files&tool=read&hash=1'
  expect(await ask('/console/approve', { query, body: {} })).toMatchObject({
    status: 500,
    body: '{"error":"the disk is full"}',
  })
  expect(await ask('/console/approve', { query: 'upstream=files&tool=other', body: {} })).toMatchObject({
    status: 404,
  })
})

it.each([
  ['a server: of mine', 'a-server-of-mine.jsonl'],
  ['x'.repeat(100), `${'x'.repeat(60)}.jsonl`],
  ['', 'server.jsonl'],
])('has a recording that is called after the server: %s', async (name, file) => {
  const { headers } = await open([], name).ask('/console/recording')
  expect(headers?.['content-disposition']).toBe(`attachment; filename="${file}"`)
})
