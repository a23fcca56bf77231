import { describe, expect, it } from 'vitest'
import {
  type AuthorServer,
  checkServer,
  type Link,
  type Outgoing,
  parse,
  print,
} from '../../src/kernel/index.ts'
import { type TransportContract, testTransport } from '../../src/testing/index.ts'

/** One mistake that somebody who writes a transport can make. */
interface Mistake {
  /** Changes what comes in. */
  readonly read?: (pieces: readonly Uint8Array[]) => string
  /** Changes how messages leave. */
  readonly write?: (hear: (text: string) => void) => (message: Outgoing) => void
  readonly receive?: (link: Link, text: string, write: (message: Outgoing) => void) => void
  readonly leave?: (link: Link) => void
}

function right(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString()
}

function receiveRight(link: Link, text: string, write: (message: Outgoing) => void): void {
  link.receive(parse(text, link.server.dialect), (reply) => {
    if (reply !== undefined) write(reply)
  })
}

/** A transport in this process that is right but for the mistake. */
function contractOf(mistake: Mistake, revision: string): TransportContract {
  return {
    revisions: [revision],
    patienceMs: 2000,
    open({ server, hear, ended }) {
      const write = mistake.write?.(hear) ?? ((message: Outgoing) => hear(print(message)))
      const link = openLink(server, write)
      const send = (pieces: readonly Uint8Array[]) =>
        (mistake.receive ?? receiveRight)(link, (mistake.read ?? right)(pieces), write)
      return {
        send: (text) => send([Buffer.from(text)]),
        sendPieces: send,
        leave: () => (mistake.leave === undefined ? link.close() : mistake.leave(link)),
        close: () => {
          if (mistake.leave === undefined) link.close()
          ended()
        },
      }
    },
  }
}

function openLink(server: AuthorServer, send: (message: Outgoing) => void): Link {
  checkServer('openLink', server)
  return server.open({ outlet: { send } })
}

async function failuresOf(mistake: Mistake, revision = '2025-03-26'): Promise<readonly string[]> {
  const tests = testTransport(contractOf(mistake, revision))
  const results = await Promise.allSettled(tests.map(({ run }) => run()))
  return tests
    .filter((_test, index) => results[index]?.status === 'rejected')
    .map(({ name }) => name.replace(/^\S+ /, ''))
}

describe('the contract of transports', () => {
  it.each(['2025-03-26', '2026-07-28'])(
    'finds nothing wrong with one that is right, in %s',
    async (revision) => {
      expect(await failuresOf({}, revision)).toEqual([])
    },
  )

  it('finds one that forgets clients that leave', async () => {
    const failed = await failuresOf({ leave: () => {} })
    expect(failed).toContain('nothing is kept for a client that leaves in the middle')
    expect(failed).toContain('it can be closed while calls run, and the client hears of it')
  })

  it('finds one that decodes each piece by itself', async () => {
    const read = (pieces: readonly Uint8Array[]) =>
      pieces.map((piece) => Buffer.from(piece).toString()).join('')
    expect(await failuresOf({ read })).toEqual(['UTF-8 may be cut anywhere'])
  })

  it('finds one whose notices are slower than its answers', async () => {
    const write = (hear: (text: string) => void) => (message: Outgoing) => {
      if (!Array.isArray(message) && 'method' in message && message.method === 'notifications/message')
        setTimeout(() => hear(print(message)), 1)
      else hear(print(message))
    }
    expect(await failuresOf({ write })).toContain('what a call tells comes before its answer, in its order')
  })

  it('finds one that cuts long messages off', async () => {
    const write = (hear: (text: string) => void) => (message: Outgoing) => {
      const text = print(message)
      hear(text.length > 65_536 ? '{}' : text)
    }
    expect(await failuresOf({ write })).toEqual(['a large message arrives whole, in both directions'])
  })

  it('finds one that does not answer what it cannot read', async () => {
    const receive: Mistake['receive'] = (link, text, write) => {
      if (parse(text, link.server.dialect).kind !== 'refused') receiveRight(link, text, write)
    }
    expect(await failuresOf({ receive })).toEqual([
      'unreadable input is answered by an error, and the conversation goes on',
    ])
  })

  it('finds one that takes a batch apart', async () => {
    const write = (hear: (text: string) => void) => (message: Outgoing) => {
      for (const one of Array.isArray(message) ? message : [message]) hear(print(one))
    }
    expect(await failuresOf({ write })).toEqual(['a batch is answered by one batch'])
  })

  it('finds one that lets nothing out but answers', async () => {
    const write = (hear: (text: string) => void) => (message: Outgoing) => {
      if (Array.isArray(message) || !('method' in message)) hear(print(message))
    }
    expect(await failuresOf({ write })).toEqual([
      'what waited behind the answer to initialize follows',
      'what a call tells comes before its answer, in its order',
      'calls at once tell their progress each by its own token',
      'changes that belong to no call are told',
      'the client is asked, and its answers reach the call',
      'questions of two calls at once may be answered in any order',
    ])
  })

  it('finds one that holds back what is said beside the answer to initialize', async () => {
    const receive: Mistake['receive'] = (link, text, write) => {
      link.receive(parse(text, link.server.dialect), (reply) => {
        if (reply !== undefined) write(reply)
        return 'later' // And never calls release.
      })
    }
    expect(await failuresOf({ receive })).toContain('what waited behind the answer to initialize follows')
  })

  it('finds one that drops what the client says without asking', async () => {
    const receive: Mistake['receive'] = (link, text, write) => {
      const { kind } = parse(text, link.server.dialect)
      if (kind !== 'notification' && kind !== 'response') receiveRight(link, text, write)
    }
    const failed = await failuresOf({ receive })
    expect(failed).toContain('a call that is cancelled stops, is not answered, and disturbs no other')
    expect(failed).toContain('the client is asked, and its answers reach the call')
  })

  it('says what is lacking, and why', () => {
    const contract = { ...contractOf({}, '2025-11-25'), lacks: { bytes: 'messages travel whole' } }
    const left = testTransport(contract).filter(({ skip }) => skip !== false)
    expect(left.map(({ name, skip }) => [name, skip])).toEqual([
      ['2025-11-25: UTF-8 may be cut anywhere', 'messages travel whole'],
    ])
  })

  it('knows which revisions there are', () => {
    expect(() => testTransport(contractOf({}, '2025-01-01'))).toThrow('there is no revision 2025-01-01')
  })
})
