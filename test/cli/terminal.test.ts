import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CURIOUS, OFFICIAL, PERIGEE } from './run.ts'
import { needTerminal, typeAt } from './terminal.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-terminal-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

type Turns = readonly (readonly [shown: string, typed: string])[]
const type = (args: readonly string[], turns: Turns = []) =>
  typeAt([process.execPath, PERIGEE, ...args], folder, turns)

const [ASKS, WILL] = [
  'curious asks: What will it \\u001b[31mbe?',
  'Will you answer? (yes/no; Ctrl-D cancels) ',
]
const FILLED_IN: Turns = [
  [`${ASKS}\n${WILL}`, 'yes\n'],
  ['Your name: ', 'A\n'],
  ['have fewer than 2 characters', ''],
  ['Your name: ', 'Ada\n'],
  ['age: ', 'old\n'],
  ['age: expected integer, got "old"', ''],
  ['age: ', '36\n'],
  ['mail: ', 'nowhere\n'],
  ['mail: ', 'ada@example.com\n'],
  ['  1. tea\n  2. coffee\ndrink (what you like): ', 'water\n'],
  ['expected one of tea, coffee, or its number', ''],
  ['drink (what you like): ', '2\n'],
  ['sugar yes/no [false]: ', '\n'],
  ['extras, parted by commas [leave it out]: ', 'milk, 2\n'],
  ['remark [leave it out]: ', '\n'],
]

describe('at a terminal', () => {
  beforeEach(needTerminal)

  it.each(['2025-11-25', '2026-07-28'])('a form is filled in field by field, in %s', async (revision) => {
    const { shown, status } = await type(['call', 'form', '--revision', revision, ...CURIOUS], FILLED_IN)
    const content = `{"name":"Ada","age":36,"mail":"ada@example.com","drink":"coffee","sugar":false,"extras":["milk","lemon"]}`
    expect(shown).toContain(`{"form":{"action":"accept","content":${content}}}`)
    expect(status).toBe(0)
  })

  it.each([
    ['no', 'no\n', 'decline'],
    ['Ctrl-D', '\u0004', 'cancel'],
  ])('%s to a form is told to the server', async (_name, typed, action) => {
    const { shown, status } = await type(['call', 'form', ...CURIOUS], [[WILL, typed]])
    expect(shown).toContain(`{"form":{"action":"${action}"}}`)
    expect(status).toBe(0)
  })

  it('a form can be cancelled in the middle, and the command be stopped', async () => {
    const begun: Turns = [
      [WILL, 'y\n'],
      ['Your name: ', 'Ada\n'],
    ]
    const cancelled = await type(['call', 'form', ...CURIOUS], [...begun, ['age: ', '\u0004']])
    expect(cancelled.shown).toContain('{"form":{"action":"cancel"}}')
    const stopped = await type(['call', 'form', ...CURIOUS], [...begun, ['age: ', '\u0003']])
    expect([stopped.status, stopped.shown]).toEqual([130, expect.stringContaining('perigee: stopped')])
    expect(stopped.shown).not.toContain('action')
  })

  it.each(['2025-11-25', '2026-07-28'])(
    'a page is shown with its host, and opened by nobody, in %s',
    async (revision) => {
      const visit = ['call', 'visit', '--revision', revision, ...CURIOUS]
      const HAVE =
        'open a page at id.example.com:\n  https://id.example.com/in\nHave you done so, or will you? (yes/no) '
      expect((await type(visit, [[HAVE, 'yes\n']])).shown).toContain('{"visit":{"action":"accept"}}')
      expect((await type(visit, [[HAVE, 'no\n']])).shown).toContain('{"visit":{"action":"decline"}}')
    },
  )

  it('a page that is none is declined', async () => {
    const { shown } = await type(['call', 'trap', ...CURIOUS])
    expect(shown).toContain('It leads to no page: javascript:alert(1). Declined')
  })

  it('the official SDK’s server is answered', async () => {
    const line = ['call', 'interview', '--root', folder, ...OFFICIAL]
    const { shown } = await type(line, [
      ['sdk asks: Who are you?\nWill you answer?', 'yes\n'],
      ['name [leave it out]: ', 'Ada\n'],
    ])
    expect(shown).toContain(`Ada in file://${folder}`)
  })

  it('progress is shown in a line, which is gone in the end', async () => {
    const { shown, status } = await type(['call', 'climb', ...CURIOUS])
    expect(shown).toContain('[############------------] 50 % step 2')
    expect(shown).toContain('[########################] 100 % step 4')
    expect([status, shown.trimEnd().endsWith('up')]).toEqual([0, true])
  })

  it('what a server writes moves no cursor and turns no text round', async () => {
    const { shown } = await type(['call', 'hostile', ...CURIOUS])
    expect(shown).toContain('red \\u001b[31m alert \\u0007 and \\u202e turned\nnext\n')
  })

  it('a gateway tells the line for a host with the file that it reads', async () => {
    const file = join(folder, '.mcp.json')
    writeFileSync(file, JSON.stringify({ mcpServers: { a: { command: process.execPath } } }))
    const { shown } = await type(['gateway'], [['--from', '\u0004']])
    expect(shown).toContain(`gateway --from ${file}`)
    const named = await type(['gateway', '--from', '.mcp.json'], [['--from', '\u0004']])
    expect(named.shown).toMatch(/gateway --from \S*\.mcp\.json\s/)
  })

  it('bytes are told of, and not written', async () => {
    const { shown } = await type(['read', 'memo://bytes', ...CURIOUS])
    expect(shown).toContain('[memo://bytes: application/octet-stream, 4 bytes]')
  })

  it('Ctrl-C cancels the call, and leaves no child', async () => {
    const diary = join(folder, 'diary')
    const { shown, status } = await type(
      ['call', 'wait', '--env', `DIARY=${diary}`, ...CURIOUS],
      [['… 1', '\u0003']],
    )
    expect([status, shown]).toEqual([130, expect.stringContaining('perigee: stopped')])
    expect(existsSync(diary)).toBe(true)
    const [, pid = ''] = /^pid (\d+)$/m.exec(readFileSync(diary, 'utf8')) ?? []
    expect(() => process.kill(Number(pid), 0)).toThrow()
  })
})
