import type { JsonObject } from '../../kernel/index.ts'
import { isObject } from '../../kernel/index.ts'
import { canonical } from '../canonical.ts'
import { compareSchemas } from '../schemas/covers.ts'
import type { SchemaDifference } from '../schemas/difference.ts'
import type { CallerVerdict, Finding } from './change.ts'
import { type OlderSide, tell } from './words.ts'

/** What has become of a tool, for those who call it. */
export function compareTools(before: JsonObject, after: JsonObject): readonly Finding[] {
  const meant = [
    ...compareInput(before['inputSchema'], after['inputSchema']),
    ...compareOutput(before['outputSchema'], after['outputSchema']),
    ...compareTasks(taskSupport(before), taskSupport(after)),
  ]
  return [...meant, ...compareWords(before, after)]
}

function compareInput(before: unknown, after: unknown): readonly Finding[] {
  if (canonical(before) === canonical(after)) return []
  const lost = told('input', 'narrow', compareSchemas(before, after, 'lost'))
  const won = told('input', 'wide', compareSchemas(after, before, 'lost'))
  return judge('input', lost, won)
}

function compareOutput(before: unknown, after: unknown): readonly Finding[] {
  if (canonical(before) === canonical(after)) return []
  if (after === undefined) return [{ verdict: 'breaking', words: 'output is no longer promised' }]
  if (before === undefined) return [{ verdict: 'compatible', words: 'output is promised now' }]
  const lost = told('output', 'wide', compareSchemas(after, before, 'welcome'))
  const won = told('output', 'narrow', compareSchemas(before, after, 'welcome'))
  return judge('output', lost, won)
}

interface ToldDifference {
  readonly place: string
  readonly keyword: string
  readonly words: string
  readonly isCertain: boolean
}

function told(
  place: 'input' | 'output',
  older: OlderSide,
  differences: readonly SchemaDifference[],
): readonly ToldDifference[] {
  const all = differences.map((one) => ({ ...one, words: tell(place, one, older) }))
  return all.filter(({ words }, at) => all.findIndex((one) => one.words === words) === at)
}

/** Whatever callers may lose breaks them; what they win does not, and what nobody can say of the first is not decided. */
function judge(
  place: string,
  lost: readonly ToldDifference[],
  won: readonly ToldDifference[],
): readonly Finding[] {
  const worse = lost.map(({ words, isCertain }): Finding => {
    return { verdict: isCertain ? 'breaking' : 'undecided', words }
  })
  const said = new Set(lost.map(({ words }) => words))
  const required = new Set(lost.filter(({ keyword }) => keyword === 'required').map((one) => one.place))
  const isNew = (one: ToldDifference) => one.keyword === 'properties' && required.has(one.place)
  const better = won
    .filter((one) => one.isCertain && !said.has(one.words) && !isNew(one))
    .map(({ words }): Finding => ({ verdict: 'compatible', words }))
  const all = [...worse, ...better]
  return all.length > 0
    ? all
    : [{ verdict: 'wording', words: `${place} is written in another way, and means the same to callers` }]
}

type TaskSupport = 'forbidden' | 'optional' | 'required'

function taskSupport({ execution }: JsonObject): TaskSupport {
  const said = isObject(execution) ? execution['taskSupport'] : undefined
  return said === 'optional' || said === 'required' ? said : 'forbidden'
}

/** Who called it may no longer call it so. */
const WAYS: { readonly [support in TaskSupport]: readonly string[] } = {
  forbidden: ['call'],
  optional: ['call', 'task'],
  required: ['task'],
}

function compareTasks(before: TaskSupport, after: TaskSupport): readonly Finding[] {
  if (before === after) return []
  const isKept = WAYS[before].every((way) => WAYS[after].includes(way))
  return [
    {
      verdict: isKept ? 'compatible' : 'breaking',
      words: `running as a task was ${before}, and is ${after}`,
    },
  ]
}

function compareWords(before: JsonObject, after: JsonObject): readonly Finding[] {
  return ['title', 'description', 'annotations']
    .filter((member) => canonical(before[member]) !== canonical(after[member]))
    .map(
      (member): Finding => ({ verdict: 'wording' satisfies CallerVerdict, words: `its ${member} changed` }),
    )
}
