import { endOfString } from './depth.ts'
import { type Id, isId, isObject } from './message.ts'

/**
 * The id of a request that will not be parsed because it is too long or too deep. Only its top level is
 * read, and of a text that is cut off only the members that are whole. An answer's id is not looked for:
 * it is one of ours, and to the client it could be that of another request.
 */
export function findId(text: string): Id | undefined {
  const message = parseTopLevel(text)
  return isObject(message) && typeof message['method'] === 'string' && isId(message['id'])
    ? message['id']
    : undefined
}

function parseTopLevel(text: string): unknown {
  try {
    return JSON.parse(`${topLevel(text)}}`)
  } catch {
    return undefined
  }
}

/** The whole members of an object, less its closing brace, with null for every object or array in it. */
function topLevel(text: string): string {
  let members = ''
  let seen = ''
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '{' || character === '[') {
      if (++depth === 2) seen += `${text.slice(start, at)}null`
    } else if (character === '}' || character === ']') {
      if (--depth === 0) return seen + text.slice(start, at)
      if (depth === 1) start = at + 1
    } else if (character === ',' && depth === 1) {
      members = seen + text.slice(start, at)
    }
  }
  return members
}
