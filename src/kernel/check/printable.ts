import { isObject } from '../jsonrpc/message.ts'
import { Mistake } from '../words/mistake.ts'

/** Throws where an author's function gave something of which nothing is left as JSON: a Map, a Response, a generator. */
export function checkPrintable(value: unknown, giver: string): void {
  if (!isObject(value) || typeof value['toJSON'] === 'function') return
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null || Object.keys(value).length > 0) return
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1)
  if (['Object', 'Number', 'String', 'Boolean'].includes(kind)) return // One of their own classes may have nothing to say.
  throw new Mistake(
    `${giver} gave something of type ${kind}, of which JSON leaves nothing: give a text, a list or an object that is made of it`,
  )
}
