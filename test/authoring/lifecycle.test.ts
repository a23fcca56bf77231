import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createNodeServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import {
  createFetchHandler,
  createNodeHandler,
  createTestClient,
  defineModule,
  defineServer,
  MemoryStore,
  type Module,
  type Server,
  serveHttp,
} from '../../src/index.ts'
import { LineProcess } from '../setup/process.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Modules that tell when they are opened and closed, one at once and one later. */
function diary() {
  const said: string[] = []
  const now: Module = {
    name: 'now',
    tools: [{ name: 'hi', run: () => String(said.push('hi')) }],
    open: () => void said.push('open now'),
    close: () => void said.push('close now'),
  }
  const later: Module = {
    name: 'later',
    open: async () => {
      await Promise.resolve()
      said.push('open later')
    },
    close: async () => {
      await Promise.resolve()
      said.push('close later')
    },
  }
  const define = (more: readonly Module[] = []) =>
    defineServer({
      name: 's',
      version: '1',
      modules: [now, later, ...more],
      observe: (event) => {
        if (event.kind === 'crashed') said.push(`${event.method}: ${(event.error as Error).message}`)
      },
      reports: true,
    })
  return { said, define }
}

const WHOLE_LIFE = ['open now', 'open later', 'hi', 'close later', 'close now']

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'hi',
}
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'hi', _meta: meta },
})

/** A way to serve: calls the tool `hi` and ends; gives the status of the answer. */
const WAYS: { readonly [name: string]: (server: Server) => Promise<number> } = {
  async serveHttp(server) {
    const http = await serveHttp(server)
    const { status } = await fetch(http.url, { method: 'POST', headers, body })
    await http.close()
    return status
  },
  async createFetchHandler(server) {
    const handle = createFetchHandler(server)
    const { status } = await handle(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }))
    await handle.close()
    return status
  },
  async createNodeHandler(server) {
    const handle = createNodeHandler(server)
    const node = createNodeServer(handle)
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
    const { port } = node.address() as AddressInfo
    const { status } = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers, body })
    node.close()
    await handle.close()
    return status
  },
  async createTestClient(server) {
    const client = await createTestClient(server)
    await client.callTool('hi')
    client.close()
    await server.close()
    return 200
  },
}

describe.each(Object.entries(WAYS))('a module served by %s', (_name, serve) => {
  it('is opened before the first call, and closed after the last one, the other way round', async () => {
    const { said, define } = diary()
    expect(await serve(define())).toBe(200)
    expect(said).toEqual(WHOLE_LIFE)
  })

  it('is opened again by whoever serves the server again', async () => {
    const { said, define } = diary()
    const server = define()
    await serve(server)
    await serve(server)
    expect(said).toEqual([...WHOLE_LIFE, ...WHOLE_LIFE])
  })
})

it('what a module takes off the lists when the server closes is told to nobody, and what it does before is', async () => {
  const heard: string[] = []
  const server = defineServer({
    name: 's',
    version: '1',
    modules: [
      {
        name: 'now',
        tools: ['a', 'b'].map((name) => ({ name, run: () => name })),
        close: (seen) => void (seen as Server).tools.remove('b'),
      },
    ],
  })
  await connect(server, { revision: '2025-11-25', onNotification: ({ method }) => heard.push(method) })
  server.tools.remove('a')
  await new Promise((resolve) => setImmediate(resolve))
  await server.close()
  await new Promise((resolve) => setImmediate(resolve))
  expect(heard).toEqual(['notifications/tools/list_changed'])
})

describe('a module that does not open', () => {
  const broken: Module = {
    name: 'github',
    open: () => {
      throw new Error('no token in GITHUB_TOKEN')
    },
    close: () => {
      throw new Error('was never open')
    },
  }
  const SENTENCE = 'The module github does not open: no token in GITHUB_TOKEN'

  it.each(['serveHttp', 'createTestClient'])('stops the start by %s, and closes the others', async (way) => {
    const { said, define } = diary()
    await expect(WAYS[way]?.(define([broken]))).rejects.toThrow(SENTENCE)
    expect(said).toEqual(['open now', 'open later', 'close later', 'close now'])
  })

  it.each(['createFetchHandler', 'createNodeHandler'])(
    'has each request by %s refused, and tried anew',
    async (way) => {
      const { said, define } = diary()
      let broken = true
      const mended = defineModule({
        name: 'github',
        open: () => {
          if (broken) throw new Error('no token in GITHUB_TOKEN')
        },
      })
      const server = define([mended])
      expect(await WAYS[way]?.(server)).toBe(503)
      expect(said).toEqual(['open now', 'open later', 'close later', 'close now', `start: ${SENTENCE}`])
      broken = false
      expect(await WAYS[way]?.(server)).toBe(200)
      expect(said.slice(5)).toEqual(WHOLE_LIFE)
    },
  )
})

