import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** LiveMCPBench's catalogue and tasks, which are read where they lie and are no part of this project. */
const FOLDER = resolve(ROOT, process.env['LIVEMCPBENCH_DIR'] ?? '../shared/data/livemcpbench')

export const MISSING = existsSync(join(FOLDER, 'tools.json'))
  ? undefined
  : `LiveMCPBench's catalogue is missing: there is no ${join(FOLDER, 'tools.json')}. Set LIVEMCPBENCH_DIR to a folder that has it.`

export interface CatalogueTool {
  readonly server: string
  readonly serverDescription: string
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly [key: string]: unknown }
}

interface Task {
  readonly steps: readonly string[]
  readonly tools: readonly string[]
}

const read = (file: string) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))

export function readCatalogue(): readonly CatalogueTool[] {
  return read('tools.json')
}

/** Each tool of a task with the step it is for: of the same number where there are as many, else in proportion. */
export function readPairs(): readonly { readonly step: string; readonly tool: string }[] {
  const names = new Set(readCatalogue().map(({ name }) => name))
  return (read('tasks.json') as readonly Task[]).flatMap(({ steps, tools }) =>
    tools
      .map((tool, at) => ({ tool, step: steps[Math.floor((at * steps.length) / tools.length)] ?? '' }))
      .filter(({ tool }) => names.has(tool)),
  )
}
