import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..')

export interface CodeBlock {
  readonly file: string
  readonly line: number
  readonly language: string
  readonly text: string
  /** Can be the name of a file. */
  readonly name: string
}

/** Every page that is written for readers; what tests read is none. */
export const PAGES: readonly string[] = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => file !== '' && !/^(test|src)\//.test(file))

export function readPage(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

export function blocksIn(file: string): readonly CodeBlock[] {
  const page = readPage(file)
  return [...page.matchAll(/^( *)(`{3,})([^`\n]*)\n([\s\S]*?)^\1\2$/gm)].map((match, index) => ({
    file,
    line: page.slice(0, match.index).split('\n').length,
    language: (match[3] ?? '').trim(),
    text: (match[4] ?? '').replaceAll(new RegExp(`^${match[1]}`, 'gm'), ''),
    name: `${file.replaceAll(/\W/g, '-')}-${index + 1}`,
  }))
}

export const BLOCKS: readonly CodeBlock[] = PAGES.flatMap(blocksIn)
