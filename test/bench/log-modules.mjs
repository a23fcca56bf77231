import { appendFileSync } from 'node:fs'

/** A hook that writes down every module before it is loaded; it runs in a thread of its own. */
export function load(url, context, next) {
  appendFileSync(process.env['MODULE_LOG'], `${url}\n`)
  return next(url, context)
}
