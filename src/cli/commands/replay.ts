import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { stdioWire } from '../../client/wires/stdio.ts'
import { parseJson } from '../../kernel/index.ts'
import { conversationsOf, parseRecording, type RecordedMessage } from '../../recording/format.ts'
import { ALWAYS_IGNORED, parseRules } from '../../recording/ignore.ts'
import { type ReplayDifference, ReplayedConversation } from '../../recording/replay.ts'
import { CommandOutput } from '../client/output.ts'
import { oneLine } from '../client/printable.ts'
import { readSeconds } from '../client/where.ts'
import { environment } from '../environment.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { readLine, splitAtDashes } from '../flags.ts'
import { UsageError } from '../usage-error.ts'

const SETTINGS = {
  ignore: { kind: 'many', placeholder: 'WHAT', description: 'not compared' },
  timeout: { placeholder: 'SECONDS', description: 'how long an answer may take' },
  test: { placeholder: 'FILE', description: 'writes a test' },
  json: { kind: 'switch', description: 'prints JSON' },
  help: { kind: 'switch', description: 'this text' },
} as const

const USAGE = `perigee replay: says again what a recording says, in its own revision, and shows what a server says otherwise now

Usage: perigee replay FILE [options] -- COMMAND …

  --ignore WHAT      is not compared: a name wherever it stands (etag), or a path (result.content.*.text); may be repeated
  --timeout SECONDS  how long an answer may take; 5 unless said
  --test FILE        writes a test for node --test that does this, and runs nothing
  --json             prints the differences as JSON
  --help             this text

${ALWAYS_IGNORED.join(', ')} are never compared. What a server makes up anew, such as the id of a task, is known by its place.
It ends with 1 where something differs.

Example: perigee replay recording.jsonl -- node server.js`

/** Holds the conversations of a recording again, and shows what has become of the answers. */
export async function replay(args: readonly string[]): Promise<void> {
  const [own, command] = splitAtDashes(args)
  const { flags, words } = readLine(SETTINGS, own)
  if (flags['help'] === true) return console.log(USAGE)
  const [file, ...more] = words
  if (file === undefined || more.length > 0 || command.length === 0)
    throw new UsageError('expected perigee replay FILE -- COMMAND …. See --help')
  const recording = readRecording(file)
  if (flags['test'] !== undefined) return writeTest(String(flags['test']), own, [file, command])
  const output = new CommandOutput(flags['json'] === true, () => process.exit(0))
  const timeoutMs = readSeconds(String(flags['timeout'] ?? '5')) * 1000
  const ignore = parseRules([...ALWAYS_IGNORED, ...((flags['ignore'] ?? []) as readonly string[])]) // As its kind says.
  const found: FoundDifference[] = []
  let done = 0
  const conversations = conversationsOf(recording)
  for (const [connection, messages] of conversations) {
    const progress = (now: number) => output.showStatus(`${done + now} of ${recording.length} messages`)
    const differences = await hold(messages, command, { timeoutMs, ignore, progress })
    found.push(...differences.map((one) => ({ connection, ...one })))
    done += messages.length
  }
  tell(found, { count: recording.length, isOne: conversations.size === 1 }, output)
}

interface FoundDifference extends ReplayDifference {
  readonly connection: string
}

type Options = ConstructorParameters<typeof ReplayedConversation>[0]

/** Each conversation has a server of its own, as it had then. */
async function hold(
  messages: readonly RecordedMessage[],
  [program = '', ...args]: readonly string[],
  options: Options,
): Promise<readonly ReplayDifference[]> {
  const held = new ReplayedConversation(options)
  let lost: Error | undefined
  const wire = await stdioWire(
    { command: program, args, env: environment(), stderr: 'inherit' },
    { maxMessageBytes: 64 * 1024 * 1024 },
  )({
    hear: (text) => held.hear(parseJson(text)), // What is no JSON is missed where a message was expected.
    awaits: () => true,
    fail: (error) => {
      lost ??= error
      held.end()
    },
    warn: () => {}, // What is no message is missed where one was expected.
    reopen: async () => {},
  })
  try {
    const found = await held.run(messages, { send: (message) => wire.send(message as never) }) // A batch is a message, too.
    if (lost !== undefined) throw new CommandError(EXIT_CODES.unreachable.code, lost.message)
    return found
  } finally {
    await wire.close()
  }
}

interface Replayed {
  readonly count: number
  readonly isOne: boolean
}

function tell(found: readonly FoundDifference[], { count, isOne }: Replayed, output: CommandOutput): void {
  if (output.json) output.sayJson({ messages: count, differences: found })
  else
    for (const { connection, name, lines } of found)
      output.say(
        `${oneLine(isOne ? name : `${connection}: ${name}`, 200)}:\n${lines.map((line) => `  ${line}`).join('\n')}`,
      )
  if (found.length > 0)
    throw new CommandError(
      EXIT_CODES.failed.code,
      output.json ? '' : `${found.length} of ${count} messages differ`,
    )
  if (!output.json) output.say(`${count} messages, no difference`)
}

export function readRecording(file: string): readonly RecordedMessage[] {
  if (!existsSync(file))
    throw new UsageError(`there is no file ${file}. Make one: perigee record --file ${file} -- COMMAND …`)
  try {
    const recording = parseRecording(readFileSync(file, 'utf8'))
    if (recording.length > 0) return recording
  } catch (error) {
    throw new UsageError(`${file} is no recording: ${(error as Error).message}`)
  }
  throw new UsageError(`${file} has no messages`)
}

function writeTest(
  path: string,
  own: readonly string[],
  [file, command]: readonly [string, readonly string[]],
): void {
  const kept = own.filter(
    (word, at) => word !== '--test' && own[at - 1] !== '--test' && !word.startsWith('--test='),
  )
  const args = JSON.stringify(['perigee', 'replay', ...kept, '--', ...command], undefined, 2).replaceAll(
    '\n',
    '\n  ',
  )
  if (existsSync(path)) throw new UsageError(`test: ${path} is there already`)
  writeFileSync(
    path,
    `import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

test(${JSON.stringify(`says what it said in ${basename(file)}`)}, () => {
  const { status, stdout, stderr } = spawnSync('npx', ${args}, { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
})
`,
  )
  console.log(`${path}: run it with node --test ${path}`)
}
