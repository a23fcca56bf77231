import { type Call, type JsonObject, overBudget } from '../../kernel/index.ts'
import { signatureOf } from '../types/signature.ts'
import { comment, oneLine } from '../types/words.ts'
import type { Searched } from './document.ts'
import { type Embed, rankWith } from './embedded.ts'
import { type Ranked, rank } from './rank.ts'

interface SearchArguments {
  readonly query: string
  readonly limit?: number
}

/** What is found, for models as text and for programs as values. */
export async function search({ query, limit = 5 }: SearchArguments, call: Call, embed: Embed | undefined) {
  const { server, principal } = call
  const wrong = overBudget(server, 'maxSearchBytes', query.length)
  if (wrong !== undefined) throw new Error(`query: ${wrong}`)
  server.usage.saw('maxSearchBytes', query.length)
  const visible = [...server.tools.visible(principal)].map(({ listed, about, origin }) => ({
    listed,
    about: about ?? origin?.about,
  }))
  const ranked =
    embed === undefined ? rank(query, visible) : await byMeaning({ embed, query, visible, server })
  const tools = ranked.slice(0, limit).map(({ tool }) => described(tool.listed))
  const text = tools.length === 0 ? nothing(query, visible.length) : tools.map(printed).join('\n\n')
  return { content: [{ type: 'text' as const, text }], structuredContent: { tools } }
}

interface MeaningSearch {
  readonly embed: Embed
  readonly query: string
  readonly visible: readonly Searched[]
  readonly server: Call['server']
}

/** A model that cannot be reached is missed, and not waited for by anybody who only wants a tool. */
async function byMeaning(search: MeaningSearch): Promise<readonly Ranked<Searched>[]> {
  const { embed, query, visible, server } = search
  try {
    return await rankWith(embed, query, visible)
  } catch (error) {
    const message = `Tools are searched by their words alone, since embed failed: ${(error as Error)?.message ?? error}`
    server.observe({ kind: 'noted', level: 'warning', message })
    return rank(query, visible)
  }
}

interface FoundTool {
  readonly name: string
  readonly signature: string
  readonly description: string
}

function described(listed: JsonObject): FoundTool {
  const { name, description, title } = listed
  return {
    name: String(name),
    signature: signatureOf(listed),
    description: oneLine(description ?? title, 400),
  }
}

function printed({ signature, description }: FoundTool): string {
  const said = comment(description, 400)
  return said === '' ? signature : `${said}\n${signature}`
}

function nothing(query: string, count: number): string {
  return `Nothing matches ${JSON.stringify(oneLine(query))} among ${count} tools. Try other words for what is to be done.`
}
