import { type Inline, parseInline } from './markdown-inline.ts'

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly inline: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly inline: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string; readonly language: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Block[])[] }
  | {
      readonly kind: 'table'
      readonly head: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }
  | { readonly kind: 'rule' }

const [MOST_DEPTH, MOST_RULE] = [5, 1000]

const HEADING = /^ {0,3}(#{1,6})\s+(.*)$/s
/** Begins where a run of these does, so that each is read once. */
const CLOSING = /(?<![\s#])\s*#*$/
const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+-]*)/
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/
const QUOTE = /^ {0,3}> ?/
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(\s+|$)/
const TABLE_RULE = /^ {0,3}\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/

/** Markdown as data: nothing in it is ever HTML. */
export function parseMarkdown(text: string, depth = 0): readonly Block[] {
  const lines = text.split(/\r?\n/)
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    if ((lines[at] ?? '').trim() === '') {
      at++
      continue
    }
    const [block, next] = readBlock(lines, at, depth)
    blocks.push(block)
    at = next
  }
  return blocks
}

type Read = readonly [Block, number]

function readBlock(lines: readonly string[], at: number, depth: number): Read {
  const line = lines[at] ?? ''
  const heading = HEADING.exec(line)
  if (heading !== null)
    return [
      {
        kind: 'heading',
        level: heading[1]?.length ?? 1,
        inline: parseInline((heading[2] ?? '').trimEnd().replace(CLOSING, '')),
      },
      at + 1,
    ]
  if (RULE.test(line)) return [{ kind: 'rule' }, at + 1]
  if (FENCE.test(line)) return readCode(lines, at)
  if (depth < MOST_DEPTH && QUOTE.test(line)) return readQuote(lines, at, depth)
  if (depth < MOST_DEPTH && ITEM.test(line)) return readList(lines, at, depth)
  if (line.includes('|') && TABLE_RULE.test((lines[at + 1] ?? '').slice(0, MOST_RULE)))
    return readTable(lines, at)
  return readParagraph(lines, at)
}

function readCode(lines: readonly string[], from: number): Read {
  const [, fence = '```', language = ''] = FENCE.exec(lines[from] ?? '') ?? []
  let end = from + 1
  while (end < lines.length && !(lines[end] ?? '').trimStart().startsWith(fence)) end++
  return [{ kind: 'code', text: lines.slice(from + 1, end).join('\n'), language }, end + 1]
}

function readQuote(lines: readonly string[], from: number, depth: number): Read {
  const end = endOf(lines, from, (line) => QUOTE.test(line))
  const inner = lines.slice(from, end).map((line) => line.replace(QUOTE, ''))
  return [{ kind: 'quote', blocks: parseMarkdown(inner.join('\n'), depth + 1) }, end]
}

/** What is indented goes on with its item. */
function readList(lines: readonly string[], from: number, depth: number): Read {
  const [, indent = '', mark = ''] = ITEM.exec(lines[from] ?? '') ?? []
  const ordered = /\d/.test(mark)
  const items: string[][] = []
  let at = from
  for (; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const item = RULE.test(line) ? null : ITEM.exec(line)
    const isSibling = item !== null && (item[1]?.length ?? 0) < indent.length + 2
    if (isSibling && /\d/.test(item[2] ?? '') === ordered) items.push([line.slice(item[0].length)])
    else if (/^\s{2,}\S/.test(line)) items.at(-1)?.push(outdent(line, indent.length + mark.length + 1))
    else if (line.trim() === '' && /^(\s{2,}\S| {0,3}([-*+]|\d+[.)])\s)/.test(lines[at + 1] ?? ''))
      items.at(-1)?.push('')
    else break
  }
  return [
    { kind: 'list', ordered, items: items.map((item) => parseMarkdown(item.join('\n'), depth + 1)) },
    at,
  ]
}

/** Takes away as much as an item's mark takes. */
function outdent(line: string, width: number): string {
  const space = /^\s*/.exec(line)?.[0].length ?? 0
  return line.slice(Math.min(space, width))
}

function readTable(lines: readonly string[], from: number): Read {
  const end = endOf(lines, from + 2, (line) => line.includes('|'))
  const head = cellsOf(lines[from] ?? '')
  const rows = lines.slice(from + 2, end).map((line) => cellsOf(line).slice(0, head.length))
  return [{ kind: 'table', head: head.map(parseInline), rows: rows.map((row) => row.map(parseInline)) }, end]
}

function cellsOf(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
}

function readParagraph(lines: readonly string[], from: number): Read {
  const ends = (line: string) => [HEADING, FENCE, QUOTE, ITEM, RULE].some((one) => one.test(line))
  const end = endOf(lines, from + 1, (line) => line.trim() !== '' && !ends(line))
  return [{ kind: 'paragraph', inline: parseInline(lines.slice(from, end).join('\n')) }, end]
}

function endOf(lines: readonly string[], from: number, goesOn: (line: string) => boolean): number {
  let end = from
  while (end < lines.length && goesOn(lines[end] ?? '')) end++
  return end
}

/** Whether a text was meant as Markdown. */
export function looksLikeMarkdown(text: string): boolean {
  return /^ {0,3}#{1,6} \S|^ {0,3}(```|~~~)|^ {0,3}[-*+] \S.*\n {0,3}[-*+] \S|^[^|\n]*\|.*\n\|?\s*:?-+:?\s*\||\*\*\S[^*\n]*\*\*|\[[^[\]\n]+\]\([^()\s]+\)/m.test(
    text.slice(0, 20_000),
  )
}
