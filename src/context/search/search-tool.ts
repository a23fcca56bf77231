import { type Call, type JsonObject, overBudget } from '../../kernel/index.ts'
import { signatureOf } from '../types/signature.ts'
import { comment, oneLine } from '../types/words.ts'
import { rank } from './rank.ts'

interface SearchArguments {
  readonly query: string
  readonly limit?: number
}

/** What is found, for models as text and for programs as values. */
export function search({ query, limit = 5 }: SearchArguments, { server, principal }: Call) {
  const wrong = overBudget(server, 'maxSearchBytes', query.length)
  if (wrong !== undefined) throw new Error(`query: ${wrong}`)
  server.usage.saw('maxSearchBytes', query.length)
  const visible = [...server.tools.visible(principal)].map(({ listed, about, origin }) => ({
    listed,
    about: about ?? origin?.about,
  }))
  const tools = rank(query, visible)
    .slice(0, limit)
    .map(({ listed }) => described(listed))
  const text = tools.length === 0 ? nothing(query, visible.length) : tools.map(printed).join('\n\n')
  return { content: [{ type: 'text' as const, text }], structuredContent: { tools } }
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