describe('a server that is closed', () => {
  it('ends what serves it, waits for it, and can be closed again', async () => {
    const { said, define } = diary()
    const server = define()
    const http = await serveHttp(server)
    await Promise.all([server.close(), server.close()])
    await server.close()
    expect(said).toEqual(['open now', 'open later', 'close later', 'close now'])
    await expect(fetch(http.url)).rejects.toThrow()
    expect(await http.close()).toBe(true)
  })

  it('is not closed by one of two who serve it', async () => {
    const { said, define } = diary()
    const server = define()
    const [one, other] = [await serveHttp(server), await serveHttp(server)]
    await one.close()
    expect(said).toEqual(['open now', 'open later'])
    await other.close()
    expect(said).toEqual(['open now', 'open later', 'close later', 'close now'])
  })

  it('closes what it can when a module does not', async () => {
    const { said, define } = diary()
    const server = define([{ name: 'stuck', close: () => Promise.reject(new Error('it is stuck')) }])
    await createTestClient(server)
    await server.close()
    expect(said.slice(2)).toEqual(['close (module stuck): it is stuck', 'close later', 'close now'])
  })

  it('leaves the store to whoever has opened it', async () => {
    const store = new MemoryStore()
    await store.put('kept', 1)
    const server = defineServer({ name: 's', version: '1', store })
    await createTestClient(server)
    await server.close()
    expect(await store.get('kept')).toMatchObject({ value: 1 })
  })

  it('aborts the work on tasks before its modules are closed', async () => {
    const said: string[] = []
    const server = defineServer({
      name: 's',
      version: '1',
      tools: [
        {
          name: 'long',
          task: 'optional',
          run: (_args, { signal }) =>
            new Promise((_resolve, reject) =>
              signal.addEventListener('abort', () => {
                said.push('aborted')
                reject(new Error('aborted'))
              }),
            ),
        },
      ],
      close: () => void said.push('closed'),
    })
    const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
    const client = await createTestClient(server, { capabilities })
    expect(await client.request('tools/call', { name: 'long' })).toMatchObject({ status: 'working' })
    await server.close()
    expect(said).toEqual(['aborted', 'closed'])
  })
})

describe('in a process of its own', () => {
  const cache = join(ROOT, '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'lifecycle-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function script(name: string, text: string): string {
    const file = join(folder, name)
    writeFileSync(file, `import { defineServer, serveHttp, serveStdio } from 'perigee'\n${text}`)
    return file
  }

  const SERVER = `const clock = { name: 'clock', tools: [{ name: 'hi', run: () => 'hi' }],
    async open() { this.timer = setInterval(() => {}, 1000); process.stderr.write('opened\\n') },
    async close() { clearInterval(this.timer); await null; process.stderr.write('closed\\n') } }
  const server = defineServer({ name: 's', version: '1', modules: [clock], store: 'sqlite:${join(folder, 'kept.db')}' })`

  const CALL = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hi', _meta: meta } })}\n`

  it('serveStdio opens before it reads, and closes at its end', async () => {
    const child = new LineProcess(script('stdio.mjs', `${SERVER}\nserveStdio(server)`))
    try {
      child.write(CALL)
      expect(await child.lines.next()).toContain('"hi"')
      expect(await child.end()).toBe(0)
      expect(child.stderr).toBe('opened\nclosed\n')
    } finally {
      await child.kill()
    }
  })

  it.each(['SIGTERM', 'SIGINT'])('serveStdio closes on %s', async (signal) => {
    const text = `${SERVER}\nserveStdio(server)\nsetTimeout(() => process.kill(process.pid, '${signal}'), 100)`
    const child = new LineProcess(script('stdio-signal.mjs', text))
    try {
      expect(await child.lines.next()).toBeUndefined()
      expect(child.stderr).toBe('opened\nclosed\n')
    } finally {
      await child.kill()
    }
  })

  it('serveHttp closes on SIGTERM', async () => {
    const text = `${SERVER}\nawait serveHttp(server)\nprocess.kill(process.pid, 'SIGTERM')`
    const child = new LineProcess(script('http-signal.mjs', text))
    try {
      expect(await child.lines.next()).toBeUndefined()
      expect(child.stderr).toBe('opened\nclosed\n')
    } finally {
      await child.kill()
    }
  })

  it('serveStdio ends with code 1 and one line when a module does not open', async () => {
    const text = `serveStdio(defineServer({ name: 's', version: '1', modules: [{ name: 'github', open: async () => { throw new Error('no token') } }] }))`
    const child = new LineProcess(script('broken.mjs', text))
    try {
      child.write(CALL)
      expect(await child.end()).toBe(1)
      expect(child.stderr).toBe('The module github does not open: no token\n')
      expect(await child.lines.next()).toBeUndefined()
    } finally {
      await child.kill()
    }
  })

  it('nothing is left open by a server that was closed', async () => {
    const text = `${SERVER}
    const http = await serveHttp(server)
    const answer = await fetch(http.url, { method: 'POST', headers: ${JSON.stringify({ ...headers, connection: 'close' })}, body: ${JSON.stringify(body)} })
    await answer.text()
    await server.close()
    const find = () => process.getActiveResourcesInfo().filter((one) => !/PipeWrap|TTYWrap/.test(one))
    let left = find()
    for (let turn = 0; turn < 1000 && left.length > 0; turn++, left = find()) await new Promise(setImmediate)
    console.log(answer.status, JSON.stringify(left), process.listenerCount('SIGTERM'), process.listenerCount('uncaughtException'))`
    const child = new LineProcess(script('left.mjs', text))
    try {
      expect(await child.lines.next()).toBe('200 [] 0 0')
      expect(await child.end()).toBe(0)
    } finally {
      await child.kill()
    }
  })
})
