import { endOfString } from './depth-of.ts'
import { type Id, isId, isObject, isResponse, type Refused } from './message.ts'

/** What can be told of a message that will not be parsed. */
export interface Glimpse {
  readonly id: Id | undefined
  readonly isResponse: boolean
  readonly method?: string
  readonly response?: Refused['response']
}

/**
 * Looks at a message that is too long or too deep. Only its top level is read. A response's id is not given
 * as that of the message: it is one of ours, and to the client it could be that of another request.
 */
export function glimpse(text: string): Glimpse {
  const message = parseTopLevel(text)
  if (!isObject(message)) return { id: undefined, isResponse: false }
  const { id, method } = message
  if (isResponse(message)) return { id: undefined, isResponse: true, response: { id } }
  if (typeof method !== 'string') return { id: undefined, isResponse: false }
  return { id: isId(id) ? id : undefined, isResponse: false, method }
}

function parseTopLevel(text: string): unknown {
  try {
    return JSON.parse(`${topLevel(text)}}`)
  } catch {
    return undefined
  }
}

/**
 * The members of an object, less its closing brace, with null for every object or array in it, and for the value at
 * which the text is cut off.
 */
function topLevel(text: string): string {
  let members = ''
  let seen = ''
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === BRACE || code === BRACKET) {
      if (++depth === 2) seen += `${text.slice(start, at)}null`
    } else if (code === END_BRACE || code === END_BRACKET) {
      if (--depth === 0) return seen + text.slice(start, at)
      if (depth === 1) start = at + 1
    } else if (depth === 1 && code === COMMA) {
      members = seen + text.slice(start, at)
    } else if (depth === 1 && code === COLON) {
      members = `${seen}${text.slice(start, at)}:null`
    }
  }
  return members
}

const [QUOTE, COMMA, COLON] = [34, 44, 58]
const [BRACE, BRACKET, END_BRACE, END_BRACKET] = [123, 91, 125, 93]
