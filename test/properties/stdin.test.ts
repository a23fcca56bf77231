import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Conversation } from '../../src/transports/stdio/conversation.ts'
import { Lines } from '../../src/transports/stdio/lines.ts'
import { anyCuts, anyInput, anyMessage, cut, isJsonRpc } from './any.ts'
import { createSample } from './property-sample.ts'

/** Nothing that is said to it changes what it says next, so one serves all examples. */
const sample = createSample()
const INITIALIZE =
  '{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"VERSION","capabilities":{},"clientInfo":{"name":"p","version":"1"}}}\n'
const PING = '\n{"jsonrpc":"2.0","id":"still here","method":"ping"}\n'

it('never says anything but JSON-RPC, whatever comes, and still answers after it', async () => {
  const opening = fc.constantFrom('2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', undefined)
  await fc.assert(
    fc.asyncProperty(opening, anyInput, anyCuts, async (version, bytes, cuts) => {
      const first = version === undefined ? '' : INITIALIZE.replace('VERSION', version)
      const said = await converse([Buffer.from(first), ...cut(bytes, cuts), Buffer.from(PING)])
      const messages: unknown[] = said.map((line) => JSON.parse(line))
      expect(messages.filter((message) => !isJsonRpc(message))).toEqual([])
      expect(messages).toContainEqual({ jsonrpc: '2.0', id: 'still here', result: {} })
    }),
    { numRuns: 1500 },
  )
})

it('gives the same lines however the bytes are cut', () => {
  const limits = fc.constantFrom(1, 2, 3, 8, 64, 200, 1 << 20)
  fc.assert(
    fc.property(anyInput, anyCuts, anyCuts, limits, (bytes, some, others, limit) => {
      expect(linesOf(cut(bytes, some), limit)).toEqual(linesOf(cut(bytes, others), limit))
    }),
    { numRuns: 3000 },
  )
})

it('gives the lines that a plain split gives', () => {
  const text = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\n', '\r\n', ' ')))
  fc.assert(
    fc.property(text, anyCuts, (parts, cuts) => {
      const whole = parts.join('')
      const expected = whole.split('\n').filter((line) => line.trim() !== '')
      expect(linesOf(cut(Buffer.from(whole), cuts), 1 << 20)).toEqual(
        whole.startsWith('\uFEFF') ? expected.map((line, at) => (at === 0 ? line.slice(1) : line)) : expected,
      )
    }),
    { numRuns: 1000 },
  )
})

it('never crashes a real process, which ends with 0 and has said nothing but JSON-RPC', async () => {
  const inputs = fc.sample(fc.tuple(anyInput, fc.array(anyMessage, { maxLength: 5 })), {
    numRuns: 12,
    seed: 20,
  })
  await Promise.all(inputs.map(([bytes, messages]) => play(bytes, messages)))
})

async function play(bytes: Uint8Array, messages: readonly object[]): Promise<void> {
  const script = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'ccmcp.js')
  const child = spawn(process.execPath, [script, '--root', import.meta.dirname], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const input = Buffer.concat([
    Buffer.from(INITIALIZE.replace('VERSION', '2025-06-18')),
    Buffer.from(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
    bytes,
    Buffer.from(PING),
  ])
  try {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.stdin.end(input)
    const [code] = await once(child, 'close')
    const said: unknown[] = output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    expect(
      said.filter((message) => !isJsonRpc(message)),
      input.toString('base64'),
    ).toEqual([])
    expect(said).toContainEqual({ jsonrpc: '2.0', id: 'still here', result: {} })
    expect(code).toBe(0)
  } finally {
    child.kill('SIGKILL')
  }
}

/** Sends pieces to a server in this process, and gives the lines it says up to its end. */
async function converse(pieces: readonly Buffer[]): Promise<string[]> {
  const input = new PassThrough()
  const written: string[] = []
  const ended = new Promise<void>((resolve, reject) => {
    const conversation = new Conversation({
      server: sample,
      input,
      output: {
        write: (text, taken) => {
          written.push(text)
          taken?.()
          return true
        },
        onceDrained: () => {},
        waiting: 0,
      },
      budgets: { ...sample.budgets, maxLineBytes: 1000, maxCallsPerPipe: 3 },
      ended: () => void conversation.finish().then(resolve, reject),
    })
  })
  for (const piece of pieces) input.write(piece)
  input.end()
  await ended
  const text = written.join('')
  expect(text === '' || text.endsWith('\n')).toBe(true)
  return text.split('\n').slice(0, -1)
}

function linesOf(chunks: readonly Buffer[], limit: number): unknown[] {
  const lines = new Lines(limit)
  return [...chunks.flatMap((chunk) => lines.push(chunk)), ...lines.end()].map((line) =>
    typeof line === 'string' ? line : { id: line.id, message: line.fault.message },
  )
}
