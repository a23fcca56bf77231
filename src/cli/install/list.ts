import type { CommandOutput } from '../client/output.ts'
import { foldersHere, isHere, shortPath } from './folders.ts'
import { INSTALL_HOSTS } from './hosts.ts'
import { readJournal } from './journal.ts'
import { fileOf } from './places.ts'

/** Shows the hosts, whether they are here, their files, and what was installed into them. */
export function listHosts(output: CommandOutput): void {
  const folders = foldersHere()
  const records = Object.values(readJournal()).flatMap((history) => history.records)
  const rows = INSTALL_HOSTS.map((host) => {
    const own = records.filter(({ hosts }) => hosts.includes(host.id))
    return {
      ...{ id: host.id, name: host.name, found: isHere(host, folders) },
      file: fileOf(host, { folders, isProject: false })?.path ?? '',
      installed: own.map(({ name, file }) => ({ name, file })),
    }
  })
  if (output.json) return output.sayJson(rows)
  for (const { id, found, file, installed } of rows) {
    const names = [...new Set(installed.map(({ name }) => name))].join(', ')
    const row = `${id.padEnd(16)}${(found ? 'here' : '–').padEnd(6)}${shortPath(file)}`
    output.say(names === '' ? row : `${row}  (${names})`)
  }
}
