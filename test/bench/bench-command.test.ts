import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chooseAsked } from '../../src/bench/choose.ts'
import { UnknownToolError } from '../../src/bench/errors.ts'
import { LoadConnection } from '../../src/bench/http-connection.ts'
import { warmUp } from '../../src/bench/load.ts'
import { callTool } from '../../src/bench/messages.ts'
import { StdioClient } from '../../src/bench/stdio-client.ts'
import { bench } from '../../src/cli/commands/bench.ts'
import { UsageError } from '../../src/cli/usage-error.ts'
import { NEWEST, NEWEST_HANDSHAKE } from '../../src/kernel/index.ts'

describe('perigee bench', () => {
  it.each([
    [['http://example.com/mcp'], 'is not this machine'],
    [['http://127.0.0.1.example.com/mcp'], 'is not this machine'],
    [['file:///tmp'], 'expected an http or https URL'],
    [[], 'expected a URL'],
    [['--args', '[1]', 'http://127.0.0.1:1/mcp'], 'args: expected a JSON object'],
    [['--seconds', '900', 'http://127.0.0.1:1/mcp'], 'seconds: expected'],
    [['--header', 'no colon', 'http://127.0.0.1:1/mcp'], 'header: expected'],
    [['--revision', '1999-01-01', '--', 'true'], 'revision: there is no'],
  ])('refuses %j before anything is started', async (args, reason) => {
    const refused = bench(args)
    await expect(refused).rejects.toThrow(UsageError)
    await expect(refused).rejects.toThrow(reason)
  })
})

describe('a server that says more than it is asked', () => {
  const command = [process.execPath, join(import.meta.dirname, 'chatty.mjs')]

  it.each([1, 256])('has its answers counted by their ids, with %i calls under way', async (window) => {
    const client = new StdioClient({ command, revision: NEWEST_HANDSHAKE })
    try {
      await client.open()
      const load = client.flood({ asked: callTool('count', {}), window })
      await warmUp(load, { calls: 1000, seconds: 20 })
      expect(load.answered).toBeGreaterThanOrEqual(1000)
      expect(load.failed).toBe(0)
      expect((await client.ask({ method: 'tools/list', params: {} }))['tools']).toHaveLength(1)
    } finally {
      await client.close()
    }
  })
})

describe('what is asked when nobody says what', () => {
  const options = { tool: undefined, args: undefined, revision: NEWEST_HANDSHAKE, seconds: 1 }
  const readOnly = { annotations: { readOnlyHint: true } }
  const wipe = { name: 'wipe', inputSchema: { type: 'object' } }
  const find = { name: 'find', inputSchema: { type: 'object', required: ['text'] }, ...readOnly }
  const count = { name: 'count', inputSchema: { type: 'object' }, ...readOnly }

  it('is a tool that only reads and needs nothing', () => {
    expect(chooseAsked([wipe, find, count], options).params['name']).toBe('count')
  })

  it('is never a tool that may do something', () => {
    expect(chooseAsked([wipe, find], options).method).toBe('ping')
    expect(chooseAsked([wipe, find], { ...options, revision: NEWEST }).method).toBe('tools/list')
  })

  it('is the tool that was named', () => {
    expect(chooseAsked([wipe], { ...options, tool: 'wipe' }).params['name']).toBe('wipe')
    expect(() => chooseAsked([wipe], { ...options, tool: 'wype' })).toThrow(UnknownToolError)
  })
})

describe('a connection of the load generator', () => {
  const ANSWERS = [
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
    'HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n',
  ]

  it.each([1, 7, 1000])('reads answers that come in pieces of %i bytes', async (size) => {
    const server = createServer((socket) => {
      let next = 0
      socket.setNoDelay(true)
      socket.on('data', () => void sendInPieces(ANSWERS[next++] ?? '', size, (text) => socket.write(text)))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo // It listens on a port.
    const connection = new LoadConnection(new URL(`http://127.0.0.1:${port}`))
    const heard = [await ask(connection), await ask(connection), await ask(connection)]
    connection.close()
    server.close()
    expect(heard).toEqual(['200 hello', '202 ', '200 hello'])
  })
})

async function sendInPieces(text: string, size: number, write: (text: string) => void): Promise<void> {
  for (let at = 0; at < text.length; at += size) {
    write(text.slice(at, at + size))
    await new Promise(setImmediate)
  }
}

function ask(connection: LoadConnection): Promise<string> {
  let body = ''
  return new Promise((resolve, reject) => {
    connection.send('GET / HTTP/1.1\r\n\r\n', {
      body: (bytes) => {
        body += bytes.toString()
      },
      ended: (how) => ('error' in how ? reject(how.error) : resolve(`${how.status} ${body}`)),
    })
  })
}
