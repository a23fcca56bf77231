import type { Server } from '../../kernel/index.ts'
import { isTooLong, LONGEST_NAME, NameClash, type NamedList, prefixOf, type WantedName } from './names.ts'
import { few } from './notes.ts'
import { siblingsOf } from './siblings.ts'
import { printKey } from './sound.ts'

/** Throws where tools or prompts that upstreams list, as far as they are known, cannot all be served by the names that they are to have. */
export function checkListedNames(server: Server): void {
  const problems = [...problemsOn('tools', server), ...problemsOn('prompts', server)]
  if (problems.length > 0) throw new NameClash(few(problems).join('\n'))
}

interface ListedName extends WantedName {
  readonly upstream: string
  readonly prefix: string
}

function problemsOn(list: NamedList, server: Server): readonly string[] {
  return [...listedBy(list, server)].flatMap(([key, all]) => {
    const isOwn = server[list].find(key)?.relayed === false
    const whose = [...all.map((one) => nameOf(list, one)), ...(isOwn ? ['one that is not relayed'] : [])]
    const isAlone = siblingsOf(server).size === 1
    const isLong = all.some(({ prefix }) => isTooLong(key, prefix, isAlone))
    if (whose.length === 1 && !isLong) return []
    const long = isLong ? [`, which has ${key.length} characters where ${LONGEST_NAME} are allowed`] : []
    const what = `${printKey(key)} would be the name of ${[whose.join(', and of '), ...long].join('')}`
    return [`strict: ${what}. Mend it by ${remediesFor(list, all)}`]
  })
}

function listedBy(list: NamedList, server: Server): ReadonlyMap<string, readonly ListedName[]> {
  const siblings = [...siblingsOf(server)]
  const byKey = new Map<string, ListedName[]>()
  for (const one of siblings) {
    const prefix = prefixOf(one, siblings.length === 1)
    for (const wanted of one.offers.wanted(list)) {
      const others = byKey.get(wanted.key) ?? []
      byKey.set(wanted.key, [...others, { ...wanted, upstream: one.name, prefix }])
    }
  }
  return byKey
}

function nameOf(list: NamedList, { own, upstream }: ListedName): string {
  return `${list === 'tools' ? 'the tool' : 'the prompt'} ${printKey(own)} of ${upstream}`
}

/** Prompts are called what their servers call them. */
function remediesFor(list: NamedList, all: readonly ListedName[]): string {
  const leftOut = JSON.stringify([`!${printKey(all.at(-1)?.own ?? '')}`])
  return list === 'tools' ? `rename, by "tools": ${leftOut}, or by another prefix` : 'another prefix'
}
