import { type Client, ClientError } from '../../client/index.ts'
import { cut, type JsonObject, overBudget, type Server, tame } from '../../kernel/index.ts'
import { KEYS, type ListOf } from './listing.ts'

type Budgeted = Pick<Server, 'budgets' | 'usage'>

const NOUNS: Record<ListOf, string> = {
  tools: 'tool',
  resources: 'resource',
  templates: 'template',
  prompts: 'prompt',
}

export interface SoundEntries {
  readonly sound: readonly JsonObject[]
  /** What is left out, and why. */
  readonly problems: readonly string[]
}

/** What of a list can be served: what nobody could tell from something else by its name, or is larger than anybody reads, cannot. */
export function soundIn(list: ListOf, listed: readonly JsonObject[], server: Budgeted): SoundEntries {
  const problems: string[] = []
  const sound = listed.filter((entry) => {
    const key = String(entry[KEYS[list]])
    const wrong = wrongKey(key) ?? wrongSize(entry, server)
    if (wrong !== undefined)
      problems.push(`the ${NOUNS[list]} ${printKey(key) || '""'} is left out: ${wrong}`)
    return wrong === undefined
  })
  return { sound, problems }
}

function wrongKey(key: string): string | undefined {
  if (key === '') return 'its name is empty. Whoever makes the server has to give it one'
  if (tame(key) === key) return undefined
  return 'its name has characters that nobody sees. Whoever makes the server has to give it another one'
}

/** A name that an upstream gives, as people may be shown it. */
export function printKey(key: string): string {
  return tame(cut(key, 100))
}

/** What a server says of itself is told to every client. */
export function checkIntroduction(
  { server: info, capabilities, instructions }: Client,
  server: Budgeted,
): void {
  const wrong = wrongSize([info, capabilities, instructions], server)
  if (wrong !== undefined) throw new ClientError('too-much', `The server says too much of itself: ${wrong}`)
}

function wrongSize(said: unknown, server: Budgeted): string | undefined {
  const size = JSON.stringify(said).length
  const wrong = overBudget(server, 'maxUpstreamOfferBytes', size)
  if (wrong === undefined) server.usage.saw('maxUpstreamOfferBytes', size)
  return wrong
}
