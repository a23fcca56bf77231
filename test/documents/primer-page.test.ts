import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { VERSION } from '../../src/kernel/index.ts'
import { LineProcess } from '../setup/process.ts'
import { printf } from './printf.ts'

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'PRIMER.md')
const COMMAND = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'primer.js')

const INITIALIZE = {
  jsonrpc: '2.0',
  id: '0',
  method: 'initialize',
  params: {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'reader', version: '1.0.0' },
  },
}
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' }

const request = (method: string, beside: object = {}, id = '1') => ({ jsonrpc: '2.0', id, method, ...beside })
const call = (name: string, args: object) => request('tools/call', { params: { name, arguments: args } })

/** Each message of the document, in its order, as it is printed there where it is one. */
const MESSAGES: readonly (readonly [title: string, message: object, about?: string])[] = [
  ['initialize', INITIALIZE, 'The notification `notifications/initialized` follows it, and has no answer.'],
  ['tools/list', request('tools/list')],
  [
    'tools/call',
    request('tools/call', { name: 'calculate_sum', arguments: { a: 5, b: 3 } }),
    'The parameters stand beside the method; in `params`, where JSON-RPC has them, they do the same.',
  ],
  ['A tool that is not there', call('unknown', {})],
  ['Arguments that do not fit', call('calculate_sum', { a: 5, b: 'three' })],
  ['resources/list', request('resources/list')],
  [
    'resources/list, of some',
    request('resources/list', { params: { type: 'image' } }),
    'By `type` or `uriPattern`.',
  ],
  ['resources/read', request('resources/read', { uri: 'file:///logs/app.log' })],
  ['prompts/list', request('prompts/list')],
  [
    'prompts/list, of some',
    request('prompts/list', { params: { namePattern: 'svn-*' } }),
    'By `namePattern` or `category`.',
  ],
  [
    'prompts/get',
    request('prompts/get', { name: 'commit' }),
    'Without arguments it is the template as it is.',
  ],
  [
    'prompts/get, filled in',
    request('prompts/get', { params: { name: 'git-commit', arguments: { changes: 'a new wheel' } } }),
  ],
  ['Invalid parameters', request('prompts/get', { params: { name: 123 } })],
  ['A method that is not there', request('/tools/unknownTool', {}, '2')],
  [
    'exit',
    { jsonrpc: '2.0', method: 'exit', params: {} },
    'It has no id, and is answered without one, as it is printed there. What was under way is finished first.',
  ],
]

/** Every moment is another. */
const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/g

/** A release changes no page. */
const steady = (text: string) => text.replace(TIME, '2025-04-07T09:30:00Z').replaceAll(`"${VERSION}"`, '"…"')

const block = (message: unknown) => `\`\`\`json\n${steady(JSON.stringify(message, null, 2))}\n\`\`\`\n`

async function answersByTheBook(): Promise<string> {
  const lines = MESSAGES.flatMap(([, message]) =>
    message === INITIALIZE ? [message, INITIALIZED] : [message],
  )
  const { lines: answers, code } = await printf('primer', lines, ['--log-level', 'off'])
  expect([answers.length, code]).toEqual([MESSAGES.length, 0])
  return MESSAGES.map(
    ([title, message, about = ''], place) =>
      `## ${title}\n\n${about === '' ? '' : `${about}\n\n`}${block(message)}\n${block(answers[place])}`,
  ).join('\n')
}

interface Said {
  readonly id?: string
  readonly method?: string
}

/** What is said while a slow tool works, up to its end. */
async function slowly(slow: object, follow: object): Promise<readonly unknown[]> {
  const primer = new LineProcess(COMMAND, { args: ['--slow', '--log-level', 'off'] })
  try {
    const say = (message: object) => primer.write(`${JSON.stringify(message)}\n`)
    const heard: unknown[] = []
    const until = async (isLast: (said: Said) => boolean) => {
      for (let said: Said = {}; !isLast(said); heard.push(said))
        said = JSON.parse((await primer.lines.next()) ?? '{"id":"-"}')
    }
    say(INITIALIZE)
    say(INITIALIZED)
    await until(({ id }) => id === '0')
    heard.length = 0
    say(slow)
    await until(({ method }) => method === 'notifications/progress')
    say(follow)
    say(request('tools/list', {}, 'last'))
    await primer.end()
    await until(({ id }) => id === 'last' || id === '-')
    return heard.filter((said) => !['last', '-'].includes((said as Said).id ?? ''))
  } finally {
    await primer.kill()
  }
}

const countdown = (seconds: number) =>
  request('tools/call', {
    params: { name: 'countdown', arguments: { seconds }, _meta: { progressToken: 'slow' } },
  })
const CANCEL = {
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId: '1', reason: 'enough' },
}
const EXIT = { jsonrpc: '2.0', method: 'exit', params: {} }

const HEAD = `# The primer, message by message

\`primer\` is the whole protocol in small, after a document that describes it message by message. Below is each of them, and what \`primer\` answers: first what a client sends, then what it gets. Moments are written as 2025-04-07T09:30:00Z. \`npm run docs\` makes this page; the tests fail when an answer is another.

To follow it by hand, start \`primer\` and paste messages, each on one line. Where the document contradicts itself, [decision 16](decisions/0016-documents.md#primer) says what was chosen.

`

it('each message of the document stands in docs/PRIMER.md, with our answer', async () => {
  const [cancelled, ended] = [await slowly(countdown(3600), CANCEL), await slowly(countdown(1), EXIT)]
  expect(cancelled).toHaveLength(1)
  expect(ended).toContainEqual(expect.objectContaining({ id: '1', result: expect.anything() }))
  const page = `${HEAD}${await answersByTheBook()}
## Something slow

With \`--slow\` there is one more tool, \`countdown\`. A client that names a token is told how far it has come:

${block(countdown(3600))}
${block(cancelled[0])}
**Cancelled.** From then on nothing is heard of it:

${block(CANCEL)}
**exit while it works.** It finishes what it has begun, here a countdown from 1, up to \`--shutdown-timeout\` seconds, and takes nothing new:

${block(EXIT)}
${ended.slice(1).map(block).join('\n')}`
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, page)
  expect(readFileSync(PAGE, 'utf8')).toBe(page)
})
