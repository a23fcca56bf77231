import { join } from 'node:path'
import { claudeLine } from '../../process/claude-line.ts'
import { checkFree, makeProject } from '../create/make-project.ts'
import { type ProjectPlace, readPlace, shorten } from '../create/project-name.ts'
import { fillTemplate, printPath, TEMPLATE_DESCRIPTION, TEMPLATE_NAME } from '../create/template.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { readLine } from '../flags.ts'
import { isTerminal, Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

const USAGE = `perigee create: makes a small project with a server of your own, which passes its tests at once

Usage: perigee create [NAME] [options]

  NAME                 its folder, and its name: ${TEMPLATE_NAME} unless said; . is the folder you are in

  --description TEXT   what it does, in a sentence: ${JSON.stringify(TEMPLATE_DESCRIPTION)} unless said
  --yes                asks nothing, as where nobody sits at a terminal
  --help               this text

Example: perigee create weather --description "Tells the weather" && cd weather && npm install && npm test`

const SETTINGS = {
  description: { placeholder: 'TEXT', description: 'what it does' },
  yes: { kind: 'switch', description: 'asks nothing' },
  help: { kind: 'switch', description: 'this text' },
} as const

/** Makes a project from the template that comes with the package. */
export async function create(args: readonly string[]): Promise<void> {
  const { flags, words } = readLine(SETTINGS, args)
  if (flags['help'] === true) return console.log(USAGE)
  const [name, ...more] = words
  if (more.length > 0)
    throw new UsageError(`expected one name, got ${words.map((one) => JSON.stringify(one)).join(', ')}`)
  const typed = { name, description: flags['description'] as string | undefined } // A setting that is given once.
  const asks = flags['yes'] !== true && isTerminal()
  const { place, description } = asks ? await askWhatIsMissing(typed) : settle(typed)
  const files = fillTemplate(place.name, description)
  makeProject(place.folder, files)
  console.log(
    whatNext(
      place,
      files.map(({ path }) => printPath(path)),
    ),
  )
}

interface Typed {
  readonly name: string | undefined
  readonly description: string | undefined
}

interface Wishes {
  readonly place: ProjectPlace
  readonly description: string
}

function settle({ name = TEMPLATE_NAME, description = TEMPLATE_DESCRIPTION }: Typed): Wishes {
  return { place: findPlace(name), description: checkDescription(description) }
}

/** What was typed is looked at before anything is asked. */
async function askWhatIsMissing({ name, description }: Typed): Promise<Wishes> {
  const place = name === undefined ? undefined : findPlace(name)
  const said = description === undefined ? undefined : checkDescription(description)
  if (place !== undefined && said !== undefined) return { place, description: said }
  const terminal = new Terminal()
  try {
    return {
      place: place ?? (await ask(terminal, ['What is it called?', TEMPLATE_NAME], findPlace)),
      description:
        said ?? (await ask(terminal, ['What does it do?', TEMPLATE_DESCRIPTION], checkDescription)),
    }
  } finally {
    terminal.close()
  }
}

/** Asks until the answer will do; an empty one stands for the default. */
async function ask<Result>(
  terminal: Terminal,
  [question, fallback]: readonly [string, string],
  read: (text: string) => Result,
): Promise<Result> {
  for (;;) {
    const text = await terminal.ask(`${question} (${fallback}) `)
    if (text === undefined) throw new CommandError(EXIT_CODES.interrupted.code, 'nothing was made')
    try {
      return read(text || fallback)
    } catch (error) {
      terminal.tell((error as Error).message)
    }
  }
}

function findPlace(typed: string): ProjectPlace {
  const place = readPlace(typed)
  checkFree(place.folder)
  return place
}

function checkDescription(text: string): string {
  const trimmed = text.trim()
  if (trimmed !== '' && trimmed.length <= 200 && !/\p{Cc}/u.test(trimmed)) return trimmed
  throw new UsageError(`description: expected one line of up to 200 characters, got ${JSON.stringify(text)}`)
}

function whatNext({ name, folder }: ProjectPlace, files: readonly string[]): string {
  const short = shorten(folder)
  const enter =
    folder === process.cwd() ? [] : [`cd ${/^[\w./-]+$/.test(short) ? short : JSON.stringify(short)}`]
  const steps = [...enter, 'npm install', 'npm test', 'npm run dev']
  return [
    `Made ${name} in ${folder}: ${files.join(', ')}`,
    '',
    'Next:',
    ...steps.map((step) => `  ${step}`),
    '',
    'To use it from Claude Code while you work on it, there:',
    `  ${claudeLine({ name, command: 'npx', args: ['perigee', 'dev', join(folder, 'server.ts')] })}`,
  ].join('\n')
}
