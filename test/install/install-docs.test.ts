import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type HostFile, type HostFolders, INSTALL_HOSTS } from '../../src/cli/install/hosts.ts'

const DOCS = join(import.meta.dirname, '..', '..', 'docs', 'INSTALL.md')
const FOLDERS: HostFolders = {
  ...{ platform: 'linux', home: '~', config: '~/.config', settings: '…' },
  variable: () => undefined,
}

const code = (text: string) => `\`${text}\``
const paths = (files: readonly HostFile[] = []) => files.map(({ path }) => code(path)).join(', ') || '–'

/** The table of the docs, from the table of the code. */
function table(): string {
  const rows = INSTALL_HOSTS.map(({ id, name, user, project, variable }) => {
    const [file] = user(FOLDERS)
    const under = file?.format === 'bash' ? 'mcp add' : (file?.under.join('.') ?? '')
    const cells = [name, code(id), `${paths(user(FOLDERS))} · ${paths(project)}`, code(under)]
    return `| ${[...cells, variable === undefined ? '–' : code(variable.replace('*', 'NAME'))].join(' | ')} |`
  })
  return rows.join('\n')
}

it('the table of hosts in the docs is the one that is used', () => {
  const text = readFileSync(DOCS, 'utf8')
  const made = text.replace(
    /(\|---\|---\|---\|---\|---\|\n)(?:\|.*\n)*/,
    `$1${table().replaceAll('$', '$$$$')}\n`,
  )
  if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(DOCS, made)
  else expect(text).toBe(made)
})
