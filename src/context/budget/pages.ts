import type { CutPlace } from './cut.ts'
import { textUpTo } from './cut-text.ts'
import { TurnTaker } from './turn-taker.ts'
import type { Weights } from './weights.ts'

/** A page of what was left out. */
export interface RestPage {
  /** Which entry, member or character it begins with, counted from 1. */
  readonly from: number
  /** The last one it has. */
  readonly to: number
  readonly text: string
}

/** What was left out at one place, in pages that each have room. */
export interface Pages {
  readonly mimeType: string
  readonly unit: 'entries' | 'members' | 'characters'
  readonly all: number
  readonly pages: readonly RestPage[]
}

/** Lists and objects in pages that are lists and objects; texts, and what has too long an entry, in pieces of text. */
export async function pagesOf(place: CutPlace, room: number, weights: Weights): Promise<Pages> {
  const { kept, all, unit } = place
  const rest = place.rest()
  if (typeof rest === 'string') return piecesOf(rest, { room, before: kept, mimeType: 'text/plain' })
  const print = unit === 'members' ? printMembers : JSON.stringify
  const pace = new TurnTaker()
  const tokens: number[] = []
  for (const part of rest) {
    const own = unit === 'members' ? weightOfMember(part as NamedMember, weights) : weights.of(part)
    const turn = pace.before(own)
    if (turn !== undefined) await turn
    // The JSON of all of it, where one entry alone, or a member with its name, is longer than a page.
    if (own + 4 > room) return piecesOf(print(rest), { room, before: 0, mimeType: 'text/plain' })
    tokens.push(own)
  }
  const pages: RestPage[] = []
  for (const [from, end] of runsOf(tokens, room)) {
    const text = print(rest.slice(from, end))
    await pace.before(text.length)
    pages.push({ from: kept + from + 1, to: kept + end, text })
  }
  return { mimeType: 'application/json', pages, all, unit }
}

/** A text in pieces, which make it again when they are put together. */
export async function piecesOf(
  text: string,
  { room, before, mimeType }: { readonly room: number; readonly before: number; readonly mimeType: string },
): Promise<Pages> {
  const pages: RestPage[] = []
  const pace = new TurnTaker()
  for (let at = 0; at < text.length; ) {
    const near = text.slice(at, at + room * 8)
    await pace.before(near.length)
    const piece = text.slice(at, at + (textUpTo(room, near) || 1))
    pages.push({ from: before + at + 1, to: before + at + piece.length, text: piece })
    at += piece.length
  }
  return { mimeType, unit: 'characters', all: before + text.length, pages }
}

/** From where to where each page goes. */
function runsOf(tokens: readonly number[], room: number): readonly (readonly [number, number])[] {
  const runs: [number, number][] = []
  for (let at = 0; at < tokens.length; ) {
    let sum = 2
    let end = at
    for (; end < tokens.length; end++) {
      sum += (tokens[end] ?? 0) + 1
      if (sum > room && end > at) break
    }
    runs.push([at, end])
    at = end
  }
  return runs
}

type NamedMember = readonly [string, unknown]

function weightOfMember([name, value]: NamedMember, weights: Weights): number {
  return weights.of(name) + weights.of(value) + 1
}

/** One after the other: to make an object of thousands takes longer than to print it. */
function printMembers(members: readonly unknown[]): string {
  const told = (members as readonly NamedMember[]).flatMap(([name, value]) => {
    const text: string | undefined = JSON.stringify(value) // Of a function, and of what prints itself as nothing, there is none.
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${told.join()}}`
}
