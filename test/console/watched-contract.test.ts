import { describe } from 'vitest'
import { watchServer } from '../../src/console/watch-server.ts'
import { REVISIONS, type Server } from '../../src/kernel/index.ts'
import { type TransportContract, testTransport } from '../../src/testing/index.ts'
import { connectText } from '../../src/transports/memory/index.ts'
import { openPair, openSession, openStateless, serveOnPort } from '../testing/http-ends.ts'
import { runContract } from '../testing/run-contract.ts'

const HELLO = {
  ...{ server: { name: 'contract', version: '1' }, endpoint: './mcp', sse: null, revisions: [] },
  ...{ keyNeeded: false, opensMcp: false, panels: [] },
}

/** The same transport, with a console that sees all of it. */
function watched({ open, ...contract }: TransportContract): TransportContract {
  return {
    ...contract,
    open(opening) {
      watchServer(opening.server as Server, { hello: () => HELLO }) // defineServer made it.
      return open(opening)
    },
  }
}

const HANDSHAKES = REVISIONS.filter(({ opening }) => opening === 'handshake').map(({ id }) => id)
const STATELESS = REVISIONS.filter(({ opening }) => opening !== 'handshake').map(({ id }) => id)

const CONTRACTS: { readonly [transport: string]: TransportContract } = {
  memory: {
    open({ server, hear, ended }) {
      const end = connectText(server as Server, hear)
      const close = () => {
        end.close()
        ended()
      }
      return { send: end.send, leave: end.close, close }
    },
    lacks: { bytes: 'messages travel whole' },
  },
  'an HTTP session': {
    open: openSession(serveOnPort),
    revisions: HANDSHAKES,
    lacks: { early: 'the client opens its stream later' },
  },
  'stateless HTTP': { open: openStateless(serveOnPort), revisions: STATELESS },
  'the SSE pair': { open: openPair(serveOnPort), revisions: ['2024-11-05'] },
}

describe.each(Object.entries(CONTRACTS))('%s is the same while somebody watches', (_transport, contract) => {
  runContract(testTransport(watched(contract)))
})
