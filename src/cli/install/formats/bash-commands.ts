import { UnreadableText } from './format.ts'

/** A command of a script, and where it stands. */
export interface BashCommand {
  readonly start: number
  readonly end: number
  /** As the command gets them; a variable stays `${NAME}`, and what only a shell can tell stays as it is. */
  readonly words: readonly string[]
  /** Whether it stands in nothing else, and after nothing that could keep it from being run. */
  readonly isCertain: boolean
}

/** Words that stand before a command, and are none of it. */
const BEFORE = ['then', 'else', 'do', '{', '!', 'if', 'elif', 'while', 'until', 'time']

/** What begins something that has commands within it, and what ends it. */
const BLOCKS: { readonly [begin: string]: string } = {
  ...{
    if: 'fi',
    case: 'esac',
    while: 'done',
    until: 'done',
    for: 'done',
    select: 'done',
    '{': '}',
    '(': ')',
  },
}

/** The commands of a script, in the order in which they stand, whatever they depend on. */
export function parseBash(text: string): readonly BashCommand[] {
  return new BashReader(text).readAll()
}

class BashReader {
  readonly #text: string
  #at = 0
  #commands: BashCommand[] = []
  #words: string[] = []
  #start = 0
  #end = 0
  /** What ends the blocks that are open, the innermost last. */
  readonly #blocks: string[] = []
  /** Whether the next command depends on the last, and whether a new line goes on with that. */
  #isJoined = false
  #isOpen = false
  /** Ends of texts that begin with the next line. */
  #texts: string[] = []

  constructor(text: string) {
    this.#text = text
  }

  readAll(): readonly BashCommand[] {
    while (this.#at < this.#text.length) this.#step()
    this.#finish()
    return this.#commands
  }

  #step(): void {
    if (this.#match(/(?:[ \t]|\r(?=\n)|\\\r?\n)+/y) !== undefined) return
    if (this.#match(/#[^\n]*/y) !== undefined) return
    if (this.#match(/\n/y) !== undefined) {
      this.#finish()
      if (!this.#isOpen) this.#isJoined = false
      return this.#skipTexts()
    }
    if (this.#match(/<<</y) !== undefined) return
    const text = this.#match(/<<-?[ \t]*["']?[\w-]+["']?/y)
    if (text !== undefined) return void this.#texts.push(text.replaceAll(/^<<-?[ \t]*|["']/g, ''))
    const mark = this.#match(/[;&|()<>]+/y)
    if (mark !== undefined) return this.#separate(mark)
    this.#word()
  }

  #separate(mark: string): void {
    const isRedirection = /[<>]/.test(mark)
    // What is piped, or runs beside others, has a shell of its own.
    this.#finish(!isRedirection && /(?<![&|])[&|](?![&|])/.test(mark))
    for (const one of mark)
      if (one === '(') this.#blocks.push(')')
      else if (one === ')') this.#close(')') // Those of a case are closed and were never opened.
    if (isRedirection) return
    this.#isJoined = /&&|\|/.test(mark)
    this.#isOpen = this.#isJoined
  }

  #close(end: string): void {
    if (this.#blocks.at(-1) === end) this.#blocks.pop()
  }

  #word(): void {
    const start = this.#at
    let value = ''
    for (let part = this.#part(); part !== undefined; part = this.#part()) value += part
    if (this.#at === start) throw this.#error('a command is not finished')
    this.#isOpen = false
    if (this.#words.length === 0) {
      this.#close(value)
      const end = Object.hasOwn(BLOCKS, value) ? BLOCKS[value] : undefined
      if (end !== undefined) this.#blocks.push(end)
      if (BEFORE.includes(value)) return
      this.#start = start
    }
    this.#end = this.#at
    this.#words.push(value)
  }

  #part(): string | undefined {
    const single = this.#match(/'[^']*'/y)
    if (single !== undefined) return single.slice(1, -1)
    if (this.#text[this.#at] === '"') return this.#double()
    const variable = this.#variable()
    if (variable !== undefined) return variable
    const escaped = this.#match(/\\[^\r\n]/y)
    if (escaped !== undefined) return escaped.slice(1)
    const shell = this.#shell()
    if (shell !== undefined) return shell
    if (this.#text[this.#at] === "'") throw this.#error('a quote is not closed')
    return this.#match(/[^\s;&|()<>'"\\$`]+|\$/y)
  }

  #double(): string {
    const start = this.#at++
    let value = ''
    while (this.#text[this.#at] !== '"') {
      const part =
        this.#variable() ??
        this.#match(/\\["\\$`]/y)?.slice(1) ??
        this.#match(/\\\r?\n/y)?.replace(/[\s\S]*/, '') ??
        this.#shell() ??
        this.#match(/[^"\\$`]+|\\|\$/y)
      if (part === undefined) throw new UnreadableText('a quote is not closed', this.#text, start)
      value += part
    }
    this.#at += 1
    return value
  }

  #variable(): string | undefined {
    const found = this.#match(/\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\})/y)
    return found === undefined ? undefined : `\${${found.replaceAll(/[${}]/g, '')}}`
  }

  /** What a shell would run, as it stands. */
  #shell(): string | undefined {
    const plain = this.#match(/\$\{[^}]*\}|`(?:[^`\\]|\\[\s\S])*`/y)
    if (plain !== undefined) return plain
    const start = this.#at
    if (this.#match(/\$\(/y) === undefined) return undefined
    for (let depth = 1; depth > 0; ) {
      const part = this.#match(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^'"\\()]+|[()]/y)
      if (part === undefined) throw new UnreadableText('a parenthesis is not closed', this.#text, start)
      depth += part === '(' ? 1 : part === ')' ? -1 : 0
    }
    return this.#text.slice(start, this.#at)
  }

  #finish(isApart = false): void {
    const isCertain = this.#blocks.length === 0 && !this.#isJoined && !isApart
    if (this.#words.length > 0)
      this.#commands.push({ start: this.#start, end: this.#end, words: this.#words, isCertain })
    this.#words = []
  }

  #skipTexts(): void {
    for (const end of this.#texts) {
      const rest = this.#text.slice(this.#at)
      const found = new RegExp(`^[ \\t]*${end}\\r?$`, 'm').exec(rest)
      if (found === null) throw this.#error(`a text does not end with ${end}`)
      this.#at += found.index + found[0].length
    }
    this.#texts = []
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
