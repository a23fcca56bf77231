import { UnreadableText } from './format.ts'

/** A value of a JSON text, and where it stands. */
export interface JsoncNode {
  readonly start: number
  readonly end: number
  readonly value: unknown
  /** Of an object, in the order in which they stand. */
  readonly members?: readonly JsoncMember[]
}

export interface JsoncMember {
  readonly key: string
  /** Where the key stands. */
  readonly at: number
  readonly node: JsoncNode
  /** The place behind the comma that follows, if one does. */
  readonly comma: number | undefined
}

/** Deeper than any settings. */
const DEEPEST = 200

/** JSON with comments and trailing commas; undefined where there is nothing but comments. */
export function parseJsonc(text: string): JsoncNode | undefined {
  return new JsoncReader(text).readAll()
}

class JsoncReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  readAll(): JsoncNode | undefined {
    this.#skip()
    if (this.#at === this.#text.length) return undefined
    const node = this.#value(0)
    this.#skip()
    if (this.#at < this.#text.length) throw this.#error('expected nothing more')
    return node
  }

  #value(depth: number): JsoncNode {
    if (depth > DEEPEST) throw this.#error('it is too deep')
    if (this.#take('{')) return this.#object(depth)
    if (this.#take('[')) return this.#array(depth)
    const start = this.#at
    const literal =
      this.#match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y) ??
      this.#string()
    if (literal === undefined) throw this.#error('expected a value')
    return { start, end: this.#at, value: this.#decode(literal, start) }
  }

  #object(depth: number): JsoncNode {
    const start = this.#at - 1
    const members: JsoncMember[] = []
    for (this.#skip(); !this.#take('}'); this.#skip()) {
      if (members.length > 0 && members.at(-1)?.comma === undefined) throw this.#error('expected , or }')
      const at = this.#at
      const key = this.#string()
      if (key === undefined) throw this.#error('expected a name in double quotes, or }')
      this.#skip()
      if (!this.#take(':')) throw this.#error('expected :')
      this.#skip()
      const node = this.#value(depth + 1)
      members.push({ key: String(this.#decode(key, at)), at, node, comma: this.#comma() })
    }
    const value = Object.fromEntries(members.map(({ key, node }) => [key, node.value]))
    return { start, end: this.#at, value, members }
  }

  #array(depth: number): JsoncNode {
    const start = this.#at - 1
    const value: unknown[] = []
    let isOpen = true
    for (this.#skip(); !this.#take(']'); this.#skip()) {
      if (!isOpen) throw this.#error('expected , or ]')
      value.push(this.#value(depth + 1).value)
      isOpen = this.#comma() !== undefined
    }
    return { start, end: this.#at, value }
  }

  /** Comments may stand before it. */
  #comma(): number | undefined {
    const before = this.#at
    this.#skip()
    if (this.#take(',')) return this.#at
    this.#at = before
    return undefined
  }

  #string(): string | undefined {
    return this.#match(/"(?:[^"\\\n]|\\.)*"/y)
  }

  #decode(literal: string, at: number): unknown {
    try {
      return JSON.parse(literal)
    } catch {
      throw new UnreadableText('expected a text in double quotes', this.#text, at)
    }
  }

  #skip(): void {
    this.#match(/(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y)
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    return true
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    this.#at += found?.length ?? 0
    return found
  }

  #error(reason: string): UnreadableText {
    return new UnreadableText(reason, this.#text, this.#at)
  }
}
