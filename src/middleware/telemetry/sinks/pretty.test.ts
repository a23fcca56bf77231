import { expect, it } from 'vitest'
import { LOG_LEVELS } from '../../../kernel/index.ts'
import type { TelemetryRecord } from '../records.ts'
import { printLevel, printWords } from './pretty.ts'

const time = 0
const about = {
  id: 7,
  method: 'tools/call',
  tool: 'add',
  prompt: undefined,
  uri: undefined,
  unknown: undefined,
}
const away = {
  kind: 'turned-away',
  time,
  status: 401,
  message: 'no key',
  verb: 'POST',
  path: '/mcp',
} as const
const crashed = {
  kind: 'crashed',
  time,
  method: 'tools/call',
  error: 'TypeError',
  message: undefined,
  stack: [],
} as const
const invoked = {
  kind: 'invoked',
  time,
  id: 7,
  tool: 'add',
  durationMs: 3,
  arguments: undefined,
  result: undefined,
} as const

const SAID: readonly (readonly [TelemetryRecord, string])[] = [
  [{ ...crashed, method: 'authenticate', unsaid: 7 }, 'authenticate crashed: TypeError (and 7 more before)'],
  [
    { kind: 'unreadable', time, code: -32700, message: 'no JSON', unsaid: 7 },
    'unreadable -32700 no JSON (and 7 more before)',
  ],
  [{ kind: 'received', time, ...about }, '→ tools/call add #7'],
  [{ kind: 'received', time, ...about, tool: undefined, prompt: 'review' }, '→ tools/call review #7'],
  [{ kind: 'received', time, ...about, tool: undefined, uri: 'a:b' }, '→ tools/call a:b #7'],
  [{ kind: 'received', time, ...about, tool: undefined }, '→ tools/call #7'],
  [{ ...invoked, outcome: 'ok' }, '  tool add ok in 3 ms'],
  [{ ...invoked, outcome: 'ok', arguments: '{}' }, '  tool add ok in 3 ms {}'],
  [{ ...invoked, outcome: 'ok', arguments: '{}', result: '[1]' }, '  tool add ok in 3 ms {} → [1]'],
  [
    {
      kind: 'completed',
      time,
      ...about,
      durationMs: 4,
      protocol: undefined,
      outcome: 'error',
      code: -1,
      message: 'no',
    },
    '← tools/call add #7 error -1 no in 4 ms',
  ],
  [{ kind: 'unreadable', time, code: -32700, message: 'no JSON' }, 'unreadable -32700 no JSON'],
  [{ ...away, from: undefined }, 'POST /mcp turned away 401 no key'],
  [{ ...away, from: '::1', unsaid: 2 }, 'POST /mcp turned away 401 no key (from ::1) (and 2 more before)'],
  [{ ...away, verb: '', path: '', from: undefined, unsaid: 0 }, 'a connection turned away 401 no key'],
  [crashed, 'tools/call crashed: TypeError'],
  [
    { ...crashed, tool: 'add', message: 'x', stack: ['at y', 'at z'] },
    'tools/call add crashed: x\n    at y\n    at z',
  ],
  [
    { kind: 'stored', time, operation: 'get', durationMs: 1, outcome: 'ok', store: undefined },
    'store get ok in 1 ms',
  ],
  [{ kind: 'noted', time, level: 'info', message: 'a word' }, 'a word'],
  [
    { kind: 'opened', time, protocol: undefined, client: undefined },
    'session opened: somebody (no protocol)',
  ],
  [{ kind: 'opened', time, protocol: '2025-06-18', client: 'ann 1' }, 'session opened: ann 1 (2025-06-18)'],
  [{ kind: 'closed', time, protocol: undefined, durationMs: 9 }, 'session closed after 9 ms'],
]

it.each(SAID)('says %j in words', (record, words) => {
  expect(printWords(record)).toBe(words)
})

it('says how urgent it is in a column, with a colour where that can be seen', () => {
  expect(printLevel('info', false)).toBe('info   ')
  expect(printLevel('error', true)).toBe('\u001b[31merror  \u001b[39m')
  const colours = LOG_LEVELS.map((level) => printLevel(level, true).slice(2, 4))
  expect(colours).toEqual(['90', '32', '36', '33', '31', '35', '35', '35'])
})
