import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { compile } from '../../scripts/compile.mjs'
import { REVISIONS } from '../../src/kernel/index.ts'
import { type TransportContract, testTransport } from '../../src/testing/index.ts'
import { connectText } from '../../src/transports/memory/index.ts'
import { openPair, openSession, openStateless, serveByFetch, serveOnPort } from './http-ends.ts'
import { runContract } from './run-contract.ts'
import { openSocket } from './socket-end.ts'
import { openStdio } from './stdio-end.ts'

let script = ''

beforeAll(async () => {
  script = await compile(join(import.meta.dirname, 'serve-contract.ts'))
})

afterAll(() => rmSync(dirname(script), { recursive: true }))

const HANDSHAKES = REVISIONS.filter(({ opening }) => opening === 'handshake').map(({ id }) => id)
const STATELESS = REVISIONS.filter(({ opening }) => opening !== 'handshake').map(({ id }) => id)

const memory: TransportContract = {
  open({ server, hear, ended }) {
    const end = connectText(server as Parameters<typeof connectText>[0], hear) // defineServer made it.
    const close = () => {
      end.close()
      ended()
    }
    return { send: end.send, leave: end.close, close }
  },
  lacks: { bytes: 'messages travel whole' },
}

/** A client that has opened no stream yet is told of changes once it has, and of nothing else. */
const session: Pick<TransportContract, 'lacks'> = { lacks: { early: 'the client opens its stream later' } }

const CONTRACTS: { readonly [transport: string]: TransportContract } = {
  memory,
  stdio: {
    open: (opening) => openStdio(script, opening),
    revisions: ['2025-03-26', '2026-07-28'], // A process for each; test/transcripts has the others.
  },
  'a socket': { open: openSocket },
  'an HTTP session': { ...session, open: openSession(serveOnPort), revisions: HANDSHAKES },
  'stateless HTTP': { open: openStateless(serveOnPort), revisions: STATELESS },
  'the SSE pair': { open: openPair(serveOnPort), revisions: ['2024-11-05'] },
  'a session of a fetch handler': { ...session, open: openSession(serveByFetch), revisions: ['2025-11-25'] },
  'a stateless fetch handler': { open: openStateless(serveByFetch), revisions: STATELESS },
  'the SSE pair of a fetch handler': { open: openPair(serveByFetch), revisions: ['2024-11-05'] },
}

describe.each(Object.entries(CONTRACTS))('%s', (_transport, contract) => {
  runContract(testTransport(contract))
})
