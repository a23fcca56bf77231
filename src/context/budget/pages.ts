import type { JsonObject } from '../../kernel/index.ts'
import { type CutPlace, weightOf } from './cut.ts'
import { textUpTo } from './cut-text.ts'

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
export function pagesOf({ rest, kept, all }: CutPlace, room: number): Pages {
  if (typeof rest === 'string') return piecesOf(rest, { room, before: kept, mimeType: 'text/plain' })
  if (isList(rest)) return whole(rest, rest, room) ?? { ...listPages(rest, kept, room), all, unit: 'entries' }
  const entries = Object.entries(rest)
  return whole(rest, entries, room) ?? { ...objectPages(entries, kept, room), all, unit: 'members' }
}

/** A text in pieces, which make it again when they are put together. */
export function piecesOf(
  text: string,
  { room, before, mimeType }: { readonly room: number; readonly before: number; readonly mimeType: string },
): Pages {
  const pages: RestPage[] = []
  for (let at = 0; at < text.length; ) {
    const piece = text.slice(at, at + (textUpTo(room, text.slice(at, at + room * 8)) || 1))
    pages.push({ from: before + at + 1, to: before + at + piece.length, text: piece })
    at += piece.length
  }
  return { mimeType, unit: 'characters', all: before + text.length, pages }
}

function isList(rest: CutPlace['rest']): rest is readonly unknown[] {
  return Array.isArray(rest)
}

/** The JSON of all of it, where one entry alone, or a member with its name, is longer than a page. */
function whole(rest: object, parts: readonly unknown[], room: number): Pages | undefined {
  if (parts.every((part) => weightOf(part) + 4 <= room)) return undefined
  return piecesOf(JSON.stringify(rest), { room, before: 0, mimeType: 'text/plain' })
}

function listPages(list: readonly unknown[], before: number, room: number) {
  const pages: RestPage[] = []
  for (let at = 0; at < list.length; ) {
    let tokens = 2
    let end = at
    for (; end < list.length; end++) {
      tokens += weightOf(list[end]) + 1
      if (tokens > room && end > at) break
    }
    pages.push({ from: before + at + 1, to: before + end, text: JSON.stringify(list.slice(at, end)) })
    at = end
  }
  return { mimeType: 'application/json', pages }
}

function objectPages(entries: readonly (readonly [string, unknown])[], before: number, room: number) {
  const { mimeType, pages } = listPages(entries, before, room)
  const asObject = (text: string): JsonObject => Object.fromEntries(JSON.parse(text))
  return { mimeType, pages: pages.map((page) => ({ ...page, text: JSON.stringify(asObject(page.text)) })) }
}
