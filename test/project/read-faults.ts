import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { SaidWords, type SyntaxNode, walk } from './said-words.ts'

const SRC = join(import.meta.dirname, '..', '..', 'src')

/** A sentence by which a caller is refused, where the code says it. */
export interface SaidFault {
  readonly place: 'fault' | 'http' | 'console' | 'result'
  /** The name of a fault, a status of HTTP, or how a result is marked. */
  readonly kind: string
  readonly words: string
}

/** What answers callers with words of its own; commands speak to whoever types them. */
const isSpeaker = (file: string) =>
  file.endsWith('.ts') && !file.endsWith('.test.ts') && !/^(cli|client|testing|bench)\//.test(file)

/** Every sentence by which the code refuses a caller. */
export function readFaults(): readonly SaidFault[] {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(isSpeaker)
  const said = files.flatMap((file) => faultsIn(readFileSync(join(SRC, file), 'utf8')))
  const once = new Map(said.map((one) => [`${one.place} ${one.kind} ${one.words}`, one]))
  return [...once.values()]
}

function faultsIn(text: string): readonly SaidFault[] {
  if (!/refusal|Fault|isError: true|status: \d/.test(text)) return []
  const program = parseAst(text, { lang: 'ts' }) as SyntaxNode
  const words = new SaidWords(program)
  const found: SaidFault[] = []
  const say = (place: SaidFault['place'], kinds: readonly string[], node: SyntaxNode | undefined) => {
    for (const kind of kinds)
      for (const one of words.read(node).map(plain))
        if (/\w/.test(one)) found.push({ place, kind, words: one })
  }
  walk(program, (node) => {
    if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      const [first, second] = node.arguments
      const name = node.callee.type === 'Identifier' ? node.callee.name : ''
      if (name === 'Fault' || name === 'plainFault') say('fault', words.read(first), second)
      if (name === 'refusal') say('http', words.read(first).filter(isStatus), second)
    }
    if (node.type !== 'ObjectExpression') return
    const { status, error, isError, text: own } = membersOf(node)
    if (status !== undefined) say('console', words.read(status).filter(isStatus), error)
    if (own !== undefined && isError !== undefined) say('result', ['isError'], own)
  })
  return found
}

/** What came instead is added to many a sentence. */
const plain = (words: string) => words.replace(/…+/g, '…').replace(/, got (…|none)$/, '')

const isStatus = (kind: string) => /^[45]\d\d$/.test(kind)

/** The members of an object by name, and the text of its content. */
function membersOf(object: SyntaxNode): { readonly [name: string]: SyntaxNode | undefined } {
  const members: { [name: string]: SyntaxNode | undefined } = {}
  if (object.type !== 'ObjectExpression') return members
  for (const member of object.properties) {
    if (member.type !== 'Property' || member.key.type !== 'Identifier') continue
    members[member.key.name] = member.value
    if (member.key.name === 'content')
      walk(member.value, (part) => {
        if (part.type === 'Property' && part.key.type === 'Identifier' && part.key.name === 'text')
          members['text'] = part.value
      })
  }
  return members
}
