import { describe, expect, it } from 'vitest'
import { openMemory } from './ends.ts'
import { differences, fill } from './match.ts'
import { parseTranscript } from './parse.ts'
import { play } from './play.ts'
import { readRevisions } from './revisions.ts'

/** Plays the lines against the sample server; a reply that never comes is given up soon. */
async function playLines(lines: string, header = ''): Promise<void> {
  const transcript = parseTranscript(`# A dialogue\nrevisions: 2025-11-25\n${header}\n${lines}`)
  const end = await openMemory(transcript.server)
  try {
    await play(transcript, '2025-11-25', end, { patienceMs: 100 })
  } finally {
    await end.close()
  }
}

describe('a dialogue that goes as it says', () => {
  it('passes', async () => {
    await playLines(
      '> ping\n< {}\n>> notifications/cancelled {"requestId": 9}\n> no/such\n< error -32601 "such"',
    )
  })

  it('passes over notices when it says so', async () => {
    await playLines('> tools/call {"name": "chatter"}\n< {}', 'notices: ignored')
  })

  it('leaves out the lines of other revisions', async () => {
    await playLines('[..2025-06-18] < error -1\n> ping\n[2025-11-25] < {}\n[2026-07-28] << no/such')
  })
})

describe('a dialogue that goes otherwise fails', () => {
  it.each([
    [
      'another result',
      '> ping\n< {"a": 1}',
      'line 5: it does not fit\n  $.result.a: expected 1, got nothing',
    ],
    ['a member too many', '> tools/list\n< {"<no more>": true}', '$.result.tools: expected "nothing"'],
    ['an error instead of a result', '> no/such\n< {}', '$.error: expected "nothing"'],
    ['a result instead of an error', '> ping\n< error -32601', '$.result: expected "nothing"'],
    ['another code', '> no/such\n< error -32602', '$.error.code: expected -32602, got -32601'],
    ['another message', '> no/such\n< error -32601 "pong"', '$.error.message'],
    [
      'other data',
      '> tools/call {"name": "fail", "arguments": {"how": "fault"}}\n< error -32602 "" {"why": 1}',
      'why',
    ],
    ['the reply to another request', '> ping\n> ping\n< #2 {}\n< {}', '$.id: expected 2, got 1'],
    ['a reply where none may come', '> ping\n<-', 'at the end: nobody expected {"jsonrpc":"2.0","id":1'],
    ['a reply that nobody looks at', '> ping', 'at the end: nobody expected'],
    ['a reply too few', '>> ping\n<= {}', 'line 5: nothing came within 100 ms'],
    ['a request that stays open', '> tools/call {"name": "wait"}', 'request 1 was never looked at'],
    ['a reply to no request', '< {}', 'no request waits for a reply'],
    ['an answer to no question', '> answer {}', 'there is no question to answer'],
    ['a notice that is not mentioned', '> tools/call {"name": "chatter"}\n< {}', '"notifications/message"'],
    ['a notice too few', '> ping\n<< notifications/message\n< {}', '$.method'],
    [
      'another notice',
      '> tools/call {"name": "chatter"}\n<< notifications/message {"level": "info"}',
      '$.params.level',
    ],
    [
      'a question that is not mentioned',
      '> tools/call {"name": "ask-name"}\n< {}',
      '$.method: expected "nothing"',
    ],
    ['a name that nobody caught', '> ping {"cursor": "$(next)"}\n< {}', 'nothing has been caught as next'],
  ])('on %s', async (_what, lines, message) => {
    await expect(playLines(lines, 'capabilities: {"elicitation": {}}')).rejects.toThrow(message)
  })

  it('on a handshake that agrees on something else', async () => {
    const transcript = parseTranscript('# A dialogue\nrevisions: all\n> ping\n< {}')
    const end = await openMemory('sample')
    const said = end.say
    const liar = { ...end, say: (line: string) => said(line.replace('2025-11-25', '2025-06-18')) }
    await expect(play(transcript, '2025-11-25', liar)).rejects.toThrow('the opening does not fit')
    await end.close()
  })
})

describe('a text that is no transcript is refused', () => {
  it.each([
    ['without a title', 'revisions: all\n> ping', 'expected "# Title"'],
    ['without revisions', '# A\n> ping', 'revisions:'],
    ['without dialogue', '# A\nrevisions: all', 'at least one line'],
    ['with an unknown revision', '# A\nrevisions: 2025-01-01\n> ping', 'there is no revision 2025-01-01'],
    [
      'with an unknown header',
      '# A\nrevisions: all\nserver: other\n> ping',
      'expected sample or ccmcp or bossman or bb-mcp-server or primer',
    ],
    [
      'with an unknown header name',
      '# A\nrevisions: all\nspeed: high\n> ping',
      'line 3: there is no header speed',
    ],
    ['with an unknown mark', '# A\nrevisions: all\n>>> ping', 'line 3: cannot read'],
    ['with broken JSON', '# A\nrevisions: all\n> ping {', 'line 3:'],
    ['with params that are no object', '# A\nrevisions: all\n> ping []', 'expected a JSON object'],
  ])('%s', (_what, text, message) => {
    expect(() => parseTranscript(text)).toThrow(message)
  })
})

describe('patterns', () => {
  const fits = (pattern: unknown, value: unknown) => differences(pattern, value, {}).length === 0

  it.each([
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: '<any>' }, { a: null }],
    [{ a: '<absent>' }, { b: 1 }],
    [{ a: '/^x+$/' }, { a: 'xx' }],
    [
      [1, '...'],
      [1, 2, 3],
    ],
    [['...'], []],
    [{ a: 1, '<no more>': true }, { a: 1 }],
    [null, null],
  ])('%j fits %j', (pattern, value) => {
    expect(fits(pattern, value)).toBe(true)
  })

  it.each([
    [{ a: 1 }, { a: '1' }],
    [{ a: 1 }, [1]],
    [{ a: '<any>' }, {}],
    [{ a: '<absent>' }, { a: null }],
    [{ a: '/^x+$/' }, { a: 'xy' }],
    [{ a: '/1/' }, { a: 1 }],
    [{ a: '<as name>' }, {}],
    [[1, '...'], []],
    [[1], [1, 2]],
    [[], {}],
    [
      { a: 1, '<no more>': true },
      { a: 1, b: 1 },
    ],
    [{ toString: '<any>' }, {}],
    [null, undefined],
    [null, 0],
  ])('%j does not fit %j', (pattern, value) => {
    expect(fits(pattern, value)).toBe(false)
  })

  it('put what they catch into what is said later', () => {
    const caught = {}
    differences({ next: '<as cursor>' }, { next: 5 }, caught)
    expect(fill({ a: ['$(cursor)', 'x$(cursor)y'] }, caught)).toEqual({ a: [5, 'x5y'] })
  })
})

it('revisions are named one by one or by ranges', () => {
  expect(readRevisions('all')).toHaveLength(5)
  expect(readRevisions('..2025-03-26')).toEqual(['2024-11-05', '2025-03-26'])
  expect(readRevisions('2025-11-25..')).toEqual(['2025-11-25', '2026-07-28'])
  expect(readRevisions('2025-03-26..2025-06-18')).toEqual(['2025-03-26', '2025-06-18'])
  expect(readRevisions('2026-07-28, 2024-11-05')).toEqual(['2024-11-05', '2026-07-28'])
})
