import { isObject, type JsonObject } from '../../../kernel/index.ts'
import { UnreadableText } from './format.ts'

/** A header or a key with its value, and where it stands, without the line end. */
export interface TomlStatement {
  readonly start: number
  readonly end: number
  readonly kind: 'table' | 'tables' | 'pair'
  /** From the root. */
  readonly path: readonly string[]
}

export interface TomlTree {
  readonly value: JsonObject
  readonly statements: readonly TomlStatement[]
}

export function parseToml(text: string): TomlTree {
  return new TomlReader(text).readAll()
}

type Table = { [name: string]: unknown }

const DEEPEST = 200
const NUMBER =
  /^[+-]?(?:inf|nan|0x[\da-fA-F_]+|0o[0-7_]+|0b[01_]+|(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?)$/
const DATE =
  /^(?:\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/

class TomlReader {
  readonly #text: string
  #at = 0
  readonly #root: Table = {}
  readonly #statements: TomlStatement[] = []
  /** What may not be added to, and what has had its header. */
  readonly #closed = new WeakSet<object>()
  readonly #headed = new WeakSet<object>()
  #table: Table = this.#root
  #path: readonly string[] = []

  constructor(text: string) {
    this.#text = text
  }

  readAll(): TomlTree {
    for (this.#skipLines(); this.#at < this.#text.length; this.#skipLines()) {
      const start = this.#at
      const kind = this.#take('[[') ? 'tables' : this.#take('[') ? 'table' : 'pair'
      const path = kind === 'pair' ? this.#pair() : this.#header(kind)
      this.#statements.push({ start, end: this.#at, kind, path })
      this.#match(/[ \t]*(?:#[^\n]*)?/y)
      if (this.#at < this.#text.length && this.#match(/\r?\n/y) === undefined)
        throw this.#error('expected the end of the line')
    }
    return { value: this.#root, statements: this.#statements }
  }

  #header(kind: 'table' | 'tables'): readonly string[] {
    const path = this.#key()
    if (!this.#take(kind === 'table' ? ']' : ']]')) throw this.#error('expected ]')
    const name = path.at(-1) ?? ''
    const parent = this.#descend(this.#root, path.slice(0, -1))
    if (kind === 'tables') {
      const list = Object.hasOwn(parent, name) ? parent[name] : []
      if (!Array.isArray(list) || this.#closed.has(list)) throw this.#error(`${name} is there already`)
      parent[name] = [...list, {}]
    }
    this.#table = this.#descend(parent, [name])
    if (this.#headed.has(this.#table)) throw this.#error(`[${path.join('.')}] is there already`)
    this.#headed.add(this.#table)
    this.#path = path
    return path
  }

  #pair(): readonly string[] {
    const key = this.#key()
    if (!this.#take('=')) throw this.#error('expected =')
    this.#match(/[ \t]*/y)
    this.#define(this.#table, key, this.#value(0))
    return [...this.#path, ...key]
  }

  #define(table: Table, key: readonly string[], value: unknown): void {
    const name = key.at(-1) ?? ''
    const parent = this.#descend(table, key.slice(0, -1))
    if (Object.hasOwn(parent, name)) throw this.#error(`${name} is there already`)
    parent[name] = value
    if (key.length > 1) this.#headed.add(parent) // It has no header of its own.
  }

  #descend(from: Table, path: readonly string[]): Table {
    let table = from
    for (const name of path) {
      if (!Object.hasOwn(table, name)) table[name] = {}
      const found = table[name]
      const next: unknown = Array.isArray(found) && !this.#closed.has(found) ? found.at(-1) : found
      if (!isObject(next) || this.#closed.has(next)) throw this.#error(`${name} cannot be added to`)
      table = next as Table // An object that was made here.
    }
    return table
  }

  #key(): readonly string[] {
    const path: string[] = []
    do {
      this.#match(/[ \t]*/y)
      const bare = this.#match(/[\w-]+/y)
      const part = bare ?? this.#string()
      if (part === undefined) throw this.#error('expected a name')
      path.push(part)
      this.#match(/[ \t]*/y)
    } while (this.#take('.'))
    return path
  }

  #value(depth: number): unknown {
    if (depth > DEEPEST) throw this.#error('it is too deep')
    if (this.#take('[')) return this.#array(depth)
    if (this.#take('{')) return this.#inline(depth)
    const text = this.#string()
    if (text !== undefined) return text
    const word = this.#match(/\d{4}-\d\d-\d\d \d\d:[\d:.Zz+-]+|[^\s,\]}#]+/y) ?? ''
    if (word === 'true' || word === 'false') return word === 'true'
    if (DATE.test(word)) return this.#close({ date: word })
    if (NUMBER.test(word)) return this.#close({ number: word.replaceAll('_', '') })
    this.#at -= word.length
    throw this.#error('expected a value')
  }

  #array(depth: number): readonly unknown[] {
    const list: unknown[] = this.#close([])
    let isOpen = true
    for (this.#skipLines(); !this.#take(']'); this.#skipLines()) {
      if (!isOpen) throw this.#error('expected , or ]')
      list.push(this.#value(depth + 1))
      this.#skipLines()
      isOpen = this.#take(',')
    }
    return list
  }

  #inline(depth: number): Table {
    const table: Table = {}
    let isOpen = true
    for (this.#skipLines(); !this.#take('}'); this.#skipLines()) {
      if (!isOpen) throw this.#error('expected , or }')
      const key = this.#key()
      if (!this.#take('=')) throw this.#error('expected =')
      this.#skipLines()
      this.#define(table, key, this.#value(depth + 1))
      this.#skipLines()
      isOpen = this.#take(',')
    }
    return this.#close(table)
  }

  /** Nothing can be added to it any more. */
  #close<Value extends object>(value: Value): Value {
    this.#closed.add(value)
    return value
  }

  #string(): string | undefined {
    const literal = this.#match(/'''[\s\S]*?'''(?!')/y) ?? this.#match(/'(?!'')[^'\n]*'/y)
    if (literal !== undefined)
      return literal.startsWith("'''") ? literal.slice(3, -3).replace(/^\r?\n/, '') : literal.slice(1, -1)
    const at = this.#at
    const long = this.#match(/"""(?:[^\\]|\\[\s\S])*?"""(?!")/y)
    const basic =
      long?.slice(3, -3).replace(/^\r?\n/, '') ?? this.#match(/"(?!"")(?:[^"\\\n]|\\.)*"/y)?.slice(1, -1)
    if (basic === undefined) return undefined
    return this.#unescape(basic.replaceAll(/\\[ \t]*\r?\n\s*/g, ''), at)
  }

  #unescape(text: string, at: number): string {
    return text.replaceAll(
      /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]))/g,
      (_whole, short: string | undefined, long: string | undefined, letter: string | undefined) => {
        const code = Number.parseInt(short ?? long ?? '', 16)
        const known = letter === undefined ? undefined : ESCAPES[letter]
        if (known !== undefined) return known
        if (code <= 0x10_ffff) return String.fromCodePoint(code)
        throw new UnreadableText(`there is no escape \\${letter ?? 'u'}`, this.#text, at)
      },
    )
  }

  #skipLines(): void {
    this.#match(/(?:\s|#[^\n]*)*/y)
  }

  #take(characters: string): boolean {
    if (!this.#text.startsWith(characters, this.#at)) return false
    this.#at += characters.length
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

const ESCAPES: { readonly [letter: string]: string } = {
  ...{ b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', e: '\u001b', '"': '"', '\\': '\\' },
}
