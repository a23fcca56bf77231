import { fork } from 'node:child_process'
import { defineServer } from '../authoring/define-server.ts'
import { isObject, type JsonObject, type ToolDefinition } from '../kernel/index.ts'
import { loadModule } from '../servers/load-module.ts'
import { checkFile } from '../servers/path-setting.ts'
import { Bequest } from './bequest.ts'
import { oneLine } from './client/printable.ts'
import { CommandError, EXIT_CODES } from './exit-codes.ts'

/** How long a module may take to load, and to be looked at. */
const PATIENCE_MS = 10_000

/** Where a child finds that it is to look at a module. */
const LOOKER = new Bequest<true>('PERIGEE_CHECK')

/** Says what is wrong with a module, or that nothing is; ends with 1 where something is. */
export async function checkModuleFile(file: string): Promise<void> {
  if (LOOKER.take() !== undefined) return lookAt(file)
  checkFile('check', file)
  const { name, count, found } = await lookElsewhere(file)
  for (const line of found) console.log(oneLine(line, 500))
  if (found.length > 0)
    throw new CommandError(
      EXIT_CODES.failed.code,
      `${found.length === 1 ? 'one thing is' : `${found.length} things are`} to be mended in ${file}`,
    )
  console.log(`${oneLine(name, 100)}: nothing to mend in ${count === 1 ? 'its tool' : `its ${count} tools`}`)
}

interface ModuleLook {
  readonly name: string
  readonly count: number
  readonly found: readonly string[]
}

type LookAnswer = ModuleLook | { readonly failed: string }

/** In a process of its own: what a module does without end, and what it leaves behind, ends with that. */
async function lookElsewhere(file: string): Promise<ModuleLook> {
  const child = fork(process.argv[1] ?? '', process.argv.slice(2), {
    env: { ...process.env, ...LOOKER.give(true) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let clock: NodeJS.Timeout | undefined
  const said = await new Promise<LookAnswer>((tell) => {
    const fail = (what: string) => tell({ failed: `module ${file} does not load: ${what}` })
    clock = setTimeout(
      () => fail(`after ${PATIENCE_MS / 1000} s it still waits for something, or does something without end`),
      PATIENCE_MS,
    )
    child.on('message', (message) => tell(message as LookAnswer)) // It is our own child.
    child.on('error', (error) => fail(error.message))
    child.on('exit', (code, signal) =>
      fail(ENDS[code ?? ''] ?? `it ends the process (${signal ?? `code ${code}`})`),
    )
  })
  clearTimeout(clock)
  child.kill('SIGKILL')
  if ('failed' in said) throw new CommandError(EXIT_CODES.failed.code, said.failed)
  return said
}

/** Node ends so where nothing is left that could answer. */
const ENDS: { readonly [code: string]: string } = { 13: 'it waits for something that does not come' }

async function lookAt(file: string): Promise<void> {
  process.on('disconnect', () => process.exit(0)) // Nobody is left to tell.
  process.channel?.unref() // A module that waits for nothing that could come ends the process.
  process.send?.(
    await loadModule(file).then(
      ({ name, tools = [] }): LookAnswer => ({
        name,
        count: tools.length,
        found: [...namesTwice(tools), ...tools.flatMap(checkTool)],
      }),
      (error: Error): LookAnswer => ({ failed: error.message }),
    ),
  )
}

/** The server has a tool of its own beside those of modules. */
const TAKEN = 'hello'

function namesTwice(tools: readonly ToolDefinition[]): readonly string[] {
  const names = [TAKEN, ...tools.filter(isObject).map(({ name }) => name)]
  const twice = new Set(names.filter((name, place) => names.indexOf(name) !== place))
  return [...twice].map((name) =>
    name === TAKEN
      ? `${name}: the server has a tool of this name itself`
      : `${name}: two tools have this name`,
  )
}

type ToolRule = (listed: JsonObject) => readonly string[]

/** What each tool is held against; a schema that is none is told by the server itself. */
function checkTool(tool: ToolDefinition): readonly string[] {
  const name = String(isObject(tool) ? tool['name'] : tool)
  try {
    const [offered] = defineServer({ name: 'check', version: '1.0.0', tools: [tool] }).tools
    const listed = (offered?.listed ?? {}) as JsonObject
    return RULES.flatMap((rule) => rule(listed)).map((what) => `${name}: ${what}`)
  } catch (error) {
    return [`${name}: ${(error as Error).message}`]
  }
}

const MAX_NAME = 64
const LEAST_WORDS = 3

const RULES: readonly ToolRule[] = [
  ({ name }) =>
    /^[\w-]+$/.test(String(name)) && String(name).length <= MAX_NAME
      ? []
      : [`name: hosts take letters, digits, _ and -, at most ${MAX_NAME} of them`],
  ({ description }) =>
    String(description ?? '').split(/\s+/).length >= LEAST_WORDS
      ? []
      : ['description: expected a sentence that tells a model when to call it'],
  ({ inputSchema }) => undescribed(inputSchema),
  ({ name, outputSchema, annotations }) => [
    ...(/^[A-Za-z_$][\w$]*$/.test(String(name))
      ? []
      : [
          `name: a script has to write tools[${JSON.stringify(name)}](…): with _ in the place of - it is tools.name(…)`,
        ]),
    ...(outputSchema === undefined
      ? ['output: without a schema a script is given text, and has to take it apart']
      : []),
    ...(isObject(annotations) && ('readOnlyHint' in annotations || 'destructiveHint' in annotations)
      ? []
      : [
          'annotations: expected readOnlyHint or destructiveHint, so that scripts ask before they destroy something',
        ]),
  ],
]

function undescribed(schema: unknown): readonly string[] {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {}
  return Object.entries(properties)
    .filter(([, one]) => !isObject(one) || String(one['description'] ?? '').trim() === '')
    .map(([name]) => `input.${name}: expected a description`)
}
